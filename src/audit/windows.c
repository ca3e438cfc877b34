/* Reading windows of a release one after another, and checking each. */
#include "audit/windows.h"

#include "audit/losses_compare.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "reader/cells/cells.h"
#include "table/table_impl.h"

static covey_status changed(covey_error *err)
{
    return covey_fail(err, COVEY_EIO, "the release was changed while it was read; start again");
}

/* --- before the first window --- */

covey_status covey_i_windows_open(covey_streamed_table *out, covey_windows *w, const char *file, const char *number,
                                  covey_error *err)
{
    covey_audit *audit = w->audit;

    COVEY_TRY(covey_i_opened_stream(&out->table, &out->stream, w->o, file, number, audit->present, w->size,
                                    &audit->problems, audit->run, err));
    w->refused |= !out->table || covey_i_csv_stream_is_at_end(out->stream);
    return COVEY_OK;
}

static covey_status survey(covey_windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;
    const covey_opened_table *rows = w->rows.table, *values = w->values.table;
    bool has_header;

    COVEY_TRY(covey_i_survey_start(&w->survey, o, covey_i_audit_wants_ranges(audit->stated), err));
    COVEY_TRY(covey_i_survey_read(&w->survey, audit, &w->rows, err));
    has_header = w->survey.has_header;
    if (values)
        COVEY_TRY(covey_i_survey_read(&w->survey, audit, &w->values, err));
    o->usable = rows->usable && (!values || (values->usable && values->n_classes == rows->n_classes));
    o->n_rows = w->n_rows = rows->n_rows;
    o->n_classes = o->groups.n = w->n_classes = rows->n_classes;
    if (!has_header)
        return COVEY_OK;
    covey_i_opened_compare_counts(o, rows, &audit->problems);
    if (values)
        covey_i_opened_compare_lines(o, values, &audit->problems);
    covey_i_opened_find_unused(o, &audit->problems);
    return COVEY_OK;
}

static bool is_at_fault(const covey_opened_column *column)
{
    for (uint32_t i = 0; i < column->text->n_values; i++)
        if ((column->fault && column->fault[i]) || (column->cell && column->cell[i].fault))
            return true;
    return false;
}

/* Whole columns are understood once; of the others the digits are known. */
static covey_status start_columns(covey_windows *w, covey_error *err)
{
    covey_opened *o = w->o;

    for (size_t i = 0; i < o->n_columns; i++) {
        const covey_surveyed_column *s = &w->survey.column[i];
        covey_opened_column *column = &o->column[i];

        column->least_scale = s->scale;
        if (s->is_whole) {
            w->text[i] = *s->text;
            column->text = &w->text[i];
            column->count = s->count;
            COVEY_TRY(covey_i_cells_read(column, &w->of_column[i], err));
            column->usable = column->usable && !s->is_mixed && !is_at_fault(column);
        }
        w->kept[i] = covey_arena_save(&column->arena);
    }
    return COVEY_OK;
}

covey_status covey_i_windows_begin_classes(covey_windows *w, covey_error *err)
{
    covey_opened *o = w->o;

    COVEY_TRY(survey(w, err));
    if (!o->usable || covey_i_windows_is_refused(w))
        return COVEY_OK;
    w->text = covey_arena_array_zero(&w->arena, covey_column, o->n_columns);
    w->losses.column = covey_arena_array_zero(&w->arena, covey_loss_sums, o->n_quasi);
    if (!w->text || !w->losses.column)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_trees(o, w->audit->present, &w->audit->problems, err));
    COVEY_TRY(start_columns(w, err));
    COVEY_TRY(covey_i_audit_sides_make(&w->sides, w->audit, &w->of_promises, err));
    return covey_i_judge_begin(&w->judging, w->audit->judged, o, &w->sides.views, &w->sides.codes, &w->of_promises,
                               &w->sides.arena, err);
}

/* --- one window --- */

static covey_status number_classes(covey_windows *w, covey_opened_table *table, covey_error *err)
{
    covey_class_numbers numbers = {.first = w->o->first_class, .last = w->o->first_class};
    covey_problems ignored = COVEY_PROBLEMS_INIT;
    uint32_t *start =
        covey_arena_array(&w->window, uint32_t, (size_t)covey_table_column(table->table, 0)->n_values + 1);
    covey_status status;

    if (!(table->class_start = start))
        return covey_i_no_memory(err);
    covey_i_opened_bind(table);
    status = covey_i_opened_number_classes(&numbers, start, table, &ignored, &ignored, err);
    covey_i_problems_clear(&ignored);
    COVEY_TRY(status);
    if (numbers.wrong_text || numbers.wrong_number)
        return changed(err);
    table->n_rows = numbers.n_lines;
    table->n_classes = numbers.last - numbers.first;
    return COVEY_OK;
}

