/* Did information loss drift?  Adult (30,162 rows, 7 quasi-identifiers, the hierarchies of ARX), one line of
 * results.csv per policy and method.  A figure is changed on purpose or not at all: the test prints the lines as they
 * should be now.  Skipped without the table.
 *
 * Is peel, which takes longer, still better than elastic where tables are large?  Is it as good as a proven optimum
 * where ranges have a least width? */
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

/* models: "k-anonymity:k=5 + distinct-l-diversity:l=3"; the policy is freed. */
static double loss_of(covey_policy *policy, const char *models, const char *method)
{
    char target[128], all[256], *rest, *model;
    covey_anonymize_options options = {.force = true};
    covey_anonymize_report report;
    covey_error err;
    double ail;

    snprintf(target, sizeof target, "%s/release", folder);
    snprintf(all, sizeof all, "%s", models);
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

static double loss_on_adult(const char *models, const char *method)
{
    char path[128];
    covey_policy *policy = NULL;
    covey_error err;

    write_policy(path, sizeof path);
    must(covey_policy_read(&policy, path, &err), &err);
    return loss_of(policy, models, method);
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
        ail = loss_on_adult(models, method);
        differs |= fabs(ail - strtod(figure, NULL)) > 1e-6;
        used += (size_t)snprintf(now + used, sizeof now - used, "%s,%s,%.6f\n", models, method, ail);
        assert_true(used < sizeof now);
    }
    fclose(file);
    if (differs)
        fail_msg("the figures are now:\n%s", now);
}

static double loss_on_table(const char *table, const char *attributes, const char *model, const char *method)
{
    covey_policy *policy = NULL;
    covey_error err;

    must(covey_policy_new(&policy, &err), &err);
    must(covey_policy_set(policy, "input", table, &err), &err);
    must(covey_policy_set(policy, "quasi", attributes, &err), &err);
    must(covey_policy_set(policy, "others", "drop", &err), &err);
    return loss_of(policy, model, method);
}

/* Few and many rows a class, of few and many combinations of values. */
static void peel_loses_less_than_elastic_on_large_tables(void **state)
{
    static const struct {
        int64_t n_rows;
        const char *attributes, *model;
    } cases[] = {
        {60000, "age,gender,education,marital,workclass", "k-anonymity:k=5"},
        {60000, "age,gender,education,marital,workclass", "k-anonymity:k=50"},
        {1000000, "age,gender,education", "k-anonymity:k=10"},
        {1000000, "age,gender,education", "k-anonymity:k=300"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char table[128];
        covey_error err;
        double peel, elastic;

        snprintf(table, sizeof table, "%s/census.csv", folder);
        must(covey_generate("census", cases[i].n_rows, 1, table, true, NULL, &err), &err);
        peel = loss_on_table(table, cases[i].attributes, cases[i].model, "peel");
        elastic = loss_on_table(table, cases[i].attributes, cases[i].model, "elastic");
        if (peel >= elastic)
            fail_msg("%" PRId64 " rows, %s: peel loses %.3g, elastic %.3g", cases[i].n_rows, cases[i].model, peel,
                     elastic);
    }
}

/* most: of what the other method loses.  It cuts, optimally on one attribute. */
static void peel_minds_least_widths(void **state)
{
    static const struct {
        const char *kind, *attributes, *models, *other;
        int64_t n_rows;
        double most;
    } cases[] = {
        {"census", "age", "k-anonymity:k=3 + min-length:attribute=age,length=5", "optimal-partition:cost=ncp", 2000, 1},
        {"normal2d", "x", "k-anonymity:k=3 + min-length:attribute=x,length=10", "optimal-partition:cost=ncp", 5000, 1},
        {"normal2d", "x,y", "k-anonymity:k=3 + min-length:attribute=x,length=10 + min-length:attribute=y,length=10",
         "mondrian:cuts=3,refine=local", 5000, 0.7},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char table[128];
        covey_error err;
        double peel, other;

        snprintf(table, sizeof table, "%s/%s.csv", folder, cases[i].kind);
        must(covey_generate(cases[i].kind, cases[i].n_rows, 1, table, true, NULL, &err), &err);
        peel = loss_on_table(table, cases[i].attributes, cases[i].models, "peel");
        other = loss_on_table(table, cases[i].attributes, cases[i].models, cases[i].other);
        if (peel > other * cases[i].most + 1e-9)
            fail_msg("%s, %s: peel loses %.4g, %s %.4g", cases[i].kind, cases[i].models, peel, cases[i].other, other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(information_loss_is_what_it_was),
                                       cmocka_unit_test(peel_loses_less_than_elastic_on_large_tables),
                                       cmocka_unit_test(peel_minds_least_widths)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
