/* What a privacy model is made of.  A model judges one class at a time, from its size, the counts of its sensitive
 * values and the ranges of its quasi-identifiers; it knows neither methods nor releases. */
#ifndef COVEY_MODEL_MODEL_IMPL_H
#define COVEY_MODEL_MODEL_IMPL_H

#include <covey/hierarchy.h>
#include <covey/model.h>
#include <covey/table.h>

#include "base/arena.h"
#include "base/exact/fraction.h"

/* What a search may rely on. */
enum {
    COVEY_MODEL_UNION_CLOSED = 1u << 0, /* a union of classes that all satisfy it satisfies it (weakly monotone) */
    COVEY_MODEL_HEREDITARY = 1u << 1,   /* if a set fails every subset fails (strongly monotone) */
    COVEY_MODEL_SENSITIVE = 1u << 2,    /* needs a sensitive attribute */
    COVEY_MODEL_PRIOR = 1u << 3,        /* compares with the whole table: the release publishes the prior */
    COVEY_MODEL_CAPS =
        1u << 4, /* equivalent to: size >= min_size and need(v, size) <= n_v <= cap(v, size) for every value */
    COVEY_MODEL_NUMBER = 1u << 5, /* the sensitive attribute must be a number */
    COVEY_MODEL_RANGES = 1u << 6, /* judges the ranges of quasi-identifiers: a tally must keep them */
    COVEY_MODEL_ALIKE =
        1u
        << 7, /* counts on the rows of a class showing the same quasi-identifiers: says nothing where these are exact */
    COVEY_MODEL_TARGET = 1u << 9, /* about what the rows of a transformed release may be believed to have: the form
                                     judges it, no class can */
    COVEY_MODEL_SLICED = 1u << 8, /* about the columns of a sliced release: judges rows of a bucket with equal pieces
                                     beside the sensitive value */
    COVEY_MODEL_INVARIANT = 1u << 10, /* about releases of the same units over time: whose row a class takes up has been
                                         in classes with the same sensitive values before (problem/history.h).  Not
                                         closed under union: equal classes stay apart */
};

/* One class, as a model sees it. */
typedef struct covey_group {
    int64_t size;                  /* rows, > 0 */
    const covey_histogram *counts; /* of the model's sensitive attribute; NULL if it has none; counts->total == size */
    const uint32_t *low,
        *high; /* [n_quasi] smallest and largest code per quasi-identifier; NULL: not known (judged as satisfied) */
} covey_group;

/* What one value has of a distribution, exactly. */
typedef struct covey_share {
    uint32_t value;
    covey_u128 num, den; /* 0 < num <= den < 2^127 */
} covey_share;

/* Why a promise cannot be kept, and the parameters nearest to its own with which it can.  See model/nearest.h. */
enum { COVEY_NEAREST_MOST = 2 };

typedef struct covey_nearest {
    char why[512];
    size_t n; /* changed parameters; 0: none are known */
    struct {
        const char *param;
        char value[96];
    } change[COVEY_NEAREST_MOST];
} covey_nearest;

typedef struct covey_model_input {
    const covey_histogram *prior;  /* whole table; 0 < total < 2^32; NULL without sensitive attribute */
    const covey_column *sensitive; /* its dictionary (codes may be NULL); NULL without sensitive attribute */
    const covey_hierarchy *tree;   /* of the sensitive attribute, NULL if it has none; its codes are then the leaves */
    bool has_order;                /* numbers and texts with a declared order: the codes' order means something */
    const covey_column *const *quasi; /* [n_quasi] dictionaries */
    size_t n_quasi;
    const int64_t
        *quasi_width;      /* [n_quasi] of a number's domain, in units of its scale; -1: its values'; NULL: all are */
    const char *attribute; /* as the policy wrote it, NULL if it did not (min-length: the quasi-identifier) */
    bool lacks_values;     /* a release is read back: values that do not occur may be missing from the dictionary */
} covey_model_input;

/* What t-closeness measures with an earth mover's distance: how far apart the sensitive values are that occur in the
 * table.  For methods that build classes for it. */
typedef enum covey_ground { COVEY_GROUND_EQUAL, COVEY_GROUND_LINE, COVEY_GROUND_TREE } covey_ground;

