/* The form "perturbed": quasi-identifiers and insensitive columns as they are, sensitive values randomized one by one.
 *
 *     table.csv         the columns in input order, rows sorted by content
 *     perturbation.csv  value,prior,cap,gamma,alpha for every value that occurs, in the attribute's order: all that an estimate needs
 *
 * Source: [CaoKarras12] section 5; beta-likeness.md section 5. */
#include "release/perturbed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csvcell.h"
#include "base/sort_keys.h"
#include "release/figures.h"
#include "release/sheet.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum { LINES_PER_GROUP = 1 << 10 };

static void free_data(void *form_data)
{
    covey_perturbed *data = form_data;

    if (!data)
        return;
    covey_i_free(data->value);
    covey_i_free(data->cap);
    covey_i_free(data->gamma);
    covey_i_free(data->alpha);
    covey_i_free(data->codes);
    covey_i_free(data);
}

covey_status covey_i_perturbed_new(covey_release **out, const covey_problem *problem, size_t field, uint32_t n_values, covey_error *err)
{
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_perturbed *data = covey_i_array_zero(1, sizeof *data);

    if (!release || !data) {
        covey_i_free(release);
        covey_i_free(data);
        return covey_fail(err, COVEY_ENOMEM, "%u rows", problem->n_rows);
    }
    release->form = covey_i_form_find("perturbed");
    release->form_data = data;
    release->n_rows = release->n_published = problem->n_rows;
    release->objective.name = "ail";
    release->row_order = covey_i_array_full(problem->n_rows, sizeof *release->row_order);
    release->class_start = covey_i_array_zero(1, sizeof *release->class_start);
    *data = (covey_perturbed){.field = field, .n_values = n_values, .value = covey_i_array(n_values, sizeof *data->value),
                              .cap = covey_i_array(n_values, sizeof *data->cap), .gamma = covey_i_array(n_values, sizeof *data->gamma),
                              .alpha = covey_i_array(n_values, sizeof *data->alpha), .codes = covey_i_array_full(problem->n_rows, (size_t)problem->field[field].column->width)};
    if (!release->row_order || !release->class_start || !data->value || !data->cap || !data->gamma || !data->alpha || !data->codes) {
        covey_release_free(release);
        return covey_fail(err, COVEY_ENOMEM, "%u rows", problem->n_rows);
    }
    *out = release;
    return COVEY_OK;
}

covey_status covey_i_perturbed_finish(covey_release *release, const covey_problem *problem, const covey_run *run, covey_error *err)
{
    const covey_perturbed *data = release->form_data;
    covey_sort_key *key = covey_i_array(problem->n_fields, sizeof *key);
    covey_status status;
    size_t n = 0;

    if (!key)
        return covey_fail(err, COVEY_ENOMEM, "order of %u rows", problem->n_rows);
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_column *column = problem->axis[a].column;

        key[n++] = covey_i_column_key(column);
    }
    for (size_t f = 0; f < problem->n_fields; f++) {
        const covey_column *column = problem->field[f].column;

        if (f == data->field)
            key[n++] = (covey_sort_key){.codes = data->codes, .width = column->width, .n_values = column->n_values};
        else if (problem->field[f].role != COVEY_ROLE_QUASI)
            key[n++] = covey_i_column_key(column);
    }
    for (uint32_t r = 0; r < problem->n_rows; r++)
        release->row_order[r] = r;
    status = covey_i_sort_rows_by_keys(release->row_order, problem->n_rows, key, n, run, err);
    covey_i_free(key);
    return status;
}

/* --- table.csv --- */

struct rows {
    const covey_release *release;
    const covey_perturbed *data;
    covey_ready_cells *cells; /* [n_cells] of every field */
    size_t n_cells;
    size_t longest;           /* bytes of a line at most */
};

