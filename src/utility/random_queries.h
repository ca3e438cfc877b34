/* Random queries, asked of a release and of its original.
 *
 * random_query_draw.c draws a query and finds the truth; random_queries.c asks the release and puts the errors
 * together. */
#ifndef COVEY_UTILITY_RANDOM_QUERIES_H
#define COVEY_UTILITY_RANDOM_QUERIES_H

#include <covey/utility.h>

#include "base/rng.h"
#include "base/text.h"
#include "query/perturbed/bit_index.h"
#include "reader/original.h"

/* A column that queries ask for. */
typedef struct covey_asked_column {
    const char *name;
    covey_type type;            /* as it is published: how its values are written */
    const covey_column *column; /* of the original: typed, and in the order of the attribute */
} covey_asked_column;

/* What queries are drawn from; shared by threads. */
typedef struct covey_query_source {
    size_t n_quasi;
    const covey_asked_column *column; /* [n_quasi + has_sensitive] the last is the sensitive one */
    bool has_sensitive;               /* false: queries count by quasi-identifiers alone */
    uint32_t n_rows;
    covey_workload_kind kind;
    int n_attributes; /* quasi-identifiers in a query */
    double selectivity;
    covey_bit_index index; /* of the columns */
    const int64_t *count;  /* [n_values] rows of the original that have each value of the sensitive column */
    const double *number;  /* [n_values] of the sensitive column, NaN: missing; NULL: no number */
} covey_query_source;

/* One query and what is true of it.  room is scratch. */
typedef struct covey_drawn_query {
    covey_text sql;
    double truth;        /* NaN: of no row */
    double baseline;     /* what independence suggests; NaN */
    uint64_t *rows;      /* [index.n_words] */
    uint8_t *picked;     /* [the most values of a column] */
    uint32_t *attribute; /* [n_quasi] */
    covey_bit_run *run;  /* [the most values of a column] */
} covey_drawn_query;

/* column: [n_quasi + has_sensitive], see above; borrowed.  COVEY_EINVAL for options that the columns do not allow. */
covey_status covey_i_query_source_make(covey_query_source *out, const covey_asked_column *column, size_t n_quasi,
                                       bool has_sensitive, uint32_t n_rows, const covey_measure_options *options,
                                       covey_arena *arena, covey_error *err);
/* The columns of a release and its original, in the arena.  COVEY_EINVAL: it has no quasi-identifier, or no sensitive
 * column. */
covey_status covey_i_query_columns(const covey_asked_column **out, size_t *n_quasi, const covey_opened *opened,
                                   const covey_original *original, covey_arena *arena, covey_error *err);

/* Room for queries, in the arena; query->sql is the caller's to free. */
covey_status covey_i_drawn_query_new(covey_drawn_query *out, const covey_query_source *source, covey_arena *arena,
                                     covey_error *err);
/* Draws the query of that number: it depends on key, number and source alone. */
covey_status covey_i_query_draw(covey_drawn_query *query, const covey_query_source *source, const unsigned char key[32],
                                int64_t number, covey_error *err);
/* The key of run->seed, or of 1: the same queries every time. */
covey_status covey_i_query_key(unsigned char key[32], const covey_run *run, covey_error *err);

/* Asks options->n_queries queries; what is drawn depends on run->seed alone (1 without one), not on threads. */
covey_status covey_i_query_workload_run(covey_measured_workload *out, const char *folder, const covey_opened *opened,
                                        const covey_original *original, const covey_measure_options *options,
                                        const covey_run *run, covey_error *err);

/* How errors and widths are spread among queries of one selectivity. */
enum { COVEY_SPREAD_QUANTILES = 5 }; /* of 10, 25, 50, 75, 90 % of them */
typedef struct covey_workload_spread {
    double selectivity;                                                  /* what was asked for */
    int64_t n_counted;                                                   /* queries that select some row */
    double error[COVEY_SPREAD_QUANTILES], width[COVEY_SPREAD_QUANTILES]; /* relative; NaN: none has one */
} covey_workload_spread;

/* The same workload once for each of n selectivities, from a release that is read once.  out: [n] */
covey_status covey_i_query_workload_spread(covey_workload_spread *out, const double *selectivity, size_t n,
                                           const char *folder, const covey_opened *opened,
                                           const covey_original *original, int64_t n_queries, const covey_run *run,
                                           covey_error *err);

/* The share-quantile of values that are sorted, between two of them in proportion; NaN without any. */
double covey_i_query_quantile(const double *sorted, size_t n, double share);
void covey_i_query_sort_doubles(double *value, size_t n);

#endif
