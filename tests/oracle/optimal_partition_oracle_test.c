/* Optima that another program has proven: a prototype in C with other searches, checked by a memo without any bound in
 * Python (Coil, k = 1000 and 500).  Tables: SimpleNormal of [Hore07] section 5 (5,000 points), Coil 2000 (ticdata2000 +
 * ticeval2000, attributes 1 to 5). */
#include "test.h"

#include <string.h>

#include <covey/generate.h>
#include <covey/job.h>
#include <covey/policy.h>

#include "base/file/folder.h"

static char folder[64];

static void must(covey_status status, const covey_error *err)
{
    if (status != COVEY_OK)
        fail_msg("%s", err->message);
}

static int set_up(void **state)
{
    return test_folder(folder, sizeof folder, "oracle") ? 0 : -1;
}

static int tear_down(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

/* The discernibility that a method reaches; `option`: pairs of key and value. */
static double reach(const char *table, const char *quasi, int k, const char *const *option, bool *is_proven)
{
    char target[96], model[32];
    const covey_anonymize_options force = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_error err;
    double value;

    snprintf(target, sizeof target, "%s/release", folder);
    snprintf(model, sizeof model, "k-anonymity:k=%d", k);
    must(covey_policy_new(&policy, &err), &err);
    must(covey_policy_set(policy, "input", table, &err), &err);
    must(covey_policy_set(policy, "quasi", quasi, &err), &err);
    must(covey_policy_set(policy, "others", "drop", &err), &err);
    must(covey_policy_set(policy, "model", model, &err), &err);
    for (; *option; option += 2)
        must(covey_policy_set(policy, option[0], option[1], &err), &err);
    must(covey_policy_check(policy, &err), &err);
    must(covey_anonymize(&report, policy, target, &force, NULL, &err), &err);
    value = report.figures.discernibility;
    *is_proven = report.optimal && report.objective_value == value && report.objective_bound == value;
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return value;
}

static void optima_of_simple_normal(void **state)
{
    static const struct {
        int k;
        const char *splits, *length;
        double optimum, mondrian;
    } table[] = {
        {5, "5", NULL, 1843064, 0},          {25, "5", NULL, 1849778, 1866398}, {250, "5", NULL, 2276436, 2276436},
        {500, "5", NULL, 3175900, 6256746},  {10, "20", NULL, 178014, 0},       {25, "20", NULL, 209538, 237780},
        {500, "20", NULL, 2782216, 3733004}, {100, "50", NULL, 521196, 790056}, {500, "50", NULL, 2778868, 0},
        {5, "50", "10", 938928, 0},          {500, "50", "10", 2779204, 0},
    };
    char csv[96], splits[96], length[64];
    covey_error err;

    snprintf(csv, sizeof csv, "%s/normal.csv", folder);
    must(covey_generate("normal2d", 5000, COVEY_GENERATE_SEED, csv, false, NULL, &err), &err);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *option[] = {"domain", "x=[0, 100]", "domain", "y=[0, 100]", "method", "optimal-partition",
                                "splits", splits,       NULL,     NULL,         NULL};
        bool is_proven;

        snprintf(splits, sizeof splits, "{x: \"width:%s\", y: \"width:%s\"}", table[i].splits, table[i].splits);
        if (table[i].length) {
            snprintf(length, sizeof length, "{x: %s, y: %s}", table[i].length, table[i].length);
            option[8] = "min-length";
            option[9] = length;
        }
        assert_true(reach(csv, "x,y", table[i].k, option, &is_proven) == table[i].optimum);
        assert_true(is_proven);
        option[5] = "mondrian";
        if (table[i].mondrian > 0)
            assert_true(reach(csv, "x,y", table[i].k, option, &is_proven) == table[i].mondrian);
    }
}

/* A search that took a mere bound for a cost would report 5,374,814 for k = 500. */
static void optima_of_coil(void **state)
{
    static const struct {
        int k;
        double optimum;
    } table[] = {{1000, 10732644}, {500, 5695310}};
    static const char *const option[] = {"method", "optimal-partition", "search", "and-or", NULL};
    char csv[512];
    bool is_proven;

    if (!test_data(csv, sizeof csv, "coil2000/caravan-9822.csv.gz"))
        skip();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(reach(csv, "MOSTYPE,MAANTHUI,MGEMOMV,MGEMLEEF,MOSHOOFD", table[i].k, option, &is_proven) ==
                    table[i].optimum);
        assert_true(is_proven);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optima_of_simple_normal),
        cmocka_unit_test(optima_of_coil),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
