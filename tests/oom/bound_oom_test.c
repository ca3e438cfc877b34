/* A bound without memory: requests fail one by one, and nothing leaks or is half done. */
#include "test.h"

#include "support/failing.h"
#include "bound/bound.h"
#include "support/problem/problem_maker.h"

static void set_up(problem_maker *m)
{
    uint32_t codes[200];
    uint64_t random = 11;
    int view;

    maker_init(m, 200);
    for (uint32_t i = 0; i < 200; i++)
        codes[i] = maker_below(&random, 40);
    maker_add_range(m, "number", codes, 40, false, NULL);
    for (uint32_t i = 0; i < 200; i++)
        codes[i] = maker_below(&random, 20);
    maker_add_range(m, "other", codes, 20, true, NULL);
    for (uint32_t i = 0; i < 200; i++)
        codes[i] = maker_below(&random, 9);
    maker_add_tree(m, "tree", codes, 9, false, 3);
    for (uint32_t i = 0; i < 200; i++)
        codes[i] = maker_below(&random, 5);
    view = maker_add_sensitive(m, "sensitive", codes, 5);
    maker_promise(m, "k-anonymity", "k=3", -1);
    maker_promise(m, "basic-beta-likeness", "beta=1", view);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

static void each_request_may_fail(void **state)
{
    const covey_run run = {.n_threads = 1};
    failing f = {.least = 10};
    problem_maker m;

    set_up(&m);
    while (failing_next(&f)) {
        covey_loss_bound bound = {.value = -1};

        failing_ends(&f, covey_i_bound_loss(&bound, &m.problem, 60, &run, &f.err));
        assert_true(f.is_done ? bound.value > 0 : bound.value == -1);
    }
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_request_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
