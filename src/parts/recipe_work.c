/* The steps of covey/parts.h for an engine that distributes work: each is a step of a release made in parts, with rows
 * and parts in memory instead of files. */
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/threads.h"
#include "parts/merge/merge.h"
#include "parts/merge/settle.h"
#include "parts/part/cut.h"
#include "parts/part/part.h"
#include "parts/plan/counted.h"
#include "parts/plan/recipe.h"

struct covey_recipe {
    covey_plan plan;
    covey_policy *policy;
};

covey_status covey_plan_counted(covey_plan_report *report, const covey_policy *policy, const char *recipe,
                                const covey_counted *counted, const covey_parts_options *options, const covey_run *run,
                                covey_error *err)
{
    static const covey_parts_options defaults;
    covey_plan plan;
    covey_status status;

    options = options ? options : &defaults;
    for (size_t i = 0; run && run->warn && i < policy->n_warnings; i++)
        run->warn(run->context, policy->warning[i]);
    COVEY_TRY(covey_i_counted_plan(&plan, policy, counted, options->memory_limit, options->rows_per_part, run, err));
    status = covey_i_recipe_publish(report, &plan, policy, recipe, options->force, run, err);
    covey_i_plan_clear(&plan);
    return status;
}

covey_status covey_recipe_open(covey_recipe **out, const char *path, const covey_run *run, covey_error *err)
{
    covey_recipe *recipe = covey_i_array_zero(1, sizeof *recipe);
    covey_status status;

    if (!recipe)
        return covey_i_no_memory(err);
    if ((status = covey_i_recipe_read(&recipe->plan, &recipe->policy, path, run, err)) == COVEY_OK)
        *out = recipe;
    else
        covey_i_free(recipe);
    return status;
}

void covey_recipe_close(covey_recipe *recipe)
{
    if (!recipe)
        return;
    covey_i_plan_clear(&recipe->plan);
    covey_policy_free(recipe->policy);
    covey_i_free(recipe);
}

covey_plan_report covey_recipe_report(const covey_recipe *recipe)
{
    const covey_plan *plan = &recipe->plan;

    return (covey_plan_report){.n_rows = plan->n_rows,
                               .n_dropped = plan->prepared.n_dropped,
                               .rows_per_part = plan->rows_per_part,
                               .n_parts = plan->n_parts};
}

size_t covey_recipe_row_size(const covey_recipe *recipe)
{
    return covey_i_plan_row_size(&recipe->plan);
}

size_t covey_recipe_n_columns(const covey_recipe *recipe)
{
    return recipe->plan.n_columns;
}

void covey_recipe_free(void *bytes)
{
    free(bytes);
}

/* --- dealing --- */

struct sinking {
    covey_recipe_sink sink;
    void *context;
    pthread_mutex_t lock; /* the caller's function is called by one at a time */
};

