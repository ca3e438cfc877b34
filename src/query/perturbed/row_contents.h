/* Rows with equal cells as one: a sorted table has them next to each other. */
#ifndef COVEY_QUERY_PERTURBED_ROW_CONTENTS_H
#define COVEY_QUERY_PERTURBED_ROW_CONTENTS_H

#include "query/query_impl.h"

typedef struct covey_row_contents {
    uint32_t n;             /* runs of rows that are equal in all columns */
    const uint32_t *weight; /* [n] rows of each; NULL: there are hardly fewer runs than rows, and each row is one */
} covey_row_contents;

/**
 * Joins neighbouring rows that are equal in all columns, which stand in one table; weights in the release's arena.
 *
 * Where that makes them far fewer, the columns' texts become columns of these: what looks at rows sees one for each
 * run.
 */
covey_status covey_i_row_contents_join(covey_row_contents *out, covey_query_release *release, covey_error *err);

#endif
