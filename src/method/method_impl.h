/* What an anonymization method is made of. */
#ifndef COVEY_METHOD_METHOD_IMPL_H
#define COVEY_METHOD_METHOD_IMPL_H

#include "model/nearest.h"
#include <covey/method.h>

#include "release/release_impl.h"

/* When a method drops rows that the limit lets it drop. */
enum covey_suppresses {
    COVEY_SUPPRESSES_AT_NEED,       /* where no release keeps the promises without */
    COVEY_SUPPRESSES_WITHOUT_PRIOR, /* also where that loses less, unless the release publishes a prior */
    COVEY_SUPPRESSES_TO_GAIN,       /* also where that loses less */
};

/* How a method keeps the rows of a unit together. */
enum covey_keeps_units {
    COVEY_UNITS_APART,      /* it does not: refused where rows have units */
    COVEY_UNITS_AS_CLASSES, /* its classes do well as a partition of units (units/units.c) */
    COVEY_UNITS_ALIKE       /* it puts units together itself, of as many rows each */
};

/* On what terms it is a candidate of `method: auto`; zeros: on any table, with its defaults. */
typedef struct covey_auto_terms {
    int64_t most_rows; /* of the table, of which none may be suppressed; 0: any number */
    bool for_bounds;   /* only where promises bound single values */
    size_t n_params;
    const char *const *param_names, *const *param_texts;
    const struct covey_auto_terms *also; /* the better release counts; NULL: no others */
} covey_auto_terms;

struct covey_method {
    const char *name, *summary;
    const char *keeps;  /* which promises it can keep, in words */
    const char *source; /* key and place in docs/references.md */
    const char *form;   /* "generalized" */
    bool uses_groups;   /* keeps the rows of problem->groups apart; a policy with groups is refused otherwise */
    const covey_param *params;
    size_t n_params, params_size;
    bool in_parts; /* rows may be done part by part: a class is judged by its own rows and the whole's prior, and its
                      cells by domains */
    const char *looks_at_all; /* why they may not, in words that follow its name ("needs all rows"); of all others */
    bool sees_spread;         /* and has room for two axes for each quasi-identifier in which rows of a unit differ */
    enum covey_keeps_units keeps_units;
    covey_auto_terms under_auto;
    enum covey_suppresses suppresses;
    bool goes_last; /* under `method: auto`: rarely the best, but quick where it knows what is to be beaten */

    /* Does it cut at medians and nothing else, as units are cut (units/cut.c)?  Then it is not run on a table that has
     * them.  NULL: no. */
    bool (*cuts_units)(const void *params);

    /* Can it keep these promises?  COVEY_OK, or COVEY_EINVAL with the reason ("burel keeps basic and enhanced
     * beta-likeness with k only"). The caller adds the names of the methods that can. */
    covey_status (*accepts)(const covey_promises *promises, const void *params, covey_error *err);

    /* Solves the problem.  Same result for any number of threads and any order of the input's rows (ties by content).
     * COVEY_EINFEASIBLE: no release keeps the promises within max_suppressed; the message names cause and nearest
     * policy. */
    covey_status (*run)(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err);
};

/* Parameters that every method on classes has; first member of its parameter struct. */
typedef struct covey_class_params {
    int64_t min_size;  /* rows; 0: no wish of its own */
    int publish_boxes; /* 0 tight, 1 cut */
} covey_class_params;

extern const char *const covey_i_publish_boxes[];
#define COVEY_CLASS_PARAMS COVEY_CLASS_PARAMS_WITH("tight")
#define COVEY_CLASS_PARAMS_WITH(boxes)                                                                                 \
    {.name = "min-size",                                                                                               \
     .type = COVEY_PARAM_INTEGER,                                                                                      \
     .offset = offsetof(covey_class_params, min_size),                                                                 \
     .minimum = "0",                                                                                                   \
     .help = "fewest rows of a class, beside the promises"},                                                           \
    {                                                                                                                  \
        .name = "publish-boxes", .type = COVEY_PARAM_CHOICE, .offset = offsetof(covey_class_params, publish_boxes),    \
        .fallback = boxes, .choices = covey_i_publish_boxes,                                                           \
        .help = "publish the rows' own ranges (tight), or the regions that were cut (cut), which tell less of the "    \
                "rows in them"                                                                                         \
    }

/**
 * Where a method on classes starts (src/method/start.c): the rows to work on, in an order that depends on their content
 * only (axis codes, then sensitive codes), so that ties never depend on the input's order; and as few rows as possible
 * suppressed so that all others together keep every promise.
 *
 * @param rows_out        [n] receives an arena array of the rows that stay
 * @return COVEY_EINFEASIBLE if more than max_suppressed rows would have to go; the message names the promise, why and
 * what could be kept
 */
covey_status covey_i_start(uint32_t **rows_out, uint32_t *n_out, const covey_problem *problem, covey_arena *arena,
                           const covey_run *run, covey_error *err);

/* Adds to the message of a method on classes that found no release the nearest policy that the whole table keeps as one
 * class, which needs no suppression; nothing where none is known.  Returns COVEY_EINFEASIBLE. */
covey_status covey_i_method_name_nearest(const covey_problem *problem, covey_error *err);
/* The same where parameters of the method have to change, too, which changes holds already. */
covey_status covey_i_method_name_nearest_with(covey_changes *changes, const covey_problem *problem, covey_error *err);

/* The same with what the rows are sorted by, for methods that look at cells (row_cells.h); clear sorted afterwards,
 * also when this fails. */
covey_status covey_i_start_sorted(covey_sorted_rows *sorted, const covey_problem *problem, const covey_run *run,
                                  covey_error *err);

/* `accepts` of methods that keep every model on classes. */
covey_status covey_i_method_accepts_every_model(const covey_promises *promises, const void *params, covey_error *err);

#endif
