/* Allocating, with checked sizes. */
#include "base/alloc.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

#ifdef COVEY_ALLOC_FAILS

static _Atomic int64_t fail_at; /* 0: never */
static _Atomic int64_t n_requests;

void covey_i_alloc_fail_at(int64_t n)
{
    atomic_store(&n_requests, 0);
    atomic_store(&fail_at, n);
}

static bool must_fail(void)
{
    int64_t at = atomic_load_explicit(&fail_at, memory_order_relaxed);
    int64_t n = atomic_fetch_add_explicit(&n_requests, 1, memory_order_relaxed) + 1;

    return at > 0 && n >= at;
}

#else

static bool must_fail(void)
{
    return false;
}

#endif

void *covey_i_malloc(size_t size)
{
    return must_fail() ? NULL : malloc(size ? size : 1);
}

void *covey_i_array(size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes))
        return NULL;
    return covey_i_malloc(bytes);
}

void *covey_i_array_full(size_t n, size_t size)
{
    void *array = NULL;
    size_t bytes, large;

    if (__builtin_mul_overflow(n, size, &bytes))
        return NULL;
    if (bytes < LARGE_PAGE / 4 * 3 || bytes > SIZE_MAX - LARGE_PAGE)
        return covey_i_malloc(bytes);
    large = (bytes + LARGE_PAGE / 4) / LARGE_PAGE *
            LARGE_PAGE; /* a last page that is hardly needed would cost more than it saves */
    if (must_fail() || posix_memalign(&array, LARGE_PAGE, bytes > large ? bytes : large) != 0)
        return NULL;
    madvise(array, large, MADV_HUGEPAGE); /* whether or not it can; docs/design/speed.md */
    return array;
}

void *covey_i_array_zero(size_t n, size_t size)
{
    if (must_fail())
        return NULL;
    return calloc(n ? n : 1, size ? size : 1);
}

void *covey_i_realloc(void *p, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes) || must_fail())
        return NULL;
    return realloc(p, bytes ? bytes : 1);
}

char *covey_i_strndup(const char *text, size_t size)
{
    char *copy = covey_i_malloc(size + 1);

    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

char *covey_i_strdup(const char *text)
{
    return covey_i_strndup(text, strlen(text));
}

void covey_i_free(void *p)
{
    free(p);
}

int64_t covey_i_free_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "re");
    int64_t kib = 0;
    char line[160];

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNd64 " kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}
