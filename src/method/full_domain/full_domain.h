/* What the files of full-domain share.
 *
 *   full_domain.c the method: parameters, the release
 *   lattice.c     what the search reads: rows in order, equal ones, what promises look at
 *   levels.c      the levels of every attribute: labels, and what they lose
 *   groups.c      classes at a node of the lattice, rolled up from those at a node below
 *   judge.c       which classes keep the promises, and what a node costs
 *   published.c   the same of a node where rows are suppressed, as of a table without them
 *   search.c      which nodes are in order, and the best of them
 *   chains.c      the best of them alone, with fewer looks
 *
 * Source: [LeFevre05], [Samarati01], [Sweeney02]; docs/design/full-domain.md. */
#ifndef COVEY_METHOD_FULL_DOMAIN_FULL_DOMAIN_H
#define COVEY_METHOD_FULL_DOMAIN_FULL_DOMAIN_H

#include "method/method_impl.h"
#include "method/rows/row_runs.h"

enum {
    COVEY_LATTICE_MOST_LEVELS = 64,     /* of an attribute */
    COVEY_LATTICE_MOST_SWEPT = 1 << 12, /* nodes that are all looked at; of more, the best alone is found */
    COVEY_LATTICE_MOST_NODES = 1 << 20, /* that are searched; of larger lattices only a path is */
    COVEY_LATTICE_MOST_BYTES =
        192 << 20 /* of classes that are kept for rolling up; beyond, nodes start from the bottom */
};

typedef enum covey_lattice_metric {
    COVEY_METRIC_LOSS,
    COVEY_METRIC_HEIGHT,
    COVEY_METRIC_PREC,
    COVEY_METRIC_DISCERNIBILITY,
    COVEY_METRIC_ENTROPY,
    COVEY_METRIC_CAVG
} covey_lattice_metric;

/* One level of an attribute.  Labels are numbered from 0 in the order of their first code. */
typedef struct covey_lattice_level {
    uint32_t *label; /* [n_codes] of a code */
    uint32_t n_labels;
    uint32_t n_occurring; /* labels of some row */
    double *loss;         /* [n_labels] (leaves - 1) / (all leaves - 1), of numbers (max - min) / (U - L) */
    double
        *entropy; /* [n_labels] log2(rows / rows under the label): what suppressing a cell of this label loses more */
    double total_loss;    /* over all rows */
    double total_entropy; /* over all rows: sum of log2(rows under the label / rows of the value) */
} covey_lattice_level;

typedef struct covey_lattice_attribute {
    const covey_axis *axis;
    uint32_t n_codes;
    int n_levels;               /* of the file, or of a ladder of widths; at least 1 */
    bool is_ladder;             /* of widths */
    covey_lattice_level *level; /* [n_levels] */
    size_t word;                /* where its label stands in a key */
    unsigned shift;
    uint64_t mask;
    uint32_t stride; /* of its level in a node's number */
} covey_lattice_attribute;

/* Everything about a problem that the search reads. */
typedef struct covey_lattice {
    const covey_problem *problem;
    size_t n_attributes;
    covey_lattice_attribute *attribute;
    size_t n_words;   /* of a key */
    uint64_t n_nodes; /* UINT64_MAX: too many to count */
    int height;
    covey_sorted_rows sorted; /* all rows by content: equal rows are neighbours; owned */
    const uint32_t *row;      /* [n_rows] of sorted */
    covey_row_runs runs;      /* of rows with equal quasi-identifiers */
    uint32_t *kind;           /* [n_rows] per row of `row`: which combination of sensitive values; NULL without any */
    uint32_t n_kinds;
    uint32_t *kind_row;      /* [n_kinds] a row with these values */
    bool size_alone_decides; /* no promise looks at anything but the size */
    bool has_ranges;         /* a promise looks at ranges */
    bool shows_levels;       /* publish-boxes: cut: ranges are those of the levels' labels */
    bool has_prior;          /* suppressed rows have to keep the promises, too */
    bool is_closed;          /* a node above a good one is good */
    int64_t min_size;
    int64_t least_k; /* what average class sizes are divided by */
} covey_lattice;

