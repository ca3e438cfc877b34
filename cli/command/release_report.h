/* What is said of a release that was just made; see command/anonymize.c. */
#ifndef COVEY_CLI_COMMAND_RELEASE_REPORT_H
#define COVEY_CLI_COMMAND_RELEASE_REPORT_H

#include "args.h"

/* What a release was made from, as whoever verifies it has to name it. */
typedef struct cli_made_from {
    const char *original;        /* NULL: not known */
    const char *links;           /* the list of classes that was written; NULL: none */
    const char *ledger;          /* of m-invariant releases, and the others that it knows; NULL: none */
    const char *const *previous; /* [n_previous] */
    size_t n_previous;
    const char *entity, *within; /* the columns that name units; NULL: none */
} cli_made_from;

covey_status cli_print_release(const covey_anonymize_report *report, const char *target, const cli_made_from *from,
                               bool json, covey_error *err);

#endif
