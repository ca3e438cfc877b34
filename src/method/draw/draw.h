/* Classes drawn from buckets: sensitive values are put into buckets, every class gets its share of the rows of each
 * bucket, and those rows lie near each other on the Hilbert curve.  BUREL and SABRE differ in the buckets, and in when
 * a class may get so many rows of each.
 *
 *   draw.c       from buckets to a release
 *   tree.c       ECTree: how many rows of each bucket a class gets
 *   curve.c      the rows in the order of the Hilbert curve
 *   sweep.c      which rows those are: by a sweep along the curve
 *   retrieve.c   the same as published: around random rows
 *   along.c      which rows are nearest to one along the curve
 *   nearest.c    which are in space
 *   split.c      post-split: classes are halved as long as the rows they really got allow
 *
 * Source: [CaoKarras12] section 4, [Cao11]; decisions and departures in docs/design/burel.md and sabre.md. */
#ifndef COVEY_METHOD_DRAW_DRAW_H
#define COVEY_METHOD_DRAW_DRAW_H

#include "base/exact/fraction.h"
#include "method/method_impl.h"
#include "method/rows/row_runs.h"

/* Sensitive values in runs of a list: value[first[j]] .. value[first[j + 1] - 1] share bucket j.  The list is in the
 * order that the method cuts, e.g. rarest first. */
typedef struct covey_draw_buckets {
    size_t n;
    uint32_t *first;     /* [n + 1] into value */
    uint32_t *value;     /* the attribute's codes that occur */
    uint32_t *bucket_of; /* [values of the attribute] */
    uint32_t *size;      /* [n] rows */
} covey_draw_buckets;

/* May a class of `size` > 0 rows have rows[0 .. n_buckets-1] of each bucket, whichever of the bucket's values they
 * bear? */
typedef bool (*covey_draw_fits)(void *context, const uint32_t *rows, int64_t size);

/* A class, or the rows of several classes before they are divided. */
typedef struct covey_draw_node {
    uint32_t *rows; /* [n_buckets] */
    uint32_t total;
    uint32_t left, right; /* nodes; 0: it is a class */
    uint32_t n_leaves;
} covey_draw_node;

/* Equal nodes are one node: at one depth no bucket's rows take more than two values, so there are few. */
typedef struct covey_draw_tree {
    size_t n_buckets, n_nodes, capacity;
    covey_draw_node *node; /* [n_nodes] the root is node 0 */
    uint32_t *slots;       /* [n_slots] open addressing from rows to nodes, UINT32_MAX: free */
    size_t n_slots;
    covey_arena arena;
} covey_draw_tree;

/* Divides size[0 .. n_buckets-1] in halves, again and again, while both halves fit and have min_size rows. */
covey_status covey_i_draw_tree_new(covey_draw_tree *tree, const uint32_t *size, size_t n_buckets, int64_t min_size,
                                   covey_draw_fits fits, void *context, covey_error *err);
void covey_i_draw_tree_clear(covey_draw_tree *tree);
/* leaf: [node[0].n_leaves] receives the classes from left to right. */
void covey_i_draw_leaves(uint32_t *leaf, const covey_draw_tree *tree);

/* The rows that take part, as covey_i_start gives them, in runs of equal quasi-identifiers and sensitive value.  A
 * group of runs is a cell. */
typedef struct covey_draw_rows {
    uint32_t n;
    const uint32_t *row; /* [n] */
    covey_row_runs runs;
    uint32_t *value; /* [runs.n] the sensitive value of a run */
    size_t stride;   /* codes of a cell, one for each axis and then none: COVEY_DRAW_CODES or a multiple of it */
    uint32_t *code;  /* [runs.n_groups][stride]; NULL: not known */
} covey_draw_rows;

enum { COVEY_DRAW_CODES = 4 };

covey_status covey_i_draw_rows_new(covey_draw_rows *out, const covey_problem *problem, const covey_column *sensitive,
                                   const covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run,
                                   covey_error *err);
