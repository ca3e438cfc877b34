/* Queries over sliced releases as SQL. */
#ifndef COVEY_QUERY_SLICED_SQL_H
#define COVEY_QUERY_SLICED_SQL_H

#include "query/rewrite/rewrite.h"

/* COVEY_EINVAL where columns overlap, cells are generalized, or the condition links columns in another way than AND or
 * OR of parts that each speak of one. */
covey_status covey_i_sliced_rewrite(covey_rewriting *r, covey_error *err);

#endif
