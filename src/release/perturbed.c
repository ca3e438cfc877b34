/* The form "perturbed": quasi-identifiers and insensitive columns as they are, sensitive values randomized one by one.
 *
 *     table.csv         the columns in input order, rows sorted by content
 *     perturbation.csv  value,prior,cap,gamma,alpha for every value that occurs, in the attribute's order: all that an
 * estimate needs
 *     matrix.csv        if it is wanted, what follows from alpha for every pair of values: matrix_table.h
 *
 * Source: [CaoKarras12] section 5. */
#include "release/perturbed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "release/figures.h"
#include "release/matrix_table.h"
#include "release/sheet/sheet.h"
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
    covey_i_free(data->packed);
    covey_i_free(data);
}

covey_status covey_i_perturbed_new(covey_release **out, const covey_problem *problem, size_t field, uint32_t n_values,
                                   covey_error *err)
{
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_perturbed *data = covey_i_array_zero(1, sizeof *data);

    if (!release || !data) {
        covey_i_free(release);
        covey_i_free(data);
        return covey_i_no_memory(err);
    }
    release->form = &covey_form_perturbed;
    release->form_data = data;
    release->n_rows = release->n_published = problem->n_rows;
    release->objective.name = "ail";
    release->class_start = covey_i_array_zero(1, sizeof *release->class_start);
    *data =
        (covey_perturbed){.field = field,
                          .n_values = n_values,
                          .value = covey_i_array(n_values, sizeof *data->value),
                          .cap = covey_i_array(n_values, sizeof *data->cap),
                          .gamma = covey_i_array(n_values, sizeof *data->gamma),
                          .alpha = covey_i_array(n_values, sizeof *data->alpha),
                          .codes = covey_i_array_full(problem->n_rows, (size_t)problem->field[field].column->width)};
    if (!release->class_start || !data->value || !data->cap || !data->gamma || !data->alpha || !data->codes) {
        covey_release_free(release);
        return covey_i_no_memory(err);
    }
    *out = release;
    return COVEY_OK;
}

/* What rows are sorted by: quasi-identifiers, then the other fields.  key, field: [n_fields]; field: of each key. */
static void list_keys(covey_sort_key *key, size_t *field, const covey_perturbed *data, const covey_problem *problem)
{
    size_t n = 0;

    for (size_t a = 0; a < problem->n_axes; a++)
        for (size_t f = 0; f < problem->n_fields; f++)
            if (problem->field[f].column == problem->axis[a].column) {
                field[n] = f;
                key[n++] = covey_i_column_key(problem->field[f].column);
            }
    for (size_t f = 0; f < problem->n_fields; f++) {
        if (problem->field[f].role == COVEY_ROLE_QUASI)
            continue;
        field[n] = f;
        key[n] = covey_i_column_key(problem->field[f].column);
        if (f == data->field)
            key[n].codes = data->codes;
        n++;
    }
}

covey_status covey_i_perturbed_finish(covey_release *release, const covey_problem *problem, const covey_run *run,
                                      covey_error *err)
{
    covey_perturbed *data = release->form_data;
    covey_sort_key *key = covey_i_array(problem->n_fields, sizeof *key);
    size_t *field = covey_i_array(problem->n_fields, sizeof *field);
    covey_status status = key && field ? COVEY_OK : COVEY_ENOMEM;

    if (status == COVEY_OK) {
        list_keys(key, field, data, problem);
        if (!covey_i_keys_fit(key, problem->n_fields))
            release->row_order = covey_i_array_full(problem->n_rows, sizeof *release->row_order);
        else
            data->packed = covey_i_array_full(problem->n_rows, sizeof *data->packed);
    }
    if (release->row_order)
        status = covey_i_keys_sort_rows(release->row_order, NULL, problem->n_rows, key, problem->n_fields, run, err);
    else if (data->packed)
        status = covey_i_sort_packed_keys(data->packed, problem->n_rows, key, problem->n_fields, run, err);
    else
        status = covey_i_no_memory(err);
    covey_i_free(key);
    covey_i_free(field);
    return status;
}

covey_status covey_i_perturbed_order(const uint32_t **out, const covey_release *release, const covey_problem *problem,
                                     covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_sort_key *key;
    uint32_t *rows;
    size_t *field;

    if ((*out = release->row_order))
        return COVEY_OK;
    key = covey_arena_array(arena, covey_sort_key, problem->n_fields);
    field = covey_arena_array(arena, size_t, problem->n_fields);
    rows = covey_arena_array(arena, uint32_t, problem->n_rows);
    if (!key || !field || !rows)
        return covey_i_no_memory(err);
    list_keys(key, field, release->form_data, problem);
    *out = rows;
    return covey_i_keys_sort_rows(rows, NULL, problem->n_rows, key, problem->n_fields, run, err);
}

