/* Workloads of random queries: over a release that hides nothing every answer is the truth, so that drawing, writing
 * and judging agree. */
#include "test.h"

#include <covey/utility.h>

#include <math.h>
#include <string.h>

#include "support/release/random_release.h"

/* One column with everything: rows as they are, with missing cells, and quotes in names and values. */
static void open_release(release_folder *r, int n_rows)
{
    static const char *const cities[] = {"O'Hara", "Ulm", "a \"b\"", "", "Wien"}, *const prefix = "1,";
    static char rows[65536], lines[65536];
    char manifest[4096];
    uint64_t seed = 5;
    size_t n = 0, m = 0;

    for (int i = 0; i < n_rows; i++) {
        char line[200], age[16] = "", city[64];
        const char *name = cities[random_below(&seed, 5)];

        if (random_below(&seed, 8))
            snprintf(age, sizeof age, "%d", 20 + (int)random_below(&seed, 40));
        snprintf(city, sizeof city, strchr(name, '"') ? "\"a \"\"b\"\"\"" : "%s", name);
        snprintf(line, sizeof line, "%s,%s,%d.%02d,19%02d-0%d-11,%d\n", age, city, (int)random_below(&seed, 9),
                 25 * (int)random_below(&seed, 4), 50 + (int)random_below(&seed, 40), 1 + (int)random_below(&seed, 9),
                 10 * (int)random_below(&seed, 12) - 30);
        n += (size_t)snprintf(rows + n, sizeof rows - n, "%s", line);
        m += (size_t)snprintf(lines + m, sizeof lines - m, "%s%s", prefix, line);
    }
    release_begin(r);
    {
        static char text[70000];

        snprintf(text, sizeof text, "age,\"ci\"\"ty\",weight,born,pay\n%s", rows);
        release_original(r, text);
        snprintf(text, sizeof text, "bucket,age,\"ci\"\"ty\",weight,born,pay\n%s", lines);
        release_put(r, "column-1.csv", text);
    }
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced',"
             " 'method': {'name': 'slicing', 'parameters': {}}, 'rows': %d, 'published_rows': %d, 'suppressed_rows': "
             "0, 'dropped_rows': 0,"
             " 'classes': 1, 'missing': [''], 'promises': [], 'slices': [['age', 'ci\\\"ty', 'weight', 'born', "
             "'pay']], 'columns': ["
             "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1/4'},"
             "  {'name': 'ci\\\"ty', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/4'},"
             "  {'name': 'weight', 'role': 'quasi-identifier', 'type': 'decimal', 'publish': 'value', 'weight': '1/4', "
             "'has_missing': false},"
             "  {'name': 'born', 'role': 'quasi-identifier', 'type': 'date', 'publish': 'value', 'weight': '1/4', "
             "'has_missing': false},"
             "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': false}], "
             "'objective': null,"
             " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 1.0, 'largest_risk': "
             "null, 'mean_risk': null}}",
             n_rows, n_rows);
    release_state(r, manifest);
    release_write(r);
}

static covey_measurement *measure(const release_folder *r, const covey_measure_options *options, const covey_run *run)
{
    covey_measurement *m = NULL;
    covey_error err;

    if (covey_measure(&m, r->path, options, run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return m;
}

static void test_workload__exact_answers_have_no_error(void **state)
{
    release_folder r;

    open_release(&r, 300);
    for (int kind = COVEY_WORKLOAD_COUNT; kind <= COVEY_WORKLOAD_ARBITRARY; kind++)
        for (int n = 1; n <= 4; n++) {
            const covey_measure_options options = {.original = r.original,
                                                   .n_queries = 150,
                                                   .n_attributes = n,
                                                   .selectivity = 0.3,
                                                   .kind = (covey_workload_kind)kind};
            covey_measurement *m = measure(&r, &options, NULL);
            const covey_measured_workload *w = &m->workload;

            assert_int_equal(w->n_queries, 150);
            assert_int_equal(w->n_attributes, n);
            assert_true(w->n_counted > 100 && w->n_counted <= 150);
            if (!(w->mean_relative_error < 1e-12) || !(w->mean_relative_width < 1e-12) || w->within_bounds != 1)
                fail_msg("kind %d, %d attributes: error %g, width %g, %g within bounds", kind, n,
                         w->mean_relative_error, w->mean_relative_width, w->within_bounds);
            assert_true(isnan(w->within_interval));
            assert_true(kind == COVEY_WORKLOAD_COUNT ? w->baseline_median_error > 0 : isnan(w->baseline_median_error));
            covey_measurement_free(m);
        }
    release_end(&r);
}

static void test_workload__queries_depend_on_the_seed_alone(void **state)
{
    const covey_run runs[] = {{.n_threads = 1},
                              {.n_threads = 4},
                              {.n_threads = 1, .has_seed = true, .seed = 1},
                              {.n_threads = 1, .has_seed = true, .seed = 2}};
    double error[4];
    release_folder r;

    open_release(&r, 200);
    for (int i = 0; i < 4; i++) {
        const covey_measure_options options = {.original = r.original, .n_queries = 300};
        covey_measurement *m = measure(&r, &options, &runs[i]);

        assert_int_equal(m->workload.n_attributes, 3);
        assert_true(m->workload.selectivity == 0.1);
        error[i] = m->workload.baseline_median_error;
        covey_measurement_free(m);
    }
    assert_true(error[0] == error[1] && error[0] == error[2] && error[0] != error[3]);
    release_end(&r);
}

static void test_workload__what_cannot_be_asked_is_refused(void **state)
{
    covey_measurement *m = NULL;
    covey_error err;
    release_folder r;

    open_release(&r, 20);
    {
        const covey_measure_options without = {.n_queries = 10},
                                    many = {.original = r.original, .n_queries = 10, .n_attributes = 5};

        assert_int_equal(covey_measure(&m, r.path, &without, NULL, &err), COVEY_EINVAL);
        assert_non_null(strstr(err.message, "--original"));
        assert_int_equal(covey_measure(&m, r.path, &many, NULL, &err), COVEY_EINVAL);
        assert_non_null(strstr(err.message, "the release has 4"));
    }
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workload__exact_answers_have_no_error),
        cmocka_unit_test(test_workload__queries_depend_on_the_seed_alone),
        cmocka_unit_test(test_workload__what_cannot_be_asked_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
