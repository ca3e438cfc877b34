/* Included by form_impl.h for the externs, by form_registry.c for the table. */
COVEY_READER_FORM(bucketized)
COVEY_READER_FORM(generalized)
COVEY_READER_FORM(perturbed)
COVEY_READER_FORM(sliced)
COVEY_READER_FORM(transformed)
