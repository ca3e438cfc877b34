/* Labels of built hierarchies as the numbers they stand for. */
#include "test.h"

#include "query/label.h"
#include "table/table_impl.h"

static void assert_label(covey_type type, const char *text, const char *low, const char *high, bool high_open)
{
    covey_number_label label;
    char shown[64];

    if (!covey_i_query_label(&label, type, text))
        fail_msg("not read: %s", text);
    assert_int_equal(label.has_low, low != NULL);
    assert_int_equal(label.has_high, high != NULL);
    assert_int_equal(label.high_open, high_open);
    if (low) {
        covey_i_typing_format_number(shown, sizeof shown, type, label.low, label.scale);
        assert_string_equal(shown, low);
    }
    if (high) {
        covey_i_typing_format_number(shown, sizeof shown, type, label.high, label.scale);
        assert_string_equal(shown, high);
    }
}

static void test_label__ranges_and_runs(void **state)
{
    assert_label(COVEY_TYPE_INTEGER, "17", "17", "17", false);
    assert_label(COVEY_TYPE_INTEGER, "[20, 39]", "20", "39", false);
    assert_label(COVEY_TYPE_INTEGER, "[20, 40)", "20", "39", false);
    assert_label(COVEY_TYPE_INTEGER, "20-39", "20", "39", false);
    assert_label(COVEY_TYPE_INTEGER, "-5..-1", "-5", "-1", false);
    assert_label(COVEY_TYPE_DECIMAL, "[0,4.5)", "0.0", "4.5", true);
    assert_label(COVEY_TYPE_DECIMAL, "-1.5..2", "-1.5", "2.0", false);
    assert_label(COVEY_TYPE_DATE, "2001-02-03..2001-03-01", "2001-02-03", "2001-03-01", false);
}

static void test_label__open_ends(void **state)
{
    assert_label(COVEY_TYPE_INTEGER, "90+", "90", NULL, false);
    assert_label(COVEY_TYPE_INTEGER, ">=100", "100", NULL, false);
    assert_label(COVEY_TYPE_INTEGER, "<0", NULL, "-1", false);
    assert_label(COVEY_TYPE_DECIMAL, "<0.5", NULL, "0.5", true);
}

static void test_label__months_quarters_years_decades(void **state)
{
    assert_label(COVEY_TYPE_DATE, "2004-02", "2004-02-01", "2004-02-29", false);
    assert_label(COVEY_TYPE_DATE, "2001-12", "2001-12-01", "2001-12-31", false);
    assert_label(COVEY_TYPE_DATE, "2001-Q1", "2001-01-01", "2001-03-31", false);
    assert_label(COVEY_TYPE_DATE, "2001-Q4", "2001-10-01", "2001-12-31", false);
    assert_label(COVEY_TYPE_DATE, "2001", "2001-01-01", "2001-12-31", false);
    assert_label(COVEY_TYPE_DATE, "1990s", "1990-01-01", "1999-12-31", false);
}

static void test_label__other_texts_are_not_numbers(void **state)
{
    static const char *const texts[] = {"",    "*",   "a",   "[", "[1", "[1,]", "[,2]", "[5, 3]", "[4, 4)",
                                        "5-3", "1..", "..1", "+", "<",  ">=",   "-",    "1-2-3",  "{1, 2}"};
    static const char *const dates[] = {"2001-13",    "2001-Q5", "2001-Q0", "200s", "2001-00",
                                        "2001-02-30", "0000",    "20010",   "+200"};
    covey_number_label label;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int type = COVEY_TYPE_INTEGER; type <= COVEY_TYPE_DATE; type++)
            if (covey_i_query_label(&label, (covey_type)type, texts[i]))
                fail_msg("read: %s", texts[i]);
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        if (covey_i_query_label(&label, COVEY_TYPE_DATE, dates[i]))
            fail_msg("read: %s", dates[i]);
    assert_false(covey_i_query_label(&label, COVEY_TYPE_TEXT, "17"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label__ranges_and_runs),
        cmocka_unit_test(test_label__open_ends),
        cmocka_unit_test(test_label__months_quarters_years_decades),
        cmocka_unit_test(test_label__other_texts_are_not_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
