#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "table/table_impl.h"

/* "a", "b", ... with n values and the codes 0 .. n-1, 0 .. n-1 in 2n rows */
static covey_column *column_of(uint32_t n)
{
    covey_label *labels = covey_i_array(n, sizeof *labels);
    char(*text)[16] = covey_i_array(n, sizeof *text);
    const int width = covey_i_table_code_width(n);
    char *codes = covey_i_array(2 * (size_t)n, (size_t)width);
    covey_column *column = NULL;

    for (uint32_t v = 0; v < n; v++) {
        labels[v] = (covey_label){text[v], (size_t)snprintf(text[v], sizeof text[v], "v%u", (unsigned)v)};
        for (uint32_t half = 0; half < 2; half++) /* little-endian machines only: the low bytes come first */
            memcpy(codes + (size_t)(v + half * n) * (size_t)width, &v, (size_t)width);
    }
    assert_int_equal(
        covey_i_column_new(&column, "c", COVEY_TYPE_TEXT, 2 * (int64_t)n, n, false, 0, labels, NULL, codes, NULL),
        COVEY_OK);
    covey_i_free(labels);
    covey_i_free(text);
    return column;
}

static void codes_take_one_byte_up_to_256_values_two_up_to_65536_and_else_four(void **unused)
{
    assert_int_equal(covey_i_table_code_width(0), 1);
    assert_int_equal(covey_i_table_code_width(256), 1);
    assert_int_equal(covey_i_table_code_width(257), 2);
    assert_int_equal(covey_i_table_code_width(65536), 2);
    assert_int_equal(covey_i_table_code_width(65537), 4);
}

static void codes_and_labels_are_found_at_every_width(void **unused)
{
    static const uint32_t sizes[] = {1, 256, 257, 65536, 65537};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        covey_column *column = column_of(sizes[i]);
        const uint32_t last = sizes[i] - 1;
        char expected[16];

        snprintf(expected, sizeof expected, "v%u", (unsigned)last);
        assert_int_equal(covey_column_code(column, last), last);
        assert_int_equal(covey_column_code(column, 2 * (int64_t)sizes[i] - 1), last);
        assert_string_equal(covey_column_label(column, last), expected);
        assert_int_equal(covey_column_label_size(column, last), strlen(expected));
        covey_i_column_free(column);
    }
}

static void recoding_goes_between_all_widths(void **unused)
{
    static const uint32_t sizes[] = {200, 300, 70000};

    for (size_t from = 0; from < 3; from++)
        for (size_t to = 0; to < 3; to++) {
            covey_column *column = column_of(sizes[from]), *target = column_of(sizes[to]), *recoded = NULL;
            uint32_t *map = covey_i_array(sizes[from], sizeof *map);
            covey_label *labels = covey_i_array(sizes[to], sizeof *labels);

            for (uint32_t v = 0; v < sizes[from]; v++)
                map[v] = sizes[to] - 1 - v % sizes[to];
            for (uint32_t v = 0; v < sizes[to]; v++)
                labels[v] = (covey_label){covey_column_label(target, v), covey_column_label_size(target, v)};
            assert_int_equal(
                covey_i_column_recode(&recoded, column, COVEY_TYPE_TEXT, map, sizes[to], false, 0, labels, NULL, NULL),
                COVEY_OK);
            assert_int_equal(recoded->width, covey_i_table_code_width(sizes[to]));
            for (int64_t row = 0; row < column->n_rows; row++)
                assert_int_equal(covey_column_code(recoded, row), map[covey_column_code(column, row)]);
            covey_i_free(map);
            covey_i_free(labels);
            covey_i_column_free(column);
            covey_i_column_free(target);
            covey_i_column_free(recoded);
        }
}

