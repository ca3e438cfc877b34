/* The second reading of a table that is verified in windows; see windows.h. */
#include "audit/generalized/windows.h"

#include <string.h>

#include "base/error.h"
#include "reader/cells/cells.h"
#include "audit/losses_compare.h"
#include "base/alloc.h"
#include "base/run.h"
#include "base/threads.h"
#include "table/table_impl.h"

struct windows {
    covey_audit *audit;
    covey_opened *o;
    covey_opened_table *table;
    covey_csv_stream *stream;
    covey_survey survey;
    uint32_t n_rows, n_classes; /* of the whole */
    covey_arena_mark *kept;     /* [n_columns] what columns know for good */
    covey_column *text;         /* [n_columns] whole columns with the rows of a window */
    covey_problems *of_column;  /* [n_columns] */
    covey_problems of_order, of_promises;
    covey_audit_sides sides;
    covey_judging judging;
    covey_losses_so_far losses;
    bool any;           /* window was there */
    uint32_t last_size; /* of its last class */
    covey_arena arena, window;
};

static covey_status changed(covey_error *err)
{
    return covey_fail(err, COVEY_EIO, "the release was changed while it was read; start again");
}

/* --- what is known before the first window --- */

static bool is_at_fault(const covey_opened_column *column)
{
    for (uint32_t i = 0; i < column->text->n_values; i++)
        if ((column->fault && column->fault[i]) || (column->cell && column->cell[i].fault))
            return true;
    return false;
}

/* Whole columns are understood once; of the others the digits are known. */
static covey_status start_columns(struct windows *w, covey_error *err)
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

static covey_status start(struct windows *w, covey_error *err)
{
    const size_t n = w->o->n_columns;

    w->kept = covey_arena_array(&w->arena, covey_arena_mark, n);
    w->text = covey_arena_array_zero(&w->arena, covey_column, n);
    w->of_column = covey_arena_array_zero(&w->arena, covey_problems, n);
    w->losses.column = covey_arena_array_zero(&w->arena, covey_loss_sums, w->o->n_quasi);
    if (!w->kept || !w->text || !w->of_column || !w->losses.column)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_trees(w->o, w->audit->present, &w->audit->problems, err));
    COVEY_TRY(start_columns(w, err));
    w->o->groups.n = w->n_classes;
    COVEY_TRY(covey_i_audit_sides_make(&w->sides, w->audit, &w->of_promises, err));
    return covey_i_judge_begin(&w->judging, w->audit->judged, w->o, &w->sides.views, &w->sides.codes, &w->of_promises,
                               &w->sides.arena, err);
}

/* --- one window --- */

static covey_status find_classes(struct windows *w, covey_error *err)
{
    covey_opened_table *table = w->table;
    covey_opened *o = w->o;
    covey_class_numbers numbers = {0};
    covey_problems ignored = COVEY_PROBLEMS_INIT;
    uint32_t *class_start;

    if (w->any) {
        o->n_seen = 1;
        o->first_class += o->n_classes - 1;
    }
    numbers.first = numbers.last = o->first_class;
    class_start = covey_arena_array(&w->window, uint32_t, (size_t)covey_table_column(table->table, 0)->n_values + 1);
    if (!(table->class_start = class_start))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_number_classes(&numbers, class_start, table, &ignored, &ignored, err));
    covey_i_problems_clear(&ignored);
    if (numbers.wrong_text || numbers.wrong_number || (w->any && table->class_start[1] != w->last_size))
        return changed(err);
    table->n_rows = o->n_rows = numbers.n_lines;
    table->n_classes = o->n_classes = numbers.last - numbers.first;
    o->class_start = table->class_start;
    o->groups = (covey_opened_groups){.n = o->n_classes, .start = o->class_start};
    w->last_size = o->class_start[o->n_classes] - o->class_start[o->n_classes - 1];
    return COVEY_OK;
}

/* The rows of a whole column. */
static covey_status take_rows(struct windows *w, size_t i, const covey_column *rows, covey_error *err)
{
    covey_column *text = &w->text[i];
    void *codes = covey_arena_alloc(&w->o->column[i].arena, (size_t)rows->n_rows, (size_t)text->width);

    if (!codes)
        return covey_i_no_memory(err);
    text->codes = codes;
    text->n_rows = rows->n_rows;
    return covey_i_survey_recode(codes, &w->survey.column[i], rows, err);
}

