/* Every allocation of a comparison fails once: it says so, leaks nothing (the sanitizers watch) and leaves no folder
 * behind. */
#include "test.h"

#include <covey/compare.h>

#include <dirent.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file/folder.h"

static char folder[128];

static int set_up(void **state)
{
    char path[160];
    FILE *file;

    (void)state;
    assert_true(test_folder(folder, sizeof folder, "oom"));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    snprintf(path, sizeof path, "%s/table.csv", folder);
    assert_non_null(file = fopen(path, "w"));
    fputs("age,city,pay\n21,A,10\n22,B,20\n29,A,30\n31,C,40\n35,B,50\n38,A,60\n", file);
    assert_int_equal(fclose(file), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return covey_i_folder_remove(folder, NULL);
}

static int count_entries(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        n += entry->d_name[0] != '.' || strstr(entry->d_name, ".covey-");
    closedir(dir);
    return n;
}

/* One method keeps this promise; the others have to say why they do not. */
static covey_status compare(covey_error *err)
{
    const covey_compare_options options = {.n_queries = 3};
    const char *const flags[][2] = {{"quasi", "age,city"}, {"sensitive", "pay"}, {"model", "sliced-l-diversity:l=2"}};
    covey_run run = {.n_threads = 1}; /* so that the n-th allocation is the same in every run */
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
    int64_t n;

    (void)state;
    for (n = 1;; n++) {
        covey_error err = {COVEY_OK};
        covey_status status;

        covey_i_alloc_fail_at(n);
        status = compare(&err);
        covey_i_alloc_fail_at(0);
        if (count_entries() != 1)
            fail_msg("allocation %lld left something behind", (long long)n);
        if (status == COVEY_OK)
            break;
        if (status != COVEY_ENOMEM)
            fail_msg("allocation %lld: status %s, \"%s\"", (long long)n, covey_status_name(status), err.message);
    }
    assert_true(n > 300); /* or the hook does not work */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compare__survives_every_failing_allocation)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
