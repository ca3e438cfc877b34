/* Bounds as decimals: exact where they end, otherwise never inside what they bound. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/release/random_release.h"
#include "query/query_impl.h"

static const char *text_of(covey_i128 num, int64_t den, int scale, bool is_upper)
{
    static covey_query_bound bound;
    covey_query_exact exact = {true, num, den};

    covey_i_query_bound(&bound, &exact, scale, false, is_upper);
    return bound.text;
}

static void test_bound__decimals_that_end_are_exact(void **state)
{
    static const struct {
        int64_t num, den;
        int scale;
        const char *text;
    } cases[] = {
        {0, 1, 0, "0"},
        {390, 1, 0, "390"},
        {-7, 1, 0, "-7"},
        {441, 6, 0, "73.5"},
        {-5, 10, 0, "-0.5"},
        {651, 1, 1, "65.1"},
        {150, 1, 2, "1.5"},
        {-150, 100, 2, "-0.015"},
        {1, 1, 18, "0.000000000000000001"},
        {1, 1024, 0, "0.0009765625"},
        {INT64_MAX, 1, 0, "9223372036854775807"},
        {INT64_MIN, 1, 3, "-9223372036854775.808"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(text_of(cases[i].num, cases[i].den, cases[i].scale, false), cases[i].text);
        assert_string_equal(text_of(cases[i].num, cases[i].den, cases[i].scale, true), cases[i].text);
    }
    assert_string_equal(text_of((covey_i128)INT64_MAX * 1000000000, 1, 0, true), "9223372036854775807000000000");
}

/* text - num/den: <0, 0, >0, for up to 20 places. */
static int compare(const char *text, covey_i128 num, int64_t den)
{
    const bool negative = *text == '-';
    covey_i128 value = 0, unit = 1;
    bool behind = false;

    for (const char *c = text + negative; *c; c++) {
        if (*c == '.') {
            behind = true;
            continue;
        }
        assert_true(*c >= '0' && *c <= '9');
        value = 10 * value + (*c - '0');
        unit *= behind ? 10 : 1;
    }
    value = (negative ? -value : value) * den - num * unit;
    return value < 0 ? -1 : value > 0;
}

static void test_bound__endless_decimals_are_rounded_outwards(void **state)
{
    uint64_t seed = 1;

    for (int i = 0; i < 20000; i++) {
        int64_t num = (int64_t)random_below(&seed, 1u << 30) * (random_below(&seed, 2) ? 1 : -1),
                den = 1 + random_below(&seed, 1u << 12);
        char lower[64], upper[64];
        double low, high;

        snprintf(lower, sizeof lower, "%s", text_of(num, den, 0, false));
        snprintf(upper, sizeof upper, "%s", text_of(num, den, 0, true));
        if (compare(lower, num, den) > 0 || compare(upper, num, den) < 0)
            fail_msg("%lld/%lld is not in [%s, %s]", (long long)num, (long long)den, lower, upper);
        low = strtod(lower, NULL);
        high = strtod(upper, NULL);
        assert_true(low <= high && high - low <= 1e-15 * (1 + (high > 0 ? high : -low)));
    }
}

static void test_bound__what_does_not_exist_has_no_text(void **state)
{
    covey_query_bound bound;
    covey_query_exact nothing = {false, 5, 1};

    covey_i_query_bound(&bound, &nothing, 0, false, true);
    assert_false(bound.exists);
    assert_string_equal(bound.text, "");
}

static void test_bound__dates_are_dates(void **state)
{
    covey_query_bound bound;
    covey_query_exact day = {true, 19782, 1};

    covey_i_query_bound(&bound, &day, 0, true, true);
    assert_string_equal(bound.text, "2024-02-29");
}

/* Two rows that are selected with probability 1/2 each; doubles near 10^17 are 16 apart. */
static void test_average__large_numbers_leave_digits_for_the_error(void **state)
{
    int64_t number[] = {100000000000000000, 100000000000000001};
    const covey_query_numbers numbers = {2, number, NULL};
    covey_maybe_value maybe[] = {{1, 0.5, 0.25}, {1, 0.5, 0.25}};
    uint64_t slot[] = {0, 1}, scratch[2];
    covey_selected_values values = {&numbers, {0}, maybe, 2, slot, scratch};
    const covey_selected_rows rows = {0, 2, 1, 0.5, 0};
    covey_query_figures figures;

    covey_i_selected_figures(&figures, COVEY_SQL_AVG, &rows, &values, 0);
    assert_true(fabs(figures.estimate / 1e17 - 1) < 1e-15);
    assert_true(fabs(figures.standard_error - sqrt(0.125)) < 1e-15);
}

/* Of 1,000 numbers three may be selected, which come in no order; what the group before had is forgotten. */
static void test_selected__few_of_many_numbers_come_in_any_order(void **state)
{
    static const uint32_t order[][4] = {{900, 3, 500, 3}, {3, 500, 3, 900}, {500, 900, 3, 3}};
    const covey_selected_rows rows = {0, 4, 2, 1, 0};
    int64_t number[1000];
    const covey_query_numbers numbers = {1000, number, NULL};
    covey_selected_values values = {.numbers = &numbers};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_query_figures figures;

    for (int i = 0; i < 1000; i++)
        number[i] = i;
    assert_int_equal(covey_i_selected_new(&values, &arena, NULL), COVEY_OK);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (int i = 0; i < 4; i++) {
            covey_maybe_value *maybe = covey_i_selected_maybe(&values, order[k][i]);

            maybe->n++;
            maybe->expected += 0.5;
            maybe->spread += 0.25;
        }
        covey_i_selected_figures(&figures, COVEY_SQL_SUM, &rows, &values, 0);
        assert_true(figures.lower.num == 0 && figures.upper.num == 1406);
        assert_true(figures.estimate == 703);
        covey_i_selected_figures(&figures, COVEY_SQL_AVG, &rows, &values, 0);
        assert_true(figures.lower.num == 3 && figures.lower.den == 1);
        assert_true(figures.upper.num == 900 && figures.upper.den == 1);
        assert_true(figures.estimate == 351.5);
        covey_i_selected_figures(&figures, COVEY_SQL_MIN, &rows, &values, 0);
        assert_true(figures.lower.num == 3 && figures.upper.num == 900);
        covey_i_selected_figures(&figures, COVEY_SQL_MAX, &rows, &values, 0);
        assert_true(figures.lower.num == 3 && figures.upper.num == 900);
        covey_i_selected_clear(&values);
        assert_int_equal(values.n_slots, 0);
    }
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound__decimals_that_end_are_exact),
        cmocka_unit_test(test_bound__endless_decimals_are_rounded_outwards),
        cmocka_unit_test(test_bound__what_does_not_exist_has_no_text),
        cmocka_unit_test(test_bound__dates_are_dates),
        cmocka_unit_test(test_selected__few_of_many_numbers_come_in_any_order),
        cmocka_unit_test(test_average__large_numbers_leave_digits_for_the_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
