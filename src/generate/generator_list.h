/* Included twice by generator_registry.c: for the externs, then for the table. */
COVEY_GENERATOR(capital_loss)
COVEY_GENERATOR(census)
COVEY_GENERATOR(normal2d)
