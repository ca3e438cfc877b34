/* The cheapest box of each item alone.  A row's class lies in a box around the row that has as many rows as the class
 * must have; the cheapest such box loses no more than the class does.  In a group of equal blocks, boxes are windows on
 * the numbers of one axis: those that begin at an item and are as short as may be, and those that are longer only to
 * reach the item. */
#include "bound/search.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/run.h"

enum { MOST_NEEDS = 16 }; /* different sizes that classes are asked to have; those between count as the lower ones */

struct nearest {
    covey_bound *b;
    int64_t *loss;
    size_t n_needs;
    int64_t need[MOST_NEEDS]; /* ascending */
    unsigned char *need_of;   /* [n_values] which of them */
    int64_t *most;            /* [n_needs][n_values] units of a value in a class of that size, as far as they count */
    /* of the window */
    size_t wanted; /* which need */
    int64_t rows, units, n_distinct;
    int64_t *count;  /* [n_values] rows */
    uint32_t *end;   /* [n] last item of the shortest window from here */
    uint32_t *queue; /* [n] */
};

/* --- sizes --- */

/* False: they are too many. */
static bool list_all(struct nearest *s)
{
    const covey_bound_needs *needs = &s->b->needs;

    s->n_needs = 1;
    s->need[0] = needs->rows;
    for (uint32_t v = 0; v < needs->n_values; v++) {
        size_t i = s->n_needs;

        while (i > 0 && s->need[i - 1] > needs->need[v])
            i--;
        if (s->need[i - 1] == needs->need[v])
            continue;
        if (s->n_needs == MOST_NEEDS)
            return false;
        memmove(s->need + i + 1, s->need + i, (s->n_needs - i) * sizeof *s->need);
        s->need[i] = needs->need[v];
        s->n_needs++;
    }
    return true;
}

