/* Files that commands write: not over what they read. */
#ifndef COVEY_CLI_SPARE_H
#define COVEY_CLI_SPARE_H

#include <covey/covey.h>

/* COVEY_EINVAL if target and input are the same file, by whatever name: --force is for what an earlier run wrote.  NULL
 * as input is no file. */
covey_status cli_spare_input(const char *target, const char *input, covey_error *err);

/* COVEY_EINVAL if target would stand in a release's folder, in which a file that its manifest does not name breaks it.
 */
covey_status cli_spare_release(const char *target, const char *release, covey_error *err);

#endif
