/* The table with made-up rows behind its own. */
#include "release/made_up.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/table_impl.h"

/* Codes of a column's rows, and of the made-up ones behind them. */
static covey_status extend_column(covey_column **out, const covey_column *column, const covey_made_up_rows *made,
                                  covey_error *err)
{
    const size_t n = (size_t)column->n_rows, width = (size_t)column->width;
    covey_label *labels = covey_i_array(column->n_values, sizeof *labels);
    unsigned char *codes = covey_i_array(n + made->n, width);
    covey_status status;

    if (!labels || !codes) {
        covey_i_free(labels);
        covey_i_free(codes);
        return covey_i_no_memory(err);
    }
    memcpy(codes, column->codes, n * width);
    for (uint32_t i = 0; i < made->n; i++)
        covey_i_codes_put(codes, column->width, n + i,
                          column == made->sensitive ? made->value[i] : covey_i_code(column, made->like[i]));
    for (uint32_t v = 0; v < column->n_values; v++)
        labels[v] = (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
    status = covey_i_column_new(out, column->name, column->type, column->n_rows + made->n, column->n_values,
                                column->has_null, column->scale, labels, column->number, codes, err);
    covey_i_free(labels);
    return status;
}

/* Gives all that borrows the column of a field the longer one. */
static void replace(covey_problem *problem, size_t f, const covey_column *column)
{
    covey_field *field = &problem->field[f];

    for (size_t v = 0; v < problem->promises.n_views; v++)
        if (problem->promises.view[v].column == field->column)
            problem->promises.view[v].column = column;
    if (field->axis >= 0)
        problem->axis[field->axis].column = column;
    field->column = column;
}

static covey_status extend(covey_made_up *m, const covey_made_up_rows *made, covey_error *err)
{
    covey_problem *problem = &m->problem;
    covey_field *field = covey_arena_array(&m->arena, covey_field, problem->n_fields);
    covey_axis *axis = covey_arena_array(&m->arena, covey_axis, problem->n_axes);
    covey_view *view = covey_arena_array(&m->arena, covey_view, problem->promises.n_views);

    m->column = covey_arena_array(&m->arena, covey_column *, problem->n_fields);
    if (!field || !axis || !view || !m->column)
        return covey_i_no_memory(err);
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    memcpy(axis, problem->axis, problem->n_axes * sizeof *axis);
    memcpy(view, problem->promises.view, problem->promises.n_views * sizeof *view);
    problem->field = field;
    problem->axis = axis;
    problem->promises.view = view;
    problem->promises.shown_context = axis;
    problem->n_rows += made->n;
    problem->history = NULL; /* of the table's rows */
    for (size_t f = 0; f < problem->n_fields; f++) {
        COVEY_TRY(extend_column(&m->column[f], field[f].column, made, err));
        m->n_columns++;
        replace(problem, f, m->column[f]);
    }
    return COVEY_OK;
}

covey_status covey_i_made_up_new(covey_made_up **out, const covey_problem *problem, const covey_made_up_rows *made,
                                 covey_error *err)
{
    covey_made_up *m = covey_i_array_zero(1, sizeof *m);
    covey_status status;

    if (!m)
        return covey_i_no_memory(err);
    m->problem = *problem;
    m->n_own = problem->n_rows;
    if ((status = extend(m, made, err)) == COVEY_OK)
        *out = m;
    else
        covey_i_made_up_free(m);
    return status;
}

void covey_i_made_up_free(covey_made_up *m)
{
    if (!m)
        return;
    for (size_t f = 0; f < m->n_columns; f++)
        covey_i_column_free(m->column[f]);
    covey_arena_free(&m->arena);
    covey_i_free(m);
}
