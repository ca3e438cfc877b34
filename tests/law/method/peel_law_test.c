/* What peel's local search owes whoever asks for it: a release that is never worse than the one without. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "support/problem/random_problem.h"

enum { N_PROBLEMS = 60, N_CROWDED = 140000, N_YEARS = 80 };

static covey_release *run_peel(covey_status *status, problem_maker *m, uint64_t number, const char *refine)
{
    const covey_method *peel = covey_method_find("peel");
    const covey_run run = {.n_threads = 2, .has_seed = true, .seed = 7};
    covey_release *release = NULL;
    size_t n;
    const covey_param *list = covey_method_params(peel, &n);
    void *params;

    random_problem(m, number, NULL);
    m->problem.promises.min_size = 1;
    params = maker_method_params(m, peel, "");
    assert_int_equal(covey_param_set(params, list, n, "method peel", "refine", refine, NULL), COVEY_OK);
    *status = peel->run(&release, &m->problem, params, &run, NULL);
    return release;
}

static void local_search_is_never_worse_than_none(void **state)
{
    int n_released = 0, n_better = 0;

    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        covey_status none, local;
        problem_maker m, n;
        covey_release *plain = run_peel(&none, &m, number, "none"), *refined = run_peel(&local, &n, number, "local");

        assert_int_equal(none, local);
        if (none == COVEY_OK) {
            if (refined->ail > plain->ail)
                fail_msg("problem %d (%s): %.17g with local search, %.17g without", (int)number,
                         random_problem_text(&m), refined->ail, plain->ail);
            n_released++;
            n_better += refined->ail < plain->ail;
        }
        covey_release_free(plain);
        covey_release_free(refined);
        maker_clear(&m);
        maker_clear(&n);
    }
    assert_true(n_better * 10 > n_released); /* or there would be nothing to see */
}

/* Cells of one to many rows, 140,000 in all: most are crowds, which stand apart from search. */
static void init_crowds(problem_maker *m, uint32_t *codes, uint64_t seed, const char *model, const char *params)
{
    int64_t years[N_YEARS];
    uint64_t state = seed;

    for (uint32_t v = 0; v < N_YEARS; v++)
        years[v] = 7 * v;
    for (uint32_t row = 0; row < N_CROWDED; row++) {
        codes[row] = row < 2 * N_YEARS ? row % N_YEARS / 2 * 2 : maker_below(&state, N_YEARS / 4) * 4;
        codes[N_CROWDED + row] = maker_below(&state, 3000) == 0;
    }
    maker_init(m, N_CROWDED);
    maker_add_range(m, "year", codes, N_YEARS, false, years);
    maker_add_range(m, "moved", codes + N_CROWDED, 2, false, years);
    maker_promise(m, model, params, -1);
}

static covey_release *run_from(problem_maker *m, const char *refine, const char *until, int n_threads)
{
    const covey_method *peel = covey_method_find("peel");
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = 7};
    covey_release *release = NULL;
    size_t n;
    const covey_param *list = covey_method_params(peel, &n);
    void *params = maker_method_params(m, peel, "");

    assert_int_equal(covey_param_set(params, list, n, "method peel", "refine", refine, NULL), COVEY_OK);
    assert_int_equal(covey_param_set(params, list, n, "method peel", "until", until, NULL), COVEY_OK);
    assert_int_equal(peel->run(&release, &m->problem, params, &run, NULL), COVEY_OK);
    return release;
}

static covey_release *run_refined(problem_maker *m, const char *refine, int n_threads)
{
    return run_from(m, refine, "none", n_threads);
}

/* Every row once, in a class of at least k whose range holds it. */
static void assert_is_k_anonymous(const covey_release *release, const problem_maker *m, const uint32_t *codes,
                                  uint32_t k)
{
    uint8_t *seen = calloc(N_CROWDED, 1);

    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t *low = release->low + c * m->problem.n_axes, *high = release->high + c * m->problem.n_axes;

        assert_true(release->class_start[c + 1] - release->class_start[c] >= k);
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
            const uint32_t row = release->row_order[i];

            assert_int_equal(seen[row]++, 0);
            for (uint32_t a = 0; a < 2; a++)
                assert_in_range(codes[a * N_CROWDED + row], low[a], high[a]);
        }
    }
    assert_int_equal(release->class_start[release->n_classes], N_CROWDED);
    free(seen);
}

static void assert_same_classes(const covey_release *x, const covey_release *y)
{
    assert_int_equal(x->n_classes, y->n_classes);
    assert_memory_equal(x->class_start, y->class_start, (x->n_classes + 1) * sizeof *x->class_start);
    assert_memory_equal(x->row_order, y->row_order, N_CROWDED * sizeof *x->row_order);
}

static void crowds_come_back(void **state)
{
    uint32_t *codes = malloc(2 * N_CROWDED * sizeof *codes);

    for (uint64_t seed = 0; seed < 3; seed++) {
        problem_maker m;
        covey_release *plain, *refined, *alone;

        init_crowds(&m, codes, seed, "k-anonymity", seed == 1 ? "k=7" : "k=3");
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        plain = run_refined(&m, "none", 2);
        refined = run_refined(&m, "local", 2);
        alone = run_refined(&m, "local", 1);
        assert_is_k_anonymous(refined, &m, codes, seed == 1 ? 7 : 3);
        assert_true(refined->ail > 0 && refined->ail <= plain->ail);
        assert_same_classes(refined, alone);
        covey_release_free(plain);
        covey_release_free(refined);
        covey_release_free(alone);
        maker_clear(&m);
    }
    free(codes);
}

/* Of so many attributes hardly any combination of levels is visited; cuts are a start, too, and search never loses more
 * than they do. */
static void many_attributes_lose_no_more_than_by_cuts(void **state)
{
    enum { N_AXES = 24, N_ROWS = 2500 };
    uint32_t *codes = malloc(N_AXES * N_ROWS * sizeof *codes);
    const uint32_t n_values[] = {2, 3, 5, 8, 12, 20, 50, 80};
    int64_t number[80];
    uint64_t random = 5;
    char name[N_AXES][8];
    problem_maker m;
    covey_release *cuts, *refined;

    for (int i = 0; i < 80; i++)
        number[i] = i;
    maker_init(&m, N_ROWS);
    for (uint32_t row = 0; row < N_ROWS; row++) {
        const uint32_t shared = maker_below(&random, 16);

        for (uint32_t a = 0; a < N_AXES; a++)
            codes[a * N_ROWS + row] = (shared * n_values[a % 8] / 16 + maker_below(&random, n_values[a % 8])) / 2;
    }
    for (uint32_t a = 0; a < N_AXES; a++) {
        snprintf(name[a], sizeof name[a], "a%u", a);
        maker_add_range(&m, name[a], codes + a * N_ROWS, n_values[a % 8], false, number);
    }
    maker_promise(&m, "k-anonymity", "k=4", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    refined = run_refined(&m, "local", 2);
    cuts = run_from(&m, "none", "0", 2);
    if (refined->ail > cuts->ail)
        fail_msg("peel loses %.17g, by cuts alone %.17g", refined->ail, cuts->ail);
    covey_release_free(cuts);
    covey_release_free(refined);
    maker_clear(&m);
    free(codes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(local_search_is_never_worse_than_none),
                                       cmocka_unit_test(crowds_come_back),
                                       cmocka_unit_test(many_attributes_lose_no_more_than_by_cuts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
