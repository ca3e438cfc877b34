/* The form "generalized": table.csv, one line per row, every class's quasi-identifiers published as ranges, labels or
 * sets.
 *
 * Everything that repeats is made once: the cells of a class, and the ready CSV text of every value of the other
 * columns (sheet.h). */
#include "release/generalized/generalized.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/sort/compare.h"
#include "release/generalized/axis_cells.h"
#include "release/sheet/sheet.h"
#include "table/table_impl.h"

enum {
    SPARSE = 64,     /* so many values for each that is present are looked through at most */
    BATCH_ROWS = 256 /* whose codes are fetched at a time */
};

struct covey_table_writer {
    const covey_release *release;
    const covey_problem *problem;
    covey_outfile *out;
    covey_files *files; /* where it will be listed */
    covey_sheet_hash hash;
    uint32_t n_classes; /* of the batches before */
    int64_t n_rows;
    covey_ready_cells *cells; /* [n_values] of the fields that are not quasi-identifiers, in order */
    size_t n_values;
    size_t longest_cells;    /* bytes of a row's cells at most */
    covey_axis_cells *ready; /* [n_axes] of the batch, where classes are many */
    size_t n_ready;
};

/* All codes of a region that may show. */
static size_t list_region(uint32_t *present, const covey_shown_codes *shown, size_t a, uint32_t low, uint32_t high)
{
    size_t n = 0;

    for (uint32_t v = low; v <= high; v++)
        if (covey_i_code_may_show(shown, a, v))
            present[n++] = v;
    return n;
}

/* Distinct codes of a class on a flat axis, ascending.  Few codes of a large domain are sorted: looking through the
 * domain for every class would cost classes times values. */
static size_t find_present(uint32_t *present, uint8_t *mark, const covey_axis *axis, const uint32_t *rows, uint32_t n,
                           uint32_t low, uint32_t high)
{
    size_t n_present = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = covey_i_code(axis->column, rows[i]);

        if (!mark[v]) {
            mark[v] = 1;
            present[n_present++] = v;
        }
    }
    if (n_present < (high - low) / SPARSE) {
        for (size_t i = 0; i < n_present; i++)
            mark[present[i]] = 0;
        qsort(present, n_present, sizeof *present, covey_i_compare_u32);
        return n_present;
    }
    n_present = 0;
    for (uint32_t v = low; v <= high; v++)
        if (mark[v]) {
            present[n_present++] = v;
            mark[v] = 0;
        }
    return n_present;
}

/* Scratch of one piece. */
struct scratch {
    covey_text cell, line; /* one cell; the constant parts of a class's lines one after another */
    size_t *part_end;      /* [n_values] where the constant part before each value field ends */
    uint32_t *present;
    uint8_t *mark;
    uint32_t *code; /* [n_values][BATCH_ROWS] of the rows first_fetched .. end_fetched-1 in row_order */
    uint32_t first_fetched, end_fetched, end; /* end: of the piece's rows */
};

static void add_class_cell(struct scratch *s, const covey_table_writer *w, uint32_t c, size_t a)
{
    const covey_release *release = w->release;
    const covey_axis shown = covey_i_release_axis(release, w->problem, a), *axis = &shown;
    size_t at = c * w->problem->n_axes + a, n_present = 0;

    if (covey_i_axis_cells_add(&s->line, &w->ready[a], axis, release->low[at], release->high[at]))
        return;
    if (axis->kind == COVEY_AXIS_FLAT && release->has_regions)
        n_present = list_region(s->present, &release->shown, a, release->low[at], release->high[at]);
    else if (axis->kind == COVEY_AXIS_FLAT)
        n_present =
            find_present(s->present, s->mark, axis, release->row_order + release->class_start[c],
                         release->class_start[c + 1] - release->class_start[c], release->low[at], release->high[at]);
    covey_i_text_clear(&s->cell);
    covey_i_axis_print(&s->cell, axis, release->low[at], release->high[at], s->present, n_present);
    s->cell.broken |= !s->cell.bytes;
    covey_i_text_add_char(&s->line, ',');
    if (!s->cell.broken)
        covey_i_csv_add_cell(&s->line, s->cell.bytes, s->cell.size, ',');
}

