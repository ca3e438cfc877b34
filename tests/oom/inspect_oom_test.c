/* Every allocation of inspecting a table and writing the policy to start from fails once. */
#include "test.h"

#include <string.h>

#include <covey/inspect.h>

#include "base/alloc.h"
#include "base/file/folder.h"

static char folder[64], table[128], policy[128];

static covey_status go(covey_error *err)
{
    const covey_run run = {.n_threads = 1};
    covey_inspection *inspection = NULL;
    covey_status status = covey_inspect(&inspection, table, NULL, &run, err);

    if (status == COVEY_OK)
        status = covey_inspection_write_policy(inspection, policy, true, err);
    covey_inspection_free(inspection);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    covey_error err = {0};
    int64_t n;

    covey_i_alloc_fail_at(0);
    if (go(&err) != COVEY_OK)
        fail_msg("%s", err.message);
    n = covey_i_alloc_count();
    assert_true(n > 20);
    for (int64_t i = 1; i <= n; i++) {
        covey_i_alloc_fail_at(i);
        assert_int_equal(go(&err), COVEY_ENOMEM);
    }
    covey_i_alloc_fail_at(0);
}

static int make_folder(void **state)
{
    FILE *file;

    if (!test_folder(folder, sizeof folder, "inspect-oom"))
        return -1;
    snprintf(table, sizeof table, "%s/t.csv", folder);
    snprintf(policy, sizeof policy, "%s/p.yaml", folder);
    if (!(file = fopen(table, "w")))
        return -1;
    fputs("id,zip,birth,disease\n1,?,2020-01-01,flu\n2,12345,2020-02-01,\n3,12345,,cold\n", file);
    return fclose(file);
}

static int remove_folder(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
