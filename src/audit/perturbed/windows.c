/* Perturbed releases that memory does not hold, accepted in windows of table.csv (windows.h).
 *
 * One reading is enough.  Cells are published as they are, so what one means, and where it stands in its column's
 * order, does not depend on the others; of the whole only the values of the sensitive columns with their counts are
 * kept, and how many digits and how large numbers are.  Each window ends with the row that the next begins with, so
 * that all neighbours are compared.  This way is right in one direction only: what is wrong is not accepted, and who
 * reads all at once says what it is. */
#include "audit/perturbed/perturbed.h"

#include "base/error.h"
#include "reader/cells/cells.h"
#include "audit/generalized/windows.h"
#include "base/run.h"
#include "base/threads.h"
#include "table/table_impl.h"

/* What is known of a column behind the windows so far. */
struct so_far {
    covey_surveyed_column values; /* of a sensitive column */
    int scale;                    /* numbers: digits behind the point */
    int64_t largest;              /* of their absolute values, in units of the last digit */
    covey_arena_mark kept;        /* what the column knows for good */
    bool refused;
};

struct windows {
    covey_audit *audit; /* its problems: of this reading alone */
    covey_opened *o;
    covey_opened_table *table;
    covey_csv_stream *stream;
    struct so_far *column; /* [n_columns] */
    uint32_t n_rows;       /* before the window */
    uint32_t n_new;        /* rows of it, without the first of the next one */
    uint32_t start[2];     /* of its only class */
    bool refused;
    covey_arena arena;
};

static bool is_refused(const struct windows *w)
{
    return w->refused || w->audit->problems.n_found > 0;
}

static bool is_sensitive(const covey_opened_column *column)
{
    return column->stated->role == COVEY_ROLE_SENSITIVE;
}

/* --- before the first window --- */

/* What is about all rows at once takes the whole table. */
static bool may_be_windowed(const covey_audit *audit)
{
    const covey_stated *stated = audit->stated;

    for (size_t i = 0; i < stated->n_columns; i++)
        if (stated->column[i].publish != COVEY_PUBLISH_VALUE)
            return false;
    return !audit->original && !covey_i_audit_wants_joint(stated) && stated->joint.n_attributes == 0;
}

