#include "test.h"

#include <math.h>
#include <string.h>

#include "reproduce/likeness/likeness.h"

enum { A, B, C, CURVES, POINTS = 4 };

/* a falls, b rises and falls, c has a gap and lies above a. */
static void draw(covey_curves *curves, covey_arena *arena)
{
    static const char *const name[CURVES] = {"a", "b", "c"};
    static const double x[POINTS] = {1, 2, 3, 4}, y[CURVES][POINTS] = {{8, 7, 6, 6}, {1, 3, 2, 4}, {9, NAN, 6, 7}};
    covey_error err;

    assert_int_equal(covey_i_curves_new(curves, name, CURVES, x, POINTS, arena, &err), COVEY_OK);
    for (int c = 0; c < CURVES; c++)
        memcpy(curves->y[c], y[c], sizeof y[c]);
}

static bool holds(const covey_claim *claim, char *finding, covey_curves *curves)
{
    covey_experiment_context context = {.curves = curves, .finding = finding};

    covey_i_likeness_judge(&context, 1, "x", claim, 1);
    return context.holds;
}

static void claims_hold_or_not_as_the_curves_are(void **state)
{
    static const struct {
        covey_claim claim;
        bool holds;
        const char *words;
    } cases[] = {
        {{.kind = COVEY_CLAIM_FALLS, .curve = A}, true, "a falls"},
        {{.kind = COVEY_CLAIM_RISES, .curve = A}, false, "a falls"},
        {{.kind = COVEY_CLAIM_UNEVEN, .curve = A}, false, "a only falls"},
        {{.kind = COVEY_CLAIM_RISES, .curve = B}, false, "b rises and falls"},
        {{.kind = COVEY_CLAIM_UNEVEN, .curve = B}, true, "b rises and falls"},
        {{.kind = COVEY_CLAIM_BELOW, .curve = A, .other = C}, true, "a is no higher than c at 3 of 3 points"},
        {{.kind = COVEY_CLAIM_BELOW, .curve = C, .other = A}, false, "c is no higher than a at 1 of 3 points"},
        {{.kind = COVEY_CLAIM_BELOW, .curve = C, .other = A, .factor = 1.25},
         true,
         "c is no higher than 1.25 times a at 3 of 3 points"},
        {{.kind = COVEY_CLAIM_FLAT, .curve = A, .factor = 1.5}, true, "a between 6 and 8"},
        {{.kind = COVEY_CLAIM_FLAT, .curve = A, .factor = 1.25}, false, "a between 6 and 8"},
        {{.kind = COVEY_CLAIM_AT_LEAST, .curve = B, .factor = 1}, true, "b is at least 1"},
        {{.kind = COVEY_CLAIM_AT_LEAST, .curve = B, .factor = 2}, false, "b is at least 1"},
    };
    covey_arena arena = COVEY_ARENA_INIT;
    covey_curves curves;
    char finding[768];

    draw(&curves, &arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(holds(&cases[i].claim, finding, &curves), cases[i].holds);
        if (!strstr(finding, cases[i].words))
            fail_msg("\"%s\" does not say \"%s\"", finding, cases[i].words);
    }
    assert_non_null(strstr(finding, "at x 2: a 7, b 3, c -;"));
    covey_arena_free(&arena);
}

static void curves_that_are_in_the_table_alone_are_not_told(void **state)
{
    const covey_claim claim = {.kind = COVEY_CLAIM_FALLS, .curve = A};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_curves curves;
    char finding[768];

    draw(&curves, &arena);
    curves.n_plotted = 2;
    assert_true(holds(&claim, finding, &curves));
    assert_non_null(strstr(finding, "a 7, b 3; a falls"));
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_hold_or_not_as_the_curves_are),
        cmocka_unit_test(curves_that_are_in_the_table_alone_are_not_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
