/* help.csv, for every form whose rows stand in groups: what follows about SUM, MIN and MAX of any 1, 2, ... rows of a
 * group. */
#ifndef COVEY_RELEASE_SHEET_HELP_SHEET_H
#define COVEY_RELEASE_SHEET_HELP_SHEET_H

#include "release/release_impl.h"

/* Entries of a group with the same end. */
typedef struct covey_help_run {
    int64_t end; /* in units of 10^-scale */
    uint32_t n;  /* > 0 */
} covey_help_run;

/* Fills the lower and the upper ends of a group's entries, each ascending; [most_runs] have room.  Returns how many
 * runs there are; of both as many. */
typedef uint32_t (*covey_help_runs)(covey_help_run *low, covey_help_run *high, const void *context, uint32_t group);

typedef struct covey_help {
    const covey_release *release; /* a group has no fewer entries than rows */
    int scale;
    uint32_t most_runs; /* of any group */
    covey_help_runs list;
    const void *context;
} covey_help;

/* Of rows whose values lie in intervals, any c have a sum of at least the c smallest lower ends, and so on; of single
 * values both ends are the value. */
covey_status covey_i_help_write(const covey_help *help, const char *folder, covey_files *files, const covey_run *run,
                                covey_error *err);

#endif
