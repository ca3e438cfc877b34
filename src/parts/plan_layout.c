/* Which part a key belongs to, and what a row of a part takes. */
#include "parts/plan.h"

uint32_t covey_i_plan_part(const covey_plan *plan, covey_u128 key)
{
    uint32_t low = 0, high = plan->n_parts - 1; /* splitters below low are at most the key */

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (plan->splitter[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t covey_i_plan_row_size(const covey_plan *plan)
{
    size_t size = 0;

    for (size_t c = 0; c < plan->n_columns; c++)
        size += (size_t)plan->prepared.column[c]->width;
    return size;
}
