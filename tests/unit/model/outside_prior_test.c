/* A shard of a larger table is judged against the prior of the whole, not against its own. */
#include "test.h"

#include "support/problem/problem_maker.h"
#include "model/promise.h"

enum { N_ROWS = 8 };

/* The shard: values 0 0 0 0 1 1 1 1, eight different ages. */
static void make_shard(problem_maker *m)
{
    static const uint32_t age[N_ROWS] = {0, 1, 2, 3, 4, 5, 6, 7}, disease[N_ROWS] = {0, 1, 0, 1, 0, 1, 0, 1};
    int view;

    maker_init(m, N_ROWS);
    maker_add_range(m, "age", age, N_ROWS, false, NULL);
    view = maker_add_sensitive(m, "disease", disease, 2);
    maker_promise(m, "basic-beta-likeness", "beta=1", view);
}

static covey_status run(problem_maker *m, uint32_t *n_classes, covey_error *err)
{
    const covey_method *method = covey_method_find("elastic");
    covey_release *release = NULL;
    covey_run settings = COVEY_RUN_INIT;
    covey_status status = method->run(&release, &m->problem, maker_method_params(m, method, ""), &settings, err);

    if (status == COVEY_OK)
        *n_classes = release->n_classes;
    covey_release_free(release);
    return status;
}

/* Own shares 1/2 and 1/2: with beta 1 every class is allowed, so the shard is cut down to single rows. */
static void test_a_table_is_judged_against_its_own_shares(void **state)
{
    problem_maker m;
    uint32_t n_classes = 0;
    covey_error err;

    (void)state;
    make_shard(&m);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    assert_int_equal(run(&m, &n_classes, &err), COVEY_OK);
    assert_int_equal(n_classes, N_ROWS);
    maker_clear(&m);
}

/* In the whole table value 1 has a share of 1/4, so with beta 1 at most half of a class: rows of both values must stay
 * together. */
static void test_a_shard_is_judged_against_the_prior_of_the_whole(void **state)
{
    int64_t count[2] = {300, 100};
    covey_histogram whole = {.n_values = 2, .total = 400, .n_distinct = 2, .count = count};
    problem_maker m;
    uint32_t n_classes = 0;
    covey_error err;

    (void)state;
    make_shard(&m);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    m.problem.promises.view[0].prior = &whole;
    assert_int_equal(covey_i_promises_prepare(&m.problem.promises, &m.arena, &err), COVEY_OK);
    assert_int_equal(run(&m, &n_classes, &err), COVEY_OK);
    assert_in_range(n_classes, 2, N_ROWS / 2);
    maker_clear(&m);
}

/* A shard that holds too much of a value that is rare in the whole table cannot be published at all. */
static void test_a_shard_that_breaks_the_promise_as_a_whole_is_refused(void **state)
{
    int64_t count[2] = {900, 100};
    covey_histogram whole = {.n_values = 2, .total = 1000, .n_distinct = 2, .count = count};
    problem_maker m;
    uint32_t n_classes = 0;
    covey_error err;

    (void)state;
    make_shard(&m);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    m.problem.promises.view[0].prior = &whole;
    assert_int_equal(covey_i_promises_prepare(&m.problem.promises, &m.arena, &err), COVEY_OK);
    assert_int_equal(run(&m, &n_classes, &err), COVEY_EINFEASIBLE);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_is_judged_against_its_own_shares),
        cmocka_unit_test(test_a_shard_is_judged_against_the_prior_of_the_whole),
        cmocka_unit_test(test_a_shard_that_breaks_the_promise_as_a_whole_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
