/* Perturbed releases that memory does not hold, accepted in windows of table.csv.
 *
 * One reading is enough.  Cells are published as they are, so what one means, and where it stands in its column's
 * order, does not depend on the others; of the whole only the values of the sensitive columns with their counts are
 * kept, and how many digits and how large numbers are.  Each window ends with the row that the next begins with, so
 * that all neighbours are compared. */
#include "audit/perturbed/perturbed.h"

#include "base/error.h"
#include "base/threads.h"
#include "reader/cells/cells.h"
#include "table/table_impl.h"

/* What is known behind the windows so far. */
struct own {
    int64_t *largest;  /* [n_columns] of a column's absolute values, in units of the last digit */
    uint32_t n_rows;   /* before the window */
    uint32_t n_new;    /* rows of it, without the first of the next one */
    uint32_t start[2]; /* of its only class */
};

static covey_status open_tables(covey_windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    bool usable;

    COVEY_TRY(covey_i_windows_open(&w->rows, w, COVEY_PERTURBED_ROWS, NULL, err));
    COVEY_TRY(covey_i_perturbed_read_values(&usable, w->o, audit->present, &audit->problems, audit->run, err));
    covey_i_opened_find_unused(w->o, &audit->problems);
    w->refused |= !usable;
    if (!w->refused)
        covey_i_perturbed_expect(w->rows.table, w->o);
    return COVEY_OK;
}

static covey_status begin(covey_windows *w, covey_error *err)
{
    struct own *own = w->own = covey_arena_array_zero(&w->o->arena, struct own, 1);

    if (!own || !(own->largest = covey_arena_array_zero(&w->arena, int64_t, w->o->n_columns)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_survey_start(&w->survey, w->o, false, err));
    COVEY_TRY(covey_i_opened_trees(w->o, w->audit->present, &w->audit->problems, err));
    for (size_t i = 0; i < w->o->n_columns; i++)
        w->kept[i] = covey_arena_save(&w->o->column[i].arena);
    w->o->usable = true;
    return COVEY_OK;
}

/* --- one window --- */

/* The numbers of other windows have to bear this one's digits, and the other way round. */
static void measure(int64_t *largest, int *scale, covey_opened_column *column)
{
    column->usable = covey_i_cell_rescale(largest, *scale, column->scale);
    *scale = column->scale;
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const int64_t number = column->number[i], size = number == INT64_MIN /* missing */ ? 0
                                                         : number < 0                      ? -number
                                                                                           : number;

        *largest = size > *largest ? size : *largest;
    }
}

static covey_status read_column(void *context, size_t task, covey_error *err)
{
    covey_windows *w = context;
    struct own *own = w->own;
    covey_surveyed_column *s = &w->survey.column[task];
    covey_opened_column *column = &w->o->column[task];
    const uint32_t *code;

    covey_arena_rewind(&column->arena, w->kept[task]);
    column->least_scale = s->scale;
    COVEY_TRY(covey_i_cells_read(column, &w->of_column[task], err));
    for (uint32_t i = 0; column->fault && i < column->text->n_values; i++)
        column->usable &= column->fault[i] == NULL;
    if (column->stated->type != COVEY_TYPE_TEXT && !column->tree && column->usable)
        measure(&own->largest[task], &s->scale, column);
    return s->is_whole ? covey_i_survey_add(&code, s, column->text, own->n_new, NULL, &column->arena, err) : COVEY_OK;
}

static covey_status check_window(covey_windows *w, covey_error *err)
{
    struct own *own = w->own;
    const int64_t n = covey_table_n_rows(w->rows.table->table);
    const bool is_last = covey_i_csv_stream_is_at_end(w->rows.stream);
    bool ascends;

    if (own->n_rows == 0 && !covey_i_opened_has_header(w->rows.table, &w->audit->problems))
        return COVEY_OK;
    if (n < 1 + !is_last || n + own->n_rows >= UINT32_MAX) {
        w->refused = true;
        return COVEY_OK;
    }
    covey_i_opened_bind(w->rows.table);
    own->n_new = (uint32_t)n - !is_last;
    w->o->n_rows = own->start[1] = (uint32_t)n;
    w->o->class_start = own->start;
    COVEY_TRY(covey_i_parallel(covey_run_threads(w->audit->run), w->o->n_columns, read_column, w, err));
    w->refused = covey_i_windows_is_refused(w) || !covey_i_opened_all_usable(w->o);
    if (w->refused)
        return COVEY_OK;
    COVEY_TRY(covey_i_perturbed_ascends(&ascends, w->o, w->audit->run, err));
    w->refused = !ascends;
    own->n_rows += own->n_new;
    return COVEY_OK;
}

/* --- all of it --- */

/* The sensitive columns with all their values, but without rows; of the others nothing is asked any more. */
static covey_status finish_columns(covey_windows *w, covey_error *err)
{
    for (size_t i = 0; i < w->o->n_columns; i++) {
        covey_opened_column *column = &w->o->column[i];
        covey_surveyed_column *s = &w->survey.column[i];

        covey_arena_rewind(&column->arena, w->kept[i]);
        column->text = NULL;
        if (!s->is_whole)
            continue;
        COVEY_TRY(covey_i_survey_finish_column(s, column->stated->name, err));
        column->text = s->text;
        column->count = s->count;
        column->least_scale = s->scale;
        COVEY_TRY(covey_i_cells_read(column, &w->audit->problems, err));
    }
    return COVEY_OK;
}

static covey_status end(covey_windows *w, covey_error *err)
{
    struct own *own = w->own;
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;

    COVEY_TRY(finish_columns(w, err));
    own->start[1] = w->rows.table->n_rows = o->n_rows = own->n_rows;
    w->rows.table->usable = true;
    o->groups = (covey_opened_groups){.n = 1, .start = own->start};
    covey_i_perturbed_compare_counts(&audit->problems, o, w->rows.table);
    covey_i_audit_opened(audit);
    COVEY_TRY(covey_i_audit_judge_by(audit, covey_i_perturbed_judge, NULL, err));
    return covey_i_audit_figures(audit, err);
}

const covey_windows_form covey_i_perturbed_windows = {
    .phase = "judge the probabilities",
    .accepts = true,
    .open = open_tables,
    .begin = begin,
    .next = covey_i_csv_stream_next_overlapping,
    .check = check_window,
    .end = end,
};
