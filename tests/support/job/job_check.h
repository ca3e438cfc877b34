/* Looks at a release of a random job with nothing but its files, the job and counting. */
#ifndef COVEY_TESTS_JOB_CHECK_H
#define COVEY_TESTS_JOB_CHECK_H

#include "support/job/recount.h"

/* Fails the test with `what` and the reason if the folder is no release of the job that keeps its promises. */
void job_check_release(random_job *job, const char *folder, const char *what);

/* Can the whole table be published as one class?  1 yes, 0 no, -1: too close to tell with doubles. */
int job_whole_holds(random_job *job);

#endif