/* Values in reverse, with one that nobody has in front, spread over the rows they came from. */
static void rows_get_the_codes_of_their_values(void **unused)
{
    static const uint32_t sizes[] = {100, 255, 256, 300,
                                     70000}; /* with one more value, 256 and more change the width */

    for (int shared = 0; shared < 2; shared++)
        for (size_t i = 0; i < 5; i++) {
            const uint32_t n = sizes[i];
            covey_column *rows = column_of(n), *expected = column_of(n), *values = NULL, *turned = NULL;
            uint32_t *map = covey_i_array(n, sizeof *map);
            covey_label *labels = covey_i_array_zero((size_t)n + 1, sizeof *labels);

            assert_int_equal(covey_i_column_values(&values, rows, NULL), COVEY_OK);
            assert_int_equal(values->n_rows, n);
            for (uint32_t v = 0; v < n; v++) {
                assert_int_equal(covey_column_code(values, v), v);
                assert_string_equal(covey_column_label(values, v), covey_column_label(rows, v));
                map[v] = n - v;
                labels[n - v] = (covey_label){covey_column_label(rows, v), covey_column_label_size(rows, v)};
            }
            labels[0] = (covey_label){"nobody", 6};
            assert_int_equal(
                covey_i_column_recode(&turned, values, COVEY_TYPE_TEXT, map, n + 1, false, 0, labels, NULL, NULL),
                COVEY_OK);
            if (shared)
                covey_i_column_share(rows);
            assert_int_equal(covey_i_column_spread(turned, rows, NULL), COVEY_OK);
            assert_int_equal(turned->n_rows, expected->n_rows);
            for (int64_t row = 0; row < expected->n_rows; row++)
                assert_string_equal(covey_column_label(turned, covey_column_code(turned, row)),
                                    covey_column_label(expected, covey_column_code(expected, row)));
            for (int64_t row = 0; shared && row < expected->n_rows; row++) /* somebody else's is left alone */
                assert_int_equal(covey_column_code(rows, row), covey_column_code(expected, row));
            if (shared)
                covey_i_column_free(rows);
            covey_i_column_free(rows);
            covey_i_column_free(expected);
            covey_i_column_free(values);
            covey_i_column_free(turned);
            covey_i_free(map);
            covey_i_free(labels);
        }
}

static void unpacking_gives_the_codes_of_a_range_of_rows(void **unused)
{
    static const uint32_t sizes[] = {200, 300, 70000};

    for (size_t i = 0; i < 3; i++) {
        covey_column *column = column_of(sizes[i]);
        uint32_t out[100];

        covey_i_column_unpack(out, column, 150, 250);
        for (int k = 0; k < 100; k++)
            assert_int_equal(out[k], covey_column_code(column, 150 + k));
        covey_i_column_unpack(out, column, 7, 7); /* nothing */
        covey_i_column_free(column);
    }
}

static void picked_rows_come_in_the_order_asked_for(void **unused)
{
    static const uint32_t sizes[] = {5, 300, 70000};
    const int64_t rows[] = {4, 0, 4};

    for (size_t i = 0; i < 3; i++) {
        covey_column *column = column_of(sizes[i]), *picked = NULL;

        assert_int_equal(covey_i_column_pick(&picked, column, rows, 3, NULL), COVEY_OK);
        assert_int_equal(picked->n_rows, 3);
        assert_int_equal(picked->n_values, 2);
        assert_int_equal(picked->width, 1);
        assert_string_equal(covey_column_label(picked, 0), "v0");
        assert_string_equal(covey_column_label(picked, covey_column_code(picked, 0)), "v4");
        assert_string_equal(covey_column_label(picked, covey_column_code(picked, 1)), "v0");
        assert_string_equal(covey_column_label(picked, covey_column_code(picked, 2)), "v4");
        assert_int_equal(covey_column_line(picked, 0), 6);
        assert_int_equal(covey_column_line(picked, 1), 2);
        assert_int_equal(covey_column_line(picked, 2), 6);
        covey_i_column_free(picked);
        assert_int_equal(covey_i_column_pick(&picked, column, rows, 0, NULL), COVEY_OK);
        assert_int_equal(picked->n_rows, 0);
        covey_i_column_free(picked);
        covey_i_column_free(column);
    }
}

