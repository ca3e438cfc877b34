/* What commands read beside a release: the table that it was made from, and who its rows are. */
#ifndef COVEY_CLI_ORIGINAL_H
#define COVEY_CLI_ORIGINAL_H

#include "args.h"

/* The table that a release was made from, and those of its columns that are never published, or need not be: as
 * options name them, else as the policy behind --policy does. */
typedef struct cli_original {
    const char *source, *entity, *within, *weight; /* NULL: neither says so */
    covey_policy *policy;                          /* NULL: no --policy was given */
    char digits[3][12];
} cli_original;

/* Reads --original, --entity, --within, --weight and --policy; what covey_policy_read returns. */
covey_status cli_original_read(cli_original *out, const cli_call *call, covey_error *err);
void cli_original_clear(cli_original *original);

#endif
