/* Optimal hierarchical partitioning: what its parts share.
 *
 *   partition.c the method: parameters, the release
 *   suppress.c  searches with suppression and without
 *   search.c    one table, one search: edge cases, the greedy start, the search that was asked for
 *   grid.c      the table as a grid: rows of one cell are one item with a weight
 *   cost.c      what a class costs, whether it may be published, and bounds
 *   published.c the cost of what is really published
 *   block.c     blocks: sets of items, their tight boxes, the cuts through them
 *   size.c      the same where the number of rows says all
 *   count.c     how many classes there can be at most, there; with parts.c and refuted.c, see count.h
 *   apply.c     partitionings as trees of cuts, applied to the rows
 *   cache.c     what is known of blocks, shared by all threads
 *   watch.c     what a search has found so far, and whether it goes on
 *   greedy.c    Mondrian on the same splits: where every search starts
 *   solve.c     depth-first branch and bound on blocks
 *   beam.c      good partitionings fast: beam and neighbourhood search
 *   and_or.c    the search that puts these together, with threads and limits
 *   dynamic.c   exact programme over all boxes of two or three dimensions
 *   pet.c       duplicate-free enumeration of partitionings with a priority queue
 *   queue.c     that queue
 *
 * A cost is an integer number of units, so that sums do not depend on their order; real costs are rounded down to
 * 2^-scale. Source: [Hore07]; docs/design/optimal-partition.md, which proves what is ours. */
#ifndef COVEY_METHOD_OPTIMAL_OPTIMAL_H
#define COVEY_METHOD_OPTIMAL_OPTIMAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "method/method_impl.h"
#include "method/splits/splits.h"

typedef int64_t covey_optimal_units;
#define COVEY_OPT_INFINITE (INT64_MAX / 8) /* "no partitioning": sums of a few still fit */

typedef enum covey_optimal_cost {
    COVEY_OPT_DISCERNIBILITY,
    COVEY_OPT_CLASSES,
    COVEY_OPT_NCP,
    COVEY_OPT_NCP_BOX,
    COVEY_OPT_KL,
    COVEY_OPT_CLASS_ERROR,
    COVEY_OPT_CLASS_ENTROPY
} covey_optimal_cost;
extern const char *const covey_i_optimal_cost_names[]; /* NULL-terminated */

typedef enum covey_optimal_search {
    COVEY_OPT_AUTO,
    COVEY_OPT_DYNAMIC,
    COVEY_OPT_AND_OR,
    COVEY_OPT_PET
} covey_optimal_search;
typedef enum covey_optimal_priority {
    COVEY_OPT_BY_BOUND,
    COVEY_OPT_BY_COST,
    COVEY_OPT_BY_RATIO
} covey_optimal_priority;
typedef enum covey_optimal_stop {
    COVEY_OPT_PROVEN, /* the optimum */
    COVEY_OPT_CLOSE,  /* within the approximation */
    COVEY_OPT_TIME_LIMIT,
    COVEY_OPT_MEMORY_LIMIT,
    COVEY_OPT_NODE_LIMIT,
    COVEY_OPT_ASKED /* the caller had enough */
} covey_optimal_stop;
extern const char *const covey_i_optimal_stop_words[];

/* What is wished for; zero, with approximation 1, is the default. */
typedef struct covey_optimal_options {
    covey_optimal_cost cost;
    covey_optimal_search search;
    covey_optimal_priority priority;
    covey_ratio approximation;          /* >= 1 */
    double time_limit;                  /* seconds, < 0: none */
    size_t memory_limit;                /* bytes, 0: none */
    int64_t node_limit;                 /* blocks or partitionings looked at, 0: none; then one thread does it all */
    bool suppress;                      /* classes that keep no promise may be left out */
    covey_optimal_units suppress_extra; /* units on top of the cost of a suppressed row */
    const char *label;                  /* CLASS_*: name of the label attribute, NULL: the sensitive one */
    bool judges_regions; /* promises on ranges are about the boxes, whose codes are published, not about their rows */
    const covey_shown_codes *shown; /* judges_regions: codes of the rows in the grid; NULL: all */
} covey_optimal_options;