/* The constant parts of a class's lines: "17,[20, 39],…" up to the first value field, then up to the next ... */
static void make_parts(struct scratch *s, const covey_table_writer *w, uint32_t c)
{
    size_t n_parts = 0;

    covey_i_text_clear(&s->line);
    covey_i_text_add_whole(&s->line, w->n_classes + c + 1);
    for (size_t f = 0; f < w->problem->n_fields; f++)
        if (w->problem->field[f].role == COVEY_ROLE_QUASI)
            add_class_cell(s, w, c, (size_t)w->problem->field[f].axis);
        else
            s->part_end[n_parts++] = s->line.size;
    covey_i_text_add_char(&s->line, '\n');
    covey_i_text_reserve(&s->line, COVEY_SHEET_SLACK);
}

/* The codes of the piece's next rows, whatever classes they are in. */
static void fetch_codes(struct scratch *s, const covey_table_writer *w)
{
    s->first_fetched = s->end_fetched;
    s->end_fetched = s->end - s->first_fetched < BATCH_ROWS ? s->end : s->first_fetched + BATCH_ROWS;
    for (size_t v = 0; v < w->n_values; v++) {
        const covey_column *column = w->cells[v].column;

        covey_i_codes_at(s->code + v * BATCH_ROWS, column->codes, column->width,
                         w->release->row_order + s->first_fetched, s->end_fetched - s->first_fetched);
    }
}

