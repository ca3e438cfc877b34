/* Bounds on the loss of all releases, step by step: what the promises say of classes, rows with equal codes as items,
 * the levels of the axes, the cheapest box of each item, what classes that hold rare values drag along, and what rows
 * pay for others in their class. */
#include "bound/search.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "table/column_key.h"

/* --- items --- */

static uint32_t count_values(const covey_column *column, bool *seen)
{
    uint32_t n = 0;

    for (uint32_t c = 0; c < column->n_values; c++)
        seen[c] = false;
    for (int64_t row = 0; row < column->n_rows; row++)
        seen[covey_i_codes_get(column->codes, column->width, (size_t)row)] = true;
    for (uint32_t c = 0; c < column->n_values; c++)
        n += seen[c];
    return n;
}

/* The axis of numbers with the most values is searched exactly. */
static covey_status choose_window(covey_bound *b, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    uint32_t most = 0;

    b->window = -1;
    for (size_t a = 0; a < b->problem->n_axes; a++) {
        const covey_axis *axis = &b->problem->axis[a];
        bool *seen = covey_arena_array(&b->arena, bool, axis->n_values);
        uint32_t n;

        if (!seen)
            return covey_i_no_memory(err);
        if (axis->kind != COVEY_AXIS_RANGE || (n = count_values(axis->column, seen)) <= most)
            continue;
        most = n;
        b->window = (int)a;
    }
    covey_arena_rewind(&b->arena, mark);
    return COVEY_OK;
}

static const covey_column *value_column(const covey_bound *b)
{
    return b->needs.view < 0 ? NULL : b->problem->promises.view[b->needs.view].column;
}

/* Rows by the window's codes, then by all other codes, then by value. */
static covey_status sort_rows(uint32_t *rows, covey_bound *b, covey_error *err)
{
    const covey_problem *problem = b->problem;
    covey_sort_key *key = covey_arena_array(&b->arena, covey_sort_key, problem->n_axes + 2);
    size_t n = 0;

    if (!key)
        return covey_i_no_memory(err);
    if (b->window >= 0)
        key[n++] = covey_i_column_key(problem->axis[b->window].column);
    for (size_t a = 0; a < problem->n_axes; a++)
        if ((int)a != b->window)
            key[n++] = covey_i_column_key(problem->axis[a].column);
    if (value_column(b))
        key[n++] = covey_i_column_key(value_column(b));
    return covey_i_keys_sort_rows(rows, NULL, problem->n_rows, key, n, b->run, err);
}

static uint32_t code_of(const covey_column *column, uint32_t row)
{
    return covey_i_codes_get(column->codes, column->width, row);
}

static bool are_alike(const covey_bound *b, uint32_t one, uint32_t other)
{
    for (size_t a = 0; a < b->problem->n_axes; a++)
        if (code_of(b->problem->axis[a].column, one) != code_of(b->problem->axis[a].column, other))
            return false;
    return !value_column(b) || code_of(value_column(b), one) == code_of(value_column(b), other);
}

static bool make_room(covey_bound *b)
{
    covey_arena *arena = &b->arena;
    bool made = (b->code = covey_arena_array_zero(arena, uint32_t *, b->problem->n_axes)) != NULL;

    for (size_t a = 0; made && a < b->problem->n_axes; a++)
        made = (b->code[a] = covey_arena_array(arena, uint32_t, b->n)) != NULL;
    for (b->n_slots = 16; b->n_slots < 2 * (size_t)b->n; b->n_slots *= 2)
        ;
    return made && (b->value = covey_arena_array_zero(arena, uint32_t, b->n)) &&
           (b->n_rows = covey_arena_array(arena, uint32_t, b->n)) &&
           (b->key = covey_arena_array(arena, uint64_t, b->n)) &&
           (b->slot = covey_arena_array(arena, uint32_t, b->n_slots)) &&
           (b->slot_key = covey_arena_array(arena, uint64_t, b->n_slots)) &&
           (b->group_of = covey_arena_array(arena, uint32_t, b->n)) &&
           (b->start = covey_arena_array(arena, uint32_t, (size_t)b->n + 1)) &&
           (b->member = covey_arena_array(arena, uint32_t, b->n));
}

