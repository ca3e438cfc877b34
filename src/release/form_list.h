/* Included by release_impl.h for the externs, by form_registry.c for the table. */
COVEY_FORM(bucketized)
COVEY_FORM(generalized)
COVEY_FORM(perturbed)
COVEY_FORM(sliced)
COVEY_FORM(transformed)