typedef struct covey_closeness {
    covey_ground ground;
    covey_ratio t;  /* bound on the distance */
    covey_u128 den; /* distances between values are whole numbers / den */
    const covey_histogram *prior;
    uint32_t n_points;           /* LINE: values that occur, in their order */
    const uint32_t *value;       /* LINE: [n_points] codes */
    const uint64_t *position;    /* LINE: [n_points] ascending from 0 */
    const covey_hierarchy *tree; /* TREE: distance is the height of the lowest common ancestor */
} covey_closeness;

/* What (k,e)-anonymity asks of the numbers of a class.  For methods that partition by them. */
typedef struct covey_spread {
    int64_t min_distinct;     /* different numbers, >= 1 */
    covey_fraction min_range; /* from the smallest to the largest, >= 0 */
} covey_spread;

/* How far a class (or a release: its worst class) is from harm. */
typedef enum covey_figure_kind {
    COVEY_FIGURE_INTEGER,
    COVEY_FIGURE_FRACTION,
    COVEY_FIGURE_REAL,
    COVEY_FIGURE_KE
} covey_figure_kind;

typedef struct covey_figure {
    covey_figure_kind kind;
    bool infinite;           /* e.g. delta of a class that lacks a value; KL with q = 0 */
    int64_t integer;         /* INTEGER; KE: k */
    covey_fraction fraction; /* FRACTION; KE: e */
    double real;             /* the value as a double, whatever the kind (KE: k) */
} covey_figure;

struct covey_model {
    const char *name;        /* in the command line, in policies, in release files; never changes */
    const char *summary;     /* one line for `covey models` */
    const char *not_against; /* what it does not protect from: one sentence */
    const char *source;      /* key and place in docs/references.md */
    const char *threshold;   /* name of the parameter that `achieved` compares with: "k"; NULL: several ("c,l") */
    const covey_param *params;
    size_t n_params, params_size;
    unsigned traits;
    /* Those of the traits that hold with these parameters; NULL: all. */
    unsigned (*traits_of)(const void *state);
    bool figure_high_is_safe; /* k, l: the smallest is the worst; t, beta: the largest is */

    /* Once per table, which is never empty.  *state and all it points to live in the arena; params and what input
     * points to outlive it. COVEY_EINVAL: the model cannot be asked of this attribute (no order, no number, no tree,
     * unknown value).  NULL: every attribute will do, and the state is params. */
    covey_status (*prepare)(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err);

    /* Does this class satisfy the model?  Exact.  Hot: no allocation (scratch belongs to state only if the model says
     * it is not thread-safe -- none is: everything needed is on the stack or read-only).  O(n_present) wherever the
     * definition allows it. */
    bool (*admits)(const void *state, const covey_group *group);

    /* The class's own figure: its size, its distinct values, its largest gain ... */
    void (*figure)(covey_figure *out, const void *state, const covey_group *group);

    /* Both at once, of models that would do the same work twice; NULL: ask both.  A figure that is a fraction need not
     * be in lowest terms and has no `real` until covey_i_figure_reduce: of many classes, only the worst one's figure is
     * told. */
    bool (*judge)(covey_figure *out, const void *state, const covey_group *group);

    /* Figure of several classes from two (the worse of both); NULL: the worse by figure_high_is_safe.  Only (k, e)
     * needs its own. */
    void (*combine)(covey_figure *into, const covey_figure *other);

    /* COVEY_MODEL_CAPS (where traits_of takes that back, the bounds hold but do not suffice); NULL if only the size
     * counts: lowers cap[i] to the most, raises need[i] to the least rows of value[i] in a class of `size` rows, i < n;
     * value NULL: of value i.  Bounds do not shrink as the size grows. */
    void (*bounds)(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need);

    /* A bound on an earth mover's distance: fills *out.  NULL, or false: it is none. */
    bool (*closeness)(covey_closeness *out, const void *state);

