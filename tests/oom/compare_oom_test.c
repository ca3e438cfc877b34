/* Allocations of a comparison fail one by one: it says so, leaks nothing (the sanitizers watch) and leaves no folder
 * behind. */
#include "test.h"

#include <covey/compare.h>

#include <string.h>

#include "support/failing.h"
#include "support/folder.h"
#include "base/file/folder.h"

static char folder[128];

static int set_up(void **state)
{
    char path[160];

    assert_true(test_folder(folder, sizeof folder, "oom"));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    snprintf(path, sizeof path, "%s/table.csv", folder);
    file_put(path, "age,city,pay\n21,A,10\n22,B,20\n29,A,30\n31,C,40\n35,B,50\n38,A,60\n");
    return 0;
}

static int tear_down(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

/* One method keeps this promise; the others have to say why they do not. */
static covey_status compare(covey_error *err)
{
    const covey_compare_options options = {.n_queries = 3};
    const char *const flags[][2] = {{"quasi", "age,city"}, {"sensitive", "pay"}, {"model", "sliced-l-diversity:l=2"}};
    covey_run run = {.n_threads = 1};
    covey_comparison *comparison = NULL;
    covey_policy *policy = NULL;
    char path[160];
    covey_status status;

    snprintf(path, sizeof path, "%s/table.csv", folder);
    if ((status = covey_policy_new(&policy, err)) == COVEY_OK)
        status = covey_policy_set(policy, "input", path, err);
    for (size_t i = 0; i < 3 && status == COVEY_OK; i++)
        status = covey_policy_set(policy, flags[i][0], flags[i][1], err);
    if (status == COVEY_OK)
        status = covey_policy_check(policy, err);
    if (status == COVEY_OK)
        status = covey_compare(&comparison, policy, &options, &run, err);
    if (status == COVEY_OK) {
        assert_string_equal(comparison->method[0].method, "slicing");
        assert_true(comparison->method[0].feasible);
        assert_false(comparison->method[1].feasible);
        assert_true(strlen(comparison->method[1].reason) > 10);
    }
    covey_comparison_free(comparison);
    covey_policy_free(policy);
    return status;
}

static void test_compare__survives_every_failing_allocation(void **state)
{
    failing f = {.least = 300, .folder = folder};

    while (failing_next(&f))
        failing_ends(&f, compare(&f.err));
    assert_int_equal(folder_entries(folder), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compare__survives_every_failing_allocation)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
