/* counterfeits.csv: how many rows of each class are nobody's. */
#ifndef COVEY_RELEASE_COUNTERFEITS_TABLE_H
#define COVEY_RELEASE_COUNTERFEITS_TABLE_H

#include "release/release_impl.h"

#define COVEY_COUNTERFEITS_TABLE "counterfeits.csv"

/* Do the promises ask for the number of made-up rows of each class? */
bool covey_i_counterfeits_table_is_wanted(const covey_promises *promises);
/* Writes counterfeits.csv: how many rows of each class are made up. */
covey_status covey_i_counterfeits_table_write(const covey_release *release, const char *folder, covey_files *files,
                                              covey_error *err);

#endif
