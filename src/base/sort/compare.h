/* What qsort and bsearch ask about plain values: from the smallest to the largest, or down. */
#ifndef COVEY_BASE_SORT_COMPARE_H
#define COVEY_BASE_SORT_COMPARE_H

#include <stdint.h>
#include <string.h>

#define COVEY_COMPARE(name, type)                                                                                      \
    static inline int covey_i_compare_##name(const void *a, const void *b)                                             \
    {                                                                                                                  \
        const type x = *(const type *)a, y = *(const type *)b;                                                         \
                                                                                                                       \
        return (x > y) - (x < y);                                                                                      \
    }                                                                                                                  \
    static inline int covey_i_compare_##name##_down(const void *a, const void *b)                                      \
    {                                                                                                                  \
        return covey_i_compare_##name(b, a);                                                                           \
    }

COVEY_COMPARE(u32, uint32_t)
COVEY_COMPARE(u64, uint64_t)
COVEY_COMPARE(i64, int64_t)
COVEY_COMPARE(double, double)
#undef COVEY_COMPARE

static inline int covey_i_compare_strings(const void *a, const void *b) /* of char * */
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#endif
