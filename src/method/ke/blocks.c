/* Groups that are runs ("blocks") of the sorted numbers, in linear time: the least sum of their ranges, and the least
 * maximum.
 *
 * Copies of one number may be divided between two neighbouring blocks.  Unless a single row is a group already, a block
 * holds two different numbers at least, so that no number is divided twice: two places per number are enough, one
 * behind all of its copies and, where there are several, one among them. Source: [Zhang07], minimum sum and minimum max
 * error without overlaps; the linear forms are [derived], docs/design/ke-permutation.md. */
#include "method/ke/ke.h"

#include "base/error.h"

/* Items 1 .. n: numbers that are divided stand for two. */
struct items {
    uint32_t n;
    uint32_t *value; /* [n + 1] index into values; item 0 is none */
    const covey_ke_values *values;
    const covey_ke_bounds *bounds;
};

static int64_t number(const struct items *items, uint32_t i)
{
    return items->values->value[items->value[i]];
}

/* The range of the block of items first .. last. */
static int64_t range(const struct items *items, uint32_t first, uint32_t last)
{
    return number(items, last) - number(items, first);
}

static bool is_valid(const struct items *items, uint32_t first, uint32_t last)
{
    return (int64_t)items->value[last] - items->value[first] + 1 >= items->bounds->min_distinct &&
           range(items, first, last) >= items->bounds->min_range;
}

static covey_status list_items(struct items *items, const covey_ke_values *values, const covey_ke_bounds *bounds,
                               bool strict, covey_arena *arena, covey_error *err)
{
    size_t n = values->n;

    for (uint32_t v = 0; !strict && v < values->n; v++)
        n += values->copies[v] > 1;
    if (n >= UINT32_MAX || !(items->value = covey_arena_array(arena, uint32_t, n + 1)))
        return covey_i_no_memory(err);
    items->values = values;
    items->bounds = bounds;
    items->n = 0;
    for (uint32_t v = 0; v < values->n; v++) {
        items->value[++items->n] = v;
        if (!strict && values->copies[v] > 1)
            items->value[++items->n] = v;
    }
    return COVEY_OK;
}

/* Blocks from the cuts: before[j] is the last item before the block that ends at item j. */
static covey_status build(covey_ke_partition *out, const struct items *items, const uint32_t *before,
                          covey_arena *arena, covey_error *err)
{
    const covey_ke_values *values = items->values;
    covey_ke_partition made = {0};
    size_t at;

    for (uint32_t j = items->n; j > 0; j = before[j])
        made.n_groups++;
    at = (size_t)values->n + made.n_groups;
    made.start = covey_arena_array(arena, size_t, (size_t)made.n_groups + 1);
    made.share = covey_arena_array(arena, covey_ke_share, at);
    if (!made.start || !made.share)
        return covey_i_no_memory(err);
    /* Backwards, then moved to the front: how many numbers are divided is not known yet. */
    made.start[made.n_groups] = at;
    for (uint32_t j = items->n, g = made.n_groups; j > 0; j = before[j]) {
        const uint32_t first = items->value[before[j] + 1], last = items->value[j];

        for (uint32_t v = last + 1; v-- > first;) {
            uint32_t copies = values->copies[v];

            if (v == last && j < items->n && items->value[j + 1] == v)
                copies = values->copies[v] / 2;
            else if (v == first && before[j] > 0 && items->value[before[j]] == v)
                copies = values->copies[v] - values->copies[v] / 2;
            made.share[--at] = (covey_ke_share){v, copies};
        }
        made.start[--g] = at;
    }
    for (uint32_t g = 0; g <= made.n_groups; g++)
        made.start[g] -= at;
    made.share += at;
    *out = made;
    return COVEY_OK;
}

/* What it costs to end a block at item `at`, but for what the next block's end adds. */
struct candidate {
    int64_t cost; /* least sum up to `at`, minus the number behind it */
    uint32_t groups, at;
};

/* The least sum of ranges of blocks whose range is at most `most`, then the most groups:
 * f(j) = min over i of f(i) + number(j) - number(i + 1), a part of i and a part of j.  Candidates that may still win,
 * best first, stand in a queue: later ones leave it later. */
