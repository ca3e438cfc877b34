/* The form "sliced": column-1.csv, column-2.csv, ...: `bucket` and the attributes of one column, sorted by bucket, then
 * by content.
 *
 * Buckets are numbered by what they hold, column by column, so that neither their numbers nor the order of lines says
 * which pieces belong together or where a row stood. Source: [LiLiZhangMolloy12] section 2. */
#include "release/sliced/sliced.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "release/sheet/sheet.h"
#include "release/sliced/figures.h"
#include "release/sliced/order.h"
#include "release/sliced/pieces.h"
#include "table/table_impl.h"

enum { NUMBER_SIZE = 16 };

static void free_data(void *form_data)
{
    covey_sliced *data = form_data;

    if (!data)
        return;
    for (size_t s = 0; data->pieces && s < data->n_slices; s++)
        covey_i_pieces_clear(&data->pieces[s]);
    for (size_t s = 0; data->slice && s < data->n_slices; s++)
        covey_i_free((void *)data->slice[s].field);
    covey_i_free(data->pieces);
    covey_i_free(data->slice);
    covey_i_free(data);
}

/* --- facts --- */

static covey_status describe(covey_release *release, const covey_problem *problem, const char *unit_values,
                             covey_error *err)
{
    const covey_sliced *data = release->form_data;
    json_t *columns = json_array(), *facts;
    char *text = NULL;

    for (size_t s = 0; s < data->n_slices; s++) {
        json_t *names = json_array();

        for (size_t f = 0; f < data->slice[s].n_fields; f++)
            json_array_append_new(names, json_string(problem->field[data->slice[s].field[f]].column->name));
        json_array_append_new(columns, names);
    }
    facts = json_pack("{s:o}", "slices", columns);
    if (facts && unit_values)
        json_object_set_new(facts, "unit_values", json_string(unit_values));
    if (facts)
        text = json_dumps(facts, JSON_COMPACT);
    json_decref(facts);
    if (text)
        release->facts = covey_i_strdup(text);
    free(text);
    return release->facts ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status copy_slices(covey_sliced *data, const covey_slice *slice, size_t n_slices, covey_error *err)
{
    data->slice = covey_i_array_zero(n_slices, sizeof *data->slice);
    data->pieces = covey_i_array_zero(n_slices, sizeof *data->pieces);
    if (!data->slice || !data->pieces)
        return covey_i_no_memory(err);
    data->n_slices = n_slices;
    for (size_t s = 0; s < n_slices; s++) {
        size_t *field = covey_i_array(slice[s].n_fields, sizeof *field);

        if (!field)
            return covey_i_no_memory(err);
        memcpy(field, slice[s].field, slice[s].n_fields * sizeof *field);
        data->slice[s] = (covey_slice){slice[s].n_fields, field};
    }
    return COVEY_OK;
}

covey_status covey_i_release_of_slices(covey_release **out, const covey_problem *problem, const covey_slice *slice,
                                       size_t n_slices, covey_dealt *dealt, const covey_run *run, covey_error *err)
{
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_status status;

    if (!release || !(release->form_data = covey_i_array_zero(1, sizeof(covey_sliced)))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    release->form = &covey_form_sliced;
    release->n_rows = problem->n_rows;
    if ((status = copy_slices(release->form_data, slice, n_slices, err)) != COVEY_OK ||
        (status = covey_i_sliced_order(release, dealt, run, err)) != COVEY_OK ||
        (status = describe(release, problem, dealt->unit_values, err)) != COVEY_OK)
        goto done;
    release->objective = (covey_objective){
        .name = "ail",
        .value = release->n_rows ? (double)(release->n_rows - release->n_published) / release->n_rows : 0};
    release->ail = release->objective.value;
    *out = release;
    release = NULL;
done:
    covey_i_dealt_clear(dealt);
    covey_release_free(release);
    return status;
}

/* --- files --- */

enum { FEW_PIECES = 1 << 12, LINES_PER_PIECE = 8 };

struct lines {
    const covey_release *release;
    size_t slice;
    covey_ready_cells *cells; /* [n_cells] */
    size_t n_cells;
    size_t longest;   /* bytes of a line at most */
    covey_text ready; /* the rest of the line of every piece there can be, where these are few */
    size_t *start;    /* [n_numbers + 1] in ready; NULL: they are many */
};

/* The codes of a piece; code: [n_cells]. */
static void find_codes(uint32_t *code, const struct lines *l, uint32_t piece)
{
    const covey_pieces *pieces = &((const covey_sliced *)l->release->form_data)->pieces[l->slice];

    if (pieces->row_of)
        for (size_t c = 0; c < l->n_cells; c++)
            code[c] = covey_i_code(l->cells[c].column, pieces->row_of[piece]);
    else
        covey_i_pieces_digits(code, pieces, l->n_cells, piece);
}

static char *copy_cells(char *to, const struct lines *l, const uint32_t *code)
{
    for (size_t c = 0; c < l->n_cells; c++)
        to = covey_i_sheet_copy_cell(to, &l->cells[c], code[c]);
    *to++ = '\n';
    return to;
}

/* Where lines are many and pieces few, each piece's cells are put together once. */
static covey_status make_ready(struct lines *l, covey_error *err)
{
    const covey_pieces *pieces = &((const covey_sliced *)l->release->form_data)->pieces[l->slice];
    const uint32_t n = pieces->n_numbers;
    uint32_t *code;
    char *to;

    if (n > FEW_PIECES && n > l->release->n_published / LINES_PER_PIECE)
        return COVEY_OK;
    code = covey_i_array(l->n_cells, sizeof *code);
    l->start = covey_i_array((size_t)n + 1, sizeof *l->start);
    if (!code || !l->start || !covey_i_text_reserve(&l->ready, (size_t)n * l->longest + 2 * COVEY_SHEET_SLACK)) {
        covey_i_free(code);
        return covey_i_no_memory(err);
    }
    to = l->ready.bytes;
    for (uint32_t piece = 0; piece < n; piece++) {
        l->start[piece] = (size_t)(to - l->ready.bytes);
        find_codes(code, l, piece);
        to = copy_cells(to, l, code);
    }
    l->start[n] = (size_t)(to - l->ready.bytes);
    covey_i_free(code);
    return COVEY_OK;
}

static size_t print_number(char *out, uint32_t number)
{
    char digit[NUMBER_SIZE];
    size_t n = 0;

    do
        digit[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    for (size_t i = 0; i < n; i++)
        out[i] = digit[n - 1 - i];
    return n;
}

static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct lines *l = context;
    const covey_sliced *data = l->release->form_data;
    const uint32_t *start = l->release->class_start;
    uint32_t *code = l->start ? NULL : covey_i_array(l->n_cells, sizeof *code);
    char *to;

    if ((!l->start && !code) ||
        !covey_i_text_reserve(out,
                              (size_t)(start[end] - start[begin]) * (NUMBER_SIZE + l->longest) + COVEY_SHEET_SLACK)) {
        covey_i_free(code);
        return covey_i_no_memory(err);
    }
    to = out->bytes + out->size;
    for (uint32_t b = begin; b < end; b++) {
        char number[NUMBER_SIZE + COVEY_SHEET_SLACK] = "";
        const size_t n_number = print_number(number, b + 1);

        for (uint32_t i = start[b]; i < start[b + 1]; i++) {
            const uint32_t piece = covey_i_sliced_piece(data, l->slice, i);

            to = covey_i_sheet_copy(to, number, n_number);
            if (l->start) {
                to = covey_i_sheet_copy(to, l->ready.bytes + l->start[piece], l->start[piece + 1] - l->start[piece]);
            } else {
                find_codes(code, l, piece);
                to = copy_cells(to, l, code);
            }
        }
    }
    out->size = (size_t)(to - out->bytes);
    covey_i_free(code);
    return COVEY_OK;
}

static covey_status write_slice(const covey_release *release, const covey_problem *problem, size_t s,
                                const char *folder, covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_slice *slice = &((const covey_sliced *)release->form_data)->slice[s];
    char name[32];
    struct lines l = {.release = release,
                      .slice = s,
                      .longest = 1,
                      .cells = covey_i_array_zero(slice->n_fields, sizeof *l.cells),
                      .ready = COVEY_TEXT_INIT};
    covey_text header = COVEY_TEXT_INIT;
    covey_sheet sheet = {
        .name = name, .n_groups = release->n_classes, .start = release->class_start, .lines = add_lines, .context = &l};
    covey_status status = l.cells ? COVEY_OK : covey_i_no_memory(err);

    snprintf(name, sizeof name, "column-%zu.csv", s + 1);
    covey_i_sheet_add_name(&header, "bucket");
    for (; status == COVEY_OK && l.n_cells < slice->n_fields; l.n_cells++) {
        const covey_column *column = covey_i_release_shown(release, &problem->field[slice->field[l.n_cells]]);

        covey_i_sheet_add_name(&header, column->name);
        if ((status = covey_i_ready_cells_make(&l.cells[l.n_cells], column, ',', "", err)) == COVEY_OK)
            l.longest += l.cells[l.n_cells].longest;
    }
    covey_i_text_add_char(&header, '\n');
    sheet.header = header.bytes;
    if (status == COVEY_OK && header.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = make_ready(&l, err);
    if (status == COVEY_OK)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    for (size_t c = 0; l.cells && c < slice->n_fields; c++)
        covey_i_ready_cells_free(&l.cells[c]);
    covey_i_free(l.cells);
    covey_i_free(l.start);
    covey_i_text_free(&l.ready);
    covey_i_text_free(&header);
    return status;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder,
                                 covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_sliced *data = release->form_data;

    for (size_t s = 0; s < data->n_slices; s++)
        COVEY_TRY(write_slice(release, problem, s, folder, files, run, err));
    return COVEY_OK;
}

/* --- codes --- */

/* Of some column that has it. */
static void mark_codes(bool *shown, const covey_release *release, const covey_problem *problem,
                       const covey_field *field)
{
    const covey_sliced *data = release->form_data;

    for (size_t s = 0; s < data->n_slices; s++)
        for (size_t f = 0; f < data->slice[s].n_fields; f++) {
            if (&problem->field[data->slice[s].field[f]] != field)
                continue;
            for (uint32_t i = 0; i < release->n_published; i++)
                shown[covey_i_sliced_code(release, problem, s, f, covey_i_sliced_piece(data, s, i))] = true;
            return;
        }
}

/* Pieces keep their order, as the codes of their digits do. */
static void map_digits(covey_pieces *pieces, uint32_t n_lines, size_t digit, size_t n_digits, const uint32_t *map,
                       uint32_t n_values)
{
    const uint32_t n_before = pieces->n_values[digit];
    uint32_t unit = 1;

    for (size_t d = digit + 1; d < n_digits; d++)
        unit *= pieces->n_values[d];
    for (uint32_t i = 0; i < n_lines; i++) {
        const uint32_t piece = covey_i_codes_get(pieces->line, pieces->width, i), above = piece / unit;

        covey_i_codes_put(pieces->line, pieces->width, i,
                          (above / n_before * n_values + map[above % n_before]) * unit + piece % unit);
    }
    pieces->n_values[digit] = n_values;
    pieces->n_numbers = pieces->n_numbers / n_before * n_values;
}

static void map_codes(covey_release *release, size_t field, const uint32_t *map, uint32_t n_values)
{
    const covey_sliced *data = release->form_data;

    for (size_t s = 0; s < data->n_slices; s++)
        for (size_t f = 0; f < data->slice[s].n_fields; f++)
            if (data->slice[s].field[f] == field && !data->pieces[s].row_of) /* else the row's column has the codes */
                map_digits(&data->pieces[s], release->n_published, f, data->slice[s].n_fields, map, n_values);
}

static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "bucket") == 0;
}

const covey_form covey_form_sliced = {
    .name = "sliced",
    .unit = "bucket",
    .faithful =
        "Every column holds the pieces of the original's rows, each as often, with cells that cover its values.",
    .write = write_tables,
    .free_data = free_data,
    .is_exact = true,
    .units_alike = true,
    .reserves = reserves,
    .achieved = covey_i_sliced_achieved,
    .mark_codes = mark_codes,
    .map_codes = map_codes,
};
