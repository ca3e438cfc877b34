#include "test.h"

#include <inttypes.h>
#include <string.h>

#include "support/csvs.h"
#include "table/table_impl.h"

/* Types the first column of a table; NULL and the message in err if that fails. */
static covey_column *typed(const char *text, covey_type type, covey_error *err)
{
    covey_table *table = csv_table(text);
    covey_column *column = NULL;

    covey_i_typing_column_type(&column, covey_table_column(table, 0), type, NULL, 0, "t.csv", err);
    covey_table_free(table);
    return column;
}

static covey_column *must_type(const char *text, covey_type type)
{
    covey_error err;
    covey_column *column = typed(text, type, &err);

    if (!column)
        fail_msg("%s", err.message);
    return column;
}

/* "label=number|label=number|..." in order of codes; texts without numbers. */
static const char *values_of(const covey_column *column)
{
    static char out[512];
    size_t used = 0;

    out[0] = '\0';
    for (uint32_t v = 0; v < column->n_values; v++) {
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", v ? "|" : "", covey_column_label(column, v));
        if (column->number)
            used += (size_t)snprintf(out + used, sizeof out - used, "=%" PRId64, column->number[v]);
    }
    return out;
}

static void check(const char *text, covey_type asked, covey_type got, const char *values)
{
    covey_column *column = must_type(text, asked);

    assert_string_equal(covey_type_name(column->type), covey_type_name(got));
    assert_string_equal(values_of(column), values);
    covey_i_column_free(column);
}

static void numbers_are_ordered_by_value(void **unused)
{
    check("a\n10\n9\n-1\n100\n9\n", COVEY_TYPE_GUESS, COVEY_TYPE_INTEGER, "-1=-1|9=9|10=10|100=100");
}

static void rows_keep_their_values(void **unused)
{
    covey_column *column = must_type("a\n10\n9\n-1\n100\n9\n", COVEY_TYPE_GUESS);
    static const char *const expected[] = {"10", "9", "-1", "100", "9"};

    for (int row = 0; row < 5; row++)
        assert_string_equal(covey_column_label(column, covey_column_code(column, row)), expected[row]);
    covey_i_column_free(column);
}

static void the_missing_value_comes_first_whatever_the_type(void **unused)
{
    check("a,b\n10,\n,\n-1,\n", COVEY_TYPE_GUESS, COVEY_TYPE_INTEGER, "null=0|-1=-1|10=10");
    check("a,b\nx,\n,\n-1,\n", COVEY_TYPE_GUESS, COVEY_TYPE_TEXT, "null|-1|x");
    check("a,b\n2020-01-01,\n,\n", COVEY_TYPE_GUESS, COVEY_TYPE_DATE, "null=0|2020-01-01=18262");
}

static void decimals_share_the_largest_scale(void **unused)
{
    covey_column *column = must_type("a\n1.5\n2\n-0.25\n", COVEY_TYPE_GUESS);

    assert_int_equal(column->type, COVEY_TYPE_DECIMAL);
    assert_int_equal(column->scale, 2);
    assert_string_equal(values_of(column), "-0.25=-25|1.5=150|2=200");
    covey_i_column_free(column);
}

static void texts_of_the_same_number_are_joined_under_its_full_writing(void **unused)
{
    check("a\n1.5\n1.50\n1.500\n2.1\n", COVEY_TYPE_GUESS, COVEY_TYPE_DECIMAL, "1.500=1500|2.1=2100");
    check("a\n007\n7\n08\n", COVEY_TYPE_INTEGER, COVEY_TYPE_INTEGER, "7=7|08=8");
    check("a\n-0\n0\n", COVEY_TYPE_INTEGER, COVEY_TYPE_INTEGER, "0=0");
    check("a\n-0.05\n-0.050\n", COVEY_TYPE_DECIMAL, COVEY_TYPE_DECIMAL, "-0.050=-50");
}

static void a_declared_integer_may_be_written_with_zeros_behind_a_point(void **unused)
{
    covey_error err;

    check("a,b\n21.0,\n,\n-3.00,\n21,\n", COVEY_TYPE_INTEGER, COVEY_TYPE_INTEGER, "null=0|-3=-3|21=21");
    check("a\n-0.0\n", COVEY_TYPE_INTEGER, COVEY_TYPE_INTEGER, "0=0");
    check("a\n21.0\n30.0\n", COVEY_TYPE_GUESS, COVEY_TYPE_DECIMAL, "21.0=210|30.0=300");
    assert_null(typed("a\n21.0\n30.5\n", COVEY_TYPE_INTEGER, &err));
    assert_non_null(strstr(err.message, "t.csv:3: column \"a\": \"30.5\" is not an integer"));
}

