/* What rows of rare values pay.  Of a value that may have a 43rd of a class each row has 42 others in its class, and
 * these pay less than the class loses where they would be better off elsewhere: the row pays the rest.  Prices that
 * mix all sizes of classes do not see that, as there three rows hold a part of such a row, beside the dearest others.
 *
 * Values come by their shares, the scarcest last, and each row's price is as high as those before it allow.  Let a
 * class of c rows in a box that loses L have j rows of the scarcest of its values, each of which pays p.  The others
 * are c - j, and what the dearest of them pay that the shares of their values let into a class of x = c / j rows, parts
 * of rows allowed, is T(x): j times that is more than they pay.  So p <= x L - T(x) for all x from the least c / j on
 * is enough. T is concave, and 0 where x is 1: where it rises by no more than L at the least x, as it does if it is (x
 * - 1) L or less there, that one decides; else the x from which on it does.  Where all others are not enough for x, no
 * class is in the box.  Prices may be negative: what a row more would save the others. */
#include "bound/search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"

#define MOST_PRICE (INT64_MAX / 4)
#define NO_CLASS (-((__int128)1 << 124))

struct stage {
    covey_bound *b;
    covey_bound_cuts *cuts;
    const int64_t *nearest; /* [n] what its class loses at least */
    int64_t *price;         /* [n] */
    int64_t *open;          /* [n] price of the stage's items, INT64_MIN of others */
    uint32_t *decides;      /* [n] the cut that lowered an item's price last; UINT32_MAX: none */
    bool *comes_first;      /* [n_values] of an earlier stage */
    uint32_t value;
    int64_t size;       /* least x, in units */
    uint32_t *by_price; /* [n] of a group, the dearest last */
    uint32_t *scratch;  /* [n] */
    uint64_t *key;      /* [n] scratch */
    int64_t *used;      /* [n_values] units */
    __int128 most;      /* T(size) of the whole table */
    __int128 error;     /* by how much T may be too much, as parts of rows are rounded up */
};

/* A part of a group: items whose place lies in a window, in a box that loses so much. */
struct window {
    int64_t from, to; /* places of numbers */
    int64_t loss;
    bool with_null, with_numbers;
};

static const struct window everything = {INT64_MIN, INT64_MAX, INT64_MAX, true, true};

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

/* T(size): what the dearest others pay, in price times units; NO_CLASS: they are too few. */
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
    return left > 0 ? NO_CLASS : sum;
}

static int64_t to_price(__int128 units)
{
    const __int128 down = units >= 0 ? units / COVEY_BOUND_UNIT : -((COVEY_BOUND_UNIT - 1 - units) / COVEY_BOUND_UNIT);

    return down > MOST_PRICE ? MOST_PRICE : down < -MOST_PRICE ? -MOST_PRICE : (int64_t)down;
}

/* The most that a row may pay in a box where others pay so much, or less where T may rise too fast. */
static int64_t left_over(const struct stage *s, int64_t loss, __int128 others)
{
    if (others == NO_CLASS)
        return MOST_PRICE;
    if (others > (__int128)loss * (s->size - COVEY_BOUND_UNIT))
        return -MOST_PRICE;
    return to_price((__int128)s->size * loss - others);
}

/* Does T rise by more than the loss up to a size?  *over: by how much more, at most. */
static bool rises_too_fast(__int128 *over, struct stage *s, const uint32_t *by_price, uint32_t n,
                           const struct window *w, int64_t loss, int64_t size)
{
    const __int128 there = paid_by_others(s, by_price, n, w, size),
                   before = there == NO_CLASS ? NO_CLASS : paid_by_others(s, by_price, n, w, size - COVEY_BOUND_UNIT);

    if (before == NO_CLASS)
        return false;
    *over = there - before + s->error - (__int128)loss * COVEY_BOUND_UNIT;
    return *over > 0;
}

