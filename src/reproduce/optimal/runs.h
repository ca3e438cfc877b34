/* What the experiments on optimal partitioning share: their tables, one search at a time, and curves of many.
 * Source: [Hore07] section 5; docs/design/optimal-partition.md. */
#ifndef COVEY_REPRODUCE_OPTIMAL_RUNS_H
#define COVEY_REPRODUCE_OPTIMAL_RUNS_H

#include "reproduce/experiment_job.h"

/* Policies with splits and without promises; in the arena, NULL without memory. */
char *covey_i_optimal_normal_policy(const covey_experiment_context *context, int splits,
                                    covey_error *err); /* generates SimpleNormal, 5,000 points */
char *covey_i_optimal_adult_policy(const covey_experiment_context *context, bool occupation_is_sensitive,
                                   bool has_splits);
char *covey_i_optimal_coil_policy(const covey_experiment_context *context);
extern const char *const covey_i_optimal_adult_needs[], *const covey_i_optimal_coil_needs[];

/* Who wants to hear of a search's improvements. */
typedef struct covey_optimal_watch {
    void (*improved)(void *context, const covey_improvement *now);
    void *context;
} covey_optimal_watch;

/* One search.  Costs are discernibilities. */
typedef struct covey_optimal_outcome {
    double mondrian; /* on the same splits: the partitioning that a search starts from */
    double best, bound;
    double seconds;
    bool is_proven;
} covey_optimal_outcome;

/* Seconds for a search: what the user gave, else what the experiment names. */
double covey_i_optimal_seconds(const covey_experiment_context *context, double usual);

/**
 * @param settings  promises and parameters, ended by {NULL, NULL}
 * @param seconds   time limit
 * @param watch     called for every improvement, NULL: nobody
 * @return as covey_anonymize
 */
covey_status covey_i_optimal_run(covey_optimal_outcome *out, const covey_experiment_context *context,
                                 const char *policy, const covey_setting *settings, double seconds,
                                 const covey_optimal_watch *watch, covey_error *err);

/* One search per x: x is what stands in the promise. */
typedef struct covey_optimal_series {
    const char *name; /* "5 x 5 splits"; NULL: there is one series */
    const char *policy;
    const char *model;  /* x follows it, as in "k-anonymity:k=" */
    covey_setting more; /* {NULL, NULL}: nothing */
} covey_optimal_series;

/* Figures of a series, over the points where there is a release at all. */
typedef struct covey_optimal_summary {
    double least, most, mean; /* of Mondrian / best */
    double worst;             /* of best / bound */
    double slowest;           /* seconds */
    size_t n, n_proven;
} covey_optimal_summary;

/**
 * Runs all series and makes the curves: per series Mondrian / best and best / bound, which are plotted, then Mondrian,
 * best, bound, seconds.
 *
 * @param summary  [n_series]
 * @param outcome  [n_series][n_points], NULL: not wanted
 */
covey_status covey_i_optimal_series_run(covey_experiment_context *context, covey_optimal_summary *summary,
                                        covey_optimal_outcome *outcome, const covey_optimal_series *series,
                                        size_t n_series, const double *x, size_t n_points, double seconds,
                                        covey_error *err);

#endif