static void leading_zeros_make_a_guess_a_text(void **unused)
{
    check("a\n00345\n10000\n", COVEY_TYPE_GUESS, COVEY_TYPE_TEXT, "00345|10000");
    check("a\n0\n10\n", COVEY_TYPE_GUESS, COVEY_TYPE_INTEGER, "0=0|10=10");
    check("a\n0.5\n1\n", COVEY_TYPE_GUESS, COVEY_TYPE_DECIMAL, "0.5=5|1=10");
    check("a\n-01\n", COVEY_TYPE_GUESS, COVEY_TYPE_TEXT, "-01");
}

static void what_is_not_quite_a_number_is_a_text(void **unused)
{
    static const char *const texts[] = {
        "+5", "1e3", "5.", ".5", "-", "1 ", " 1", "1,5", "0x10", "--1", "1.2.3", "NaN", "1234567890123456789"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t value;
        int scale;

        assert_false(covey_i_typing_parse_decimal(&value, &scale, texts[i], strlen(texts[i])));
    }
}

static void eighteen_digits_are_exact(void **unused)
{
    int64_t value;
    int scale;

    assert_true(covey_i_typing_parse_decimal(&value, &scale, "-999999999999999999", 19));
    assert_true(value == -999999999999999999);
    assert_true(covey_i_typing_parse_decimal(&value, &scale, "0.123456789012345678", 20));
    assert_true(value == 123456789012345678 && scale == 18);
    assert_true(covey_i_typing_parse_decimal(&value, &scale, "000000000000000000000000012", 27));
    assert_true(value == 12 && scale == 0);
    assert_false(covey_i_typing_parse_decimal(&value, &scale, "0.0000000000000000001", 21)); /* 19 places */
    assert_false(covey_i_typing_parse_decimal(&value, &scale, "12345678901.12345678", 20));  /* 19 digits */
}

static void numbers_that_do_not_fit_one_scale_are_a_text_or_an_error(void **unused)
{
    const char *text = "a\n123456789012345678\n0.12\n";
    covey_error err;

    check(text, COVEY_TYPE_GUESS, COVEY_TYPE_TEXT, "0.12|123456789012345678");
    assert_null(typed(text, COVEY_TYPE_DECIMAL, &err));
    assert_int_equal(err.status, COVEY_EPARSE);
    assert_int_equal(err.row, 2);
    assert_string_equal(err.message,
                        "t.csv:2: column \"a\": 123456789012345678 beside 0.12 in line 3 needs 20 digits; numbers of "
                        "one column may have "
                        "18, with the same places behind the point: round the column or declare `type: text`");
}

/* 19 digits fit an int64_t, but neither readers nor differences. */
static void one_digit_too_many_names_both_cells(void **unused)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"a\n5\n90000000000.5\n-90000000000.5\n0.12345678\n",
         "t.csv:3: column \"a\": 90000000000.5 beside 0.12345678 in line 5 needs 19 digits"},
        {"a\n0.00000001\n10000000000.5\n",
         "t.csv:3: column \"a\": 10000000000.5 beside 0.00000001 in line 2 needs 19 digits"},
        {"a\n0.000000000000000001\n-1\n",
         "t.csv:3: column \"a\": -1 beside 0.000000000000000001 in line 2 needs 19 digits"},
    };
    static const char *const good[] = {"a\n999999999.9\n-999999999.9\n0.123456789\n", "a\n0\n0.999999999999999999\n",
                                       "a\n-999999999999999999\n999999999999999999\n",
                                       "a\nx\n123456789012345678\n0.1\n", "a\n0123456789012345678\n0.1\n"};
    covey_error err;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        covey_table *table = csv_table(bad[i].text);

        assert_null(typed(bad[i].text, COVEY_TYPE_DECIMAL, &err));
        assert_non_null(strstr(err.message, bad[i].message));
        assert_int_equal(covey_i_typing_check_digits(covey_table_column(table, 0), "t.csv", &err), COVEY_EPARSE);
        assert_non_null(strstr(err.message, bad[i].message));
        check(bad[i].text, COVEY_TYPE_TEXT, COVEY_TYPE_TEXT, values_of(covey_table_column(table, 0)));
        covey_table_free(table);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        covey_table *table = csv_table(good[i]);

        assert_int_equal(covey_i_typing_check_digits(covey_table_column(table, 0), "t.csv", &err), COVEY_OK);
        covey_table_free(table);
    }
}

