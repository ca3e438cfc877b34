/* Policies as texts, for files that hold one among other things. */
#ifndef COVEY_POLICY_TEXT_H
#define COVEY_POLICY_TEXT_H

#include <covey/policy.h>

#include "base/text.h"

/* Appends a checked policy as YAML, with paths as seen from the folder ("", or with a slash at its end). */
covey_status covey_i_policy_print(covey_text *out, const covey_policy *policy, const char *folder, covey_error *err);

#endif
