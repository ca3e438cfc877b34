/* Included twice by generator_registry.c: for the externs, then for the table. */
COVEY_GENERATOR(census)
