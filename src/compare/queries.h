/* A workload of queries with their true answers: how useful a release is to somebody who counts. */
#ifndef COVEY_COMPARE_QUERIES_H
#define COVEY_COMPARE_QUERIES_H

#include "problem/problem.h"

typedef struct covey_compare_queries {
    size_t n;
    const char **sql; /* [n] SELECT COUNT(*) WHERE ..., in the arena */
    int64_t *truth;   /* [n] > 0 */
} covey_compare_queries;

/**
 * Draws n counting queries as `covey measure` does ([CaoKarras12] section 6.4): each over up to three quasi-identifiers
 * and the first sensitive attribute, about a tenth of all rows.  Queries that no row fits are drawn again; if that does
 * not help the workload is smaller.  There is none without a quasi-identifier; without a sensitive attribute they are
 * over quasi-identifiers alone.
 *
 * @param run  its seed is used; without one the same queries are drawn every time
 */
covey_status covey_i_compare_queries_draw(covey_compare_queries *out, const covey_problem *problem, size_t n,
                                          covey_arena *arena, const covey_run *run, covey_error *err);

/* How well a release answers; NaN where nothing is known. */
typedef struct covey_compare_answers {
    size_t n_estimated;
    double median_error; /* of |estimate - truth| / truth, over the queries with an estimate */
    double median_width; /* of (upper - lower) / truth, over those with both bounds */
} covey_compare_answers;

/* Asks the release in a folder.  COVEY_EINVAL for a form that queries are not built for. */
covey_status covey_i_compare_queries_ask(covey_compare_answers *out, const covey_compare_queries *workload,
                                         const char *folder, const covey_run *run, covey_error *err);

#endif
