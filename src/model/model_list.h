/* Included twice by model_registry.c: for the externs, then for the table. */
COVEY_MODEL(k_anonymity)