static void a_number_is_rescaled_within_eighteen_digits(void **unused)
{
    int64_t number = -999;

    assert_true(covey_i_typing_rescale_number(&number, 3, 18) && number == -999000000000000000);
    assert_true(covey_i_typing_rescale_number(&number, 0, 0) && number == -999000000000000000);
    assert_false(covey_i_typing_rescale_number(&number, 17, 18));
    assert_true(number == -999000000000000000);
    assert_false(covey_i_typing_rescale_number(&number, 3, 2));
    number = 0;
    assert_true(covey_i_typing_rescale_number(&number, 0, 18) && number == 0);
    number = 1;
    assert_false(covey_i_typing_rescale_number(&number, 0, 18));
    assert_true(covey_i_typing_rescale_number(&number, 0, 17) && number == 100000000000000000);
}

static void dates_are_days_of_the_calendar(void **unused)
{
    static const struct {
        const char *text;
        int64_t days;
    } good[] = {{"1970-01-01", 0},       {"1969-12-31", -1},      {"2000-02-29", 11016},
                {"0001-01-01", -719162}, {"9999-12-31", 2932896}, {"1900-03-01", -25508}};
    static const char *const bad[] = {"1900-02-29", "2023-02-30", "2023-13-01", "2023-00-01", "2023-01-00", "2023-1-01",
                                      "2023/01/01", "0000-01-01", "2023-04-31", "20230101",   "2023-01-01 "};
    int64_t days;
    char text[32];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(covey_i_typing_parse_date(&days, good[i].text, 10));
        assert_int_equal(days, good[i].days);
        assert_int_equal(covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_DATE, days, 0), 10);
        assert_string_equal(text, good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(covey_i_typing_parse_date(&days, bad[i], strlen(bad[i])));
}

static void every_day_of_four_centuries_is_written_as_it_is_read(void **unused)
{
    for (int64_t day = -150000; day < 150000; day++) {
        int64_t again;
        char text[32];

        covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_DATE, day, 0);
        assert_true(covey_i_typing_parse_date(&again, text, strlen(text)));
        assert_true(again == day);
    }
}

static void numbers_are_written_with_the_scale_of_their_column(void **unused)
{
    char text[32];

    covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_DECIMAL, -5, 2);
    assert_string_equal(text, "-0.05");
    covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_DECIMAL, 12300, 2);
    assert_string_equal(text, "123.00");
    covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_INTEGER, INT64_MIN, 0);
    assert_string_equal(text, "-9223372036854775808");
}

static void a_column_without_values_is_a_text(void **unused)
{
    check("a,b\n,1\n,2\n", COVEY_TYPE_GUESS, COVEY_TYPE_TEXT, "null");
    check("a\n", COVEY_TYPE_GUESS, COVEY_TYPE_TEXT, "");
    check("a\n", COVEY_TYPE_INTEGER, COVEY_TYPE_INTEGER, "");
    check("a,b\n,1\n", COVEY_TYPE_INTEGER, COVEY_TYPE_INTEGER, "null=0");
}

static void a_wrong_cell_is_named_with_its_line(void **unused)
{
    covey_error err;

    assert_null(typed("age,b\n39,x\n40,x\n4o,x\n4p,x\n", COVEY_TYPE_INTEGER, &err));
    assert_int_equal(err.status, COVEY_EPARSE);
    assert_int_equal(err.row, 4);
    assert_string_equal(err.column, "age");
    assert_string_equal(err.file, "t.csv");
    assert_string_equal(
        err.message,
        "t.csv:4: column \"age\": \"4o\" is not an integer of at most 18 digits; correct the cell, add it to "
        "input.null, or declare `type: text`");
    assert_null(typed("d,b\n2020-02-29,x\n\"2021-02-29\n\",x\n", COVEY_TYPE_DATE, &err));
    assert_int_equal(err.row, 3);
}

static void lines_of_errors_count_line_breaks_within_cells(void **unused)
{
    covey_error err;

    assert_null(typed("age,b\n39,\"x\ny\nz\"\n4o,x\n", COVEY_TYPE_INTEGER, &err));
    assert_int_equal(err.row, 5);
}

