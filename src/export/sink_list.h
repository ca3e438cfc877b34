/* Included twice by export.c: for the externs, then for the table. */
COVEY_SINK(sqlite)
COVEY_SINK(postgresql)
COVEY_SINK(postgres)
COVEY_SINK(jsonl)
COVEY_SINK(csv)
