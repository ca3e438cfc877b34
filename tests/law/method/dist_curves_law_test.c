/* What the published curves must show on any table: errors that fall with the range, rise with the distance of the
 * target, and fall with the parts. */
#include "test.h"

#include <stdlib.h>

#include <covey/reproduce.h>

#include "support/csvs.h"
#include "support/query/plain_csv.h"

enum { ROWS = 6000 };

static void read_curves(plain_table *out, const char *name, covey_arena *arena)
{
    char file[128];

    snprintf(file, sizeof file, "figures/%s.csv", name);
    plain_read(out, csv_path(file), arena);
}

static void reproduce(const char *const *name, size_t n)
{
    const covey_reproduce_options options = {.rows = ROWS, .force = true};
    covey_reproduced out[8];
    covey_error err;

    csv_folder();
    if (covey_reproduce(out, name, n, csv_path("figures"), &options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < n; i++)
        assert_true(out[i].finding[0] && out[i].state != COVEY_REPRODUCED_MISSING);
}

static double at(const plain_table *t, size_t row, const char *column)
{
    return strtod(plain_cell(t, row, plain_find(t, column)), NULL);
}

static void errors_of_sa_only_fall_with_the_range(void **state)
{
    static const char *const name[] = {"dist-range-adult", "dist-range-independent", "dist-range-correlated",
                                       "dist-arity"};
    static const char *const column[] = {"SA-only", "SA-only", "SA-only, deviation 300", "SA-only (2)"};

    reproduce(name, 4);
    for (size_t i = 0; i < 4; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        plain_table t;

        read_curves(&t, name[i], &arena);
        assert_int_equal(t.n_rows, 9);
        for (size_t p = 1; p < t.n_rows; p++)
            if (at(&t, p, column[i]) >= at(&t, p - 1, column[i]))
                fail_msg("%s: the error does not fall from range %s on", name[i], plain_cell(&t, p, 0));
        covey_arena_free(&arena);
    }
    csv_folder_remove();
}

/* An age whose numbers stray further has values in more places, and needs wider intervals less. */
static void the_further_numbers_stray_the_less_is_the_error_of_qi_sa(void **state)
{
    static const char *const name[] = {"dist-range-correlated"};
    static const char *const column[] = {"QI-SA, deviation 50", "QI-SA, deviation 100", "QI-SA, deviation 300"};
    covey_arena arena = COVEY_ARENA_INIT;
    plain_table t;

    reproduce(name, 1);
    read_curves(&t, name[0], &arena);
    for (size_t p = 0; p < t.n_rows; p++)
        for (size_t d = 1; d < 3; d++)
            assert_true(at(&t, p, column[d]) < at(&t, p, column[d - 1]));
    covey_arena_free(&arena);
    csv_folder_remove();
}

/* What both schemes keep exactly costs groups by age more than what they keep approximately; SA-only the other way. */
static void exact_shares_help_sa_only_and_hurt_qi_sa(void **state)
{
    static const char *const name[] = {"dist-range-adult", "dist-range-independent"};

    reproduce(name, 2);
    for (size_t i = 0; i < 2; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        plain_table t;

        read_curves(&t, name[i], &arena);
        for (size_t p = 0; p < t.n_rows; p++) {
            assert_true(at(&t, p, "SA-only") < at(&t, p, "SA-only, resolution 12"));
            assert_true(at(&t, p, "QI-SA") < at(&t, p, "QI-SA, exact"));
        }
        covey_arena_free(&arena);
    }
    csv_folder_remove();
}

static void the_error_is_least_where_target_and_source_agree(void **state)
{
    static const char *const name[] = {"dist-zipf", "dist-zipf-correlated", "dist-normal"};
    covey_arena arena = COVEY_ARENA_INIT;
    plain_table t;

    reproduce(name, 3);
    for (size_t i = 0; i < 2; i++) {
        read_curves(&t, name[i], &arena);
        for (size_t p = 0; p < t.n_rows; p++)
            if (strtod(plain_cell(&t, p, 0), NULL) != 0.1)
                assert_true(at(&t, p, "SA-only") > at(&t, 1, "SA-only"));
    }
    read_curves(&t, "dist-normal", &arena); /* uniform numbers: the flattest is the nearest */
    for (size_t p = 1; p < t.n_rows; p++)
        assert_true(at(&t, p, "SA-only") > at(&t, 0, "SA-only") && at(&t, p, "QI-SA") > at(&t, 0, "QI-SA"));
    covey_arena_free(&arena);
    csv_folder_remove();
}

static void more_parts_give_less_error(void **state)
{
    static const char *const name[] = {"dist-parts-correlated"};
    covey_arena arena = COVEY_ARENA_INIT;
    plain_table t;

    reproduce(name, 1);
    read_curves(&t, name[0], &arena);
    for (size_t p = 0; p < t.n_rows; p++) {
        assert_true(at(&t, p, "SAonly-10") < at(&t, p, "SAonly-2"));
        assert_true(at(&t, p, "QISA-10") < at(&t, p, "QISA-2"));
    }
    covey_arena_free(&arena);
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_sa_only_fall_with_the_range),
        cmocka_unit_test(the_further_numbers_stray_the_less_is_the_error_of_qi_sa),
        cmocka_unit_test(exact_shares_help_sa_only_and_hurt_qi_sa),
        cmocka_unit_test(the_error_is_least_where_target_and_source_agree),
        cmocka_unit_test(more_parts_give_less_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
