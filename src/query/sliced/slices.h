/* Queries over the form "sliced": a tree of columns, joined bucket by bucket where they share attributes, and counting
 * along it.
 *
 * Two neighbours in the tree share some attributes (most often none). Rows of a bucket that agree on these are a group:
 * the pieces that both columns have for a group belong together in any order.  A column's cell is what is known of its
 * pieces' place: the lines of a bucket that belong to the same group for each neighbour.  See sliced.c. */
#ifndef COVEY_QUERY_SLICED_SLICES_H
#define COVEY_QUERY_SLICED_SLICES_H

#include "query/rows.h"
#include "reader/sliced/sliced.h"

#define COVEY_NO_EDGE UINT32_MAX

typedef struct covey_slice_edge {
    uint32_t slice[2];
    bool is_empty; /* nothing is shared: groups are buckets */
    uint32_t n_groups;
    uint32_t *size; /* [n_groups] rows */
} covey_slice_edge;

typedef struct covey_slice_node {
    const covey_opened_slice *opened;
    uint32_t n_edges, *edge; /* [n_edges] */
    uint32_t n_cells;
    uint32_t *cell_of_line;            /* [n_rows] */
    uint32_t *cell_size, *cell_bucket; /* [n_cells] */
    uint32_t **cell_group;             /* [n_edges][n_cells] */
} covey_slice_node;

typedef struct covey_query_slices {
    uint32_t n_slices;
    covey_slice_node *slice;
    covey_slice_edge *edge; /* [n_slices - 1] */
    bool is_common; /* all neighbours share the same attributes: then groups are independent of each other, and bounds
                       sharp */
    uint32_t n_rows, n_buckets;
    const uint32_t *bucket_start; /* [n_buckets + 1] */
    covey_query_numbers *numbers; /* [n_columns] of columns that can be added up, else n = 0 */
} covey_query_slices;

/* Makes the tree, of columns that do not overlap in a cycle: tree.c. */
covey_status covey_i_slices_tree(covey_query_slices *out, const covey_opened *opened, covey_arena *arena,
                                 covey_error *err);

/* --- what a condition tells of cells --- */

/* The cells of an attribute of a condition: those of one kind hold the same atoms in the same shares.  A value that is
 * published as it is has one atom; a generalized cell may have several. */
typedef struct covey_slice_kinds {
    uint32_t n;
    uint32_t *of_code;      /* [codes of the release's column] */
    covey_atom_list *atoms; /* [n] */
    uint64_t n_atoms;       /* of all kinds together */
} covey_slice_kinds;

/* --- which lines: lines.c --- */

/* Lines of each column that satisfy what a query asks of it: a generalized piece may, with some probability. */
typedef struct covey_slice_lines {
    uint8_t **passes; /* [n_slices][n_rows] 0 or 1: can it?  NULL: all do for sure */
    uint8_t **sure;   /* [n_slices][n_rows] 0 or 1: does it whatever its cells stand for?  NULL: all that can */
    double **share;   /* [n_slices][n_rows] how likely; NULL: passes */
} covey_slice_lines;

/* How a condition falls on columns. */
typedef enum covey_slice_fall {
    COVEY_FALLS_ALL = 0, /* rows satisfy it whose piece in every column does */
    COVEY_FALLS_ANY,     /* ... whose piece in some column does: lines are those that do not */
    COVEY_FALLS_MIXED    /* it links columns in another way */
} covey_slice_fall;

/* The parts of a condition that fall on one column each, joined by AND or by OR. */
enum { COVEY_SLICE_PARTS = 64 };
typedef struct covey_slice_parts {
    size_t n;
    const covey_condition_node *part[COVEY_SLICE_PARTS];
    uint32_t slice[COVEY_SLICE_PARTS];
} covey_slice_parts;

