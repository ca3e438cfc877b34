/* Included twice by form_registry.c: for the externs, then for the table. */
COVEY_AUDIT_FORM(bucketized)
COVEY_AUDIT_FORM(generalized)
COVEY_AUDIT_FORM(perturbed)
COVEY_AUDIT_FORM(sliced)
COVEY_AUDIT_FORM(transformed)
