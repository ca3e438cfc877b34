/* Rows one after another: a group is closed as soon as it is valid, and what is left at the end joins the last one.
 * Source: [Zhang07], the baseline of its experiments. */
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "method/ke/ke.h"

/* The group of every row, in order; returns how many groups there are. */
static uint32_t close_groups(uint64_t *group_and_value, const covey_ke_values *values, const uint32_t *order,
                             uint32_t n_rows, const covey_ke_bounds *bounds, uint32_t *seen)
{
    uint32_t n_groups = 0, n_distinct = 0;
    int64_t low = INT64_MAX, high = INT64_MIN;

    for (uint32_t i = 0; i < n_rows; i++) {
        const int64_t number = values->value[order[i]];

        group_and_value[i] = (uint64_t)n_groups << 32 | order[i];
        n_distinct += seen[order[i]] != n_groups + 1;
        seen[order[i]] = n_groups + 1;
        low = number < low ? number : low;
        high = number > high ? number : high;
        if (n_distinct >= bounds->min_distinct && high - low >= bounds->min_range) {
            n_groups++;
            n_distinct = 0;
            low = INT64_MAX;
            high = INT64_MIN;
        }
    }
    /* The unfinished rest. */
    for (uint32_t i = n_rows; n_groups > 0 && i > 0 && group_and_value[i - 1] >> 32 == n_groups; i--)
        group_and_value[i - 1] -= (uint64_t)1 << 32;
    return n_groups > 0 ? n_groups : 1;
}

static int bits_of(uint32_t n)
{
    return n > 0 ? 32 - __builtin_clz(n) : 0;
}

covey_status covey_i_ke_scan(covey_ke_partition *out, const covey_ke_values *values, const uint32_t *order,
                             uint32_t n_rows, const covey_ke_bounds *bounds, covey_arena *arena, covey_error *err)
{
    uint64_t *row = covey_arena_array(arena, uint64_t, n_rows), *scratch = covey_arena_array(arena, uint64_t, n_rows);
    uint32_t *seen = covey_arena_array_zero(arena, uint32_t, values->n);
    covey_ke_partition made = {0};
    size_t at = 0;

    if (!row || !scratch || !seen || !(made.share = covey_arena_array(arena, covey_ke_share, n_rows)))
        return covey_i_no_memory(err);
    made.n_groups = close_groups(row, values, order, n_rows, bounds, seen);
    if (!(made.start = covey_arena_array(arena, size_t, (size_t)made.n_groups + 1)))
        return covey_i_no_memory(err);
    covey_i_sort_u64(row, scratch, n_rows, 32 + bits_of(made.n_groups));
    for (uint32_t i = 0; i < n_rows; i++) {
        if (i == 0 || row[i] >> 32 != row[i - 1] >> 32)
            made.start[row[i] >> 32] = at;
        if (i > 0 && row[i] == row[i - 1])
            made.share[at - 1].copies++;
        else
            made.share[at++] = (covey_ke_share){(uint32_t)row[i], 1};
    }
    made.start[made.n_groups] = at;
    *out = made;
    return COVEY_OK;
}
