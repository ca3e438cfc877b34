/* Included twice by attack_registry.c: for the externs, then for the table. */
COVEY_ATTACK(skewness)
COVEY_ATTACK(homogeneity)
COVEY_ATTACK(re_identification)
