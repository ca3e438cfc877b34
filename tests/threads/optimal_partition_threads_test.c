/* The and-or search on several threads: one cache, one result; for the thread sanitizer. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"

enum { N_ROWS = 2500, N_AXES = 4 };

static void set_up(problem_maker *m, const char *k)
{
    static uint32_t codes[N_ROWS];
    uint64_t random = 5;
    char name[2] = "a";

    maker_init(m, N_ROWS);
    for (int a = 0; a < N_AXES; a++, name[0]++) {
        for (uint32_t i = 0; i < N_ROWS; i++)
            codes[i] = (maker_below(&random, 8) + maker_below(&random, 8)) / 2;
        maker_add_range(m, name, codes, 8, false, NULL);
    }
    maker_promise(m, "k-anonymity", k, -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

static char *publish(const char *params, problem_maker *m, int n_threads, double *cost)
{
    const covey_method *method = covey_method_find("optimal-partition");
    const covey_run run = {.n_threads = n_threads};
    covey_release *release;
    char *text;

    assert_int_equal(method->run(&release, &m->problem, maker_method_params(m, method, params), &run, NULL), COVEY_OK);
    *cost = release->objective.value;
    text = maker_published(release, &m->problem);
    covey_release_free(release);
    return text;
}

static void one_and_several_threads_publish_the_same(const char *k, const char *params)
{
    problem_maker m;
    double cost[2];
    char *one, *several;

    set_up(&m, k);
    one = publish(params, &m, 1, &cost[0]);
    several = publish(params, &m, 4, &cost[1]);
    assert_true(cost[0] == cost[1]);
    assert_string_equal(one, several);
    free(one);
    free(several);
    maker_clear(&m);
}

static void proven_optima(void **state)
{
    one_and_several_threads_publish_the_same("k=150", "search=and-or");
    one_and_several_threads_publish_the_same("k=250", "search=and-or,cost=classes");
}

static void approximations_and_limits(void **state)
{
    one_and_several_threads_publish_the_same("k=20", "search=and-or,approximation=1.3");
    one_and_several_threads_publish_the_same("k=20", "search=and-or,node-limit=3000,cost=ncp");
    one_and_several_threads_publish_the_same("k=150", "search=pet,node-limit=3000,priority=ratio");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proven_optima),
        cmocka_unit_test(approximations_and_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
