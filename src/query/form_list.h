/* Included twice by form_registry.c: for the externs, then for the table. */
COVEY_QUERY_FORM(generalized)
COVEY_QUERY_FORM(bucketized)
COVEY_QUERY_FORM(perturbed)
COVEY_QUERY_FORM(sliced)
COVEY_QUERY_FORM(transformed)
