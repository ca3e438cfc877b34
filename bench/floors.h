/* What publishing is compared with, and how a case is run: in a process of its own, so that its peak memory is its own.
 */
#ifndef COVEY_BENCH_FLOORS_H
#define COVEY_BENCH_FLOORS_H

#include <stdbool.h>
#include <stdint.h>

struct result {
    bool ok;
    double read, anonymize, write, hash, verify; /* seconds */
    double ail;
    int64_t classes;
    long peak_kib;
    char why[256]; /* it is not ok */
};

typedef void bench_work(struct result *, const void *argument);

/* Runs work in a child and hands its result and peak memory back. */
struct result bench_in_a_child(bench_work *work, const void *argument);

/* Reading, anonymizing and writing. */
double bench_cost(const struct result *r);

/* Takes r for best if it was quicker, or if there is none yet. */
void bench_keep_faster(struct result *best, const struct result *r);

/* The quickest of so many runs. */
struct result bench_fastest(bench_work *work, const void *argument, int repeats);

struct copy_argument {
    const char *input, *target;
};

/* Floors of files; the argument is a struct copy_argument. */
void bench_copy(struct result *result, const void *argument); /* through the library's reader and writer: read, write */
void bench_cp(struct result *result, const void *argument);   /* its bytes: write */

/* Floors of methods; the argument is the number of rows, an int64_t.  anonymize */
void bench_memory_copy(struct result *result, const void *argument); /* six codes of a byte a row, as census has */
void bench_radix_sort(struct result *result, const void *argument);  /* rows by keys of 32 bits, on one thread */

#endif
