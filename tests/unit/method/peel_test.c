#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "method/peel/table.h"
#include "table/table_impl.h"

static covey_status try_peel(covey_release **out, problem_maker *m, const char *name, const char *value,
                             covey_error *err)
{
    const covey_method *peel = covey_method_find("peel");
    const covey_run run = {.n_threads = 2};
    size_t n;
    const covey_param *list = covey_method_params(peel, &n);
    void *params = maker_method_params(m, peel, "refine=none");

    *out = NULL;
    if (name && covey_param_set(params, list, n, "method peel", name, value, err) != COVEY_OK)
        return err->status;
    if (peel->accepts(&m->problem.promises, params, err) != COVEY_OK)
        return err->status;
    return peel->run(out, &m->problem, params, &run, err);
}

static covey_release *run_peel(problem_maker *m, const char *name, const char *value)
{
    covey_release *release;
    covey_error err = {0};

    if (try_peel(&release, m, name, value, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return release;
}

/* "0-0 x2 | 1-3 x3": per class the range on the first axis and the rows; overwritten by the next call. */
static const char *classes_text(const covey_release *release, const problem_maker *m)
{
    static char text[512];
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t c = 0; c < release->n_classes; c++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u-%u x%u", c ? " | " : "",
                                 release->low[c * m->problem.n_axes], release->high[c * m->problem.n_axes],
                                 release->class_start[c + 1] - release->class_start[c]);
    return text;
}

/* age  20 20 21 35 38 60: at width 1 the two of age 20 are taken; 35 and 38 have the same label at width 8 (32 to 39);
 * 21 and 60 at last. */
static const uint32_t age[] = {0, 0, 1, 2, 3, 4};
static const int64_t years[] = {20, 21, 35, 38, 60};

static void init_ages(problem_maker *m, const char *model, const char *params)
{
    maker_init(m, 6);
    maker_add_range(m, "age", age, 5, false, years);
    maker_promise(m, model, params, -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

static void crowds_are_taken_first_and_the_rest_is_generalized(void **state)
{
    problem_maker m;
    covey_release *release;

    init_ages(&m, "k-anonymity", "k=2");
    release = run_peel(&m, NULL, NULL);
    assert_string_equal(classes_text(release, &m), "0-0 x2 | 1-4 x2 | 2-3 x2");
    covey_release_free(release);
    release = run_peel(&m, "ladders", "{age: [20]}"); /* three from 20 to 39 on, and 60: never two groups of two */
    assert_string_equal(classes_text(release, &m), "0-1 x3 | 2-4 x3");
    covey_release_free(release);
    maker_clear(&m);
}

/* age  20 20 20 35 60 with k = 3: taking the three of age 20 would leave two. */
static void a_group_is_not_taken_if_the_rest_could_be_no_class(void **state)
{
    static const uint32_t codes[] = {0, 0, 0, 1, 2};
    static const int64_t number[] = {20, 35, 60};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 5);
    maker_add_range(&m, "age", codes, 3, false, number);
    maker_promise(&m, "k-anonymity", "k=3", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_peel(&m, NULL, NULL);
    assert_string_equal(classes_text(release, &m), "0-2 x5");
    covey_release_free(release);
    maker_clear(&m);
}

static void nobody_is_generalized_further_than_until(void **state)
{
    problem_maker m;
    covey_release *release;

    init_ages(&m, "k-anonymity", "k=2");
    release = run_peel(
        &m, "until", "0"); /* those who are left are one class, which is cut: 21 35 | 38 60 costs less than together */
    assert_string_equal(classes_text(release, &m), "0-0 x2 | 1-2 x2 | 3-4 x2");
    covey_release_free(release);
    maker_clear(&m);
}

static void until_must_be_a_number_or_none(void **state)
{
    problem_maker m;
    covey_release *release;
    covey_error err = {0};

    init_ages(&m, "k-anonymity", "k=2");
    assert_int_equal(try_peel(&release, &m, "until", "-1", &err), COVEY_EINVAL);
    assert_string_equal(err.message, "until must be \"none\" or a number of at least 0, such as 0.5, not \"-1\"");
    assert_int_equal(try_peel(&release, &m, "until", "soon", &err), COVEY_EINVAL);
    covey_release_free(run_peel(&m, "until", "1/2"));
    covey_release_free(run_peel(&m, "until", "none"));
    maker_clear(&m);
}

static void a_ladder_that_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *ladders, *complaint;
    } bad[] = {
        {"{aeg: [1]}", "method peel: ladders: there is no quasi-identifier \"aeg\"; did you mean \"age\"?"},
        {"{height: [1]}", "method peel: ladders: there is no quasi-identifier \"height\"; the first is \"age\""},
        {"{age: [5, 1]}", "method peel: ladders: age must ascend, but 1 stands behind 5"},
        {"{age: [0]}", "method peel: ladders: age: a width must be positive and have at most 0 decimals, not 0"},
        {"{age: [1.5]}", "method peel: ladders: age: a width must be positive and have at most 0 decimals, not 1.5"},
        {"{age: [wide]}", "method peel: ladders: age: \"wide\" is not a number"},
        {"{age: 5}", "method peel: ladders: age must be a list such as [1, 5, 10, 20]"},
        {"{age: []}", "method peel: ladders: age must be a list such as [1, 5, 10, 20]"},
        {"{age: [[1]]}", "method peel: ladders: age must be a list of numbers such as [1, 5, 10, 20]"},
        {"{zip: [9]}", "method peel: ladders: zip: a level of its hierarchy is a whole number from 0 to 2, not 9"},
        {"{sex: [0]}",
         "method peel: ladders: sex is neither a number nor has it a hierarchy: it has no levels to choose from"},
        {"[age]", "method peel: ladders must be a mapping such as {age: [1, 5, 10, 20]}"},
    };
    problem_maker m;
    covey_release *release;
    covey_error err = {0};

    maker_init(&m, 6);
    maker_add_range(&m, "age", age, 5, false, years);
    maker_add_tree(&m, "zip", age, 5, false, 3);
    maker_add_flat(&m, "sex", age, 5, false);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(try_peel(&release, &m, "ladders", bad[i].ladders, &err), COVEY_EINVAL);
        assert_string_equal(err.message, bad[i].complaint);
    }
    assert_int_equal(try_peel(&release, &m, "ladders", "{age: [1", &err), COVEY_EPARSE);
    covey_release_free(run_peel(&m, "ladders", "{zip: [0, 1], age: [3, 7, 100]}"));
    maker_clear(&m);
}

