/* A release whose tables lie in several places: each place tells what it has counted for a query, and one adds up.
 *
 * The same code does both.  Where a form has counted rows and goes on to figures, it hands what it has counted to these
 * functions: at a place they write it down, and where all is added up, and nothing was counted, they put the sum of
 * what all places have written there.  Both open a release with the same cells, so that slots, kinds and groups are the
 * same (covey_query_open_piece). */
#ifndef COVEY_QUERY_EXCHANGE_H
#define COVEY_QUERY_EXCHANGE_H

#include "base/text.h"
#include "query/query_impl.h"

struct covey_query_exchange {
    bool gathers;    /* writes down, and gives no answer */
    covey_text text; /* what is written */
    struct covey_exchange_reader {
        const unsigned char *at, *end;
    } * reader; /* [n_readers] what is added up */
    size_t n_readers;
};

covey_status covey_i_exchange_numbers(covey_query_exchange *x, int64_t *number, size_t n, covey_error *err);
covey_status covey_i_exchange_double(covey_query_exchange *x, double *number, covey_error *err);
covey_status covey_i_exchange_wide(covey_query_exchange *x, covey_i128 *number, covey_error *err);
/* Of all places the least, or the greatest; *exists: is there one? */
covey_status covey_i_exchange_extreme(covey_query_exchange *x, bool *exists, int64_t *number, bool is_least,
                                      covey_error *err);
covey_status covey_i_exchange_sure(covey_query_exchange *x, covey_sure_values *sure, covey_error *err);
covey_status covey_i_exchange_maybe(covey_query_exchange *x, covey_selected_values *v, covey_error *err);

/* Does the query's form answer now?  Not at a place. */
static inline bool covey_i_exchange_answers(const covey_bound_query *query)
{
    return !query->exchange || !query->exchange->gathers;
}

#endif
