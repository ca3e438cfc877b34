/* Whom the rows of a policy's table belong to, and how many people they stand for. */
#ifndef COVEY_POLICY_ENTITY_H
#define COVEY_POLICY_ENTITY_H

#include <covey/policy.h>

/* The attribute with the role entity; NULL: rows stand for themselves. */
const covey_wish_attribute *covey_i_policy_entity(const covey_policy *policy);
/* The attribute with the role weight; NULL: a row stands for one person. */
const covey_wish_attribute *covey_i_policy_weight(const covey_policy *policy);

#endif
