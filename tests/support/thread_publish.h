/* What a method publishes with one thread and with many. */
#ifndef COVEY_TESTS_THREAD_PUBLISH_H
#define COVEY_TESTS_THREAD_PUBLISH_H

#include "support/problem/problem_maker.h"

/* Fails unless one thread and six publish the same with the seed 3. */
void threads_publish_the_same(const char *method, const char *params, problem_maker *m);

#endif
