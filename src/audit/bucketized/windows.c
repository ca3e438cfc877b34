/* Bucketized releases that memory does not hold, accepted in windows of whole groups (windows.h).
 *
 * The tables are read twice, as a generalized one is: surveys find the values, how often each stands there and how
 * groups are numbered; then come windows of quasi.csv, each with the lines of sensitive.csv and help.csv that are of
 * the same groups, and with the last group of the window before in front.  This way is right in one direction only:
 * what is wrong, or written in an unusual way, is not accepted, and who reads all at once says what it is. */
#include "audit/bucketized/bucketized.h"

#include <string.h>

#include "base/error.h"
#include "reader/contents.h"
#include "audit/losses_compare.h"
#include "audit/generalized/windows.h"
#include "base/alloc.h"
#include "base/run.h"
#include "base/threads.h"
#include "table/table_impl.h"

struct windows {
    covey_audit *audit; /* its problems: of this reading alone */
    covey_opened *o;
    covey_opened_buckets *b;
    covey_opened_table *rows, *values;
    covey_csv_stream *row_stream, *value_stream;
    covey_survey of_rows, of_values;
    bool refused;
    covey_arena_mark *kept;    /* [n_columns] what columns know for good */
    covey_column text;         /* the sensitive column with the lines of a window */
    covey_problems *of_column; /* [n_columns] */
    int64_t *number;
    int scale; /* of its values; NULL: not needed */
    bool has_help, has_errors;
    covey_help_reading help;
    covey_bucket_errors errors;
    covey_audit_sides sides;
    covey_judging judging;
    covey_losses_so_far losses;
    bool any; /* window was there */
    covey_arena arena, window;
};

static bool is_refused(const struct windows *w)
{
    return w->refused || w->audit->problems.n_found > 0;
}

/* --- before the first window --- */

/* What is about all rows at once takes the whole tables. */
static bool may_be_windowed(const covey_audit *audit)
{
    const covey_stated *stated = audit->stated;

    for (size_t i = 0; i < stated->n_columns; i++)
        if (stated->column[i].publish != COVEY_PUBLISH_VALUE)
            return false;
    return !audit->original && !covey_i_audit_wants_joint(stated) && stated->joint.n_attributes == 0 &&
           stated->n_promises > 0;
}

static covey_status open_streams(struct windows *w, size_t window, covey_error *err)
{
    covey_audit *audit = w->audit;

    COVEY_TRY(covey_i_opened_new(&audit->opened, audit->folder, audit->stated, err));
    w->o = audit->opened;
    if (!(w->o->form_data = w->b = covey_arena_array_zero(&w->o->arena, covey_opened_buckets, 1)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_bucketized_find_columns(w->b, w->o, &audit->problems, err));
    if (is_refused(w))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_stream(&w->rows, &w->row_stream, w->o, COVEY_BUCKETS_ROWS, "group", audit->present, window,
                                    &audit->problems, audit->run, err));
    COVEY_TRY(covey_i_opened_stream(&w->values, &w->value_stream, w->o, COVEY_BUCKETS_VALUES, "group", audit->present,
                                    window, &audit->problems, audit->run, err));
    if (!w->rows || !w->values || covey_i_csv_stream_is_at_end(w->row_stream) ||
        covey_i_csv_stream_is_at_end(w->value_stream))
        w->refused = true;
    covey_i_bucketized_expect(w->rows, w->values, w->b);
    return COVEY_OK;
}

/* Of a line that counts nothing nobody asks: its window is refused. */
static covey_status find_weights(const int64_t **out, const covey_opened_table *values, covey_arena *arena,
                                 covey_error *err)
{
    bool fine;

    return covey_i_bucketized_counts(&fine, out, values, arena, err);
}