/* All rows are published. */
static void mark_codes(bool *shown, const covey_release *release, const covey_problem *problem,
                       const covey_field *field)
{
    (void)problem;
    for (uint32_t row = 0; row < release->n_published; row++)
        shown[covey_i_code(field->column, row)] = true;
}

/* --- table.csv --- */

struct rows {
    const covey_release *release;
    const covey_perturbed *data;
    covey_ready_cells *cells; /* [n_cells] of every field */
    size_t n_cells;
    covey_sort_key *key; /* [n_cells] that rows were sorted by, and the field of each */
    size_t *key_field;
    size_t longest; /* bytes of a line at most */
};

/* --- lines from what rows were sorted by ---
 *
 * Rows that are equal but for the last key stand together, so that a line is mostly a copy of what stands before and
 * behind that key's cell. */

struct line {
    char *before, *behind; /* with room for the longest line and COVEY_SHEET_SLACK */
    size_t n_before, n_behind;
};

static char *add_cell(char *to, const struct rows *r, size_t field, uint32_t code)
{
    const covey_ready_cells *cells = &r->cells[field];
    const size_t skipped = field == 0; /* no comma before the first cell */

    return covey_i_sheet_copy(to, cells->bytes.bytes + cells->start[code] + skipped,
                              cells->start[code + 1] - cells->start[code] - skipped);
}

/* The line around the last key's cell.  outer: the other keys, packed; code: [n_cells] scratch. */
static void make_line(struct line *line, const struct rows *r, uint32_t outer, uint32_t *code)
{
    const size_t last = r->key_field[r->n_cells - 1];
    char *to = line->before;

    for (size_t k = r->n_cells - 1; k-- > 0;) {
        code[r->key_field[k]] = outer % r->key[k].n_values;
        outer /= r->key[k].n_values;
    }
    for (size_t f = 0; f < last; f++)
        to = add_cell(to, r, f, code[f]);
    line->n_before = (size_t)(to - line->before);
    to = line->behind;
    for (size_t f = last + 1; f < r->n_cells; f++)
        to = add_cell(to, r, f, code[f]);
    *to++ = '\n';
    line->n_behind = (size_t)(to - line->behind);
}

static char *add_packed(char *to, struct line *line, const struct rows *r, uint32_t first, uint32_t end, uint32_t *code)
{
    const size_t last = r->key_field[r->n_cells - 1];
    const uint32_t n_values = r->key[r->n_cells - 1].n_values;
    uint32_t outer = 0;

    for (uint32_t i = first; i < end; i++) {
        const uint32_t packed = r->data->packed[i];

        if (i == first || packed / n_values != outer) {
            outer = packed / n_values;
            make_line(line, r, outer, code);
        }
        to = covey_i_sheet_copy(to, line->before, line->n_before);
        to = add_cell(to, r, last, packed - outer * n_values);
        to = covey_i_sheet_copy(to, line->behind, line->n_behind);
    }
    return to;
}

static covey_status add_packed_rows(covey_text *out, const struct rows *r, uint32_t first, uint32_t end,
                                    covey_error *err)
{
    struct line line = {covey_i_array(r->longest + COVEY_SHEET_SLACK, 1),
                        covey_i_array(r->longest + COVEY_SHEET_SLACK, 1), 0, 0};
    uint32_t *code = covey_i_array(r->n_cells, sizeof *code);
    covey_status status = COVEY_OK;

    if (line.before && line.behind && code)
        out->size = (size_t)(add_packed(out->bytes + out->size, &line, r, first, end, code) - out->bytes);
    else
        status = covey_i_no_memory(err);
    covey_i_free(line.before);
    covey_i_free(line.behind);
    covey_i_free(code);
    return status;
}

