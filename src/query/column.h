/* The columns of a release as queries see them: which values each distinct published cell may stand for.
 *
 * A column's values are numbers (integers, decimals, dates), or items: the leaves of its hierarchy, the elements of its
 * sets, or simply its different texts.  A cell is a set of those: a range of numbers, a run or a list of items, the
 * missing value, or anything. */
#ifndef COVEY_QUERY_COLUMN_H
#define COVEY_QUERY_COLUMN_H

#include "query/label_rule.h"
#include "reader/opened.h"

#define COVEY_NO_LOW (-INT64_MAX)
#define COVEY_NO_HIGH INT64_MAX

typedef struct covey_query_item {
    const char *label;
    int64_t number; /* has_number: at the column's scale, or the place in the declared order */
    bool has_number;
    bool is_null; /* the missing value */
    bool is_open; /* stands for values that the release does not tell, like 123** */
    uint32_t n_runs;
    const covey_value_run *run; /* is_open: among which they are; n_runs 0: among all */
} covey_query_item;

typedef struct covey_query_cell {
    bool has_null;
    bool has_other; /* also items that the release does not name */
    bool has_range;
    int64_t low, high; /* has_range: numbers at the column's scale; COVEY_NO_LOW, COVEY_NO_HIGH: no end on this side */
    bool high_open;    /* high itself is not among them */
    uint32_t first, n_items;
    const uint32_t *item; /* [n_items]; NULL: first, first + 1, ... */
} covey_query_cell;

/* How many numbers a range that has both ends stands for; doubles of its ends would not tell where they are large. */
static inline double covey_i_query_range_size(const covey_query_cell *cell)
{
    return (double)((uint64_t)cell->high - (uint64_t)cell->low) + (cell->high_open ? 0 : 1);
}

typedef struct covey_query_column {
    const char *name;
    covey_role role;
    covey_type type;
    const covey_opened_column *opened;
    const covey_column *text;    /* as published: a code per line of its table */
    int scale;                   /* numbers: digits after the point */
    bool is_number;              /* values are compared as numbers */
    bool is_dense;               /* between two numbers there are others: decimals */
    bool has_order;              /* texts that are compared by their place in the declared order */
    bool order_is_cut;           /* suppressed rows may have values that it does not list: it lists published ones */
    bool is_open;                /* there may be values that the release does not name */
    bool may_be_missing;         /* in some row: in published ones, or for all that is said in suppressed ones */
    const covey_hierarchy *tree; /* whose leaves the items are; NULL: none */
    covey_hierarchy *own_tree;   /* it, if it is not the published one: a file's to which values were added;
                                    covey_i_query_column_clear */
    covey_label_rule rule;       /* what labels stand for where the tree does not tell */
    uint32_t n_items;
    covey_query_item *item; /* 0: numbers only */
    uint32_t n_cells;       /* >= text->n_values: behind the published ones those that only the prior has */
    covey_query_cell *cell; /* [n_cells] */
    int64_t *n_suppressed;  /* [n_cells] suppressed rows that have the value; NULL: not known */
} covey_query_column;

/* A single value of a column. */
typedef struct covey_query_value {
    bool is_null;
    uint32_t item;  /* columns with items */
    int64_t number; /* others */
} covey_query_value;

/* Understands a usable column.  Memory lives in the arena, but for what _clear frees, also after a failure.
 * has_empty: an empty text may be a value, not a missing one. */
covey_status covey_i_query_column_make(covey_query_column *out, const covey_opened_column *opened, bool has_empty,
                                       covey_arena *arena, covey_error *err);
void covey_i_query_column_clear(covey_query_column *column);

/**
 * Does a label that means a node stand for every value of the column?
 *
 * The root of a file's tree may be one node with the only child below it, whose label means what the file lists: values
 * that the data added stand beside that.
 */
bool covey_i_query_column_is_root(const covey_query_column *column, uint32_t node, const char *label);

/* Makes cells behind the published ones for values that only the prior has; cell: [prior->n] which is whose. */
covey_status covey_i_query_column_extend(uint32_t *cell, covey_query_column *column, const covey_stated_prior *prior,
                                         covey_arena *arena, covey_error *err);

/**
 * Fills n_suppressed: what was suppressed is the prior without what is published, where each line of the table is a
 * row.
 *
 * @return COVEY_EPARSE if the prior has less of a value than is published
 */
covey_status covey_i_query_column_subtract(covey_query_column *column, const covey_stated_prior *prior,
                                           covey_arena *arena, covey_error *err);

/* Does the cell stand for the missing value alone? */
static inline bool covey_i_query_cell_is_null(const covey_query_cell *cell)
{
    return cell->has_null && !cell->has_range && cell->n_items == 0 && !cell->has_other;
}

/* --- between column.c and column_prior.c --- */

/* Finds the places and numbers of the column's items, which have changed. */
covey_status covey_i_query_column_settle_items(covey_query_column *column, const covey_stated_column *stated,
                                               covey_arena *arena, covey_error *err);
bool covey_i_query_column_is_null_label(const covey_stated_column *stated, const char *label);

#endif