/* Units from a size on for which there are others enough; at most a row. */
static int64_t units_left(struct stage *s, const uint32_t *by_price, uint32_t n, const struct window *w, int64_t size)
{
    int64_t low = 0, high = COVEY_BOUND_UNIT;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (paid_by_others(s, by_price, n, w, size + middle) == NO_CLASS)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The most that a row of the stage may pay in boxes of rows in a window that lose so much, and *size, where that is. */
static int64_t allowed(int64_t *size, struct stage *s, const uint32_t *by_price, uint32_t n, const struct window *w,
                       int64_t loss)
{
    const __int128 others = paid_by_others(s, by_price, n, w, s->size);
    int64_t low = 0, high = 1; /* rows more: T rises too fast up to the former, not up to the latter */
    __int128 over = 0, ignored;
    int64_t left;

    *size = s->size;
    if (left_over(s, loss, others) > -MOST_PRICE || !rises_too_fast(&over, s, by_price, n, w, loss, s->size))
        return others == NO_CLASS ? MOST_PRICE : to_price((__int128)s->size * loss - others);
    for (; rises_too_fast(&ignored, s, by_price, n, w, loss, s->size + high * COVEY_BOUND_UNIT); high *= 2)
        low = high;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (rises_too_fast(&ignored, s, by_price, n, w, loss, s->size + middle * COVEY_BOUND_UNIT))
            low = middle;
        else
            high = middle;
    }
    /* T is concave, so that its slope from a size on is no more than its rise up to it, and the least x L - T(x) lies
     * less than a row below low, or up to a row above. */
    left = units_left(s, by_price, n, w, s->size + low * COVEY_BOUND_UNIT) + (low > 0 ? COVEY_BOUND_UNIT : 0);
    *size = s->size + (low > 0 ? low - 1 : 0) * COVEY_BOUND_UNIT;
    rises_too_fast(&over, s, by_price, n, w, loss, *size);
    over = over > 0 ? (over * left + COVEY_BOUND_UNIT - 1) / COVEY_BOUND_UNIT : 0;
    return to_price((__int128)*size * loss - paid_by_others(s, by_price, n, w, *size) - over - (low + 1) * s->error);
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
    int64_t most = INT64_MIN;

    for (uint32_t i = 0; i < n; i++)
        if (s->open[item[i]] > most && is_inside(s, w, item[i]))
            most = s->open[item[i]];
    return most;
}

/* --- cuts --- */

/* Of the items of a window, the dearest first; the stage's own last. */
static covey_status begin_cut(uint32_t *at, struct stage *s, uint32_t n, const struct window *w, int64_t size,
                              covey_error *err)
{
    covey_bound_cut cut = {.loss = w->loss, .size = size, .value = s->value};
    uint32_t *fitting;

    *at = UINT32_MAX;
    if (s->cuts->n_items > COVEY_BOUND_MOST_CUT_ITEMS)
        return COVEY_OK;
    if (!(cut.item = covey_i_realloc(NULL, n, sizeof *cut.item)))
        return covey_i_no_memory(err);
    for (uint32_t i = n; i-- > 0;)
        if (s->comes_first[s->b->value[s->by_price[i]]] && is_inside(s, w, s->by_price[i]))
            cut.item[cut.n_others++] = s->by_price[i];
    cut.n = cut.n_others;
    for (uint32_t i = 0; i < n; i++)
        if (s->b->value[s->by_price[i]] == s->value && is_inside(s, w, s->by_price[i]))
            cut.item[cut.n++] = s->by_price[i];
    if ((fitting = covey_i_realloc(cut.item, cut.n, sizeof *fitting)))
        cut.item = fitting;
    COVEY_TRY(covey_i_bound_cuts_add(s->cuts, &cut, err));
    *at = (uint32_t)s->cuts->n - 1;
    return COVEY_OK;
}

/* Only those are kept that decide in the end. */
static void decide(struct stage *s, uint32_t item, uint32_t at)
{
    const uint32_t before = s->decides[item];

    s->decides[item] = at;
    if (at != UINT32_MAX)
        s->cuts->cut[at].n_users++;
    if (before != UINT32_MAX && --s->cuts->cut[before].n_users == 0)
        covey_i_bound_cuts_drop(s->cuts, before);
}

