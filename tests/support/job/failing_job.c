/* Running the main job while every allocation fails once. */
#include "test.h"

#include "support/job/failing_job.h"

#include <covey/covey.h>

#include <string.h>
#include <sys/stat.h>

#include "support/failing.h"
#include "support/folder.h"
#include "base/file/folder.h"

static char folder[128];

static void write_file(const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file_put(path, text);
}

int failing_job_set_up(void **state)
{
    assert_true(test_folder(folder, sizeof folder, "oom"));
    write_file("table.csv", "id,age,zip,city,disease\n"
                            "1,21,12345,A,flu\n2,22,12346,B,flu\n3,29,12355,A,cold\n4,31,12356,C,cold\n5,35,22356,B,"
                            "flu\n6,38,22357,A,cancer\n"
                            "7,41,22358,B,cold\n8,44,22367,A,flu\n9,47,,C,cold\n10,52,22369,A,flu\n11,58,22399,B,"
                            "cancer\n12,60,12399,B,cold\n");
    write_file("city.csv", "A;AB;*\nB;AB;*\nC;C;*\n");
    return 0;
}

int failing_job_tear_down(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

static covey_status anonymize(const char *method, covey_error *err)
{
    covey_run run = COVEY_RUN_INIT;
    covey_anonymize_options options = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status;
    char policy_path[256], target[256];

    run.n_threads = 1;
    snprintf(policy_path, sizeof policy_path, "%s/policy.yaml", folder);
    snprintf(target, sizeof target, "%s/release", folder);
    if ((status = covey_policy_read(&policy, policy_path, err)) != COVEY_OK ||
        (status = covey_policy_set(policy, "method", method, err)) != COVEY_OK ||
        (status = covey_policy_check(policy, err)) != COVEY_OK)
        goto done;
    if ((status = covey_anonymize(&report, policy, target, &options, &run, err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
done:
    covey_policy_free(policy);
    return status;
}

void failing_job_each(const char *method, const char *role_of_age, const char *role_of_disease, const char *more)
{
    char text[1024], release[256];
    failing f = {.least = 100, .what = method, .folder = folder};

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nattributes:\n"
             "  - {name: id, role: identifier}\n  - {name: age, role: %s}\n"
             "  - {name: zip, role: quasi-identifier, hierarchy: {balanced: 2}}\n"
             "  - {name: city, role: quasi-identifier, hierarchy: {file: city.csv}, weight: 2}\n"
             "  - {name: disease, role: %s}\nprivacy:\n%s",
             role_of_age, role_of_disease, more);
    write_file("policy.yaml", text);
    snprintf(release, sizeof release, "%s/release", folder);
    while (failing_next(&f))
        failing_ends(&f, anonymize(method, &f.err));
    assert_int_equal(covey_i_folder_remove(release, NULL), COVEY_OK);
}
