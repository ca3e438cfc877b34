/* Allocations of verifying and measuring fail one by one: the calls say so, and leak nothing (the sanitizers watch). */
#include "test.h"

#include <covey/utility.h>

#include <string.h>

#include "support/failing.h"
#include "support/release/attacked_release.h"
#include "support/release/small_release.h"
#include "support/release/two_tables.h"
#include "base/alloc.h"

static covey_status verify_by(const release_folder *r, const covey_verify_options *options, covey_error *err)
{
    covey_run run = {.n_threads = 1};
    covey_verdict *verdict = NULL;
    covey_status status = covey_verify(&verdict, r->path, options, &run, err);

    if (status == COVEY_OK)
        assert_true(verdict->n_problems == 0 || !verdict->holds);
    covey_verdict_free(verdict);
    return status;
}

static covey_status verify(const release_folder *r, covey_error *err)
{
    return verify_by(r, &(covey_verify_options){.original = r->original}, err);
}

/* In windows of a class or two. */
static covey_status verify_in_windows(const release_folder *r, covey_error *err)
{
    return verify_by(r, &(covey_verify_options){.memory_limit = 12}, err);
}

static covey_status measure(const release_folder *r, covey_error *err)
{
    covey_measure_options options = {.original = r->original};
    covey_run run = {.n_threads = 1};
    covey_measurement *measurement = NULL;
    covey_status status = covey_measure(&measurement, r->path, &options, &run, err);

    covey_measurement_free(measurement);
    return status;
}

static void fail_each(covey_status (*work)(const release_folder *, covey_error *), const release_folder *r)
{
    failing f = {.least = 100};

    while (failing_next(&f))
        failing_ends(&f, work(r, &f.err));
}

/* A release with everything: two sensitive attributes, joint and ranges promised, a built hierarchy, suppressed and
 * missing cells. */
static void rich_release(release_folder *r)
{
    small_release(r);
    release_set(r, "columns.4.role", "'sensitive'");
    release_set(r, "columns.3.order", "['gout', 'flu', 'cold']");
    release_set(r, "columns.0.type", "'decimal'");
    release_set(r, "columns.1.hierarchy_complete", "false");
    release_set(r, "columns.1.hierarchy_spec", "{'balanced': 2}");
    release_set(r, "joint_prior",
                "{'attributes': ['disease', 'note'], 'cells': [{'values': ['cold', 'x'], 'count': 2},"
                " {'values': ['cold', 'y'], 'count': 1}, {'values': ['flu', 'x'], 'count': 2},"
                " {'values': ['flu', 'y'], 'count': 1}, {'values': ['gout', 'y'], 'count': 1}, {'values': ['gout', "
                "'z'], 'count': 1}]}");
    assert_int_equal(json_array_append_new(release_at(r, "promises"), json_pack("{}")), 0);
    assert_int_equal(json_array_append_new(release_at(r, "promises"), json_pack("{}")), 0);
    release_set(r, "promises.2",
                "{'model': 't-closeness', 'joint': true, 'parameters': {'t': '1'}, 'threshold': 1, 'achieved': '3/4',"
                " 'achieved_value': 0.75, 'holds': true}");
    release_set(
        r, "promises.3",
        "{'model': 'min-length', 'attribute': 'age', 'parameters': {'length': '5'}, 'threshold': 5, 'achieved': '5',"
        " 'achieved_value': 5.0, 'holds': true}");
    release_write(r);
}

static void test_verify__survives_every_failing_allocation(void **state)
{
    release_folder r;

    small_release(&r);
    fail_each(verify, &r);
    fail_each(verify_in_windows, &r);
    release_end(&r);
    rich_release(&r);
    fail_each(verify, &r);
    json_array_remove(release_at(&r, "promises"), 2); /* combinations are not judged in windows */
    release_set(&r, "joint_prior", NULL);
    release_write(&r);
    fail_each(verify_in_windows, &r);
    release_end(&r);
}

static void test_measure__survives_every_failing_allocation(void **state)
{
    release_folder r;

    small_release(&r);
    fail_each(measure, &r);
    release_end(&r);
}

static covey_status verify_persons(const release_folder *r, covey_error *err)
{
    covey_verify_options options = {.original = r->original, .entity = "name"};
    covey_run run = {.n_threads = 1};
    covey_verdict *verdict = NULL;
    covey_status status = covey_verify(&verdict, r->path, &options, &run, err);

    if (status == COVEY_OK)
        assert_int_equal(verdict->units_fit, COVEY_FIT_KEPT);
    covey_verdict_free(verdict);
    return status;
}

static void test_whole_persons__survive_every_failing_allocation(void **state)
{
    release_folder r;

    shared_persons(&r);
    fail_each(verify_persons, &r);
    release_end(&r);
}

/* Rows and values of two groups that only fit when some change places, so that paths have to be looked for. */
static void test_two_tables__survive_every_failing_allocation(void **state)
{
    release_folder r;

    two_tables(&r);
    release_original(&r, "age,city,note,pay\n20,A,x,10\n20,A,x,20.5\n20,A,x,30\n30,B,x,10\n30,B,x,20.5\n");
    release_put(&r, "quasi.csv", "group,age,city,note\n1,20,A,x\n1,20,A,x\n1,30,B,x\n2,20,A,x\n2,30,B,x\n");
    release_put(&r, "sensitive.csv", "group,pay,count\n1,10,1\n1,20.5,1\n1,30,1\n2,10,1\n2,20.5,1\n");
    release_write(&r);
    fail_each(verify, &r);
    fail_each(verify_in_windows, &r);
    fail_each(measure, &r);
    release_end(&r);
}

static void test_perturbed_rows__survive_every_failing_allocation(void **state)
{
    const int value[] = {1, 2, 3, 1, 2, 3}, shown[] = {1, 1, 3, 2, 2, 3};
    release_folder r;

    attacked_perturbed(&r, 3, 6, value, shown);
    fail_each(verify, &r);
    fail_each(verify_in_windows, &r);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_tables__survive_every_failing_allocation),
        cmocka_unit_test(test_perturbed_rows__survive_every_failing_allocation),
        cmocka_unit_test(test_whole_persons__survive_every_failing_allocation),
        cmocka_unit_test(test_verify__survives_every_failing_allocation),
        cmocka_unit_test(test_measure__survives_every_failing_allocation),
    };

    /* jansson asks us for memory too, so its failures are tested as well. */
    json_set_alloc_funcs(failing_json, covey_i_free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
