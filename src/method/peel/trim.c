/* The largest part of a group that keeps the promises.  What is cut off stays for later nodes.
 *
 * Bounds on counts say how far each value must go down; where a promise compares with the whole table, the part is made
 * like the table, of rows in its shares; otherwise the most frequent values are cut to the same count.  The promises
 * themselves judge every part: the search over its size takes for granted only that less of it is not worse. */
#include "method/peel/cover.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "table/histogram.h"

enum {
    MOST_ROUNDS = 16,
    MOST_REMAINDERS = 256,
    MULTIPLE = 64,
    MOST_MULTIPLIED = 1 << 24,
    STEPS = 40,
    MOST_LEAST = 4096,
    MOST_LEAST_WORK = 1 << 24,  /* values looked at for that */
    MANY = MOST_MULTIPLIED / 64 /* rows of each of 64 kinds */
};

/* Sums up a group by the values of one view; lists them ascending as far as the kinds are.  Returns its rows. */
static int64_t count_values(covey_peel_trimmer *tr, size_t view, const int64_t *take, const uint32_t *kinds,
                            uint32_t n_kinds)
{
    int64_t size = 0;

    tr->n_present = 0;
    for (uint32_t i = 0; i < n_kinds; i++) {
        const uint32_t v = tr->t->value[kinds[i] * tr->t->n_used + view];

        if (take[kinds[i]] == 0)
            continue;
        if (tr->have[v] == 0)
            tr->present[tr->n_present++] = v;
        tr->have[v] += take[kinds[i]];
        size += take[kinds[i]];
    }
    return size;
}

static void forget_values(covey_peel_trimmer *tr)
{
    for (uint32_t i = 0; i < tr->n_present; i++)
        tr->have[tr->present[i]] = tr->keep[tr->present[i]] = 0;
}

/* tr->tally: keep[v] rows of every value v, of the first kinds that have them; with write, take[] is cut to that. */
static void tally_kept(covey_peel_trimmer *tr, size_t view, int64_t *take, const uint32_t *kinds, uint32_t n_kinds,
                       bool write)
{
    covey_i_tally_clear(&tr->tally);
    for (uint32_t i = 0; i < tr->n_present; i++)
        tr->left[tr->present[i]] = tr->keep[tr->present[i]];
    for (uint32_t i = 0; i < n_kinds; i++) {
        int64_t *left = &tr->left[tr->t->value[kinds[i] * tr->t->n_used + view]], n = take[kinds[i]];

        if (n == 0)
            continue;
        n = n < *left ? n : *left;
        *left -= n;
        if (n > 0)
            covey_i_peel_tally_kind(tr->t, &tr->tally, kinds[i], n);
        if (write)
            take[kinds[i]] = n;
    }
}

/* Cuts the counts of one view to what its bounds allow in a class of what is left, again and again. */
static void cut_to_caps(covey_peel_trimmer *tr, size_t view, int64_t *take, const uint32_t *kinds, uint32_t n_kinds)
{
    int64_t size = count_values(tr, view, take, kinds, n_kinds), before;

    for (uint32_t i = 0; i < tr->n_present; i++)
        tr->keep[tr->present[i]] = tr->have[tr->present[i]];
    do {
        before = size;
        for (uint32_t i = 0; i < tr->n_present; i++) {
            tr->cap[i] = size;
            tr->need[i] = 0;
        }
        covey_i_promises_bounds_of(&tr->t->problem->promises, (int)tr->t->used[view], size, tr->present, tr->n_present,
                                   tr->cap, tr->need);
        size = 0;
        for (uint32_t i = 0; i < tr->n_present; i++) {
            int64_t *keep = &tr->keep[tr->present[i]];

            *keep = *keep < tr->cap[i] ? *keep : tr->cap[i];
            size += *keep;
        }
    } while (size < before && size >= tr->t->min_size);
    tally_kept(tr, view, take, kinds, n_kinds, true);
    forget_values(tr);
}