/* The classes of the table at one node. */
typedef struct covey_lattice_groups {
    uint32_t n;
    uint64_t *key;        /* [n * n_words] labels */
    uint32_t *size;       /* [n] rows */
    uint32_t *item_start; /* [n + 1], NULL without sensitive values */
    uint32_t *item_kind, *item_count;
    uint32_t *low, *high; /* [n * n_attributes] codes, NULL if no promise wants them */
} covey_lattice_groups;

/* How good a node is. */
typedef struct covey_lattice_verdict {
    bool is_good;       /* all kept classes keep the promises, few enough rows are suppressed, and they do, too */
    uint32_t n_classes; /* kept */
    double cost;        /* by the metric, to be minimised; prec: 1 - prec */
} covey_lattice_verdict;

/* Scratch of one thread. */
typedef struct covey_lattice_worker {
    const covey_lattice *lattice;
    covey_arena arena;
    uint32_t *slot; /* hash table */
    size_t n_slots;
    uint32_t *group_of; /* [n of the source] */
    size_t n_group_of;
    uint64_t *block_key;       /* labels of the groups that are looked up together */
    uint32_t *count, *touched; /* [n_kinds] */
    covey_tally tally, gone;
    bool *keeps; /* [different rows] the groups that are kept, where levels show and promises judge ranges; else NULL */
    uint32_t **label_low,
        **label_high;     /* [n_attributes][labels] what a label shows; NULL for attributes that no promise judges */
    uint32_t *low, *high; /* [n_attributes] of a group, as it is published */
} covey_lattice_worker;

/* sorted is to be cleared, even on failure; all else lives in the arena. */
covey_status covey_i_full_domain_lattice_new(covey_lattice *lattice, const covey_problem *problem, covey_arena *arena,
                                             const covey_run *run, covey_error *err);
/* Fills the attributes and their levels, the words of a key, nodes and height. */
covey_status covey_i_full_domain_levels_new(covey_lattice *lattice, covey_arena *arena, covey_error *err);

covey_status covey_i_full_domain_worker_new(covey_lattice_worker *worker, const covey_lattice *lattice,
                                            covey_error *err);
void covey_i_full_domain_worker_clear(covey_lattice_worker *worker); /* all zeros allowed */

/* The different rows, at level 0 of everything.  group_of_row: [n_rows] or NULL: the group of each row of lattice->row.
 */
covey_status covey_i_full_domain_groups_base(covey_lattice_groups *out, uint32_t *group_of_row,
                                             const covey_lattice *lattice, covey_error *err);
/* Classes at the levels `to` from those at the levels `from`, which lie nowhere above.  worker->group_of tells where
 * each went.  is_too_small: do more rows than may be suppressed stand in classes that are too small?  Then *out is
 * empty; NULL: nobody asks. */
covey_status covey_i_full_domain_groups_roll_up(covey_lattice_groups *out, bool *is_too_small,
                                                covey_lattice_worker *worker, const covey_lattice_groups *source,
                                                const uint8_t *from, const uint8_t *to, covey_error *err);
void covey_i_full_domain_groups_clear(covey_lattice_groups *groups); /* all zeros allowed */
size_t covey_i_full_domain_groups_bytes(const covey_lattice_groups *groups, const covey_lattice *lattice);

/* is_kept: [groups->n] or NULL. */
void covey_i_full_domain_judge(covey_lattice_verdict *out, bool *is_kept, covey_lattice_worker *worker,
                               const covey_lattice_groups *groups, const uint8_t *level, covey_lattice_metric metric);
/* What a node costs at least, whatever is suppressed.  Does not fall upwards. */
double covey_i_full_domain_least_cost(const covey_lattice *lattice, const uint8_t *level, covey_lattice_metric metric);
/* Does the cost never fall upwards between good nodes? */
bool covey_i_full_domain_cost_is_monotone(const covey_lattice *lattice, covey_lattice_metric metric);

/* What is published of the attributes: a label per code. */
typedef struct covey_lattice_shown {
    uint32_t **label; /* [n_attributes][n_codes]; of a number's ladder those of suppressed rows' values mean nothing */
    uint32_t *n_labels;
    int *rung; /* [n_attributes] the level in the ladder of the published rows; -1: the labels are the search's */
} covey_lattice_shown;

