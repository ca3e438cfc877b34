/* The form "sliced" between modules: the table is cut into columns of attributes and buckets of rows; inside a bucket
 * nothing tells which piece of one column goes with which of another. */
#ifndef COVEY_RELEASE_SLICED_SLICED_H
#define COVEY_RELEASE_SLICED_SLICED_H

#include "base/codes.h"
#include "release/release_impl.h"

/* One column: attributes whose values stay together. */
typedef struct covey_slice {
    size_t n_fields;
    const size_t *field; /* [n_fields] indices into problem->field; sensitive ones stand behind all others. A single one
                            is the last of the last slice, and may be of others; of several each stands in one slice,
                            the last of them in the last */
} covey_slice;

/* What the lines of a column hold.  A piece is a number, whose order is that of its content: it has a digit for each
 * field, the last one least, or where that takes more than 32 bits it is the piece's place among all. */
typedef struct covey_pieces {
    uint32_t *n_values; /* [n_fields] of each digit */
    uint32_t *row_of; /* [n_numbers] a row of the problem that has the piece, where numbers are places; NULL: they have
                         digits */
    uint32_t n_numbers; /* all are below */
    int width;          /* bytes of a number: 1, 2 or 4 */
    void *line;         /* [n_published] by bucket, then ascending */
    void *of_dealt;     /* [rows of the dealt table] until lines are written: the piece of each; NULL */
} covey_pieces;

/* form_data of a sliced release, whose row_order is NULL unless rows have units: which rows of the problem lines came
 * from is not kept.  With units it has the rows of each bucket, in an order that means nothing. */
typedef struct covey_sliced {
    size_t n_slices;
    covey_slice *slice;   /* [n_slices]; owns the fields */
    covey_pieces *pieces; /* [n_slices] */
} covey_sliced;

/* The rows of buckets, bucket by bucket.  The lists are of covey_i_malloc. */
typedef struct covey_dealt {
    const covey_problem *table; /* whose rows they are: the problem, or one with the same columns whose rows have
                                   contents of the problem's */
    const uint32_t *given;      /* [table->n_rows] a row of the problem with that content; NULL: the same row */
    uint32_t n, *row;           /* [n]; one that stands for several equal rows of the problem is there as often */
    uint32_t n_buckets, *start; /* [n_buckets + 1] in row; every bucket has rows */
    bool keeps_rows;            /* the release has row_order; rows are the problem's then */
    const char *unit_values;    /* "one", "several": how many sensitive values units have; static; NULL: rows have no
                                   units */
    void (*drop_table)(void *context); /* called when neither table nor given is needed any more; NULL: they stay */
    void *context;
} covey_dealt;

void covey_i_dealt_clear(covey_dealt *dealt);

/**
 * Makes a sliced release from the rows of buckets: sorts every column by content, and numbers buckets by what they
 * hold.
 *
 * @param dealt  its lists are given back as soon as they are not needed any more, also if this fails
 * @return COVEY_OK; COVEY_ENOMEM
 */
covey_status covey_i_release_of_slices(covey_release **out, const covey_problem *problem, const covey_slice *slice,
                                       size_t n_slices, covey_dealt *dealt, const covey_run *run, covey_error *err);

/* The piece in a line of a column. */
static inline uint32_t covey_i_sliced_piece(const covey_sliced *data, size_t slice, uint32_t line)
{
    return covey_i_codes_get(data->pieces[slice].line, data->pieces[slice].width, line);
}

/* What a piece shows of a field: the column's f-th; a code of what is published of it. */
uint32_t covey_i_sliced_code(const covey_release *release, const covey_problem *problem, size_t slice, size_t f,
                             uint32_t piece);

#endif
