/* Queries over forms whose rows are exact and whose sensitive numbers have a help table, as SQL. */
#ifndef COVEY_QUERY_BUCKETIZED_SQL_H
#define COVEY_QUERY_BUCKETIZED_SQL_H

#include "query/rewrite/rewrite.h"

covey_status covey_i_bucketized_rewrite(covey_rewriting *r, covey_error *err);

/* What a form's tables say about the sensitive values of a group. */
typedef struct covey_rewrite_values {
    /* Appends ", p AS (SELECT ...)": per group g how many values, p, can pass the tests of an attribute of the
     * condition. */
    covey_status (*write_passing)(covey_rewriting *r, uint32_t linked, covey_error *err);
    const char *can_fail; /* how many can fail them, from columns of p */
    const char *ends[2];  /* columns of sensitive.csv with the least and the greatest value of an entry; NULL: the
                             sensitive column itself */
    /* Appends ", m AS (SELECT ...)": per group g the mean of a value of the sensitive column.  p has the chance of
     * passing, share. */
    covey_status (*write_means)(covey_rewriting *r, uint32_t sensitive, covey_error *err);
} covey_rewrite_values;

/* The same for any such form; n_unknown: suppressed rows that may be selected. */
covey_status covey_i_bucketized_rewrite_by_help(covey_rewriting *r, uint32_t sensitive,
                                                const covey_rewrite_values *values, int64_t n_unknown,
                                                covey_error *err);

/* SQLite keeps a help table's decimals in doubles: may sums of the column be as large as this, times 10^scale?
 * COVEY_EINVAL if not. */
covey_status covey_i_bucketized_rewrite_sum_fits(const covey_rewriting *r, uint32_t sensitive, covey_i128 sum,
                                                 covey_error *err);

#endif
