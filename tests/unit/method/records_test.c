#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "base/alloc.h"
#include "method/rows/records.h"
#include "method/rows/records_groups.h"
#include "table/table_impl.h"

enum { ROWS = 3000 };

struct fixture {
    problem_maker m;
    covey_records records;
    uint32_t rows[ROWS];
    const covey_column *column[3];
};

/* Columns of 1, 2 and 4 bytes, their rows backwards, and a NULL column. */
static void set_up(struct fixture *f)
{
    static const uint32_t n_values[3] = {256, 300, 70000};
    uint32_t codes[ROWS];
    uint64_t random = 9;

    maker_init(&f->m, ROWS);
    for (int c = 0; c < 3; c++) {
        for (uint32_t i = 0; i < ROWS; i++)
            codes[i] = maker_below(&random, n_values[c]);
        maker_add_insensitive(&f->m, "column", codes, n_values[c]);
        f->column[c] = f->m.column[c];
    }
    for (uint32_t i = 0; i < ROWS; i++)
        f->rows[i] = ROWS - 1 - i;
    {
        const covey_column *columns[4] = {f->column[0], f->column[1], f->column[2], NULL};

        const covey_sorted_rows sorted = {.n = ROWS, .rows = f->rows};

        assert_int_equal(covey_i_records_new(&f->records, columns, 4, NULL, &sorted, NULL, NULL, NULL), COVEY_OK);
    }
}

static void tear_down(struct fixture *f)
{
    covey_i_records_clear(&f->records);
    maker_clear(&f->m);
}

static uint32_t code_at(const struct fixture *f, size_t column, uint32_t i)
{
    return column < 3 ? covey_i_code(f->column[column], f->rows[i]) : 0;
}

static void codes_are_copied_in_the_order_of_the_rows(void **state)
{
    struct fixture f;
    uint32_t codes[ROWS];

    set_up(&f);
    assert_memory_equal(covey_i_records_rows(&f.records, 0), f.rows, sizeof f.rows);
    for (size_t c = 0; c < 4; c++) {
        covey_i_records_unpack(codes, &f.records.column[c], 0, 0, ROWS);
        for (uint32_t i = 0; i < ROWS; i++)
            assert_int_equal(codes[i], code_at(&f, c, i));
    }
    tear_down(&f);
}

static void rows_are_compared_with_a_threshold(void **state)
{
    struct fixture f;
    uint8_t goes_left[100];

    set_up(&f);
    for (size_t c = 0; c < 3; c++) {
        const uint32_t threshold = code_at(&f, c, 5);
        uint32_t n_left = 0;

        assert_true(covey_i_records_compare(goes_left, &f.records.column[c], 0, 7, 100, threshold) <= 100);
        for (uint32_t i = 0; i < 100; i++) {
            assert_int_equal(goes_left[i], code_at(&f, c, 7 + i) <= threshold ? 255 : 0);
            n_left += goes_left[i] != 0;
        }
        assert_int_equal(covey_i_records_compare(goes_left, &f.records.column[c], 0, 7, 100, threshold), n_left);
    }
    tear_down(&f);
}

/* A row may go left, right, to both sides or to none. */
static void ranges_of_both_sides_are_exact(void **state)
{
    struct fixture f;
    uint8_t goes_left[100], goes_right[100];
    uint64_t random = 4;

    set_up(&f);
    for (int round = 0; round < 200; round++)
        for (size_t c = 0; c < 3; c++) {
            const uint32_t n = 1 + maker_below(&random, 100), start = maker_below(&random, ROWS - 100);
            covey_record_ranges got = COVEY_RECORD_RANGES_INIT, wanted = COVEY_RECORD_RANGES_INIT;

            for (uint32_t i = 0; i < n; i++) {
                const uint32_t code = code_at(&f, c, start + i);

                goes_left[i] = maker_below(&random, 1 + n / 3) ? 0 : 255;
                goes_right[i] = maker_below(&random, 1 + n / 5) ? 0 : 255;
                if (goes_left[i]) {
                    wanted.left_low = code < wanted.left_low ? code : wanted.left_low;
                    wanted.left_high = code > wanted.left_high ? code : wanted.left_high;
                }
                if (goes_right[i]) {
                    wanted.right_low = code < wanted.right_low ? code : wanted.right_low;
                    wanted.right_high = code > wanted.right_high ? code : wanted.right_high;
                }
            }
            covey_i_records_ranges(&got, &f.records.column[c], 0, start, n, goes_left, goes_right);
            assert_memory_equal(&got, &wanted, sizeof got);
        }
    tear_down(&f);
}

static void a_split_keeps_the_order_on_both_sides(void **state)
{
    struct fixture f;
    uint8_t goes_left[200];
    uint32_t expected_left = 500, expected_right = 600, codes[1];
    covey_record_halves to = {500, 600, 600, 700};

    set_up(&f);
    for (uint32_t i = 0; i < 200; i++)
        goes_left[i] = i % 2 ? 255 : 0;
    covey_i_records_split(&to, &f.records, 0, 500, 200, goes_left, NULL, 0);
    assert_int_equal(to.left, 600);
    assert_int_equal(to.right, 700);
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t place = goes_left[i] ? expected_left++ : expected_right++;

        assert_int_equal(covey_i_records_rows(&f.records, 1)[place], f.rows[500 + i]);
        for (size_t c = 0; c < 4; c++) {
            covey_i_records_unpack(codes, &f.records.column[c], 1, place, 1);
            assert_int_equal(codes[0], code_at(&f, c, 500 + i));
        }
    }
    tear_down(&f);
}

