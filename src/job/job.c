/* The life of a table, step by step.  The release is made in a folder beside the target that only its
 * owner can read, verified from its files, and only then renamed to the target's name. */
#include <covey/job.h>

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/run.h"
#include "base/threads.h"
#include "job/bounded.h"
#include "job/choose.h"
#include "job/ledger.h"
#include "job/links.h"
#include "job/publish.h"
#include "job/warnings.h"
#include "release/made_up.h"
#include "release/settled.h"

/* One call of covey_anonymize. */
struct job {
    const covey_policy *policy;
    const covey_run *run;
    int64_t n_files;
    double bound_time;
    covey_anonymize_report *report;
    covey_prepared prepared;
    covey_choice choice;
    covey_release *release;
    covey_settled settled;
    covey_folder *folder;
    covey_links links;
    covey_job_ledger ledger;
    covey_publication publication;
};

static covey_status verify(struct job *job, covey_error *err)
{
    double begin = covey_i_seconds();

    COVEY_TRY(covey_i_publish_verify(&job->report->verdict, covey_i_folder_path(job->folder), 0, job->run, err));
    job->report->seconds_verify = covey_i_seconds() - begin;
    return COVEY_OK;
}

static covey_status report_levels(struct job *job, covey_error *err)
{
    const covey_problem *problem = &job->prepared.problem;
    covey_anonymize_report *report = job->report;

    if (!job->release->objective.level)
        return COVEY_OK;
    if (!(report->level = covey_i_array_zero(problem->n_axes, sizeof *report->level)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        if (!(report->level[a].attribute = covey_i_strdup(problem->axis[a].column->name)))
            return covey_i_no_memory(err);
        report->level[a].level = job->release->objective.level[a];
        report->n_levels++;
    }
    report->n_minimal = job->release->objective.n_minimal;
    report->minimal = job->release->objective.minimal; /* moves */
    job->release->objective.minimal = NULL;
    return COVEY_OK;
}

/* Everything up to the rename. */
static covey_status make(struct job *job, covey_error *err)
{
    double begin;

    for (size_t i = 0; job->run && job->run->warn && i < job->policy->n_warnings; i++)
        job->run->warn(job->run->context, job->policy->warning[i]);
    COVEY_TRY(covey_i_run_goes_on(job->run, "read", 0, 0, err));
    COVEY_TRY(covey_i_prepare_after(&job->prepared, job->policy, job->ledger.before, job->run, err));
    COVEY_TRY(covey_i_job_warn_of_data(&job->prepared, job->policy, job->run, err));
    job->report->seconds_read = job->prepared.seconds_read;
    begin = covey_i_seconds();
    COVEY_TRY(covey_i_choose(&job->release, &job->choice, &job->report->candidates, &job->prepared, job->policy,
                             job->run, err));
    job->publication = (covey_publication){.policy = job->policy,
                                           .run = job->run,
                                           .problem = covey_i_release_problem(job->release, &job->prepared.problem),
                                           .choice = &job->choice,
                                           .release = job->release,
                                           .codebook = job->prepared.codebook,
                                           .is_misguessed = job->prepared.is_misguessed,
                                           .n_dropped = job->prepared.n_dropped,
                                           .folder = covey_i_folder_path(job->folder),
                                           .n_files = job->n_files,
                                           .arena = &job->prepared.arena};
    COVEY_TRY(covey_i_publish_check(&job->publication, err));
    if (job->release->n_published == job->release->n_rows)
        covey_i_job_warn_of_suppression(&job->prepared.problem, job->choice.method, job->run);
    COVEY_TRY(covey_i_publish_settle(&job->settled, &job->release, job->publication.problem, job->run, err));
    job->publication.problem = &job->settled.problem;
    job->publication.release = job->release;
    job->report->seconds_anonymize = covey_i_seconds() - begin;
    if (job->bound_time > 0) {
        COVEY_TRY(covey_i_job_bound(&job->report->bounded, &job->prepared.problem, job->choice.method->form,
                                    job->bound_time, job->run, err));
        covey_i_job_bound_settle(&job->report->bounded, &job->prepared.problem, &job->settled.problem);
    }
    COVEY_TRY(covey_i_run_goes_on(job->run, "write", 0, 0, err));
    COVEY_TRY(covey_i_publish_write(&job->publication, err));
    covey_i_publish_report(job->report, &job->publication);
    COVEY_TRY(report_levels(job, err));
    COVEY_TRY(covey_i_links_write(&job->links, job->release, &job->prepared, err));
    if (job->ledger.file)
        COVEY_TRY(covey_i_job_ledger_compose(&job->ledger, job->release, job->publication.problem, &job->prepared,
                                             job->policy, err));
    /* The verifier works from the files; what made them makes room for it. */
    covey_release_free(job->release);
    job->release = NULL;
    covey_i_settled_clear(&job->settled);
    covey_i_prepared_clear(&job->prepared);
    COVEY_TRY(covey_i_run_goes_on(job->run, "verify", 0, 0, err));
    COVEY_TRY(verify(job, err));
    COVEY_TRY(covey_i_job_ledger_write(&job->ledger, covey_i_folder_path(job->folder), err));
    COVEY_TRY(covey_i_links_describe(&job->links, job->policy, covey_i_folder_path(job->folder), err));
    return covey_i_run_goes_on(job->run, "publish", 0, 0, err);
}

covey_status covey_anonymize(covey_anonymize_report *report, const covey_policy *policy, const char *target,
                             const covey_anonymize_options *options, const covey_run *run, covey_error *err)
{
    struct job job = {.policy = policy,
                      .run = run,
                      .n_files = options ? options->n_files : 0,
                      .bound_time = options ? options->bound_time : 0,
                      .report = report};
    /* Only a release is ever replaced. */
    covey_folder_options place = {.force = options && options->force, .product = &covey_i_product_release};
    double begin = covey_i_seconds();
    covey_status status;

    memset(report, 0, sizeof *report);
    COVEY_TRY(covey_i_publish_check_files(job.n_files, err));
    if ((status = covey_i_publish_spare_input(policy, target, err)) != COVEY_OK)
        return status;
    if ((status = covey_i_folder_begin(&job.folder, target, &place, err)) != COVEY_OK)
        return status;
    if ((status = covey_i_links_begin(&job.links, options ? options->links : NULL, policy, target, place.force, err)) !=
            COVEY_OK ||
        (status = covey_i_job_ledger_begin(&job.ledger, policy, options, target, run, err)) != COVEY_OK) {
        covey_i_links_abort(&job.links);
        covey_i_folder_abort(job.folder);
        return status;
    }
    covey_i_threads_crew_begin();
    if ((status = make(&job, err)) == COVEY_OK)
        status = covey_i_folder_commit(job.folder, err);
    else
        covey_i_folder_abort(job.folder);
    if (status == COVEY_OK)
        status = covey_i_links_commit(&job.links, err);
    else
        covey_i_links_abort(&job.links);
    if (status == COVEY_OK && (status = covey_i_job_ledger_commit(&job.ledger, err)) != COVEY_OK)
        covey_i_folder_remove(target, NULL); /* a release that the ledger does not know must not be published */
    covey_i_job_ledger_clear(&job.ledger);
    covey_release_free(job.release);
    covey_i_settled_clear(&job.settled);
    covey_i_prepared_clear(&job.prepared);
    covey_i_files_clear(&job.publication.files);
    covey_i_threads_crew_end();
    report->seconds_total = covey_i_seconds() - begin;
    if (status != COVEY_OK)
        covey_anonymize_report_clear(report);
    return status;
}

void covey_anonymize_report_clear(covey_anonymize_report *report)
{
    covey_verdict_free(report->verdict);
    covey_i_free(report->minimal);
    for (size_t a = 0; a < report->n_levels; a++)
        covey_i_free(report->level[a].attribute);
    covey_i_free(report->level);
    memset(report, 0, sizeof *report);
}
