/* The three steps alone, for who distributes the parts: what covey plan, part and merge do. */
#include <covey/parts.h>

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/file/newfile.h"
#include "base/text.h"
#include "parts/merge/merge.h"
#include "parts/part/part.h"
#include "parts/plan/recipe.h"

enum { PIECE = 1 << 23 };

/* Beside the file that is made, there is room for what memory does not hold; named as files in the making are. */
static char *text_beside(const char *target)
{
    const char *slash = strrchr(target, '/');
    covey_text path = COVEY_TEXT_INIT;

    covey_i_text_add(&path, target, slash ? (size_t)(slash - target) + 1 : 0);
    covey_i_text_add_format(&path, ".%s.covey-%ld-text", slash ? slash + 1 : target, (long)getpid());
    if (!path.broken)
        return path.bytes;
    covey_i_text_free(&path);
    return NULL;
}

/* --- plan --- */

covey_status covey_plan_table(covey_plan_report *report, const covey_policy *policy, const char *recipe,
                              const covey_parts_options *options, const covey_run *run, covey_error *err)
{
    static const covey_parts_options defaults;
    char *text_path = text_beside(recipe);
    covey_plan plan;
    covey_status status;

    if (!text_path)
        return covey_i_no_memory(err);
    options = options ? options : &defaults;
    for (size_t i = 0; run && run->warn && i < policy->n_warnings; i++)
        run->warn(run->context, policy->warning[i]);
    status = covey_i_plan_make(&plan, policy, NULL, text_path, options->memory_limit, options->rows_per_part, run, err);
    covey_i_free(text_path);
    COVEY_TRY(status);
    status = covey_i_recipe_publish(report, &plan, policy, recipe, options->force, run, err);
    covey_i_plan_clear(&plan);
    return status;
}

/* --- part --- */

/* Rows of the wanted parts, on their way into columns. */
struct taking {
    const covey_plan *plan;
    uint32_t first, last;
    covey_part_rows rows;
    pthread_mutex_t lock; /* of the rows */
};

static covey_status add_rows(struct taking *t, const unsigned char *rows, uint32_t n, covey_error *err)
{
    if (n > UINT32_MAX - t->rows.n)
        return covey_fail(err, COVEY_EINVAL, "the part has more than 4,294,967,295 rows");
    return covey_i_part_rows_add(&t->rows, t->plan, rows, n, NULL, err);
}

static covey_status take_slice(void *context, uint32_t part, const unsigned char *rows, uint32_t n, covey_error *err)
{
    struct taking *t = context;
    covey_status status;

    if (part < t->first || part > t->last)
        return COVEY_OK;
    pthread_mutex_lock(&t->lock);
    status = add_rows(t, rows, n, err);
    pthread_mutex_unlock(&t->lock);
    return status;
}

static covey_status take_rows(struct taking *t, const char *data, const covey_infile_spill *text, const covey_run *run,
                              covey_error *err)
{
    covey_policy policy = *t->plan->policy; /* which calls the table by its name */
    covey_prepared columns = {0};
    covey_preparing s = {.p = &columns, .policy = &policy, .run = run};
    covey_csv_stream *stream = NULL;
    const covey_dealer dealer = {t->plan, take_slice, t};
    covey_csv_options options;
    int64_t n_rows, n_dropped;
    covey_status status;

    s.found = covey_arena_array_zero(&columns.arena, bool, s.policy->n_attributes);
    policy.input_path = data ? data : policy.input_path;
    covey_i_preparing_csv(&options, &s);
    status = s.found ? covey_i_part_rows_new(&t->rows, t->plan, 0, err) : covey_i_no_memory(err);
    if (status == COVEY_OK && (status = covey_i_csv_stream_open(&stream, data ? data : s.policy->input_source, &options,
                                                                PIECE, text, run, err)) == COVEY_OK)
        status = covey_i_deal_stream(&n_rows, &n_dropped, &dealer, stream, &s, err);
    covey_i_csv_stream_close(stream);
    covey_i_prepared_clear(&columns);
    return status;
}

static const covey_beginning beginnings[] = {{COVEY_PART_MAGIC, NULL}};

static const covey_product product = {.noun = "part", COVEY_BEGINNINGS(beginnings)};

static covey_status write_part(covey_part_report *report, const covey_plan *plan, const struct taking *t,
                               const char *target, bool force, const covey_run *run, covey_error *err)
{
    covey_newfile *file;
    covey_status status;

    COVEY_TRY(covey_i_newfile_begin(&file, target, force ? &product : NULL, err));
    covey_i_newfile_make_private(file);
    status = covey_i_part_make(covey_i_newfile_stream(file), plan, t->first, t->last, &t->rows, run, err);
    if (status != COVEY_OK) {
        covey_i_newfile_abort(file);
        return status;
    }
    COVEY_TRY(covey_i_newfile_commit(file, err));
    *report =
        (covey_part_report){.first = t->first + 1, .last = t->last + 1, .n_parts = plan->n_parts, .n_rows = t->rows.n};
    return COVEY_OK;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);

    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* The rows of one part cannot keep the promises alone: say what to do. */
