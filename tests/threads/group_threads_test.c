/* Methods on groups and buckets, on a table that is large enough for several threads, for the thread sanitizer. */
#include "test.h"

#include "support/thread_publish.h"

enum { N_ROWS = 50000 };

/* Groups in two tables keep no k. */
static void anatomy(void **state)
{
    static const char *const params[] = {"", "qi-aware=true"};
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
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        threads_publish_the_same("anatomy", params[i], &m);
    free(codes);
    maker_clear(&m);
}

/* One promise of its own form, with buckets that other threads must not tell. */
static void slicing(void **state)
{
    static const char *const params[] = {"", "cut=relaxed", "column-k=20",
                                         "buckets=random,bucket-size=50,one-per-column=true"};
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
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        threads_publish_the_same("slicing", params[i], &m);
    free(codes);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anatomy),
        cmocka_unit_test(slicing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