static covey_status survey(struct windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;

    COVEY_TRY(
        covey_i_survey_make(&w->of_rows, o, w->rows, w->row_stream, false, NULL, &audit->problems, audit->run, err));
    COVEY_TRY(covey_i_survey_make(&w->of_values, o, w->values, w->value_stream, false, find_weights, &audit->problems,
                                  audit->run, err));
    o->usable = w->rows->usable && w->values->usable && w->rows->n_classes == w->values->n_classes;
    o->n_rows = w->rows->n_rows;
    o->n_classes = o->groups.n = w->rows->n_classes;
    covey_i_opened_compare_counts(o, w->rows, &audit->problems);
    covey_i_opened_compare_lines(o, w->values, &audit->problems);
    w->refused = !o->usable;
    return COVEY_OK;
}

static covey_status open_help(struct windows *w, covey_error *err)
{
    covey_opened *o = w->o;
    const int file = covey_i_stated_file(o->stated, COVEY_BUCKETS_HELP);
    const char *path;

    if (!(w->has_help = covey_i_bucketized_has_help(o, w->b)))
        return COVEY_OK;
    if (file < 0 || !w->audit->present[file]) {
        w->refused = true;
        return COVEY_OK;
    }
    covey_i_opened_leave_out(o, COVEY_BUCKETS_HELP, &w->audit->problems);
    o->table[o->n_tables - 1].n_rows = w->rows->n_rows;
    covey_i_opened_compare_lines(o, &o->table[o->n_tables - 1], &w->audit->problems);
    if (!(path = covey_i_contents_path(&w->arena, o->folder, COVEY_BUCKETS_HELP)))
        return covey_i_no_memory(err);
    return covey_i_help_reading_open(&w->help, path, err);
}

/* The sensitive column is understood once; of the others the digits are known. */
static covey_status start_columns(struct windows *w, covey_error *err)
{
    covey_opened *o = w->o;
    const size_t sensitive = (size_t)(w->b->sensitive - o->column);
    covey_opened_column *column = &o->column[sensitive];
    bool fine;

    for (size_t i = 0; i < o->n_columns; i++)
        o->column[i].least_scale = i == sensitive ? w->of_values.column[i].scale : w->of_rows.column[i].scale;
    w->text = *w->of_values.column[sensitive].text;
    column->text = &w->text;
    column->count = w->of_values.column[sensitive].count;
    COVEY_TRY(covey_i_cells_read(column, &w->audit->problems, err));
    w->has_errors = covey_i_bucketized_has_errors(o->stated);
    if (w->has_help || w->has_errors) {
        COVEY_TRY(covey_i_bucketized_numbers(&w->number, &w->scale, &fine, w->b, &w->arena, err));
        w->refused |= !fine;
    }
    for (size_t i = 0; i < o->n_columns; i++)
        w->kept[i] = covey_arena_save(&o->column[i].arena);
    return COVEY_OK;
}

static covey_status start(struct windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;

    w->kept = covey_arena_array(&w->arena, covey_arena_mark, w->o->n_columns);
    w->of_column = covey_arena_array_zero(&w->arena, covey_problems, w->o->n_columns);
    w->losses.column = covey_arena_array_zero(&w->arena, covey_loss_sums, w->o->n_quasi);
    if (!w->kept || !w->of_column || !w->losses.column)
        return covey_i_no_memory(err);
    COVEY_TRY(open_help(w, err));
    covey_i_opened_find_unused(w->o, &audit->problems);
    COVEY_TRY(covey_i_opened_trees(w->o, audit->present, &audit->problems, err));
    COVEY_TRY(start_columns(w, err));
    COVEY_TRY(covey_i_audit_sides_make(&w->sides, audit, &audit->problems, err));
    return covey_i_judge_begin(&w->judging, audit->judged, w->o, &w->sides.views, &w->sides.codes, &audit->problems,
                               &w->sides.arena, err);
}

/* --- one window --- */

