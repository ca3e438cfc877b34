/* Promises: the models of a policy, bound to a table.  The conjunction that every class has to keep. */
#ifndef COVEY_MODEL_PROMISE_H
#define COVEY_MODEL_PROMISE_H

#include "model/model_impl.h"

/* A sensitive attribute as models see it: one column, or the combination of all of them (joint). */
typedef struct covey_view {
    const char *name;           /* attribute, or "a, b" */
    const covey_column *column; /* [n_rows] codes and dictionary */
    const covey_hierarchy *tree;
    bool has_order;
    bool joint;
    const covey_histogram *prior; /* of the whole table, or given from outside */
} covey_view;

typedef struct covey_promise {
    const covey_model *model;
    const void *params;
    const char *attribute; /* as the policy wrote it, NULL if it did not */
    bool joint;
    int view; /* -1: the model needs no sensitive attribute */
    void *state;
    int quasi; /* of models on ranges: which quasi-identifier they judge; -1: none */
    /* Where rows have units (units.h): */
    covey_over_units units;
    void *unit_state; /* with the prior over persons; NULL: not prepared, or the promise has no view */
    bool is_single;   /* nobody has two values of the view */
} covey_promise;

/* Makes the codes *low .. *high of a quasi-identifier those of what is published for them: a label stands for all its
 * leaves. */
typedef void (*covey_shown_range)(uint32_t *low, uint32_t *high, const void *context, size_t quasi);

typedef struct covey_promises {
    size_t n;
    covey_promise *promise;
    size_t n_views;
    covey_view *view;
    size_t n_quasi;
    const covey_column *const *quasi;
    const int64_t *quasi_width; /* see covey_model_input; NULL: domains are what the columns hold */
    int64_t min_size;           /* a method's own wish (min-size), not promised; >= 1 */
    covey_shown_range shown;
    const void *shown_context; /* NULL: ranges are published as they are */
    bool has_regions;          /* classes publish regions, so that one row may have a wide range */
} covey_promises;

/* Are the counts of a sensitive column published, because a promised model compares with the whole table? */
bool covey_i_promises_publish_prior(const covey_promises *promises, const covey_column *column);
/* Prepares the state of every promise.  promises->promise[].{model,params,attribute,joint,view} and views are set
 * already. */
covey_status covey_i_promises_prepare(covey_promises *promises, covey_arena *arena, covey_error *err);
/* The same of one of them, for who knows where each was asked for. */
covey_status covey_i_promise_prepare(covey_promise *promise, const covey_promises *promises, covey_arena *arena,
                                     covey_error *err);

/* What a set of rows looks like to the promises: its size, a histogram per view, its ranges. */
typedef struct covey_tally {
    int64_t size;
    size_t n_views, n_quasi;
    covey_histogram *counts;          /* [n_views] */
    uint32_t *low, *high;             /* [n_quasi]; only meaningful if has_ranges; low > high as long as it is empty */
    uint32_t *shown_low, *shown_high; /* [n_quasi] scratch for judging them */
    bool has_ranges; /* set by covey_i_tally_new if a promise judges ranges; a caller who wants them sets it while empty
                      */
} covey_tally;

covey_status covey_i_tally_new(covey_tally *tally, const covey_promises *promises, covey_arena *arena,
                               covey_error *err);
void covey_i_tally_clear(covey_tally *tally);
void covey_i_tally_add(covey_tally *tally, const covey_promises *promises,
                       int64_t row); /* widens the ranges if has_ranges */
void covey_i_tally_remove(covey_tally *tally, const covey_promises *promises,
                          int64_t row); /* leaves the ranges as they are */

/* What a promise's model gets to see of a tally: ranges as they are published.  Good until the next call. */
covey_group covey_i_promise_group(const covey_promises *promises, const covey_promise *promise,
                                  const covey_tally *tally);

/* Does a class of these rows keep every promise (and min_size)?  An empty tally never does. */
bool covey_i_promises_admit(const covey_promises *promises, const covey_tally *tally);
/* The index of the first promise that is broken, -1 if all are kept, promises->n if min_size is not reached. */
int covey_i_promises_broken(const covey_promises *promises, const covey_tally *tally);

/* Traits of a promise, with its parameters. */
static inline unsigned covey_i_promise_traits(const covey_promise *promise)
{
    return promise->model->traits_of ? promise->model->traits_of(promise->state) : promise->model->traits;
}

/* Traits that all promises have together / that any has. */
unsigned covey_i_promises_all_traits(const covey_promises *promises);
unsigned covey_i_promises_any_traits(const covey_promises *promises);
/* The smallest class that can keep all promises. */
int64_t covey_i_promises_min_size(const covey_promises *promises);
/* Per-value bounds of all promises on one view: lowers cap (start: size) and raises need (start: 0), of every value, or
 * of value[0 .. n-1] alone. */
void covey_i_promises_bounds(const covey_promises *promises, int view, int64_t size, int64_t *cap, int64_t *need);
void covey_i_promises_bounds_of(const covey_promises *promises, int view, int64_t size, const uint32_t *value, size_t n,
                                int64_t *cap, int64_t *need);
/* Does any promise on this view have per-value bounds? */
bool covey_i_promises_have_bounds(const covey_promises *promises, int view);
/* Is a class that has min_size rows and keeps the bounds of this view's values all that the promises ask for? */
bool covey_i_promises_are_bounds(const covey_promises *promises, int view);
/* Does any promise on this view ask for rows of some value? */
bool covey_i_promises_have_needs(const covey_promises *promises, int view);
/* Does this promise bound an earth mover's distance?  Then *out says which. */
bool covey_i_promise_closeness(covey_closeness *out, const covey_promise *promise);

#endif
