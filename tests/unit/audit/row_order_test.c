/* The quick look at the order of rows sees what a look at every row sees. */
#include "test.h"

#include "audit/row_order.h"
#include "base/rng.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 5000, MOST_COLUMNS = 4, ROUNDS = 1500 };

struct table {
    uint32_t n_rows, n_classes;
    uint32_t start[MOST_ROWS + 1];
    size_t n_columns;
    uint32_t code[MOST_COLUMNS][MOST_ROWS]; /* read at width 1, 2 or 4 */
    uint32_t rank[MOST_COLUMNS][MOST_ROWS];
    covey_column text[MOST_COLUMNS];
    covey_opened_column column[MOST_COLUMNS];
    const covey_opened_column *order[MOST_COLUMNS];
};

static void random_column(struct table *t, size_t c, covey_rng *rng)
{
    static const int widths[] = {1, 2, 4};
    const int width = widths[covey_i_rng_below(rng, 3)];
    const uint32_t most = width == 1 ? 256 : MOST_ROWS,
                   n_values = 1 + (uint32_t)covey_i_rng_below(rng, covey_i_rng_below(rng, 2) ? 3 : most);
    const uint32_t changes = 1 + (uint32_t)covey_i_rng_below(rng, 60); /* one row of so many has another code */
    uint32_t code = 0;

    for (uint32_t v = 0; v < n_values; v++)
        t->rank[c][v] = (uint32_t)covey_i_rng_below(rng, n_values);
    for (uint32_t row = 0; row < t->n_rows; row++) {
        if (covey_i_rng_below(rng, changes) == 0)
            code = covey_i_rng_below(rng, 500) == 0 ? (uint32_t)covey_i_rng_below(rng, n_values)
                                                    : code + (code + 1 < n_values);
        if (width == 1)
            ((uint8_t *)t->code[c])[row] = (uint8_t)code;
        else if (width == 2)
            ((uint16_t *)t->code[c])[row] = (uint16_t)code;
        else
            t->code[c][row] = code;
    }
    t->text[c] = (covey_column){.width = width, .codes = t->code[c], .n_rows = t->n_rows, .n_values = n_values};
    t->column[c] = (covey_opened_column){.text = &t->text[c], .rank = covey_i_rng_below(rng, 2) ? t->rank[c] : NULL};
    t->order[c] = &t->column[c];
}

static void random_table(struct table *t, covey_rng *rng)
{
    const uint32_t per_class = 1 + (uint32_t)covey_i_rng_below(rng, covey_i_rng_below(rng, 2) ? 10 : 3000);

    t->n_rows = 1 + (uint32_t)covey_i_rng_below(rng, MOST_ROWS);
    t->n_columns = 1 + covey_i_rng_below(rng, MOST_COLUMNS);
    t->n_classes = 0;
    for (uint32_t row = 0; row < t->n_rows; row += 1 + (uint32_t)covey_i_rng_below(rng, per_class))
        t->start[t->n_classes++] = row;
    t->start[t->n_classes] = t->n_rows;
    for (size_t c = 0; c < t->n_columns; c++)
        random_column(t, c, rng);
}

static uint32_t rank_of(const struct table *t, size_t c, uint32_t row)
{
    const uint32_t code = covey_i_code_at(&t->text[c], row);

    return t->column[c].rank ? t->rank[c][code] : code;
}

static bool comes_before(const struct table *t, uint32_t row, uint32_t other)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (rank_of(t, c, row) != rank_of(t, c, other))
            return rank_of(t, c, row) < rank_of(t, c, other);
    return false;
}

static bool ascend(const struct table *t, uint32_t begin, uint32_t end)
{
    for (uint32_t class = 0; class < t->n_classes; class ++)
        for (uint32_t row = t->start[class] + 1; row < t->start[class + 1]; row++)
            if (row >= begin && row < end && comes_before(t, row, row - 1))
                return false;
    return true;
}

static void test_row_order__rows_ascend_if_none_comes_before_its_neighbour(void **state)
{
    static struct table t;
    uint32_t n_ascending = 0;
    covey_rng rng;

    (void)state;
    covey_i_rng_init(&rng, (const unsigned char[32]){7}, 0);
    for (int i = 0; i < ROUNDS; i++) {
        covey_row_order order;
        uint32_t begin, end;
        bool expected;

        random_table(&t, &rng);
        order = (covey_row_order){t.n_columns, t.order};
        begin = covey_i_rng_below(&rng, 3) ? 0 : (uint32_t)covey_i_rng_below(&rng, t.n_rows);
        end = covey_i_rng_below(&rng, 3) ? t.n_rows : begin + (uint32_t)covey_i_rng_below(&rng, t.n_rows - begin + 1);
        expected = ascend(&t, begin, end);
        assert_int_equal(covey_i_rows_ascend(&order, t.start, t.n_classes, begin, end), expected);
        n_ascending += expected;
    }
    assert_true(n_ascending > ROUNDS / 10 && n_ascending < ROUNDS / 10 * 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_order__rows_ascend_if_none_comes_before_its_neighbour),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
