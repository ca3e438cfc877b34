/* Queries over the form "generalized" as SQL. */
#ifndef COVEY_QUERY_GENERALIZED_SQL_H
#define COVEY_QUERY_GENERALIZED_SQL_H

#include "query/rewrite/rewrite.h"

covey_status covey_i_generalized_rewrite(covey_rewriting *r, covey_error *err);

#endif
