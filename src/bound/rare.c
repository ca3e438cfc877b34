/* What rows of rare values pay.  Of a value that may have a 43rd of a class each row has 42 others in its class, and
 * these pay less than the class loses where they would be better off elsewhere: the row pays the rest.  Prices that
 * mix all sizes of classes do not see that, as there three rows hold a part of such a row, beside the dearest others.
 *
 * Values come by their shares, the scarcest last, and each row's price is as high as those before it allow.  Let a
 * class of c rows in a box that loses L have j rows of the scarcest of its values, each of which pays p.  The others
 * are c - j, and what the dearest of them pay that the shares of their values let into a class of x = c / j rows, parts
 * of rows allowed, is T(x): j times that is more than they pay.  So p <= x L - T(x) for all x from the least c / j on
 * is enough. T is concave, and 0 where x is 1: where it rises by no more than L at the least x, as it does if it is (x
 * - 1) L or less there, that one decides.  To pay nothing is always possible, beside whatever others pay. */
#include "bound/search.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"

#define MOST_PRICE (INT64_MAX / 4)
/* A value is rare if the least class may have no more than one row of it, or half of its rows, where parts are counted.
 */

struct stage {
    covey_bound *b;
    const int64_t *nearest; /* [n] what its class loses at least */
    int64_t *price;         /* [n] */
    int64_t *open;          /* [n] price of the stage's items, 0 of others */
    bool *comes_first;      /* [n_values] of an earlier stage */
    uint32_t value;
    int64_t size;       /* least x, in units */
    uint32_t *by_price; /* [n] of a group, the dearest last */
    uint32_t *scratch;  /* [n] */
    uint64_t *key;      /* [n] scratch */
    int64_t *used;      /* [n_values] units */
    __int128 most;      /* T(size) of the whole table */
};

/* A part of a group: items whose place lies in a window, in a box that loses so much. */
struct window {
    int64_t from, to; /* places of numbers */
    int64_t loss;
    bool with_null, with_numbers;
};

static bool is_null(const covey_bound *b, uint32_t item)
{
    return b->window >= 0 && b->window_has_null && b->code[b->window][item] == 0;
}

static bool is_inside(const struct stage *s, const struct window *w, uint32_t item)
{
    const covey_bound *b = s->b;

    if (s->nearest[item] > w->loss)
        return false;
    if (is_null(b, item))
        return w->with_null;
    if (!w->with_numbers)
        return false;
    return b->window < 0 ||
           (b->place[b->code[b->window][item]] >= w->from && b->place[b->code[b->window][item]] <= w->to);
}

/* Units of a value in a class of size units, rounded up. */
static int64_t share_of(const struct stage *s, uint32_t value, int64_t size)
{
    const __int128 whole = (__int128)s->b->needs.rows * COVEY_BOUND_UNIT;

    return (int64_t)(((__int128)size * s->b->needs.most[value] + whole - 1) / whole);
}

/* T(size): what the dearest others pay, in price times units. */
static __int128 paid_by_others(struct stage *s, const uint32_t *by_price, uint32_t n, const struct window *w,
                               int64_t size)
{
    const covey_bound *b = s->b;
    int64_t left = size - COVEY_BOUND_UNIT;
    __int128 sum = 0;

    memset(s->used, 0, b->needs.n_values * sizeof *s->used);
    for (uint32_t i = n; i-- > 0 && left > 0;) {
        const uint32_t item = by_price[i], value = b->value[item];
        int64_t units = (int64_t)b->n_rows[item] * COVEY_BOUND_UNIT;
        const int64_t room = share_of(s, value, size) - s->used[value];

        if (!s->comes_first[value] || !is_inside(s, w, item))
            continue;
        units = units < room ? units : room;
        units = units < left ? units : left;
        s->used[value] += units;
        left -= units;
        sum += (__int128)units * s->price[item];
    }
    return sum;
}

/* The most that a row may pay in a box where others pay so much; 0 also if it is not known where T rises too fast. */
static int64_t left_over(const struct stage *s, int64_t loss, __int128 others)
{
    const __int128 rest = (__int128)s->size * loss - others;

    return rest < (__int128)loss * COVEY_BOUND_UNIT ? 0 : (int64_t)(rest / COVEY_BOUND_UNIT);
}

