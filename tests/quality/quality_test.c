/* Did information loss drift?  Adult (30,162 rows, 7 quasi-identifiers, the hierarchies of ARX), one line of
 * results.csv per policy and method.  A figure is changed on purpose or not at all: the test prints the lines as they
 * should be now.  Skipped without the table. */
#include "test.h"

#include <covey/covey.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file/folder.h"

static const char *const quasi[] = {"age", "sex", "race", "marital-status", "education", "native-country", "workclass"};

static char folder[64], adult[512];

static int set_up(void **state)
{
    return test_folder(folder, sizeof folder, "quality") ? 0 : -1;
}

static int tear_down(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

static void must(covey_status status, const covey_error *err)
{
    if (status != COVEY_OK)
        fail_msg("%s", err->message);
}

static void write_policy(char *path, size_t size)
{
    FILE *file;

    snprintf(path, size, "%s/policy.yaml", folder);
    assert_non_null(file = fopen(path, "w"));
    fprintf(file, "version: 1\ninput: {path: \"%s/adult-30162-arx.csv.gz\"}\nattributes:\n", adult);
    for (size_t i = 0; i < sizeof quasi / sizeof *quasi; i++)
        fprintf(file,
                "  - {name: %s, role: quasi-identifier, hierarchy: {file: "
                "\"%s/hierarchies-arx/adult_hierarchy_%s.csv\"}}\n",
                quasi[i], adult, quasi[i]);
    fprintf(file, "  - {name: occupation, role: sensitive}\n  - {name: salary-class, role: insensitive}\n");
    assert_int_equal(fclose(file), 0);
}

/* models: "k-anonymity:k=5 + distinct-l-diversity:l=3" */
static double information_loss(const char *models, const char *method)
{
    char path[128], target[128], all[256], *rest, *model;
    covey_anonymize_options options = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_error err;
    double ail;

    write_policy(path, sizeof path);
    snprintf(target, sizeof target, "%s/release", folder);
    snprintf(all, sizeof all, "%s", models);
    must(covey_policy_read(&policy, path, &err), &err);
    for (model = strtok_r(all, " +", &rest); model; model = strtok_r(NULL, " +", &rest))
        must(covey_policy_set(policy, "model", model, &err), &err);
    must(covey_policy_set(policy, "method", method, &err), &err);
    must(covey_policy_check(policy, &err), &err);
    must(covey_anonymize(&report, policy, target, &options, NULL, &err), &err);
    ail = report.figures.ail;
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return ail;
}

static void information_loss_is_what_it_was(void **state)
{
    char path[512], line[512], now[4096] = "";
    size_t used = 0;
    bool differs = false;
    FILE *file;

    if (!test_data(adult, sizeof adult, "adult"))
        skip();
    snprintf(path, sizeof path, "%s/tests/quality/results.csv",
             getenv("COVEY_TEST_ROOT") ? getenv("COVEY_TEST_ROOT") : ".");
    assert_non_null(file = fopen(path, "r"));
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *rest, *models = strtok_r(line, ",", &rest), *method = strtok_r(NULL, ",", &rest),
                    *figure = strtok_r(NULL, ",\n", &rest);
        double ail;

        assert_non_null(figure);
        ail = information_loss(models, method);
        differs |= fabs(ail - strtod(figure, NULL)) > 1e-6;
        used += (size_t)snprintf(now + used, sizeof now - used, "%s,%s,%.6f\n", models, method, ail);
        assert_true(used < sizeof now);
    }
    fclose(file);
    if (differs)
        fail_msg("the figures are now:\n%s", now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(information_loss_is_what_it_was)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