static covey_status list_needs(struct nearest *s, covey_error *err)
{
    const covey_bound_needs *needs = &s->b->needs;

    if (!(s->need_of = covey_arena_array_zero(&s->b->arena, unsigned char, needs->n_values)))
        return covey_i_no_memory(err);
    if (!list_all(s))
        for (s->n_needs = 1; s->n_needs < MOST_NEEDS; s->n_needs++)
            s->need[s->n_needs] = s->need[s->n_needs - 1] * 2;
    for (uint32_t v = 0; v < needs->n_values; v++)
        for (size_t i = 1; i < s->n_needs && s->need[i] <= needs->need[v]; i++)
            s->need_of[v] = (unsigned char)i;
    if (!(s->most = covey_arena_array(&s->b->arena, int64_t, s->n_needs * needs->n_values)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n_needs; i++)
        for (uint32_t v = 0; v < needs->n_values; v++)
            s->most[i * needs->n_values + v] =
                (int64_t)(((__int128)needs->most[v] * s->need[i] + needs->rows - 1) / needs->rows);
    return COVEY_OK;
}

/* --- windows --- */

static void change(struct nearest *s, uint32_t item, int sign)
{
    const covey_bound *b = s->b;
    const uint32_t value = b->value[item];
    const int64_t before = s->count[value], now = before + sign * (int64_t)b->n_rows[item],
                  most = s->most[s->wanted * b->needs.n_values + value];
    const __int128 units = (__int128)before * COVEY_BOUND_UNIT, then = (__int128)now * COVEY_BOUND_UNIT;

    s->count[value] = now;
    s->rows += now - before;
    s->n_distinct += (now > 0) - (before > 0);
    s->units += (then < most ? (int64_t)then : most) - (units < most ? (int64_t)units : most);
}

/* What of its rows may be in one class grows by less with each row, so that a class of more rows than wanted is none if
 * there are not enough for one of just so many. */
static bool may_hold_a_class(const struct nearest *s)
{
    const int64_t need = s->need[s->wanted];

    return s->rows >= need && s->n_distinct >= s->b->needs.distinct && s->units >= need * COVEY_BOUND_UNIT;
}

/* Is a whole list of items enough? */
static bool is_enough(struct nearest *s, const uint32_t *item, uint32_t n)
{
    bool enough;

    for (uint32_t i = 0; i < n; i++)
        change(s, item[i], 1);
    enough = may_hold_a_class(s);
    for (uint32_t i = 0; i < n; i++)
        change(s, item[i], -1);
    return enough;
}

static void lower(struct nearest *s, uint32_t item, int64_t loss)
{
    if (s->need_of[s->b->value[item]] == s->wanted && loss < s->loss[item])
        s->loss[item] = loss;
}

/* end[]: the last item of the shortest window from each; returns how many have one. */
static uint32_t find_ends(struct nearest *s, const uint32_t *item, uint32_t n)
{
    uint32_t next = 0, first = 0;

    for (; first < n; first++) {
        while (next < n && !may_hold_a_class(s))
            change(s, item[next++], 1);
        if (!may_hold_a_class(s))
            break;
        s->end[first] = next - 1;
        change(s, item[first], -1);
    }
    for (uint32_t i = first; i < next; i++)
        change(s, item[i], -1);
    return first;
}

static int64_t span(const struct nearest *s, const uint32_t *item, uint32_t low, uint32_t high)
{
    const covey_bound *b = s->b;

    if (b->window < 0)
        return 0;
    return covey_i_bound_span(b->place[b->code[b->window][item[low]]], b->place[b->code[b->window][item[high]]]);
}

/* Items with numbers, in their order. */
static void slide(struct nearest *s, const uint32_t *item, uint32_t n, int64_t base)
{
    const uint32_t n_starts = find_ends(s, item, n);
    uint32_t front = 0, back = 0; /* of the queue: windows that reach behind the item, the shortest first */

    for (uint32_t i = 0, last = UINT32_MAX; n_starts > 0 && i < n; i++) {
        int64_t least = INT64_MAX;

        if (i < n_starts) {
            const int64_t own = span(s, item, i, s->end[i]);

            while (back > front && span(s, item, s->queue[back - 1], s->end[s->queue[back - 1]]) >= own)
                back--;
            s->queue[back++] = i;
        }
        while (last + 1 < n_starts && last + 1 <= i && s->end[last + 1] <= i)
            last++;
        while (front < back && s->queue[front] <= last && last != UINT32_MAX)
            front++;
        if (front < back)
            least = span(s, item, s->queue[front], s->end[s->queue[front]]);
        if (last != UINT32_MAX && span(s, item, last, i) < least)
            least = span(s, item, last, i);
        if (least < INT64_MAX)
            lower(s, item[i], base + least);
    }
}

static void search_group(struct nearest *s, const unsigned char *level, uint32_t group)
{
    const covey_bound *b = s->b;
    const uint32_t *item = b->member + b->start[group], n = b->start[group + 1] - b->start[group];
    const int64_t base = covey_i_bound_group_loss(b, level, group);
    uint32_t n_null = 0;
    bool asked[MOST_NEEDS] = {false};

    for (uint32_t i = 0; i < n; i++) {
        n_null += b->window_has_null && b->code[b->window][item[i]] == 0;
        asked[s->need_of[b->value[item[i]]]] |= s->loss[item[i]] > base;
    }
    for (size_t need = 0; need < s->n_needs; need++) {
        if (!asked[need])
            continue;
        s->wanted = need;
        slide(s, item + n_null, n - n_null, base);
        if (n_null == 0)
            continue;
        if (is_enough(s, item, n_null))
            for (uint32_t i = 0; i < n_null; i++)
                lower(s, item[i], base);
        if (is_enough(s, item, n))
            for (uint32_t i = 0; i < n; i++)
                lower(s, item[i], base + b->window_loss);
    }
}

/* --- all boxes --- */

/* Boxes that were not looked at lose at least so much. */
static void cut_off(struct nearest *s, int64_t least)
{
    for (uint32_t i = 0; i < s->b->n; i++)
        if (s->loss[i] > least)
            s->loss[i] = least;
}

static covey_status search(struct nearest *s, bool *is_complete, covey_bound_combinations *c, covey_error *err)
{
    const unsigned char *level;
    int64_t least, done = 0;

    *is_complete = false;
    for (;;) {
        COVEY_TRY(covey_i_bound_combinations_next(&level, &least, c, err));
        if (least >= covey_i_bound_largest(s->loss, s->b->n)) {
            *is_complete = true;
            return COVEY_OK;
        }
        if (!level || (done > 0 && covey_i_seconds() > s->b->deadline)) {
            cut_off(s, least);
            return COVEY_OK;
        }
        COVEY_TRY(covey_i_run_goes_on(s->b->run, "bound the loss", done++, 0, err));
        covey_i_bound_groups(s->b, level, least, s->loss);
        for (uint32_t g = 0; g < s->b->n_groups; g++)
            search_group(s, level, g);
    }
}

covey_status covey_i_bound_nearest(int64_t *loss, bool *is_complete, covey_bound *b, covey_error *err)
{
    struct nearest s = {.b = b,
                        .loss = loss,
                        .count = covey_arena_array_zero(&b->arena, int64_t, b->needs.n_values),
                        .end = covey_arena_array(&b->arena, uint32_t, b->n),
                        .queue = covey_arena_array(&b->arena, uint32_t, b->n)};
    covey_bound_combinations c;
    covey_status status;

    if (!s.count || !s.end || !s.queue)
        return covey_i_no_memory(err);
    COVEY_TRY(list_needs(&s, err));
    for (uint32_t i = 0; i < b->n; i++)
        loss[i] = COVEY_BOUND_ONE;
    status = covey_i_bound_combinations_begin(&c, b, err);
    if (status == COVEY_OK)
        status = search(&s, is_complete, &c, err);
    covey_i_bound_combinations_end(&c);
    return status;
}
