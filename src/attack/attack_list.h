/* Included twice by attack_registry.c: for the externs, then for the table. */
COVEY_ATTACK(skewness)
COVEY_ATTACK(homogeneity)
COVEY_ATTACK(background_knowledge)
COVEY_ATTACK(naive_bayes)
COVEY_ATTACK(corruption)
COVEY_ATTACK(re_identification)
COVEY_ATTACK(rare_values)
