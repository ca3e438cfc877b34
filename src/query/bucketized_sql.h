/* Queries over the form "bucketized" as SQL. */
#ifndef COVEY_BUCKETIZED_SQL_H
#define COVEY_BUCKETIZED_SQL_H

#include "query/rewrite.h"

covey_status covey_i_bucketized_rewrite(covey_rewriting *r, covey_error *err);

/* Suppressed rows that may satisfy the query's condition: all, if any row can. */
covey_status covey_i_bucketized_suppressed(int64_t *out, const covey_query_release *release, const covey_bound_query *query, covey_arena *arena,
                                           covey_error *err);

#endif
