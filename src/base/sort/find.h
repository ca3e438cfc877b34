/* Finding a place among numbers that ascend, by bisection. */
#ifndef COVEY_BASE_SORT_FIND_H
#define COVEY_BASE_SORT_FIND_H

#include <stdint.h>

/* The first place from begin to end - 1 whose number is not below `number`; end if all are. */
static inline uint32_t covey_i_find_from(const uint32_t *ascending, uint32_t begin, uint32_t end, uint32_t number)
{
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;

        if (ascending[middle] < number)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Which of n spans holds a place: the last that starts there or in front of it; the first if none does. */
static inline uint32_t covey_i_find_span(const uint32_t *start, uint32_t n, uint32_t place)
{
    uint32_t low = 0, high = n;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (start[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
