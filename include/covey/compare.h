/* Comparison: what every method that can keep a policy makes of a table, side by side. */
#ifndef COVEY_COMPARE_H
#define COVEY_COMPARE_H

#include <covey/job.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What methods can be ranked by; all but the release's own loss are better when smaller, too. */
typedef enum covey_compare_objective {
    COVEY_COMPARE_AIL = 0,     /* information loss */
    COVEY_COMPARE_QUERY_ERROR, /* median relative error of the estimates of a workload of queries */
    COVEY_COMPARE_WIDTH,       /* median width of the guaranteed bounds, relative to the truth */
    COVEY_COMPARE_ATTACK,      /* share of people about whom attacks are right */
    COVEY_COMPARE_SECONDS,
    COVEY_COMPARE_DISCERNIBILITY
} covey_compare_objective;

/* What an objective is called in the command line, by its number: "ail", "query-error", "width", "attack",
 * "seconds", "discernibility"; static; NULL behind the last. */
COVEY_API const char *covey_compare_objective_name(size_t index);

/* One method.  NaN: there is no such figure. */
typedef struct covey_compared_method {
    const char *method; /* static */
    const char *form;   /* static */
    bool feasible;
    const char *reason; /* why it is not feasible, or what its figures lack; "" if there is nothing to say */
    int64_t n_published, n_suppressed, n_classes;
    covey_release_figures figures;
    double query_error, width;
    size_t n_answered; /* queries that had an estimate */
    double attack; /* share of rows whose sensitive value an attack guesses rightly, without a sensitive attribute of
                    * those whose row it picks, or of persons where rows are theirs; of the best attack, and never below
                    * guess; NaN: none applies */
    const char *attack_name; /* which attack that was, "" if none */
    double guess;            /* the same share for who knows how frequent values are, and not the release; NaN */
    double worst;            /* the best chance that an attack has about one person; NaN: none applies */
    const char *worst_name;
    size_t n_exceeded;     /* attacks that went above their bound */
    const char *objective; /* what the method itself minimised */
    double value, bound,
        gap; /* of it; gap: (value - bound) / value, how far from the best possible it may be; NaN without a bound */
    bool optimal;
    double lower_bound; /* what releases of this form lose at least, whatever the method; NaN: not known */
    bool stopped;       /* its time was over: this is the best so far */
    bool pareto;    /* no other method is at least as good in loss, query error, width and attack, and better in one */
    double seconds; /* of the method alone */
} covey_compared_method;

typedef struct covey_comparison {
    int64_t n_rows, n_units; /* persons, households or firms whose rows they are; 0: rows have none */
    int64_t n_persons;       /* where units are households or the like, the persons in them; else n_units */
    size_t n_queries;
    size_t n_methods;
    const covey_compared_method *method; /* the best first; those that are not feasible last */
    void *memory;                        /* owns all of it */
} covey_comparison;

typedef struct covey_compare_options {
    covey_compare_objective objective;
    double method_time; /* seconds that a method which can stop at any time gets; 0: 3; so does the search for a lower
                           bound on the loss */
    int64_t n_queries;  /* 0: 200; negative: none */
    bool no_attacks;
} covey_compare_options;

/**
 * Reads and prepares the policy's table once and runs every registered method on it, whatever method the policy names
 * (its parameters go to that method alone; under auto, to all).  Each release is written to a folder that only its
 * owner can read, below TMPDIR or /tmp, verified there, asked the queries, attacked, and removed; so is all of it after
 * an interrupt, and after a crash by the next comparison.
 *
 * Methods run side by side as far as memory allows.  What they make depends on nothing but the table, except for what a
 * method finds in its time.  The queries are drawn from run->seed, or from a fixed one.
 *
 * @param out      receives the comparison; give it back with covey_comparison_free, which ends all that it points to
 * @param policy   checked by covey_policy_check; its warnings go to run->warn
 * @param options  NULL: the defaults
 * @return COVEY_OK, also if no method is feasible; what covey_anonymize returns for policy and input; COVEY_ECANCELLED;
 * COVEY_EIO; COVEY_EINTERNAL for a release that fails its verification; COVEY_ENOMEM
 */