static covey_status least_sum(covey_ke_partition *out, const struct items *items, int64_t most, covey_arena *arena,
                              covey_error *err)
{
    const uint32_t n = items->n;
    struct candidate *queue = covey_arena_array(arena, struct candidate, (size_t)n + 1);
    uint32_t *before = covey_arena_array(arena, uint32_t, (size_t)n + 1),
             *groups = covey_arena_array(arena, uint32_t, (size_t)n + 1);
    int64_t *cost = covey_arena_array(arena, int64_t, (size_t)n + 1);
    const int64_t origin = items->values->value[0];
    uint32_t head = 0, tail = 0, next = 0;

    if (!queue || !before || !groups || !cost)
        return covey_i_no_memory(err);
    cost[0] = 0;
    groups[0] = 0;
    for (uint32_t j = 1; j <= n; j++) {
        for (; next < j && is_valid(items, next + 1, j); next++) {
            struct candidate c = {cost[next] - (number(items, next + 1) - origin), groups[next], next};

            if (cost[next] < 0) /* no blocks end here */
                continue;
            while (tail > head && (queue[tail - 1].cost > c.cost ||
                                   (queue[tail - 1].cost == c.cost && queue[tail - 1].groups <= c.groups)))
                tail--;
            queue[tail++] = c;
        }
        while (head < tail && range(items, queue[head].at + 1, j) > most)
            head++;
        cost[j] = -1;
        if (head == tail)
            continue;
        cost[j] = queue[head].cost + (number(items, j) - origin);
        groups[j] = queue[head].groups + 1;
        before[j] = queue[head].at;
    }
    return build(out, items, before, arena, err);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* f(j) = min over i of max(f(i), number(j) - number(i + 1)).  The queue holds candidates with f ascending: the first of
 * them whose f exceeds its range, or the one before it, is best; those before that have lost for good. */
static covey_status least_max(int64_t *out, const struct items *items, covey_arena *arena, covey_error *err)
{
    const uint32_t n = items->n;
    uint32_t *queue = covey_arena_array(arena, uint32_t, (size_t)n + 1), head = 0, tail = 0, next = 0;
    int64_t *f = covey_arena_array(arena, int64_t, (size_t)n + 1);

    if (!queue || !f)
        return covey_i_no_memory(err);
    f[0] = 0;
    for (uint32_t j = 1; j <= n; j++) {
        for (; next < j && is_valid(items, next + 1, j); next++) {
            if (f[next] < 0)
                continue;
            while (tail > head && f[queue[tail - 1]] >= f[next])
                tail--;
            queue[tail++] = next;
        }
        while (tail - head >= 2 && f[queue[head + 1]] <= range(items, queue[head + 1] + 1, j))
            head++;
        f[j] = -1;
        if (tail > head)
            f[j] = larger(f[queue[head]], range(items, queue[head] + 1, j));
        if (tail - head >= 2) {
            const int64_t second = larger(f[queue[head + 1]], range(items, queue[head + 1] + 1, j));

            f[j] = second < f[j] ? second : f[j];
        }
    }
    *out = f[n];
    return COVEY_OK;
}

covey_status covey_i_ke_min_sum(covey_ke_partition *out, const covey_ke_values *values, const covey_ke_bounds *bounds,
                                covey_arena *arena, covey_error *err)
{
    struct items items;

    if (covey_i_ke_is_idle(bounds))
        return covey_i_ke_singles(out, values, arena, err);
    COVEY_TRY(list_items(&items, values, bounds, false, arena, err));
    return least_sum(out, &items, INT64_MAX, arena, err);
}

covey_status covey_i_ke_min_max_blocks(covey_ke_partition *out, const covey_ke_values *values,
                                       const covey_ke_bounds *bounds, bool strict, covey_arena *arena, covey_error *err)
{
    struct items items;
    int64_t most = 0;

    if (covey_i_ke_is_idle(bounds) && !strict)
        return covey_i_ke_singles(out, values, arena, err);
    COVEY_TRY(list_items(&items, values, bounds, strict, arena, err));
    COVEY_TRY(least_max(&most, &items, arena, err));
    return least_sum(out, &items, most, arena, err);
}