static covey_status add_rows(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct rows *r = context;
    const uint64_t last = (uint64_t)end * LINES_PER_GROUP;
    const uint32_t first = begin * LINES_PER_GROUP,
                   to_row = last < r->release->n_published ? (uint32_t)last : r->release->n_published;
    char *to;

    if (!covey_i_text_reserve(out, (size_t)(to_row - first) * r->longest + COVEY_SHEET_SLACK))
        return covey_i_no_memory(err);
    if (r->data->packed)
        return add_packed_rows(out, r, first, to_row, err);
    to = covey_i_sheet_copy_rows(out->bytes + out->size, r->cells, r->n_cells, r->release->row_order + first,
                                 to_row - first, NULL, 0);
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status make_cells(struct rows *r, covey_text *header, const covey_problem *problem, covey_error *err)
{
    r->cells = covey_i_array_zero(problem->n_fields, sizeof *r->cells);
    r->key = covey_i_array(problem->n_fields, sizeof *r->key);
    r->key_field = covey_i_array(problem->n_fields, sizeof *r->key_field);
    if (!r->cells || !r->key || !r->key_field)
        return covey_i_no_memory(err);
    list_keys(r->key, r->key_field, r->data, problem);
    for (; r->n_cells < problem->n_fields; r->n_cells++) {
        const covey_column *column = problem->field[r->n_cells].column;

        COVEY_TRY(covey_i_ready_cells_make(&r->cells[r->n_cells], column, ',', "", err));
        if (r->n_cells == r->data->field)
            r->cells[r->n_cells].codes = r->data->codes;
        r->longest += r->cells[r->n_cells].longest;
        covey_i_sheet_add_name(header, column->name);
    }
    r->longest++;
    covey_i_text_add_char(header, '\n');
    return header->broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* Rows have no groups: the sheet is cut into equal runs of lines instead. */
static covey_status write_rows(const covey_release *release, const covey_problem *problem, const char *folder,
                               covey_files *files, const covey_run *run, covey_error *err)
{
    const uint32_t n_groups = (release->n_published + LINES_PER_GROUP - 1) / LINES_PER_GROUP;
    struct rows r = {.release = release, .data = release->form_data};
    covey_text header = COVEY_TEXT_INIT;
    uint32_t *start = covey_i_array((size_t)n_groups + 1, sizeof *start);
    covey_status status = start ? make_cells(&r, &header, problem, err) : covey_i_no_memory(err);
    const covey_sheet sheet = {.name = "table.csv",
                               .header = header.bytes,
                               .n_groups = n_groups,
                               .start = start,
                               .lines = add_rows,
                               .context = &r};

    if (status == COVEY_OK) {
        for (uint32_t g = 0; g < n_groups; g++)
            start[g] = g * LINES_PER_GROUP;
        start[n_groups] = release->n_published;
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    }
    for (size_t c = 0; r.cells && c < problem->n_fields; c++)
        covey_i_ready_cells_free(&r.cells[c]);
    covey_i_free(r.cells);
    covey_i_free(r.key);
    covey_i_free(r.key_field);
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
            covey_i_csv_add_cell(out, covey_column_label(v->column, code), covey_column_label_size(v->column, code),
                                 ',');
        add_number(out, (double)v->prior->count[code] / (double)v->prior->total);
        add_number(out, v->data->cap[i]);
        add_number(out, v->data->gamma[i]);
        add_number(out, v->data->alpha[i]);
        covey_i_text_add_char(out, '\n');
    }
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static const covey_histogram *prior_of(const covey_problem *problem, const covey_column *column)
{
    for (size_t v = 0; v < problem->promises.n_views; v++)
        if (problem->promises.view[v].column == column)
            return problem->promises.view[v].prior;
    return NULL;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder,
                                 covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_perturbed *data = release->form_data;
    const covey_column *column = problem->field[data->field].column;
    const struct values v = {data, column, prior_of(problem, column)};
    const covey_sheet sheet = {.name = "perturbation.csv",
                               .header = "value,prior,cap,gamma,alpha\n",
                               .n_groups = data->n_values,
                               .lines = add_values,
                               .context = &v};
    const bool is_first = files->n == 0; /* of the batches: all have the same probabilities */
    const covey_chances chances = covey_i_matrix_chances(data->alpha, data->n_values);

    COVEY_TRY(write_rows(release, problem, folder, files, run, err));
    if (!is_first)
        return COVEY_OK;
    COVEY_TRY(covey_i_sheet_write(&sheet, folder, files, run, err));
    return data->has_matrix ? covey_i_matrix_table_write(&chances, data->value, column, folder, files, run, err)
                            : COVEY_OK;
}

/* --- figures --- */

static covey_status achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                             const covey_run *run, covey_error *err)
{
    const covey_perturbed *data = release->form_data;

    for (size_t p = 0; p < problem->promises.n; p++)
        figure[p] = covey_i_figure_real(data->gain);
    return COVEY_OK;
}

/* No values of quasi-identifiers are lost, and there are no classes. */
static void utility(covey_utility_figures *out, const covey_release *release, const covey_problem *problem)
{
    *out = (covey_utility_figures){
        .ail = 0, .ncp = 0, .discernibility = NAN, .average_class_size = NAN, .largest_risk = NAN, .mean_risk = NAN};
}

const covey_form covey_form_perturbed = {
    .name = "perturbed",
    .unit = "",
    .faithful = "But for the sensitive values, every published row is one of the original's, one to one.",
    .write = write_tables,
    .free_data = free_data,
    .is_exact = true,
    .achieved = achieved,
    .utility = utility,
    .mark_codes = mark_codes,
};
