/* What several models ask of a histogram. */
#ifndef COVEY_MODEL_COUNTS_H
#define COVEY_MODEL_COUNTS_H

#include <covey/table.h>

#include "base/exact/fraction.h"

/* r_1: the count of the most frequent value; *value (may be NULL) receives which, the smallest code if there are
 * several.  O(n_present) */
int64_t covey_i_counts_largest(const covey_histogram *h, uint32_t *value);

/* r_l + r_(l+1) + ... + r_d, the counts in descending order without the l-1 largest; l >= 1.  O(n_present log r_1) */
int64_t covey_i_counts_tail(const covey_histogram *h, int64_t l);

/* The values with a positive count in ascending order, so that sums of doubles do not depend on the order in which rows
 * came.  Works on the stack: a class with more values than the buffer holds is scanned through the whole domain, which
 * is then hardly longer. */
enum { COVEY_ASCENDING_BUFFER = 1024 };

typedef struct covey_ascending {
    const covey_histogram *h;
    uint32_t next, n;
    bool scan;
    uint32_t value[COVEY_ASCENDING_BUFFER];
} covey_ascending;

void covey_i_ascending_init(covey_ascending *a, const covey_histogram *h);

static inline bool covey_i_ascending_next(covey_ascending *a, uint32_t *value)
{
    if (a->scan)
        while (a->next < a->n && a->h->count[a->next] <= 0)
            a->next++;
    if (a->next >= a->n)
        return false;
    *value = a->scan ? a->next : a->value[a->next];
    a->next++;
    return true;
}

#endif