/* One axis of the grid. */
typedef struct covey_optimal_axis {
    const covey_axis *axis;
    const covey_axis_splits *splits;
    uint32_t n_cells;  /* splits + 1 */
    uint32_t first;    /* its first cell among those of all axes */
    uint32_t *cell_of; /* [n_values] */
    double *edge;      /* [n_cells + 1] position, 0 .. 1 of the domain */
    uint32_t
        *reach; /* [n_cells + 1] the first edge that is the minimum length above, n_cells + 1: none; NULL: no wish */
    bool is_geometric; /* blocks know their edges on it, not only their rows */
    double weight;     /* 1 on average */
} covey_optimal_axis;

/* The table as a grid.  Items are sorted by the first of their rows in content order. */
typedef struct covey_optimal_grid {
    const covey_problem *problem;
    const covey_optimal_options *options;
    covey_arena *arena;
    size_t d;
    covey_optimal_axis *axis;
    uint32_t n_cells; /* of all axes together */
    uint32_t stride;  /* 16-bit lanes per box: 2 d rounded up to 8 */
    uint32_t n_items, n_rows;
    int16_t *lane;         /* [n_items][stride] cell, then minus cell, per axis: the largest of both is the tight box */
    uint32_t *weight;      /* [n_items] rows */
    uint32_t *low, *high;  /* [n_items][d] codes */
    size_t n_views;        /* those of the promises, then the label's if there is one */
    uint32_t **view_start; /* [n_views][n_items + 1] */
    uint32_t **view_value, **view_count;
    uint32_t *item_of_row; /* [problem->n_rows], UINT32_MAX: not in the grid */
    /* promises */
    int64_t k;           /* rows that any class needs */
    int64_t least_cut;   /* blocks of fewer rows need not be cut */
    bool size_only;      /* a class is admitted if and only if it has k rows */
    bool by_size;        /* a class is admitted if it has k rows and its cost follows from them: sizes say all */
    bool fails_for_good; /* a set that fails may not be cut into classes (all promises are closed under union) */
    bool has_edges, tries_empty; /* blocks know their edges; empty boxes matter */
    /* costs */
    int scale;                      /* a unit is 2^-scale */
    covey_optimal_units suppressed; /* cost of a suppressed row */
    covey_optimal_units *floor;     /* [n_rows + 1] DISCERNIBILITY, CLASSES: least cost of so many rows */
    uint32_t *heavy;                /* [n_items] rows of an item that has k or more, else 0 */
    covey_optimal_units *
        heavy_sum; /* [n_items] their square; or where is_additive: least cost of the item's rows in any partitioning */
    bool is_additive; /* bounds are sums of heavy_sum[] */
    uint32_t n_labels;
    uint32_t key_words;  /* 64-bit words of a block's key */
    uint32_t *key_shift; /* [d] bits per number */
} covey_optimal_grid;

/* A set of items: all those inside a box. */
typedef struct covey_optimal_block {
    uint32_t *item;
    uint32_t n_items;         /* ascending */
    int64_t n;                /* rows */
    int16_t *tight;           /* [stride] largest cell, largest minus cell, per axis */
    uint16_t *low, *high;     /* [d] edges; NULL if no axis is geometric */
    int64_t heavy, heavy_sum; /* sums over the items */
    int32_t *count; /* [n_cells] rows in each cell of each axis; NULL: not counted, as always unless by_size */
    covey_optimal_units ahead; /* if counted: a bound that looks one cut ahead; below 3 k rows it is the optimum */
} covey_optimal_block;

#define COVEY_OPT_LOW(block, g, a) ((uint32_t) - (block)->tight[(g)->d + (a)])
#define COVEY_OPT_HIGH(block, g, a) ((uint32_t)(block)->tight[a])

/* A cut through a block: cells up to `cell` of the axis go left. */
typedef struct covey_optimal_cut {
    uint32_t axis, cell;
    int64_t n_left;
    covey_optimal_units left, right; /* bounds of both sides */
    covey_optimal_units left_upper,
        right_upper;          /* costs of partitionings of theirs that are known, else COVEY_OPT_INFINITE */
    covey_optimal_units rank; /* cuts are tried in this order; the sum of both bounds unless a search knows better */
} covey_optimal_cut;

enum { COVEY_OPT_LEAF = UINT32_MAX, COVEY_OPT_MOST_KEY_WORDS = 256 };

/* A partitioning as cuts in pre-order: axis << 16 | cell, or COVEY_OPT_LEAF. */
typedef struct covey_optimal_tree {
    uint32_t *node;
    size_t n, capacity;
} covey_optimal_tree;

/* ---- apply.c ---- */

