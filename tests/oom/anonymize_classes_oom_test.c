/* Allocations of the main job fail one by one, for each method whose releases are tables of classes; see failing_job.h.
 */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "support/job/failing_job.h"

static void test_every_method_on_classes_survives_every_failing_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < covey_method_count(); i++) {
        const char *name = covey_method_name(covey_method_at(i));

        if (strcmp(covey_method_form(covey_method_at(i)), "generalized") != 0)
            continue; /* anonymize_oom_test.c, anonymize_slices_oom_test.c */
        if (strcmp(name, "m-invariance") == 0)
            continue; /* releases_oom_test.c */
        if (strcmp(name, "burel") == 0)
            failing_job_each(name, "quasi-identifier", "sensitive",
                             "  - {model: k-anonymity, k: 2}\n  - {model: enhanced-beta-likeness, beta: 2}\n");
        else if (strcmp(name, "optimal-partition") == 0)
            failing_job_each("optimal-partition:node-limit=20,splits={age: 'quantile:2', city: 'siblings'}",
                             "quasi-identifier", "sensitive", "  - {model: k-anonymity, k: 5}\n");
        else
            failing_job_each(name, "quasi-identifier", "sensitive",
                             "  - {model: k-anonymity, k: 2}\n  - {model: t-closeness, t: 0.5}\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_on_classes_survives_every_failing_allocation)};

    return cmocka_run_group_tests(tests, failing_job_set_up, failing_job_tear_down);
}
