/* Anatomy's grouping, apart from where its rows come from. */
#ifndef COVEY_METHOD_ANATOMY_ANATOMY_H
#define COVEY_METHOD_ANATOMY_ANATOMY_H

#include <covey/table.h>

#include "base/arena.h"
#include "base/rng.h"
#include "release/bucketized/members.h"

/* What groups are made of. */
typedef struct covey_anatomy_task {
    const covey_problem *problem;
    const covey_run *run;
    const covey_column *sensitive;
    int64_t l; /* different values of a group, at least */
    covey_arena *arena;
} covey_anatomy_task;

/* Cuts rows[0 .. n-1] into parts of similar ones, of each of which groups can be made; each then stands together in
 * rows.  part_of_row: [rows of the table] receives the parts of these. */
covey_status covey_i_anatomy_cut(uint32_t *part_of_row, uint32_t *n_parts, uint32_t *rows, uint32_t n,
                                 const covey_anatomy_task *task, covey_error *err);

/* Scratch for parts of one table, and where the groups go. */
typedef struct covey_anatomy {
    const covey_column *sensitive;
    uint32_t l;             /* different values of a group, at least; > 0 */
    uint32_t *group_of_row; /* [rows of the table] receives the groups; NULL: members does */
    uint32_t n_groups;      /* made so far */
    uint32_t n_residues;    /* rows that joined a group later */
    uint32_t *place;        /* [values] of a value among those of the part; UINT32_MAX outside of calls */
    uint32_t *value;        /* [rows] of each list; lists are numbered by value */
    uint32_t *begin;        /* [rows + 1] first of each list in pool */
    uint32_t *length;       /* [rows] of each list: the rows that are left in it */
    uint32_t *pool;         /* [rows] rows, list by list; they leave from the end */
    uint32_t *order;        /* [rows] lists, longest first */
    uint32_t *at_least;     /* [rows + 2] how many lists have that length or more */
    bool *has_value;        /* [rows / l + 1] false outside of calls */

    covey_members *members; /* receives the groups where pool has no numbers of rows but the rows: */
    uint64_t *row;          /* as the upper half of each has value * stride added to its content */
    uint64_t stride;
} covey_anatomy;

/* Prepares scratch for parts of up to n_rows rows; memory lives in the arena. */
covey_status covey_i_anatomy_start(covey_anatomy *a, const covey_column *sensitive, uint32_t l, uint32_t *group_of_row,
                                   uint32_t n_rows, covey_arena *arena, covey_error *err);

/**
 * Makes groups of rows[0 .. n-1], in which no value has more than n/l rows: floor(n/l) of them, each of l rows with
 * different values, and then up to l - 1 rows that join groups without their value.
 *
 * @param rng  ties, which row of a value, and where the rest goes are at random; NULL, for tests: the smaller value,
 * the earlier row, the first group
 */
void covey_i_anatomy_group(covey_anatomy *a, const uint32_t *rows, uint32_t n, covey_rng *rng);

/**
 * The same of all rows of a table, which stand value by value, each value's by content, and are moved about.
 *
 * @param members   receives the groups
 * @param row       [n] content + value * stride above the row's number
 * @param count     [values] rows of each
 * @param n_residues  receives how many rows joined a group later
 */
covey_status covey_i_anatomy_group_lists(covey_members *members, uint32_t *n_residues, const covey_column *sensitive,
                                         uint32_t l, uint64_t *row, uint64_t stride, const int64_t *count,
                                         covey_rng *rng, covey_error *err);

/* How many rows of the most frequent values would have to go until none has more than a share 1/l of the rest; count
 * [n] is per value. INT64_MAX: fewer than l values occur. */
int64_t covey_i_anatomy_excess(const int64_t *count, uint32_t n, int64_t l);

#endif