covey_status covey_i_optimal_tree_add(covey_optimal_tree *tree, uint32_t node, covey_error *err);
covey_status covey_i_optimal_tree_copy(covey_optimal_tree *into, const covey_optimal_tree *from, covey_error *err);
void covey_i_optimal_tree_clear(covey_optimal_tree *tree);

/* What is found so far; times in seconds since the start. */
typedef struct covey_optimal_result {
    covey_optimal_tree tree;
    covey_optimal_units best, bound;
    covey_optimal_stop stop;
    covey_optimal_search search; /* the one that ran */
} covey_optimal_result;

/* ---- grid.c ---- */

/* A view of the label attribute, for costs on classes' labels; NULL column: none. */
covey_status covey_i_optimal_grid_new(covey_optimal_grid *g, const covey_problem *problem,
                                      const covey_axis_splits *splits, const covey_fraction *min_length,
                                      const uint32_t *rows, uint32_t n_rows, const covey_optimal_options *options,
                                      covey_arena *arena, covey_error *err);

/* ---- cost.c ---- */

covey_status covey_i_optimal_cost_init(covey_optimal_grid *g, covey_error *err);
double covey_i_optimal_value(const covey_optimal_grid *g, covey_optimal_units cost); /* units as the cost itself */
/* DISCERNIBILITY, CLASSES: the cost of a class of n rows. */
static inline covey_optimal_units covey_i_optimal_class_of(const covey_optimal_grid *g, int64_t n)
{
    return g->options->cost == COVEY_OPT_CLASSES ? -1 : n * n;
}
/* DISCERNIBILITY, CLASSES: the least cost of n rows in at most so many classes, n_classes > 0. */
covey_optimal_units covey_i_optimal_floor(const covey_optimal_grid *g, int64_t n, int64_t n_classes);
/* Least cost of n rows of which `heavy` stand in cells of k or more. */
covey_optimal_units covey_i_optimal_bound(const covey_optimal_grid *g, int64_t n, int64_t heavy, int64_t heavy_sum);

/* The codes between two edges of an axis, as far as rows of the grid have them where the options know that; rows stand
 * between them. */
void covey_i_optimal_region(uint32_t *low, uint32_t *high, const covey_optimal_grid *g, size_t a, uint32_t from,
                            uint32_t to);

/* n H for counts that add up to n. */
double covey_i_optimal_entropy(const int64_t *count, uint32_t n_values, int64_t n);

/* What a thread needs to judge blocks. */
typedef struct covey_optimal_judge {
    const covey_optimal_grid *g;
    covey_tally tally;
    int64_t *label; /* [n_labels] */
} covey_optimal_judge;

typedef enum covey_optimal_verdict {
    COVEY_OPT_ADMITTED,
    COVEY_OPT_FAILS,          /* parts may do better */
    COVEY_OPT_FAILS_TOGETHER, /* no partitioning into classes that are all admitted */
    COVEY_OPT_FAILS_WHOLLY    /* no part is ever admitted */
} covey_optimal_verdict;

covey_status covey_i_optimal_judge_new(covey_optimal_judge *judge, const covey_optimal_grid *g, covey_arena *arena,
                                       covey_error *err);
/* The cost of a block as one class or as suppressed rows; COVEY_OPT_INFINITE if it can be neither.  n > 0. */
covey_optimal_units covey_i_optimal_leaf(covey_optimal_judge *judge, const covey_optimal_block *block,
                                         covey_optimal_verdict *verdict);

/* The last of n columns that costs on labels can be about: the one that is wished, or the sensitive ones; NULL: none.
 */
const covey_column *covey_i_optimal_label(size_t *n, const covey_problem *problem, const char *wish);

/* ---- published.c ---- */

/**
 * The cost of a release, where it follows from what is published.
 *
 * @param value    in: what the search found; out: the cost, a sum that is not negated; NaN: it is not known
 * @param is_same  out: suppressed rows cost what the search thought; else its bound says nothing
 * @param n_found  classes of the search, of which some may have become one
 */
covey_status covey_i_optimal_published_cost(double *value, bool *is_same, const covey_release *release,
                                            const covey_problem *problem, const covey_optimal_options *options,
                                            uint32_t n_found, covey_error *err);

/* ---- block.c ---- */

/* What blocks of such a size cost in the end, as a multiple of their bound: learned from those that are solved. */
enum { COVEY_OPT_FINE_KINDS = 32 * 8, COVEY_OPT_SIZE_KINDS = COVEY_OPT_FINE_KINDS + 32 };
typedef struct covey_optimal_guess {
    double mean[COVEY_OPT_SIZE_KINDS];
    uint32_t n[COVEY_OPT_SIZE_KINDS];
} covey_optimal_guess;

