/* A sample of the rows of a table that does not depend on their order: the different rows whose hashes are smallest
 * (bottom-k sampling, [CohenKaplan07]), and how often each stands in the table.  A row that belongs to it at the end
 * has belonged to it from its first occurrence, so counts are exact. */
#ifndef COVEY_PARTS_PLAN_ROW_SAMPLE_H
#define COVEY_PARTS_PLAN_ROW_SAMPLE_H

#include <covey/base.h>

typedef struct covey_row_sample {
    size_t n, n_codes;  /* rows so far, equal ones more than once; codes that are kept of each */
    uint64_t threshold; /* only rows with smaller hashes can belong to it */
    uint64_t *hash;     /* [most] */
    int64_t *count;     /* [most] */
    uint32_t *code;     /* [most][n_codes] */
} covey_row_sample;

covey_status covey_i_row_sample_init(covey_row_sample *out, size_t n_codes, covey_error *err);

/* Adds a row whose hash is below the threshold; what is kept of it goes to *code, [n_codes]. */
covey_status covey_i_row_sample_add(uint32_t **code, covey_row_sample *sample, uint64_t hash, covey_error *err);

/* Joins equal rows, and keeps the smallest. */
covey_status covey_i_row_sample_compact(covey_row_sample *sample, covey_error *err);
void covey_i_row_sample_clear(covey_row_sample *sample); /* may be all zeros */

#endif