covey_status covey_i_windows_find_classes(covey_windows *w, covey_error *err)
{
    covey_opened *o = w->o;
    covey_opened_table *rows = w->rows.table;

    if (w->any) {
        o->n_seen = 1;
        o->first_class += o->n_classes - 1;
    }
    COVEY_TRY(number_classes(w, rows, err));
    if (w->any && rows->class_start[1] != w->last_size)
        return changed(err);
    w->any = true;
    o->n_rows = rows->n_rows;
    o->n_classes = rows->n_classes;
    o->class_start = rows->class_start;
    o->groups = (covey_opened_groups){.n = o->n_classes, .start = o->class_start};
    w->last_size = o->class_start[o->n_classes] - o->class_start[o->n_classes - 1];
    return COVEY_OK;
}

covey_status covey_i_windows_find_values(covey_windows *w, covey_error *err)
{
    covey_opened *o = w->o;
    covey_opened_table *values = w->values.table;

    COVEY_TRY(
        covey_i_csv_stream_next_to(&values->table, w->values.stream, (uint64_t)o->first_class + o->n_classes, err));
    if (!values->table)
        return changed(err);
    COVEY_TRY(number_classes(w, values, err));
    if (values->n_classes != o->n_classes)
        return changed(err);
    o->groups.start = values->class_start;
    return COVEY_OK;
}

/* The lines of a whole column. */
static covey_status take_lines(covey_windows *w, size_t i, const covey_column *lines, covey_error *err)
{
    covey_column *text = &w->text[i];
    void *codes = covey_arena_alloc(&w->o->column[i].arena, (size_t)lines->n_rows, (size_t)text->width);

    if (!codes)
        return covey_i_no_memory(err);
    text->codes = codes;
    text->n_rows = lines->n_rows;
    w->o->column[i].text = text;
    return covey_i_survey_recode(codes, &w->survey.column[i], lines, err);
}

/* What there is to say of a column but for its cells, each window would say. */
static covey_status read_column(void *context, size_t task, covey_error *err)
{
    covey_windows *w = context;
    covey_opened_column *column = &w->o->column[task];
    covey_problems again = COVEY_PROBLEMS_INIT;
    covey_status status;

    covey_arena_rewind(&column->arena, w->kept[task]);
    if (w->survey.column[task].is_whole)
        status = take_lines(w, task, column->text, err);
    else
        status = covey_i_cells_read(column, w->o->n_seen > 0 ? &again : &w->of_column[task], err);
    covey_i_problems_clear(&again);
    return status == COVEY_OK ? covey_i_opened_column_lines(column, w->o, &w->of_column[task], err) : status;
}

covey_status covey_i_windows_read_columns(covey_windows *w, covey_error *err)
{
    return covey_i_parallel(covey_run_threads(w->audit->run), w->o->n_columns, read_column, w, err);
}

covey_status covey_i_windows_judge(covey_windows *w, covey_error *err)
{
    COVEY_TRY(covey_i_quasi_codes_of_classes(&w->sides.codes, w->o, &w->window, err));
    COVEY_TRY(covey_i_judge_groups(&w->judging, &w->of_promises, w->audit->run, err));
    covey_i_losses_add(&w->losses, w->o);
    return COVEY_OK;
}

/* --- the verdict --- */

/* In the order of a table that is read at once. */
covey_status covey_i_windows_end_classes(covey_windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;
    covey_attribute_losses *losses;

    if (o->first_class + o->n_classes != w->n_classes)
        return changed(err);
    COVEY_TRY(covey_i_judge_end(&w->judging, &w->of_promises, &w->sides.arena, err));
    o->n_rows = w->n_rows;
    o->n_classes = w->n_classes;
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_problems_move(&audit->problems, &w->of_column[i]);
    covey_i_audit_opened(audit);
    if (covey_i_opened_all_usable(o))
        covey_i_problems_move(&audit->problems, &w->of_order);
    covey_i_problems_move(&audit->problems, &w->of_promises);
    COVEY_TRY(covey_i_audit_finish_promises(audit, err));
    if (!covey_i_opened_all_usable(o))
        return COVEY_OK;
    if (!(losses = covey_arena_array(&w->arena, covey_attribute_losses, o->n_quasi)))
        return covey_i_no_memory(err);
    covey_i_losses_finish(&audit->figures, losses, &w->losses, o);
    covey_i_losses_compare(&audit->problems, &audit->figures, losses, o);
    return COVEY_OK;
}

/* --- the walk --- */

