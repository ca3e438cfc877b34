/* A declared domain and the values of its column have one scale, whichever of them needs more places behind the point.
 * How the domain is written changes nothing; integers may have a domain with fractions, and lose by hand what the
 * manifest says. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <string.h>

#include "base/text.h"

#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "support/release/release_folder.h"

enum { N_TABLES = 5 };

static const struct subject {
    const char *method, *model;
    bool is_exact; /* publishes no ranges */
} subjects[] = {
    {"mondrian", "{model: k-anonymity, k: 4}", false},
    {"{name: mondrian, cut: relaxed, min-length: {age: 2.5}}", "{model: k-anonymity, k: 4}", false},
    {"{name: mondrian, splits: {age: [20, 30.5, 60], pay: 'width:3'}}", "{model: k-anonymity, k: 4}", false},
    {"elastic", "{model: k-anonymity, k: 4}", false},
    {"peel", "{model: k-anonymity, k: 4}", false},
    {"{name: peel, ladders: {age: [1, 10, 20]}}", "{model: k-anonymity, k: 4}", false},
    {"full-domain", "{model: k-anonymity, k: 4}", false},
    {"{name: optimal-partition, splits: {age: 'quantile:4', pay: 'step:7.5'}}", "{model: k-anonymity, k: 4}", false},
    {"{name: optimal-partition, cost: ncp-box, publish-boxes: cut, splits: {age: [25.5, 70], pay: [20]}}",
     "{model: k-anonymity, k: 4}", false},
    {"burel", "{model: basic-beta-likeness, beta: 5}", false},
    {"sabre", "{model: t-closeness, t: 0.5}", false},
    {"anatomy", "{model: probabilistic-l-diversity, l: 2}", true},
    {"slicing", "{model: sliced-l-diversity, l: 2}", true},
    {"perturbation", "{model: basic-beta-likeness, beta: 5}", true},
};

enum { N_SUBJECTS = sizeof subjects / sizeof *subjects };

static void put_table(uint64_t *random)
{
    const uint32_t n = 20 + maker_below(random, 60);
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, "age,pay,illness\n");
    for (uint32_t i = 0; i < n; i++) {
        covey_i_text_add_format(&text, "%u,", 1 + maker_below(random, 99));
        if (maker_below(random, 20)) /* else missing */
            covey_i_text_add_format(&text, "%u.%u", maker_below(random, 40), maker_below(random, 10));
        covey_i_text_add_format(&text, ",%c\n", 'a' + (char)maker_below(random, 6));
    }
    assert_false(text.broken);
    csv_put_file(csv_path("table.csv"), text.bytes, text.size);
    covey_i_text_free(&text);
}