/* The most that a row of the stage may pay in a box. */
static int64_t allowed(struct stage *s, const uint32_t *by_price, uint32_t n, const struct window *w)
{
    const __int128 others = paid_by_others(s, by_price, n, w, s->size), rest = (__int128)s->size * w->loss - others;

    if (rest <= 0)
        return 0;
    if (rest < (__int128)w->loss * COVEY_BOUND_UNIT &&
        others - paid_by_others(s, by_price, n, w, s->size - COVEY_BOUND_UNIT) > (__int128)w->loss * COVEY_BOUND_UNIT)
        return 0;
    return (int64_t)(rest / COVEY_BOUND_UNIT);
}

static bool holds_class(const struct stage *s, const uint32_t *item, uint32_t n, const struct window *w)
{
    int64_t rows = 0;

    for (uint32_t i = 0; i < n && rows < s->b->needs.need[s->value]; i++)
        if (is_inside(s, w, item[i]))
            rows += s->b->n_rows[item[i]];
    return rows >= s->b->needs.need[s->value];
}

/* The highest price of the stage in a window. */
static int64_t highest(const struct stage *s, const uint32_t *item, uint32_t n, const struct window *w)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < n; i++)
        if (s->open[item[i]] > most && is_inside(s, w, item[i]))
            most = s->open[item[i]];
    return most;
}

static void lower(struct stage *s, const uint32_t *item, uint32_t n, const uint32_t *by_price, __int128 most,
                  const struct window *w)
{
    const int64_t price = highest(s, item, n, w);
    int64_t least;

    if (left_over(s, w->loss, most) >= price || !holds_class(s, item, n, w))
        return;
    least = allowed(s, by_price, n, w);
    for (uint32_t i = 0; i < n; i++)
        if (s->open[item[i]] > least && is_inside(s, w, item[i]))
            s->open[item[i]] = least;
}

static void sort_group(struct stage *s, const uint32_t *item, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        s->by_price[i] = item[i];
        s->key[item[i]] = (uint64_t)s->price[item[i]];
    }
    covey_i_sort_rows_u64(s->by_price, s->scratch, n, s->key);
}

static int64_t place_of(const covey_bound *b, uint32_t item)
{
    return b->window < 0 ? 0 : b->place[b->code[b->window][item]];
}

/* False: time is over. */
static bool search_group(struct stage *s, const unsigned char *level, uint32_t group)
{
    const covey_bound *b = s->b;
    const uint32_t *item = b->member + b->start[group], n = b->start[group + 1] - b->start[group];
    const int64_t base = covey_i_bound_group_loss(b, level, group);
    const struct window all = {INT64_MIN, INT64_MAX, INT64_MAX, true, true};
    const int64_t price = highest(s, item, n, &all);
    uint32_t n_null = 0;
    __int128 most;

    if (left_over(s, base, s->most) >= price)
        return true;
    sort_group(s, item, n);
    most = paid_by_others(s, s->by_price, n, &all, s->size);
    while (n_null < n && is_null(b, item[n_null]))
        n_null++;
    for (uint32_t i = n_null; i < n; i++) {
        if (i > n_null && place_of(b, item[i]) == place_of(b, item[i - 1]))
            continue;
        for (uint32_t end = i; end < n; end++) {
            const struct window w = {place_of(b, item[i]), place_of(b, item[end]),
                                     base + covey_i_bound_span(place_of(b, item[i]), place_of(b, item[end])), false,
                                     true};

            if (end + 1 < n && place_of(b, item[end + 1]) == w.to)
                continue;
            if (left_over(s, w.loss, most) >= price)
                break;
            if (covey_i_seconds() > b->deadline)
                return false;
            lower(s, item, n, s->by_price, most, &w);
        }
    }
    if (n_null > 0) {
        lower(s, item, n, s->by_price, most, &(struct window){0, 0, base, true, false});
        lower(s, item, n, s->by_price, most, &(struct window){INT64_MIN, INT64_MAX, base + b->window_loss, true, true});
    }
    return true;
}

static int64_t largest(const int64_t *price, uint32_t n)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < n; i++)
        most = price[i] > most ? price[i] : most;
    return most;
}

