/* The least maximum of ranges over all partitions: the threshold is found among the differences of the numbers.
 *
 * The optimum over blocks is at most twice the optimum over all partitions [derived, docs/design/ke-permutation.md], so
 * only differences between its half and itself come into question.  Each step decides about the median of the medians
 * of what is left of every number's differences, which rules out a quarter at least. Source: [Zhang07], minimum max
 * error; the search is [derived]. */
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"
#include "method/ke/ke.h"

/* The most different numbers within a window of that range. */
static uint32_t widest(const covey_ke_values *values, int64_t most)
{
    uint32_t low = 0, width = 0;

    for (uint32_t z = 0; z < values->n; z++) {
        while (values->value[z] - values->value[low] > most)
            low++;
        width = z - low + 1 > width ? z - low + 1 : width;
    }
    return width;
}

/* Differences that are left, number by number: of value[i], those to value[from .. to - 1]. */
struct differences {
    uint32_t *row, *scratch; /* [n] numbers by their middle difference */
    uint64_t *middle;        /* [n] */
    uint32_t *weight;        /* [n] how many differences */
};

/* A difference in low .. high - 1 in the middle of all; false if there is none. */
static bool find_middle(int64_t *out, struct differences *d, const covey_ke_values *values, int64_t low, int64_t high)
{
    uint64_t total = 0, sum = 0;
    uint32_t from = 0, to = 0;

    for (uint32_t i = 0; i < values->n; i++) {
        from = from > i ? from : i;
        while (from < values->n && values->value[from] - values->value[i] < low)
            from++;
        to = to > from ? to : from;
        while (to < values->n && values->value[to] - values->value[i] < high)
            to++;
        d->row[i] = i;
        d->weight[i] = to - from;
        d->middle[i] = to > from ? (uint64_t)(values->value[from + (to - from) / 2] - values->value[i]) : 0;
        total += to - from;
    }
    if (total == 0)
        return false;
    covey_i_sort_rows_u64(d->row, d->scratch, values->n, d->middle);
    for (uint32_t i = 0; i < values->n; i++) {
        sum += d->weight[d->row[i]];
        if (2 * sum >= total && d->weight[d->row[i]] > 0) {
            *out = (int64_t)d->middle[d->row[i]];
            return true;
        }
    }
    return false;
}

/* The least threshold for which there are groups; most is one. */
static covey_status search(int64_t *out, covey_ke_chain *chain, int64_t most, const covey_run *run, covey_arena *arena,
                           covey_error *err)
{
    const covey_ke_values *values = chain->values;
    struct differences d = {
        covey_arena_array(arena, uint32_t, values->n), covey_arena_array(arena, uint32_t, values->n),
        covey_arena_array(arena, uint64_t, values->n), covey_arena_array(arena, uint32_t, values->n)};
    int64_t low = most - most / 2, high = most, middle;

    if (!d.row || !d.scratch || !d.middle || !d.weight)
        return covey_i_no_memory(err);
    if (low < chain->bounds->min_range)
        low = chain->bounds->min_range;
    while (find_middle(&middle, &d, values, low, high)) {
        COVEY_TRY(covey_i_run_goes_on(run, "partition", 0, 0, err));
        if (covey_i_ke_chain_decide(chain, middle))
            high = middle;
        else
            low = middle + 1;
    }
    *out = high;
    return COVEY_OK;
}

/* Appends to the groups of a link and the next one what each has of their overlap; `part` 0: the earlier one, 1: the
 * later one. */
static size_t add_overlap(covey_ke_share *share, const covey_ke_link *link, uint32_t y, const covey_ke_values *values,
                          int part)
{
    const uint32_t z = link->last;
    uint32_t others = link->taken - (values->copies[z - 1] > 1 ? 0 : 1);
    size_t n = 0;

    for (uint32_t i = y; i <= z; i++) {
        const uint32_t copies = values->copies[i - 1];
        bool is_earlier;

        if (copies > 1) {
            share[n++] = (covey_ke_share){i - 1, part == 0 ? copies / 2 : copies - copies / 2};
            continue;
        }
        is_earlier = i == z || (i != y && others > 0);
        if (is_earlier && i != z)
            others--;
        if (is_earlier == (part == 0))
            share[n++] = (covey_ke_share){i - 1, 1};
    }
    return n;
}

static covey_status build(covey_ke_partition *out, const covey_ke_link *link, uint32_t n, const covey_ke_values *values,
                          covey_arena *arena, covey_error *err)
{
    covey_ke_partition made = {n, covey_arena_array(arena, size_t, (size_t)n + 1),
                               covey_arena_array(arena, covey_ke_share, 2 * (size_t)values->n)};
    size_t at = 0;

    if (!made.start || !made.share)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < n; g++) {
        const uint32_t begin = g > 0 ? link[g - 1].last + 1 : 1; /* of what is this group's alone */
        const uint32_t end = g + 1 < n && link[g + 1].first <= link[g].last ? link[g + 1].first : link[g].last + 1;

        made.start[g] = at;
        if (g > 0 && link[g].first < begin)
            at += add_overlap(made.share + at, &link[g - 1], link[g].first, values, 1);
        for (uint32_t i = begin; i < end; i++)
            made.share[at++] = (covey_ke_share){i - 1, values->copies[i - 1]};
        if (end <= link[g].last)
            at += add_overlap(made.share + at, &link[g], end, values, 0);
    }
    made.start[n] = at;
    *out = made;
    return COVEY_OK;
}

covey_status covey_i_ke_min_max(covey_ke_partition *out, const covey_ke_values *values, const covey_ke_bounds *bounds,
                                int64_t most_work, const covey_run *run, covey_arena *arena, covey_error *err)
{
    covey_ke_partition blocks;
    covey_ke_chain chain;
    covey_ke_link *link;
    covey_i128 sum;
    int64_t most, least;
    uint32_t width, n;

    COVEY_TRY(covey_i_ke_min_max_blocks(&blocks, values, bounds, false, arena, err));
    covey_i_ke_errors(&sum, &most, &blocks, values);
    width = widest(values, most);
    if (most > 0 && (int64_t)values->n > most_work / width)
        return covey_i_refuse_param(
            err, "criterion",
            "the criterion min-max would need too much memory for %u different numbers, %u of them in one range: use "
            "min-max-touch, which is never more than twice worse",
            values->n, width);
    least = most;
    if (most > 0) {
        COVEY_TRY(covey_i_ke_chain_new(&chain, values, bounds, width, arena, err));
        COVEY_TRY(search(&least, &chain, most, run, arena, err));
    }
    if (least == most) { /* overlaps gain nothing: blocks have the smaller sum */
        *out = blocks;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_ke_chain_links(&link, &n, &chain, least, arena, err));
    return build(out, link, n, values, arena, err);
}