/* Without levels in between every table is cut, nothing else: equal rows together, the others one class that is cut. */
static void one_step_to_everything_is_a_plain_cut(void **state)
{
    static const uint32_t job[] = {0, 0, 1, 2, 3, 3};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 6);
    maker_add_flat(&m, "job", job, 4, false);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_peel(&m, NULL, NULL);
    assert_string_equal(classes_text(release, &m), "0-0 x2 | 1-2 x2 | 3-3 x2");
    covey_release_free(release);
    maker_clear(&m);
}

static void a_table_smaller_than_k_is_infeasible(void **state)
{
    problem_maker m;
    covey_release *release;
    covey_error err = {0};

    init_ages(&m, "k-anonymity", "k=7");
    assert_int_equal(try_peel(&release, &m, NULL, NULL, &err), COVEY_EINFEASIBLE);
    assert_non_null(strstr(err.message, "k can be 6 at most"));
    assert_int_equal(try_peel(&release, &m, "refine", "local", &err), COVEY_EINFEASIBLE);
    maker_clear(&m);
}

static void without_promises_nothing_is_generalized(void **state)
{
    problem_maker m;
    covey_release *release;

    init_ages(&m, "k-anonymity", "k=1");
    release = run_peel(&m, "refine", "local");
    assert_true(release->objective.value == 0);
    covey_release_free(release);
    maker_clear(&m);
}

/* age 0 0 0 0 1000000 with k = 2: as a class of five everybody loses everything; the last one alone costs five times
 * its own loss. */
static void a_row_that_costs_others_more_than_itself_is_suppressed_if_that_is_allowed(void **state)
{
    static const uint32_t far[] = {0, 0, 0, 0, 1};
    static const int64_t number[] = {0, 1000000};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 5);
    maker_add_range(&m, "age", far, 2, false, number);
    maker_promise(&m, "k-anonymity", "k=4", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_peel(&m, NULL, NULL);
    assert_string_equal(classes_text(release, &m), "0-1 x5");
    covey_release_free(release);
    m.problem.max_suppressed = 1;
    release = run_peel(&m, NULL, NULL);
    assert_string_equal(classes_text(release, &m), "0-0 x4");
    covey_release_free(release);
    maker_clear(&m);
}

/* 16 categories without hierarchy make 2^16 nodes: levels are shared, and the manifest says so. */
static void too_many_attributes_share_their_levels(void **state)
{
    uint32_t codes[64];
    uint64_t random = 3;
    problem_maker m;
    covey_release *release;

    maker_init(&m, 64);
    for (int a = 0; a < 16; a++) {
        char name[16];

        snprintf(name, sizeof name, "q%d", a);
        for (int i = 0; i < 64; i++)
            codes[i] = maker_below(&random, 3);
        maker_add_flat(&m, name, codes, 3, false);
    }
    maker_promise(&m, "k-anonymity", "k=3", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_peel(&m, "refine", "local");
    assert_string_equal(release->note, "");
    assert_non_null(strstr(release->remark, "of 65536: ladders were shortened"));
    covey_release_free(release);
    maker_clear(&m);
}

/* A missing cell is as far from everything as can be: it is grouped with numbers on the last level only. */
static void missing_cells_stay_among_themselves_as_long_as_they_can(void **state)
{
    static const uint32_t codes[] = {0, 0, 1, 2, 3, 4};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 6);
    maker_add_range(&m, "age", codes, 5, true, NULL);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_peel(&m, "ladders", "{age: [50]}");
    assert_string_equal(classes_text(release, &m), "0-0 x2 | 1-2 x2 | 3-4 x2");
    covey_release_free(release);
    maker_clear(&m);
}

