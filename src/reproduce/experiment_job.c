/* The main job as a step of an experiment. */
#include "reproduce/experiment_job.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/file/outfile.h"
#include "base/text.h"
#include "job/publish.h"
#include "base/file/product.h"

const char *const covey_i_adult_needs[] = {"adult/adult-30162-arx.csv.gz",
                                           "adult/hierarchies-arx/adult_hierarchy_age.csv", NULL};

static const char *const adult_quasi[] = {"age",      "sex", "race", "marital-status", "education", "native-country",
                                          "workclass"};

char *covey_i_experiment_release(const covey_experiment_context *context)
{
    return covey_i_experiment_scratch(context, "release");
}

covey_status covey_i_experiment_policy(covey_policy **out, const covey_experiment_context *context, const char *text,
                                       const covey_setting *settings, covey_error *err)
{
    char *path = covey_i_experiment_scratch(context, "policy.yaml");
    covey_policy *policy = NULL;
    covey_status status;

    if (!path)
        return covey_i_no_memory(err);
    remove(path);
    COVEY_TRY(covey_i_outfile_make(path, text, strlen(text), err));
    status = covey_policy_read(&policy, path, err);
    for (; status == COVEY_OK && settings && settings->key; settings++)
        status = covey_policy_set(policy, settings->key, settings->value, err);
    if (status == COVEY_OK && (status = covey_policy_check(policy, err)) == COVEY_OK)
        *out = policy;
    else
        covey_policy_free(policy);
    return status;
}

static covey_run seeded_run(const covey_experiment_context *context)
{
    return (covey_run){.n_threads = context->run ? context->run->n_threads : 0, .has_seed = true, .seed = 1};
}

covey_status covey_i_experiment_anonymize(covey_anonymize_report *report, const covey_experiment_context *context,
                                          const char *policy, const covey_setting *settings, covey_error *err)
{
    static const covey_anonymize_options options = {.force = true};
    const covey_run run = seeded_run(context);
    char *release = covey_i_experiment_release(context);
    covey_policy *read;
    covey_status status;

    if (!release)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_experiment_policy(&read, context, policy, settings, err));
    status = covey_anonymize(report, read, release, &options, &run, err);
    covey_policy_free(read);
    return status;
}

covey_status covey_i_experiment_make(covey_experiment_made *out, const covey_experiment_context *context,
                                     const char *policy, const covey_setting *settings, covey_experiment_cut cut,
                                     covey_error *err)
{
    const covey_run run = seeded_run(context);
    covey_experiment_made made = {0};
    covey_status status;

    COVEY_TRY(covey_i_experiment_policy(&made.policy, context, policy, settings, err));
    if ((status = covey_i_prepare(&made.prepared, made.policy, &run, err)) == COVEY_OK) {
        double begin = covey_i_seconds();

        status = covey_i_choose(&made.release, &made.choice, NULL, &made.prepared, made.policy, &run, err);
        if (status == COVEY_OK && cut) {
            covey_release_free(made.release);
            made.release = NULL;
            begin = covey_i_seconds();
            status = cut(&made.release, &made.prepared.problem, &made.prepared.arena, &run, err);
        }
        made.seconds = covey_i_seconds() - begin;
    }
    if (status == COVEY_OK)
        *out = made;
    else
        covey_i_experiment_made_clear(&made);
    return status;
}

void covey_i_experiment_made_clear(covey_experiment_made *made)
{
    covey_release_free(made->release);
    covey_i_prepared_clear(&made->prepared);
    covey_policy_free(made->policy);
}

static covey_status write_files(covey_experiment_made *made, covey_settled *settled, const char *folder,
                                const covey_run *run, covey_error *err)
{
    covey_publication publication = {.policy = made->policy,
                                     .run = run,
                                     .choice = &made->choice,
                                     .codebook = made->prepared.codebook,
                                     .is_misguessed = made->prepared.is_misguessed,
                                     .n_dropped = made->prepared.n_dropped,
                                     .folder = folder,
                                     .arena = &made->prepared.arena};
    covey_status status;

    COVEY_TRY(covey_i_publish_settle(settled, &made->release, &made->prepared.problem, run, err));
    publication.problem = &settled->problem;
    publication.release = made->release;
    status = covey_i_publish_write(&publication, err);
    covey_i_files_clear(&publication.files);
    return status;
}

covey_status covey_i_experiment_write(covey_experiment_made *made, const covey_experiment_context *context,
                                      covey_error *err)
{
    const covey_folder_options place = {.force = true, .product = &covey_i_product_release};
    const covey_run run = seeded_run(context);
    const char *release = covey_i_experiment_release(context);
    covey_settled settled = {0};
    covey_folder *folder = NULL;
    covey_status status = release ? covey_i_folder_begin(&folder, release, &place, err) : covey_i_no_memory(err);

    if (status == COVEY_OK &&
        (status = write_files(made, &settled, covey_i_folder_path(folder), &run, err)) == COVEY_OK)
        status = covey_i_folder_commit(folder, err);
    else
        covey_i_folder_abort(folder);
    covey_i_experiment_made_clear(made);
    covey_i_settled_clear(&settled);
    return status;
}

char *covey_i_experiment_adult_policy(const covey_experiment_context *context)
{
    const char *folder = context->options->data;
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "version: 1\ninput: {path: \"%s/adult/adult-30162-arx.csv.gz\"}\nattributes:\n",
                            folder);
    for (size_t i = 0; i < sizeof adult_quasi / sizeof *adult_quasi; i++)
        covey_i_text_add_format(&text,
                                "  - {name: %s, role: quasi-identifier, hierarchy: {file: "
                                "\"%s/adult/hierarchies-arx/adult_hierarchy_%s.csv\"}}\n",
                                adult_quasi[i], folder, adult_quasi[i]);
    covey_i_text_add_string(&text,
                            "  - {name: occupation, role: sensitive}\n  - {name: salary-class, role: insensitive}\n");
    return covey_i_text_keep(&text, context->arena);
}
