/* A generalized release as its reader sees it. */
#ifndef COVEY_READER_GENERALIZED_GENERALIZED_H
#define COVEY_READER_GENERALIZED_GENERALIZED_H

#include "reader/form_impl.h"

#define COVEY_GENERALIZED_TABLE "table.csv"

/* Says what the columns of the table are called. */
void covey_i_generalized_expect(covey_opened_table *table, covey_opened *o);

#endif
