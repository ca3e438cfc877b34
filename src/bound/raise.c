/* Prices as high as they may be.  Of the rows in a box that loses L, no class may pay more than L for each of its rows.
 * Rows that are k or more can be parted into sets whose sizes lie between k and 2 k, and what these pay on average is
 * what their k rows of the highest prices do, or less: so it is enough that no k rows in the box pay more than k L.
 * Where the share of a value is bounded, its rows are taken in parts, up to that share of k rows; what a fraction of
 * rows of any size pays for each row does not grow with the size, so that k rows are the worst.
 *
 * A row far from all others then pays for those that its class needs, as these pay less in their own.
 *
 * Prices begin higher than they may be and are lowered, box by box, the cheapest boxes first: all that pay in a box too
 * much are brought down alike, but not below what they are known to be able to pay. */
#include "bound/search.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/run.h"

/* The rows of a window that pay the most, as many as the least class has. */
struct payer {
    uint32_t item;
    int64_t units;
};

struct raising {
    covey_bound *b;
    const int64_t *nearest; /* [n] what its class loses at least */
    const int64_t *floor;   /* [n] prices that are known to be possible */
    int64_t *price;         /* [n] */
    int64_t whole;          /* units of the least class */
    /* of the window */
    struct payer *payer; /* [room] the highest price first */
    uint64_t work;       /* payers looked at since the clock was */
    bool is_late;
    size_t n_payers;
    int64_t units;     /* of all payers */
    int64_t enough;    /* who pays no more is none of them; -1: they are not complete */
    int64_t *used;     /* [n_values] units */
    int64_t rows;      /* in the window */
    int64_t loss;      /* of the box */
    int64_t next_loss; /* with which more of its rows may be in a class */
    int64_t *count;    /* [n_values] rows in the window */
    int64_t n_distinct;
};

/* --- payers --- */

static int64_t units_of(const struct raising *r, uint32_t item)
{
    const int64_t units = (int64_t)r->b->n_rows[item] * COVEY_BOUND_UNIT, most = r->b->needs.most[r->b->value[item]];

    return units < most ? units : most;
}

/* How much of each is in the dearest k rows. */
static void trim(struct raising *r)
{
    size_t kept = 0;

    if ((r->work += r->n_payers + 1) >> 22) {
        r->work = 0;
        r->is_late |= covey_i_seconds() > r->b->deadline;
    }
    for (size_t i = 0; i < r->n_payers; i++)
        r->used[r->b->value[r->payer[i].item]] = 0;
    r->units = 0;
    for (size_t i = 0; i < r->n_payers && r->units < r->whole; i++) {
        const uint32_t item = r->payer[i].item, value = r->b->value[item];
        int64_t units = units_of(r, item);

        if (units > r->b->needs.most[value] - r->used[value])
            units = r->b->needs.most[value] - r->used[value];
        if (units > r->whole - r->units)
            units = r->whole - r->units;
        if (units <= 0)
            continue;
        r->used[value] += units;
        r->units += units;
        r->payer[kept++] = (struct payer){item, units};
    }
    r->n_payers = kept;
    r->enough = r->units == r->whole ? r->price[r->payer[kept - 1].item] : -1;
}

static void offer(struct raising *r, uint32_t item)
{
    const int64_t price = r->price[item];
    size_t i = r->n_payers;

    if (r->nearest[item] > r->loss) { /* no class in the box has it */
        if (r->nearest[item] < r->next_loss)
            r->next_loss = r->nearest[item];
        return;
    }
    for (; i > 0 && r->price[r->payer[i - 1].item] < price; i--)
        r->payer[i] = r->payer[i - 1];
    r->payer[i] = (struct payer){item, 0};
    r->n_payers++;
    trim(r);
}

static void offer_all(struct raising *r, const uint32_t *item, uint32_t n)
{
    r->n_payers = 0;
    r->units = 0;
    r->enough = -1;
    r->next_loss = INT64_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (r->is_late)
            return;
        else if (r->price[item[i]] > r->enough)
            offer(r, item[i]);
}

/* A price above the floor by more; by as many times as much as the value is scarcer than a row, which costs others no
 * more than one of a frequent value. */
static int64_t price_above(const struct raising *r, uint32_t item, int64_t more)
{
    const int64_t most = r->b->needs.most[r->b->value[item]];
    const __int128 price =
        r->floor[item] + (most < COVEY_BOUND_UNIT && most > 0 ? (__int128)more * COVEY_BOUND_UNIT / most : more);

    return price < r->price[item] ? (int64_t)price : r->price[item];
}