/* One thread's scratch. */
typedef struct covey_optimal_worker {
    const covey_optimal_grid *g;
    covey_arena arena;
    covey_optimal_judge judge;
    int64_t *slab_n, *slab_heavy, *slab_sum; /* [n_cells] */
    int16_t *slab_lane, *slab_after;         /* [n_cells][stride] */
    uint32_t *first;                         /* [d] first cell of each axis */
    uint32_t *open;                          /* [2 d] axes to count on, their first cells */
    uint64_t *key;                           /* [2 * key_words] */
    struct covey_optimal_hunt *hunt;
    covey_optimal_guess guess;
    struct covey_optimal_counter *counter;   /* NULL: nothing to be had from numbers of classes */
    const struct covey_optimal_block *whole; /* what the search is about */
    int64_t next_offer;                      /* nodes before the next improvement is offered */
    int64_t n_nodes, node_end;               /* node_end > 0: stop there */
    uint32_t depth;
    bool ran_out;  /* stopped at node_end */
    bool stopped;  /* results since then mean nothing */
    bool is_full;  /* out of memory */
    bool is_first; /* the thread that talks to the caller */
} covey_optimal_worker;

covey_status covey_i_optimal_worker_new(covey_optimal_worker *w, const covey_optimal_grid *g, covey_error *err);
void covey_i_optimal_worker_clear(covey_optimal_worker *w);
/* The whole grid. */
covey_status covey_i_optimal_root(covey_optimal_block *block, covey_optimal_worker *w, covey_error *err);
/* An empty block with room in `item` (NULL: no memory), in w->arena; its edges, if it has any, are the caller's to set.
 */
bool covey_i_optimal_block_new(covey_optimal_block *block, covey_optimal_worker *w, uint32_t *item);
void covey_i_optimal_block_add(covey_optimal_block *block, const covey_optimal_grid *g, uint32_t item);
/* Both sides of a cut, in w->arena; false: no memory. */
bool covey_i_optimal_divide(covey_optimal_block *left, covey_optimal_block *right, covey_optimal_worker *w,
                            const covey_optimal_block *block, uint32_t axis, uint32_t cell);
void covey_i_optimal_key(uint64_t *key, const covey_optimal_grid *g, const int16_t *tight, const uint16_t *low,
                         const uint16_t *high);
covey_optimal_units covey_i_optimal_block_bound(const covey_optimal_grid *g, const covey_optimal_block *block);
/* All cuts worth trying, with bounds of both sides (cached ones too if there is a hunt); in w->arena.  NULL: no memory.
 */
covey_optimal_cut *covey_i_optimal_cuts(uint32_t *n, covey_optimal_worker *w, const covey_optimal_block *block);
/* Only those whose bounds add up to less than a limit; *least falls to the least sum of the others, if that is less. */
covey_optimal_cut *covey_i_optimal_cuts_below(uint32_t *n, covey_optimal_units *least, covey_optimal_worker *w,
                                              const covey_optimal_block *block, covey_optimal_units limit);
/* By bound, then by balance, then by split. */
void covey_i_optimal_sort_cuts(covey_optimal_cut *cut, uint32_t n, int64_t rows);

/* ---- size.c ---- */

/* May a block be cut where so many rows go left, `rows` of them from the cell before the cut?  Siblings apart: the
 * caller asks for those. */
static inline bool covey_i_optimal_is_possible(const covey_optimal_grid *g, const covey_optimal_block *block,
                                               uint32_t axis, int64_t n_left, int32_t rows)
{
    return n_left >= g->k && block->n - n_left >= g->k && (rows > 0 || g->axis[axis].splits->siblings);
}

/* Where sizes say all: counts a block's rows, unless that is done; false: no memory. */
bool covey_i_optimal_count_block(covey_optimal_block *block, covey_optimal_worker *w);
/* Both sides of a cut of a counted block, counted; boxes follow from the counts. */
bool covey_i_optimal_divide_counted(covey_optimal_block *left, covey_optimal_block *right, covey_optimal_worker *w,
                                    const covey_optimal_block *block, const covey_optimal_cut *cut);