static covey_status add_rows(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct rows *r = context;
    const uint64_t last = (uint64_t)end * LINES_PER_GROUP;
    const uint32_t first = begin * LINES_PER_GROUP, to_row = last < r->release->n_published ? (uint32_t)last : r->release->n_published;
    char *to;

    if (!covey_i_text_reserve(out, (size_t)(to_row - first) * r->longest + COVEY_SHEET_SLACK))
        return covey_fail(err, COVEY_ENOMEM, "lines of table.csv");
    to = covey_i_sheet_copy_rows(out->bytes + out->size, r->cells, r->n_cells, r->release->row_order + first, to_row - first, NULL, 0);
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status make_cells(struct rows *r, covey_text *header, const covey_problem *problem, covey_error *err)
{
    if (!(r->cells = covey_i_array_zero(problem->n_fields, sizeof *r->cells)))
        return covey_fail(err, COVEY_ENOMEM, "cells of %zu columns", problem->n_fields);
    for (; r->n_cells < problem->n_fields; r->n_cells++) {
        const covey_column *column = problem->field[r->n_cells].column;

        COVEY_TRY(covey_i_ready_cells_make(&r->cells[r->n_cells], column, err));
        if (r->n_cells == r->data->field)
            r->cells[r->n_cells].codes = r->data->codes;
        r->longest += r->cells[r->n_cells].longest;
        covey_i_sheet_add_name(header, column->name);
    }
    r->longest++;
    covey_i_text_add_char(header, '\n');
    return header->broken ? covey_fail(err, COVEY_ENOMEM, "header of table.csv") : COVEY_OK;
}

/* Rows have no groups: the sheet is cut into equal runs of lines instead. */
static covey_status write_rows(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                               const covey_run *run, covey_error *err)
{
    const uint32_t n_groups = (release->n_published + LINES_PER_GROUP - 1) / LINES_PER_GROUP;
    struct rows r = {.release = release, .data = release->form_data};
    covey_text header = COVEY_TEXT_INIT;
    uint32_t *start = covey_i_array((size_t)n_groups + 1, sizeof *start);
    covey_status status = start ? make_cells(&r, &header, problem, err) : covey_fail(err, COVEY_ENOMEM, "lines of table.csv");
    const covey_sheet sheet = {.name = "table.csv", .header = header.bytes, .n_groups = n_groups, .start = start, .lines = add_rows, .context = &r};

    if (status == COVEY_OK) {
        for (uint32_t g = 0; g < n_groups; g++)
            start[g] = g * LINES_PER_GROUP;
        start[n_groups] = release->n_published;
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    }
    for (size_t c = 0; r.cells && c < problem->n_fields; c++)
        covey_i_ready_cells_free(&r.cells[c]);
    covey_i_free(r.cells);
    covey_i_free(start);
    covey_i_text_free(&header);
    return status;
}

/* --- perturbation.csv --- */

struct values {
    const covey_perturbed *data;
    const covey_column *column;
    const covey_histogram *prior;
};

static void add_number(covey_text *out, double value)
{
    covey_i_text_add_format(out, isinf(value) ? ",inf" : ",%.17g", value);
}

static covey_status add_values(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct values *v = context;

    for (uint32_t i = begin; i < end; i++) {
        const uint32_t code = v->data->value[i];
        const bool is_missing = code == 0 && v->column->has_null;

        if (is_missing)
            covey_i_text_add_string(out, "\"\"");
        else
            covey_i_csv_add_cell(out, covey_column_label(v->column, code), covey_column_label_size(v->column, code), ',');
        add_number(out, (double)v->prior->count[code] / (double)v->prior->total);
        add_number(out, v->data->cap[i]);
        add_number(out, v->data->gamma[i]);
        add_number(out, v->data->alpha[i]);
        covey_i_text_add_char(out, '\n');
    }
    return out->broken ? covey_fail(err, COVEY_ENOMEM, "lines of perturbation.csv") : COVEY_OK;
}

static const covey_histogram *prior_of(const covey_problem *problem, const covey_column *column)
{
    for (size_t v = 0; v < problem->promises.n_views; v++)
        if (problem->promises.view[v].column == column)
            return problem->promises.view[v].prior;
    return NULL;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                                 const covey_run *run, covey_error *err)
{
    const covey_perturbed *data = release->form_data;
    const covey_column *column = problem->field[data->field].column;
    const struct values v = {data, column, prior_of(problem, column)};
    uint32_t *start = covey_i_array((size_t)data->n_values + 1, sizeof *start);
    covey_sheet sheet = {.name = "perturbation.csv", .header = "value,prior,cap,gamma,alpha\n", .n_groups = data->n_values, .start = start,
                         .lines = add_values, .context = &v};
    const bool is_first = files->n == 0; /* of the batches: all have the same probabilities */
    covey_status status;

    if (!start)
        return covey_fail(err, COVEY_ENOMEM, "lines of perturbation.csv");
    for (uint32_t i = 0; i <= data->n_values; i++)
        start[i] = i;
    if ((status = write_rows(release, problem, folder, files, run, err)) == COVEY_OK && is_first)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    covey_i_free(start);
    return status;
}

/* --- figures --- */

static covey_status achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem, const covey_run *run, covey_error *err)
{
    const covey_perturbed *data = release->form_data;

    for (size_t p = 0; p < problem->promises.n; p++)
        figure[p] = covey_i_figure_real(data->gain);
    return COVEY_OK;
}

/* No values of quasi-identifiers are lost, and there are no classes. */
static void utility(covey_utility_figures *out, const covey_release *release, const covey_problem *problem)
{
    *out = (covey_utility_figures){.ail = 0, .ncp = 0, .discernibility = NAN, .average_class_size = NAN, .largest_risk = NAN, .mean_risk = NAN};
}

const covey_form covey_form_perturbed = {
    .name = "perturbed",
    .summary = "rows as they are, but for the sensitive value, which is kept or replaced at random",
    .unit = "",
    .faithful = "But for the sensitive values, every published row is one of the original's, one to one.",
    .write = write_tables,
    .free_data = free_data,
    .is_exact = true,
    .achieved = achieved,
    .utility = utility,
};
