/* Random groups of rows with different values.
 *
 * Rows in random order are groups, l by l, of which every arrangement is as likely as any other.  Where two members of
 * a group have the same value, one of them changes places with a random row, as soon as all values of both groups
 * differ then.  That prefers some arrangements a little, so that rows of two groups change places afterwards, again and
 * again, wherever all values of both stay different: in the long run every such arrangement is as likely as any other,
 * and no group's size changes.
 *
 * Where the values that are most frequent have nearly one row in l it may not come to an end, and groups are those of
 * Anatomy first, which takes the most frequent values of all that are left: these meet each other then, and rare
 * values, which come last, too, which says more of a group's members than the bucket does.  So many more rows change
 * places.
 *
 * Source: docs/design/slicing.md. */
#include "method/slicing/arrange.h"

#include "base/error.h"

enum {
    TRIES = 4,           /* per row, to change places: more change nothing that can be measured */
    TRIES_A_REPAIR = 16, /* ... for each row that had to, but TRIES per row at most */
    AHEAD = 64           /* random numbers that are drawn at once */
};

covey_status covey_i_slicing_arrangement_new(covey_slicing_arrangement *a, uint32_t l, uint32_t most,
                                             covey_arena *arena, covey_error *err)
{
    *a = (covey_slicing_arrangement){.l = l,
                                     .member = covey_arena_array(arena, uint64_t, most),
                                     .place = covey_arena_array(arena, struct covey_slicing_place, most),
                                     .extra = covey_arena_array(arena, uint32_t, l)};
    return a->member && a->place && a->extra ? COVEY_OK : covey_i_no_memory(err);
}

/* Fills place; n_larger: how many groups extra is of. */
static void lay_out(covey_slicing_arrangement *a, uint32_t n_larger)
{
    struct covey_slicing_place *place = a->place;

    for (uint32_t g = 0, first = 0, end; g < a->n_groups; g++, first = end) {
        end = first + a->l + (g < n_larger ? a->extra[g] : 0);
        for (uint32_t i = first; i < end; i++)
            *place++ = (struct covey_slicing_place){first, end};
    }
}

/* --- changing places --- */

/* Members change places if all values of both groups differ then; every change is undone as likely as done, so that no
 * arrangement is preferred.  Without a branch, and to the end, also where a value is found: groups are small, and
 * nobody can guess. */
static bool exchange(covey_slicing_arrangement *a, uint32_t x, uint32_t y)
{
    const uint64_t one = a->member[x], other = a->member[y];
    const struct covey_slicing_place at = a->place[x], to = a->place[y];
    bool same = at.first == to.first;
    uint64_t change;

    for (uint32_t i = at.first; i < at.end; i++)
        same |= a->member[i] >> 32 == other >> 32;
    for (uint32_t i = to.first; i < to.end; i++)
        same |= a->member[i] >> 32 == one >> 32;
    change = (one ^ other) & ((uint64_t)same - 1);
    a->member[x] = one ^ change;
    a->member[y] = other ^ change;
    return !same;
}

static void mix(covey_slicing_arrangement *a, uint64_t n_tries, covey_rng *rng)
{
    uint32_t at[2 * AHEAD];

    for (uint64_t some; a->n_groups > 1 && n_tries > 0; n_tries -= some) {
        some = n_tries < AHEAD ? n_tries : AHEAD;
        covey_i_rng_below_each(rng, at, 2 * some, a->n);
        for (uint64_t i = 0; i < 2 * some; i += 2)
            exchange(a, at[i], at[i + 1]);
    }
}

/* --- from rows in random order --- */

/* Each row beyond l of every group joins any of them. */
static uint32_t draw_larger(covey_slicing_arrangement *a, covey_rng *rng)
{
    uint32_t n_larger = 0;

    for (uint32_t i = a->n_groups * a->l; i < a->n; i++) {
        const uint32_t group = (uint32_t)covey_i_rng_below(rng, a->n_groups);

        if (group < n_larger)
            a->extra[group]++;
        else
            a->extra[n_larger++] = 1;
    }
    return n_larger;
}

