/* Included twice by experiment_registry.c: for the externs, then for the table.  The order is that of the index page. */
COVEY_EXPERIMENT(recoding_k)
