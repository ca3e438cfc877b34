/* The order of the groups of a release in two tables. */
#ifndef COVEY_RELEASE_BUCKETIZED_GROUP_ORDER_H
#define COVEY_RELEASE_BUCKETIZED_GROUP_ORDER_H

#include "release/bucketized/bucketized.h"

/* by_order: [n_groups] receives the groups of sorted members in their order. */
covey_status covey_i_groups_order(uint32_t *by_order, const covey_members *members, const covey_column *sensitive,
                                  covey_group_order order, const covey_run *run, covey_error *err);

#endif