static covey_status search(struct stage *s, bool *is_complete, covey_bound_combinations *c, covey_error *err)
{
    covey_bound *b = s->b;
    const unsigned char *level;
    bool goes_on = true;
    int64_t least, possible, n = 0; /* possible: in all boxes that lose least or more */

    while (goes_on) {
        COVEY_TRY(covey_i_bound_combinations_next(&level, &least, c, err));
        if (least == INT64_MAX || (possible = left_over(s, least, s->most)) >= largest(s->open, b->n))
            return COVEY_OK;
        COVEY_TRY(covey_i_run_goes_on(b->run, "bound the loss", n++, 0, err));
        goes_on = level && covey_i_seconds() <= b->deadline;
        if (goes_on)
            covey_i_bound_groups(b, level, possible, s->open);
        for (uint32_t g = 0; g < b->n_groups && goes_on; g++)
            goes_on = search_group(s, level, g);
    }
    *is_complete = false;
    for (uint32_t i = 0; i < b->n; i++)
        if (s->open[i] > possible)
            s->open[i] = possible;
    return COVEY_OK;
}

/* The rows of one value. */
static covey_status price_value(struct stage *s, bool *is_complete, covey_error *err)
{
    covey_bound *b = s->b;
    const covey_bound_needs *needs = &b->needs;
    const struct window all = {INT64_MIN, INT64_MAX, INT64_MAX, true, true};
    covey_bound_combinations c;
    covey_status status;

    s->size = (int64_t)((__int128)needs->rows * COVEY_BOUND_UNIT * COVEY_BOUND_UNIT / needs->most[s->value]);
    for (uint32_t i = 0; i < b->n; i++) {
        const __int128 most = (__int128)s->nearest[i] * s->size / COVEY_BOUND_UNIT;

        s->open[i] = b->value[i] != s->value ? 0 : most < MOST_PRICE ? (int64_t)most : MOST_PRICE;
        b->member[i] = i;
    }
    sort_group(s, b->member, b->n);
    s->most = paid_by_others(s, s->by_price, b->n, &all, s->size);
    status = covey_i_bound_combinations_begin(&c, b, err);
    if (status == COVEY_OK)
        status = search(s, is_complete, &c, err);
    covey_i_bound_combinations_end(&c);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->value[i] == s->value)
            s->price[i] = s->open[i];
    return status;
}

bool covey_i_bound_is_rare(const covey_bound *b, uint32_t value)
{
    const covey_bound_needs *needs = &b->needs;

    return needs->has_shares && needs->most[value] > 0 && needs->need[value] <= b->problem->n_rows &&
           needs->most[value] <= COVEY_BOUND_UNIT && 2 * needs->most[value] <= needs->rows * COVEY_BOUND_UNIT;
}

covey_status covey_i_bound_price_rare(int64_t *price, bool *is_complete, covey_bound *b, const int64_t *nearest,
                                      covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    const uint32_t n_values = b->needs.n_values;
    struct stage s = {.b = b, .nearest = nearest, .price = price};
    covey_status status = COVEY_OK;

    s.open = covey_arena_array(&b->arena, int64_t, b->n);
    s.comes_first = covey_arena_array_zero(&b->arena, bool, n_values);
    s.by_price = covey_arena_array(&b->arena, uint32_t, b->n);
    s.scratch = covey_arena_array(&b->arena, uint32_t, b->n);
    s.key = covey_arena_array(&b->arena, uint64_t, b->n);
    s.used = covey_arena_array(&b->arena, int64_t, n_values);
    if (!s.open || !s.comes_first || !s.by_price || !s.scratch || !s.key || !s.used)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < n_values; v++)
        s.comes_first[v] = !covey_i_bound_is_rare(b, v);
    while (status == COVEY_OK) { /* the largest share first */
        s.value = UINT32_MAX;
        for (uint32_t v = 0; v < n_values; v++)
            if (!s.comes_first[v] && (s.value == UINT32_MAX || b->needs.most[v] > b->needs.most[s.value]))
                s.value = v;
        if (s.value == UINT32_MAX)
            break;
        status = price_value(&s, is_complete, err);
        s.comes_first[s.value] = true;
    }
    covey_arena_rewind(&b->arena, mark);
    return status;
}
