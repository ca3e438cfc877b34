/* The worked examples of docs/adding-a-*.md do on small tables what the pages say. */
#include "test.h"

#include <string.h>

#include "examples/examples.h"
#include "support/problem/problem_maker.h"
#include "support/release/bucket_release.h"

/* The classes that in-order makes of ages, in the form of maker_published. */
static void assert_in_order(const char *params, const uint32_t *ages, uint32_t n, const char *promise,
                            const char *sizes)
{
    problem_maker m;
    covey_release *release = NULL;
    covey_error err = {0};
    char found[256] = "";

    maker_init(&m, n);
    maker_add_range(&m, "age", ages, 10, false, NULL);
    maker_promise(&m, "k-anonymity", promise, -1);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    if (covey_method_in_order.run(&release, &m.problem, maker_method_params(&m, &covey_method_in_order, params), NULL,
                                  &err) != COVEY_OK)
        fail_msg("%s", err.message);
    for (uint32_t c = 0; c < release->n_classes; c++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u-%u ", release->low[c], release->high[c]);
    assert_string_equal(found, sizes);
    covey_release_free(release);
    maker_clear(&m);
}

static void in_order_closes_a_class_as_soon_as_it_keeps_the_promise(void **state)
{
    static const uint32_t ages[] = {7, 3, 1, 2, 9, 4, 8};

    /* 1 2 3 | 4 7 8, and 9 is left over */
    assert_in_order("", ages, 7, "k=3", "1-3 4-9 ");
    /* 9 8 7 | 4 3 2, and 1 is left over */
    assert_in_order("from=high", ages, 7, "k=3", "1-4 7-9 ");
    assert_in_order("", ages, 7, "k=7", "1-9 ");
}

static void in_order_refuses_what_it_does_not_do(void **state)
{
    static const covey_promises none = {0};
    const covey_class_params cut = {.publish_boxes = 1};
    covey_error err;

    assert_int_equal(covey_method_in_order.accepts(&none, &cut, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "publish-boxes"));
}

static void sizes_writes_how_many_rows_each_class_has(void **state)
{
    static const uint32_t ages[] = {7, 3, 1, 2, 9, 4, 8};
    problem_maker m;
    covey_release *release = NULL;
    covey_files files = {0};
    covey_error err = {0};
    release_folder folder;
    char *written;

    release_begin(&folder);
    maker_init(&m, 7);
    maker_add_range(&m, "age", ages, 10, false, NULL);
    maker_promise(&m, "k-anonymity", "k=3", -1);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    assert_int_equal(covey_method_in_order.run(&release, &m.problem,
                                               maker_method_params(&m, &covey_method_in_order, ""), NULL, &err),
                     COVEY_OK);
    if (covey_form_sizes.write(release, &m.problem, folder.path, &files, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    written = release_get(&folder, "sizes.csv");
    assert_string_equal(written, "class,rows\n1,3\n2,4\n");
    assert_int_equal(files.n, 1);
    assert_string_equal(files.file[0].name, "sizes.csv");
    assert_int_equal(files.file[0].n_rows, 2);
    free(written);
    covey_i_files_clear(&files);
    covey_release_free(release);
    maker_clear(&m);
    release_end(&folder);
}

static void assert_counts(const covey_query_release *release, const char *sql, int64_t lower, int64_t upper)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    assert_int_equal(result->n_groups, 1);
    assert_int_equal(result->group->hits_lower, lower);
    assert_int_equal(result->group->hits_upper, upper);
    assert_true(result->group->answer->lower.value == (double)lower);
    assert_true(result->group->answer->upper.value == (double)upper);
    covey_query_result_free(result);
}

static void counting_bounds_the_rows_that_a_condition_selects(void **state)
{
    static const bucket_group groups[] = {
        {.n_rows = 2, .cells = {"20", "30"}, .pay = {1, 2}},
        {.n_rows = 2, .cells = {"20", "40"}, .pay = {1, 3}},
    };
    covey_query_release *release = NULL;
    covey_query_result *result = NULL;
    covey_error err;
    release_folder r;

    bucket_release(&r, "age",
                   "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1'}",
                   groups, 2);
    if (covey_query_open(&release, r.path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    release->form = &covey_query_form_counting;
    assert_int_equal(release->form->load(release, NULL, &err), COVEY_OK);
    assert_counts(release, "SELECT COUNT(*)", 4, 4);
    assert_counts(release, "SELECT COUNT(*) WHERE age < 35", 3, 3);
    assert_counts(release, "SELECT COUNT(*) WHERE age < 35 AND pay = 1", 0, 3);
    assert_counts(release, "SELECT COUNT(*) WHERE age < 35 OR pay = 3", 3, 4);
    assert_counts(release, "SELECT age, COUNT(*) WHERE age = 20 GROUP BY age", 2, 2);
    assert_int_equal(covey_query_run(&result, release, "SELECT SUM(pay)", NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "SUM(pay)"));
    covey_query_close(release);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order_closes_a_class_as_soon_as_it_keeps_the_promise),
        cmocka_unit_test(in_order_refuses_what_it_does_not_do),
        cmocka_unit_test(sizes_writes_how_many_rows_each_class_has),
        cmocka_unit_test(counting_bounds_the_rows_that_a_condition_selects),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
