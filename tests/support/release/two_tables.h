/* A release in two tables that is small enough to check by hand, for tests of the audit.
 *
 *     original              quasi.csv             sensitive.csv        help.csv (group 1: 10, 20.5; group 2: 10, 20.5,
 * 30) age city note pay     group age city note   group pay  count 20  A    x    10      1     20  A    x      1     10
 * 1 25  A    x    20.5    1     25  A    x      1     20.5 1 30  B    y    10      2     30  B    x      2     10   1
 *     30  B    x    20.5    2     30  B    y      2     20.5 1
 *     40       x    30      2     40       x      2     30   1 */
#ifndef COVEY_TESTS_TWO_TABLES_H
#define COVEY_TESTS_TWO_TABLES_H

#include "support/release/release_folder.h"

/* A new folder with the release and its original; the manifest is not written yet. */
void two_tables(release_folder *r);

#endif
