/* Wall-clock time. */
#ifndef COVEY_BASE_CLOCK_H
#define COVEY_BASE_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment; never goes back. */
static inline double covey_i_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
