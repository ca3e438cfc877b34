/* Allocations of the main job fail one by one, for slicing; see failing_job.h. */
#include "test.h"

#include "support/job/failing_job.h"

/* As it is, with rows that go, with given columns, with cuts that are tested by signatures, with two sensitive
 * attributes, and with persons of one row each, and of several. */
static void test_slicing_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_job_each("slicing", "quasi-identifier", "sensitive", "  - {model: sliced-l-diversity, l: 2}\n");
    failing_job_each("slicing:column-k=3", "quasi-identifier", "sensitive",
                     "  - {model: sliced-l-diversity, l: 2}\nsuppression: 0.5\n");
    failing_job_each("{name: slicing, columns: [[age, zip, city], [disease], [disease]]}", "quasi-identifier",
                     "sensitive", "  - {model: sliced-l-diversity, l: 2}\n");
    failing_job_each("slicing:overlap=0.001", "quasi-identifier", "sensitive",
                     "  - {model: sliced-l-diversity, l: 2}\n");
    failing_job_each("slicing:cut=relaxed,one-per-column=true", "quasi-identifier", "sensitive",
                     "  - {model: sliced-l-diversity, l: 2}\n");
    failing_job_each("slicing:anatomize=true", "sensitive", "sensitive",
                     "  - {model: sliced-l-diversity, attribute: age, l: 3}\n"
                     "  - {model: sliced-l-diversity, attribute: disease, l: 2}\n");
    failing_job_each("slicing", "entity", "sensitive", "  - {model: sliced-l-diversity, l: 5/4}\nsuppression: 0.9\n");
    failing_job_each("slicing", "sensitive", "entity", "  - {model: sliced-l-diversity, l: 2}\nsuppression: 0.2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slicing_survives_every_failing_allocation)};

    return cmocka_run_group_tests(tests, failing_job_set_up, failing_job_tear_down);
}
