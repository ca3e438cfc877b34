/* What the experiments on permuted releases share: a partition of rows with numbers, and what a query's AVG can be when
 * the rows of a group are permuted, or generalized to what they have in common. Source: [Zhang07] section 6. */
#ifndef COVEY_REPRODUCE_KE_GROUPS_H
#define COVEY_REPRODUCE_KE_GROUPS_H

#include "reproduce/experiment_job.h"

/* A partition of a table with an age and a number; groups may leave rows out. */
typedef struct covey_ke_groups {
    uint32_t n_rows, n_groups;
    const double *value; /* [n_rows] */
    const double *age;   /* [n_rows] */
    uint32_t *group;     /* [n_rows] of each row; UINT32_MAX: suppressed */
    uint32_t *start;     /* [n_groups + 1] into sorted */
    double *sorted;      /* values, group by group, ascending */
    double *low, *high;  /* [n_groups] ages, smallest and largest */
} covey_ke_groups;

/**
 * Partitions a table by a method.  The policy (YAML, without method) names a quasi-identifier `age` and one sensitive
 * number.
 *
 * @param settings  models and method, ended by {NULL, NULL}
 * @return as covey_anonymize; memory is the arena's
 */
covey_status covey_i_ke_groups_make(covey_ke_groups *out, const covey_experiment_context *context, const char *policy,
                                    const covey_setting *settings, covey_arena *arena, covey_error *err);

typedef struct covey_avg_bounds {
    double lower, upper; /* of AVG; NaN: nothing can be selected */
} covey_avg_bounds;

/* hits[n_groups]: how many rows of each group are selected.  scratch unused. */
covey_avg_bounds covey_i_ke_permuted(const covey_ke_groups *groups, const uint32_t *hits);
/* sure[n_groups] <= possible[n_groups]: between how many are.  By Dinkelbach's iteration. */
covey_avg_bounds covey_i_ke_generalized(const covey_ke_groups *groups, const uint32_t *sure, const uint32_t *possible);

/* The mean relative error (upper - lower)/true of AVG over 100 queries. */
typedef struct covey_ke_error {
    double permuted, generalized;
    bool is_inside; /* every permutation bound lies inside the generalization bound, and holds the truth */
} covey_ke_error;

/* Queries that select n_selected rows at random; a generalized group is surely selected if all of its rows are,
 * possibly if any is. */
covey_status covey_i_ke_arbitrary(covey_ke_error *out, const covey_ke_groups *groups, uint32_t n_selected,
                                  uint64_t seed, covey_arena *arena, covey_error *err);
/* Queries for ages of x to x + span, x at random; empty ones are drawn again. */
covey_status covey_i_ke_range(covey_ke_error *out, const covey_ke_groups *groups, double span, uint64_t seed,
                              covey_arena *arena, covey_error *err);

/* Adult's 1,427 capital losses as a policy without promises and method: every attribute with a hierarchy, or age alone.
 */
char *covey_i_ke_adult_policy(const covey_experiment_context *context, bool age_alone);
extern const char *const covey_i_ke_needs[];
#define COVEY_KE_ADULT                                                                                                 \
    .source = "Zhang07, section 6", .y_title = "relative error of the bounds", .needs = covey_i_ke_needs
/* Generated capital losses in the scratch folder, with age the only quasi-identifier. */
covey_status covey_i_ke_generated_policy(char **out, const covey_experiment_context *context, const char *correlation,
                                         const char *noise, int64_t rows, covey_error *err);

#endif