bool covey_i_windows_is_refused(const covey_windows *w)
{
    int64_t n_found = w->audit->problems.n_found + w->of_order.n_found + w->of_promises.n_found;

    for (size_t i = 0; w->of_column && i < w->o->n_columns; i++)
        n_found += w->of_column[i].n_found;
    return w->refused || (w->form->accepts && n_found > 0);
}

static covey_status start(covey_windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;

    COVEY_TRY(covey_i_opened_new(&audit->opened, audit->folder, audit->stated, err));
    w->o = audit->opened;
    w->kept = covey_arena_array(&w->arena, covey_arena_mark, w->o->n_columns);
    w->of_column = covey_arena_array_zero(&w->arena, covey_problems, w->o->n_columns);
    if (!w->kept || !w->of_column)
        return covey_i_no_memory(err);
    COVEY_TRY(w->form->open(w, err));
    if (covey_i_windows_is_refused(w))
        return COVEY_OK;
    COVEY_TRY(w->form->begin(w, err));
    if (w->o->usable)
        return COVEY_OK;
    w->refused |= w->form->accepts;
    covey_i_audit_opened(audit);
    return COVEY_OK;
}

static void close_window(covey_windows *w)
{
    covey_streamed_table *table[] = {&w->rows, &w->values};

    for (size_t i = 0; i < 2; i++)
        if (table[i]->table) {
            covey_table_free(table[i]->table->table);
            table[i]->table->table = NULL;
        }
    covey_arena_free(&w->window);
}

static covey_status walk(covey_windows *w, covey_error *err)
{
    const covey_windows_form *form = w->form;
    covey_status status = start(w, err);

    while (status == COVEY_OK && w->o->usable && !covey_i_windows_is_refused(w)) {
        COVEY_TRY(form->next(&w->rows.table->table, w->rows.stream, err));
        if (!w->rows.table->table) {
            COVEY_TRY(covey_i_csv_stream_unchanged(w->rows.stream, err));
            if (w->values.stream)
                COVEY_TRY(covey_i_csv_stream_unchanged(w->values.stream, err));
            return form->end(w, err);
        }
        if ((status = covey_i_run_goes_on(w->audit->run, form->phase, 0, 0, err)) == COVEY_OK)
            status = form->check(w, err);
        close_window(w);
    }
    return status;
}

static void clear(covey_windows *w)
{
    if (w->own && w->form->clear)
        w->form->clear(w);
    for (size_t i = 0; w->of_column && i < w->o->n_columns; i++)
        covey_i_problems_clear(&w->of_column[i]);
    covey_i_problems_clear(&w->of_order);
    covey_i_problems_clear(&w->of_promises);
    covey_i_audit_sides_clear(&w->sides);
    covey_i_survey_clear(&w->survey);
    covey_i_csv_stream_close(w->rows.stream);
    covey_i_csv_stream_close(w->values.stream);
    covey_arena_free(&w->window);
    covey_arena_free(&w->arena);
}

/* What is about all rows at once takes the whole tables: the original, and combinations of sensitive values. */
static bool may_be_windowed(const covey_audit *audit, const covey_windows_form *form)
{
    const covey_stated *stated = audit->stated;

    for (size_t i = 0; form->accepts && i < stated->n_columns; i++)
        if (stated->column[i].publish != COVEY_PUBLISH_VALUE)
            return false;
    return !audit->original && !covey_i_audit_wants_joint(stated) && stated->joint.n_attributes == 0;
}

static void forget(covey_audit *audit, const covey_release_figures *figures)
{
    covey_i_problems_clear(&audit->problems);
    covey_i_opened_free(audit->opened);
    audit->opened = NULL;
    audit->figures = *figures;
    for (size_t p = 0; p < audit->stated->n_promises; p++)
        audit->judged[p] = (covey_judged){.promise.stated = &audit->stated->promise[p]};
}

/* A table that is none when it is read in pieces may be one, too. */
covey_status covey_i_windows_check(bool *done, covey_audit *audit, const covey_windows_form *form, size_t size,
                                   covey_error *err)
{
    covey_windows w = {.form = form, .audit = audit, .size = size};
    covey_problems before = audit->problems;
    const covey_release_figures figures = audit->figures;
    covey_status status;

    *done = false;
    if (!may_be_windowed(audit, form))
        return COVEY_OK;
    audit->problems = (covey_problems)COVEY_PROBLEMS_INIT;
    status = walk(&w, err);
    *done = status == COVEY_OK && !covey_i_windows_is_refused(&w);
    clear(&w);
    if (!*done)
        forget(audit, &figures);
    covey_i_problems_move(&before, &audit->problems);
    audit->problems = before;
    return form->accepts && (status == COVEY_EPARSE || status == COVEY_EIO) ? COVEY_OK : status;
}
