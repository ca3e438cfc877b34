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

/* A row that is left when no l lists have one. */
typedef struct covey_anatomy_rest {
    uint32_t list;
    uint32_t skip;  /* groups without its value that it passes by */
    uint32_t seen;  /* the last group with its value, from 1 */
    uint32_t group; /* where it goes; UINT32_MAX: not known yet */
} covey_anatomy_rest;

/* Scratch for parts of one table, and where the groups go. */
typedef struct covey_anatomy {
    const covey_column *sensitive;
    uint32_t l;             /* different values of a group, at least; > 0 */
    uint32_t *group_of_row; /* [rows of the table] receives the groups of rows */
    uint32_t n_groups;      /* of all parts so far */
    uint32_t n_residues;    /* rows that joined a group later */

    uint64_t *word;  /* [rows] of a part: value << 32 | what the row is known by */
    uint32_t *place; /* [values] of a value among those of the part; UINT32_MAX outside of calls */

    /* Lists of rows, one per value; lists are numbered by value. */
    uint32_t n_lists;
    uint64_t *list;     /* [lists] value << 32 | length, to be sorted */
    uint64_t *room;     /* [lists] scratch */
    uint32_t *value;    /* [lists] */
    uint32_t *begin;    /* [lists + 1] first of each in row */
    uint32_t *length;   /* [lists] the rows that are left in it */
    uint64_t *row;      /* [rows] words, list by list; they leave from the end */
    uint32_t *order;    /* [lists] longest first */
    uint32_t *at_least; /* [rows + 2] how many lists have that length or more */

    /* The part's groups. */
    uint32_t n_made, n_rest;
    uint64_t *slot;           /* [rows] words, l of each group; NULL: members receives them */
    covey_anatomy_rest *rest; /* [l, or lists] by list; the row is the first of its list */

    covey_members *members; /* of a whole table, whose words have value * stride added to the content in their upper
                               half instead */
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

/* Lists the rows of a part by value, in their order: word[0 .. n-1], each as often as count says (NULL: once).  False,
 * and nothing is listed: some value has more than one in l. */
bool covey_i_anatomy_list(covey_anatomy *a, const uint32_t *count, uint32_t n);
/* The same groups of what is listed: in slot and rest. */
void covey_i_anatomy_group_listed(covey_anatomy *a, covey_rng *rng);

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
