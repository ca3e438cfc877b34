/* From the values of an Arrow column to dictionary codes. */
#ifndef COVEY_IO_ARROW_CELLS_H
#define COVEY_IO_ARROW_CELLS_H

#include "io/arrow/data.h"
#include "io/arrow/field.h"
#include "io/csv/columns.h"

/* One column on its way. */
typedef struct covey_arrow_column {
    const covey_arrow_data *data;
    size_t child; /* of the schema */
    covey_arrow_field field;
    bool trim;                    /* blanks around texts */
    covey_dictionary *dictionary; /* of texts; missing cells are COVEY_CSV_SQL_NULL */
    covey_csv_chunk *chunk;       /* receives all rows' codes as its column to */
    size_t to;
} covey_arrow_column;

/* Gives every row its code.  COVEY_EINVAL for data that contradict their own schema. */
covey_status covey_i_arrow_column_codes(covey_arrow_column *column, covey_error *err);

#endif