static covey_status sink(void *context, uint32_t part, const unsigned char *rows, uint32_t n, covey_error *err)
{
    struct sinking *s = context;
    covey_status status;

    pthread_mutex_lock(&s->lock);
    status = s->sink(s->context, (int64_t)part + 1, rows, n, err);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static covey_status deal(int64_t *n_rows, const covey_dealer *dealer, covey_preparing *s, const char *source,
                         covey_error *err)
{
    covey_csv_options options;
    covey_status status;

    if (!(s->found = covey_arena_array_zero(&s->p->arena, bool, s->policy->n_attributes + 1)))
        return covey_i_no_memory(err);
    covey_i_preparing_csv(&options, s);
    COVEY_TRY(covey_table_read(&s->p->table, source, &options, s->run, err));
    memset(s->found, true,
           s->policy->n_attributes * sizeof *s->found); /* the plan has looked, at dropped columns, too */
    status = covey_i_deal_table(n_rows, dealer, s, err);
    covey_table_free(s->p->table);
    s->p->table = NULL;
    return status;
}

covey_status covey_recipe_deal(int64_t *n_rows, const covey_recipe *recipe, const char *source, covey_recipe_sink to,
                               void *context, const covey_run *run, covey_error *err)
{
    struct sinking sinking = {.sink = to, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    const covey_dealer dealer = {.plan = &recipe->plan, .sink = sink, .context = &sinking};
    covey_run own = COVEY_RUN_INIT;
    covey_prepared prepared = {0};
    covey_preparing s = {.p = &prepared, .policy = recipe->policy, .run = &own};
    covey_status status;

    if (run)
        own = *run;
    own.n_threads = 1; /* the engine's own tasks are many */
    status = deal(n_rows, &dealer, &s, source, err);
    covey_i_prepared_clear(&prepared);
    return status;
}

/* --- are they the rows that were counted? --- */

/* Of a row in a column's sum.  One multiplication alone would leave sums of neighbouring codes alike. */
static uint64_t weight_of(uint32_t code)
{
    return covey_i_mix(covey_i_mix(code, 1), 2);
}

void covey_recipe_sum(uint64_t *sum, const covey_recipe *recipe, const unsigned char *rows, size_t n)
{
    const covey_plan *plan = &recipe->plan;
    const size_t row_size = covey_i_plan_row_size(plan);
    size_t at = 0;

    for (size_t c = 0; c < plan->n_columns; at += (size_t)plan->prepared.column[c++]->width)
        for (size_t i = 0; i < n; i++) {
            uint32_t code = 0;

            for (int b = 0; b < plan->prepared.column[c]->width; b++)
                code |= (uint32_t)rows[i * row_size + at + (size_t)b] << 8 * b;
            sum[c] += weight_of(code);
        }
}

const char *covey_recipe_changed(const covey_recipe *recipe, const uint64_t *sum)
{
    const covey_plan *plan = &recipe->plan;

    for (size_t c = 0; c < plan->n_columns; c++) {
        const covey_column *column = plan->prepared.column[c];
        uint64_t counted = 0;

        for (uint32_t i = 0; i < column->n_rows; i++)
            counted += (uint64_t)plan->count[c][i] * weight_of(covey_i_codes_get(column->codes, column->width, i));
        if (counted != sum[c])
            return column->name;
    }
    return NULL;
}

/* --- a part --- */

static covey_status take_rows(covey_part_rows *out, const covey_plan *plan, const covey_bytes *rows, size_t n,
                              covey_error *err)
{
    const size_t row_size = covey_i_plan_row_size(plan);

    COVEY_TRY(covey_i_part_rows_new(out, plan, 0, err));
    for (size_t i = 0; i < n; i++) {
        const size_t n_rows = rows[i].size / row_size;

        if (rows[i].size % row_size != 0)
            return covey_fail(err, COVEY_EPARSE, "the rows of a part are cut off");
        if (n_rows > UINT32_MAX - out->n)
            return covey_fail(err, COVEY_EINVAL, "the part has more than 4,294,967,295 rows");
        COVEY_TRY(covey_i_part_rows_add(out, plan, rows[i].bytes, (uint32_t)n_rows, NULL, err));
    }
    return COVEY_OK;
}

covey_status covey_recipe_make(const covey_recipe *recipe, int file, int64_t first, int64_t last,
                               const covey_bytes *rows, size_t n, const covey_run *run, covey_error *err)
{
    const covey_plan *plan = &recipe->plan;
    covey_part_rows all = {0};
    covey_outfile *out = NULL;
    covey_status status;

    if (first < 1 || last < first || last > plan->n_parts)
        return covey_fail(err, COVEY_EINVAL, "the recipe has parts 1 to %u", plan->n_parts);
    if ((status = take_rows(&all, plan, rows, n, err)) == COVEY_OK &&
        (status = covey_i_outfile_over(&out, file, "a part", err)) == COVEY_OK)
        status = covey_i_part_make(out, plan, (uint32_t)first - 1, (uint32_t)last - 1, &all, run, err);
    if (status == COVEY_OK)
        status = covey_i_outfile_close(out, err);
    else
        covey_i_outfile_abort(out);
    covey_i_part_rows_clear(&all);
    return status;
}

covey_status covey_recipe_look(char **out, const covey_recipe *recipe, const char *part, size_t n_keys,
                               covey_error *err)
{
    return covey_i_part_look(out, &recipe->plan, part, n_keys, err);
}

covey_status covey_recipe_cut(const covey_recipe *recipe, const char *part, const char *const *splitter, size_t n,
                              const int *file, covey_error *err)
{
    return covey_i_part_cut(&recipe->plan, part, splitter, n, file, err);
}

/* --- joining --- */

/* One byte each; *out NULL: there are none. */
static covey_status read_marks(bool **out, const covey_plan *plan, const unsigned char *marks, size_t n,
                               covey_error *err)
{
    *out = NULL;
    if (!marks)
        return COVEY_OK;
    if (n != covey_i_parts_n_marks(plan))
        return covey_fail(err, COVEY_EINVAL, "the marks are not those of this recipe");
    if (!(*out = covey_i_array(n, sizeof **out)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = marks[i] != 0;
    return COVEY_OK;
}

covey_status covey_recipe_is_one_range(bool *out, const covey_recipe *recipe, const unsigned char *marks, size_t n,
                                       covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_settled settled = {0};
    bool *mark;
    covey_status status;

    *out = false;
    COVEY_TRY(read_marks(&mark, &recipe->plan, marks, n, err));
    if (!mark)
        return COVEY_OK;
    if ((status = covey_i_parts_settle_marked(&settled, &recipe->plan, mark, &arena, err)) == COVEY_OK)
        *out = covey_i_parts_has_new_order(&settled);
    covey_i_settled_clear(&settled);
    covey_arena_free(&arena);
    covey_i_free(mark);
    return status;
}

covey_status covey_recipe_join(char **sums, size_t *sums_size, int64_t *n_classes, const covey_recipe *recipe,
                               const covey_joining *joining, const char *folder, const covey_run *run, covey_error *err)
{
    covey_range range = {.path = joining->piece,
                         .n = joining->n_pieces,
                         .n_suppressed = joining->n_suppressed,
                         .first_class = joining->first_class};
    covey_text text = COVEY_TEXT_INIT;
    covey_files files = {0};
    bool *mark;
    covey_status status;

    COVEY_TRY(read_marks(&mark, &recipe->plan, joining->marks, joining->n_marks, err));
    range.mark = mark;
    status = covey_i_merge_range(&text, n_classes, &files, &recipe->plan, &range, folder, run, err);
    covey_i_files_clear(&files);
    covey_i_free(mark);
    if (status == COVEY_OK && !(*sums = malloc(text.size)))
        status = covey_i_no_memory(err);
    if (status == COVEY_OK) {
        memcpy(*sums, text.bytes, text.size);
        *sums_size = text.size;
    }
    covey_i_text_free(&text);
    return status;
}

static covey_status list_files(covey_files *out, const covey_joined *joined, covey_error *err)
{
    for (size_t i = 0; i < joined->n_files; i++) {
        const covey_release_file *from = &joined->file[i];
        covey_file *to;

        COVEY_TRY(covey_i_files_add(out, from->name, from->n_rows, err));
        to = &out->file[out->n - 1];
        to->is_hashed = true;
        to->is_part = from->is_part;
        to->n_classes = from->n_classes;
        to->size_bytes = from->size_bytes;
        memcpy(to->sha256, from->sha256, sizeof to->sha256);
    }
    return COVEY_OK;
}

covey_status covey_recipe_finish(covey_anonymize_report *report, const covey_recipe *recipe, const covey_joined *joined,
                                 const char *folder, const covey_run *run, covey_error *err)
{
    covey_ranges ranges = {.sums = joined->sums, .n = joined->n_sums, .n_suppressed = joined->n_suppressed};
    covey_files files = {0};
    bool *mark = NULL;
    covey_status status;

    memset(report, 0, sizeof *report);
    if ((status = read_marks(&mark, &recipe->plan, joined->marks, joined->n_marks, err)) == COVEY_OK &&
        (status = list_files(&files, joined, err)) == COVEY_OK) {
        ranges.mark = mark;
        status = covey_i_merge_finish(report, &recipe->plan, &ranges, &files, folder, run, err);
    }
    covey_i_free(mark);
    covey_i_files_clear(&files);
    if (status != COVEY_OK)
        covey_anonymize_report_clear(report);
    return status;
}
