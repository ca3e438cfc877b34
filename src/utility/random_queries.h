/* Random queries, asked of a release and of its original.
 *
 * random_query_draw.c draws a query and finds the truth; random_queries.c asks the release and puts the errors together. */
#ifndef COVEY_RANDOM_QUERIES_H
#define COVEY_RANDOM_QUERIES_H

#include <covey/utility.h>

#include "audit/original.h"
#include "base/rng.h"
#include "base/text.h"
#include "query/bit_index.h"

/* What queries are drawn from; shared by threads. */
typedef struct covey_query_source {
    const covey_opened *opened;
    const covey_original *original;
    covey_workload_kind kind;
    int n_attributes;           /* quasi-identifiers in a query */
    double selectivity;
    uint32_t sensitive;         /* index of the column */
    covey_bit_index index;      /* of the original's columns */
    const int64_t *count;       /* [n_values] rows of the original that have each value of it */
    const double *number;       /* [n_values] of the sensitive column, NaN: missing; NULL: no number */
} covey_query_source;

/* One query and what is true of it.  room is scratch. */
typedef struct covey_drawn_query {
    covey_text sql;
    double truth;               /* NaN: of no row */
    double baseline;            /* what independence suggests; NaN */
    uint64_t *rows;             /* [index.n_words] */
    uint8_t *picked;            /* [the most values of a column] */
    uint32_t *attribute;        /* [n_quasi] */
    covey_bit_run *run;         /* [the most values of a column] */
} covey_drawn_query;

covey_status covey_i_query_source_make(covey_query_source *out, const covey_opened *opened, const covey_original *original,
                                       const covey_measure_options *options, covey_arena *arena, covey_error *err);
covey_status covey_i_query_draw(covey_drawn_query *query, const covey_query_source *source, covey_rng *rng, covey_error *err);

/* Asks options->n_queries queries; what is drawn depends on run->seed alone (1 without one), not on threads. */
covey_status covey_i_workload_run(covey_measured_workload *out, const char *folder, const covey_opened *opened, const covey_original *original,
                                  const covey_measure_options *options, const covey_run *run, covey_error *err);

#endif