static covey_status advise(const covey_plan *plan, uint32_t first, uint32_t last, covey_error *err)
{
    covey_error reason = *err;

    if (first == 0 && last + 1 == plan->n_parts)
        return COVEY_EINFEASIBLE;
    if (last + 1 < plan->n_parts)
        last++;
    else
        first--;
    return covey_fail(
        err, COVEY_EINFEASIBLE,
        "the rows of this part alone cannot keep the policy; make it together with its neighbour: %" PRIu32 "-%" PRIu32
        " (%.200s)",
        first + 1, last + 1, reason.message);
}

covey_status covey_part_anonymize(covey_part_report *report, const char *recipe, int64_t first, int64_t last,
                                  const char *data, const char *target, const covey_parts_options *options,
                                  const covey_run *run, covey_error *err)
{
    covey_infile_spill text;
    covey_policy *policy = NULL;
    char *text_path = NULL;
    covey_error own;
    covey_plan plan;
    struct taking t;
    covey_status status;

    err = err ? err : &own;
    if (ends_with(target, ".gz") || ends_with(target, ".zst"))
        return covey_fail(err, COVEY_EINVAL, "%s: parts are not compressed; choose another name", target);
    COVEY_TRY(covey_i_recipe_read(&plan, &policy, recipe, run, err));
    t = (struct taking){
        .plan = &plan, .first = (uint32_t)(first - 1), .last = (uint32_t)(last - 1), .lock = PTHREAD_MUTEX_INITIALIZER};
    if ((first < 1 || last > plan.n_parts) && first == last)
        status = covey_fail(err, COVEY_EINVAL, "the plan has parts 1 to %" PRIu32 ", and no part %" PRId64,
                            plan.n_parts, first);
    else if (first < 1 || last < first || last > plan.n_parts)
        status = covey_fail(err, COVEY_EINVAL, "the plan has parts 1 to %" PRIu32 ", not %" PRId64 " to %" PRId64,
                            plan.n_parts, first, last);
    else if (!(text_path = text_beside(target)))
        status = covey_i_no_memory(err);
    else {
        text = covey_i_plan_text(text_path, options ? options->memory_limit : 0);
        status = take_rows(&t, data, &text, run, err);
    }
    if (status == COVEY_OK &&
        (status = write_part(report, &plan, &t, target, options && options->force, run, err)) == COVEY_EINFEASIBLE)
        status = advise(&plan, t.first, t.last, err);
    covey_i_free(text_path);
    covey_i_part_rows_clear(&t.rows);
    covey_i_plan_clear(&plan);
    covey_policy_free(policy);
    return status;
}

/* --- merge --- */

static covey_status merge(covey_anonymize_report *report, const covey_plan *plan, const char *const *parts, size_t n,
                          const char *folder, const covey_parts_options *options, const covey_run *run,
                          covey_error *err)
{
    double begin;

    COVEY_TRY(covey_i_merge(report, plan, parts, n, folder, options ? options->n_files : 0, run, err));
    begin = covey_i_seconds();
    COVEY_TRY(covey_i_publish_verify(&report->verdict, folder, options ? options->memory_limit : 0, run, err));
    report->seconds_verify = covey_i_seconds() - begin;
    return COVEY_OK;
}

covey_status covey_merge_parts(covey_anonymize_report *report, const char *recipe, const char *const *parts, size_t n,
                               const char *target, const covey_parts_options *options, const covey_run *run,
                               covey_error *err)
{
    covey_folder_options place = {.force = options && options->force, .product = &covey_i_product_release};
    double begin = covey_i_seconds();
    covey_policy *policy = NULL;
    covey_folder *folder = NULL;
    covey_plan plan;
    covey_status status;

    memset(report, 0, sizeof *report);
    COVEY_TRY(covey_i_publish_check_files(options ? options->n_files : 0, err));
    COVEY_TRY(covey_i_recipe_read(&plan, &policy, recipe, run, err));
    if (n == 0)
        status = covey_fail(err, COVEY_EINVAL, "no part is given: name the files of all parts");
    else if ((status = covey_i_publish_spare_input(policy, target, err)) == COVEY_OK)
        status = covey_i_folder_begin(&folder, target, &place, err);
    if (status == COVEY_OK &&
        (status = merge(report, &plan, parts, n, covey_i_folder_path(folder), options, run, err)) == COVEY_OK) {
        status = covey_i_folder_commit(folder, err);
        folder = NULL;
    }
    covey_i_folder_abort(folder);
    covey_i_plan_clear(&plan);
    covey_policy_free(policy);
    report->seconds_total = covey_i_seconds() - begin;
    if (status != COVEY_OK)
        covey_anonymize_report_clear(report);
    return status;
}
