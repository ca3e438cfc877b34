/* Which values labels of hierarchies stand for that were built by a rule. */
#include "test.h"

#include <jansson.h>
#include <string.h>

#include "query/label_rule.h"

/* The runs as text: "100-101) ", "b-f] ", "1000..1099 "; "-" for a value. */
static void assert_runs(const char *spec, covey_type type, int64_t length, const char *label, const char *expected)
{
    json_t *json = json_loads(spec, 0, NULL);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_label_rule rule;
    covey_value_run *run;
    char text[512] = "";
    size_t used = 0;
    bool is_either;
    uint32_t n;

    assert_int_equal(covey_i_label_rule(&rule, json, &arena, NULL), COVEY_OK);
    rule.length = length;
    assert_int_equal(covey_i_label_runs(&n, &run, &is_either, &rule, type, label, &arena, NULL), COVEY_OK);
    for (uint32_t i = 0; i < n; i++)
        if (run[i].is_text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s-%s%s", run[i].low ? run[i].low : "",
                                     run[i].high ? run[i].high : "", run[i].high_open ? ") " : "] ");
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%lld..%lld ", (long long)run[i].number.low,
                                     (long long)run[i].number.high);
    if (n == 0 || strcmp(text, expected) != 0)
        assert_string_equal(n ? text : "-", expected);
    assert_int_equal(is_either, (n > 1 && rule.kind == COVEY_RULE_RUNS) ||
                                    (n == 1 && rule.kind == COVEY_RULE_MASK && type == COVEY_TYPE_TEXT && length == 0));
    covey_arena_free(&arena);
    json_decref(json);
}

static void test_mask__stars_at_the_end_hide_characters(void **state)
{
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "100**", "100-101) ");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "1****", "1-2) ");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "*****", "*-+) ");
    assert_runs("{\"mask\": 2}", COVEY_TYPE_TEXT, 5, "1****", "1**-1*+) ");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "10001", "-");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "1*0*1", "-");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "100*", "-");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 0, "100*", "100-101) "); /* if values have four characters */
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "*", "-] ");
    assert_runs("{\"mask\": 1}", COVEY_TYPE_TEXT, 1, "*", "-] ");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 5, "", "-");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_TEXT, 2, "\xc3\xb6*", "\xc3\xb6-\xc3\xb7) ");
}

static void test_mask__of_integers_is_a_range(void **state)
{
    assert_runs("{\"mask\": 5}", COVEY_TYPE_INTEGER, 4, "10**", "1000..1099 ");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_INTEGER, 4, "-12*", "-129..-120 ");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_INTEGER, 4, "-***", "-");
    assert_runs("{\"mask\": 20}", COVEY_TYPE_INTEGER, 19, "1******************", "-");
    assert_runs("{\"mask\": 5}", COVEY_TYPE_DECIMAL, 3, "1.*", "-");
}

static void test_runs__are_parted_where_both_sides_are_in_order(void **state)
{
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "b..f", "b-f] ");
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "f..b", "-");
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "b..b", "-");
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "a..b..c", "a-b..c] a..b-c] ");
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "a...b", "a.-b] ");
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "..b", "-b] ");
    assert_runs("{\"balanced\": 2}", COVEY_TYPE_TEXT, 0, "b", "-");
}

static void test_areas__are_those_that_are_not_restricted(void **state)
{
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "123", "123-124) ");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "12*", "120-122) 123-12:) ");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "1**", "100-122) 123-19:) ");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "0**", "001-036) 037-09:) ");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "000", "000-001) 036-037) 122-123) ");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "122", "-");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "12345", "-");
    assert_runs("{\"zip3\": [\"036\", \"122\"]}", COVEY_TYPE_TEXT, 0, "1*3", "-");
}

static void test_runs__reach_texts_and_what_lies_between(void **state)
{
    const covey_value_run prefix = {.is_text = true, .low = "100", .high = "101", .high_open = true},
                          closed = {.is_text = true, .low = "b", .high = "f"};

    assert_true(covey_i_label_run_reaches(&prefix, "100", "100"));
    assert_false(covey_i_label_run_reaches(&prefix, "101", "101"));
    assert_true(covey_i_label_run_reaches(&prefix, "100", "101"));
    assert_false(covey_i_label_run_reaches(&prefix, NULL, "100"));
    assert_false(covey_i_label_run_reaches(&prefix, "101", NULL));
    assert_true(covey_i_label_run_reaches(&prefix, "0", "2"));
    assert_true(covey_i_label_run_reaches(&closed, "f", "f"));
    assert_false(covey_i_label_run_reaches(&closed, "f", NULL));
    assert_true(covey_i_label_run_reaches(&closed, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask__stars_at_the_end_hide_characters),
        cmocka_unit_test(test_mask__of_integers_is_a_range),
        cmocka_unit_test(test_runs__are_parted_where_both_sides_are_in_order),
        cmocka_unit_test(test_areas__are_those_that_are_not_restricted),
        cmocka_unit_test(test_runs__reach_texts_and_what_lies_between),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