/* One row each to the values that are furthest below their share. */
static int64_t add_remainders(covey_peel_trimmer *tr, int64_t missing)
{
    while (missing > 0 && tr->n_present <= MOST_REMAINDERS) {
        double most = 0;
        uint32_t best = UINT32_MAX;

        for (uint32_t i = 0; i < tr->n_present; i++) {
            const uint32_t v = tr->present[i];
            const double below = tr->share[v] - (double)tr->keep[v];

            if (below > most && tr->keep[v] < tr->have[v]) {
                most = below;
                best = v;
            }
        }
        if (best == UINT32_MAX)
            break;
        tr->keep[best]++;
        missing--;
    }
    return missing;
}

/* What is still missing, from the values that would leave most behind for their share: so that what stays is like the
 * table, too. The surplus of each is cut to level * share. */
static void add_surplus(covey_peel_trimmer *tr, const covey_histogram *prior, int64_t missing)
{
    double level = 0;

    for (int round = 0; round < MOST_ROUNDS; round++) {
        double surplus = 0, share = 0, next;

        for (uint32_t i = 0; i < tr->n_present; i++) {
            const uint32_t v = tr->present[i];
            const double own = (double)(tr->have[v] - tr->keep[v]);

            if (own > level * (double)prior->count[v]) {
                surplus += own;
                share += (double)prior->count[v];
            }
        }
        next = share > 0 ? (surplus - (double)missing) / share : level;
        if (next <= level)
            break;
        level = next;
    }
    for (uint32_t i = 0; i < tr->n_present && missing > 0; i++) {
        const uint32_t v = tr->present[i];
        int64_t more = (int64_t)((double)(tr->have[v] - tr->keep[v]) - level * (double)prior->count[v]);

        more = more < 0 ? 0 : more < missing ? more : missing;
        tr->keep[v] += more;
        missing -= more;
    }
    for (uint32_t i = 0; i < tr->n_present && missing > 0; i++) { /* rounded off */
        const uint32_t v = tr->present[i];

        if (tr->keep[v] < tr->have[v]) {
            tr->keep[v]++;
            missing--;
        }
    }
}

/* keep[]: size rows as much like the whole table as the group allows. */
static void keep_shares(covey_peel_trimmer *tr, const covey_histogram *prior, int64_t size)
{
    const double scale = (double)size / (double)prior->total;
    int64_t missing = size;

    for (uint32_t i = 0; i < tr->n_present; i++) {
        const uint32_t v = tr->present[i];
        int64_t whole;

        tr->share[v] = (double)prior->count[v] * scale;
        whole = (int64_t)tr->share[v];
        tr->keep[v] = whole < tr->have[v] ? whole : tr->have[v];
        missing -= tr->keep[v];
    }
    missing = add_remainders(tr, missing);
    if (missing > 0)
        add_surplus(tr, prior, missing);
}

static void keep_at_most(covey_peel_trimmer *tr, int64_t most)
{
    for (uint32_t i = 0; i < tr->n_present; i++)
        tr->keep[tr->present[i]] = tr->have[tr->present[i]] < most ? tr->have[tr->present[i]] : most;
}

/* Would a part of so many rows, as much like the table as possible, keep the promises? */
static bool part_holds(covey_peel_trimmer *tr, size_t view, int64_t size, int64_t *take, const uint32_t *kinds,
                       uint32_t n_kinds)
{
    keep_shares(tr, tr->t->problem->promises.view[tr->t->used[view]].prior, size);
    tally_kept(tr, view, take, kinds, n_kinds, false);
    return covey_i_peel_admits_tally(tr->t, &tr->tally);
}

static void scale_group(covey_peel_trimmer *tr, int64_t *take, const uint32_t *kinds, uint32_t n_kinds, int64_t num,
                        int64_t den)
{
    for (uint32_t i = 0; i < tr->n_present; i++)
        tr->have[tr->present[i]] = tr->have[tr->present[i]] * num / den;
    for (uint32_t i = 0; i < n_kinds; i++)
        take[kinds[i]] = take[kinds[i]] * num / den;
}

/* The largest size at which a part could hold if rows could be divided: promises about shares do not mind all counts
 * being multiplied, and so do not see the rounding, which would make the answer jump up and down with the size.  0:
 * none. */
