/* Allocations of a release in parts fail one by one: the work says so, leaves nothing behind, and leaks nothing (the
 * sanitizers watch). */
#include "test.h"

#include <covey/covey.h>

#include <dirent.h>
#include <string.h>

#include "support/csvs.h"
#include "support/failing.h"
#include "base/file/folder.h"

static const char table[] =
    "id,age,zip,city,disease\n"
    "1,21,12345,A,flu\n2,22,12346,B,flu\n3,29,12355,A,cold\n4,31,12356,C,cold\n5,35,22356,B,flu\n6,38,22357,A,cancer\n"
    "7,41,22358,B,cold\n8,44,22367,A,flu\n9,47,,C,cold\n10,52,22369,A,flu\n11,58,22399,B,cancer\n12,60,12399,B,cold\n";
static const char wish[] =
    "version: 1\ninput: {path: table.csv, missing-quasi: drop}\nattributes:\n"
    "  - {name: id, role: identifier}\n  - {name: age, role: quasi-identifier}\n"
    "  - {name: zip, role: quasi-identifier, hierarchy: {mask: 5}, type: text}\n"
    "  - {name: city, role: quasi-identifier, order: [C, B, A]}\n  - {name: disease, role: sensitive, order: [flu, "
    "cold, cancer]}\n"
    "privacy:\n  - {model: k-anonymity, k: 2}\n  - {model: t-closeness, t: 0.9, distance: ordered}\nsuppression: 0.2\n";

/* Plans, makes every part and merges. */
static covey_status do_steps(const covey_policy *policy, const covey_parts_options *options, const covey_run *run,
                             covey_error *err)
{
    static const char *const name[] = {"part-1", "part-2", "part-3", "part-4", "part-5", "part-6"};
    char recipe[1024], target[1024], path[6][1024];
    const char *part[6];
    covey_anonymize_report report;
    covey_plan_report plan;
    covey_part_report one;

    snprintf(recipe, sizeof recipe, "%s", csv_path("recipe"));
    snprintf(target, sizeof target, "%s", csv_path("release"));
    COVEY_TRY(covey_plan_table(&plan, policy, recipe, options, run, err));
    assert_in_range(plan.n_parts, 2, 6);
    for (int64_t p = 0; p < plan.n_parts; p++) {
        snprintf(path[p], sizeof path[p], "%s", csv_path(name[p]));
        part[p] = path[p];
        COVEY_TRY(covey_part_anonymize(&one, recipe, p + 1, p + 1, NULL, path[p], options, run, err));
    }
    COVEY_TRY(covey_merge_parts(&report, recipe, part, (size_t)plan.n_parts, target, options, run, err));
    covey_anonymize_report_clear(&report);
    return COVEY_OK;
}

/* model: promised instead of what the policy promises; limit: of suppression instead of the policy's; NULL: that */
static covey_status attempt(const char *method, const char *model, const char *limit, bool in_steps, covey_error *err)
{
    const covey_run run = {
        .n_threads = 1, .has_seed = true, .seed = 3}; /* so that the n-th allocation is the same in every run */
    const covey_parts_options options = {.force = true, .rows_per_part = 6};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status;

    if ((status = covey_policy_read(&policy, csv_path("policy.yaml"), err)) == COVEY_OK &&
        (status = covey_policy_set(policy, "method", method, err)) == COVEY_OK &&
        (!model || (status = covey_policy_set(policy, "model", model, err)) == COVEY_OK) &&
        (!limit || (status = covey_policy_set(policy, "suppression", limit, err)) == COVEY_OK) &&
        (status = covey_policy_check(policy, err)) == COVEY_OK) {
        if (in_steps)
            status = do_steps(policy, &options, &run, err);
        else if ((status = covey_anonymize_in_parts(&report, policy, csv_path("release"), &options, &run, err)) ==
                 COVEY_OK)
            covey_anonymize_report_clear(&report);
    }
    covey_policy_free(policy);
    return status;
}

static void expect_nothing_temporary(int64_t n)
{
    DIR *dir = opendir(csv_path(""));
    struct dirent *entry;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (strstr(entry->d_name, ".covey-"))
            fail_msg("allocation %lld left %s behind", (long long)n, entry->d_name);
    closedir(dir);
}

static void fail_each(const char *method, const char *model, const char *limit, bool in_steps)
{
    failing f = {.least = 300, .all_of = 300, .thin = 50, .what = method};

    csv_folder();
    csv_put_file(csv_path("table.csv"), table, sizeof table - 1);
    csv_put_file(csv_path("policy.yaml"), wish, sizeof wish - 1);
    while (failing_next(&f)) {
        failing_ends(&f, attempt(method, model, limit, in_steps, &f.err));
        expect_nothing_temporary(f.n);
    }
    csv_folder_remove();
}

static void test_parts__survive_every_failing_allocation(void **unused)
{
    fail_each("elastic", NULL, NULL, false);
    fail_each("mondrian:publish-boxes=cut", NULL, "0", false);
}

static void test_steps__survive_every_failing_allocation(void **unused)
{
    fail_each("mondrian", NULL, NULL, true);
    fail_each("perturbation", "enhanced-beta-likeness:beta=2", NULL, true);
    fail_each("anatomy", "distinct-l-diversity:l=2", NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts__survive_every_failing_allocation),
        cmocka_unit_test(test_steps__survive_every_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
