/* Methods without memory: requests fail one by one, and nothing leaks, crashes or is half done. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "support/failing.h"

static const char *const beta[] = {"basic-beta-likeness", "beta=1"}, *const close_equal[] = {"t-closeness", "t=0.3"},
                         *const distinct[] = {"distinct-l-diversity", "l=2"},
                         *const close_line[] = {"t-closeness", "t=0.2,distance=ordered"},
                         *const close_tree[] = {"t-closeness", "t=0.3,distance=hierarchical"};

/* Large enough that lists grow; k and another promise. */
static void set_up(problem_maker *m, uint32_t n_rows, const char *const *promise)
{
    uint32_t *codes = malloc(n_rows * sizeof *codes);
    uint64_t random = 11;
    int view;

    maker_init(m, n_rows);
    for (uint32_t i = 0; i < n_rows; i++)
        codes[i] = maker_below(&random, 40);
    maker_add_range(m, "number", codes, 40, false, NULL);
    for (uint32_t i = 0; i < n_rows; i++)
        codes[i] = maker_below(&random, 9);
    maker_add_tree(m, "tree", codes, 9, false, 3);
    for (uint32_t i = 0; i < n_rows; i++)
        codes[i] = maker_below(&random, 5);
    view = maker_add_sensitive(m, "sensitive", codes, 5);
    maker_promise(m, "k-anonymity", "k=2", -1);
    maker_add_sensitive_tree(m, view, 2);
    maker_promise(m, promise[0], promise[1], view);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    free(codes);
}

/* few: each of the first requests, then ever fewer. */
static void fail_each_request(const char *name, const char *params, const char *const *promise, uint32_t n_rows,
                              int n_threads, bool few)
{
    const covey_method *method = covey_method_find(name);
    const covey_run run = {.n_threads = n_threads, .has_seed = true};
    failing f = {.least = 10, .all_of = few ? 20 : 0, .thin = 20, .what = name};
    problem_maker m;
    void *values;

    set_up(&m, n_rows, promise);
    values = maker_method_params(&m, method, params);
    assert_int_equal(method->accepts(&m.problem.promises, values, NULL), COVEY_OK);
    while (failing_next(&f)) {
        covey_release *release = NULL;

        failing_ends(&f, method->run(&release, &m.problem, values, &run, &f.err));
        assert_true(f.is_done == (release != NULL));
        covey_release_free(release);
    }
    maker_clear(&m);
}

static bool keeps_beta(const covey_method *method)
{
    problem_maker m;
    bool does;

    set_up(&m, 10, beta);
    does = method->accepts(&m.problem.promises, maker_method_params(&m, method, ""), NULL) == COVEY_OK;
    maker_clear(&m);
    return does;
}

static void every_method_on_classes(void **state)
{
    for (size_t i = 0; i < covey_method_count(); i++)
        if (strcmp(covey_method_form(covey_method_at(i)), "generalized") == 0 &&
            strcmp(covey_method_name(covey_method_at(i)), "m-invariance") != 0 && /* releases_oom_test.c */
            strcmp(covey_method_name(covey_method_at(i)), "optimal-partition") !=
                0) /* a search without a limit: below, on smaller tables */
            fail_each_request(covey_method_name(covey_method_at(i)), "",
                              keeps_beta(covey_method_at(i)) ? beta : close_equal, 300, 1, false);
}

static void ways_of_methods(void **state)
{
    fail_each_request("elastic", "dims=score,cuts=15", beta, 300, 1, false);
    fail_each_request("burel", "retrieve=paper,post-split=true", beta, 300, 1, false);
    fail_each_request("burel", "retrieve=nearest", beta, 300, 1, false);
    fail_each_request("elastic", "", close_line, 300, 1, false);
    fail_each_request("elastic", "publish-boxes=cut", beta, 300, 1, false);
    fail_each_request("mondrian", "publish-boxes=cut,cut=relaxed", beta, 300, 1, false);
    fail_each_request("burel", "publish-boxes=cut", beta, 300, 1, false);
    fail_each_request("peel", "publish-boxes=cut", beta, 300, 1, true);
    fail_each_request("optimal-partition", "search=and-or,node-limit=500,splits={number: \"quantile:5\"}", beta, 60, 1,
                      true);
    fail_each_request("optimal-partition", "search=pet,node-limit=200,min-length={number: 3},publish-boxes=cut", beta,
                      60, 1, true);
    fail_each_request("optimal-partition", "cost=ncp,search=and-or,approximation=2,split-budget=4", beta, 60, 1, true);
    fail_each_request("mondrian", "splits={number: \"step:7\"}", beta, 300, 1, false);
    fail_each_request("peel", "refine=local", distinct, 300, 1, true);
    fail_each_request("peel", "refine=local", beta, 300, 1, true);
    fail_each_request("peel", "refine=local", beta, 1100, 1, true); /* rows are set aside */
    fail_each_request("sabre", "retrieve=paper,post-split=true", close_line, 300, 1, false);
    fail_each_request("sabre", "buckets=fewest", close_line, 300, 1, false);
    fail_each_request("sabre", "", close_tree, 300, 1, false);
    fail_each_request("sabre", "buckets=fewest", close_tree, 300, 1, false);
}

static void several_threads(void **state)
{
    fail_each_request("elastic", "", beta, 150000, 3, true);
    fail_each_request("burel", "post-split=true", beta, 150000, 3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_on_classes),
        cmocka_unit_test(ways_of_methods),
        cmocka_unit_test(several_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
