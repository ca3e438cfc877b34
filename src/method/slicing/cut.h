/* Cuts: the table is cut again and again, the widest attribute at its median, as long as both halves hold; see cut.c.
 */
#ifndef COVEY_METHOD_SLICING_CUT_H
#define COVEY_METHOD_SLICING_CUT_H

#include "base/run.h"
#include "method/slicing/cells.h"
#include "method/slicing/exact.h"
#include "method/slicing/slicing.h"

/* Items are rows, or cells of rows that never part. */
typedef struct covey_slicing_bucket {
    uint32_t start, n; /* in cutting->item */
    uint32_t number;   /* of the exact test; of cells: no pair has more rows */
} covey_slicing_bucket;

typedef struct covey_slicing_cutting {
    covey_slicing *s;
    covey_slicing_cells *cells;   /* NULL: items are rows */
    uint32_t *item, n_items;      /* rows of the table, one that stands for several as often; or cells */
    covey_slicing_test *test;     /* [1 + n_others] of each sensitive attribute */
    covey_slicing_joined *joined; /* the test where the sensitive attribute stands in several columns; NULL: in one */
    covey_slicing_exact
        *exact; /* NULL: every set of every bucket must hold by itself, which is exact where cuts are strict */
    size_t n_dims;
    size_t *dim;                   /* fields that are cut: all but the sensitive one, in order */
    int64_t *whole;                /* [n_dims] width of the table */
    uint32_t *scratch;             /* [n_items] */
    uint32_t *rank;                /* only for rows, as the next: [rows of the table] place in slicing->content */
    uint64_t *word, *word_scratch; /* [n] */
    covey_run_poll poll;           /* items looked at */
    uint32_t n_closed;
    covey_slicing_bucket *closed; /* [n_items] */
} covey_slicing_cutting;

/* COVEY_EINVAL: there are more attributes than cuts can look at.  To be asked before anything that takes long. */
covey_status covey_i_slicing_check_dims(const covey_slicing *s, covey_error *err);
/* The whole table as one bucket.  Memory is the slicing's arena's. */
covey_status covey_i_slicing_cutting_start(covey_slicing_cutting *c, covey_slicing *s, bool by_cells, covey_error *err);
/* Fills closed, from the whole table: in an order that does not depend on threads. */
covey_status covey_i_slicing_cut_table(covey_slicing_cutting *c, const covey_run *run, covey_error *err);

/* Does the table hold with these parts in the place of the bucket?  item: of part p those up to end[p]; *first:
 * receives the number of the first part. */
covey_status covey_i_slicing_try_parts(bool *holds, uint32_t *first, covey_slicing_cutting *c,
                                       covey_slicing_bucket bucket, const uint32_t *item, const uint32_t *end,
                                       uint32_t n_parts, covey_error *err);

/* How many rows a bucket has, and their contents: there is room for as many. */
uint32_t covey_i_slicing_bucket_size(const covey_slicing_cutting *c, covey_slicing_bucket bucket);
void covey_i_slicing_bucket_contents(covey_slicing_contents *out, const covey_slicing_cutting *c,
                                     covey_slicing_bucket bucket);

#endif