static covey_status read_column(void *context, size_t task, covey_error *err)
{
    struct windows *w = context;
    covey_opened_column *column = &w->o->column[task];
    covey_problems again = COVEY_PROBLEMS_INIT; /* what the first window has found about the column */
    covey_status status;

    covey_arena_rewind(&column->arena, w->kept[task]);
    if (w->survey.column[task].is_whole) {
        const covey_column *rows = column->text;

        column->text = &w->text[task];
        COVEY_TRY(take_rows(w, task, rows, err));
    } else {
        status = covey_i_cells_read(column, w->any ? &again : &w->of_column[task], err);
        covey_i_problems_clear(&again);
        COVEY_TRY(status);
    }
    return covey_i_opened_column_lines(column, w->o, &w->of_column[task], err);
}

static covey_status check_window(struct windows *w, covey_error *err)
{
    const covey_run *run = w->audit->run;

    COVEY_TRY(covey_i_run_goes_on(run, "judge the classes", 0, 0, err));
    covey_i_opened_bind(w->table);
    COVEY_TRY(find_classes(w, err));
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), w->o->n_columns, read_column, w, err));
    COVEY_TRY(covey_i_quasi_codes_of_classes(&w->sides.codes, w->o, &w->window, err));
    COVEY_TRY(covey_i_order_check(&w->of_order, w->o, run, err));
    COVEY_TRY(covey_i_judge_groups(&w->judging, &w->of_promises, run, err));
    covey_i_losses_add(&w->losses, w->o);
    w->any = true;
    return COVEY_OK;
}

static covey_status check_all(struct windows *w, covey_error *err)
{
    covey_status status = COVEY_OK;

    while (status == COVEY_OK) {
        COVEY_TRY(covey_i_csv_stream_next_runs(&w->table->table, w->stream, err));
        if (!w->table->table)
            break;
        status = check_window(w, err);
        covey_table_free(w->table->table);
        w->table->table = NULL;
        covey_arena_free(&w->window);
    }
    if (status == COVEY_OK && w->o->first_class + w->o->n_classes != w->n_classes)
        return changed(err);
    return status;
}

/* --- the verdict --- */

/* In the order of a table that is read at once. */
static covey_status finish(struct windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;
    covey_attribute_losses *losses;

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

static covey_status check(struct windows *w, covey_error *err)
{
    covey_opened *o = w->o;

    COVEY_TRY(covey_i_survey_make(&w->survey, o, w->table, w->stream, covey_i_audit_wants_ranges(w->audit->stated),
                                  NULL, &w->audit->problems, w->audit->run, err));
    if (w->survey.has_header) {
        o->usable = w->table->usable;
        w->n_rows = o->n_rows = w->table->n_rows;
        w->n_classes = o->n_classes = w->table->n_classes;
        covey_i_opened_compare_counts(o, w->table, &w->audit->problems);
        covey_i_opened_find_unused(o, &w->audit->problems);
    }
    if (!o->usable) {
        covey_i_audit_opened(w->audit);
        return COVEY_OK;
    }
    COVEY_TRY(start(w, err));
    COVEY_TRY(check_all(w, err));
    COVEY_TRY(covey_i_csv_stream_unchanged(w->stream, err));
    return finish(w, err);
}

covey_status covey_i_windows_check(covey_audit *audit, covey_opened_table *table, covey_csv_stream *stream,
                                   covey_error *err)
{
    struct windows w = {.audit = audit, .o = audit->opened, .table = table, .stream = stream};
    covey_status status = check(&w, err);

    for (size_t i = 0; w.of_column && i < w.o->n_columns; i++)
        covey_i_problems_clear(&w.of_column[i]);
    covey_i_problems_clear(&w.of_order);
    covey_i_problems_clear(&w.of_promises);
    covey_i_audit_sides_clear(&w.sides);
    covey_i_survey_clear(&w.survey);
    covey_arena_free(&w.window);
    covey_arena_free(&w.arena);
    return status;
}
