/* Asking many queries of one release. */
#ifndef COVEY_QUERY_RUN_H
#define COVEY_QUERY_RUN_H

#include <covey/query.h>

#include "base/arena.h"

/* covey_query_run_with, with scratch memory from an arena, which is rewound to where it was. */
covey_status covey_i_query_run_in(covey_query_result **out, const covey_query_release *release, const char *sql,
                                  const covey_query_options *options, const covey_run *run, covey_arena *arena,
                                  covey_error *err);

/* Counts a piece, or adds up what was counted of pieces, see exchange.h. */
struct covey_query_exchange;
covey_status covey_i_query_run_exchange(covey_query_result **out, const covey_query_release *release, const char *sql,
                                        struct covey_query_exchange *exchange, const covey_run *run, covey_error *err);

#endif
