/* Included twice by form_registry.c: for the externs, then for the table. */
COVEY_FORM(bucketized)
COVEY_FORM(generalized)
COVEY_FORM(perturbed)
COVEY_FORM(sliced)
COVEY_FORM(transformed)
