/* See floors.h. */
#include "floors.h"

#include <covey/covey.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

enum { N_COLUMNS = 6 };

struct result bench_in_a_child(bench_work *work, const void *argument)
{
    struct result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                  result;
    struct rusage usage;
    pid_t child;
    int status;

    if (shared == MAP_FAILED)
        bench_die("mmap", strerror(errno));
    memset(shared, 0, sizeof *shared);
    fflush(NULL);
    if ((child = fork()) < 0)
        bench_die("fork", strerror(errno));
    if (child == 0) {
        work(shared, argument);
        _exit(0);
    }
    if (wait4(child, &status, 0, &usage) < 0)
        bench_die("wait", strerror(errno));
    shared->peak_kib = usage.ru_maxrss;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        shared->ok = false;
    result = *shared;
    munmap(shared, sizeof *shared);
    return result;
}

double bench_cost(const struct result *r)
{
    return r->read + r->anonymize + r->write;
}

void bench_keep_faster(struct result *best, const struct result *r)
{
    if (!best->ok || (r->ok && bench_cost(r) < bench_cost(best)))
        *best = *r;
}

struct result bench_fastest(bench_work *work, const void *argument, int repeats)
{
    struct result best = {0};

    for (int i = 0; i < repeats; i++) {
        const struct result r = bench_in_a_child(work, argument);

        bench_keep_faster(&best, &r);
    }
    return best;
}

void bench_copy(struct result *result, const void *argument)
{
    const struct copy_argument *a = argument;
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_run run = COVEY_RUN_INIT;
    covey_table *table;
    covey_error err;
    double begin = bench_now();

    if (covey_csv_read(&table, a->input, &options, &run, &err) != COVEY_OK)
        bench_die("copy", err.message);
    result->read = bench_now() - begin;
    begin = bench_now();
    remove(a->target);
    if (covey_csv_write(table, a->target, ',', &run, &err) != COVEY_OK)
        bench_die("copy", err.message);
    result->write = bench_now() - begin;
    result->ok = true;
    covey_table_free(table);
}

void bench_cp(struct result *result, const void *argument)
{
    const struct copy_argument *a = argument;
    double begin = bench_now();
    char piece[1 << 16];
    int from = open(a->input, O_RDONLY), to = open(a->target, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n;

    if (from < 0 || to < 0)
        bench_die("cp", strerror(errno));
    while ((n = read(from, piece, sizeof piece)) > 0)
        if (write(to, piece, (size_t)n) != n)
            bench_die("cp", strerror(errno));
    close(from);
    close(to);
    result->write = bench_now() - begin;
    result->ok = true;
}

/* --- floors in memory --- */

/* Codes of a byte, as those of census are. */
void bench_memory_copy(struct result *result, const void *argument)
{
    const size_t n = (size_t) * (const int64_t *)argument * N_COLUMNS;
    char *from = malloc(n), *to = malloc(n);
    double begin;

    if (!from || !to)
        bench_die("memory", strerror(errno));
    memset(from, 1, n);
    memset(to, 2, n);
    begin = bench_now();
    memcpy(to, from, n);
    result->anonymize = bench_now() - begin;
    result->ok = to[n / 2] == 1;
}

/* Rows by keys of 32 bits, a byte at a time, on one thread. */
void bench_radix_sort(struct result *result, const void *argument)
{
    const size_t n = (size_t) * (const int64_t *)argument;
    uint64_t *pair = malloc(n * sizeof *pair), *other = malloc(n * sizeof *other);
    uint32_t key = 1;
    double begin;

    if (!pair || !other)
        bench_die("memory", strerror(errno));
    for (size_t i = 0; i < n; i++) {
        key = key * 1664525u + 1013904223u;
        pair[i] = (uint64_t)key << 32 | (uint32_t)i;
    }
    memset(other, 1, n * sizeof *other);
    begin = bench_now();
    for (int shift = 32; shift < 64; shift += 8) {
        size_t start[257] = {0};
        uint64_t *swap = pair;

        for (size_t i = 0; i < n; i++)
            start[(pair[i] >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            start[digit + 1] += start[digit];
        for (size_t i = 0; i < n; i++)
            other[start[pair[i] >> shift & 255]++] = pair[i];
        pair = other;
        other = swap;
    }
    result->anonymize = bench_now() - begin;
    result->ok = pair[0] <= pair[n - 1];
}
