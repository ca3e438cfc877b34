/* Running the main job while every allocation fails once. */
#include "test.h"

#include "support/job/failing_job.h"

#include <covey/covey.h>

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/file/folder.h"

static char folder[128];

static void write_file(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_non_null(file = fopen(path, "w"));
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

int failing_job_set_up(void **state)
{
    (void)state;
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
    covey_error err;

    (void)state;
    return covey_i_folder_remove(folder, &err);
}

/* What a run leaves in the folder beside the two inputs and the policy. */
static int count_entries(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        n += entry->d_name[0] != '.' || strstr(entry->d_name, ".covey-");
    closedir(dir);
    return n;
}

static covey_status anonymize(const char *method, covey_error *err)
{
    covey_run run = COVEY_RUN_INIT;
    covey_anonymize_options options = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status;
    char policy_path[256], target[256];

    run.n_threads = 1; /* so that the n-th allocation is the same in every run */
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
    covey_error err;
    covey_status status;
    int64_t n;

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nattributes:\n"
             "  - {name: id, role: identifier}\n  - {name: age, role: %s}\n"
             "  - {name: zip, role: quasi-identifier, hierarchy: {balanced: 2}}\n"
             "  - {name: city, role: quasi-identifier, hierarchy: {file: city.csv}, weight: 2}\n"
             "  - {name: disease, role: %s}\nprivacy:\n%s",
             role_of_age, role_of_disease, more);
    write_file("policy.yaml", text);
    snprintf(release, sizeof release, "%s/release", folder);
    for (n = 1;; n++) {
        covey_i_alloc_fail_at(n);
        status = anonymize(method, &err);
        covey_i_alloc_fail_at(0);
        if (status == COVEY_OK)
            break;
        if (status != COVEY_ENOMEM)
            fail_msg("%s: allocation %lld: status %s, \"%s\"", method, (long long)n, covey_status_name(status),
                     err.message);
        if (count_entries() != 3)
            fail_msg("%s: allocation %lld left something behind", method, (long long)n);
    }
    assert_true(n > 100); /* or the hook does not work */
    assert_int_equal(covey_i_folder_remove(release, &err), COVEY_OK);
}
