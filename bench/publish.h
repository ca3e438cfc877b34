/* From a generated census table to a release, as covey anonymize does it. */
#ifndef COVEY_BENCH_PUBLISH_H
#define COVEY_BENCH_PUBLISH_H

#include <stdint.h>

#include "floors.h"

struct publish_argument {
    const char *input; /* the table; salary is sensitive, hierarchies are in the folder beside it */
    const char *quasi, *method, *model;
    const char *target;   /* the release, written over */
    int64_t memory_limit; /* in parts; 0: at once */
};

/* Runs it; the argument is a struct publish_argument. */
void bench_publish(struct result *result, const void *argument);

int64_t bench_size_of(const char *path);           /* of a file, in bytes; -1: there is none */
int64_t bench_size_of_release(const char *folder); /* of its tables */

#endif