    /* Equivalent to a number of different numbers and their range: fills *out.  NULL: it is not. */
    void (*spread)(covey_spread *out, const void *state);
    /* Models that bound the share of single values, whatever the size and whatever else there is: may `value` have the
     * share num/den, den > 0?  Exact, or against us.  Serves posteriors, which are no counts of rows.  NULL: the model
     * is none of that kind. */
    bool (*admits_share)(const void *state, uint32_t value, covey_u128 num, covey_u128 den);
    /* That bound, as near as a number comes, in [0, 1]; NaN: with these parameters the model asks for more than such
     * bounds.  May be there without admits_share, of models that bound the rows of a class.  NULL: no number is nearer
     * than what `bounds` says of a large class. */
    double (*largest_share)(const void *state, uint32_t value);

    /* As admits and figure, of a distribution whose shares need not have a common denominator that rows could be
     * counted in; each value that has a share once; share may be put in another order.  Exact, or against us; the
     * figure may be rounded.  NULL, or false: it cannot, with these parameters or so near to the bound. */
    bool (*judge_shares)(bool *admits, covey_figure *figure, const void *state, covey_share *share, size_t n);

    /* COVEY_MODEL_SLICED: l.  What such a model admits, and its figure, follow from a set's size and the count of its
     * most frequent value. */
    covey_ratio (*least_l)(const void *state);

    /* COVEY_MODEL_TARGET: the distribution that rows have to seem to follow, as YAML; NULL: the method's. */
    const char *(*target)(const void *state);

    /* The smallest class that can satisfy it, whatever it holds, at least 1; NULL: 1. */
    int64_t (*min_size)(const void *state);

    /* The k of a model that asks for k rows which nobody can tell apart, whatever else it asks for; NULL: it asks for
     * none.  Over units, none may have more than 1/k of a class's rows. */
    int64_t (*least_rows)(const void *state);
    /* The l of a model that asks for l different values and for nothing else but rows; NULL: it is none. */
    int64_t (*least_distinct)(const void *state);

    /* What follows for every class that satisfies it, though it does not suffice, of models that bound neither values
     * nor their number by themselves; for proofs of what cannot be.  How many different values it has at least; how
     * many of `size` rows may have the same value at most, which does not shrink as the size grows.  NULL: nothing. */
    int64_t (*implied_distinct)(const void *state);
    int64_t (*implied_most)(const void *state, int64_t size);

    /* The least n such that n or more rows whose sensitive values are all different satisfy it, whatever these are;
     * NULL: no n is known. */
    int64_t (*different_rows)(const void *state);

    /* Why the whole table as one class fails, in words with the nearest threshold that it keeps ("only 3 different
     * sensitive values occur: l can be 3 at most"), and all parameters that have to change for that; nearest is empty
     * at first.  Then no release keeps the promise without suppression (UNION_CLOSED), and none at all if HEREDITARY;
     * otherwise the words say "unless rows are suppressed".  NULL or returns false: the whole table does not fail. */
    bool (*hopeless)(covey_nearest *nearest, const void *state, const covey_group *whole);
};

/* As `prepare`, of any model. */
static inline covey_status covey_i_model_prepare(void **state, const covey_model *model, const covey_model_input *input,
                                                 const void *params, covey_arena *arena, covey_error *err)
{
    if (model->prepare)
        return model->prepare(state, input, params, arena, err);
    *state = (void *)params;
    return COVEY_OK;
}
/* As `judge`, of any model. */
bool covey_i_model_judge(covey_figure *out, const covey_model *model, const void *state, const covey_group *group);
/* What `judge` found, as `figure` would have. */
void covey_i_figure_reduce(covey_figure *figure);

/* The worst of two figures, by the model's direction. */
void covey_i_figure_combine(const covey_model *model, covey_figure *into, const covey_figure *other);

/* A figure as text: "5", "79/20", "2.9999", "inf"; KE: k alone.  96 bytes always suffice. */
void covey_i_figure_text(char *out, size_t size, const covey_figure *figure);
/* The same for a message: beside a fraction stands its decimal value. */
void covey_i_figure_words(char *out, size_t size, const covey_figure *figure);

/* For models: figures from numbers; den > 0. */
covey_figure covey_i_figure_integer(int64_t value);
covey_figure covey_i_figure_fraction(covey_i128 num, covey_i128 den);
covey_figure covey_i_figure_real(double value);
covey_figure covey_i_figure_infinite(covey_figure_kind kind);

#endif