static covey_status number_groups(struct windows *w, covey_opened_table *table, covey_error *err)
{
    covey_class_numbers numbers = {.first = w->o->first_class, .last = w->o->first_class};
    uint32_t *start =
        covey_arena_array(&w->window, uint32_t, (size_t)covey_table_column(table->table, 0)->n_values + 1);

    if (!(table->class_start = start))
        return covey_i_no_memory(err);
    covey_i_opened_bind(table);
    COVEY_TRY(covey_i_opened_number_classes(&numbers, start, table, &w->audit->problems, &w->audit->problems, err));
    table->n_rows = numbers.n_lines;
    table->n_classes = numbers.last - numbers.first;
    return COVEY_OK;
}

/* Groups have as many rows as sensitive.csv counts. */
static bool sizes_agree(const struct windows *w)
{
    for (uint32_t g = 0; g < w->rows->n_classes; g++)
        if (covey_i_bucketized_counted_rows(w->b, g) != (int64_t)w->rows->class_start[g + 1] - w->rows->class_start[g])
            return false;
    return true;
}

/* The groups of the window's rows, and what sensitive.csv says of them. */
static covey_status find_groups(struct windows *w, covey_error *err)
{
    covey_opened *o = w->o;

    if (w->any) {
        o->n_seen = 1;
        o->first_class += o->n_classes - 1;
    }
    COVEY_TRY(number_groups(w, w->rows, err));
    if (is_refused(w))
        return COVEY_OK;
    COVEY_TRY(covey_i_csv_stream_next_to(&w->values->table, w->value_stream,
                                         (uint64_t)o->first_class + w->rows->n_classes, err));
    if ((w->refused = !w->values->table))
        return COVEY_OK;
    COVEY_TRY(number_groups(w, w->values, err));
    w->b->rows = w->rows;
    w->b->values = w->values;
    COVEY_TRY(covey_i_bucketized_counts(&w->b->is_counted, &w->b->count, w->values, &w->window, err));
    w->refused = is_refused(w) || w->rows->n_classes != w->values->n_classes || !w->b->is_counted || !sizes_agree(w);
    o->n_rows = w->rows->n_rows;
    o->n_classes = w->rows->n_classes;
    o->class_start = w->rows->class_start;
    o->groups = (covey_opened_groups){.n = o->n_classes, .start = w->values->class_start, .count = w->b->count};
    return COVEY_OK;
}

/* The lines of the sensitive column. */
static covey_status take_lines(struct windows *w, covey_opened_column *column, covey_error *err)
{
    const covey_column *lines = column->text;
    void *codes = covey_arena_alloc(&column->arena, (size_t)lines->n_rows, (size_t)w->text.width);

    if (!codes)
        return covey_i_no_memory(err);
    w->text.codes = codes;
    w->text.n_rows = lines->n_rows;
    column->text = &w->text;
    return covey_i_survey_recode(codes, &w->of_values.column[column - w->o->column], lines, err);
}

static covey_status read_column(void *context, size_t task, covey_error *err)
{
    struct windows *w = context;
    covey_opened_column *column = &w->o->column[task];

    covey_arena_rewind(&column->arena, w->kept[task]);
    if (column == w->b->sensitive)
        COVEY_TRY(take_lines(w, column, err));
    else
        COVEY_TRY(covey_i_cells_read(column, &w->of_column[task], err));
    return covey_i_opened_column_lines(column, w->o, &w->of_column[task], err);
}

static covey_status judge_window(struct windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;

    COVEY_TRY(covey_i_parallel(covey_run_threads(audit->run), o->n_columns, read_column, w, err));
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_problems_move(&audit->problems, &w->of_column[i]);
    w->refused = is_refused(w) || !covey_i_opened_all_usable(o);
    if (w->refused)
        return COVEY_OK;
    COVEY_TRY(covey_i_bucketized_check_order(&audit->problems, o, w->b, audit->run, err));
    if (w->has_help) {
        COVEY_TRY(covey_i_bucketized_help_compare(&w->help, o, w->b, w->number, w->scale, audit->run, err));
        w->refused = !w->help.at;
    }
    if (w->has_errors)
        covey_i_bucketized_errors_add(&w->errors, o, w->b, w->number);
    COVEY_TRY(covey_i_judge_groups(&w->judging, &audit->problems, audit->run, err));
    covey_i_losses_add(&w->losses, o);
    w->any = true;
    return COVEY_OK;
}

