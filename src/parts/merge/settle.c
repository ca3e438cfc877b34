/* Settling dictionaries, hierarchies and domains once suppressed rows are known. */
#include "parts/merge/settle.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "table/table_impl.h"

/* Where a row has a field, and which of its codes rows have. */
struct place {
    size_t at;
    int width;
    uint32_t n_values;
    bool *keep;
};

/* Where each field stands in a row, with its marks. */
static covey_status find_places(struct place **out, const covey_plan *plan, bool *mark, covey_arena *arena,
                                covey_error *err)
{
    const covey_problem *whole = &plan->prepared.problem;
    struct place *place = covey_arena_array_zero(arena, struct place, whole->n_fields);

    if (!place)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < whole->n_fields; f++) {
        const covey_column *column = whole->field[f].column;

        place[f].width = column->width;
        place[f].n_values = column->n_values;
        place[f].keep = mark;
        for (size_t c = 0; plan->prepared.column[c] != column; c++)
            place[f].at += (size_t)plan->prepared.column[c]->width;
        mark += column->n_values;
    }
    *out = place;
    return COVEY_OK;
}

size_t covey_i_parts_n_marks(const covey_plan *plan)
{
    const covey_problem *whole = &plan->prepared.problem;
    size_t n = 0;

    for (size_t f = 0; f < whole->n_fields; f++)
        n += whole->field[f].column->n_values;
    return n;
}

static void mark_row(const struct place *place, const unsigned char *row)
{
    uint32_t code = 0;

    for (int b = 0; b < place->width; b++)
        code |= (uint32_t)row[place->at + (size_t)b] << 8 * b;
    if (code < place->n_values) /* others are refused when the rows are written */
        place->keep[code] = true;
}

static covey_status mark_part(const struct place *place, size_t n_places, const char *path, const covey_plan *plan,
                              covey_error *err)
{
    covey_part_reader reader;
    covey_status status;

    COVEY_TRY(covey_i_part_reader_open(&reader, path, plan, err));
    do {
        for (uint32_t i = 0; i < reader.n; i++)
            for (size_t f = 0; f < n_places; f++)
                mark_row(&place[f], reader.rows + i * reader.row_size);
        status = reader.n > 0 ? covey_i_part_reader_next(&reader, err) : COVEY_OK;
    } while (status == COVEY_OK && reader.n > 0);
    covey_i_part_reader_close(&reader);
    return status;
}

covey_status covey_i_parts_mark(bool *mark, const covey_plan *plan, const char *path, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct place *place = NULL;
    covey_status status = find_places(&place, plan, mark, &arena, err);

    if (status == COVEY_OK)
        status = mark_part(place, plan->prepared.problem.n_fields, path, plan, err);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_parts_settle_marked(covey_settled *out, const covey_plan *plan, const bool *mark,
                                         covey_arena *arena, covey_error *err)
{
    const covey_problem *whole = &plan->prepared.problem;
    const size_t n = covey_i_parts_n_marks(plan);
    bool **keep = covey_arena_array(arena, bool *, whole->n_fields), *own = covey_arena_array(arena, bool, n);
    void **none = covey_arena_array_zero(arena, void *, plan->n_columns);
    const covey_part_rows rows = {.n_columns = plan->n_columns, .code = none};
    covey_problem dictionaries;

    if (!keep || !own || !none)
        return covey_i_no_memory(err);
    memcpy(own, mark, n * sizeof *own); /* settling adds to them */
    for (size_t f = 0; f < whole->n_fields; own += whole->field[f++].column->n_values)
        keep[f] = own;
    COVEY_TRY(covey_i_part_problem(&dictionaries, plan, &rows, arena, err));
    COVEY_TRY(covey_i_settle_problem(out, &dictionaries, keep, err));
    out->problem.n_rows = whole->n_rows;
    return COVEY_OK;
}

covey_status covey_i_parts_settle(covey_settled *out, const covey_plan *plan, const char *const *path, size_t n,
                                  covey_arena *arena, covey_error *err)
{
    bool *mark = covey_arena_array_zero(arena, bool, covey_i_parts_n_marks(plan));

    if (!mark)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        COVEY_TRY(covey_i_parts_mark(mark, plan, path[i], err));
    return covey_i_parts_settle_marked(out, plan, mark, arena, err);
}

bool covey_i_parts_has_new_order(const covey_settled *settled)
{
    for (size_t f = 0; f < settled->n; f++)
        if (settled->field[f].tree)
            return true;
    return false;
}

/* --- batches --- */

static void map_codes(covey_column *column, const uint32_t *map)
{
    for (int64_t row = 0; row < column->n_rows; row++)
        covey_i_codes_put((void *)(uintptr_t)column->codes, column->width, (size_t)row, map[covey_i_code(column, row)]);
}

/* The settled column with the rows of another one, which stands in all lists of the problem. */
static void replace_column(covey_problem *problem, size_t f, covey_column *column, const covey_settled_field *settled)
{
    const covey_column *old = problem->field[f].column;

    *column = *settled->column;
    column->codes = old->codes;
    column->width = old->width; /* there are no more values than before */
    column->n_rows = old->n_rows;
    column->lines = NULL;
    if (settled->map)
        map_codes(column, settled->map);
    problem->field[f].column = column;
    for (size_t a = 0; a < problem->n_axes; a++)
        if (problem->axis[a].column == old)
            problem->axis[a].column = column;
    for (size_t v = 0; v < problem->promises.n_views; v++)
        if (problem->promises.view[v].column == old)
            problem->promises.view[v].column = column;
}

covey_status covey_i_part_problem_settle(covey_problem *problem, const covey_settled *settled, covey_arena *arena,
                                         covey_error *err)
{
    const covey_promises *promises = &settled->problem.promises;
    covey_column *column = covey_arena_array(arena, covey_column, problem->n_fields);
    const covey_column **quasi = covey_arena_array(arena, const covey_column *, problem->promises.n_quasi);

    if (!column || !quasi)
        return covey_i_no_memory(err);
    problem->promises.promise = promises->promise;
    problem->promises.quasi_width = promises->quasi_width;
    problem->promises.shown_context = problem->axis;
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_column *own = problem->axis[a].column;

        problem->axis[a] = settled->problem.axis[a];
        problem->axis[a].column = own;
    }
    for (size_t f = 0; f < problem->n_fields; f++) {
        problem->field[f].tree = settled->problem.field[f].tree;
        problem->field[f].tree_spec = settled->problem.field[f].tree_spec;
        if (settled->field[f].column)
            replace_column(problem, f, &column[f], &settled->field[f]);
    }
    for (size_t q = 0; q < problem->promises.n_quasi; q++)
        quasi[q] = problem->axis[q].column;
    problem->promises.quasi = quasi;
    return COVEY_OK;
}
