/* The rows of ke-permutation: from rows to numbers, and from groups of numbers back to rows. */
#ifndef COVEY_METHOD_KE_ROWS_H
#define COVEY_METHOD_KE_ROWS_H

#include "base/rng.h"
#include "method/ke/ke.h"
#include "release/bucketized/bucketized.h"

/* Rows in order, in one of two ways, and where their groups go. */
typedef struct covey_ke_rows {
    const covey_problem *problem;
    const covey_column *sensitive;
    const covey_run *run;

    uint32_t *row;          /* [n_rows] by fixed group, number, content */
    uint32_t *group_of_row; /* [n_rows] */
    uint32_t n_groups;

    uint64_t *lists; /* where there are no fixed groups and all fits: by number and content, value * stride + content
                        above the row's number */
    uint64_t stride;
    covey_histogram counts; /* of the codes */
    covey_members members;
} covey_ke_rows;

/* Sorts the rows; scratch that has to stay lives in the arena. */
covey_status covey_i_ke_rows_sort(covey_ke_rows *rows, covey_arena *arena, covey_error *err);
void covey_i_ke_rows_clear(covey_ke_rows *rows); /* all zeros allowed */

uint32_t covey_i_ke_rows_at(const covey_ke_rows *rows, uint32_t place);

/* The numbers of the rows at the places begin .. end-1, n_distinct different ones; first: [n + 1] receives where the
 * rows of each begin. */
covey_status covey_i_ke_rows_values(covey_ke_values *out, uint32_t **first, const covey_ke_rows *rows, uint32_t begin,
                                    uint32_t end, uint32_t n_distinct, covey_arena *arena, covey_error *err);

/* Gives each group of numbers rows with them; those of a number that several groups hold are drawn. */
covey_status covey_i_ke_rows_deal(covey_ke_rows *rows, const covey_ke_partition *groups, const covey_ke_values *values,
                                  uint32_t *first, covey_rng *rng, covey_arena *arena, covey_error *err);

/* Of the groups that were dealt; lists and members are given back early. */
covey_status covey_i_ke_rows_release(covey_release **out, covey_ke_rows *rows, covey_error *err);

/* Puts items into random order, as covey_i_rng_shuffle does. */
void covey_i_ke_shuffle(uint32_t *item, uint32_t n, covey_rng *rng);

#endif
