/* Queries over the form "generalized" as SQL. */
#ifndef COVEY_GENERALIZED_SQL_H
#define COVEY_GENERALIZED_SQL_H

#include "query/rewrite.h"

covey_status covey_i_generalized_rewrite(covey_rewriting *r, covey_error *err);

/* Suppressed rows that may satisfy the query's condition. */
covey_status covey_i_generalized_suppressed(int64_t *out, const covey_query_release *release, const covey_bound_query *query, covey_arena *arena,
                                            covey_error *err);

#endif
