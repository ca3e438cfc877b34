/* What every bench needs: a clock, an end with a reason, and a policy's keys. */
#ifndef COVEY_BENCH_COMMON_H
#define COVEY_BENCH_COMMON_H

#include <covey/covey.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seconds since some moment. */
static inline double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

_Noreturn static inline void bench_die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
    exit(3);
}

static inline void bench_set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        bench_die(key, err.message);
}

#endif
