/* Queries over the form "sliced": a tree of columns, joined bucket by bucket where they share attributes, and counting along it.
 *
 * Two neighbours in the tree share some attributes (most often none). Rows of a bucket that agree on these are a group: the pieces that both columns
 * have for a group belong together in any order.  A column's cell is what is known of its pieces' place: the lines of a bucket that belong
 * to the same group for each neighbour.  See query_sliced.c. */
#ifndef COVEY_QUERY_SLICES_H
#define COVEY_QUERY_SLICES_H

#include "audit/slices.h"
#include "query/query_rows.h"

#define COVEY_NO_EDGE UINT32_MAX

typedef struct covey_slice_edge {
    uint32_t slice[2];
    bool is_empty;                /* nothing is shared: groups are buckets */
    uint32_t n_groups;
    uint32_t *size;               /* [n_groups] rows */
} covey_slice_edge;

typedef struct covey_slice_node {
    const covey_opened_slice *opened;
    uint32_t n_edges, *edge;      /* [n_edges] */
    uint32_t n_cells;
    uint32_t *cell_of_line;       /* [n_rows] */
    uint32_t *cell_size, *cell_bucket; /* [n_cells] */
    uint32_t **cell_group;        /* [n_edges][n_cells] */
} covey_slice_node;

typedef struct covey_query_slices {
    uint32_t n_slices; covey_slice_node *slice;
    covey_slice_edge *edge;       /* [n_slices - 1] */
    bool is_common;               /* all neighbours share the same attributes: then groups are independent of each other, and bounds sharp */
    uint32_t n_rows, n_buckets;
    const uint32_t *bucket_start; /* [n_buckets + 1] */
    covey_query_numbers *numbers; /* [n_columns] of columns that can be added up, else n = 0 */
} covey_query_slices;

/* Makes the tree, of columns that do not overlap in a cycle: slice_tree.c. */
covey_status covey_i_slices_tree(covey_query_slices *out, const covey_opened *opened, covey_arena *arena, covey_error *err);

/* --- which lines: slice_lines.c --- */

/* Lines of each column that satisfy what a query asks of it. */
typedef struct covey_slice_lines {
    uint8_t **passes;             /* [n_slices][n_rows] 0 or 1; NULL: all do */
} covey_slice_lines;

/* How a condition falls on columns. */
typedef enum covey_slice_fall {
    COVEY_FALLS_ALL = 0,          /* rows satisfy it whose piece in every column does */
    COVEY_FALLS_ANY,              /* ... whose piece in some column does: lines are those that do not */
    COVEY_FALLS_MIXED             /* it links columns in another way */
} covey_slice_fall;

/* Finds how it falls, and the lines; MIXED: none. */
covey_status covey_i_slice_lines(covey_slice_fall *fall, covey_slice_lines *out, const covey_query_slices *slices, const covey_condition *condition,
                                 covey_arena *arena, covey_error *err);

/* Lines whose attributes have these atoms: [n_attributes]. */
covey_status covey_i_slice_lines_of_atoms(covey_slice_lines *out, const covey_query_slices *slices, const covey_condition *condition,
                                          const uint32_t *atom, covey_arena *arena, covey_error *err);

/* Keeps only lines with a value of an attribute (in one column that has it). */
covey_status covey_i_slice_lines_keep(covey_slice_lines *lines, const covey_query_slices *slices, uint32_t attribute, uint32_t code,
                                      covey_arena *arena, covey_error *err);

/* Which column has the attribute? The last of them. */
uint32_t covey_i_slice_of(const covey_query_slices *slices, uint32_t attribute);

/* --- how many: slice_count.c --- */

/* Of the lines of a cell that pass, so many belong to rows whose pieces pass in all columns. */
typedef struct covey_slice_cell {
    int64_t n;                    /* lines that pass */
    int64_t lower, upper;
    double expected, pairs;       /* E[K], E[K(K - 1)]; pairs only where the tree is_common */
} covey_slice_cell;

/* Counts at the cells of one column; cell: [n_cells]. */
covey_status covey_i_slice_cells(covey_slice_cell **cell, const covey_query_slices *slices, const covey_slice_lines *lines, uint32_t root,
                                 covey_arena *arena, covey_error *err);

/* Bounds of each bucket, from its cells and from the numbers of passing lines in all columns: lower, upper [n_buckets]. */
covey_status covey_i_slice_buckets(int64_t *lower, int64_t *upper, const covey_query_slices *slices, const covey_slice_lines *lines, uint32_t root,
                                   const covey_slice_cell *cell, covey_arena *arena, covey_error *err);

/* --- values of selected lines: slice_values.c --- */

/* SUM, AVG, MIN, MAX of a column that stands in slice root: in each cell between lower and upper of the passing lines are selected, and beside them
 * (any: the lines are those that do not pass) all others. */
covey_status covey_i_slice_values(covey_query_figures *out, const covey_bound_aggregate *aggregate, const covey_query_slices *slices,
                                  const covey_slice_lines *lines, covey_slice_fall fall, uint32_t root, const covey_slice_cell *cell,
                                  int64_t n_suppressed, covey_arena *arena, covey_error *err);

#endif
