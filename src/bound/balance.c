/* Whom it is worth to let pay less.  A row that is among the others of several rare rows' classes takes as much from
 * each of these as it pays, so that the sum grows where it pays less, or less than nothing: then it says what one more
 * such row would save the rare ones.  The boxes that decided what rare rows pay (rare.c) tell who is: prices go up or
 * down by what the sum gains by it, in steps that shrink where nothing is gained.  That is a guess: boxes that have not
 * decided before may then, so rare.c finds out what the rare rows may pay beside these prices. */
#include "bound/search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"

enum {
    ITERATIONS = 60,
    PATIENCE = 5 /* iterations without a gain, after which steps shrink by a third */
};

#define NONE UINT32_MAX
#define NO_PRICE (INT64_MAX / 4)

/* --- cuts --- */

covey_status covey_i_bound_cuts_add(covey_bound_cuts *cuts, covey_bound_cut *cut, covey_error *err)
{
    if (cuts->n == cuts->room) {
        const size_t room = cuts->room ? cuts->room * 2 : 64;
        covey_bound_cut *grown = covey_i_realloc(cuts->cut, room, sizeof *grown);

        if (!grown) {
            covey_i_free(cut->item);
            return covey_i_no_memory(err);
        }
        cuts->cut = grown;
        cuts->room = room;
    }
    cuts->cut[cuts->n++] = *cut;
    cuts->n_items += cut->n;
    return COVEY_OK;
}

void covey_i_bound_cuts_drop(covey_bound_cuts *cuts, size_t at)
{
    covey_i_free(cuts->cut[at].item);
    cuts->n_items -= cuts->cut[at].n;
    cuts->cut[at] = (covey_bound_cut){0};
}

void covey_i_bound_cuts_free(covey_bound_cuts *cuts)
{
    for (size_t i = 0; i < cuts->n; i++)
        covey_i_free(cuts->cut[i].item);
    covey_i_free(cuts->cut);
    *cuts = (covey_bound_cuts){0};
}

/* Those that decide nothing, or of no value in the list, go. */
static void keep_cuts(covey_bound_cuts *cuts, const uint32_t *value, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < cuts->n; i++) {
        bool is_listed = false;

        for (size_t k = 0; k < n; k++)
            is_listed |= value[k] == cuts->cut[i].value;
        if (!is_listed)
            covey_i_bound_cuts_drop(cuts, i);
        if (cuts->cut[i].item)
            cuts->cut[kept++] = cuts->cut[i];
    }
    cuts->n = kept;
}

/* --- what all pay --- */

struct balance {
    const covey_bound *b;
    const covey_bound_cuts *cuts;
    const uint32_t *value; /* [n_stages] */
    size_t n_stages;
    int64_t *top;    /* [n] no price is higher */
    int64_t *limit;  /* [n] what an item pays unless cuts decide */
    int64_t *best;   /* [n] limits with the largest sum */
    int64_t *price;  /* [n] */
    uint32_t *tight; /* [n] the cut that decides; NONE */
    int64_t *weight; /* [n] units: by how much the sum grows with the price */
    int64_t *charge; /* [cuts->n] weight of the items that a cut decides for */
    int64_t *used;   /* [n_values] units */
};

/* Calls are in the order of the others' prices: how many units of the next one are in the class. */
static int64_t take(struct balance *s, const covey_bound_cut *cut, uint32_t item, int64_t *left)
{
    const covey_bound_needs *needs = &s->b->needs;
    const uint32_t value = s->b->value[item];
    const __int128 whole = (__int128)needs->rows * COVEY_BOUND_UNIT;
    const int64_t room = (int64_t)((cut->size * (__int128)needs->most[value] + whole - 1) / whole) - s->used[value];
    int64_t units = (int64_t)s->b->n_rows[item] * COVEY_BOUND_UNIT;

    units = units < room ? units : room;
    units = units < *left ? units : *left;
    s->used[value] += units;
    *left -= units;
    return units;
}

static void begin_taking(struct balance *s, const covey_bound_cut *cut, int64_t *left)
{
    memset(s->used, 0, s->b->needs.n_values * sizeof *s->used);
    *left = cut->size - COVEY_BOUND_UNIT;
}

/* They hardly change places from one time to the next. */
static void sort_others(const struct balance *s, covey_bound_cut *cut)
{
    for (uint32_t i = 1; i < cut->n_others; i++) {
        const uint32_t item = cut->item[i];
        uint32_t at = i;

        for (; at > 0 && s->price[cut->item[at - 1]] < s->price[item]; at--)
            cut->item[at] = cut->item[at - 1];
        cut->item[at] = item;
    }
}

static void apply(struct balance *s, uint32_t index)
{
    covey_bound_cut *cut = &s->cuts->cut[index];
    int64_t left, price;
    __int128 rest = (__int128)cut->size * cut->loss;

    sort_others(s, cut);
    begin_taking(s, cut, &left);
    for (uint32_t i = 0; i < cut->n_others && left > 0; i++)
        rest -= (__int128)take(s, cut, cut->item[i], &left) * s->price[cut->item[i]];
    if (left > 0)
        return;
    rest /= COVEY_BOUND_UNIT;
    price = rest > NO_PRICE ? NO_PRICE : rest < -NO_PRICE ? -NO_PRICE : (int64_t)rest;
    for (uint32_t i = cut->n_others; i < cut->n; i++)
        if (s->price[cut->item[i]] > price) {
            s->price[cut->item[i]] = price;
            s->tight[cut->item[i]] = index;
        }
}

