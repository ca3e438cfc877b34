#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "table/recoding/recoding.h"
#include "table/table_impl.h"

/* The first column of a table as covey writes its values, "a|b|..." in order of codes; the message if it is refused. */
static const char *written(const char *text, covey_recoding recoding, covey_type type, bool is_asked)
{
    static char out[2048];
    covey_table *table = csv_table(text);
    covey_column *column = NULL;
    covey_error err;

    out[0] = '\0';
    if (covey_i_recoding_apply(&column, NULL, covey_table_column(table, 0), NULL, &recoding, type, is_asked, "t.csv",
                               &err) != COVEY_OK)
        snprintf(out, sizeof out, "%s", err.message);
    for (uint32_t v = 0; column && v < column->n_values; v++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", v ? "|" : "", covey_column_label(column, v));
    covey_i_column_free(column);
    covey_table_free(table);
    return out;
}

static const covey_recoding comma = {.decimal = ','}, point = {.decimal = '.'};

static void decimal_commas_become_points(void **unused)
{
    assert_string_equal(written("a\n\"182,57\"\n\"-0,5\"\n17\n", comma, COVEY_TYPE_GUESS, false), "-0.5|17|182.57");
    assert_string_equal(written("a\n\"1.234,50\"\n\"1234,50\"\n\"12.345.678\"\n", comma, COVEY_TYPE_DECIMAL, true),
                        "1234.50|12345678");
    assert_string_equal(written("a\n\"1,234.5\"\n1 000\n2'000\n", point, COVEY_TYPE_DECIMAL, true), "1000|1234.5|2000");
}

static void what_is_no_number_stays_or_is_refused(void **unused)
{
    static const char *const texts[] = {
        "a\n\"1,5\"\nx\n",         "a\n\"1,5\"\n\"1,\"\n", "a\n\"1,5\"\n\"12.34,5\"\n", "a\n\"1,5\"\n\"0.123,5\"\n",
        "a\n\"1,5\"\n\"1,2,3\"\n", "a\n\"1,5\"\n1.2345\n", "a\n\"1,5\"\n1.234.56\n",    "a\n\"1,5\"\n007\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_non_null(strstr(written(texts[i], comma, COVEY_TYPE_GUESS, false), "1,5"));
    assert_string_equal(
        written(texts[0], comma, COVEY_TYPE_DECIMAL, true),
        "t.csv:3: column \"a\": \"x\" is not a number with a decimal comma; correct the cell, add it to "
        "input.null, or declare `type: text`");
}

static void dates_become_those_of_covey(void **unused)
{
    const covey_recoding german = {.date_format = "DD.MM.YYYY"}, american = {.date_format = "M/D/YY"},
                         plain = {.date_format = "YYYYMMDD"};

    assert_string_equal(written("a\n31.12.1960\n1.2.1960\n01.02.1960\n", german, COVEY_TYPE_DATE, true),
                        "1960-02-01|1960-12-31");
    assert_string_equal(written("a\n7/17/20\n12/1/69\n", american, COVEY_TYPE_DATE, true), "1969-12-01|2020-07-17");
    assert_string_equal(written("a\n20200229\n", plain, COVEY_TYPE_DATE, true), "2020-02-29");
    assert_string_equal(written("a\n29.2.2019\n", german, COVEY_TYPE_GUESS, false), "29.2.2019");
    assert_string_equal(written("a\n1.2.60\n", german, COVEY_TYPE_GUESS, false), "1.2.60");
    assert_string_equal(written("a\n1.2.1960x\n", german, COVEY_TYPE_GUESS, false), "1.2.1960x");
    assert_string_equal(written("a\n2020022\n", plain, COVEY_TYPE_GUESS, false), "2020022");
}

static void formats_have_year_month_and_day_once(void **unused)
{
    static const char *const good[] = {"DD.MM.YYYY", "M/D/YY", "YYYYMMDD", "YYYY-MM-DD", "D. M. YYYY"};
    static const char *const bad[] = {"",          "YYYY",     "DD.MM",         "DDD.MM.YYYY",
                                      "DD.MM.YYY", "%d.%m.%Y", "DD.MM.YYYY DD", "dd.mm.yyyy"};

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(covey_i_recoding_is_date_format(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(covey_i_recoding_is_date_format(bad[i]));
}

static void check_guess(const char *text, const char *decimal, const char *format, const char *other)
{
    covey_table *table = csv_table(text);
    covey_recoding_guess guess;

    covey_i_recoding_guess(&guess, covey_table_column(table, 0));
    assert_string_equal(((const char[]){guess.decimal, guess.other_decimal, '\0'}), decimal);
    assert_string_equal(guess.date_format ? guess.date_format : "", format);
    assert_string_equal(guess.other ? guess.other : "", other);
    covey_table_free(table);
}

static void forms_are_guessed_from_all_values(void **unused)
{
    check_guess("a\n\"1,5\"\n2\n", ",", "", "");
    check_guess("a\n\"1,000\"\n\"12,345.5\"\n2\n", ".", "", "");
    check_guess("a\n\"1,000\"\n\"2,000,000\"\n", ".", "", "");
    check_guess("a\n1 000\n2'000\n3\n", ".", "", "");
    check_guess("a\n1.000\n2.000.000\n", ",", "", "");
    check_guess("a\n\"1,000\"\n\"12,345\"\n2\n", ",.", "", "");
    check_guess("a\n1 000\n1.000\n", ",.", "", "");
    check_guess("a\n007\n1.5\n", "", "", "");
    check_guess("a\n\"1,5\"\nx\n", "", "", "");
    check_guess("a\n31.12.1960\n1.1.1960\n", "", "D.M.YYYY", "");
    check_guess("a\n7/17/20\n1/1/20\n", "", "M/D/YY", "");
    check_guess("a\n1/1/2020\n2/2/2020\n", "", "D/M/YYYY", "M/D/YYYY");
    check_guess("a\nx\n", "", "", "");
    check_guess("a\n", "", "", "");
    check_guess("a,b\n,1\n", "", "", "");
}

static void values_are_made_coarser(void **unused)
{
    const covey_recoding coded = {.bottom = "18", .top = "90"}, rounded = {.round = "0.5"}, short_code = {.first = 2},
                         rare = {.rare = 2}, age = {.age_at = "2000-06-30"},
                         all = {.date_format = "D.M.YYYY", .age_at = "2000-02-29", .top = "40", .round = "5"};

    assert_string_equal(written("a\n7\n18\n50.5\n90\n90.1\n", coded, COVEY_TYPE_GUESS, false), "18|50.5|90");
    assert_string_equal(written("a\n0.25\n-0.25\n0.2\n-0.7\n3\n", rounded, COVEY_TYPE_GUESS, false), "-0.5|0|0.5|3");
    assert_string_equal(written("a\n12345\nü1é\n1\n", short_code, COVEY_TYPE_GUESS, false), "1|12|ü1");
    assert_string_equal(written("a\nx\ny\nx\nz\n", rare, COVEY_TYPE_GUESS, false), "other|x");
    assert_string_equal(written("a\n1990-06-30\n1990-07-01\n2000-06-30\n", age, COVEY_TYPE_GUESS, false), "0|10|9");
    assert_string_equal(written("a\n1.3.1972\n29.2.1940\n", all, COVEY_TYPE_DATE, true), "25|40");
    assert_string_equal(
        written("a\n2000-07-01\n", age, COVEY_TYPE_GUESS, false),
        "t.csv:2: column \"a\": \"2000-07-01\" is not a date (YYYY-MM-DD, or as date-format says) up to "
        "the reference day, as its `recode` expects; correct the cell or add it to input.null");
    assert_string_equal(
        written("a\nx\n", coded, COVEY_TYPE_GUESS, false),
        "t.csv:2: column \"a\": \"x\" is not a number, as its `recode` expects; correct the cell or add "
        "it to input.null");
}

static void a_recoding_that_cannot_be_done_has_a_fault(void **unused)
{
    assert_null(
        covey_i_recoding_fault(&(covey_recoding){.bottom = "1", .top = "2.5", .round = "0.1", .first = 60, .rare = 2}));
    assert_string_equal(covey_i_recoding_fault(&(covey_recoding){.bottom = "2", .top = "2.0"}),
                        "bottom must be below top");
    assert_non_null(covey_i_recoding_fault(&(covey_recoding){.round = "0"}));
    assert_non_null(covey_i_recoding_fault(&(covey_recoding){.top = "x"}));
    assert_non_null(covey_i_recoding_fault(&(covey_recoding){.age_at = "2000-13-01"}));
    assert_non_null(covey_i_recoding_fault(&(covey_recoding){.first = 61}));
    assert_non_null(covey_i_recoding_fault(&(covey_recoding){.rare = 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_commas_become_points),
        cmocka_unit_test(what_is_no_number_stays_or_is_refused),
        cmocka_unit_test(dates_become_those_of_covey),
        cmocka_unit_test(formats_have_year_month_and_day_once),
        cmocka_unit_test(forms_are_guessed_from_all_values),
        cmocka_unit_test(values_are_made_coarser),
        cmocka_unit_test(a_recoding_that_cannot_be_done_has_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
