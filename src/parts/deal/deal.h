/* Dealing the rows of a table to the parts of its plan. */
#ifndef COVEY_PARTS_DEAL_DEAL_H
#define COVEY_PARTS_DEAL_DEAL_H

#include "io/csv/stream.h"
#include "parts/plan/plan.h"

/* Rows that are dealt at once. */
enum { COVEY_DEAL_SLICE = 1 << 14 };

/* Takes n rows of a part, covey_i_plan_row_size bytes each.  Called on several threads at once; the order of rows
 * depends on them. */
typedef covey_status (*covey_deal_sink)(void *context, uint32_t part, const unsigned char *rows, uint32_t n,
                                        covey_error *err);

/* How rows of a plan come to their parts. */
typedef struct covey_dealer {
    const covey_plan *plan;
    covey_deal_sink sink;
    void *context;
} covey_dealer;

/* Deals n <= COVEY_DEAL_SLICE rows: code [n_columns][n], as wide as the plan's. */
covey_status covey_i_deal_slice(const covey_dealer *dealer, const void *const *code, uint32_t n, covey_error *err);

/* Deals the rows of s->p->table, but for those that are dropped; n_rows: receives how many.  s: as for
 * covey_i_deal_stream, its roles are filled here if they are not. */
covey_status covey_i_deal_table(int64_t *n_rows, const covey_dealer *dealer, covey_preparing *s, covey_error *err);

/**
 * Reads the stream from its beginning and hands each row that is not dropped to the sink.
 *
 * @param n_rows  receives the rows that were dealt, n_dropped those that the policy drops
 * @param s       new, with found as the stream's header has filled it; its roles and n_dropped are filled here
 * @return COVEY_EINVAL for a value that the plan does not know, with its line: the table is another one, or has changed
 */
covey_status covey_i_deal_stream(int64_t *n_rows, int64_t *n_dropped, const covey_dealer *dealer,
                                 covey_csv_stream *stream, covey_preparing *s, covey_error *err);

#endif