/* The codes of the cells, which classes of runs are described with.  They come from the packed numbers, if there are
 * any: rows lie anywhere. */
covey_status covey_i_draw_rows_find_codes(covey_draw_rows *rows, const covey_problem *problem,
                                          const covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run,
                                          covey_error *err);

/* The cells in the order of the Hilbert curve. */
typedef struct covey_draw_curve {
    const covey_draw_rows *rows;
    uint32_t n_cells;
    uint32_t *cell;  /* [n_cells] groups of runs */
    covey_u128 *key; /* [n_cells] ascending; NULL: not wanted */
} covey_draw_curve;

covey_status covey_i_draw_curve_new(covey_draw_curve *curve, const covey_problem *problem, const covey_draw_rows *rows,
                                    bool with_keys, const covey_run *run, covey_error *err);
void covey_i_draw_curve_clear(covey_draw_curve *curve);
/* All rows along the curve, those of one cell in their canonical order.  row: [rows->n] receives them. */
void covey_i_draw_curve_rows(uint32_t *row, const covey_draw_curve *curve);
/* Places of an axis, at least 1, and that of a code.  Numbers count in units, so that gaps count too, and those outside
 * a domain that the policy gives as its ends; the missing value comes first; categories are in the order of their
 * leaves. */
uint64_t covey_i_draw_places(const covey_axis *axis);
uint64_t covey_i_draw_place(const covey_axis *axis, uint32_t code);
/* Bits per axis, and the place of each code of an axis on the grid of that many bits: every axis is stretched over the
 * whole grid, since losses are relative to the domain. */
int covey_i_draw_bits(const covey_problem *problem);
void covey_i_draw_coordinates(uint16_t *coordinate, const covey_axis *axis, int n_bits);

/* The runs of classes, or pieces of them. */
typedef struct covey_draw_classes {
    uint32_t n;
    covey_span *class;    /* [n] of span */
    covey_span *span;     /* of the rows */
    uint32_t *value;      /* of each span */
    uint32_t *low, *high; /* [n][n_axes] */
} covey_draw_classes;

/* Classes take their rows one after another along the curve; cells must have codes.  of_runs: an arena that holds what
 * is known of runs and nothing else, given back as soon as they are on their piles. */
covey_status covey_i_draw_sweep_runs(covey_draw_classes *classes, const covey_draw_curve *curve,
                                     const covey_draw_buckets *buckets, const covey_draw_tree *tree,
                                     const uint32_t *leaf, const covey_problem *problem, covey_arena *of_runs,
                                     const covey_run *run, covey_error *err);
/* Memory that this takes at most, piles included. */
size_t covey_i_draw_sweep_bytes(const covey_draw_rows *rows, const covey_draw_buckets *buckets,
                                const covey_draw_tree *tree);
void covey_i_draw_classes_clear(covey_draw_classes *classes); /* all zeros allowed */
/* The same row by row: gives every row its class, the number of its leaf. */
covey_status covey_i_draw_sweep(uint32_t *class_of_row, const covey_draw_curve *curve,
                                const covey_draw_buckets *buckets, const covey_draw_tree *tree, const uint32_t *leaf,
                                const covey_run *run, covey_error *err);

/* The rows bucket by bucket, along the curve in each. */
typedef struct covey_draw_piles {
    uint32_t *row;   /* [n] */
    uint32_t *cell;  /* [n] place on the curve */
    uint32_t *start; /* [n_buckets + 1] */
} covey_draw_piles;

covey_status covey_i_draw_piles_new(covey_draw_piles *piles, const covey_draw_curve *curve,
                                    const covey_draw_buckets *buckets, covey_arena *arena, covey_error *err);
/* Takes the n rows of bucket j that are nearest to a cell (its place on the curve) out of those that are left, which
 * are as many at least.  taken: [n] their places in the piles, the nearest first. */
typedef struct covey_draw_finder {
    void *state;
    void (*take)(uint32_t *taken, void *state, size_t j, uint32_t cell, uint32_t n);
} covey_draw_finder;

