/* New rows get signatures: as many as possible those of the m most frequent values, one row each, as long as the values
 * of the others stay m-eligible; then those of more values than m, where these few would not leave them so.
 * [XiaoTao07] section 5.3.
 *
 * There is always a step: let n_1 >= n_2 >= ... be the rows of the values and g their sum, g >= m n_1.  One row of each
 * of the first b values leaves m-eligible ones if b <= g - m n_1 + m and m n_(b+1) <= g - b.  Take the largest b for
 * which the first holds.  If that is all values, the second holds, too.  If not, g - b = m (n_1 - 1), and n_(b+1) = n_1
 * would make g at least (b + 1) n_1 = (g - m n_1 + m + 1) n_1, which it is not. */
#include "method/m_invariance/m_invariance.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/sort/compare.h"

/* A value that new rows are left of. */
struct left {
    uint32_t n, value;
};

static int compare_left(const void *a, const void *b)
{
    const struct left *x = a, *y = b;

    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (x->value > y->value) - (x->value < y->value);
}

/* Values that rows are left of, most first. */
static uint32_t list_left(struct left *left, const covey_stock *stock)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < stock->n_values; v++)
        if (stock->left[v] > 0)
            left[n++] = (struct left){stock->left[v], v};
    qsort(left, n, sizeof *left, compare_left);
    return n;
}

/* How many rows of each of the first b values can go at once. */
static int64_t rows_to_go(const struct left *left, uint32_t n, uint32_t b, int64_t total, int64_t m)
{
    int64_t rows = left[b - 1].n, rest = total - m * left[0].n;

    if (b > m && rest / (b - m) < rows)
        rows = rest / (b - m);
    rest = total - (b < n ? m * left[b].n : 0);
    return rest / b < rows ? rest / b : rows;
}

/* Moves rows of the first b values into the bucket that has these for its signature. */
static covey_status move_rows(covey_buckets *b, covey_stock *stock, const struct left *left, uint32_t n, int64_t rows,
                              uint32_t *value, covey_error *err)
{
    uint32_t bucket;

    for (uint32_t i = 0; i < n; i++)
        value[i] = left[i].value;
    qsort(value, n, sizeof *value, covey_i_compare_u32);
    if ((bucket = covey_i_buckets_find(b, value, n)) == b->n)
        COVEY_TRY(covey_i_buckets_add(&bucket, b, value, n, err));
    for (uint32_t i = 0; i < n; i++)
        for (int64_t j = 0; j < rows; j++)
            covey_i_buckets_put(b, b->start[bucket] + i, covey_i_stock_take(stock, value[i]));
    return COVEY_OK;
}

covey_status covey_i_m_assign(covey_buckets *b, covey_stock *stock, int64_t m, covey_error *err)
{
    struct left *left = covey_arena_array(b->arena, struct left, stock->n_values);
    uint32_t *value = covey_arena_array(b->arena, uint32_t, stock->n_values), n;

    if (!left || !value)
        return covey_i_no_memory(err);
    while ((n = list_left(left, stock)) > 0) {
        int64_t total = 0, rows = 0;
        uint32_t first = (uint32_t)m;

        for (uint32_t i = 0; i < n; i++)
            total += left[i].n;
        while (first <= n && (rows = rows_to_go(left, n, first, total, m)) == 0)
            first++;
        if (first > n)
            return covey_fail(err, COVEY_EINTERNAL, "the values of new rows are not %d-eligible", (int)m);
        COVEY_TRY(move_rows(b, stock, left, first, rows, value, err));
    }
    return COVEY_OK;
}
