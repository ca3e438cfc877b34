/* Are there groups, ranges overlapping or not, none of which is wider than a threshold?
 *
 * Some optimum is a chain: starts and ends rise strictly, and only neighbours overlap [derived,
 * docs/design/ke-permutation.md].  Groups are closed in order.  A state (a, b) says that the next group starts at a and
 * that the one before ended at b >= a - 1; left(a, b) is the most different numbers of the overlap a .. b that can be
 * left to the next group, its start included.  More left is never worse.
 *
 * Closing a group a .. z with the next one starting at y > b:
 *   base = left(a, b) + (y - 1 - b)          what it has so far, and what nobody else wants
 *   y = z + 1: base >= k, and left(y, z) = 0
 *   y <= z:    numbers with copies go to both; of the single ones, x go to this group, z among them and y not; left(y,
 * z) is the rest. For given (y, z) only the largest left(a, b) - b counts, over the starts a that the range allows and
 * b < y.
 *
 * The states of one end b stand in a row.  Starts that the range allows form a window that moves right with z: the best
 * of a row is found by links to the next start that leaves as much, along which a row's front moves forward only.  So a
 * decision takes O(n w) steps, and rows are needed only as long as windows reach them. Source: [derived]; [Zhang07] has
 * a dynamic program over pairs of bounds in its place. */
#include <string.h>

#include "base/error.h"
#include "method/ke/ke.h"

enum { NOTHING = 0 }; /* in rows: left + 1, or this if there is no such state */

/* The best state so far, and how many different numbers a group gets from it: left - b. */
struct best {
    bool is_any;
    int64_t gain;
    uint32_t first, before; /* a, b */
};

/* Where the states come from; only to rebuild. */
struct origins {
    size_t *row;          /* [n + 2] where an end's states begin */
    uint16_t (*state)[2]; /* [row[n + 1]] z - a, z - b */
    uint32_t (*fresh)[2]; /* [n + 2] a, b */
};

covey_status covey_i_ke_chain_new(covey_ke_chain *chain, const covey_ke_values *values, const covey_ke_bounds *bounds,
                                  uint32_t width, covey_arena *arena, covey_error *err)
{
    const size_t n = values->n, ring = (size_t)width + 1;

    if (width >= UINT16_MAX)
        return covey_i_refuse_param(
            err, "criterion", "ranges of %u different numbers are too many for min-max: use min-max-touch", width);
    *chain = (covey_ke_chain){
        .values = values,
        .bounds = bounds,
        .width = width,
        .n_doubled = covey_arena_array(arena, uint32_t, n + 1),
        .low = covey_arena_array(arena, uint32_t, n + 1),
        .high = covey_arena_array(arena, uint32_t, n + 1),
        .left = covey_arena_array(arena, uint16_t, ring * width),
        .next = covey_arena_array(arena, uint16_t, ring * width),
        .front = covey_arena_array(arena, uint32_t, ring),
        .fresh = covey_arena_array(arena, bool, n + 2),
    };
    if (!chain->n_doubled || !chain->low || !chain->high || !chain->left || !chain->next || !chain->front ||
        !chain->fresh)
        return covey_i_no_memory(err);
    chain->n_doubled[0] = 0;
    for (uint32_t i = 1; i <= n; i++)
        chain->n_doubled[i] = chain->n_doubled[i - 1] + (values->copies[i - 1] > 1);
    return COVEY_OK;
}

static bool is_doubled(const covey_ke_chain *chain, uint32_t i)
{
    return chain->values->copies[i - 1] > 1;
}

/* Where groups may start, for each end: low .. high. */
static void find_windows(covey_ke_chain *chain, int64_t most)
{
    const int64_t *value = chain->values->value - 1;
    uint32_t low = 1, high = 0;

    for (uint32_t z = 1; z <= chain->values->n; z++) {
        while (value[z] - value[low] > most)
            low++;
        while (high < z && value[z] - value[high + 1] >= chain->bounds->min_range)
            high++;
        chain->low[z] = low;
        chain->high[z] = high;
    }
}

/* The best state of row b within the window of z. */
static void look_at_row(struct best *best, covey_ke_chain *chain, uint32_t b, uint32_t z)
{
    const size_t slot = b % (chain->width + 1);
    const uint16_t *left = chain->left + slot * chain->width, *next = chain->next + slot * chain->width;
    const uint32_t row_first = chain->low[b] + 1, low = chain->low[z] > row_first ? chain->low[z] : row_first;
    const uint32_t high = chain->high[z] < b ? chain->high[z] : b;
    uint32_t at = chain->front[slot];

    if (low > high)
        return;
    if (at < low - row_first)
        at = low - row_first;
    while (next[at] <= high - row_first)
        at = next[at];
    chain->front[slot] = at;
    if (left[at] == NOTHING)
        return;
    if (!best->is_any || (int64_t)left[at] - 1 - b > best->gain)
        *best = (struct best){true, (int64_t)left[at] - 1 - b, row_first + at, b};
}

static void look_at_fresh(struct best *best, const covey_ke_chain *chain, uint32_t a, uint32_t z)
{
    const int64_t gain = -((int64_t)a - 1);

    if (chain->fresh[a] && chain->low[z] <= a && a <= chain->high[z] && (!best->is_any || gain > best->gain))
        *best = (struct best){true, gain, a, a - 1};
}

/* How many single numbers of the overlap y .. z the group that has `base` different numbers before it takes; -1: it
 * cannot be closed so. */
