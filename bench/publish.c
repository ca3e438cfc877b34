/* See publish.h. */
#include "publish.h"

#include <covey/covey.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common.h"

int64_t bench_size_of(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 ? (int64_t)facts.st_size : -1;
}

int64_t bench_size_of_release(const char *folder)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    int64_t size = 0;

    while (stream && (entry = readdir(stream))) {
        char path[512];

        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".csv"))
            size += bench_size_of(path);
    }
    if (stream)
        closedir(stream);
    return size;
}

void bench_publish(struct result *result, const void *argument)
{
    const struct publish_argument *a = argument;
    const covey_anonymize_options options = {.force = true};
    const covey_parts_options parts = {.force = true, .memory_limit = a->memory_limit};
    covey_run run = COVEY_RUN_INIT;
    covey_status status;
    covey_anonymize_report report;
    covey_policy *policy;
    covey_error err;

    if (covey_policy_new(&policy, &err) != COVEY_OK)
        bench_die("policy", err.message);
    bench_set(policy, "input", a->input);
    bench_set(policy, "quasi", a->quasi);
    bench_set(policy, "sensitive", "salary");
    bench_set(policy, "others", "drop");
    bench_set(policy, "hierarchy", "gender=hierarchies/gender.csv");
    if (strstr(a->quasi, "marital")) {
        bench_set(policy, "hierarchy", "marital=hierarchies/marital.csv");
        bench_set(policy, "hierarchy", "workclass=hierarchies/workclass.csv");
    }
    bench_set(policy, "model", a->model);
    bench_set(policy, "method", a->method);
    if ((status = covey_policy_check(policy, &err)) == COVEY_OK)
        status = a->memory_limit ? covey_anonymize_in_parts(&report, policy, a->target, &parts, &run, &err)
                                 : covey_anonymize(&report, policy, a->target, &options, &run, &err);
    if (status != COVEY_OK) {
        snprintf(result->why, sizeof result->why, "%.255s", err.message);
        covey_policy_free(policy);
        return;
    }
    result->ok = true;
    result->read = report.seconds_read;
    result->anonymize = report.seconds_anonymize;
    result->write = report.seconds_write;
    result->hash = report.seconds_hash;
    result->verify = report.seconds_verify;
    result->ail = report.figures.ail;
    result->classes = report.n_classes;
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}
