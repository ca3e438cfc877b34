/* Bucketized releases written by hand, help table included: integers as the sensitive column "pay". */
#ifndef COVEY_TESTS_BUCKET_RELEASE_H
#define COVEY_TESTS_BUCKET_RELEASE_H

#include <limits.h>

#include "support/release/release_folder.h"

enum { BUCKET_MOST_ROWS = 16, BUCKET_MISSING = INT_MIN };

typedef struct bucket_group {
    int n_rows;
    const char *cells[BUCKET_MOST_ROWS]; /* the lines of quasi.csv without the group */
    int pay[BUCKET_MOST_ROWS];           /* in any order; with a BUCKET_MISSING anywhere there is no help table */
} bucket_group;

/* columns: the manifest's "columns" of quasi.csv as JSON with ' for "; header: their names as in the CSV file. */
void bucket_release(release_folder *r, const char *header, const char *columns, const bucket_group *group,
                    int n_groups);

#endif
