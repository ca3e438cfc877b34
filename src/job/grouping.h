/* From the policy's `groups` to the fixed groups of a problem. */
#ifndef COVEY_JOB_GROUPING_H
#define COVEY_JOB_GROUPING_H

#include "job/prepare.h"

/**
 * Fills group_of_row and its kin of a problem that is complete otherwise; nothing to do if the policy has no groups.
 *
 * @return COVEY_EINVAL for attributes that cannot make such groups; COVEY_EINFEASIBLE if the method of the groups finds
 * no classes
 */
covey_status covey_i_group_rows(covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                                covey_error *err);

#endif
