/* Measures of a release that is small enough to check by hand. */
#include "test.h"

#include <covey/utility.h>

#include <math.h>
#include <string.h>

#include "support/release/small_release.h"

static covey_measurement *measure(const release_folder *r, bool with_original)
{
    covey_measure_options options = {.original = with_original ? r->original : NULL};
    covey_measurement *m = NULL;
    covey_error err;

    if (covey_measure(&m, r->path, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return m;
}

static double figure(const covey_measurement *m, const char *name)
{
    for (size_t i = 0; i < m->n_figures; i++)
        if (strcmp(covey_metric_name(m->figure[i].metric), name) == 0)
            return m->figure[i].value;
    fail_msg("there is no figure %s", name);
    return NAN;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void test_measure__every_figure_is_as_on_paper(void **state)
{
    release_folder r;
    covey_measurement *m;

    small_release(&r);
    m = measure(&r, true);
    assert_int_equal(m->n_rows, 8);
    assert_int_equal(m->n_published, 8);
    assert_int_equal(m->n_suppressed, 0);
    assert_int_equal(m->n_classes, 3);
    for (size_t i = 0; i < m->n_figures; i++) /* rows are no persons */
        assert_false(covey_metric_needs_units(m->figure[i].metric));
    assert_int_equal(m->n_figures, 9);
    assert_int_equal(m->n_units, 0);
    assert_near(figure(m, "ail"), 1.7375 / 3);
    assert_true(figure(m, "lower_bound") >= 0 && figure(m, "lower_bound") <= figure(m, "ail"));
    assert_near(figure(m, "ncp"), 1.7125 / 3);
    assert_near(figure(m, "discernibility"), 24);
    assert_near(figure(m, "average_class_size"), 8.0 / 3);
    assert_near(figure(m, "smallest_class"), 2);
    assert_near(figure(m, "largest_risk"), 0.5);
    assert_near(figure(m, "mean_risk"), 0.375);
    /* Boxes of 2*3*1, 2*5*1 and 4*5*2 values hold 2, 2 and 4 rows, all different. */
    assert_near(figure(m, "kl"), (2 * log(3) + 2 * log(5) + 4 * log(10)) / 8);
    assert_int_equal(m->n_attributes, 3);
    assert_string_equal(m->attribute[1].name, "edu");
    assert_near(m->attribute[0].weight, 1.0 / 3);
    assert_near(m->attribute[0].ail, 0.3375);
    assert_near(m->attribute[0].ncp, 0.3375);
    assert_near(m->attribute[1].ail, 0.9);
    assert_near(m->attribute[1].ncp, 0.875);
    assert_near(m->attribute[2].ail, 0.5);
    covey_measurement_free(m);
    release_end(&r);
}

static void test_measure__without_an_original_only_the_divergence_is_missing(void **state)
{
    release_folder r;
    covey_measurement *m;

    small_release(&r);
    m = measure(&r, false);
    for (size_t i = 0; i < m->n_figures; i++)
        assert_int_equal(isnan(m->figure[i].value), covey_metric_needs_original(m->figure[i].metric));
    assert_true(isnan(figure(m, "kl")));
    covey_measurement_free(m);
    release_end(&r);
}

static void test_measure__suppressed_rows_lose_everything(void **state)
{
    release_folder r;
    covey_measurement *m;

    small_release(&r);
    release_put(&r, "table.csv",
                "class,age,edu,city,disease,note\n1,\"[20, 25]\",college,A,cold,x\n1,\"[20, 25]\",college,A,flu,x\n");
    release_set(&r, "published_rows", "2");
    release_set(&r, "suppressed_rows", "6");
    release_set(&r, "classes", "1");
    release_write(&r);
    m = measure(&r, true);
    assert_near(m->attribute[0].ail, (2 * 5.0 / 40 + 6) / 8);
    assert_near(figure(m, "discernibility"), 4 + 8 * 6);
    /* 2 rows over 6 values, and 6 over all 8 ages, 5 schools and 4 cities */
    assert_near(figure(m, "kl"), (-2 * log(2.0 / 6 + 6.0 / 160) - 6 * log(6.0 / 160)) / 8);
    covey_measurement_free(m);
    release_end(&r);
}

static void test_measure__overlapping_boxes_add_up(void **state)
{
    release_folder r;
    covey_measurement *m;

    small_release(&r);
    release_put(&r, "table.csv",
                "class,age,edu,city,disease,note\n1,\"[20, 30]\",BA,A,flu,x\n1,\"[20, 30]\",BA,A,flu,x\n"
                "2,\"[20, 40]\",BA,A,flu,x\n2,\"[20, 40]\",BA,A,flu,x\n");
    release_set(&r, "rows", "4");
    release_set(&r, "published_rows", "4");
    release_set(&r, "classes", "2");
    release_write(&r);
    release_original(&r, "note,disease,city,edu,age\nx,flu,A,BA,20\nx,flu,A,BA,30\nx,flu,A,BA,30\nx,flu,A,BA,40\n");
    m = measure(&r, true);
    /* Boxes of 2 and 3 ages: 20 and 30 get 2/2 + 2/3 rows, 40 gets 2/3. */
    assert_near(figure(m, "kl"), (log(3.0 / 5) + 2 * log(2 * 3.0 / 5) + log(3.0 / 2)) / 4);
    covey_measurement_free(m);
    release_end(&r);
}

static void test_measure__the_original_itself_has_no_divergence(void **state)
{
    release_folder r;
    covey_measurement *m;

    small_release(&r);
    release_put(
        &r, "table.csv",
        "class,age,edu,city,disease,note\n1,20,BA,A,flu,x\n1,20,BA,A,flu,x\n2,30,BA,A,flu,x\n2,30,BA,A,flu,x\n");
    release_set(&r, "rows", "4");
    release_set(&r, "published_rows", "4");
    release_set(&r, "classes", "2");
    release_write(&r);
    release_original(&r, "note,disease,city,edu,age\nx,flu,A,BA,20\nx,flu,A,BA,30\nx,flu,A,BA,30\nx,flu,A,BA,20\n");
    m = measure(&r, true);
    assert_near(figure(m, "kl"), 0);
    assert_near(figure(m, "ail"), 0);
    covey_measurement_free(m);
    release_end(&r);
}

static void test_measure__what_is_not_in_order_is_not_measured(void **state)
{
    release_folder r;
    covey_measure_options options = {.original = NULL};
    covey_measurement *m = NULL;
    covey_error err;

    assert_int_equal(covey_measure(&m, "/nowhere", NULL, NULL, &err), COVEY_ENOTFOUND);
    small_release(&r);
    release_replace(&r, "table.csv", "college", "collage");
    release_write(&r);
    assert_int_equal(covey_measure(&m, r.path, NULL, NULL, &err), COVEY_EPARSE);
    assert_non_null(strstr(err.message, "is not in order"));
    release_end(&r);
    small_release(&r);
    options.original = "/nowhere/original.csv";
    assert_int_equal(covey_measure(&m, r.path, &options, NULL, &err), COVEY_ENOTFOUND);
    options.original = r.original;
    release_original(&r, "note,disease,city,edu,age\nx,flu,A,BA,20\n");
    assert_int_equal(covey_measure(&m, r.path, &options, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "is not the table that"));
    assert_null(m);
    release_end(&r);
}

static void test_measure__metrics_are_found_by_name(void **state)
{
    for (size_t i = 0; i < covey_metric_count(); i++) {
        const covey_metric *metric = covey_metric_at(i);

        assert_ptr_equal(covey_metric_find(covey_metric_name(metric)), metric);
        assert_true(strlen(covey_metric_summary(metric)) > 10);
        assert_true(strlen(covey_metric_source(metric)) > 5);
    }
    assert_null(covey_metric_at(covey_metric_count()));
    assert_null(covey_metric_find("beauty"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measure__every_figure_is_as_on_paper),
        cmocka_unit_test(test_measure__without_an_original_only_the_divergence_is_missing),
        cmocka_unit_test(test_measure__suppressed_rows_lose_everything),
        cmocka_unit_test(test_measure__overlapping_boxes_add_up),
        cmocka_unit_test(test_measure__the_original_itself_has_no_divergence),
        cmocka_unit_test(test_measure__what_is_not_in_order_is_not_measured),
        cmocka_unit_test(test_measure__metrics_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