static void a_shared_column_lives_until_its_last_owner_lets_go(void **unused)
{
    covey_column *column = column_of(3), *shared = covey_i_column_share(column);

    covey_i_column_free(column);
    assert_string_equal(covey_column_label(shared, 2), "v2");
    covey_i_column_free(shared);
    covey_i_column_free(NULL);
}

static void writers_may_copy_sixteen_bytes_from_any_label(void **unused)
{
    covey_column *column = column_of(3);
    char copy[16];

    memcpy(copy, covey_column_label(column, 2), sizeof copy); /* the address sanitizer would complain */
    assert_string_equal(copy, "v2");
    covey_i_column_free(column);
}

static void rows_are_lines_from_the_second_on(void **unused)
{
    covey_table *table = csv_table("a,b\n1,2\n3,4\n");

    assert_null(covey_table_column(table, 0)->lines);
    assert_int_equal(covey_column_line(covey_table_column(table, 0), 0), 2);
    assert_int_equal(covey_column_line(covey_table_column(table, 0), 1), 3);
    covey_table_free(table);
}

static void line_breaks_within_cells_move_the_lines_of_the_rows_below(void **unused)
{
    /* row 0 is lines 2 to 4, row 1 line 5, row 2 lines 6 and 7, row 3 line 8 */
    covey_table *table = csv_table("a,b\n\"1\n\",\"2\n\"\n3,4\n\"5\n5\",6\n7,8\n");
    const covey_column *column = covey_table_column(table, 1);

    assert_int_equal(covey_column_line(column, 0), 2);
    assert_int_equal(covey_column_line(column, 1), 5);
    assert_int_equal(covey_column_line(column, 2), 6);
    assert_int_equal(covey_column_line(column, 3), 8);
    covey_table_free(table);
}

static void a_table_finds_its_columns_by_name(void **unused)
{
    covey_table *table = csv_table("age,zip\n1,2\n");

    assert_int_equal(covey_table_n_columns(table), 2);
    assert_int_equal(covey_table_n_rows(table), 1);
    assert_int_equal(covey_table_find(table, "zip"), 1);
    assert_int_equal(covey_table_find(table, "sex"), -1);
    assert_string_equal(covey_table_column(table, 0)->name, "age");
    assert_null(covey_table_column(table, 2));
    covey_table_free(table);
    covey_table_free(NULL);
}

static void types_and_roles_have_the_names_of_policies(void **unused)
{
    assert_string_equal(covey_type_name(COVEY_TYPE_DECIMAL), "decimal");
    assert_string_equal(covey_role_name(COVEY_ROLE_QUASI), "quasi-identifier");
    assert_string_equal(covey_role_name(COVEY_ROLE_WEIGHT), "weight");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_take_one_byte_up_to_256_values_two_up_to_65536_and_else_four),
        cmocka_unit_test(codes_and_labels_are_found_at_every_width),
        cmocka_unit_test(recoding_goes_between_all_widths),
        cmocka_unit_test(rows_get_the_codes_of_their_values),
        cmocka_unit_test(unpacking_gives_the_codes_of_a_range_of_rows),
        cmocka_unit_test(picked_rows_come_in_the_order_asked_for),
        cmocka_unit_test(a_shared_column_lives_until_its_last_owner_lets_go),
        cmocka_unit_test(writers_may_copy_sixteen_bytes_from_any_label),
        cmocka_unit_test(rows_are_lines_from_the_second_on),
        cmocka_unit_test(line_breaks_within_cells_move_the_lines_of_the_rows_below),
        cmocka_unit_test(a_table_finds_its_columns_by_name),
        cmocka_unit_test(types_and_roles_have_the_names_of_policies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
