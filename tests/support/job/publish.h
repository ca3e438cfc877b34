/* Releases by a policy's text, in the folder of support/csvs.h. */
#ifndef COVEY_TESTS_PUBLISH_H
#define COVEY_TESTS_PUBLISH_H

#include <covey/job.h>

/**
 * Writes the policy to policy.yaml and makes the release csv_path(name) by it.
 *
 * @param what  names the case where the test fails
 * @return true: it is there; false: no release keeps the policy.  The test fails for any other reason.
 */
bool publish_policy(const char *what, const char *policy, const char *name, const covey_anonymize_options *options,
                    const covey_run *run);

#endif
