/* Allocations of inspecting a table and writing the policy to start from fail one by one. */
#include "test.h"

#include <string.h>

#include <covey/inspect.h>

#include "support/failing.h"
#include "support/folder.h"
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
    failing f = {.least = 20};

    while (failing_next(&f))
        failing_ends(&f, go(&f.err));
}

static int make_folder(void **state)
{
    if (!test_folder(folder, sizeof folder, "inspect-oom"))
        return -1;
    snprintf(table, sizeof table, "%s/t.csv", folder);
    snprintf(policy, sizeof policy, "%s/p.yaml", folder);
    file_put(table, "id,zip,birth,disease\n1,?,2020-01-01,flu\n2,12345,2020-02-01,\n3,12345,,cold\n");
    return 0;
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