static covey_status lower(struct stage *s, const uint32_t *item, uint32_t n, __int128 most, const struct window *w,
                          covey_error *err)
{
    const int64_t price = highest(s, item, n, w);
    int64_t least, size;
    uint32_t cut;

    if (price == INT64_MIN || left_over(s, w->loss, most) >= price || !holds_class(s, item, n, w))
        return COVEY_OK;
    least = allowed(&size, s, s->by_price, n, w, w->loss);
    if (least >= price)
        return COVEY_OK;
    COVEY_TRY(begin_cut(&cut, s, n, w, size, err));
    for (uint32_t i = 0; i < n; i++)
        if (s->open[item[i]] > least && is_inside(s, w, item[i])) {
            s->open[item[i]] = least;
            decide(s, item[i], cut);
        }
    return COVEY_OK;
}

static void sort_group(struct stage *s, const uint32_t *item, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        s->by_price[i] = item[i];
        s->key[item[i]] = (uint64_t)s->price[item[i]] ^ (uint64_t)1 << 63; /* negative ones first */
    }
    covey_i_sort_rows_u64(s->by_price, s->scratch, n, s->key);
}

static int64_t place_of(const covey_bound *b, uint32_t item)
{
    return b->window < 0 ? 0 : b->place[b->code[b->window][item]];
}

/* *goes_on = false: time is over. */
static covey_status search_group(bool *goes_on, struct stage *s, const unsigned char *level, uint32_t group,
                                 covey_error *err)
{
    const covey_bound *b = s->b;
    const uint32_t *item = b->member + b->start[group], n = b->start[group + 1] - b->start[group];
    const int64_t base = covey_i_bound_group_loss(b, level, group);
    const int64_t price = highest(s, item, n, &everything);
    uint32_t n_null = 0;
    __int128 most;

    if (left_over(s, base, s->most) >= price)
        return COVEY_OK;
    sort_group(s, item, n);
    most = paid_by_others(s, s->by_price, n, &everything, s->size);
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
            if (!(*goes_on = covey_i_seconds() <= b->deadline))
                return COVEY_OK;
            COVEY_TRY(lower(s, item, n, most, &w, err));
        }
    }
    if (n_null == 0)
        return COVEY_OK;
    COVEY_TRY(lower(s, item, n, most, &(struct window){0, 0, base, true, false}, err));
    return lower(s, item, n, most, &(struct window){INT64_MIN, INT64_MAX, base + b->window_loss, true, true}, err);
}

static covey_status search(struct stage *s, bool *is_complete, covey_bound_combinations *c, covey_error *err)
{
    covey_bound *b = s->b;
    const unsigned char *level;
    bool goes_on = true;
    int64_t least, possible, size, n = 0; /* possible: in all boxes that lose least or more */

    while (goes_on) {
        COVEY_TRY(covey_i_bound_combinations_next(&level, &least, c, err));
        if (least == INT64_MAX || (possible = left_over(s, least, s->most)) >= covey_i_bound_largest(s->open, b->n))
            return COVEY_OK;
        COVEY_TRY(covey_i_run_goes_on(b->run, "bound the loss", n++, 0, err));
        goes_on = level && covey_i_seconds() <= b->deadline;
        if (goes_on)
            covey_i_bound_groups(b, level, possible, s->open);
        for (uint32_t g = 0; g < b->n_groups && goes_on; g++)
            COVEY_TRY(search_group(&goes_on, s, level, g, err));
    }
    *is_complete = false;
    for (uint32_t i = 0; i < b->n; i++)
        b->member[i] = i;
    sort_group(s, b->member, b->n);
    possible = allowed(&size, s, s->by_price, b->n, &everything, least);
    for (uint32_t i = 0; i < b->n; i++)
        if (s->open[i] > possible)
            s->open[i] = possible;
    return COVEY_OK;
}

/* Where the stage's prices begin: higher than the box of the least loss allows whatever others pay, so that some box
 * decides; or `most`. */
