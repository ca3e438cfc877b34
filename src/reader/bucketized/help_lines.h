/* help.csv compared as text, see help_lines.c: verifying anatomy takes 1.4 times its time where it is read as a table
 * (docs/design/speed.md). */
#ifndef COVEY_READER_BUCKETIZED_HELP_LINES_H
#define COVEY_READER_BUCKETIZED_HELP_LINES_H

#include <covey/base.h>

#include "base/file/infile.h"

/* The ends of the intervals that the values of a group lie in, both ascending; returns how many there are. */
typedef size_t (*covey_help_list)(int64_t *low, int64_t *high, const void *context, uint32_t group);

/* The groups that a help.csv is about, or some that stand together. */
typedef struct covey_help_groups {
    uint32_t n, before;        /* groups; and how many there are before them */
    const uint32_t *row_start; /* [n + 1] a group has as many lines as rows */
    size_t most;               /* rows of the largest */
    int scale;                 /* of the values: digits behind the point */
    covey_help_list list;
    const void *context; /* of the values; on several threads at once */
} covey_help_groups;

/* *follow: the file is, byte for byte, what follows from the groups.  If not, nothing is said about it yet. */
/* Takes the text; path: what messages call it. */
covey_status covey_i_help_lines_follow(bool *follow, const covey_help_groups *groups, covey_infile *text,
                                       const char *path, const covey_run *run, covey_error *err);

/* The same with groups that come some at a time. */
typedef struct covey_help_reading {
    const char *path;
    covey_infile file;
    const char *at; /* where the next groups begin; NULL: something did not follow */
} covey_help_reading;

void covey_i_help_reading_begin(covey_help_reading *out, covey_infile *text,
                                const char *path); /* takes text; borrows path */
/* The next groups. */
covey_status covey_i_help_reading_compare(covey_help_reading *r, const covey_help_groups *groups, const covey_run *run,
                                          covey_error *err);
/* Behind the last: have all lines followed, and are there no others? */
covey_status covey_i_help_reading_end(bool *follow, const covey_help_reading *r, covey_error *err);
void covey_i_help_reading_close(covey_help_reading *r); /* may be all zeros */

#endif