static __int128 paid(const struct raising *r, int64_t more)
{
    __int128 sum = 0;

    for (size_t i = 0; i < r->n_payers; i++)
        sum += (__int128)r->payer[i].units * price_above(r, r->payer[i].item, more);
    return sum;
}

/* --- boxes --- */

/* Brings the payers down to what they may pay in all. */
static void lower(struct raising *r)
{
    const __int128 most = (__int128)r->whole * r->loss;
    int64_t low = 0, high = 0; /* above the floor: low is possible, high is not */

    for (size_t i = 0; i < r->n_payers; i++)
        if (r->price[r->payer[i].item] - r->floor[r->payer[i].item] > high)
            high = r->price[r->payer[i].item] - r->floor[r->payer[i].item];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (paid(r, middle) <= most)
            low = middle;
        else
            high = middle;
    }
    for (size_t i = 0; i < r->n_payers; i++)
        r->price[r->payer[i].item] = price_above(r, r->payer[i].item, low);
}

/* Brings all down to their floors; and where these are too high, to what is never too much. */
static void cut_off(struct raising *r, const uint32_t *item, uint32_t n, bool floor_is_possible)
{
    for (uint32_t i = 0; i < n; i++) {
        const int64_t most = floor_is_possible ? r->floor[item[i]] : r->loss;

        if (r->price[item[i]] > most)
            r->price[item[i]] = most;
    }
}

enum { MOST_TURNS = 64 };

/* No class of items in this window pays more than its rows lose. */
static void settle(struct raising *r, const uint32_t *item, uint32_t n)
{
    const covey_bound_needs *needs = &r->b->needs;

    if (r->rows < needs->rows || r->n_distinct < needs->distinct)
        return;
    for (int turn = 0; !r->is_late; turn++) {
        if (r->units < r->whole || paid(r, INT64_MAX / 2) <= (__int128)r->whole * r->loss)
            return;
        if (paid(r, 0) > (__int128)r->whole * r->loss)
            cut_off(r, item, n, false);
        else if (turn == MOST_TURNS)
            cut_off(r, item, n, true);
        else
            lower(r);
        offer_all(r, item, n);
    }
}

static void add(struct raising *r, const uint32_t *item, uint32_t n, uint32_t more, int64_t loss)
{
    for (uint32_t i = n; i < n + more; i++) {
        r->rows += r->b->n_rows[item[i]];
        r->n_distinct += r->count[r->b->value[item[i]]] == 0;
        r->count[r->b->value[item[i]]] += r->b->n_rows[item[i]];
    }
    r->loss = loss;
    if (loss >= r->next_loss) {
        offer_all(r, item, n + more);
        return;
    }
    for (uint32_t i = n; i < n + more; i++)
        if (r->price[item[i]] > r->enough)
            offer(r, item[i]);
}

static void begin(struct raising *r, const uint32_t *item, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r->count[r->b->value[item[i]]] = 0;
    r->rows = r->n_distinct = 0;
    offer_all(r, item, 0);
}

static int64_t place_of(const covey_bound *b, uint32_t item)
{
    return b->window < 0 ? 0 : b->place[b->code[b->window][item]];
}

static int64_t highest(const struct raising *r, const uint32_t *item, uint32_t n)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < n; i++)
        if (r->price[item[i]] > most)
            most = r->price[item[i]];
    return most;
}

/* All windows from the first item's number on. */
static void search_from(struct raising *r, const uint32_t *item, uint32_t n, int64_t base)
{
    const int64_t first = place_of(r->b, item[0]), most = highest(r, item, n);

    begin(r, item, n);
    for (uint32_t i = 0, end; i < n && !r->is_late; i = end) {
        const int64_t at = place_of(r->b, item[i]), loss = base + covey_i_bound_span(first, at);

        if (loss >= most)
            break;
        for (end = i + 1; end < n && place_of(r->b, item[end]) == at; end++)
            ;
        add(r, item, i, end - i, loss);
        settle(r, item, end);
    }
}

static void search_all(struct raising *r, const uint32_t *item, uint32_t n, int64_t loss)
{
    begin(r, item, n);
    add(r, item, 0, n, loss);
    settle(r, item, n);
}