static void a_long_wrong_cell_is_cut_to_forty_characters(void **unused)
{
    covey_error err;

    assert_null(typed("a\nääääääääääääääääääääääääääääääääääääääääXY\n", COVEY_TYPE_INTEGER, &err));
    assert_non_null(strstr(err.message, "\"ääääääääääääääääääääääääääääääääääääääää...\""));
}

static void order_decides_the_codes_and_lists_values_that_do_not_occur(void **unused)
{
    static const char *const order[] = {"low", "mid", "high"};
    covey_table *table = csv_table("a,b\nhigh,1\nlow,1\n,1\n");
    covey_column *column = NULL;

    assert_int_equal(
        covey_i_typing_column_type(&column, covey_table_column(table, 0), COVEY_TYPE_TEXT, order, 3, "t.csv", NULL),
        COVEY_OK);
    assert_string_equal(values_of(column), "null|low|mid|high");
    assert_int_equal(covey_column_code(column, 0), 3);
    assert_int_equal(covey_column_code(column, 1), 1);
    assert_int_equal(covey_column_code(column, 2), 0);
    covey_i_column_free(column);
    covey_table_free(table);
}

static void an_order_must_be_complete_free_of_doubles_and_about_texts(void **unused)
{
    static const char *const partial[] = {"low"}, *const twice[] = {"low", "high", "low"},
                             *const null[] = {"null", "low", "high"};
    covey_table *table = csv_table("a,b\nlow,1\n,1\nhigh,1\n");
    const covey_column *raw = covey_table_column(table, 0);
    covey_column *column = NULL;
    covey_error err;

    assert_int_equal(covey_i_typing_column_type(&column, raw, COVEY_TYPE_TEXT, partial, 1, "t.csv", &err),
                     COVEY_EINVAL);
    assert_string_equal(err.message, "t.csv:4: column \"a\": \"high\" is not in the attribute's order; add it there");
    assert_int_equal(covey_i_typing_column_type(&column, raw, COVEY_TYPE_TEXT, twice, 3, "t.csv", &err), COVEY_EINVAL);
    assert_string_equal(err.message, "attribute \"a\": order lists \"low\" twice");
    assert_int_equal(covey_i_typing_column_type(&column, raw, COVEY_TYPE_TEXT, null, 3, "t.csv", &err), COVEY_EINVAL);
    assert_int_equal(covey_i_typing_column_type(&column, raw, COVEY_TYPE_INTEGER, partial, 1, "t.csv", &err),
                     COVEY_EINVAL);
    assert_null(column);
    covey_table_free(table);
}

static void values_without_rows_need_not_fit(void **unused)
{
    covey_table *table = csv_table("a\n5\nx\n3\n");
    const int64_t rows[] = {0, 2};
    covey_column *picked = NULL, *column = NULL;

    assert_int_equal(covey_i_column_pick(&picked, covey_table_column(table, 0), rows, 2, NULL), COVEY_OK);
    assert_int_equal(covey_i_typing_column_type(&column, picked, COVEY_TYPE_GUESS, NULL, 0, "t.csv", NULL), COVEY_OK);
    assert_int_equal(column->type, COVEY_TYPE_INTEGER);
    assert_string_equal(values_of(column), "3=3|5=5");
    assert_string_equal(covey_column_label(column, covey_column_code(column, 0)), "5");
    covey_i_column_free(column);
    covey_i_column_free(picked);
    covey_table_free(table);
}

static void a_text_without_order_is_the_raw_column_itself(void **unused)
{
    covey_table *table = csv_table("a\nx\ny\n");
    covey_column *column = NULL;

    assert_int_equal(
        covey_i_typing_column_type(&column, covey_table_column(table, 0), COVEY_TYPE_GUESS, NULL, 0, "t.csv", NULL),
        COVEY_OK);
    assert_ptr_equal(column, covey_table_column(table, 0));
    covey_table_free(table);
    assert_string_equal(covey_column_label(column, 1), "y");
    covey_i_column_free(column);
}

