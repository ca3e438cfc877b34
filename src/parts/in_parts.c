/* The main job within a memory limit: plan, deal, part after part, merge, in a folder beside the target that only its
 * owner can read and that goes with the run (base/file/folder.h). */
#include <covey/parts.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/run.h"
#include "base/text.h"
#include "base/threads.h"
#include "job/warnings.h"
#include "parts/deal/spill.h"
#include "parts/merge/merge.h"
#include "parts/part/part.h"
#include "parts/plan/plan.h"

enum { BUFFER_SHARE = 8 };

/* One call of covey_anonymize_in_parts. */
struct job {
    const covey_policy *policy;
    const covey_run *run;
    covey_anonymize_report *report;
    const covey_parts_options *options;
    covey_plan plan;
    covey_spill *spill;     /* rows as they were read */
    covey_part_files *rows; /* and dealt */
    covey_text folder;      /* of rows and parts */
    char **path;            /* [n_paths] parts that were made */
    uint32_t *first;        /* [n_paths] the first part in each */
    size_t n_paths;
};

/* --- rows --- */

/* Reads the table, whose rows are on disk then. */
static covey_status plan(struct job *job, covey_error *err)
{
    covey_text rows = COVEY_TEXT_INIT, text = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&rows, "%s/rows", job->folder.bytes);
    covey_i_text_add_format(&text, "%s/text", job->folder.bytes);
    status = rows.broken || text.broken ? covey_i_no_memory(err) : covey_i_spill_new(&job->spill, rows.bytes, err);
    if (status == COVEY_OK)
        status = covey_i_plan_make(&job->plan, job->policy, job->spill, text.bytes, job->options->memory_limit,
                                   job->options->rows_per_part, job->run, err);
    covey_i_text_free(&text);
    covey_i_text_free(&rows);
    return status;
}

/* Deals all rows to files, one per part. */
static covey_status deal(struct job *job, covey_error *err)
{
    const int64_t memory = job->options->memory_limit ? job->options->memory_limit : (int64_t)1 << 30;
    covey_dealer dealer = {&job->plan, covey_i_part_files_sink, NULL};

    COVEY_TRY(covey_i_part_files_open(&job->rows, &job->plan, job->folder.bytes, (size_t)(memory / BUFFER_SHARE), err));
    dealer.context = job->rows;
    COVEY_TRY(covey_i_spill_deal(job->spill, &dealer, job->run, err));
    covey_i_spill_free(job->spill);
    job->spill = NULL;
    return covey_i_part_files_end(job->rows, err);
}

/* --- parts --- */

static covey_status make_part(struct job *job, const char *path, uint32_t first, uint32_t last, covey_error *err)
{
    covey_part_rows rows = {0};
    covey_outfile *out = NULL;
    covey_status status = covey_i_part_rows_new(&rows, &job->plan, 0, err);

    for (uint32_t p = first; p <= last && status == COVEY_OK; p++)
        status = covey_i_part_files_read(&rows, job->rows, p, job->run, err);
    if (status == COVEY_OK && (status = covey_i_outfile_open(&out, path, err)) == COVEY_OK)
        status = covey_i_part_make(out, &job->plan, first, last, &rows, job->run, err);
    covey_i_part_rows_clear(&rows);
    if (status == COVEY_OK)
        return covey_i_outfile_close(out, err);
    covey_i_outfile_abort(out);
    return status;
}

static covey_status make_path(char **out, struct job *job, uint32_t first, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;

    covey_i_text_add_format(&path, "%s/part-%u", job->folder.bytes, first + 1);
    *out = path.broken ? NULL : path.bytes;
    return path.broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* Makes parts first .. last, or, where they cannot keep the promises alone, together with parts on their right as long
 * as there are any, then on their left.  The outcome depends on the plan and the rows alone. */
static covey_status make_joined(struct job *job, uint32_t first, uint32_t *last, covey_error *err)
{
    const uint32_t end = job->plan.n_parts - 1;

    while (true) {
        covey_status status;

        COVEY_TRY(make_path(&job->path[job->n_paths], job, first, err));
        job->first[job->n_paths++] = first;
        status = make_part(job, job->path[job->n_paths - 1], first, *last, err);
        if (status != COVEY_EINFEASIBLE || (first == 0 && *last == end))
            return status;
        covey_i_free(job->path[--job->n_paths]);
        if (*last < end) {
            ++*last;
        } else {
            first = job->first[--job->n_paths];
            unlink(job->path[job->n_paths]);
            covey_i_free(job->path[job->n_paths]);
        }
    }
}

static covey_status make_parts(struct job *job, covey_error *err)
{
    const uint32_t n = job->plan.n_parts;

    job->path = covey_i_array_zero(n, sizeof *job->path);
    job->first = covey_i_array(n, sizeof *job->first);
    if (!job->path || !job->first)
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p < n; p++) {
        COVEY_TRY(covey_i_run_goes_on(job->run, "anonymize", p, n, err));
        COVEY_TRY(make_joined(job, p, &p, err));
    }
    for (uint32_t p = 0; p < n; p++)
        covey_i_part_files_remove(job->rows, p);
    return COVEY_OK;
}

/* --- all of it --- */

