/* Merging parts into one release.  Parts are sorted by the order of published units (classes, groups, rows), and are
 * read in that order (readers.h).  Batches of neighbours, never parted between equal cells, become small releases of
 * their own: there classes with equal cells are joined and all is brought into canonical order by the code that does it
 * for a whole table; files are one batch behind the other. */
#include "parts/merge/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/run.h"
#include "job/warnings.h"
#include "parts/merge/batch.h"
#include "parts/merge/readers.h"
#include "parts/merge/settle.h"
#include "release/bucketized/bucketized.h"
#include "release/generalized/generalized.h"
#include "release/manifest/manifest.h"
#include "table/histogram.h"

enum { LEAST_BATCH = 16, MOST_BATCH = 1 << 17 };

struct merging {
    const covey_plan *plan;
    const covey_run *run;
    int64_t n_files;            /* as in covey_publication */
    const covey_problem *whole; /* the plan's; or settled, where rows are suppressed */
    covey_settled settled;
    covey_arena arena;
    covey_merge_readers from;
    covey_part_kind kind;
    covey_part_goal goal;
    bool is_seeded;
    covey_table_writer *writer; /* of classes */
    covey_files files;

    uint32_t most_rows; /* a batch ends with the first unit that makes it as large */
    covey_batch batch;

    int64_t n_suppressed, first_class; /* classes that are published before these */
    covey_merged all;                  /* what is known of all batches */
};

/* --- batches --- */

/* Takes the least unit into the batch. */
static covey_status take_unit(struct merging *m, covey_error *err)
{
    COVEY_TRY(covey_i_batch_add(&m->batch, covey_i_merge_readers_least(&m->from), err));
    return covey_i_merge_readers_next(&m->from, err);
}

/* Would the next class have the cells of the last one?  Other units with equal keys come from one part, in order. */
static bool continues(const struct merging *m)
{
    const covey_part_reader *least = covey_i_merge_readers_least(&m->from);

    return (m->kind == COVEY_PART_CLASSES || m->kind == COVEY_PART_REGIONS) && least &&
           memcmp(least->key, m->from.last_key, m->from.n_key * sizeof *least->key) == 0;
}

static covey_status mark_shown(struct merging *m, const covey_release *release, const covey_problem *problem,
                               covey_error *err)
{
    for (size_t f = 0; f < problem->n_fields; f++) {
        if (m->all.sums.shown[f])
            COVEY_TRY(covey_i_release_mark_shown(m->all.sums.shown[f], release, problem, &problem->field[f], err));
        if (m->all.sums.label[f])
            COVEY_TRY(covey_i_release_mark_labels(m->all.sums.label[f], release, problem, &problem->field[f], err));
    }
    return COVEY_OK;
}

static covey_status add_figures(struct merging *m, const covey_release *release, const covey_problem *problem,
                                covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    covey_figure *figure = covey_i_array(promises->n, sizeof *figure);
    covey_status status =
        figure ? covey_i_release_achieved(figure, release, problem, m->run, err) : covey_i_no_memory(err);

    for (size_t p = 0; status == COVEY_OK && p < promises->n; p++)
        if (m->all.any)
            covey_i_figure_combine(promises->promise[p].model, &m->all.achieved[p], &figure[p]);
        else
            m->all.achieved[p] = figure[p];
    m->all.any = true;
    covey_i_free(figure);
    return status;
}

/* The values that rows show: of a perturbed release these say nothing of those that they have. */
static void count_published(struct merging *m, const covey_release *release, const covey_problem *problem)
{
    for (size_t v = 0; v < problem->promises.n_views && m->kind != COVEY_PART_ROWS; v++)
        for (uint32_t i = 0; i < release->n_published; i++)
            covey_i_histogram_add(&m->all.published[v],
                                  covey_i_code(problem->promises.view[v].column, release->row_order[i]), 1);
}

static void add_errors(struct merging *m, const covey_release *release, const covey_problem *problem)
{
    covey_i128 sum, largest;

    if (m->goal == COVEY_PART_AIL)
        return;
    covey_i_bucketized_ranges(&sum, &largest, release, problem->promises.view[0].column);
    m->all.sum_error += sum;
    m->all.max_error = largest > m->all.max_error ? largest : m->all.max_error;
}

static covey_status write_batch(struct merging *m, const covey_release *release, const covey_problem *problem,
                                const char *folder, covey_error *err)
{
    if (m->kind == COVEY_PART_CLASSES || m->kind == COVEY_PART_REGIONS)
        return covey_i_table_writer_add(m->writer, release, problem, m->run, err);
    return release->form->write(release, problem, folder, &m->files, m->run, err);
}

