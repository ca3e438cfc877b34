/* What the experiments on transformed releases share: tables, releases of them, and how far the bounds of AVG over a
 * range of ages lie apart. Source: [Koudas09] section 6. */
#ifndef COVEY_REPRODUCE_DISTRIBUTION_GROUPS_H
#define COVEY_REPRODUCE_DISTRIBUTION_GROUPS_H

#include "reproduce/experiment_job.h"

/* A transformed release of a table with an age and a number. */
typedef struct covey_distribution_groups {
    uint32_t n_rows, n_groups;
    double *age, *value;        /* [n_rows] in the table's order */
    uint32_t *group;            /* [n_rows] */
    size_t *start;              /* [n_groups + 1] into the sums */
    double *low_sum, *high_sum; /* [start[g] + i] of group g's i lowest lower ends, and i highest upper ends */
    int64_t n_fakes;
    double width;    /* of an entry, on average */
    double distance; /* the largest total variation between a wanted and a used target */
    double seconds;  /* of the method */
} covey_distribution_groups;

/* How a release is made; NULL: the default. */
typedef struct covey_distribution_setup {
    const char *scheme, *resolution, *fakes, *target, *targets, *groups;
} covey_distribution_setup;

covey_status covey_i_distribution_groups_make(covey_distribution_groups *out, const covey_experiment_context *context,
                                              const char *policy, const covey_distribution_setup *setup,
                                              covey_arena *arena, covey_error *err);

/* The mean relative error (upper - lower)/true of AVG for ages of x to x + span, over 100 x at random; both ends are
 * ages of the table, and ranges without rows are drawn again.  COVEY_EINTERNAL if bounds do not hold the truth. */
covey_status covey_i_distribution_range(double *out, const covey_distribution_groups *groups, double span,
                                        uint64_t seed, covey_arena *arena, covey_error *err);

/* A release for each curve, and its errors for each span. */
typedef struct covey_distribution_curve {
    const char *name;
    covey_distribution_setup setup;
} covey_distribution_curve;

/* Fills the curves `first` to `first + n_curves - 1` of a table of curves with these spans. */
covey_status covey_i_distribution_fill_curves(covey_distribution_groups *groups,
                                              const covey_experiment_context *context, const char *policy,
                                              const covey_distribution_curve *curve, size_t n_curves, size_t first,
                                              covey_error *err); /* groups: [n_curves] or NULL */
/* The same for a table of curves that are all of one policy, which it makes. */
covey_status covey_i_distribution_range_curves(covey_distribution_groups *groups,
                                               const covey_experiment_context *context, const char *policy,
                                               const covey_distribution_curve *curve, size_t n_curves,
                                               covey_error *err); /* groups: [n_curves] or NULL */

/* The spans that they are for. */
enum { COVEY_DIST_SPANS = 9 };
extern const double covey_i_distribution_spans[COVEY_DIST_SPANS];

/* A policy without promises: age is known, capital-loss is to be hidden.  hierarchy: of capital-loss as YAML, NULL: the
 * default one. */
covey_status covey_i_distribution_policy(char **out, const covey_experiment_context *context, const char *table,
                                         const char *hierarchy, covey_error *err);

/* Adult's 1,427 capital losses; where there is no such table, as many generated ones of the same span.  *is_real says
 * which. */
covey_status covey_i_distribution_adult_table(char **path, bool *is_real, const covey_experiment_context *context,
                                              covey_error *err);

/* Parameters of the generator capital-loss. */
typedef struct covey_distribution_table {
    const char *distribution, *correlation; /* NULL: the default */
    const char *noise;                      /* of a normal one; NULL: the default, 300 */
} covey_distribution_table;

/* As many rows as the user wants, or 10,000, generated in the scratch folder. */
covey_status covey_i_distribution_generated_table(char **path, const covey_experiment_context *context,
                                                  covey_distribution_table table, covey_error *err);
enum { COVEY_DIST_ROWS = 10000 };

/* Writes a hierarchy over the values, ascending: runs of 2, 4, 8, ... of them. */
covey_status covey_i_distribution_write_tree(const char *path, const int64_t *value, size_t n, covey_error *err);

/* Over all ranges. */
double covey_i_distribution_mean(const double *y);

#endif
