/* The form "sliced" between modules: the table is cut into columns of attributes and buckets of rows; inside a bucket nothing tells which
 * piece of one column goes with which of another. */
#ifndef COVEY_SLICED_H
#define COVEY_SLICED_H

#include "release/release_impl.h"

/* One column: attributes whose values stay together. */
typedef struct covey_slice {
    size_t n_fields;
    const size_t *field; /* [n_fields] indices into problem->field; the sensitive one is the last of the last slice, and may be of others */
} covey_slice;

/* form_data of a sliced release. */
typedef struct covey_sliced {
    size_t n_slices;
    covey_slice *slice;  /* [n_slices]; owns the fields */
    uint32_t **row;      /* [n_slices][n_published] the lines of each file: by bucket, then by the piece's content */
} covey_sliced;

/**
 * Makes a sliced release from a row -> bucket map: drops empty buckets, numbers buckets and sorts every column by content.
 *
 * @param bucket_of_row  [n_rows] bucket numbers below n_buckets, or COVEY_CLASS_SUPPRESSED
 * @return COVEY_OK; COVEY_ENOMEM
 */
covey_status covey_i_release_of_slices(covey_release **out, const covey_problem *problem, const covey_slice *slice, size_t n_slices,
                                       const uint32_t *bucket_of_row, uint32_t n_buckets, const covey_run *run, covey_error *err);

#endif
