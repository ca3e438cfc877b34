/* Included twice by format_registry.c: for the externs, then for the table. */
COVEY_FORMAT(csv)
COVEY_FORMAT(csv_gz)
COVEY_FORMAT(csv_zst)
COVEY_FORMAT(sqlite)
COVEY_FORMAT(postgresql)
COVEY_FORMAT(arrow)
