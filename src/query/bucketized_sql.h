/* Queries over the form "bucketized" as SQL. */
#ifndef COVEY_BUCKETIZED_SQL_H
#define COVEY_BUCKETIZED_SQL_H

#include "query/rewrite.h"

covey_status covey_i_bucketized_rewrite(covey_rewriting *r, covey_error *err);

#endif
