/* The second half of the CSV reader: from chunks with codes of their own to columns with one sorted dictionary each. */
#ifndef COVEY_IO_CSV_COLUMNS_H
#define COVEY_IO_CSV_COLUMNS_H

#include "io/csv/scan.h"
#include "table/table_impl.h"

/* What a database's NULL is in a dictionary: a text that no cell can be, because NUL bytes are refused beforehand. */
#define COVEY_CSV_SQL_NULL "\0"

typedef struct covey_csv_parts {
    const char *path;        /* for messages */
    const char *const *name; /* [n_columns] */
    const bool *kept;        /* [n_columns] */
    const bool *is_key;      /* [n_columns] whose codes are numbers, see covey_i_csv_keys_are_numbers; NULL: none is */
    size_t n_columns;
    const char *const *null; /* [n_null] */
    size_t n_null;
    bool has_sql_null;          /* COVEY_CSV_SQL_NULL means "missing", too */
    bool any_null;              /* missing cells may stand beside the text "null" */
    covey_csv_scanner *scanner; /* [n_workers] whose dictionaries are used up */
    size_t n_workers;
    covey_csv_chunk *chunk; /* [n_chunks] whose codes are used up */
    size_t n_chunks;
    int64_t n_rows;
    covey_lines *lines; /* NULL or where the rows stand; shared by the columns */
} covey_csv_parts;

/* Are the keys of all columns of keys numbers that are told apart, none of which means "missing"?  If not, they have to
 * be read as texts. */
bool covey_i_csv_keys_are_numbers(covey_csv_parts *parts);

/* Makes the table; COVEY_EPARSE for texts that are not UTF-8, and for missing cells beside the text "null" unless
 * any_null. */
covey_status covey_i_csv_columns(covey_table **out, covey_csv_parts *parts, const covey_run *run, covey_error *err);

#endif
