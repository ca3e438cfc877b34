/* Queries over forms whose rows are exact and whose sensitive numbers have a help table, as SQL. */
#ifndef COVEY_BUCKETIZED_SQL_H
#define COVEY_BUCKETIZED_SQL_H

#include "query/rewrite.h"

covey_status covey_i_bucketized_rewrite(covey_rewriting *r, covey_error *err);

/* The same for any such form.  No condition on the sensitive column, unless the table sensitive has its values; n_unknown: suppressed rows that may be
 * selected. */
covey_status covey_i_rewrite_by_help(covey_rewriting *r, uint32_t sensitive, int64_t n_unknown, covey_error *err);

/* SQLite keeps a help table's decimals in doubles: may sums of the column be as large as this, times 10^scale?  COVEY_EINVAL if not. */
covey_status covey_i_rewrite_sum_fits(const covey_rewriting *r, uint32_t sensitive, covey_i128 sum, covey_error *err);

#endif