static int64_t largest_divided(covey_peel_trimmer *tr, size_t view, int64_t size, int64_t *take, const uint32_t *kinds,
                               uint32_t n_kinds)
{
    int64_t good = tr->least_part - 1, bad = size + 1;

    if (size > MOST_MULTIPLIED)
        return size;
    scale_group(tr, take, kinds, n_kinds, MULTIPLE, 1);
    if (!part_holds(tr, view, tr->least_part * MULTIPLE, take, kinds, n_kinds))
        bad = tr->least_part;
    while (bad - good > 1) {
        const int64_t middle = good + (bad - good) / 2;

        if (part_holds(tr, view, middle * MULTIPLE, take, kinds, n_kinds))
            good = middle;
        else
            bad = middle;
    }
    scale_group(tr, take, kinds, n_kinds, 1, MULTIPLE);
    return good;
}

/* Keeps the largest part that is like the whole table. */
static void cut_by_share(covey_peel_trimmer *tr, size_t view, int64_t *take, const uint32_t *kinds, uint32_t n_kinds)
{
    const int64_t size = count_values(tr, view, take, kinds, n_kinds);
    int64_t part = size < tr->least_part ? 0 : largest_divided(tr, view, size, take, kinds, n_kinds);
    int64_t step = part > MOST_MULTIPLIED ? part / STEPS : 1;

    for (int i = 0; i < STEPS && part >= tr->least_part && !part_holds(tr, view, part, take, kinds, n_kinds); i++)
        part -= step;
    if (part < tr->least_part)
        part = 0;
    keep_shares(tr, tr->t->problem->promises.view[tr->t->used[view]].prior, part);
    tally_kept(tr, view, take, kinds, n_kinds, true);
    forget_values(tr);
}

/* Cuts all counts to the largest one at which the rest holds. */
static void cut_by_count(covey_peel_trimmer *tr, size_t view, int64_t *take, const uint32_t *kinds, uint32_t n_kinds)
{
    int64_t good = 0, bad = 0;

    count_values(tr, view, take, kinds, n_kinds);
    for (uint32_t i = 0; i < tr->n_present; i++)
        bad = tr->have[tr->present[i]] > bad ? tr->have[tr->present[i]] : bad;
    while (bad - good > 1) {
        const int64_t middle = good + (bad - good) / 2;

        keep_at_most(tr, middle);
        tally_kept(tr, view, take, kinds, n_kinds, false);
        if (covey_i_peel_admits_tally(tr->t, &tr->tally))
            good = middle;
        else
            bad = middle;
    }
    keep_at_most(tr, good);
    tally_kept(tr, view, take, kinds, n_kinds, true);
    forget_values(tr);
}

/* The smallest part that can hold even if there are rows enough of everything: nothing smaller need be tried. */
static void find_least_part(covey_peel_trimmer *tr)
{
    const covey_histogram *prior = tr->t->problem->promises.view[tr->t->used[0]].prior;

    for (uint32_t v = 0; v < prior->n_values; v++)
        if (prior->count[v] > 0) {
            tr->present[tr->n_present++] = v;
            tr->have[v] = INT32_MAX;
        }
    for (int64_t work = 0; tr->least_part < MOST_LEAST && work < MOST_LEAST_WORK; tr->least_part++) {
        work += tr->n_present;
        keep_shares(tr, prior, tr->least_part);
        covey_i_tally_clear(&tr->tally);
        for (uint32_t i = 0; i < tr->n_present; i++)
            covey_i_peel_tally_kind(tr->t, &tr->tally, tr->present[i],
                                    tr->keep[tr->present[i]]); /* one view: values are kinds */
        if (covey_i_peel_admits_tally(tr->t, &tr->tally))
            break;
    }
    forget_values(tr);
    tr->n_present = 0;
}

