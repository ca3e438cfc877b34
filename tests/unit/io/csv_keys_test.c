/* Columns of which only is asked which rows have the same value. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include <covey/io.h>

#include "base/text.h"
#include "support/csvs.h"

static bool is_id(void *context, const char *name)
{
    return strcmp(name, "id") == 0;
}

/* The column id of the text; numbered: its values are numbers without labels. */
static covey_table *read_keys(const char *text, const char *null, bool numbered)
{
    const char *nulls[] = {"", null};
    covey_csv_options options = {.tell_apart = is_id, .null = nulls, .n_null = null ? 2 : 1};
    covey_table *table, *pieces;
    covey_error err;

    if (csv_read_text(&table, text, &options, 0, &err) != COVEY_OK ||
        csv_read_text(&pieces, text, &options, 11, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_true((covey_table_column(table, covey_table_find(table, "id"))->text == NULL) == numbered);
    for (int64_t row = 0; row < covey_table_n_rows(table); row++)
        for (size_t c = 0; c < covey_table_n_columns(table); c++)
            assert_int_equal(covey_column_code(covey_table_column(table, c), row),
                             covey_column_code(covey_table_column(pieces, c), row));
    covey_table_free(pieces);
    return table;
}

/* The codes of its rows, a digit each. */
static void expect(const char *text, const char *null, bool numbered, const char *codes)
{
    covey_table *table = read_keys(text, null, numbered);
    const covey_column *column = covey_table_column(table, covey_table_find(table, "id"));

    assert_int_equal(covey_table_n_rows(table), strlen(codes));
    for (int64_t row = 0; row < covey_table_n_rows(table); row++)
        assert_int_equal(covey_column_code(column, row), codes[row] - '0');
    covey_table_free(table);
}

static void numbers_are_told_apart_by_their_values(void **state)
{
    expect("id,a\n7,x\n10,y\n7,z\n0,x\n", NULL, true, "1210");
    expect("a,id\nx,p7\ny,p10\nz,p7\nx,p0\n", NULL, true, "1210");
    expect("a,id\r\nx,p-7\r\ny,\"p-10\"\r\nz,p-7\r\n", NULL, true, "010");
    expect("id,a\n\"7\",\"x\"\"x\"\n10,y\n7,\"a\nb\"\n", NULL, true, "010");
    expect("id\n007\n010\n007\n", NULL, true, "010");
    expect("id\n12345\n10000\n12345", NULL, true, "101"); /* many more numbers than rows */
    expect("id,a\n987654321,x\n123456789,y\n99999999,x\n987654321,z\n", NULL, true, "2102");
    expect("a,id\nx,p999999999\ny,p1\nz,p999999999\n", NULL, true, "101");
    expect("id\n000000007\n100000007\n000000008\n000000007\n", NULL, true, "0210");
    /* those that are longer, where they begin with the same digits */
    expect("id,a\n1234567890,x\n1234567891,y\n1999999999,z\n1000000000,x\n1234567890,y\n", NULL, true, "12301");
    expect("id,a\np12024000007,x\np12023999999,y\np12024000007,z\n", NULL, true, "101");
    expect("id\n12345678000000001\n12345678000000002\n12345678999999999\n12345678000000001\n", NULL, true, "0120");
    expect("id\n0123456789\n0123456780\n0123456789\n", NULL, true, "101");
}

static void what_is_no_number_is_read_as_text(void **state)
{
    expect("id,a\n7,x\n07,y\n7,z\n", NULL, false, "101"); /* two texts of a number */
    expect("id,a\np7,x\nq7,y\np7,z\n", NULL, false, "010");
    expect("id,a\np7,x\np,y\np7,z\n", NULL, false, "101");
    expect("id,a\n7,x\n8a,y\n7,z\n", NULL, false, "010");
    expect("id,a\n7,x\n,y\n7,z\n", NULL, false, "101");
    expect("id,a\n7,x\n9,y\n7,z\n", "9", false, "101"); /* missing */
    expect("id,a\n\xc3\xa9"
           "7,x\n\xc3\xa9"
           "8,y\n",
           NULL, false, "01");
    expect("id,a\n1234567890,x\n2234567890,y\n1234567890,z\n", NULL, false, "010");
    expect("id,a\n1234567890,x\n12,y\n1000000002,y\n", NULL, false, "210"); /* both 2 behind the 1 */
    expect("id,a\n1234567890,x\n10000000002,y\n", NULL, false, "10");
    expect("id,a\n1234567890,x\n1,y\n", NULL, false, "10");
    expect("id,a\n1234567890,x\n234567890,y\n", NULL, false, "01");
    expect("id,a\n0123456789,x\n00123456789,y\n123456789,y\n", NULL, false, "102");
    expect("id,a\n1234567890,x\n1234567891,y\n", "1234567891", false, "10"); /* missing */
    expect("id\n123456789000000001\n123456789000000002\n", NULL, false, "01");
    expect("id,a\n123456789,x\n0123456789,y\n", NULL, false, "10");
    expect("id,a\n123456789,x\n000000001,y\n1,y\n", NULL, false, "201");
    expect("id,a\n123456789,x\n12345678a,y\n", NULL, false, "01");
    expect("id,a\n123456789,x\na23456789,y\n", NULL, false, "01");
    expect("id,a\n123456789,x\n12345:789,y\n", NULL, false, "01");
    expect("id,a\n123456789,x\n/23456789,y\n", NULL, false, "10");
    expect("id,a\n123456789,x\n987654321,y\n", "987654321", false, "10"); /* missing */
    expect("id,a\nverylongprefix1,x\nverylongprefix2,y\n", NULL, false, "01");
}

static void all_digits_count(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_table *table;

    covey_i_text_add_string(&text, "id,a\n");
    for (int i = 0; i < 30000; i++)
        covey_i_text_add_format(&text, "k%d,%d\n", i * 7 % 30000 * 5, i % 3);
    table = read_keys(text.bytes, NULL, true);
    for (int i = 0; i < 30000; i++)
        assert_int_equal(covey_column_code(covey_table_column(table, 0), i), i * 7 % 30000);
    covey_table_free(table);
    covey_i_text_free(&text);
}

/* Numbers that lie far apart have the ranks of their values, as those of an array of all have. */
static void numbers_far_apart_are_ranked_by_value(void **state)
{
    enum { N = 20000 };
    static uint32_t number[N];
    covey_text text = COVEY_TEXT_INIT;
    const covey_column *column;
    covey_table *table;
    uint64_t random = 5;

    covey_i_text_add_string(&text, "a,id\n");
    for (int i = 0; i < N; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        number[i] = i % 3 ? (uint32_t)(random >> 33) % 1000000000 : number[i / 2];
        covey_i_text_add_format(&text, "%d,p%u\n", i % 7, number[i]);
    }
    table = read_keys(text.bytes, NULL, true);
    column = covey_table_column(table, 1);
    for (int i = 1; i < N; i++)
        assert_int_equal((number[i] > number[i / 2]) - (number[i] < number[i / 2]),
                         (covey_column_code(column, i) > covey_column_code(column, i / 2)) -
                             (covey_column_code(column, i) < covey_column_code(column, i / 2)));
    covey_table_free(table);
    covey_i_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_told_apart_by_their_values),
        cmocka_unit_test(what_is_no_number_is_read_as_text),
        cmocka_unit_test(all_digits_count),
        cmocka_unit_test(numbers_far_apart_are_ranked_by_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
