/* Data in memory as they were handed over; for the reader. */
#ifndef COVEY_IO_ARROW_DATA_H
#define COVEY_IO_ARROW_DATA_H

#include <covey/arrow.h>

struct covey_arrow_data {
    char source[32];   /* "arrow:1" */
    const char *shown; /* what messages call it: the source, or the file that it was read from */
    int references;    /* under the lock of data.c */
    covey_arrow_data *next;
    struct ArrowSchema schema;
    struct ArrowArray *batch; /* [n_batches] */
    size_t n_batches, capacity;
    int64_t n_rows;
};

/* The data of that source, with one more reference; NULL if there are none (any more). */
covey_arrow_data *covey_i_arrow_data_share(const char *source);

#endif