COVEY_API covey_status covey_compare(covey_comparison **out, const covey_policy *policy,
                                     const covey_compare_options *options, const covey_run *run, covey_error *err);
/* Gives a comparison back, with all that it points to; NULL allowed. */
COVEY_API void covey_comparison_free(covey_comparison *comparison);

/* What compared policies differ in, as `--vary k=3,5,10` says it: one value of each makes a combination. */
typedef struct covey_variation {
    const char *name; /* "k", "k-anonymity.k", "quasi", "suppression": a key of covey_policy_vary */
    size_t n_values;
    const char *const *value; /* [n_values] as written, all different */
} covey_variation;

typedef struct covey_variations {
    size_t n;
    const covey_variation *variation; /* [n] */
    size_t n_combinations;            /* the last one's value changes first */
    void *memory;                     /* owns all of it */
} covey_variations;

enum { COVEY_VARIATIONS_MOST = 100 }; /* combinations */

/**
 * Reads what is to be varied.
 *
 * @param out   receives the variations; give them back with covey_variations_free
 * @param text  [n] "k=3,5,10" each; commas in brackets and quotes part no values
 * @return COVEY_EINVAL: no name or no value, a value twice, one thing twice, more than COVEY_VARIATIONS_MOST
 * combinations; COVEY_ENOMEM
 */
COVEY_API covey_status covey_variations_read(covey_variations **out, const char *const *text, size_t n,
                                             covey_error *err);
/* Gives variations back, with all that they point to; NULL allowed. */
COVEY_API void covey_variations_free(covey_variations *variations);

/* The value of a variation in a combination.  Borrowed from variations. */
COVEY_API const char *covey_variations_value(const covey_variations *variations, size_t combination, size_t variation);

/* Makes a policy that of a combination: covey_policy_vary for each variation.  The policy must be checked again. */
COVEY_API covey_status covey_variations_apply(const covey_variations *variations, size_t combination,
                                              covey_policy *policy, covey_error *err);

/* A chart of comparisons, as a file that is begun early: a place that cannot be written to is known before the work. */
typedef struct covey_comparison_plot covey_comparison_plot;

/**
 * Begins the file.
 *
 * @param out    receives the chart; end it with covey_comparison_plot_end or _discard
 * @param force  an earlier chart of that kind is replaced
 * @return COVEY_EEXIST, COVEY_ENOTFOUND, COVEY_EIO about the place; COVEY_ENOMEM
 */
COVEY_API covey_status covey_comparison_plot_begin(covey_comparison_plot **out, const char *path, bool force,
                                                   covey_error *err);
/* Can it be drawn?  COVEY_EINVAL: with more than one variation there is a curve for each combination of all but the
 * first, and there are at most 16. */
COVEY_API covey_status covey_comparison_plot_check(const covey_variations *variations, covey_error *err);
/**
 * Draws, as SVG, what an objective makes of the first variation: with one variation a curve for each method, with more
 * one for each combination of the others, of the best method.
 *
 * @param plot        gone afterwards, whatever the result
 * @param comparison  [variations->n_combinations] NULL where a combination has none
 * @return COVEY_EIO; COVEY_EINVAL as covey_comparison_plot_check; COVEY_ENOMEM
 */
COVEY_API covey_status covey_comparison_plot_end(covey_comparison_plot *plot, const covey_variations *variations,
                                                 const covey_comparison *const *comparison,
                                                 covey_compare_objective objective, covey_error *err);
/* Gives a chart up, and its file; NULL allowed. */
COVEY_API void covey_comparison_plot_discard(covey_comparison_plot *plot);

/* What a method reached in an objective; NaN: there is no such figure. */
COVEY_API double covey_compared_figure(const covey_compared_method *method, covey_compare_objective objective);

#ifdef __cplusplus
}
#endif
#endif