static covey_status make_items(covey_bound *b, covey_error *err)
{
    const uint32_t n_rows = b->problem->n_rows;
    uint32_t *rows = covey_arena_array(&b->arena, uint32_t, n_rows), item = 0;

    if (!rows)
        return covey_i_no_memory(err);
    COVEY_TRY(sort_rows(rows, b, err));
    for (uint32_t i = 0; i < n_rows; i++)
        b->n += i == 0 || !are_alike(b, rows[i - 1], rows[i]);
    if (!make_room(b))
        return covey_i_no_memory(err);
    for (uint32_t i = 0, end; i < n_rows; i = end, item++) {
        for (end = i + 1; end < n_rows && are_alike(b, rows[i], rows[end]); end++)
            ;
        b->n_rows[item] = end - i;
        if (value_column(b))
            b->value[item] = code_of(value_column(b), rows[i]);
        for (size_t a = 0; a < b->problem->n_axes; a++)
            b->code[a][item] = code_of(b->problem->axis[a].column, rows[i]);
    }
    return COVEY_OK;
}

/* --- the bound --- */

/* Never more than num / den. */
static double round_down(covey_i128 num, covey_i128 den)
{
    const double share = (double)((long double)num / (long double)den);

    return share > 0 ? nextafter(share, 0) : 0;
}

enum {
    FIRST_PART = 32, /* of the mean price: how far prices go in a step, at first */
    LAST_PART = 256,
    LEAST_GAIN = 1000, /* another turn has to raise the bound by this part of it */
    DEAR = 16          /* rows of a rare value may gain by a balance if they pay this part of all */
};

struct bounding {
    covey_bound *b;
    int64_t *loss;  /* [n] what items lose at least */
    int64_t *price; /* [n] */
    int64_t *floor; /* [n] prices that are possible */
    int64_t *most;  /* [n] */
    covey_i128 sum, best;
    bool is_complete;
};

static covey_status count(struct bounding *s, const int64_t *price, covey_error *err)
{
    COVEY_TRY(covey_i_bound_sum(&s->sum, s->b, price, err));
    if (s->sum > s->best)
        s->best = s->sum;
    return COVEY_OK;
}

/* Raises the floor, turn by turn; loss: what items pay alone. */
static covey_status raise_floor(struct bounding *s, const int64_t *loss, int n_turns, covey_error *err)
{
    covey_i128 before;

    COVEY_TRY(count(s, s->floor, err));
    do {
        before = s->sum;
        COVEY_TRY(covey_i_bound_raise(s->price, &s->is_complete, s->b, loss, s->floor, err));
        COVEY_TRY(count(s, s->price, err));
        memcpy(s->floor, s->price, s->b->n * sizeof *s->floor);
    } while (s->is_complete && --n_turns > 0 && s->sum - before > before / LEAST_GAIN);
    return COVEY_OK;
}

/* What is better of what items lose at least and what is shared out of it. */
static covey_status begin_floor(struct bounding *s, covey_error *err)
{
    memcpy(s->floor, s->loss, s->b->n * sizeof *s->floor);
    COVEY_TRY(count(s, s->floor, err));
    if (!s->b->needs.has_shares)
        return COVEY_OK;
    COVEY_TRY(covey_i_bound_share_out(s->price, s->b, s->loss, err));
    COVEY_TRY(covey_i_bound_sum(&s->sum, s->b, s->price, err));
    if (s->sum > s->best)
        memcpy(s->floor, s->price, s->b->n * sizeof *s->floor);
    return COVEY_OK;
}

/* From which value on is it worth while to weigh rare ones against the others? */
static size_t first_dear(const struct bounding *s, const uint32_t *value, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        covey_i128 sum = 0;

        for (uint32_t i = 0; i < s->b->n; i++)
            if (s->b->value[i] == value[k])
                sum += (covey_i128)s->price[i] * s->b->n_rows[i];
        if (sum > s->sum / DEAR)
            return k;
    }
    return n;
}

/* Weighs the prices of others against those of rare values.  What seemed to gain may not, as other boxes decide then;
 * these are known the next time, and steps are shorter. */