static int64_t taken_of(const covey_ke_chain *chain, int64_t base, uint32_t y, uint32_t z, int64_t *left)
{
    const int64_t both = chain->n_doubled[z] - chain->n_doubled[y - 1], single = (int64_t)z - y + 1 - both;
    const int64_t least = is_doubled(chain, z) ? 0 : 1, most = single - (is_doubled(chain, y) ? 0 : 1);
    const int64_t lacking = chain->bounds->min_distinct - base - both, taken = lacking > least ? lacking : least;

    *left = both + single - taken;
    return taken <= most ? taken : -1;
}

/* Links every state of a row to the next one that leaves at least as much. */
static void link_row(const uint16_t *left, uint16_t *next, uint32_t n)
{
    for (uint32_t i = n; i-- > 0;) {
        uint32_t to = i + 1;

        while (to < n && left[to] < left[i])
            to = next[to];
        next[i] = (uint16_t)to;
    }
}

/* All states that end at z. */
static void close_groups(covey_ke_chain *chain, uint32_t z, struct origins *origins)
{
    const size_t slot = z % (chain->width + 1);
    const uint32_t low = chain->low[z];
    uint16_t *left = chain->left + slot * chain->width;
    struct best best = {0};

    for (uint32_t b = low - 1; b < z; b++) {
        const uint32_t y = b + 1;

        if (b >= low) {
            int64_t rest;

            look_at_row(&best, chain, b, z);
            left[y - low - 1] = NOTHING;
            if (best.is_any && taken_of(chain, best.gain + y - 1, y, z, &rest) >= 0) {
                left[y - low - 1] = (uint16_t)(rest + 1);
                if (origins) {
                    origins->state[origins->row[z] + y - low - 1][0] = (uint16_t)(z - best.first);
                    origins->state[origins->row[z] + y - low - 1][1] = (uint16_t)(z - best.before);
                }
            }
        }
        look_at_fresh(&best, chain, y, z);
    }
    link_row(left, chain->next + slot * chain->width, z - low);
    chain->front[slot] = 0;
    chain->fresh[z + 1] = best.is_any && best.gain + z >= chain->bounds->min_distinct;
    if (origins && chain->fresh[z + 1]) {
        origins->fresh[z + 1][0] = best.first;
        origins->fresh[z + 1][1] = best.before;
    }
}

static bool run(covey_ke_chain *chain, int64_t most, struct origins *origins)
{
    find_windows(chain, most);
    chain->fresh[1] = true;
    if (origins) {
        origins->row[1] = 0;
        for (uint32_t z = 1; z <= chain->values->n; z++)
            origins->row[z + 1] = origins->row[z] + z - chain->low[z];
    }
    for (uint32_t z = 1; z <= chain->values->n; z++)
        close_groups(chain, z, origins);
    return chain->fresh[chain->values->n + 1];
}

bool covey_i_ke_chain_decide(covey_ke_chain *chain, int64_t most)
{
    return run(chain, most, NULL);
}

/* The chain from its end; links come out in reverse. */
static uint32_t walk_back(covey_ke_link *link, const covey_ke_chain *chain, const struct origins *origins)
{
    uint32_t n = 0, start = chain->values->n + 1, end = chain->values->n;

    while (start > 1) { /* state (start, end): the group before ends at end */
        uint32_t first, before;

        if (end + 1 == start) {
            first = origins->fresh[start][0];
            before = origins->fresh[start][1];
        } else {
            const uint16_t *from = origins->state[origins->row[end] + start - chain->low[end] - 1];

            first = end - from[0];
            before = end - from[1];
        }
        link[n++] = (covey_ke_link){first, end, 0};
        start = first;
        end = before;
    }
    return n;
}

/* What each group takes of its overlaps, from the first to the last. */
static void take(covey_ke_link *link, uint32_t n, const covey_ke_chain *chain)
{
    int64_t left = 0;
    uint32_t before = 0;

    for (uint32_t g = 0; g + 1 < n; g++) {
        const uint32_t y = link[g + 1].first, z = link[g].last;
        const int64_t base = left + (int64_t)y - 1 - before;

        left = 0;
        if (y <= z)
            link[g].taken = (uint32_t)taken_of(chain, base, y, z, &left);
        before = z;
    }
}

covey_status covey_i_ke_chain_links(covey_ke_link **out, uint32_t *n_out, covey_ke_chain *chain, int64_t most,
                                    covey_arena *arena, covey_error *err)
{
    const size_t n = chain->values->n;
    size_t n_states = 0;
    struct origins origins = {.row = covey_arena_array(arena, size_t, n + 2)};

    find_windows(chain, most);
    for (uint32_t z = 1; z <= n; z++)
        n_states += z - chain->low[z];
    origins.state = covey_arena_alloc(arena, n_states, sizeof *origins.state);
    origins.fresh = covey_arena_alloc(arena, n + 2, sizeof *origins.fresh);
    *out = covey_arena_array(arena, covey_ke_link, n);
    if (!origins.row || !origins.state || !origins.fresh || !*out)
        return covey_i_no_memory(err);
    run(chain, most, &origins);
    *n_out = walk_back(*out, chain, &origins);
    for (uint32_t i = 0; i < *n_out / 2; i++) {
        const covey_ke_link swapped = (*out)[i];

        (*out)[i] = (*out)[*n_out - 1 - i];
        (*out)[*n_out - 1 - i] = swapped;
    }
    take(*out, *n_out, chain);
    return COVEY_OK;
}