/* The sum of all prices. */
static covey_i128 find_prices(struct balance *s)
{
    covey_i128 sum = 0;

    for (uint32_t i = 0; i < s->b->n; i++) {
        s->price[i] = s->limit[i];
        s->tight[i] = NONE;
    }
    for (size_t k = 0; k < s->n_stages; k++)
        for (uint32_t c = 0; c < s->cuts->n; c++)
            if (s->cuts->cut[c].value == s->value[k])
                apply(s, c);
    for (uint32_t i = 0; i < s->b->n; i++)
        sum += (covey_i128)s->price[i] * s->b->n_rows[i];
    return sum;
}

/* --- by how much the sum grows --- */

/* What a cut's items would gain, its others lose. */
static void pass_on(struct balance *s, uint32_t index)
{
    const covey_bound_cut *cut = &s->cuts->cut[index];
    int64_t left;

    begin_taking(s, cut, &left);
    for (uint32_t i = 0; i < cut->n_others && left > 0; i++)
        s->weight[cut->item[i]] -=
            (int64_t)((__int128)s->charge[index] * take(s, cut, cut->item[i], &left) / COVEY_BOUND_UNIT);
}

static void find_weights(struct balance *s)
{
    for (uint32_t i = 0; i < s->b->n; i++)
        s->weight[i] = (int64_t)s->b->n_rows[i] * COVEY_BOUND_UNIT;
    memset(s->charge, 0, s->cuts->n * sizeof *s->charge);
    for (size_t k = s->n_stages; k-- > 0;) {
        for (uint32_t i = 0; i < s->b->n; i++) {
            if (s->b->value[i] != s->value[k] || s->tight[i] == NONE)
                continue;
            if (s->weight[i] > 0)
                s->charge[s->tight[i]] += s->weight[i];
            else
                s->tight[i] = NONE; /* it had better pay less than it could */
        }
        for (uint32_t c = 0; c < s->cuts->n; c++)
            if (s->cuts->cut[c].value == s->value[k] && s->charge[c] > 0)
                pass_on(s, c);
    }
}

static void make_step(struct balance *s, int64_t step)
{
    for (uint32_t i = 0; i < s->b->n; i++) {
        const __int128 price = s->price[i] + (__int128)step * s->weight[i] / COVEY_BOUND_UNIT / s->b->n_rows[i];

        if (s->tight[i] == NONE)
            s->limit[i] = price > s->top[i] ? s->top[i] : (int64_t)price;
        else
            s->limit[i] = s->top[i];
    }
}

static void climb(struct balance *s, int64_t step)
{
    covey_i128 most = find_prices(s);

    memcpy(s->best, s->limit, s->b->n * sizeof *s->best);
    for (int i = 0, since = 0; i < ITERATIONS && step > 0 && covey_i_seconds() <= s->b->deadline; i++) {
        covey_i128 sum;

        find_weights(s);
        make_step(s, step);
        sum = find_prices(s);
        since++;
        if (sum > most) {
            most = sum;
            since = 0;
            memcpy(s->best, s->limit, s->b->n * sizeof *s->best);
        } else if (since == PATIENCE) {
            since = 0;
            step -= step / 3 + 1;
            memcpy(s->limit, s->best, s->b->n * sizeof *s->limit);
            find_prices(s);
        }
    }
    memcpy(s->limit, s->best, s->b->n * sizeof *s->limit);
    find_prices(s);
}

covey_status covey_i_bound_balance(int64_t *price, covey_bound_cuts *cuts, covey_bound *b, int part,
                                   const uint32_t *value, size_t n, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    struct balance s = {.b = b, .cuts = cuts, .value = value, .n_stages = n};
    __int128 sum = 0;

    keep_cuts(cuts, value, n);
    s.top = covey_arena_array(&b->arena, int64_t, b->n);
    s.limit = covey_arena_array(&b->arena, int64_t, b->n);
    s.best = covey_arena_array(&b->arena, int64_t, b->n);
    s.price = covey_arena_array(&b->arena, int64_t, b->n);
    s.tight = covey_arena_array(&b->arena, uint32_t, b->n);
    s.weight = covey_arena_array(&b->arena, int64_t, b->n);
    s.charge = covey_arena_array(&b->arena, int64_t, cuts->n + 1);
    s.used = covey_arena_array(&b->arena, int64_t, b->needs.n_values);
    if (!s.top || !s.limit || !s.best || !s.price || !s.tight || !s.weight || !s.charge || !s.used)
        return covey_i_no_memory(err);
    memcpy(s.top, price, b->n * sizeof *s.top);
    for (size_t c = 0; c < cuts->n; c++)
        for (uint32_t i = cuts->cut[c].n_others; i < cuts->cut[c].n; i++)
            s.top[cuts->cut[c].item[i]] = NO_PRICE;
    memcpy(s.limit, s.top, b->n * sizeof *s.limit);
    for (uint32_t i = 0; i < b->n; i++)
        sum += (__int128)(price[i] > 0 ? price[i] : 0) * b->n_rows[i];
    climb(&s, (int64_t)(sum / b->problem->n_rows / part));
    memcpy(price, s.price, b->n * sizeof *price);
    covey_arena_rewind(&b->arena, mark);
    return COVEY_OK;
}