static covey_status start_columns(struct windows *w, covey_error *err)
{
    covey_opened *o = w->o;

    if (!(w->column = covey_arena_array_zero(&w->arena, struct so_far, o->n_columns)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_trees(o, w->audit->present, &w->audit->problems, err));
    for (size_t i = 0; i < o->n_columns; i++) {
        w->column[i].kept = covey_arena_save(&o->column[i].arena);
        if (is_sensitive(&o->column[i]) && !covey_i_dictionary_init(&w->column[i].values.dictionary))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

static covey_status open_tables(struct windows *w, size_t window, covey_error *err)
{
    covey_audit *audit = w->audit;
    bool usable;

    COVEY_TRY(covey_i_opened_new(&audit->opened, audit->folder, audit->stated, err));
    w->o = audit->opened;
    COVEY_TRY(covey_i_opened_stream(&w->table, &w->stream, w->o, COVEY_PERTURBED_ROWS, NULL, audit->present, window,
                                    &audit->problems, audit->run, err));
    COVEY_TRY(covey_i_perturbed_read_values(&usable, w->o, audit->present, &audit->problems, audit->run, err));
    covey_i_opened_find_unused(w->o, &audit->problems);
    if (!w->table || !usable) {
        w->refused = true;
        return COVEY_OK;
    }
    covey_i_perturbed_expect(w->table, w->o);
    return start_columns(w, err);
}

/* --- one window --- */

/* The numbers of other windows have to bear this one's digits, and the other way round. */
static void measure(struct so_far *c, const covey_opened_column *column)
{
    c->refused |= !covey_i_cell_rescale(&c->largest, c->scale, column->scale);
    c->scale = column->scale;
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const int64_t number = column->number[i], size = number == INT64_MIN /* missing */ ? 0
                                                         : number < 0                      ? -number
                                                                                           : number;

        c->largest = size > c->largest ? size : c->largest;
    }
}

static covey_status read_column(void *context, size_t task, covey_error *err)
{
    struct windows *w = context;
    struct so_far *c = &w->column[task];
    covey_opened_column *column = &w->o->column[task];
    covey_problems problems = COVEY_PROBLEMS_INIT;
    const uint32_t *code;

    covey_arena_rewind(&column->arena, c->kept);
    column->least_scale = c->scale;
    COVEY_TRY(covey_i_cells_read(column, &problems, err));
    c->refused |= problems.n_found > 0;
    covey_i_problems_clear(&problems);
    for (uint32_t i = 0; column->fault && i < column->text->n_values; i++)
        c->refused |= column->fault[i] != NULL;
    if (column->stated->type != COVEY_TYPE_TEXT && !column->tree && !c->refused)
        measure(c, column);
    return is_sensitive(column)
               ? covey_i_survey_add(&code, &c->values, column->text, w->n_new, NULL, &column->arena, err)
               : COVEY_OK;
}

static covey_status check_window(struct windows *w, covey_error *err)
{
    const int64_t n = covey_table_n_rows(w->table->table);
    const bool is_last = covey_i_csv_stream_is_at_end(w->stream);
    bool ascends;

    COVEY_TRY(covey_i_run_goes_on(w->audit->run, "judge the probabilities", 0, 0, err));
    if (w->n_rows == 0 && !covey_i_opened_has_header(w->table, &w->audit->problems))
        return COVEY_OK;
    if (n < 1 + !is_last || n + w->n_rows >= UINT32_MAX) {
        w->refused = true;
        return COVEY_OK;
    }
    covey_i_opened_bind(w->table);
    w->n_new = (uint32_t)n - !is_last;
    w->o->n_rows = w->start[1] = (uint32_t)n;
    w->o->class_start = w->start;
    COVEY_TRY(covey_i_parallel(covey_run_threads(w->audit->run), w->o->n_columns, read_column, w, err));
    for (size_t i = 0; i < w->o->n_columns; i++)
        w->refused |= w->column[i].refused;
    if (w->refused)
        return COVEY_OK;
    COVEY_TRY(covey_i_perturbed_ascends(&ascends, w->o, w->audit->run, err));
    w->refused = !ascends;
    w->n_rows += w->n_new;
    return COVEY_OK;
}

/* --- all of it --- */

/* The sensitive columns with all their values, but without rows; of the others nothing is asked any more. */
static covey_status finish_columns(struct windows *w, covey_error *err)
{
    for (size_t i = 0; i < w->o->n_columns; i++) {
        covey_opened_column *column = &w->o->column[i];
        struct so_far *c = &w->column[i];

        covey_arena_rewind(&column->arena, c->kept);
        column->text = NULL;
        if (!is_sensitive(column))
            continue;
        COVEY_TRY(covey_i_survey_finish_column(&c->values, column->stated->name, err));
        column->text = c->values.text;
        column->count = c->values.count;
        column->least_scale = c->scale;
        COVEY_TRY(covey_i_cells_read(column, &w->audit->problems, err));
    }
    return COVEY_OK;
}

static covey_status finish(struct windows *w, covey_error *err)
{
    covey_audit *audit = w->audit;
    covey_opened *o = w->o;

    COVEY_TRY(covey_i_csv_stream_unchanged(w->stream, err));
    COVEY_TRY(finish_columns(w, err));
    w->start[1] = w->table->n_rows = o->n_rows = w->n_rows;
    w->table->usable = o->usable = true;
    o->groups = (covey_opened_groups){.n = 1, .start = w->start};
    covey_i_perturbed_compare_counts(&audit->problems, o, w->table);
    covey_i_audit_opened(audit);
    COVEY_TRY(covey_i_audit_judge_by(audit, covey_i_perturbed_judge, NULL, err));
    return covey_i_audit_figures(audit, err);
}

static covey_status accept(struct windows *w, size_t window, covey_error *err)
{
    COVEY_TRY(open_tables(w, window, err));
    while (!is_refused(w)) {
        COVEY_TRY(covey_i_csv_stream_next_overlapping(&w->table->table, w->stream, err));
        if (!w->table->table)
            break;
        COVEY_TRY(check_window(w, err));
        covey_table_free(w->table->table);
        w->table->table = NULL;
    }
    w->refused |= w->n_rows == 0;
    return is_refused(w) ? COVEY_OK : finish(w, err);
}

static covey_status attempt(bool *fine, covey_audit *audit, size_t window, covey_error *err)
{
    struct windows w = {.audit = audit};
    const covey_status status = accept(&w, window, err);

    *fine = !is_refused(&w);
    for (size_t i = 0; w.column && i < w.o->n_columns; i++)
        covey_i_survey_clear_column(&w.column[i].values);
    covey_i_csv_stream_close(w.stream);
    covey_arena_free(&w.arena);
    if (w.o) {
        w.o->class_start = NULL;
        w.o->groups = (covey_opened_groups){0};
    }
    return status;
}

covey_status covey_i_perturbed_accept(bool *accepted, covey_audit *audit, size_t window, covey_error *err)
{
    *accepted = false;
    return may_be_windowed(audit) ? covey_i_audit_accept(accepted, audit, window, attempt, err) : COVEY_OK;
}
