/* Numbers with copies, and partitions of them. */
#include "method/ke/ke.h"

#include "base/error.h"

void covey_i_ke_errors(covey_i128 *sum, int64_t *max, const covey_ke_partition *partition,
                       const covey_ke_values *values)
{
    *sum = 0;
    *max = 0;
    for (uint32_t g = 0; g < partition->n_groups; g++) {
        const int64_t low = values->value[partition->share[partition->start[g]].value];
        const int64_t high = values->value[partition->share[partition->start[g + 1] - 1].value];

        *sum += high - low;
        *max = high - low > *max ? high - low : *max;
    }
}

uint32_t covey_i_ke_size(const covey_ke_partition *partition, uint32_t group)
{
    uint32_t size = 0;

    for (size_t i = partition->start[group]; i < partition->start[group + 1]; i++)
        size += partition->share[i].copies;
    return size;
}

covey_status covey_i_ke_singles(covey_ke_partition *out, const covey_ke_values *values, covey_arena *arena,
                                covey_error *err)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < values->n; v++)
        n += values->copies[v];
    *out = (covey_ke_partition){n, covey_arena_array(arena, size_t, (size_t)n + 1),
                                covey_arena_array(arena, covey_ke_share, n)};
    if (!out->start || !out->share)
        return covey_i_no_memory(err);
    n = 0;
    for (uint32_t v = 0; v < values->n; v++)
        for (uint32_t i = 0; i < values->copies[v]; i++, n++) {
            out->start[n] = n;
            out->share[n] = (covey_ke_share){v, 1};
        }
    out->start[n] = n;
    return COVEY_OK;
}