/**
 * The labels of the levels that were found.  Where rows are suppressed, those of numbers' ladders are the ones of the
 * lowest rung that gives each class one label, in the ladder that the published rows alone have: the widths of the
 * search's go by the span and the digits of all rows.  Classes may get the same labels by that.
 *
 * @param class_of_row  [n_rows] numbers below n_classes, or COVEY_CLASS_SUPPRESSED
 * @param arena         receives out's arrays
 */
covey_status covey_i_full_domain_shown(covey_lattice_shown *out, const covey_lattice *lattice, const uint8_t *found,
                                       const uint32_t *class_of_row, uint32_t n_classes, covey_arena *arena,
                                       covey_error *err);
/**
 * Levels and cost of a node in terms of the published rows (published.c), for who suppresses some.
 *
 * @param cost   in: as the search has it, which stays where it does not depend on what suppressed rows hold
 * @param level  [n_attributes]
 * @param has_labels  the labels of the levels are published (publish-boxes: cut), not only those of the classes
 * @param is_same  false: the figure that was minimised is another one, of all rows
 */
covey_status covey_i_full_domain_published(double *cost, int32_t *level, bool *is_same, const covey_lattice *lattice,
                                           const uint8_t *found, const covey_lattice_shown *shown,
                                           const uint32_t *class_of_row, covey_lattice_metric metric, bool has_labels,
                                           covey_error *err);
/* Rungs of a number's ladder between values and everything: the first width, doubled *n_widths - 1 times; of codes low
 * .. end - 1. */
int64_t covey_i_full_domain_first_width(int *n_widths, const covey_axis *axis, uint32_t low, uint32_t end);
/* Which interval of that width, aligned at 0, a number lies in. */
static inline int64_t covey_i_full_domain_rung(int64_t number, int64_t width)
{
    return number / width - (number % width < 0);
}

typedef struct covey_lattice_found {
    bool found;
    uint8_t *level; /* [n_attributes] of the best node */
    covey_lattice_verdict verdict;
    uint32_t n_minimal; /* good nodes with no good node below; 0: not asked for */
    uint8_t *minimal;   /* [n_minimal * n_attributes], by height, then lexicographically */
    uint64_t n_good;    /* nodes known to be good */
    uint32_t n_judged;  /* nodes looked at, if not all were */
    bool was_stopped;   /* the search of all of the lattice, by who had enough */
    bool is_optimal;    /* nothing better exists in the lattice */
} covey_lattice_found;

/* Takes the node over if it is good and better than the one found: by cost, then height, then lexicographically. */
covey_status covey_i_full_domain_offer(covey_lattice_found *found, const covey_lattice *lattice,
                                       const covey_lattice_verdict *verdict, const uint8_t *level, covey_arena *arena,
                                       covey_error *err);
/* The same node as the search of all of the lattice, but neither the minimal nodes nor how many are good. */
covey_status covey_i_full_domain_chains(covey_lattice_found *out, const covey_lattice *lattice,
                                        const covey_lattice_groups *base, covey_lattice_metric metric,
                                        covey_arena *arena, const covey_run *run, covey_error *err);
/* All of the lattice, layer by layer from the bottom. */
covey_status covey_i_full_domain_search(covey_lattice_found *out, const covey_lattice *lattice,
                                        const covey_lattice_groups *base, covey_lattice_metric metric,
                                        covey_arena *arena, const covey_run *run, covey_error *err);
/* [Samarati01]: the least height with a good node, by bisection where that is right; the best of that height by the
 * metric. */
covey_status covey_i_full_domain_samarati(covey_lattice_found *out, const covey_lattice *lattice,
                                          const covey_lattice_groups *base, covey_lattice_metric metric,
                                          covey_arena *arena, const covey_run *run, covey_error *err);
/* [Sweeney02]: the attribute with the most different values goes up until few enough rows are left over. */
covey_status covey_i_full_domain_datafly(covey_lattice_found *out, const covey_lattice *lattice,
                                         const covey_lattice_groups *base, covey_lattice_metric metric,
                                         covey_arena *arena, const covey_run *run, covey_error *err);
/* Down from the top to a node that has no better good one right below; for lattices that are too large. */
covey_status covey_i_full_domain_descend(covey_lattice_found *out, const covey_lattice *lattice,
                                         const covey_lattice_groups *base, covey_lattice_metric metric,
                                         covey_arena *arena, const covey_run *run, covey_error *err);

#endif