/* Along the curve: the fewest steps away, of two the one with the smaller key.  In the arena, as the next. */
covey_status covey_i_draw_along_new(covey_draw_finder *out, const covey_draw_piles *piles,
                                    const covey_draw_curve *curve, size_t n_buckets, covey_arena *arena,
                                    covey_error *err);
/* In space: by Euclidean distance, each axis relative to its domain, in whole 2^-30 of it (of more than eight axes:
 * fewer); of two cells the one that comes first along the curve. */
covey_status covey_i_draw_nearest_new(covey_draw_finder *out, const covey_problem *problem,
                                      const covey_draw_piles *piles, const covey_draw_curve *curve, size_t n_buckets,
                                      covey_arena *arena, covey_error *err);
/* The same as published: around random rows.  Source: [CaoKarras12] section 4.5. */
covey_status covey_i_draw_retrieve(uint32_t *class_of_row, const covey_draw_piles *piles,
                                   const covey_draw_finder *finder, const covey_draw_tree *tree, const uint32_t *leaf,
                                   const covey_run *run, covey_error *err);

/* Halves classes 0 .. *n_classes-1, each value's rows along the curve, while both halves keep every promise. */
covey_status covey_i_draw_split(uint32_t *class_of_row, uint32_t *n_classes, const covey_problem *problem,
                                const covey_draw_curve *curve, const covey_column *sensitive, int64_t min_size,
                                const covey_run *run, covey_error *err);

/* Which rows a class gets: the next along the curve, or those nearest to a random one along it, or in space. */
typedef enum covey_draw_way { COVEY_DRAW_SWEEP, COVEY_DRAW_ALONG, COVEY_DRAW_NEAREST } covey_draw_way;

/* How a method draws. */
typedef struct covey_draw_scheme {
    int view; /* whose values are put into buckets */
    covey_draw_way way;
    bool post_split;
    bool publishes_regions; /* squares of the curve's grid instead of the rows' own ranges */
    int64_t min_size;
    /* Puts the values of n > 0 rows into buckets, and says what fits; everything in the arena.  count: [values] rows of
     * each. */
    covey_status (*plan)(covey_draw_buckets *buckets, covey_draw_fits *fits, void **context,
                         const covey_problem *problem, const void *params, const int64_t *count, uint32_t n,
                         covey_arena *arena, covey_error *err);
} covey_draw_scheme;

/* A whole method of that kind: starts (covey_i_start), draws, makes the release. */
covey_status covey_i_draw_into_release(covey_release **out, const covey_problem *problem,
                                       const covey_draw_scheme *scheme, const void *params, const covey_run *run,
                                       covey_error *err);

/* Parameters that these methods share.  retrieve_choices, retrieve_help: the ways that the method takes, in the order
 * of covey_draw_way. */
#define COVEY_DRAW_PARAMS(params_type, retrieve_choices, retrieve_help)                                                \
    {.name = "retrieve",                                                                                               \
     .type = COVEY_PARAM_CHOICE,                                                                                       \
     .offset = offsetof(params_type, retrieve),                                                                        \
     .fallback = "sweep",                                                                                              \
     .choices = retrieve_choices,                                                                                      \
     .help = retrieve_help},                                                                                           \
        {.name = "slack",                                                                                              \
         .type = COVEY_PARAM_RATIO,                                                                                    \
         .offset = offsetof(params_type, slack),                                                                       \
         .fallback = "0",                                                                                              \
         .minimum = "0",                                                                                               \
         .maximum = "0.99",                                                                                            \
         .help = "share of each bound that buckets leave free: more buckets, but smaller classes"},                    \
    {                                                                                                                  \
        .name = "post-split", .type = COVEY_PARAM_BOOL, .offset = offsetof(params_type, post_split),                   \
        .fallback = "false", .help = "halve finished classes as long as the rows they really got allow"                \
    }

#endif