static covey_status balance(struct bounding *s, covey_bound_cuts *cuts, const uint32_t *value, size_t n,
                            covey_error *err)
{
    int64_t *center = s->floor;
    covey_i128 reached = s->sum;
    int part = FIRST_PART;
    bool is_better;

    memcpy(center, s->price, s->b->n * sizeof *center);
    do {
        COVEY_TRY(covey_i_bound_balance(s->price, cuts, s->b, part, value, n, err));
        memcpy(s->most, s->price, s->b->n * sizeof *s->most);
        COVEY_TRY(covey_i_bound_price_rare(s->price, &s->is_complete, cuts, s->b, s->loss, s->most, value, n, err));
        COVEY_TRY(count(s, s->price, err));
        is_better = s->sum > reached;
        if (!is_better || s->sum - reached <= reached / LEAST_GAIN)
            part *= 2;
        if (is_better)
            reached = s->sum;
        memcpy(is_better ? center : s->price, is_better ? s->price : center, s->b->n * sizeof *center);
    } while (s->is_complete && part <= LAST_PART);
    return COVEY_OK;
}

/* Prices without rare values first, which then get what the others leave. */
static covey_status serve_rare(struct bounding *s, const uint32_t *value, size_t n, covey_error *err)
{
    int64_t *others = covey_arena_array(&s->b->arena, int64_t, s->b->n);
    covey_bound_cuts cuts = {0};
    covey_status status;
    size_t first;

    if (!others)
        return covey_i_no_memory(err);
    memcpy(others, s->loss, s->b->n * sizeof *others);
    for (uint32_t i = 0; i < s->b->n; i++)
        for (size_t k = 0; k < n; k++)
            if (s->b->value[i] == value[k])
                others[i] = 0;
    memset(s->floor, 0, s->b->n * sizeof *s->floor);
    COVEY_TRY(raise_floor(s, others, INT_MAX, err));
    status = covey_i_bound_price_rare(s->price, &s->is_complete, &cuts, s->b, s->loss, NULL, value, n, err);
    if (status == COVEY_OK)
        status = count(s, s->price, err);
    first = first_dear(s, value, n);
    if (status == COVEY_OK && s->is_complete && first < n)
        status = balance(s, &cuts, value + first, n - first, err);
    covey_i_bound_cuts_free(&cuts);
    return status;
}

static covey_status raise_prices(struct bounding *s, covey_error *err)
{
    uint32_t *value = covey_arena_array(&s->b->arena, uint32_t, s->b->needs.n_values);
    covey_i128 alone;
    size_t n;

    s->price = covey_arena_array(&s->b->arena, int64_t, s->b->n);
    s->floor = covey_arena_array(&s->b->arena, int64_t, s->b->n);
    s->most = covey_arena_array(&s->b->arena, int64_t, s->b->n);
    if (!value || !s->price || !s->floor || !s->most)
        return covey_i_no_memory(err);
    n = covey_i_bound_list_rare(value, s->b);
    COVEY_TRY(begin_floor(s, err));
    if (n > 0) {
        COVEY_TRY(raise_floor(s, s->loss, 1, err));
        alone = s->best;
        COVEY_TRY(serve_rare(s, value, n, err));
        if (s->best > alone || !s->is_complete)
            return COVEY_OK;
        COVEY_TRY(begin_floor(s, err));
    }
    return raise_floor(s, s->loss, INT_MAX, err);
}

static covey_status search(covey_loss_bound *out, covey_bound *b, covey_error *err)
{
    struct bounding s = {.b = b};

    COVEY_TRY(covey_i_bound_needs_find(b, err));
    COVEY_TRY(choose_window(b, err));
    COVEY_TRY(make_items(b, err));
    COVEY_TRY(covey_i_bound_levels(b, err));
    if (!(s.loss = covey_arena_array(&b->arena, int64_t, b->n)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_bound_nearest(s.loss, &out->is_complete, b, err));
    COVEY_TRY(raise_prices(&s, err));
    out->is_complete &= s.is_complete;
    out->value = round_down(s.best, (covey_i128)b->problem->n_rows * COVEY_BOUND_ONE);
    return COVEY_OK;
}

covey_status covey_i_bound_loss(covey_loss_bound *out, const covey_problem *problem, double seconds,
                                const covey_run *run, covey_error *err)
{
    const double begin = covey_i_seconds();
    covey_bound b = {.problem = problem, .run = run, .deadline = begin + seconds};
    covey_loss_bound found = {.is_complete = true};
    covey_status status = problem->n_rows > 0 ? search(&found, &b, err) : COVEY_OK;

    covey_arena_free(&b.arena);
    if (status != COVEY_OK)
        return status;
    found.seconds = covey_i_seconds() - begin;
    *out = found;
    return COVEY_OK;
}