/* The cut of a block of fewer than 3 k rows, where sizes say all; false if it is best not cut. */
bool covey_i_optimal_best_pair(covey_optimal_cut *best, covey_optimal_worker *w, const covey_optimal_block *block);
/* The cuts of a counted block with bounds from sizes alone. */
covey_optimal_cut *covey_i_optimal_cuts_by_size(uint32_t *n, covey_optimal_units *least, covey_optimal_worker *w,
                                                const covey_optimal_block *block, covey_optimal_units limit);

/* ---- count.c ---- */

typedef enum covey_optimal_answer {
    COVEY_OPT_NO,
    COVEY_OPT_YES,
    COVEY_OPT_OPEN /* w->stopped, or a recursion that would be too deep */
} covey_optimal_answer;

/* What was found out about numbers of classes; one thread's. */
typedef struct covey_optimal_counter covey_optimal_counter;
covey_status covey_i_optimal_counter_new(covey_optimal_counter **out, const covey_optimal_grid *g, size_t most_bytes,
                                         covey_error *err);
void covey_i_optimal_counter_free(covey_optimal_counter *c);
/* Where sizes say all: can a block be cut into so many classes, n_classes > 0, or more? */
covey_optimal_answer covey_i_optimal_can_have(covey_optimal_counter *c, covey_optimal_worker *w,
                                              const covey_optimal_block *block, int64_t n_classes);
/* Asks for ever fewer classes, with so many nodes for each number, until there are as many: the cache learns of both
 * the bound and the partitioning. */
void covey_i_optimal_count_down(covey_optimal_worker *w, const covey_optimal_block *block, int64_t nodes);

/* ---- apply.c again: it needs a worker ---- */

/* What a tree comes to. */
typedef struct covey_optimal_applied {
    covey_optimal_units cost;
    uint32_t n_classes;
    int64_t n_suppressed;
} covey_optimal_applied;

/* Applies a tree to the rows.  class_of_row: [problem->n_rows], NULL: not wanted; suppressed rows get
 * COVEY_CLASS_SUPPRESSED.  regions: of the classes (covey_i_malloc, the caller's also if this fails), NULL: not wanted.
 */
covey_status covey_i_optimal_apply(covey_optimal_applied *out, uint32_t *class_of_row, covey_regions *regions,
                                   covey_optimal_worker *w, const covey_optimal_tree *tree, covey_error *err);

/* ---- cache.c ---- */

typedef struct covey_optimal_known {
    covey_optimal_units lower, upper; /* of the cost of the block's best partitioning; equal: solved */
    uint32_t cut;                     /* of what attains upper: axis << 16 | cell, or COVEY_OPT_LEAF */
    uint32_t n;                       /* rows */
    uint16_t level;                   /* of the beam that has been over it */
    uint16_t n_failures;              /* searches that ended with a bound */
} covey_optimal_known;

typedef struct covey_optimal_cache covey_optimal_cache;
covey_status covey_i_optimal_cache_new(covey_optimal_cache **out, uint32_t key_words, size_t most_bytes,
                                       covey_error *err);
void covey_i_optimal_cache_free(covey_optimal_cache *cache);
bool covey_i_optimal_cache_get(covey_optimal_known *out, covey_optimal_cache *cache, const uint64_t *key);
/* Bounds only get tighter. */
void covey_i_optimal_cache_put(covey_optimal_cache *cache, const uint64_t *key, const covey_optimal_known *known);
/* Were so many entries lost in the full table that a search does the same again and again? */
bool covey_i_optimal_cache_is_spent(const covey_optimal_cache *cache);
/* What is known of a block, by its key, in the cache of the worker's hunt. */
void covey_i_optimal_remember(covey_optimal_worker *w, const covey_optimal_block *block, covey_optimal_known known);
bool covey_i_optimal_recall(covey_optimal_known *known, covey_optimal_worker *w, const covey_optimal_block *block);

/* ---- watch.c: best, bound, limits; shared by the threads of a search ---- */

typedef struct covey_optimal_hunt {
    const covey_optimal_grid *g;
    const covey_run *run;
    covey_optimal_cache *cache; /* NULL: PET */
    covey_optimal_result *result;
    double start;
    pthread_mutex_t lock; /* guards result */
    _Atomic(covey_optimal_units) best, bound;
    _Atomic int stop; /* 0: go on, else 1 + covey_optimal_stop */
    _Atomic int64_t n_nodes;
    _Atomic(covey_optimal_units) optimum; /* its cost, as soon as it is known; COVEY_OPT_INFINITE before */
    double last_report;
    bool has_warned; /* that it takes long */
    bool cancelled;  /* the caller wants nothing at all */
} covey_optimal_hunt;

