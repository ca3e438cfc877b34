/* What the files of BUREL share.
 *
 *   burel.c           the method
 *   buckets.c   DPpartition: sensitive values to buckets
 *   draw.h            the rest, which it shares with SABRE
 *
 * Source: [CaoKarras12] section 4; decisions and departures in docs/design/burel.md. */
#ifndef COVEY_METHOD_BUREL_BUREL_H
#define COVEY_METHOD_BUREL_BUREL_H

#include "method/draw/draw.h"

/**
 * Finds the fewest runs of n_values values, ascending by count, such that a run's rows fit the limit of its rarest
 * value: sum * scale <= limit[rarest] (strict: <).  A single value is always a run.  Ties: the last run as short as
 * possible, and so on.
 *
 * @param first  [n_values + 1] receives where each run begins, and n_values behind the last
 * @param scratch  [2 * (n_values + 1)]
 * @return the number of runs
 *
 * Source: [CaoKarras12] section 4.3, DPpartition.
 */
size_t covey_i_burel_partition(uint32_t *first, const int64_t *count, const int64_t *limit, size_t n_values,
                               int64_t scale, bool strict, uint32_t *scratch);

/* Makes buckets from how often each value occurs among the n_rows rows: sum / n_rows <= (1 - slack) f(rarest). */
covey_status covey_i_burel_buckets_new(covey_draw_buckets *buckets, const covey_promises *promises, int view,
                                       const int64_t *count, uint32_t n_rows, covey_ratio slack, bool strict,
                                       covey_arena *arena, covey_error *err);

#endif
