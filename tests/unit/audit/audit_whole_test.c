/* Whole units without the publisher's list, on a release where units may change places. */
#include "test.h"

#include <string.h>

#include "support/release/small_release.h"

static void expect(const release_folder *r, covey_units_fit fit, const char *problem)
{
    const covey_verify_options options = {.original = r->original, .entity = "name"};
    covey_verdict *verdict;
    covey_error err;
    bool said = false;

    if (covey_verify(&verdict, r->path, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < verdict->n_problems && problem; i++)
        said |= strstr(verdict->problem[i], problem) != NULL;
    if (verdict->units_fit != fit || (problem && !said) || verdict->units_proven != (fit == COVEY_FIT_ONLY))
        fail_msg("fit %d, \"%s\" is expected; %s", verdict->units_fit, problem ? problem : "nothing",
                 verdict->n_problems > 0 ? verdict->problem[verdict->n_problems - 1] : "no problem");
    covey_verdict_free(verdict);
}

static void test_units_that_may_change_places_fit_in_some_way(void **state)
{
    release_folder r;

    (void)state;
    shared_persons(&r);
    expect(&r, COVEY_FIT_KEPT, NULL);
    release_end(&r);
}

/* Where d is 24 years old, it is in class 1, and so is c. */
static void test_one_way_alone_is_called_so(void **state)
{
    release_folder r;

    (void)state;
    shared_persons(&r);
    release_original(&r, "name,age,edu,city,disease,note\n"
                         "a,22,BA,A,flu,x\nb,26,BA,A,flu,x\nb,28,BA,A,cold,x\nc,27,BA,A,flu,x\nc,29,BA,A,gout,x\n"
                         "d,24,BA,A,cold,x\ne,27,BA,A,gout,x\nf,33,BA,A,flu,x\n");
    expect(&r, COVEY_FIT_ONLY, NULL);
    release_end(&r);
}

/* In both ways the class of (flu, flu) and (cold, gout) has two different diseases of one person each, and not three.
 */
static void test_promises_that_the_way_breaks_are_not_called_kept(void **state)
{
    release_folder r;

    (void)state;
    shared_persons(&r);
    release_original(&r, "name,age,edu,city,disease,note\na,22,BA,A,flu,x\nf,33,BA,A,flu,x\n"
                         "b,26,BA,A,flu,x\nb,26,BA,A,flu,x\nc,27,BA,A,cold,x\nc,27,BA,A,gout,x\n"
                         "d,26,BA,A,flu,x\nd,26,BA,A,cold,x\ne,27,BA,A,flu,x\ne,27,BA,A,gout,x\n");
    release_replace(&r, "table.csv", "1,\"[20, 30]\",BA,A,flu,x\n",
                    "1,\"[20, 30]\",BA,A,flu,x\n1,\"[20, 30]\",BA,A,flu,x\n");
    release_replace(&r, "table.csv", "2,\"[25, 35]\",BA,A,flu,x\n",
                    "2,\"[25, 35]\",BA,A,flu,x\n2,\"[25, 35]\",BA,A,flu,x\n");
    release_set(&r, "rows", "10");
    release_set(&r, "published_rows", "10");
    release_set(&r, "prior", "{'disease': {'cold': 2, 'flu': 6, 'gout': 2}}");
    release_write(&r);
    expect(&r, COVEY_FIT_KEPT, NULL);
    release_set(&r, "promises.0",
                "{'model': 'distinct-l-diversity', 'attribute': 'disease', 'parameters': {'l': '3'}, 'units': 'share',"
                " 'threshold': 3, 'achieved': 3, 'achieved_value': 3.0, 'holds': true}");
    release_write(&r);
    expect(&r, COVEY_FIT_WHOLE, NULL);
    release_end(&r);
}

static void test_no_way_is_a_problem(void **state)
{
    release_folder r;

    (void)state;
    shared_persons(&r);
    release_put(&r, "units.csv", "class,units,largest\n1,4,2\n2,2,2\n");
    release_write(&r);
    expect(&r, COVEY_FIT_NONE, "whole units of the original cannot make");
    release_end(&r);
    shared_persons(&r); /* a and f are one person */
    release_original(&r, "name,age,edu,city,disease,note\n"
                         "a,22,BA,A,flu,x\nb,26,BA,A,flu,x\nb,28,BA,A,cold,x\nc,27,BA,A,flu,x\nc,29,BA,A,gout,x\n"
                         "d,26,BA,A,cold,x\ne,27,BA,A,gout,x\na,33,BA,A,flu,x\n");
    expect(&r, COVEY_FIT_NONE, "counts more units than the original has");
    release_end(&r);
    shared_persons(&r); /* a and f have a row of each other's */
    release_original(&r, "name,age,edu,city,disease,note\n"
                         "a,22,BA,A,flu,x\nb,26,BA,A,flu,x\na,33,BA,A,flu,x\nc,27,BA,A,flu,x\nc,29,BA,A,gout,x\n"
                         "d,26,BA,A,cold,x\ne,27,BA,A,gout,x\nf,28,BA,A,cold,x\n");
    expect(&r, COVEY_FIT_NONE, "units are not whole: 1 of them fits no class with all of its rows");
    release_end(&r);
}

static void expect_refused(const release_folder *r, const char *entity, const char *within, const char *original,
                           const char *why)
{
    const covey_verify_options options = {.original = original, .entity = entity, .within = within};
    covey_verdict *verdict;
    covey_error err;

    assert_int_equal(covey_verify(&verdict, r->path, &options, NULL, &err), COVEY_EINVAL);
    if (!strstr(err.message, why))
        fail_msg("%s", err.message);
}

static void test_columns_of_units_are_asked_for_as_the_release_has_them(void **state)
{
    release_folder r;

    (void)state;
    shared_persons(&r);
    expect_refused(&r, "name", "edu", r.original, "not part of anything");
    expect_refused(&r, "name", NULL, NULL, "is a column of the original");
    expect_refused(&r, "edu", NULL, r.original, "is published");
    expect_refused(&r, "nobody", NULL, r.original, "has no column \"nobody\"");
    expect_refused(&r, NULL, "edu", r.original, "which column names these");
    release_set(&r, "entity.households", "true");
    release_write(&r);
    expect_refused(&r, "name", NULL, r.original, "name their column");
    release_end(&r);
    small_release(&r);
    expect_refused(&r, "name", NULL, r.original, "have no units");
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_that_may_change_places_fit_in_some_way),
        cmocka_unit_test(test_one_way_alone_is_called_so),
        cmocka_unit_test(test_promises_that_the_way_breaks_are_not_called_kept),
        cmocka_unit_test(test_no_way_is_a_problem),
        cmocka_unit_test(test_columns_of_units_are_asked_for_as_the_release_has_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
