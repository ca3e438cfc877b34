/* The main job as a step of an experiment. */
#include "reproduce/experiment_job.h"

#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"

const char *const covey_i_adult_needs[] = {"adult/adult-30162-arx.csv.gz", "adult/hierarchies-arx/adult_hierarchy_age.csv", NULL};

static const char *const adult_quasi[] = {"age", "sex", "race", "marital-status", "education", "native-country", "workclass"};

char *covey_i_experiment_release(const covey_experiment_context *context)
{
    return covey_i_experiment_scratch(context, "release");
}

static covey_status write_text(const char *path, const char *text, covey_error *err)
{
    covey_outfile *file;

    COVEY_TRY(covey_i_outfile_open(&file, path, err));
    covey_i_outfile_string(file, text);
    return covey_i_outfile_close(file, false, err);
}

covey_status covey_i_experiment_anonymize(covey_anonymize_report *report, const covey_experiment_context *context, const char *policy,
                                          const covey_setting *settings, covey_error *err)
{
    static const covey_anonymize_options options = {.force = true};
    const covey_run run = {.n_threads = context->run ? context->run->n_threads : 0, .has_seed = true, .seed = 1};
    char *path = covey_i_experiment_scratch(context, "policy.yaml"), *release = covey_i_experiment_release(context);
    covey_policy *read = NULL;
    covey_status status;

    if (!path || !release)
        return covey_fail(err, COVEY_ENOMEM, "a policy");
    remove(path);
    COVEY_TRY(write_text(path, policy, err));
    status = covey_policy_read(&read, path, err);
    for (; status == COVEY_OK && settings && settings->key; settings++)
        status = covey_policy_set(read, settings->key, settings->value, err);
    if (status == COVEY_OK && (status = covey_policy_check(read, err)) == COVEY_OK)
        status = covey_anonymize(report, read, release, &options, &run, err);
    covey_policy_free(read);
    return status;
}

char *covey_i_adult_policy(const covey_experiment_context *context)
{
    const char *folder = context->options->data;
    covey_text text = COVEY_TEXT_INIT;
    char *out;

    covey_i_text_add_format(&text, "version: 1\ninput: {path: \"%s/adult/adult-30162-arx.csv.gz\"}\nattributes:\n", folder);
    for (size_t i = 0; i < sizeof adult_quasi / sizeof *adult_quasi; i++)
        covey_i_text_add_format(&text, "  - {name: %s, role: quasi-identifier, hierarchy: {file: \"%s/adult/hierarchies-arx/adult_hierarchy_%s.csv\"}}\n",
                                adult_quasi[i], folder, adult_quasi[i]);
    covey_i_text_add_string(&text, "  - {name: occupation, role: sensitive}\n  - {name: salary-class, role: insensitive}\n");
    out = text.broken ? NULL : covey_arena_strdup(context->arena, text.bytes);
    covey_i_text_free(&text);
    return out;
}