/* All rows of a class; the line's longest possible length is reserved for each beforehand. */
static covey_status write_rows(covey_text *out, struct scratch *s, const covey_table_writer *w, uint32_t c,
                               covey_error *err)
{
    const uint32_t begin = w->release->class_start[c], end = w->release->class_start[c + 1];
    char *to;

    if (!covey_i_text_reserve(out, (size_t)(end - begin) * (s->line.size + w->longest_cells) + COVEY_SHEET_SLACK))
        return covey_i_no_memory(err);
    to = out->bytes + out->size;
    for (uint32_t i = begin; i < end; i++) {
        size_t at = 0;

        if (i == s->end_fetched)
            fetch_codes(s, w);
        for (size_t v = 0; v < w->n_values; v++) {
            to = covey_i_sheet_copy(to, s->line.bytes + at, s->part_end[v] - at);
            to = covey_i_sheet_copy_cell(to, &w->cells[v], s->code[v * BATCH_ROWS + (i - s->first_fetched)]);
            at = s->part_end[v];
        }
        to = covey_i_sheet_copy(to, s->line.bytes + at, s->line.size - at);
    }
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status start_scratch(struct scratch *s, const covey_table_writer *w, covey_error *err)
{
    const covey_problem *problem = w->problem;
    uint32_t largest = 1;

    for (size_t a = 0; a < problem->n_axes; a++)
        if (problem->axis[a].kind == COVEY_AXIS_FLAT && problem->axis[a].n_values > largest)
            largest = problem->axis[a].n_values;
    s->part_end = covey_i_array(problem->n_fields, sizeof *s->part_end);
    s->present = covey_i_array(largest, sizeof *s->present);
    s->mark = covey_i_array_zero(largest, sizeof *s->mark);
    s->code = covey_i_array(w->n_values * BATCH_ROWS, sizeof *s->code);
    return s->part_end && s->present && s->mark && s->code ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const covey_table_writer *w = context;
    struct scratch s = {.cell = COVEY_TEXT_INIT, .line = COVEY_TEXT_INIT};
    covey_status status = start_scratch(&s, w, err);

    s.end_fetched = w->release->class_start[begin];
    s.end = w->release->class_start[end];
    for (uint32_t c = begin; status == COVEY_OK && c < end; c++) {
        make_parts(&s, w, c);
        if (s.line.broken || s.cell.broken)
            status = covey_i_no_memory(err);
        else
            status = write_rows(out, &s, w, c, err);
    }
    covey_i_text_free(&s.cell);
    covey_i_text_free(&s.line);
    covey_i_free(s.part_end);
    covey_i_free(s.present);
    covey_i_free(s.mark);
    covey_i_free(s.code);
    return status;
}

static covey_status make_header(covey_text *header, covey_table_writer *w, const covey_problem *problem,
                                covey_error *err)
{
    if (!(w->cells = covey_i_array_zero(problem->n_fields, sizeof *w->cells)))
        return covey_i_no_memory(err);
    covey_i_sheet_add_name(header, "class");
    for (size_t f = 0; f < problem->n_fields; f++) {
        covey_i_sheet_add_name(header, problem->field[f].column->name);
        if (problem->field[f].role == COVEY_ROLE_QUASI)
            continue;
        w->n_values++; /* what is half made has to go, too */
        COVEY_TRY(covey_i_ready_cells_make(&w->cells[w->n_values - 1], problem->field[f].column, ',', "", err));
        w->longest_cells += w->cells[w->n_values - 1].longest;
    }
    covey_i_text_add_char(header, '\n');
    return header->broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_table_writer_open(covey_table_writer **out, const covey_problem *problem, uint32_t n_before,
                                       const char *folder, covey_files *files, covey_error *err)
{
    covey_table_writer *w = covey_i_array_zero(1, sizeof *w);
    covey_text header = COVEY_TEXT_INIT, path = COVEY_TEXT_INIT;
    covey_status status;

    if (!w)
        return covey_i_no_memory(err);
    w->n_classes = n_before;
    w->files = files;
    covey_i_text_add_format(&path, "%s/table.csv", folder);
    status = path.broken ? covey_i_no_memory(err) : make_header(&header, w, problem, err);
    if (status == COVEY_OK && (status = covey_i_outfile_open(&w->out, path.bytes, err)) == COVEY_OK) {
        covey_i_outfile_string(w->out, header.bytes);
        covey_i_sha256_begin(&w->hash.sum);
        covey_i_sha256_add(&w->hash.sum, header.bytes, header.size);
    }
    covey_i_text_free(&header);
    covey_i_text_free(&path);
    if (status == COVEY_OK)
        *out = w;
    else
        covey_i_table_writer_abort(w);
    return status;
}

/* Cells that several classes can share are made once. */
static covey_status make_ready(covey_table_writer *w, covey_error *err)
{
    if (!w->ready && !(w->ready = covey_i_array_zero(w->problem->n_axes, sizeof *w->ready)))
        return covey_i_no_memory(err);
    w->n_ready = w->problem->n_axes;
    for (size_t a = 0; a < w->n_ready; a++) {
        const covey_axis axis = covey_i_release_axis(w->release, w->problem, a);

        covey_i_axis_cells_free(&w->ready[a]);
        if (covey_i_axis_cells_needed(&axis) <= w->release->n_classes)
            COVEY_TRY(covey_i_axis_cells_make(&w->ready[a], &axis, err));
    }
    return COVEY_OK;
}

covey_status covey_i_table_writer_add(covey_table_writer *w, const covey_release *release, const covey_problem *problem,
                                      const covey_run *run, covey_error *err)
{
    const covey_sheet sheet = {.name = "table.csv",
                               .n_groups = release->n_classes,
                               .start = release->class_start,
                               .lines = add_lines,
                               .context = w};
    size_t v = 0;

    w->release = release;
    w->problem = problem;
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role != COVEY_ROLE_QUASI)
            w->cells[v++].column = problem->field[f].column;
    COVEY_TRY(make_ready(w, err));
    COVEY_TRY(covey_i_sheet_append(&sheet, w->out, w->files->hashes_lines ? &w->hash : NULL, run, err));
    w->n_classes += release->n_classes;
    w->n_rows += release->n_published;
    return COVEY_OK;
}

covey_status covey_i_table_writer_close(covey_table_writer *w, covey_error *err)
{
    covey_files *files = w->files;
    covey_status status = covey_i_outfile_close(w->out, err);

    w->out = NULL;
    if (status == COVEY_OK)
        status = covey_i_files_add(files, "table.csv", w->n_rows, err);
    if (status == COVEY_OK && files->hashes_lines)
        covey_i_sheet_hash_end(files, &files->file[files->n - 1], &w->hash);
    covey_i_table_writer_abort(w);
    return status;
}

void covey_i_table_writer_abort(covey_table_writer *w)
{
    if (!w)
        return;
    covey_i_outfile_abort(w->out);
    for (size_t v = 0; w->cells && v < w->n_values; v++)
        covey_i_ready_cells_free(&w->cells[v]);
    for (size_t a = 0; a < w->n_ready; a++)
        covey_i_axis_cells_free(&w->ready[a]);
    covey_i_free(w->ready);
    covey_i_free(w->cells);
    covey_i_free(w);
}

static covey_status write_table(const covey_release *release, const covey_problem *problem, const char *folder,
                                covey_files *files, const covey_run *run, covey_error *err)
{
    covey_table_writer *w;
    covey_status status;

    COVEY_TRY(covey_i_table_writer_open(&w, problem, 0, folder, files, err));
    if ((status = covey_i_table_writer_add(w, release, problem, run, err)) == COVEY_OK)
        return covey_i_table_writer_close(w, err);
    covey_i_table_writer_abort(w);
    return status;
}

static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "class") == 0;
}

const covey_form covey_form_generalized = {
    .name = "generalized",
    .unit = "class",
    .faithful = "Every published row is one of the original's, one to one.",
    .write = write_table,
    .reserves = reserves,
};
