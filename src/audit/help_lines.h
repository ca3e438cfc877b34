/* help.csv compared as text; see help_lines.c. */
#ifndef COVEY_HELP_LINES_H
#define COVEY_HELP_LINES_H

#include "audit/audit_form.h"

/* The groups that a help.csv is about. */
typedef struct covey_help_groups {
    uint32_t n;
    const uint32_t *row_start; /* [n + 1] a group has as many lines as rows */
    size_t most;               /* rows of the largest */
    int scale;                 /* of the values: digits behind the point */
    covey_help_list list; const void *context; /* of the values; on several threads at once */
} covey_help_groups;

/* *follow: the file is, byte for byte, what follows from the groups.  If not, nothing is said about it yet. */
covey_status covey_i_help_lines_follow(bool *follow, const covey_help_groups *groups, const char *path, const covey_run *run, covey_error *err);

#endif
