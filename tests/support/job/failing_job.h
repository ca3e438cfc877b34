/* The main job on a small table, while every allocation fails once: the job says so, leaves nothing behind, and leaks
 * nothing (the sanitizers watch). Those of the JSON library are its own: where it runs out of memory it complains of
 * the text instead. */
#ifndef COVEY_TESTS_FAILING_JOB_H
#define COVEY_TESTS_FAILING_JOB_H

/* Of the group of tests: the folder with the table. */
int failing_job_set_up(void **state);
int failing_job_tear_down(void **state);

/* Runs the job with the first, the second, ... allocation failing until none is left.  more: privacy and further keys.
 */
void failing_job_each(const char *method, const char *role_of_age, const char *role_of_disease, const char *more);

#endif