static void shuffle(uint64_t *item, uint32_t n, covey_rng *rng)
{
    uint32_t with[AHEAD];

    for (uint32_t some; n > 1; n -= some) {
        some = n - 1 < AHEAD ? n - 1 : AHEAD;
        covey_i_rng_below_falling(rng, with, some, n);
        for (uint32_t i = 0; i < some; i++) {
            const uint64_t swap = item[n - i - 1];

            item[n - i - 1] = item[with[i]];
            item[with[i]] = swap;
        }
    }
}

/* Has an earlier member of its group the same value? */
static bool repeats(const covey_slicing_arrangement *a, uint32_t x)
{
    bool same = false;

    for (uint32_t i = a->place[x].first; i < x; i++)
        same |= a->member[i] >> 32 == a->member[x] >> 32;
    return same;
}

/* What is repaired stays so.  False: it takes too many tries. */
static bool repair(uint64_t *n_repaired, covey_slicing_arrangement *a, covey_rng *rng)
{
    uint64_t n_tries = (uint64_t)TRIES * a->n;

    *n_repaired = 0;
    for (uint32_t x = 0; x < a->n; x++) {
        if (!repeats(a, x))
            continue;
        ++*n_repaired;
        do
            if (n_tries-- == 0)
                return false;
        while (!exchange(a, x, (uint32_t)covey_i_rng_below(rng, a->n)));
    }
    return true;
}

bool covey_i_slicing_arrange(covey_slicing_arrangement *a, uint32_t n, covey_rng *rng)
{
    uint64_t n_repaired, n_tries;

    a->n = n;
    a->n_groups = n / a->l;
    lay_out(a, draw_larger(a, rng));
    if (a->n_groups == 1) /* of different values, as none has more than one row in l */
        return true;
    shuffle(a->member, n, rng);
    if (!repair(&n_repaired, a, rng))
        return false;
    n_tries = TRIES_A_REPAIR * n_repaired;
    mix(a, n_tries < (uint64_t)TRIES * n ? n_tries : (uint64_t)TRIES * n, rng);
    return true;
}

/* --- from Anatomy's groups --- */

/* Those of the rest, which are fewer than l, follow the groups that they join. */
static void sort_rest(covey_anatomy_rest *rest, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const covey_anatomy_rest one = rest[i];
        uint32_t at = i;

        for (; at > 0 && rest[at - 1].group > one.group; at--)
            rest[at] = rest[at - 1];
        rest[at] = one;
    }
}

static uint64_t *copy_group(uint64_t *to, const covey_slicing_arrangement *a, const covey_anatomy *anatomy, uint32_t g)
{
    for (uint32_t i = 0; i < a->l; i++)
        *to++ = anatomy->slot[(size_t)g * a->l + i];
    return to;
}

/* Fills member and extra; returns how many groups are larger. */
static uint32_t copy_groups(covey_slicing_arrangement *a, covey_anatomy *anatomy)
{
    covey_anatomy_rest *rest = anatomy->rest;
    uint64_t *to = a->member;
    uint32_t n_larger = 0;

    sort_rest(rest, anatomy->n_rest);
    for (uint32_t i = 0; i < anatomy->n_rest; i++) {
        if (i == 0 || rest[i].group != rest[i - 1].group) {
            to = copy_group(to, a, anatomy, rest[i].group);
            a->extra[n_larger++] = 0;
        }
        *to++ = anatomy->row[anatomy->begin[rest[i].list]];
        a->extra[n_larger - 1]++;
    }
    for (uint32_t g = 0, next = 0; g < a->n_groups; g++) {
        while (next < anatomy->n_rest && rest[next].group < g)
            next++;
        if (next == anatomy->n_rest || rest[next].group != g)
            to = copy_group(to, a, anatomy, g);
    }
    return n_larger;
}

void covey_i_slicing_arrange_listed(covey_slicing_arrangement *a, covey_anatomy *anatomy, uint32_t n, covey_rng *rng)
{
    covey_i_anatomy_group_listed(anatomy, rng);
    a->n = n;
    a->n_groups = anatomy->n_made;
    lay_out(a, copy_groups(a, anatomy));
    mix(a, (uint64_t)TRIES * n, rng);
}
