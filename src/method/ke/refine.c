/* Splits finished groups: copies are dealt to r groups in turn, from the smallest number to the largest, by a pointer
 * that runs on from number to number; r is the largest for which all of them are valid.  Ranges lie within the group's,
 * so that the largest does not grow; their sum may.
 *
 * Number i covers places p .. p + copies - 1 of the dealing, and place q belongs to group q mod r.  So a try costs no
 * more than there are numbers and groups, and tries that cannot succeed are passed over: the numbers of all groups
 * together, sum of min(copies, r), must suffice, and the group that gets the r-th place (or the r-th from the end) must
 * be able to reach far enough. Source: [derived]; a heuristic, nothing is claimed to be optimal. */
#include <string.h>

#include "base/error.h"
#include "method/ke/ke.h"

/* The group that is being split. */
struct hand {
    const covey_ke_values *values;
    const covey_ke_bounds *bounds;
    const covey_ke_share *share;
    size_t n;
    uint32_t size;   /* rows */
    uint32_t *first; /* [size] scratch: per dealt group, the share of its first place */
    int32_t *step;   /* [size] scratch: per dealt group, how many more different numbers it has than the one before */
};

static int64_t number(const struct hand *h, size_t share)
{
    return h->values->value[h->share[share].value];
}

/* The share that holds a place. */
static size_t share_at(const struct hand *h, uint32_t place)
{
    size_t i = 0;
    uint64_t end = h->share[0].copies;

    while (end <= place)
        end += h->share[++i].copies;
    return i;
}

/* Conditions that hold for all smaller r where they hold for one. */
static bool may_work(const struct hand *h, uint32_t r)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < h->n; i++)
        sum += h->share[i].copies < r ? h->share[i].copies : r;
    return sum >= (uint64_t)r * (uint64_t)h->bounds->min_distinct &&
           number(h, h->n - 1) - number(h, share_at(h, r - 1)) >= h->bounds->min_range &&
           number(h, share_at(h, h->size - r)) - number(h, 0) >= h->bounds->min_range;
}

static bool are_wide(const struct hand *h, uint32_t r)
{
    uint64_t end = h->share[0].copies;
    size_t i = 0;

    for (uint32_t place = 0; place < r; place++) {
        while (end <= place)
            end += h->share[++i].copies;
        h->first[place] = (uint32_t)i;
    }
    i = h->n - 1;
    end = h->size - h->share[i].copies; /* now: where share i begins */
    for (uint32_t place = h->size; place-- > h->size - r;) {
        while (end > place)
            end -= h->share[--i].copies;
        if (number(h, i) - number(h, h->first[place % r]) < h->bounds->min_range)
            return false;
    }
    return true;
}

/* Different numbers of every group, first as differences from one group to the next. */
static bool are_varied(const struct hand *h, uint32_t r)
{
    int64_t n = 0;
    uint32_t at = 0;

    memset(h->step, 0, r * sizeof *h->step);
    for (size_t i = 0; i < h->n; i++) {
        const uint32_t copies = h->share[i].copies, end = (uint32_t)(((uint64_t)at + copies) % r);

        if (copies >= r) {
            n++;
        } else { /* groups at .. end - 1; round the corner: all but end .. at - 1 */
            n += end < at;
            h->step[at]++;
            h->step[end]--;
        }
        at = end;
    }
    for (uint32_t g = 0; g < r; g++) {
        n += h->step[g];
        if (n < h->bounds->min_distinct)
            return false;
    }
    return true;
}

/* Into how many groups; 1: it stays as it is. */
static uint32_t split(const struct hand *h)
{
    const int64_t most = h->size / h->bounds->min_distinct;
    uint32_t low = 1, high = most > 1 ? (uint32_t)most : 1;

    while (low < high) {
        const uint32_t middle = high - (high - low) / 2;

        if (may_work(h, middle))
            low = middle;
        else
            high = middle - 1;
    }
    while (low > 1 && !(are_wide(h, low) && are_varied(h, low)))
        low--;
    return low;
}

static size_t n_shares(const struct hand *h, uint32_t r)
{
    size_t n = 0;

    for (size_t i = 0; i < h->n; i++)
        n += h->share[i].copies < r ? h->share[i].copies : r;
    return n;
}

/* Deals r groups; start: [r] receives where their shares begin, the first of them at `at`. */
static void deal(covey_ke_share *share, size_t *start, size_t at, const struct hand *h, uint32_t r)
{
    uint32_t *n = h->first; /* [r] numbers of a group, then where its next one goes, from its start on */
    uint32_t place = 0;

    memset(n, 0, r * sizeof *n);
    for (size_t i = 0; i < h->n; i++) {
        const uint32_t copies = h->share[i].copies;

        for (uint32_t j = 0; j < copies && j < r; j++)
            n[(uint32_t)(((uint64_t)place + j) % r)]++;
        place = (uint32_t)(((uint64_t)place + copies) % r);
    }
    for (uint32_t g = 0; g < r; g++) {
        start[g] = at;
        at += n[g];
        n[g] = 0;
    }
    place = 0;
    for (size_t i = 0; i < h->n; i++) {
        const uint32_t copies = h->share[i].copies;

        for (uint32_t j = 0; j < copies && j < r; j++) {
            const uint32_t g = (uint32_t)(((uint64_t)place + j) % r);

            share[start[g] + n[g]++] = (covey_ke_share){h->share[i].value, copies / r + (j < copies % r)};
        }
        place = (uint32_t)(((uint64_t)place + copies) % r);
    }
}

static void take_up(struct hand *h, const covey_ke_partition *partition, uint32_t group)
{
    h->share = partition->share + partition->start[group];
    h->n = partition->start[group + 1] - partition->start[group];
    h->size = covey_i_ke_size(partition, group);
}

covey_status covey_i_ke_refine(covey_ke_partition *out, const covey_ke_partition *partition,
                               const covey_ke_values *values, const covey_ke_bounds *bounds, covey_arena *arena,
                               covey_error *err)
{
    struct hand h = {.values = values, .bounds = bounds};
    uint32_t *n_parts = covey_arena_array(arena, uint32_t, partition->n_groups), largest = 0, at = 0;
    covey_ke_partition made = {0};
    size_t n = 0;

    for (uint32_t g = 0; g < partition->n_groups; g++) {
        const uint32_t size = covey_i_ke_size(partition, g);

        largest = size > largest ? size : largest;
    }
    h.first = covey_arena_array(arena, uint32_t, largest);
    h.step = covey_arena_array(arena, int32_t, largest);
    if (!n_parts || !h.first || !h.step)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < partition->n_groups; g++) {
        take_up(&h, partition, g);
        n_parts[g] = split(&h);
        made.n_groups += n_parts[g];
        n += n_shares(&h, n_parts[g]);
    }
    made.start = covey_arena_array(arena, size_t, (size_t)made.n_groups + 1);
    made.share = covey_arena_array(arena, covey_ke_share, n);
    if (!made.start || !made.share)
        return covey_i_no_memory(err);
    n = 0;
    for (uint32_t g = 0; g < partition->n_groups; at += n_parts[g++]) {
        take_up(&h, partition, g);
        deal(made.share, made.start + at, n, &h, n_parts[g]);
        n += n_shares(&h, n_parts[g]);
    }
    made.start[made.n_groups] = n;
    *out = made;
    return COVEY_OK;
}