static void begin_prices(struct stage *s, const int64_t *most)
{
    covey_bound *b = s->b;
    int64_t low = 0, high = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        low = s->comes_first[b->value[i]] && s->price[i] < low ? s->price[i] : low;
        high = s->comes_first[b->value[i]] && s->price[i] > high ? s->price[i] : high;
    }
    s->error = ((__int128)high - low) * b->needs.n_values;
    for (uint32_t i = 0; i < b->n; i++) {
        s->decides[i] = UINT32_MAX;
        s->open[i] = b->value[i] != s->value ? INT64_MIN : to_price(((__int128)s->nearest[i] - low) * s->size) + 1;
        if (most && s->open[i] > most[i])
            s->open[i] = most[i];
        b->member[i] = i;
    }
}

/* The rows of one value. */
static covey_status price_value(struct stage *s, bool *is_complete, const int64_t *most, covey_error *err)
{
    covey_bound *b = s->b;
    const covey_bound_needs *needs = &b->needs;
    covey_bound_combinations c;
    covey_status status;

    s->size = (int64_t)((__int128)needs->rows * COVEY_BOUND_UNIT * COVEY_BOUND_UNIT / needs->most[s->value]);
    begin_prices(s, most);
    sort_group(s, b->member, b->n);
    s->most = paid_by_others(s, s->by_price, b->n, &everything, s->size);
    status = covey_i_bound_combinations_begin(&c, b, err);
    if (status == COVEY_OK)
        status = search(s, is_complete, &c, err);
    covey_i_bound_combinations_end(&c);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->value[i] == s->value)
            s->price[i] = s->open[i];
    return status;
}

/* A value is rare if the least class may have no more than one row of it, or half of its rows, where parts are counted.
 */
static bool is_rare(const covey_bound *b, uint32_t value)
{
    const covey_bound_needs *needs = &b->needs;

    return needs->has_shares && needs->most[value] > 0 && needs->need[value] <= b->problem->n_rows &&
           needs->most[value] <= COVEY_BOUND_UNIT && 2 * needs->most[value] <= needs->rows * COVEY_BOUND_UNIT;
}

size_t covey_i_bound_list_rare(uint32_t *value, const covey_bound *b)
{
    size_t n = 0;

    for (uint32_t v = 0; v < b->needs.n_values; v++) {
        size_t at = n;

        if (!is_rare(b, v))
            continue;
        for (; at > 0 && b->needs.most[value[at - 1]] < b->needs.most[v]; at--)
            value[at] = value[at - 1];
        value[at] = v;
        n++;
    }
    return n;
}

covey_status covey_i_bound_price_rare(int64_t *price, bool *is_complete, covey_bound_cuts *cuts, covey_bound *b,
                                      const int64_t *nearest, const int64_t *most, const uint32_t *value, size_t n,
                                      covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    const uint32_t n_values = b->needs.n_values;
    struct stage s = {.b = b, .nearest = nearest, .price = price, .cuts = cuts};
    covey_status status = COVEY_OK;

    s.open = covey_arena_array(&b->arena, int64_t, b->n);
    s.decides = covey_arena_array(&b->arena, uint32_t, b->n);
    s.comes_first = covey_arena_array(&b->arena, bool, n_values);
    s.by_price = covey_arena_array(&b->arena, uint32_t, b->n);
    s.scratch = covey_arena_array(&b->arena, uint32_t, b->n);
    s.key = covey_arena_array(&b->arena, uint64_t, b->n);
    s.used = covey_arena_array(&b->arena, int64_t, n_values);
    if (!s.open || !s.decides || !s.comes_first || !s.by_price || !s.scratch || !s.key || !s.used)
        return covey_i_no_memory(err);
    memset(s.comes_first, true, n_values * sizeof *s.comes_first);
    for (size_t i = 0; i < n; i++)
        s.comes_first[value[i]] = false;
    *is_complete = true;
    for (size_t i = 0; status == COVEY_OK && i < n; i++) {
        s.value = value[i];
        if (covey_i_seconds() > b->deadline) {
            memset(price, 0, b->n * sizeof *price); /* what is left may have to pay less than nothing: nobody pays */
            *is_complete = false;
            break;
        }
        status = price_value(&s, is_complete, most, err);
        s.comes_first[s.value] = true;
    }
    covey_arena_rewind(&b->arena, mark);
    return status;
}
