/* Local recoding never loses more than the classes it starts from, strict or relaxed, and peel never more than elastic;
 * that they keep promises and hide orders is checked with all methods' laws. */
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "support/problem/random_problem.h"
#include "method/mondrian/local.h"

enum { N_PROBLEMS = 100 };

/* NAN: no release. */
static double loss_of(problem_maker *m, const char *name, const char *params)
{
    const covey_method *method = covey_method_find(name);
    const covey_run run = {.n_threads = 1};
    covey_release *release = NULL;
    double loss = NAN;

    m->problem.promises.min_size = 1;
    if (method->run(&release, &m->problem, maker_method_params(m, method, params), &run, NULL) == COVEY_OK)
        loss = release->ail;
    covey_release_free(release);
    return loss;
}

static void no_more_is_lost_than_by_the_cuts(void **state)
{
    const uint64_t n_problems = (uint64_t)test_share(N_PROBLEMS);
    unsigned n_better = 0, n_made = 0;

    for (uint64_t number = 0; number < n_problems; number++) {
        double strict, relaxed, local;
        problem_maker m;

        random_problem(&m, number, NULL);
        strict = loss_of(&m, "mondrian", "");
        relaxed = loss_of(&m, "mondrian", "cut=relaxed");
        local = loss_of(&m, "mondrian", "refine=local");
        if (isnan(strict) != isnan(local) || local > strict + 1e-12 || local > relaxed + 1e-12)
            fail_msg("problem %d (%s): strict %g, relaxed %g, local %g", (int)number, random_problem_text(&m), strict,
                     relaxed, local);
        n_made += !isnan(local);
        n_better += local < strict - 1e-12 && local < relaxed - 1e-12;
        maker_clear(&m);
    }
    assert_true(n_made > n_problems / 4 && n_better > n_made / 10);
}

/* Promises on the sensitive attribute of larger tables; k alone is promised of tables of any size. */
static const char *const large_promise[][2] = {{"k-anonymity", "k=40"},
                                               {"enhanced-beta-likeness", "beta=1"},
                                               {"t-closeness", "t=0.15"},
                                               {"probabilistic-l-diversity", "l=3"}};

/* Three attributes, the sensitive one depends on the first; some values are rare. */
static void make_table(problem_maker *m, uint64_t number, uint64_t *state)
{
    enum { MOST_ROWS = 1500 };
    static uint32_t code[4][MOST_ROWS];
    const bool is_large = number % 2;
    const uint32_t n = is_large ? 1024 + maker_below(state, MOST_ROWS - 1023) : 8 + maker_below(state, 300);
    char k[16];
    int view;

    for (uint32_t i = 0; i < n; i++) {
        code[0][i] = maker_below(state, 40);
        code[1][i] = maker_below(state, 12);
        code[2][i] = maker_below(state, 5);
        code[3][i] = maker_below(state, 3) ? code[0][i] / 10 + 2 : maker_below(state, 50) ? maker_below(state, 4) : 6;
    }
    maker_init(m, n);
    maker_add_range(m, "a", code[0], 40, false, NULL);
    maker_add_tree(m, "b", code[1], 12, false, 3);
    maker_add_flat(m, "c", code[2], 5, false);
    view = maker_add_sensitive(m, "s", code[3], 7);
    if (is_large) {
        const char *const *promise = large_promise[number / 2 % 4];

        maker_promise(m, promise[0], promise[1], number / 2 % 4 == 0 ? -1 : view);
    } else {
        snprintf(k, sizeof k, "k=%u", 2 + maker_below(state, n / 4));
        maker_promise(m, "k-anonymity", k, -1);
    }
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

static void peel_loses_no_more_than_elastic(void **state)
{
    const uint64_t n_tables = (uint64_t)test_share(20);
    uint64_t random = 5;
    unsigned n_better = 0, n_alike = 0;

    for (uint64_t number = 0; number < n_tables; number++) {
        double elastic, peel;
        problem_maker m;

        make_table(&m, number, &random);
        elastic = loss_of(&m, "elastic", "");
        peel = loss_of(&m, "peel", "");
        if (!(peel <= elastic))
            fail_msg("table %d (%u rows): elastic %.17g, peel %.17g", (int)number, m.problem.n_rows, elastic, peel);
        n_better += peel < elastic;
        n_alike += peel == elastic;
        maker_clear(&m);
    }
    assert_true(test_is_enough(n_better > n_tables / 2 && n_alike > 0)); /* in some nothing else is as good */
}

/* Classes {(1,1), (1,1)} and {(1,1), (1,2), (1,2)}, k = 2: the first row of the second is published as its own value in
 * the first, and the rest is exact, too. */
static void a_row_goes_to_the_class_that_publishes_its_own_value(void **state)
{
    static const uint32_t a[] = {1, 1, 1, 1, 1}, b[] = {1, 1, 1, 2, 2}, rows[] = {0, 1, 2, 3, 4};
    uint32_t class_of_row[] = {0, 0, 1, 1, 1}, n_classes = 2;
    problem_maker m;
    double loss = NAN;

    maker_init(&m, 5);
    maker_add_range(&m, "a", a, 3, false, NULL);
    maker_add_range(&m, "b", b, 3, false, NULL);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    m.problem.promises.min_size = 1;
    assert_int_equal(covey_i_local(class_of_row, &n_classes, &loss, rows, 5, &m.problem, NULL, NULL), COVEY_OK);
    assert_true(loss == 0);
    assert_true(class_of_row[2] == class_of_row[0] && class_of_row[3] == class_of_row[4] &&
                class_of_row[3] != class_of_row[0]);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_is_lost_than_by_the_cuts),
        cmocka_unit_test(peel_loses_no_more_than_elastic),
        cmocka_unit_test(a_row_goes_to_the_class_that_publishes_its_own_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