/* Numbers with a few texts among them are worth a warning, codes and words are not. */
static void a_stray_text_among_numbers_is_found(void **unused)
{
    static const struct {
        const char *text;
        int64_t row;
        uint32_t n_texts;
    } cases[] = {
        {"a\n1\n2\nx\n3\n", 2, 1},      {"a\nx\n1\n2\n", 0, 1},
        {"a\n1\nx\n", -1, 0},           {"a\n1\n2\n", -1, 0},
        {"a\n012\n13\n14\nx\n", -1, 0}, {"a\nx\ny\n", -1, 0},
        {"a\n1.5\n?\n2\n\n", 1, 1},     {"a\n1\nV57\n2\nE909\n3\nV57\n4\n", 3, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_error err;
        covey_column *column = typed(cases[i].text, COVEY_TYPE_GUESS, &err);
        uint32_t n_texts = 7;

        assert_non_null(column);
        assert_int_equal(covey_i_typing_stray_text(&n_texts, column), cases[i].row);
        assert_int_equal(n_texts, cases[i].n_texts);
        covey_i_column_free(column);
    }
}

/* What is text for its digits alone, and not for what it holds. */
static void a_number_with_too_many_digits_is_found(void **unused)
{
    static const struct {
        const char *text;
        int64_t row;
    } cases[] = {
        {"a\n1\n1234567890123456789\n", 1},  {"a\n-1234567890123456789\n\n", 0}, {"a\n1\n123456789012345678\n", -1},
        {"a\nx\n1234567890123456789\n", -1}, {"a\n0123456789012345678\n", -1},   {"a\n1.2\n123456789012345678.9\n", 1},
        {"a\n12345678901234567890.\n", -1},  {"a\n1234567890123456789-\n", -1},  {"a\n1.2.34567890123456789012\n", -1},
        {"a\n-\n1234567890123456789\n", -1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_error err;
        covey_column *column = typed(cases[i].text, COVEY_TYPE_GUESS, &err);

        assert_non_null(column);
        assert_int_equal(covey_i_typing_long_number(column), cases[i].row);
        covey_i_column_free(column);
    }
}

static void numbers_in_another_writing_are_found(void **unused)
{
    static const struct {
        const char *text;
        int64_t row;
    } cases[] = {
        {"a\n4.5e3\n1\n", 0},   {"a\n1\n+3\n", 1},   {"a\n1\n.5\n", 1}, {"a\n1\n 2 \n", 1},   {"a\n-1E-05\n", 0},
        {"a\n1\n2.5\n", -1},    {"a\n1e3\nx\n", -1}, {"a\n1e\n", -1},   {"a\n007\n+1\n", -1}, {"a\n+\n", -1},
        {"a,b\n,1\n+3,1\n", 1}, {"a\n1 2\n", -1},    {"a\n0x10\n", -1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_table *table = csv_table(cases[i].text);

        assert_int_equal(covey_i_typing_odd_number(covey_table_column(table, 0)), cases[i].row);
        covey_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_ordered_by_value),
        cmocka_unit_test(rows_keep_their_values),
        cmocka_unit_test(the_missing_value_comes_first_whatever_the_type),
        cmocka_unit_test(decimals_share_the_largest_scale),
        cmocka_unit_test(texts_of_the_same_number_are_joined_under_its_full_writing),
        cmocka_unit_test(a_declared_integer_may_be_written_with_zeros_behind_a_point),
        cmocka_unit_test(leading_zeros_make_a_guess_a_text),
        cmocka_unit_test(what_is_not_quite_a_number_is_a_text),
        cmocka_unit_test(eighteen_digits_are_exact),
        cmocka_unit_test(numbers_that_do_not_fit_one_scale_are_a_text_or_an_error),
        cmocka_unit_test(one_digit_too_many_names_both_cells),
        cmocka_unit_test(a_number_is_rescaled_within_eighteen_digits),
        cmocka_unit_test(a_stray_text_among_numbers_is_found),
        cmocka_unit_test(numbers_in_another_writing_are_found),
        cmocka_unit_test(a_number_with_too_many_digits_is_found),
        cmocka_unit_test(dates_are_days_of_the_calendar),
        cmocka_unit_test(every_day_of_four_centuries_is_written_as_it_is_read),
        cmocka_unit_test(numbers_are_written_with_the_scale_of_their_column),
        cmocka_unit_test(a_column_without_values_is_a_text),
        cmocka_unit_test(a_wrong_cell_is_named_with_its_line),
        cmocka_unit_test(lines_of_errors_count_line_breaks_within_cells),
        cmocka_unit_test(a_long_wrong_cell_is_cut_to_forty_characters),
        cmocka_unit_test(order_decides_the_codes_and_lists_values_that_do_not_occur),
        cmocka_unit_test(an_order_must_be_complete_free_of_doubles_and_about_texts),
        cmocka_unit_test(values_without_rows_need_not_fit),
        cmocka_unit_test(a_text_without_order_is_the_raw_column_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
