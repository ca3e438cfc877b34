/* Multisets of numbers, and judging their partitions. */
#include "test.h"

#include <string.h>

#include "support/problem/ke_maker.h"

void ke_make(ke_set *set, const int64_t *row, uint32_t n_rows)
{
    memset(set, 0, sizeof *set);
    assert_true(n_rows <= KE_MOST_ROWS);
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t at = 0;

        while (at < set->values.n && set->value[at] < row[i])
            at++;
        if (at == set->values.n || set->value[at] != row[i]) {
            memmove(set->value + at + 1, set->value + at, (set->values.n - at) * sizeof *set->value);
            memmove(set->copies + at + 1, set->copies + at, (set->values.n - at) * sizeof *set->copies);
            set->value[at] = row[i];
            set->copies[at] = 0;
            set->values.n++;
        }
        set->copies[at]++;
    }
    set->values.value = set->value;
    set->values.copies = set->copies;
    for (uint32_t i = 0; i < n_rows; i++)
        while (set->value[set->order[i]] != row[i])
            set->order[i]++;
}

bool ke_is_feasible(const covey_ke_values *values, const covey_ke_bounds *bounds)
{
    return values->n >= bounds->min_distinct &&
           (covey_i128)values->value[values->n - 1] - values->value[0] >= bounds->min_range;
}

ke_worth ke_judge(const covey_ke_partition *partition, const covey_ke_values *values, const covey_ke_bounds *bounds)
{
    uint64_t *seen = calloc(values->n, sizeof *seen);
    ke_worth worth = {0, 0, partition->n_groups};
    covey_i128 sum;
    int64_t max;

    assert_non_null(seen);
    for (uint32_t g = 0; g < partition->n_groups; g++) {
        const size_t begin = partition->start[g], end = partition->start[g + 1];
        int64_t range;

        assert_true(begin < end);
        for (size_t i = begin; i < end; i++) {
            const covey_ke_share *share = &partition->share[i];

            assert_true(share->copies > 0 && share->value < values->n);
            assert_true(i == begin || share[-1].value < share->value);
            seen[share->value] += share->copies;
        }
        range = values->value[partition->share[end - 1].value] - values->value[partition->share[begin].value];
        assert_true((int64_t)(end - begin) >= bounds->min_distinct);
        assert_true(range >= bounds->min_range);
        worth.sum += range;
        worth.max = range > worth.max ? range : worth.max;
    }
    for (uint32_t v = 0; v < values->n; v++)
        assert_int_equal(seen[v], values->copies[v]);
    free(seen);
    covey_i_ke_errors(&sum, &max, partition, values);
    assert_true(sum == worth.sum && max == worth.max);
    return worth;
}
