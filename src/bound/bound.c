/* Bounds on the loss of all releases, step by step: what the promises say of classes, rows with equal codes as items,
 * the levels of the axes, the cheapest box of each item, what classes that hold rare values drag along, and what rows
 * pay for others in their class. */
#include "bound/search.h"

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

/* Another turn has to raise the bound by a thousandth. */
enum { LEAST_GAIN = 1000 };

/* Begins with what is better of what items lose at least and what is shared out of it, and raises that again and again.
 */
static covey_status raise_prices(covey_i128 *best, bool *is_complete, covey_bound *b, const int64_t *loss,
                                 covey_error *err)
{
    int64_t *price = covey_arena_array(&b->arena, int64_t, b->n), *floor = covey_arena_array(&b->arena, int64_t, b->n);
    covey_i128 sum, before;

    if (!price || !floor)
        return covey_i_no_memory(err);
    memcpy(floor, loss, b->n * sizeof *floor);
    COVEY_TRY(covey_i_bound_sum(best, b, floor, err));
    if (b->needs.has_shares) {
        COVEY_TRY(covey_i_bound_share_out(price, b, loss, err));
        COVEY_TRY(covey_i_bound_sum(&sum, b, price, err));
        if (sum > *best) {
            *best = sum;
            memcpy(floor, price, b->n * sizeof *floor);
        }
    }
    do {
        before = *best;
        COVEY_TRY(covey_i_bound_raise(price, is_complete, b, loss, floor, err));
        COVEY_TRY(covey_i_bound_sum(&sum, b, price, err));
        if (sum > *best)
            *best = sum;
        memcpy(floor, price, b->n * sizeof *floor);
    } while (*is_complete && sum - before > before / LEAST_GAIN);
    return COVEY_OK;
}

/* The same without rare values first, which then get what the others leave. */
static covey_status serve_rare(covey_i128 *best, bool *is_complete, covey_bound *b, const int64_t *loss,
                               covey_error *err)
{
    int64_t *price = covey_arena_array(&b->arena, int64_t, b->n), *floor = covey_arena_array(&b->arena, int64_t, b->n),
            *others = covey_arena_array(&b->arena, int64_t, b->n);
    covey_i128 sum = 0, before;
    bool any = false;

    if (!price || !floor || !others)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < b->n; i++) {
        any |= covey_i_bound_is_rare(b, b->value[i]);
        others[i] = covey_i_bound_is_rare(b, b->value[i]) ? 0 : loss[i];
    }
    if (!any)
        return COVEY_OK;
    memset(floor, 0, b->n * sizeof *floor);
    do {
        before = sum;
        COVEY_TRY(covey_i_bound_raise(price, is_complete, b, others, floor, err));
        COVEY_TRY(covey_i_bound_sum(&sum, b, price, err));
        memcpy(floor, price, b->n * sizeof *floor);
    } while (*is_complete && sum - before > before / LEAST_GAIN);
    COVEY_TRY(covey_i_bound_price_rare(price, is_complete, b, loss, err));
    COVEY_TRY(covey_i_bound_sum(&sum, b, price, err));
    if (sum > *best)
        *best = sum;
    return COVEY_OK;
}

static covey_status search(covey_loss_bound *out, covey_bound *b, covey_error *err)
{
    bool is_complete;
    covey_i128 best;
    int64_t *loss;

    COVEY_TRY(covey_i_bound_needs_find(b, err));
    COVEY_TRY(choose_window(b, err));
    COVEY_TRY(make_items(b, err));
    COVEY_TRY(covey_i_bound_levels(b, err));
    if (!(loss = covey_arena_array(&b->arena, int64_t, b->n)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_bound_nearest(loss, &out->is_complete, b, err));
    COVEY_TRY(raise_prices(&best, &is_complete, b, loss, err));
    COVEY_TRY(serve_rare(&best, &is_complete, b, loss, err));
    out->is_complete &= is_complete;
    out->value = round_down(best, (covey_i128)b->problem->n_rows * COVEY_BOUND_ONE);
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