static covey_status add_release(struct merging *m, covey_release *release, const covey_problem *problem,
                                const char *folder, covey_error *err)
{
    release->first_class = (uint32_t)(m->first_class + m->all.n_classes);
    COVEY_TRY(write_batch(m, release, problem, folder, err));
    COVEY_TRY(add_figures(m, release, problem, err));
    release->n_rows += (uint32_t)m->n_suppressed; /* labels of rows that are not published must not show */
    COVEY_TRY(mark_shown(m, release, problem, err));
    covey_i_release_add_sums(&m->all.sums, release, problem);
    count_published(m, release, problem);
    add_errors(m, release, problem);
    m->all.n_published += release->n_published;
    m->all.n_classes += release->n_classes;
    if (!m->all.facts) { /* all batches' are alike */
        m->all.facts = release->facts;
        release->facts = NULL;
    }
    return COVEY_OK;
}

static covey_status end_batch(struct merging *m, const char *folder, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release = NULL;
    covey_problem problem;
    covey_status status = covey_i_batch_release(&release, &problem, &m->batch, &arena, m->run, err);

    if (status == COVEY_OK)
        status = add_release(m, release, &problem, folder, err);
    covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}

static covey_status join_all(struct merging *m, const char *folder, covey_error *err)
{
    const int64_t n_all = m->plan->n_rows - m->n_suppressed;

    while (m->from.n_heap > 0) {
        do
            COVEY_TRY(take_unit(m, err));
        while (m->from.n_heap > 0 && (m->batch.n_rows < m->most_rows || continues(m)));
        COVEY_TRY(covey_i_run_goes_on(m->run, "merge", m->all.n_published + m->batch.n_rows, n_all, err));
        COVEY_TRY(end_batch(m, folder, err));
    }
    if (m->batch.like)
        snprintf(m->all.note, sizeof m->all.note, "%s", m->batch.like->note);
    m->all.kind = m->kind;
    m->all.goal = m->goal;
    m->all.is_seeded = m->is_seeded;
    return COVEY_OK;
}

/* --- what has to be there --- */

/* What is published and what was suppressed must be what the plan has counted, and the suppressed rows as one class
 * keep the promises. */
static covey_status check_suppressed(struct merging *m, covey_error *err)
{
    const covey_promises *promises = &m->whole->promises;
    const int64_t n_suppressed = m->n_suppressed;
    covey_tally gone;

    if (n_suppressed > m->whole->max_suppressed)
        return covey_fail(err, COVEY_EINVAL, "the parts suppressed %" PRId64 " row%s, but the plan allows %" PRId64,
                          n_suppressed, covey_i_plural(n_suppressed), m->whole->max_suppressed);
    if (m->all.n_published == 0)
        return covey_fail(err, COVEY_EINFEASIBLE,
                          "every row would have to be suppressed: no release can keep the policy");
    if (n_suppressed == 0)
        covey_i_job_warn_of_suppression(m->whole, m->plan->choice.method, m->run);
    if (m->kind == COVEY_PART_ROWS)
        return COVEY_OK; /* of each row its quasi-identifiers are published */
    COVEY_TRY(covey_i_tally_new(&gone, promises, &m->arena, err));
    gone.has_ranges = false;
    gone.size = n_suppressed;
    for (size_t v = 0; v < promises->n_views; v++)
        for (uint32_t i = 0; i < promises->view[v].prior->n_values; i++) {
            const int64_t n = promises->view[v].prior->count[i] - m->all.published[v].count[i];

            if (n < 0)
                return covey_fail(err, COVEY_EINVAL,
                                  "the parts publish more rows with some value of \"%s\" than the plan has counted: "
                                  "they are not those of one table",
                                  promises->view[v].name);
            covey_i_histogram_add(&gone.counts[v], i, n);
        }
    if (n_suppressed > 0 && (covey_i_promises_any_traits(promises) & COVEY_MODEL_PRIOR) &&
        !covey_i_promises_admit(promises, &gone))
        return covey_fail(
            err, COVEY_EINTERNAL,
            "the sensitive values of the %" PRId64
            " suppressed rows, which follow from the published prior, break the policy: nothing was published",
            n_suppressed);
    return COVEY_OK;
}

/* What is published refers to the rows that are published. */
static covey_status settle(struct merging *m, const bool *mark, covey_error *err)
{
    COVEY_TRY(covey_i_parts_settle_marked(&m->settled, m->plan, mark, &m->arena, err));
    m->whole = &m->settled.problem;
    return COVEY_OK;
}