void covey_i_optimal_hunt_init(covey_optimal_hunt *hunt, const covey_optimal_grid *g, covey_optimal_result *result,
                               const covey_run *run, double start);
void covey_i_optimal_hunt_clear(covey_optimal_hunt *hunt);
/* A partitioning that costs less than the best; copied. */
covey_status covey_i_optimal_offer(covey_optimal_hunt *hunt, const covey_optimal_tree *tree, covey_optimal_units cost,
                                   covey_error *err);
void covey_i_optimal_raise(covey_optimal_hunt *hunt, covey_optimal_units bound);
void covey_i_optimal_stop(covey_optimal_hunt *hunt, covey_optimal_stop why);
/* Is the search over for any reason?  The first worker also asks the caller and the clock. */
bool covey_i_optimal_is_over(covey_optimal_hunt *hunt, bool is_first);
/* Counts a block; false if the search is over. */
bool covey_i_optimal_goes_on(covey_optimal_worker *w);
/* Gives a part of a search so many nodes; what it returns is for covey_i_optimal_take_back, after which the whole goes
 * on unless it is over itself. */
int64_t covey_i_optimal_give_nodes(covey_optimal_worker *w, int64_t nodes);
void covey_i_optimal_take_back(covey_optimal_worker *w, int64_t end);
/* approximation * bound >= best? */
bool covey_i_optimal_is_close(const covey_optimal_grid *g, covey_optimal_units bound, covey_optimal_units best);

/* How hard a search for good partitionings tries. */
typedef struct covey_optimal_effort {
    uint16_t level;               /* efforts of higher levels go again over what those of lower ones have seen */
    int64_t small, nodes;         /* blocks of fewer rows are solved, if so many nodes do */
    int64_t counted, count_nodes; /* of blocks of fewer rows classes are counted, with so many nodes for each number */
    int64_t
        guessed; /* cuts of blocks of fewer rows are ranked by what their sides may cost in the end, others by bounds */
    int64_t narrow;  /* in larger blocks the beam follows one cut, */
    uint32_t width;  /* in the others so many */
    uint32_t others; /* cuts tried in each block of the best partitioning */
} covey_optimal_effort;

/* ---- searches ---- */

covey_status covey_i_optimal_greedy(covey_optimal_tree *tree, covey_optimal_units *cost, covey_optimal_worker *w,
                                    const covey_optimal_block *root, covey_error *err);
/* v < upper: the optimum; v >= upper: the optimum is at least v.  Means nothing if w->stopped or w->is_full. */
covey_optimal_units covey_i_optimal_solve(covey_optimal_worker *w, const covey_optimal_block *block,
                                          covey_optimal_units upper);
/* The cost of a partitioning, kept in the cache. */
covey_optimal_units covey_i_optimal_beam(covey_optimal_worker *w, const covey_optimal_block *block,
                                         const covey_optimal_effort *effort);
/* Goes through the best known partitioning of a block, smaller blocks first: solves, or tries other cuts; the cost of
 * what results. */
covey_optimal_units covey_i_optimal_improve(covey_optimal_worker *w, const covey_optimal_block *block,
                                            const covey_optimal_effort *effort);
/* The tree that the cache knows for a block. */
covey_status covey_i_optimal_extract(covey_optimal_tree *tree, covey_optimal_units *cost, covey_optimal_worker *w,
                                     const covey_optimal_block *block, covey_error *err);
/* Offers the tree that the cache knows for the whole. */
covey_status covey_i_optimal_offer_found(covey_optimal_worker *w, covey_error *err);
/* The optimal tree that does not depend on the way it was found: in each block the first cut, by bound, that attains
 * the optimum. */
covey_status covey_i_optimal_canonical(covey_optimal_tree *tree, covey_optimal_worker *w,
                                       const covey_optimal_block *block, covey_error *err);

covey_status covey_i_optimal_and_or(covey_optimal_hunt *hunt, covey_error *err);
bool covey_i_optimal_dynamic_fits(const covey_optimal_grid *g);
covey_status covey_i_optimal_dynamic(covey_optimal_hunt *hunt, covey_error *err);
covey_status covey_i_optimal_pet(covey_optimal_hunt *hunt, covey_error *err);

/* Solves the grid; result->tree is the caller's to clear.  COVEY_EINFEASIBLE: there is no partitioning. */
covey_status covey_i_optimal_search(covey_optimal_result *result, const covey_optimal_grid *g, const covey_run *run,
                                    covey_error *err);

#endif
