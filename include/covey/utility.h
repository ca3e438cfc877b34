/* Utility: how much of a table is left in its release. */
#ifndef COVEY_UTILITY_H
#define COVEY_UTILITY_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A figure of what is left.  A registry, see covey/base.h. */
typedef struct covey_metric covey_metric;

/* How many metrics there are. */
COVEY_API size_t covey_metric_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_metric *covey_metric_at(size_t index);
/* The metric of that name; NULL if there is none. */
COVEY_API const covey_metric *covey_metric_find(const char *name);
/* "discernibility": in the output of covey measure. */
COVEY_API const char *covey_metric_name(const covey_metric *metric);
/* What it measures, one line. */
COVEY_API const char *covey_metric_summary(const covey_metric *metric);
/* Where it is defined: key and place in docs/references.md. */
COVEY_API const char *covey_metric_source(const covey_metric *metric);
/* Is it about the original table, too?  Without covey_measure_options.original it has no value then. */
COVEY_API bool covey_metric_needs_original(const covey_metric *metric);
/* Is it about units, persons or households that have several rows each?  It has a figure where the release says how
 * many of them each class has (role entity), and is left out elsewhere. */
COVEY_API bool covey_metric_needs_units(const covey_metric *metric);
/* Is it about the people behind rows, whom published sampling weights tell?  Of other releases it is not spoken of. */
COVEY_API bool covey_metric_needs_weight(const covey_metric *metric);

/* What one metric says. */
typedef struct covey_measured_figure {
    const covey_metric *metric;
    double value;       /* NaN: not defined here */
    const char *reason; /* why it was not asked for; NULL: it was, and is NaN only where it takes the original to know
                           the hierarchies */
} covey_measured_figure;

/* What one quasi-identifier has lost; shares in [0, 1] over all rows, suppressed ones count 1; NaN as above. */
typedef struct covey_measured_attribute {
    char *name;
    double weight;
    double ail, ncp;
} covey_measured_attribute;

typedef enum covey_workload_kind {
    COVEY_WORKLOAD_COUNT = 0, /* COUNT of rows with quasi-identifiers and the sensitive attribute in random ranges */
    COVEY_WORKLOAD_RANGES,    /* AVG of the sensitive attribute over random ranges of quasi-identifiers */
    COVEY_WORKLOAD_ARBITRARY  /* AVG of it over values of quasi-identifiers that are picked one by one */
} covey_workload_kind;

/* How well random queries are answered.  Shares and relative errors; NaN where no query has one. */
typedef struct covey_measured_workload {
    int64_t n_queries; /* 0: none were asked for */
    covey_workload_kind kind;
    int n_attributes;
    double selectivity;
    int64_t n_counted; /* the others are true 0 or are about no row at all, and have no relative error */
    double median_relative_error, mean_relative_error; /* |estimate - truth| / |truth| */
    double median_relative_width, mean_relative_width; /* (upper - lower) / |truth| */
    double within_bounds;                              /* share of queries whose truth lies within the bounds */
    double within_interval;                            /* ... within the 95 % interval; of those that have one */
    double baseline_median_error; /* COUNT: of an analyst who takes the sensitive attribute to be independent of all
                                     others */
} covey_measured_workload;

typedef struct covey_measurement {
    char form[32];
    int64_t n_rows, n_published, n_suppressed, n_classes; /* classes, groups or buckets */
    int64_t n_units, n_persons; /* published: persons, or households and the persons in them; 0: only rows are known */
    size_t n_figures;
    covey_measured_figure *figure; /* one per metric that the release can have, in the registry's order */
    size_t n_attributes;
    covey_measured_attribute *attribute; /* in the table's order */
    covey_measured_workload workload;
} covey_measurement;

typedef struct covey_measure_options {
    const char *original; /* NULL, or the table the release was made from */
    int64_t n_queries;    /* 0: no workload; needs the original */
    int n_attributes;     /* quasi-identifiers in a query; 0: 3, or all if there are fewer */
    double selectivity; /* share of rows that a query would select if attributes were independent and evenly spread; 0:
                           0.1 */
    covey_workload_kind kind;
    bool shrink; /* perturbed releases: queries ask with covey_query_options.shrink */
} covey_measure_options;

/**
 * Measures a release folder.
 *
 * @param out      receives the figures; give them back with covey_measurement_free, which ends all that they point to
 * @param options  NULL: the defaults
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE if the release cannot be read or is not in order
 * (covey_verify says more); COVEY_EINVAL if the original is not the table that it was made from, or queries cannot be
 * asked
 *
 * Does not verify promises or hashes.
 */
COVEY_API covey_status covey_measure(covey_measurement **out, const char *folder, const covey_measure_options *options,
                                     const covey_run *run, covey_error *err);
/* Gives a measurement back, with all that it points to; NULL allowed. */
COVEY_API void covey_measurement_free(covey_measurement *measurement);

#ifdef __cplusplus
}
#endif
#endif