/* Opens all, and finds what is published refers to. */
static covey_status open_parts(struct merging *m, const char *const *path, size_t n, covey_error *err)
{
    COVEY_TRY(covey_i_merge_readers_open(&m->from, m->plan, path, n, &m->arena, err));
    COVEY_TRY(covey_i_merge_readers_check(&m->n_suppressed, &m->from, err));
    if (m->n_suppressed == 0 || m->n_suppressed == m->whole->n_rows)
        return COVEY_OK;
    COVEY_TRY(covey_i_parts_settle(&m->settled, m->plan, path, n, &m->arena, err));
    m->whole = &m->settled.problem;
    return COVEY_OK;
}

/* Behind opening the readers, whose kind is known. */
static covey_status start_joining(struct merging *m, const char *folder, covey_error *err)
{
    const int64_t wanted = m->plan->rows_per_part / 2;

    m->kind = m->from.kind;
    m->goal = m->from.goal;
    m->is_seeded = m->from.is_seeded;
    m->most_rows = (uint32_t)(wanted < LEAST_BATCH ? LEAST_BATCH : wanted > MOST_BATCH ? MOST_BATCH : wanted);
    if (m->whole == &m->settled.problem && covey_i_parts_has_new_order(&m->settled))
        m->most_rows = UINT32_MAX; /* all in one batch, which is put in order whole */
    COVEY_TRY(covey_i_merged_new(&m->all, m->whole, &m->arena, err));
    COVEY_TRY(covey_i_merge_readers_start(&m->from, m->whole->n_axes, &m->arena, err));
    COVEY_TRY(covey_i_batch_new(&m->batch, m->plan, m->whole == &m->settled.problem ? &m->settled : NULL, m->kind,
                                m->most_rows < MOST_BATCH ? m->most_rows : MOST_BATCH, err));
    if (m->kind == COVEY_PART_CLASSES || m->kind == COVEY_PART_REGIONS)
        return covey_i_table_writer_open(&m->writer, m->whole, (uint32_t)m->first_class, folder, &m->files, err);
    return COVEY_OK;
}

static covey_status start(struct merging *m, const char *const *path, size_t n, const char *folder, covey_error *err)
{
    COVEY_TRY(open_parts(m, path, n, err));
    return start_joining(m, folder, err);
}

static covey_status start_range(struct merging *m, const covey_range *range, const char *folder, covey_error *err)
{
    m->n_suppressed = range->n_suppressed;
    m->first_class = range->first_class;
    COVEY_TRY(covey_i_merge_readers_open(&m->from, m->plan, range->path, range->n, &m->arena, err));
    COVEY_TRY(covey_i_merge_readers_agree(&m->from, err));
    if (range->mark)
        COVEY_TRY(settle(m, range->mark, err));
    return start_joining(m, folder, err);
}

/* --- the manifest --- */

static void set_objective(covey_release *release, const struct merging *m)
{
    covey_i128 unit = 1;

    release->objective.name = covey_i_part_goal_name[m->goal];
    release->objective.value = release->ail = covey_i_problem_ail(m->whole, m->all.sums.loss, m->n_suppressed);
    if (m->goal == COVEY_PART_AIL)
        return;
    for (int digit = 0; digit < m->whole->promises.view[0].column->scale; digit++)
        unit *= 10;
    release->objective.value = covey_i_fraction_value(
        covey_i_fraction(m->goal == COVEY_PART_SUM_ERROR ? m->all.sum_error : m->all.max_error, unit));
}

/* What is left of all batches, as one release. */
static void sum_up(covey_release *out, const struct merging *m)
{
    static const char *const form[] = {"generalized", "generalized", "perturbed", "bucketized", "bucketized"};
    size_t used;

    *out = (covey_release){.form = covey_i_form_find(form[m->kind]),
                           .n_rows = m->whole->n_rows,
                           .n_published = (uint32_t)m->all.n_published,
                           .n_classes = (uint32_t)m->all.n_classes,
                           .has_regions = m->kind == COVEY_PART_REGIONS,
                           .facts = m->all.facts,
                           .sums = &m->all.sums};
    set_objective(out, m);
    used = (size_t)snprintf(out->note, sizeof out->note, "%s", m->all.note);
    if (m->plan->n_parts > 1) /* how many there are in the end, perhaps one, goes by suppressed rows, too */
        snprintf(out->note + used, sizeof out->note - used,
                 "%sanonymized in parts, each against the prior of the whole", used ? "; " : "");
}