/* How a condition falls on columns whose cells are values, and its parts; MIXED: none. */
covey_slice_fall covey_i_slice_parts_find(covey_slice_parts *out, const covey_query_slices *slices,
                                          const covey_condition *condition);

/* No condition: all lines. */
covey_status covey_i_slice_lines_new(covey_slice_lines *out, const covey_query_slices *slices, covey_arena *arena,
                                     covey_error *err);

/* Finds how it falls, and the lines; MIXED: none.  Cells of an attribute that two columns are asked for must have one
 * atom each to fall. */
covey_status covey_i_slice_lines(covey_slice_fall *fall, covey_slice_lines *out, const covey_query_slices *slices,
                                 const covey_condition *condition, const covey_slice_kinds *kinds, covey_arena *arena,
                                 covey_error *err);

/* Lines whose cells are of these kinds: [n_attributes]. */
covey_status covey_i_slice_lines_of_kinds(covey_slice_lines *out, const covey_query_slices *slices,
                                          const covey_condition *condition, const covey_slice_kinds *kinds,
                                          const uint32_t *kind, covey_arena *arena, covey_error *err);

/* Keeps only lines with a value of an attribute (in one column that has it) whose values are published as they are; 1.0
 * is kept beside 1.  column: the attribute's */
covey_status covey_i_slice_lines_keep(covey_slice_lines *lines, const covey_query_slices *slices, uint32_t attribute,
                                      const covey_opened_column *column, uint32_t code, covey_arena *arena,
                                      covey_error *err);

/* The last column that has both attributes; UINT32_MAX: none. */
uint32_t covey_i_slice_of_both(const covey_query_slices *slices, uint32_t attribute, uint32_t other);
/* The last that has what is added up, with its weight. */
uint32_t covey_i_slice_of_aggregate(const covey_query_slices *slices, const covey_bound_aggregate *aggregate);

/* Do its cells hold several values (column-k)? */
static inline bool covey_i_slice_is_generalized(const covey_query_column *column)
{
    return column->opened->stated->publish != COVEY_PUBLISH_VALUE;
}

/* --- how many: count.c --- */

/* Of the lines of a cell that pass, so many belong to rows whose pieces pass in all columns.  There may be half as many
 * cells as rows. */
typedef struct covey_slice_cell {
    uint32_t n, n_sure; /* lines that can pass, that do for sure */
    uint32_t lower, upper;
    double weight, squares; /* sum of how likely they pass, and of its squares */
    double rest;            /* how likely a row's pieces pass in all other columns */
    double expected, pairs; /* E[K], E[K(K - 1)]; pairs only where the tree is_common */
} covey_slice_cell;

/* Counts at the cells of one column; *cell receives [n_cells]. */
covey_status covey_i_slice_cells(covey_slice_cell **cell, const covey_query_slices *slices,
                                 const covey_slice_lines *lines, uint32_t root, covey_arena *arena, covey_error *err);

/* Bounds of each bucket, from its cells and, unless the tree is_common, from the numbers of passing lines in all
 * columns: lower, upper [n_buckets]. */
covey_status covey_i_slice_buckets(int64_t *lower, int64_t *upper, const covey_query_slices *slices,
                                   const covey_slice_lines *lines, uint32_t root, const covey_slice_cell *cell,
                                   covey_arena *arena, covey_error *err);

/* --- values of selected lines: values.c --- */

/* SUM, AVG, MIN, MAX of what stands in slice root: in each cell between lower and upper of the passing lines
 * are selected, and beside them (any: the lines are those that do not pass) all others; n_sure of them surely, whose
 * value is known.  Suppressed rows are not looked at. */
covey_status covey_i_slice_values(covey_query_figures *out, int64_t *n_sure, const covey_bound_aggregate *aggregate,
                                  const covey_query_slices *slices, const covey_slice_lines *lines,
                                  covey_slice_fall fall, uint32_t root, const covey_slice_cell *cell,
                                  covey_arena *arena, covey_error *err);

#endif
