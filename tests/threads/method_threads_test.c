/* Methods on a table that is large enough for several threads, for the thread sanitizer. */
#include "../test.h"

#include <string.h>

#include "../support/problem_maker.h"

enum { N_ROWS = 100000 };

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

static char *publish(const covey_method *method, const char *params, problem_maker *m, int n_threads)
{
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = 3};
    covey_release *release;
    char *text;

    assert_int_equal(method->run(&release, &m->problem, maker_method_params(m, method, params), &run, NULL), COVEY_OK);
    text = maker_published(release, &m->problem);
    covey_release_free(release);
    return text;
}

static void many_threads_keep(const char *model, const char *bound, const char *name, const char *params)
{
    const covey_method *method = covey_method_find(name);
    problem_maker m;
    char *one, *many;

    set_up(&m, model, bound);
    one = publish(method, params, &m, 1);
    many = publish(method, params, &m, 6);
    assert_string_equal(one, many);
    free(one);
    free(many);
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

/* Groups in two tables keep no k. */
static void anatomy(void **state)
{
    static const char *const params[] = {"", "qi-aware=true"};
    const covey_method *method = covey_method_find("anatomy");
    uint32_t *codes = malloc(N_ROWS * sizeof *codes);
    uint64_t random = 9;
    problem_maker m;

    maker_init(&m, N_ROWS);
    for (uint32_t i = 0; i < N_ROWS; i++)
        codes[i] = maker_below(&random, 5000);
    maker_add_range(&m, "long", codes, 5000, false, NULL);
    for (uint32_t i = 0; i < N_ROWS; i++)
        codes[i] = maker_below(&random, 17);
    maker_promise(&m, "probabilistic-l-diversity", "l=4", maker_add_sensitive(&m, "sensitive", codes, 17));
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        char *one = publish(method, params[i], &m, 1), *many = publish(method, params[i], &m, 6);

        assert_string_equal(one, many);
        free(one);
        free(many);
    }
    free(codes);
    maker_clear(&m);
}

/* One promise of its own form, with buckets that other threads must not tell. */
static void slicing(void **state)
{
    static const char *const params[] = {"", "cut=relaxed", "column-k=20", "buckets=random,bucket-size=50,one-per-column=true"};
    const covey_method *method = covey_method_find("slicing");
    uint32_t *codes = malloc(N_ROWS * sizeof *codes);
    uint64_t random = 5;
    problem_maker m;

    maker_init(&m, N_ROWS);
    for (int a = 0; a < 3; a++) {
        for (uint32_t i = 0; i < N_ROWS; i++)
            codes[i] = maker_below(&random, a == 0 ? 900 : 12);
        maker_add_range(&m, (const char *const[]){"long", "a", "b"}[a], codes, a == 0 ? 900 : 12, false, NULL);
    }
    for (uint32_t i = 0; i < N_ROWS; i++)
        codes[i] = maker_below(&random, 17);
    maker_promise(&m, "sliced-l-diversity", "l=4", maker_add_sensitive(&m, "sensitive", codes, 17));
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        char *one = publish(method, params[i], &m, 1), *many = publish(method, params[i], &m, 6);

        assert_string_equal(one, many);
        free(one);
        free(many);
    }
    free(codes);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anatomy),
        cmocka_unit_test(slicing),
        cmocka_unit_test(elastic),
        cmocka_unit_test(elastic_for_a_distance),
        cmocka_unit_test(burel),
        cmocka_unit_test(sabre),
        cmocka_unit_test(mondrian),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
