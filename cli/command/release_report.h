/* What is said of a release that was just made; see command/anonymize.c. */
#ifndef COVEY_CLI_COMMAND_RELEASE_REPORT_H
#define COVEY_CLI_COMMAND_RELEASE_REPORT_H

#include "args.h"

/* original: what the release was made from; NULL: not known.  links: NULL, or the list of classes that was written. */
covey_status cli_print_release(const covey_anonymize_report *report, const char *target, const char *original,
                               const char *links, bool json, covey_error *err);

#endif