/* false: no release keeps the policy. */
static bool publish(const char *name, const struct subject *subject, const char *type, const char *age, const char *pay,
                    int64_t rows_per_part)
{
    const covey_run run = {.n_threads = 2, .has_seed = true, .seed = 5};
    const covey_parts_options parts = {.rows_per_part = rows_per_part};
    char target[1024];
    covey_text text = COVEY_TEXT_INIT;
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_error err;
    covey_status status;

    snprintf(target, sizeof target, "%s", csv_path(name));
    covey_i_text_add_format(&text,
                            "version: 1\ninput: {path: table.csv}\nattributes:\n"
                            "  - {name: age, role: quasi-identifier%s, domain: %s}\n"
                            "  - {name: pay, role: quasi-identifier, domain: %s}\n"
                            "  - {name: illness, role: sensitive}\nprivacy: [%s]\nmethod: %s\n",
                            type, age, pay, subject->model, subject->method);
    assert_false(text.broken);
    csv_put_file(csv_path("policy.yaml"), text.bytes, text.size);
    if ((status = covey_policy_read(&policy, csv_path("policy.yaml"), &err)) == COVEY_OK &&
        (status = covey_policy_check(policy, &err)) == COVEY_OK &&
        (status = rows_per_part ? covey_anonymize_in_parts(&report, policy, target, &parts, &run, &err)
                                : covey_anonymize(&report, policy, target, NULL, &run, &err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    if (status != COVEY_OK && status != COVEY_EINFEASIBLE)
        fail_msg("%s\n%s", err.message, text.bytes);
    covey_i_text_free(&text);
    return status == COVEY_OK;
}

static void begin(release_folder *r, const char *name)
{
    memset(r, 0, sizeof *r);
    snprintf(r->path, sizeof r->path, "%s", csv_path(name));
    snprintf(r->original, sizeof r->original, "%s", csv_path("table.csv"));
    release_read(r);
}

static void expect_holds(const char *name)
{
    release_folder r;

    begin(&r, name);
    release_assert_holds(&r, true);
    json_decref(r.manifest);
}

static void a_domain_is_the_same_however_it_is_written(void **state)
{
    uint64_t random = test_seed(11);
    int n_made = 0;

    for (int i = 0; i < test_share(N_TABLES); i++)
        for (size_t m = 0; m < N_SUBJECTS; m++) {
            char *plain, *zeros;

            csv_folder();
            put_table(&random);
            if (publish("plain", &subjects[m], "", "[0, 120]", "[0, 40]", 0) !=
                publish("zeros", &subjects[m], "", "[0.00, 120.00]", "[-0.000, 40.0000]", 0))
                fail_msg("%s: one way of writing the domain only is feasible", subjects[m].method);
            plain = csv_get_folder(csv_path("plain"));
            zeros = csv_get_folder(csv_path("zeros"));
            if (plain && strcmp(plain, zeros) != 0)
                fail_msg("%s: [0, 120] and [0.00, 120.00] differ", subjects[m].method);
            n_made += plain != NULL;
            free(plain);
            free(zeros);
            csv_folder_remove();
        }
    assert_true(test_is_enough(n_made > N_TABLES * N_SUBJECTS / 2));
}

/* "[20, 39]": what it loses of the domain; missing beside a number, *: all. */
static double loss_of(const char *cell, double width)
{
    double low, high;

    if (strcmp(cell, "*") == 0)
        return 1;
    return sscanf(cell, "[%lf, %lf]", &low, &high) == 2 ? (high - low) / width : 0;
}

static void expect_loss(const char *name, const char *column, size_t index, double width, const char *what)
{
    release_folder r;
    covey_table *table;
    char path[64], file[64];
    double sum = 0;
    int64_t n_published;
    const json_t *stated;

    begin(&r, name);
    snprintf(file, sizeof file, "%s/table.csv", name);
    table = csv_read_file(file);
    n_published = covey_table_n_rows(table);
    for (int64_t row = 0; row < n_published; row++)
        sum += loss_of(csv_cell(table, (size_t)covey_table_find(table, column), row), width);
    snprintf(path, sizeof path, "columns.%zu.ail", index);
    assert_non_null(stated = release_at(&r, path));
    if (fabs(json_real_value(stated) - sum / (double)n_published) > 1e-12)
        fail_msg("%s: %s loses %.17g, the manifest says %.17g", what, column, sum / (double)n_published,
                 json_real_value(stated));
    covey_table_free(table);
    json_decref(r.manifest);
}

/* Values stand as they were written. */
static void expect_integers(const char *name, const char *column)
{
    char file[64];
    covey_table *table;

    snprintf(file, sizeof file, "%s/table.csv", name);
    table = csv_read_file(file);
    for (int64_t row = 0; row < covey_table_n_rows(table); row++)
        assert_null(strchr(csv_cell(table, (size_t)covey_table_find(table, column), row), '.'));
    covey_table_free(table);
}

static void expect_domain(const char *name, const char *low, const char *high)
{
    release_folder r;

    begin(&r, name);
    assert_string_equal(json_string_value(release_at(&r, "columns.0.domain.0")), low);
    assert_string_equal(json_string_value(release_at(&r, "columns.0.domain.1")), high);
    json_decref(r.manifest);
}

static void integers_may_have_a_domain_with_fractions(void **state)
{
    uint64_t random = test_seed(12);
    int n_made = 0, n_in_parts = 0;

    for (int i = 0; i < test_share(N_TABLES); i++)
        for (size_t m = 0; m < N_SUBJECTS; m++) {
            const struct subject *subject = &subjects[m];

            csv_folder();
            put_table(&random);
            if (publish("release", subject, i % 2 ? ", type: integer" : "", "[0.5, 99.25]", "[-0.0625, 39.95]", 0)) {
                n_made++;
                expect_holds("release");
                if (!subject->is_exact) {
                    expect_domain("release", "0.50", "99.25");
                    expect_integers("release", "age");
                    expect_loss("release", "age", 0, 98.75, subject->method);
                    expect_loss("release", "pay", 1, 40.0125, subject->method);
                }
            }
            if (m == 0 && publish("parts", subject, "", "[0.5, 99.25]", "[-0.0625, 39.95]", 16)) {
                n_in_parts++;
                expect_holds("parts");
                expect_domain("parts", "0.50", "99.25");
            }
            csv_folder_remove();
        }
    assert_true(test_is_enough(n_made > N_TABLES * N_SUBJECTS / 2));
    assert_true(test_is_enough(n_in_parts > N_TABLES / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_domain_is_the_same_however_it_is_written),
        cmocka_unit_test(integers_may_have_a_domain_with_fractions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
