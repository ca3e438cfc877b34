/* matrix.csv of perturbed releases: how likely each value shows where each is the true one, and the inverse of that.
 *
 * A row keeps value j with alpha_j, else shows any of n values: PM[i][j] = Y_j + [i = j] alpha_j, Y_j = (1 -
 * alpha_j)/n, which is diag(alpha) + 1 Y^T.  By Sherman and Morrison its inverse is [i = j]/alpha_i - Y_j/(alpha_i
 * alpha_j (1 + s)), s = sum of Y_j/alpha_j.  Source: [CaoKarras12] section 5. */
#ifndef COVEY_RELEASE_MATRIX_TABLE_H
#define COVEY_RELEASE_MATRIX_TABLE_H

#include "release/release_impl.h"

#define COVEY_MATRIX_TABLE "matrix.csv"
enum { COVEY_MATRIX_MOST = 1000 }; /* values: beyond, pairs are too many */

typedef struct covey_chances {
    uint32_t n;
    const double *alpha; /* [n] */
    double s;            /* infinite: some value is never kept, and there is no inverse */
} covey_chances;

/* Borrows alpha. */
covey_chances covey_i_matrix_chances(const double *alpha, uint32_t n);
/* How likely `shown` is published where `original` is true. */
double covey_i_matrix_chance(const covey_chances *chances, uint32_t shown, uint32_t original);
/* What a row that shows `shown` adds to the estimated number of those that have `original`; NaN without an inverse. */
double covey_i_matrix_inverse(const covey_chances *chances, uint32_t shown, uint32_t original);

/* Writes a line for every pair of values.  value: [chances->n] codes of the column; code 0 is the missing value if it
 * has one. */
covey_status covey_i_matrix_table_write(const covey_chances *chances, const uint32_t *value, const covey_column *column,
                                        const char *folder, covey_files *files, const covey_run *run, covey_error *err);

#endif
