/* Policies as files; for whoever writes one. */
#ifndef COVEY_POLICY_FILE_H
#define COVEY_POLICY_FILE_H

#include "base/text.h"

/* Appends path as seen from folder, which ends with "/" ("": from here); false without memory. */
bool covey_i_policy_relative(covey_text *out, const char *path, const char *folder);

/* Writes text as a file, with force in place of one that is there; COVEY_ENOMEM if it is broken, COVEY_EEXIST,
 * COVEY_EIO. */
covey_status covey_i_policy_save(const covey_text *text, const char *path, bool force, covey_error *err);

#endif