static covey_status check_window(struct windows *w, covey_error *err)
{
    covey_status status;

    COVEY_TRY(covey_i_run_goes_on(w->audit->run, "judge the groups", 0, 0, err));
    status = find_groups(w, err);
    if (status == COVEY_OK && !is_refused(w))
        status = judge_window(w, err);
    covey_table_free(w->rows->table);
    covey_table_free(w->values->table);
    w->rows->table = w->values->table = NULL;
    covey_arena_free(&w->window);
    return status;
}

/* --- all of it --- */

static covey_status finish(struct windows *w, uint32_t n_rows, uint32_t n_groups, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;
    covey_attribute_losses *losses = covey_arena_array(&w->arena, covey_attribute_losses, o->n_quasi);
    bool follows = true;

    if (!losses)
        return covey_i_no_memory(err);
    w->refused = o->first_class + o->n_classes != n_groups || !covey_i_csv_stream_is_at_end(w->value_stream);
    o->n_rows = n_rows;
    o->n_classes = n_groups;
    COVEY_TRY(covey_i_csv_stream_unchanged(w->row_stream, err));
    COVEY_TRY(covey_i_csv_stream_unchanged(w->value_stream, err));
    if (w->has_help)
        COVEY_TRY(covey_i_help_reading_end(&follows, &w->help, err));
    w->refused |= !follows;
    if (w->has_errors)
        covey_i_bucketized_errors_compare(&audit->problems, o->stated, &w->errors, w->scale);
    COVEY_TRY(covey_i_judge_end(&w->judging, &audit->problems, &w->sides.arena, err));
    covey_i_audit_opened(audit);
    COVEY_TRY(covey_i_audit_finish_promises(audit, err));
    covey_i_losses_finish(&audit->figures, losses, &w->losses, o);
    covey_i_losses_compare(&audit->problems, &audit->figures, losses, o);
    return COVEY_OK;
}

static covey_status accept(struct windows *w, size_t window, covey_error *err)
{
    uint32_t n_rows, n_groups;

    COVEY_TRY(open_streams(w, window, err));
    if (is_refused(w))
        return COVEY_OK;
    COVEY_TRY(survey(w, err));
    n_rows = w->rows->n_rows;
    n_groups = w->rows->n_classes;
    if (is_refused(w))
        return COVEY_OK;
    COVEY_TRY(start(w, err));
    while (!is_refused(w)) {
        COVEY_TRY(covey_i_csv_stream_next_runs(&w->rows->table, w->row_stream, err));
        if (!w->rows->table)
            return finish(w, n_rows, n_groups, err);
        COVEY_TRY(check_window(w, err));
    }
    return COVEY_OK;
}

static void clear(struct windows *w)
{
    for (size_t i = 0; w->of_column && i < w->o->n_columns; i++)
        covey_i_problems_clear(&w->of_column[i]);
    covey_i_audit_sides_clear(&w->sides);
    covey_i_survey_clear(&w->of_rows);
    covey_i_survey_clear(&w->of_values);
    covey_i_help_reading_close(&w->help);
    covey_i_csv_stream_close(w->row_stream);
    covey_i_csv_stream_close(w->value_stream);
    covey_arena_free(&w->window);
    covey_arena_free(&w->arena);
}

static covey_status attempt(bool *fine, covey_audit *audit, size_t window, covey_error *err)
{
    struct windows w = {.audit = audit};
    const covey_status status = accept(&w, window, err);

    *fine = !is_refused(&w);
    clear(&w);
    return status;
}

covey_status covey_i_bucketized_accept(bool *accepted, covey_audit *audit, size_t window, covey_error *err)
{
    *accepted = false;
    return may_be_windowed(audit) ? covey_i_audit_accept(accepted, audit, window, attempt, err) : COVEY_OK;
}