covey_status covey_i_peel_trimmer_new(covey_peel_trimmer *trimmer, const covey_peel_table *t, covey_arena *arena,
                                      covey_error *err)
{
    uint32_t n_values = 1;

    for (size_t v = 0; v < t->n_used; v++) {
        const uint32_t n = t->problem->promises.view[t->used[v]].prior->n_values;

        n_values = n > n_values ? n : n_values;
    }
    *trimmer = (covey_peel_trimmer){.t = t};
    trimmer->cap = covey_arena_array(arena, int64_t, n_values);
    trimmer->need = covey_arena_array(arena, int64_t, n_values);
    trimmer->have = covey_arena_array_zero(arena, int64_t, n_values);
    trimmer->keep = covey_arena_array_zero(arena, int64_t, n_values);
    trimmer->left = covey_arena_array(arena, int64_t, n_values);
    trimmer->share = covey_arena_array(arena, double, n_values);
    trimmer->present = covey_arena_array(arena, uint32_t, n_values);
    trimmer->many = covey_arena_array_zero(arena, int64_t, t->n_kinds);
    trimmer->holding = covey_arena_array_zero(arena, uint64_t, (size_t)1 << COVEY_PEEL_MEMO_BITS);
    trimmer->failing = covey_arena_array_zero(arena, uint64_t, (size_t)1 << COVEY_PEEL_MEMO_BITS);
    if (!trimmer->cap || !trimmer->need || !trimmer->have || !trimmer->keep || !trimmer->left || !trimmer->share ||
        !trimmer->present || !trimmer->many || !trimmer->holding || !trimmer->failing)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&trimmer->tally, &t->problem->promises, arena, err));
    trimmer->tally.has_ranges = false;
    trimmer->least_part = t->min_size;
    if (t->has_prior && t->n_used == 1)
        find_least_part(trimmer);
    return COVEY_OK;
}

static bool can_hold(covey_peel_trimmer *tr, uint64_t kinds)
{
    uint32_t kind[64] = {0}, n = 0;
    bool holds;

    for (; kinds; kinds &= kinds - 1) {
        kind[n] = (uint32_t)__builtin_ctzll(kinds);
        tr->many[kind[n++]] = MANY;
    }
    holds = covey_i_peel_trim(tr, tr->many, kind, n) > 0;
    for (uint32_t i = 0; i < n; i++)
        tr->many[kind[i]] = 0;
    return holds;
}

bool covey_i_peel_trim_can_hold(covey_peel_trimmer *tr, uint64_t kinds)
{
    const size_t slot = covey_i_mix(kinds, 0) >> (64 - COVEY_PEEL_MEMO_BITS);
    bool holds;

    if (tr->t->size_only || tr->t->n_kinds > 64 || tr->holding[slot] == kinds)
        return true;
    if (tr->failing[slot] == kinds)
        return false;
    holds = can_hold(tr, kinds);
    *(holds ? &tr->holding[slot] : &tr->failing[slot]) = kinds;
    return holds;
}

int64_t covey_i_peel_trim(covey_peel_trimmer *tr, int64_t *take, const uint32_t *kinds, uint32_t n_kinds)
{
    const covey_peel_table *t = tr->t;
    const covey_promises *promises = &t->problem->promises;
    int64_t before;

    covey_i_tally_clear(&tr->tally);
    for (uint32_t i = 0; i < n_kinds; i++)
        covey_i_peel_tally_kind(t, &tr->tally, kinds[i], take[kinds[i]]);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int broken;

        if (tr->tally.size < t->min_size)
            return 0;
        if ((broken = covey_i_promises_broken(promises, &tr->tally)) < 0)
            return tr->tally.size;
        if ((size_t)broken >= promises->n || promises->promise[broken].view < 0 ||
            (promises->promise[broken].model->traits & COVEY_MODEL_HEREDITARY))
            return 0;
        before = tr->tally.size;
        for (size_t v = 0; v < t->n_used; v++) {
            const covey_promise *promise = &promises->promise[broken];

            if (t->used[v] != (uint32_t)promise->view)
                continue;
            if (covey_i_promise_traits(promise) & COVEY_MODEL_CAPS)
                cut_to_caps(tr, v, take, kinds, n_kinds);
            else if (promise->model->traits & COVEY_MODEL_PRIOR)
                cut_by_share(tr, v, take, kinds, n_kinds);
            else
                cut_by_count(tr, v, take, kinds, n_kinds);
        }
        if (tr->tally.size >= before)
            return 0;
    }
    return 0;
}
