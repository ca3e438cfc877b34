/* Queries over the form "perturbed" as SQL. */
#ifndef COVEY_QUERY_PERTURBED_SQL_H
#define COVEY_QUERY_PERTURBED_SQL_H

#include "query/rewrite/rewrite.h"

covey_status covey_i_perturbed_rewrite(covey_rewriting *r, covey_error *err);

#endif