/* Blocks of every length and share, with and without room behind their halves. */
static void groups_split_as_single_records_do(void **state)
{
    uint8_t goes_left[COVEY_RECORD_BLOCK], expected[2 * COVEY_RECORD_BLOCK * 4];
    uint64_t random = 21;
    struct fixture f;

    if (!covey_i_records_has_groups())
        skip();
    set_up(&f);
    for (int round = 0; round < 600; round++) {
        const uint32_t n = 1 + maker_below(&random, round % 3 ? 60 : COVEY_RECORD_BLOCK),
                       share = 1 + maker_below(&random, 20);
        const uint32_t start = maker_below(&random, ROWS - n + 1), spare = round % 4 * 5;
        uint32_t n_left = 0;

        for (uint32_t i = 0; i < n; i++) {
            goes_left[i] = maker_below(&random, share) ? 0 : 255;
            n_left += goes_left[i] & 1;
        }
        for (size_t c = 0; c < 5; c++) {
            const uint32_t first_left = n - n_left + spare, behind = n + 2 * spare;
            const size_t width = (size_t)f.records.column[c].width;
            covey_record_halves by_one = {first_left, behind, 0, first_left}, by_eight = by_one;
            unsigned char *side = f.records.column[c].side[1];

            memset(side, 0x77, ROWS * width);
            covey_i_records_split_block(&by_one, &f.records, 0, start, n, goes_left);
            memcpy(expected, side, (behind + 8) * width);
            memset(side, 0x77, ROWS * width);
            covey_i_records_split_groups(&by_eight, &f.records, 0, start, n, goes_left);
            assert_memory_equal(&by_eight, &by_one, sizeof by_one);
            assert_memory_equal(side, expected, (n - n_left) * width); /* then there is room */
            assert_memory_equal(side + first_left * width, expected + first_left * width, n_left * width);
            assert_memory_equal(side + behind * width, expected + behind * width, 8 * width); /* not theirs */
        }
    }
    tear_down(&f);
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
    struct fixture f;
    covey_records records = {0};
    int64_t n = 0;
    covey_status status;

    set_up(&f);
    do {
        covey_i_alloc_fail_at(++n);
        status = covey_i_records_new(&records, f.column, 3, NULL, &(covey_sorted_rows){.n = ROWS, .rows = f.rows}, NULL,
                                     NULL, NULL);
        covey_i_alloc_fail_at(0);
        assert_true(status == COVEY_OK || status == COVEY_ENOMEM);
    } while (status != COVEY_OK);
    assert_int_equal(n, 10);
    covey_i_records_clear(&records);
    tear_down(&f);
}

/* Three runs, of which one is divided. */
static void a_divided_run_is_on_both_sides(void **state)
{
    static const uint8_t goes_left[3] = {0, 255, 255};
    static const covey_record_divided divided[1] = {{1, 400}};
    const covey_column *columns[1];
    uint32_t codes[ROWS], rows[ROWS], got[4], start[] = {0, 10, 1000, ROWS};
    const covey_sorted_rows sorted = {.n = ROWS, .rows = rows};
    const covey_row_runs runs = {.n = 3, .start = start};
    covey_record_halves to = {0, 2, 2, 4};
    covey_records records = {0};
    problem_maker m;

    for (uint32_t i = 0; i < ROWS; i++) {
        codes[i] = i < 10 ? 4 : i < 1000 ? 5 : 6;
        rows[i] = i;
    }
    maker_init(&m, ROWS);
    maker_add_insensitive(&m, "column", codes, 7);
    columns[0] = m.column[0];
    assert_int_equal(covey_i_records_new(&records, columns, 1, NULL, &sorted, &runs, NULL, NULL), COVEY_OK);
    assert_int_equal(records.n, 3);
    assert_int_equal(covey_i_records_reserve(&records, &records, 5, NULL), COVEY_OK);
    assert_int_equal(records.room, 5);
    covey_i_records_split(&to, &records, 0, 0, 3, goes_left, divided, 1);
    assert_int_equal(to.left, 2);
    assert_int_equal(to.right, 4);
    covey_i_records_unpack(got, &records.column[0], 1, 0, 4);
    assert_memory_equal(got, ((uint32_t[]){5, 6, 4, 5}), sizeof got);
    assert_memory_equal(covey_i_records_rows(&records, 1), ((uint32_t[]){10, 1000, 0, 410}), sizeof got);
    covey_i_records_sizes(got, &records, 1, 0, 4);
    assert_memory_equal(got, ((uint32_t[]){400, ROWS - 1000, 10, 590}), sizeof got);
    {
        covey_records others = {0};

        assert_int_equal(covey_i_records_reserve(&others, &records, 2, NULL), COVEY_OK);
        covey_i_records_copy(&others, &records, 1, 2, 2);
        covey_i_records_sizes(got, &others, 0, 0, 2);
        assert_memory_equal(got, ((uint32_t[]){10, 590}), 2 * sizeof *got);
        assert_memory_equal(covey_i_records_rows(&others, 0), ((uint32_t[]){0, 410}), 2 * sizeof *got);
        covey_i_records_clear(&others);
    }
    covey_i_records_clear(&records);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_copied_in_the_order_of_the_rows),
        cmocka_unit_test(rows_are_compared_with_a_threshold),
        cmocka_unit_test(ranges_of_both_sides_are_exact),
        cmocka_unit_test(a_split_keeps_the_order_on_both_sides),
        cmocka_unit_test(groups_split_as_single_records_do),
        cmocka_unit_test(a_divided_run_is_on_both_sides),
        cmocka_unit_test(a_failed_allocation_leaves_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
