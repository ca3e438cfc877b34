/* One Arrow batch as a stream, from its columns. */
#ifndef COVEY_EXPORT_STREAM_H
#define COVEY_EXPORT_STREAM_H

#include <covey/arrow.h>

/* A column of n_rows values.  Buffers come from base/alloc.h and belong to whoever has the column. */
typedef struct covey_stream_column {
    char *name;
    char format[16]; /* of the values; of a dictionary that of its indices */
    int64_t n_null;
    void *validity; /* bits; NULL: nothing is missing */
    void *values;
    int64_t n_labels; /* of a dictionary, whose values are texts */
    int32_t *offsets; /* [n_labels + 1]; NULL: it is no dictionary */
    char *labels;
} covey_stream_column;

void covey_i_stream_columns_free(covey_stream_column *column, size_t n); /* the array, too; NULL allowed */

/* Makes the stream; column [n] is taken over, on failure too. */
covey_status covey_i_stream_make(struct ArrowArrayStream *out, covey_stream_column *column, size_t n, int64_t n_rows,
                                 covey_error *err);

#endif
