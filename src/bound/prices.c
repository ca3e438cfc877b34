/* What rows pay.  If no class that keeps the promises pays more in all than its rows lose, then what all rows pay is a
 * bound: the dual of choosing classes that cover the table, each row once. */
#include "bound/search.h"

#include "base/error.h"
#include "base/sort/sort.h"

/* Items, the dearest last. */
static covey_status sort_items(uint32_t *item, covey_bound *b, const int64_t *price, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    uint32_t *scratch = covey_arena_array(&b->arena, uint32_t, b->n);

    if (!scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < b->n; i++)
        item[i] = i;
    covey_i_sort_rows_u64(item, scratch, b->n, (const uint64_t *)price); /* none is negative */
    covey_arena_rewind(&b->arena, mark);
    return COVEY_OK;
}

covey_status covey_i_bound_sum(covey_i128 *sum, covey_bound *b, const int64_t *price, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&b->arena);
    uint32_t *item = covey_arena_array(&b->arena, uint32_t, b->n);
    int64_t left = b->needs.keeps_prior ? 0 : b->problem->max_suppressed;

    if (!item)
        return covey_i_no_memory(err);
    COVEY_TRY(sort_items(item, b, price, err));
    *sum = 0;
    for (uint32_t i = b->n; i-- > 0;) {
        const int64_t rows = b->n_rows[item[i]], over = price[item[i]] - COVEY_BOUND_ONE,
                      gone = over <= 0     ? 0
                             : rows < left ? rows
                                           : left;

        *sum += (covey_i128)price[item[i]] * rows - (covey_i128)over * gone;
        left -= gone;
    }
    covey_arena_rewind(&b->arena, mark);
    return COVEY_OK;
}

struct sharing {
    const covey_bound *b;
    int64_t all, *rows;          /* [n_values] with at least the loss that is looked at */
    int64_t for_all, *for_value; /* [n_values] what such rows pay so far */
};

/* The rows that lose so much, and those in their classes, are at least as many as ... whom to charge for it. */
static void charge(struct sharing *s, int64_t loss)
{
    const covey_bound_needs *needs = &s->b->needs;
    const int64_t unit = needs->rows * COVEY_BOUND_UNIT;
    __int128 num = s->all, den = 1;
    uint32_t payer = UINT32_MAX;

    for (uint32_t v = 0; v < needs->n_values; v++) {
        const __int128 own = (__int128)s->rows[v] * unit;

        if (s->rows[v] == 0 || needs->most[v] == 0 || own * den <= num * needs->most[v])
            continue;
        num = own;
        den = needs->most[v];
        payer = v;
    }
    if (payer == UINT32_MAX)
        s->for_all += loss;
    else
        s->for_value[payer] += (int64_t)((__int128)loss * unit / needs->most[payer]);
}

covey_status covey_i_bound_share_out(int64_t *price, covey_bound *b, const int64_t *loss, covey_error *err)
{
    const uint32_t n_values = b->needs.n_values;
    struct sharing s = {.b = b,
                        .rows = covey_arena_array_zero(&b->arena, int64_t, n_values),
                        .for_value = covey_arena_array_zero(&b->arena, int64_t, n_values)};
    uint32_t *item = covey_arena_array(&b->arena, uint32_t, b->n);
    int64_t before = 0;

    if (!item || !s.rows || !s.for_value)
        return covey_i_no_memory(err);
    COVEY_TRY(sort_items(item, b, loss, err));
    for (uint32_t i = 0; i < b->n; i++) {
        s.rows[b->value[i]] += b->n_rows[i];
        s.all += b->n_rows[i];
    }
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t at = item[i];

        if (loss[at] > before)
            charge(&s, loss[at] - before);
        before = loss[at];
        price[at] = s.for_all + s.for_value[b->value[at]];
        s.rows[b->value[at]] -= b->n_rows[at];
        s.all -= b->n_rows[at];
    }
    return COVEY_OK;
}
