/* Methods on classes, on a table that is large enough for several threads, for the thread sanitizer. */
#include "test.h"

#include "support/thread_publish.h"

enum { N_ROWS = 50000 };

static void set_up(problem_maker *m, const char *model, const char *params)
{
    uint32_t *codes = malloc(N_ROWS * sizeof *codes);
    uint64_t random = 5;
    int view;

    maker_init(m, N_ROWS);
    for (uint32_t i = 0; i < N_ROWS; i++)
        codes[i] = maker_below(&random, 80);
    maker_add_range(m, "number", codes, 80, false, NULL);
    for (uint32_t i = 0; i < N_ROWS; i++)
        codes[i] = maker_below(&random, 5000);
    maker_add_range(m, "long", codes, 5000, false, NULL);
    for (uint32_t i = 0; i < N_ROWS; i++)
        codes[i] = maker_below(&random, 17) * maker_below(&random, 2);
    view = maker_add_sensitive(m, "sensitive", codes, 17);
    maker_promise(m, "k-anonymity", "k=20", -1);
    maker_promise(m, model, params, view);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    free(codes);
}

static void many_threads_keep(const char *model, const char *bound, const char *name, const char *params)
{
    problem_maker m;

    set_up(&m, model, bound);
    threads_publish_the_same(name, params, &m);
    maker_clear(&m);
}

static void many_threads_publish_what_one_does(const char *name, const char *params)
{
    many_threads_keep("enhanced-beta-likeness", "beta=2", name, params);
}

static void elastic(void **state)
{
    many_threads_publish_what_one_does("elastic", "");
    many_threads_publish_what_one_does("elastic", "publish-boxes=cut");
    many_threads_publish_what_one_does("elastic", "dims=score,cuts=1,min-size=500");
}

static void elastic_for_a_distance(void **state)
{
    many_threads_keep("t-closeness", "t=0.02,distance=ordered", "elastic", "");
}

static void burel(void **state)
{
    many_threads_publish_what_one_does("burel", "slack=0.3,post-split=true");
    many_threads_publish_what_one_does("burel", "retrieve=paper");
    many_threads_publish_what_one_does("burel", "retrieve=nearest");
}

static void sabre(void **state)
{
    many_threads_keep("t-closeness", "t=0.1,distance=ordered", "sabre", "post-split=true");
}

static void mondrian(void **state)
{
    many_threads_publish_what_one_does("mondrian", "");
    many_threads_publish_what_one_does("mondrian", "publish-boxes=cut");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic),  cmocka_unit_test(elastic_for_a_distance),
        cmocka_unit_test(burel),    cmocka_unit_test(sabre),
        cmocka_unit_test(mondrian),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