static covey_status make(struct job *job, const char *folder, covey_error *err)
{
    const int64_t memory = job->options->memory_limit;
    double begin = covey_i_seconds(), planned;

    for (size_t i = 0; job->run && job->run->warn && i < job->policy->n_warnings; i++)
        job->run->warn(job->run->context, job->policy->warning[i]);
    covey_i_text_add_format(&job->folder, "%s/parts", folder);
    if (job->folder.broken)
        return covey_i_no_memory(err);
    if (mkdir(job->folder.bytes, 0700) != 0)
        return covey_fail_at(err, COVEY_EIO, folder, 0, NULL, 0, "%s", strerror(errno));
    COVEY_TRY(covey_i_run_goes_on(job->run, "plan", 0, 0, err));
    COVEY_TRY(plan(job, err));
    COVEY_TRY(covey_i_job_warn_of_data(&job->plan.prepared, job->policy, job->run, err));
    COVEY_TRY(deal(job, err));
    planned = covey_i_seconds();
    job->report->seconds_read = planned - begin;
    COVEY_TRY(make_parts(job, err));
    job->report->seconds_anonymize = covey_i_seconds() - planned;
    COVEY_TRY(covey_i_run_goes_on(job->run, "merge", 0, 0, err));
    COVEY_TRY(covey_i_merge(job->report, &job->plan, (const char *const *)job->path, job->n_paths, folder,
                            job->options->n_files, job->run, err));
    covey_i_plan_clear(&job->plan);
    COVEY_TRY(covey_i_folder_remove(job->folder.bytes, err));
    COVEY_TRY(covey_i_run_goes_on(job->run, "verify", 0, 0, err));
    begin = covey_i_seconds();
    COVEY_TRY(covey_i_publish_verify(&job->report->verdict, folder, memory, job->run, err));
    job->report->seconds_verify = covey_i_seconds() - begin;
    return covey_i_run_goes_on(job->run, "publish", 0, 0, err);
}

static void clear_job(struct job *job)
{
    covey_i_spill_free(job->spill);
    covey_i_part_files_free(job->rows);
    for (size_t i = 0; job->path && i < job->n_paths; i++)
        covey_i_free(job->path[i]);
    covey_i_free(job->path);
    covey_i_free(job->first);
    covey_i_text_free(&job->folder);
    covey_i_plan_clear(&job->plan);
}

covey_status covey_anonymize_in_parts(covey_anonymize_report *report, const covey_policy *policy, const char *target,
                                      const covey_parts_options *options, const covey_run *run, covey_error *err)
{
    static const covey_parts_options defaults;
    struct job job = {.policy = policy, .run = run, .report = report, .options = options ? options : &defaults};
    covey_folder_options place = {.force = job.options->force, .product = &covey_i_product_release};
    double begin = covey_i_seconds();
    covey_folder *folder;
    covey_status status;

    memset(report, 0, sizeof *report);
    COVEY_TRY(covey_i_publish_check_files(job.options->n_files, err));
    COVEY_TRY(covey_i_publish_spare_input(policy, target, err));
    COVEY_TRY(covey_i_folder_begin(&folder, target, &place, err));
    covey_i_threads_crew_begin();
    if ((status = make(&job, covey_i_folder_path(folder), err)) == COVEY_OK)
        status = covey_i_folder_commit(folder, err);
    else
        covey_i_folder_abort(folder);
    clear_job(&job);
    covey_i_threads_crew_end();
    report->seconds_total = covey_i_seconds() - begin;
    if (status != COVEY_OK)
        covey_anonymize_report_clear(report);
    return status;
}

/* --- sizes --- */

covey_status covey_parts_read_size(int64_t *out, const char *text, const char *what, covey_error *err)
{
    static const struct {
        const char *unit;
        int shift;
    } units[] = {{"", 20},    {"B", 0},  {"K", 10},  {"KB", 10},  {"KiB", 10}, {"M", 20},  {"MB", 20},
                 {"MiB", 20}, {"G", 30}, {"GB", 30}, {"GiB", 30}, {"T", 40},   {"TB", 40}, {"TiB", 40}};
    const char *at = text + strspn(text, "0123456789."), *unit = at + strspn(at, " ");
    char *number = covey_i_strndup(text, (size_t)(at - text));
    const bool is_long = number && covey_i_text_is_long_whole(number);
    covey_ratio ratio = {INT64_MAX, 1};
    bool ok = is_long || (number && at > text && covey_ratio_parse(&ratio, number, NULL) == COVEY_OK);

    if (!number)
        return covey_i_no_memory(err);
    covey_i_free(number);
    for (size_t i = 0; ok && i < sizeof units / sizeof *units; i++)
        if (strcasecmp(unit, units[i].unit) == 0) {
            const covey_i128 bytes = (covey_i128)ratio.num * ((covey_i128)1 << units[i].shift) / ratio.den;

            if (bytes <= 0)
                break;
            if (is_long || bytes > INT64_MAX / 2)
                return covey_fail(err, COVEY_EINVAL, "%s must be at most 4194303T, not %s", what, text);
            *out = (int64_t)bytes;
            return COVEY_OK;
        }
    return covey_fail(err, COVEY_EINVAL, "%s must be a size in MiB or with a unit, such as 200M or 2G, not \"%s\"",
                      what, text);
}
