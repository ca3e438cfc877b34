/* Histograms: counts per value with a list of the values present. */
#ifndef COVEY_TABLE_HISTOGRAM_H
#define COVEY_TABLE_HISTOGRAM_H

#include <covey/table.h>

#include "base/arena.h"

covey_status covey_i_histogram_new(covey_histogram *h, uint32_t n_values, covey_arena *arena, covey_error *err);
/* Counts every row of a column. */
covey_status covey_i_histogram_of(covey_histogram *h, const covey_column *column, covey_arena *arena, covey_error *err);
void covey_i_histogram_clear(covey_histogram *h); /* O(n_present) */

static inline void covey_i_histogram_add(covey_histogram *h, uint32_t value, int64_t n)
{
    if (h->count[value] == 0 && n > 0) {
        h->n_distinct++;
        if (!h->listed[value]) {
            h->listed[value] = 1;
            h->present[h->n_present++] = value;
        }
    }
    h->count[value] += n;
    h->total += n;
}

static inline void covey_i_histogram_remove(covey_histogram *h, uint32_t value, int64_t n)
{
    h->count[value] -= n;
    h->total -= n;
    if (h->count[value] == 0 && n > 0)
        h->n_distinct--;
}

#endif