static covey_status write_rest(covey_anonymize_report *report, struct merging *m, const char *folder, covey_error *err)
{
    covey_run run = COVEY_RUN_INIT;
    covey_release release;
    covey_publication publication = {.policy = m->plan->policy,
                                     .run = &run,
                                     .problem = m->whole,
                                     .choice = &m->plan->choice,
                                     .release = &release,
                                     .n_dropped = m->plan->prepared.n_dropped,
                                     .is_misguessed = m->plan->prepared.is_misguessed,
                                     .folder = folder,
                                     .n_files = m->n_files,
                                     .arena = &m->arena,
                                     .achieved = m->all.achieved,
                                     .files = m->files};
    covey_status status;

    if (m->run)
        run = *m->run;
    run.has_seed |= m->is_seeded;
    sum_up(&release, m);
    m->files = (covey_files){0}; /* the publication's now */
    if ((status = covey_i_publish_write(&publication, err)) == COVEY_OK)
        covey_i_publish_report(report, &publication);
    covey_i_files_clear(&publication.files);
    return status;
}

/* Ends table.csv and lists it; other forms' files are. */
static covey_status end_table(struct merging *m, covey_error *err)
{
    covey_table_writer *writer = m->writer;

    m->writer = NULL;
    return writer ? covey_i_table_writer_close(writer, err) : COVEY_OK;
}

static void clear(struct merging *m)
{
    covey_i_table_writer_abort(m->writer);
    covey_i_merge_readers_close(&m->from);
    covey_i_batch_clear(&m->batch);
    covey_i_settled_clear(&m->settled);
    covey_i_free(m->all.facts);
    covey_i_files_clear(&m->files);
    covey_arena_free(&m->arena);
}

covey_status covey_i_merge(covey_anonymize_report *report, const covey_plan *plan, const char *const *path, size_t n,
                           const char *folder, int64_t n_files, const covey_run *run, covey_error *err)
{
    struct merging m = {.plan = plan, .run = run, .n_files = n_files, .whole = &plan->prepared.problem};
    covey_status status;
    double begin = covey_i_seconds(), joined = begin;

    m.files.hashes_lines = n_files == 0;
    if ((status = start(&m, path, n, folder, err)) != COVEY_OK || (status = join_all(&m, folder, err)) != COVEY_OK ||
        (status = check_suppressed(&m, err)) != COVEY_OK || (status = end_table(&m, err)) != COVEY_OK)
        goto done;
    joined = covey_i_seconds();
    if ((status = write_rest(report, &m, folder, err)) == COVEY_OK)
        report->seconds_write += joined - begin;
done:
    clear(&m);
    return status;
}

/* --- a range of the units, and all ranges --- */

covey_status covey_i_merge_range(covey_text *sums, int64_t *n_classes, covey_files *files, const covey_plan *plan,
                                 const covey_range *range, const char *folder, const covey_run *run, covey_error *err)
{
    struct merging m = {.plan = plan, .run = run, .whole = &plan->prepared.problem};
    covey_status status;

    if ((status = start_range(&m, range, folder, err)) == COVEY_OK &&
        (status = join_all(&m, folder, err)) == COVEY_OK && (status = end_table(&m, err)) == COVEY_OK)
        status = covey_i_merged_write(sums, &m.all, m.whole, err);
    if (status == COVEY_OK) {
        *files = m.files;
        *n_classes = m.all.n_classes;
        m.files = (covey_files){0};
    }
    clear(&m);
    return status;
}

static covey_status add_ranges(struct merging *m, const covey_ranges *ranges, covey_error *err)
{
    if (ranges->mark)
        COVEY_TRY(settle(m, ranges->mark, err));
    COVEY_TRY(covey_i_merged_new(&m->all, m->whole, &m->arena, err));
    for (size_t i = 0; i < ranges->n; i++)
        COVEY_TRY(
            covey_i_merged_add(&m->all, (const char *)ranges->sums[i].bytes, ranges->sums[i].size, m->whole, err));
    m->kind = m->all.kind;
    m->goal = m->all.goal;
    m->is_seeded = m->all.is_seeded;
    m->n_suppressed = m->plan->n_rows - m->all.n_published;
    if (m->n_suppressed != ranges->n_suppressed)
        return covey_fail(err, COVEY_EINVAL,
                          "the ranges publish %" PRId64 " rows, the parts %" PRId64 ": they are not those of one table",
                          m->all.n_published, m->plan->n_rows - ranges->n_suppressed);
    return check_suppressed(m, err);
}

covey_status covey_i_merge_finish(covey_anonymize_report *report, const covey_plan *plan, const covey_ranges *ranges,
                                  covey_files *files, const char *folder, const covey_run *run, covey_error *err)
{
    struct merging m = {.plan = plan, .run = run, .whole = &plan->prepared.problem};
    covey_status status = add_ranges(&m, ranges, err);

    if (status == COVEY_OK) {
        m.files = *files;
        *files = (covey_files){0};
        status = write_rest(report, &m, folder, err);
    }
    clear(&m);
    return status;
}
