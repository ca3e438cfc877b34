/* Allocations of the main job fail one by one, for each method that neither publishes classes nor slices; see
 * failing_job.h. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "support/job/failing_job.h"

/* Without groups, with a group that is too small and left out, and with classes as groups. */
static void fail_ke_permutation(void)
{
    failing_job_each(
        "ke-permutation:criterion=min-sum,refine=true", "sensitive", "insensitive",
        "  - {model: ke-anonymity, k: 3, e: 5}\ngroups: {by: [city, {attribute: zip, level: 4}]}\nsuppression: 0.5\n");
    failing_job_each("ke-permutation:criterion=min-max", "sensitive", "insensitive",
                     "  - {model: ke-anonymity, k: 2, e: 5}\ngroups: {method: mondrian, k: 6}\n");
    failing_job_each("ke-permutation:criterion=scan", "sensitive", "insensitive",
                     "  - {model: ke-anonymity, k: 2, e: 8}\n");
}

static void test_every_other_method_survives_every_failing_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < covey_method_count(); i++) {
        const char *name = covey_method_name(covey_method_at(i)), *form = covey_method_form(covey_method_at(i));

        if (strcmp(form, "generalized") == 0 || strcmp(name, "slicing") == 0)
            continue; /* anonymize_classes_oom_test.c, anonymize_slices_oom_test.c */
        if (strcmp(name, "anatomy") == 0) {
            failing_job_each(name, "quasi-identifier", "sensitive", "  - {model: distinct-l-diversity, l: 2}\n");
            failing_job_each(name, "entity", "sensitive", "  - {model: distinct-l-diversity, l: 2}\n");
        } else if (strcmp(name, "ke-permutation") == 0)
            fail_ke_permutation();
        else if (strcmp(name, "perturbation") == 0)
            failing_job_each(name, "quasi-identifier", "sensitive", "  - {model: enhanced-beta-likeness, beta: 2}\n");
        else if (strcmp(name, "distribution") == 0)
            failing_job_each("distribution:fakes=1", "sensitive", "insensitive",
                             "  - {model: p-private, target: uniform}\ngroups: {by: [city]}\n");
        else
            failing_job_each(name, "quasi-identifier", "sensitive",
                             "  - {model: k-anonymity, k: 2}\n  - {model: t-closeness, t: 0.5}\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_other_method_survives_every_failing_allocation)};

    return cmocka_run_group_tests(tests, failing_job_set_up, failing_job_tear_down);
}