/* Would not even the dearest rows of all pay too much together, whatever class they are in? */
static bool pays_at_most(struct raising *r, const uint32_t *item, uint32_t n, int64_t loss)
{
    r->loss = INT64_MAX;
    offer_all(r, item, n);
    return r->units < r->whole || paid(r, INT64_MAX / 2) <= (__int128)r->whole * loss;
}

/* False: time is over. */
static bool search_group(struct raising *r, const unsigned char *level, uint32_t group)
{
    const covey_bound *b = r->b;
    const uint32_t *item = b->member + b->start[group], n = b->start[group + 1] - b->start[group];
    const int64_t base = covey_i_bound_group_loss(b, level, group);
    uint32_t n_null = 0;

    if (base >= highest(r, item, n) || pays_at_most(r, item, n, base))
        return !r->is_late;
    while (b->window_has_null && n_null < n && b->code[b->window][item[n_null]] == 0)
        n_null++;
    for (uint32_t i = n_null; i < n; i++) {
        if (i > n_null && place_of(b, item[i]) == place_of(b, item[i - 1]))
            continue;
        if (i % 64 == 63 && covey_i_seconds() > b->deadline)
            return false;
        search_from(r, item + i, n - i, base);
        if (r->is_late)
            return false;
    }
    if (n_null > 0) {
        search_all(r, item, n_null, base);
        search_all(r, item, n, base + b->window_loss);
    }
    return !r->is_late;
}

/* --- all boxes --- */

/* Boxes that were not looked at lose at least so much: no row pays more. */
static void give_up(struct raising *r, int64_t least)
{
    for (uint32_t i = 0; i < r->b->n; i++)
        if (r->price[i] > least)
            r->price[i] = least;
}

static covey_status search(struct raising *r, bool *is_complete, covey_bound_combinations *c, covey_error *err)
{
    covey_bound *b = r->b;
    const unsigned char *level;
    bool goes_on = true;
    int64_t least, n = 0;

    while (goes_on) {
        COVEY_TRY(covey_i_bound_combinations_next(&level, &least, c, err));
        if (least >= covey_i_bound_largest(r->price, b->n)) {
            *is_complete = true;
            return COVEY_OK;
        }
        COVEY_TRY(covey_i_run_goes_on(b->run, "bound the loss", n++, 0, err));
        goes_on = level && covey_i_seconds() <= b->deadline;
        if (goes_on)
            covey_i_bound_groups(b, level, least, r->price);
        for (uint32_t g = 0; g < b->n_groups && goes_on; g++)
            goes_on = search_group(r, level, g);
    }
    *is_complete = false;
    give_up(r, least);
    return COVEY_OK;
}

/* What the cheapest box of an item alone lets it pay. */
static void begin_prices(struct raising *r, const int64_t *nearest)
{
    for (uint32_t i = 0; i < r->b->n; i++) {
        const int64_t units = units_of(r, i);
        const __int128 most = units > 0 ? (__int128)nearest[i] * r->whole / units : nearest[i];

        r->price[i] = most < INT64_MAX / 4 ? (int64_t)most : INT64_MAX / 4;
        if (r->price[i] < r->floor[i])
            r->price[i] = r->floor[i];
    }
}

covey_status covey_i_bound_raise(int64_t *price, bool *is_complete, covey_bound *b, const int64_t *nearest,
                                 const int64_t *floor, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    const covey_bound_needs *needs = &b->needs;
    struct raising r = {
        .b = b, .nearest = nearest, .floor = floor, .price = price, .whole = needs->rows * COVEY_BOUND_UNIT};
    const size_t room = (size_t)(needs->rows < b->n ? needs->rows : b->n) + needs->n_values + 2;
    covey_bound_combinations c;
    covey_status status;

    r.payer = covey_arena_array(&b->arena, struct payer, room);
    r.used = covey_arena_array_zero(&b->arena, int64_t, needs->n_values);
    r.count = covey_arena_array_zero(&b->arena, int64_t, needs->n_values);
    if (!r.payer || !r.used || !r.count)
        return covey_i_no_memory(err);
    begin_prices(&r, nearest);
    status = covey_i_bound_combinations_begin(&c, b, err);
    if (status == COVEY_OK)
        status = search(&r, is_complete, &c, err);
    covey_i_bound_combinations_end(&c);
    covey_arena_rewind(&b->arena, mark);
    return status;
}