static void local_search_never_loses(void **state)
{
    uint64_t random = 11;
    uint32_t x[300], y[300], z[300];

    for (int round = 0; round < test_share(20); round++) {
        problem_maker m;
        covey_release *plain, *refined;

        maker_init(&m, 300);
        for (int i = 0; i < 300; i++) {
            x[i] = maker_below(&random, 90);
            y[i] = maker_below(&random, 12);
            z[i] = maker_below(&random, 6);
        }
        maker_add_range(&m, "x", x, 90, false, NULL);
        maker_add_tree(&m, "y", y, 12, false, 2);
        maker_add_flat(&m, "z", z, 6, false);
        maker_add_sensitive(&m, "s", z, 6);
        maker_promise(&m, "k-anonymity", "k=3", -1);
        if (round % 2)
            maker_promise(&m, "distinct-l-diversity", "l=2", 0);
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        plain = run_peel(&m, NULL, NULL);
        refined = run_peel(&m, "refine", "local");
        assert_true(refined->objective.value < plain->objective.value);
        covey_release_free(plain);
        covey_release_free(refined);
        maker_clear(&m);
    }
}

/* Of 16 numbers that go together hardly any combination of levels is visited: cuts alone lose less, and are tried. */
static void many_attributes_are_cut_where_that_loses_less(void **state)
{
    enum { N = 600, N_AXES = 16, N_CODES = 20 };
    static uint32_t common[N], codes[N];
    uint64_t random = 9;
    problem_maker m;
    covey_release *cut, *best;

    maker_init(&m, N);
    for (uint32_t i = 0; i < N; i++)
        common[i] = maker_below(&random, N_CODES);
    for (int a = 0; a < N_AXES; a++) {
        char name[16];

        snprintf(name, sizeof name, "q%d", a);
        for (uint32_t i = 0; i < N; i++)
            codes[i] = (3 * common[i] + maker_below(&random, N_CODES)) / 4;
        maker_add_range(&m, name, codes, N_CODES, false, NULL);
    }
    maker_promise(&m, "k-anonymity", "k=5", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    cut = run_peel(&m, "until", "0");
    best = run_peel(&m, NULL, NULL);
    assert_true(best->objective.value <= cut->objective.value);
    covey_release_free(cut);
    covey_release_free(best);
    maker_clear(&m);
}

/* 40 of 4,000 rows have a value that nobody else has, anywhere: each asks for a class of 800 under beta = 4, so that at
 * most five classes hold them all.  They are one class, and everybody else has small ones. */
static void rows_of_rare_values_are_set_aside(void **state)
{
    enum { N = 4000, N_RARE = 40, N_FREQUENT = 4 };
    static uint32_t x[N], y[N], s[N];
    uint64_t random = 5;
    uint32_t n_small = 0;
    problem_maker m;
    covey_release *release;

    maker_init(&m, N);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = maker_below(&random, 40);
        y[i] = maker_below(&random, 8);
        s[i] = i % (N / N_RARE) == 0 ? N_FREQUENT + i / (N / N_RARE) : maker_below(&random, N_FREQUENT);
    }
    maker_add_range(&m, "x", x, 40, false, NULL);
    maker_add_flat(&m, "y", y, 8, false);
    maker_add_sensitive(&m, "s", s, N_FREQUENT + N_RARE);
    maker_promise(&m, "enhanced-beta-likeness", "beta=4", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_peel(&m, "refine", "local");
    for (uint32_t c = 0; c < release->n_classes; c++)
        n_small += release->class_start[c + 1] - release->class_start[c] < 40;
    assert_int_equal(release->n_published, N);
    assert_true(n_small > 150);
    assert_true(release->objective.value < 0.35); /* a fifth loses all; without that class it is 0.49 */
    covey_release_free(release);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowds_are_taken_first_and_the_rest_is_generalized),
        cmocka_unit_test(a_group_is_not_taken_if_the_rest_could_be_no_class),
        cmocka_unit_test(nobody_is_generalized_further_than_until),
        cmocka_unit_test(until_must_be_a_number_or_none),
        cmocka_unit_test(a_ladder_that_cannot_be_is_refused),
        cmocka_unit_test(one_step_to_everything_is_a_plain_cut),
        cmocka_unit_test(a_table_smaller_than_k_is_infeasible),
        cmocka_unit_test(without_promises_nothing_is_generalized),
        cmocka_unit_test(a_row_that_costs_others_more_than_itself_is_suppressed_if_that_is_allowed),
        cmocka_unit_test(too_many_attributes_share_their_levels),
        cmocka_unit_test(missing_cells_stay_among_themselves_as_long_as_they_can),
        cmocka_unit_test(local_search_never_loses),
        cmocka_unit_test(many_attributes_are_cut_where_that_loses_less),
        cmocka_unit_test(rows_of_rare_values_are_set_aside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
