/* The form "generalized": table.csv, one line per row, every class's quasi-identifiers published as ranges, labels or sets.
 *
 * Everything that repeats is made once: the cells of a class, and the ready CSV text of every value of the other columns.  Rows are
 * then put together by copying. */
#include "release/release_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csvcell.h"
#include "base/outfile.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { ROWS_PER_PIECE = 1 << 15, PIECES_PER_THREAD = 2, SLACK = 16 };

/* Ready cells of a column that is published as it is: ",value" per code. */
struct cells {
    const covey_column *column;
    covey_text bytes;
    size_t *start; /* [n_values + 1] */
    size_t longest;
};

struct writer {
    const covey_release *release;
    const covey_problem *problem;
    struct cells *cells;     /* [n_values] of the fields that are not quasi-identifiers, in order */
    size_t n_values;
    size_t longest_cells;    /* bytes of a row's cells at most */
    uint32_t *piece_start;   /* [n_pieces + 1] first class of each piece */
    size_t n_pieces, first_piece;
    covey_text *text;        /* one per piece of the wave */
};

static covey_status make_cells(struct cells *cells, const covey_column *column, covey_error *err)
{
    cells->column = column;
    if (!(cells->start = covey_i_array((size_t)column->n_values + 1, sizeof *cells->start)))
        return covey_fail(err, COVEY_ENOMEM, "cells of column \"%s\"", column->name);
    for (uint32_t v = 0; v < column->n_values; v++) {
        cells->start[v] = cells->bytes.size;
        covey_i_text_add_char(&cells->bytes, ',');
        if (!(v == 0 && column->has_null))
            covey_i_csv_add_cell(&cells->bytes, covey_column_label(column, v), covey_column_label_size(column, v), ',');
        if (cells->bytes.size - cells->start[v] > cells->longest)
            cells->longest = cells->bytes.size - cells->start[v];
    }
    cells->start[column->n_values] = cells->bytes.size;
    covey_i_text_reserve(&cells->bytes, SLACK);
    return cells->bytes.broken ? covey_fail(err, COVEY_ENOMEM, "cells of column \"%s\"", column->name) : COVEY_OK;
}

/* Distinct codes of a class on a flat axis, ascending. */
static size_t find_present(uint32_t *present, uint8_t *mark, const covey_axis *axis, const uint32_t *rows, uint32_t n, uint32_t low, uint32_t high)
{
    size_t n_present = 0;

    for (uint32_t i = 0; i < n; i++)
        mark[covey_i_code(axis->column, rows[i])] = 1;
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
};

static void add_class_cell(struct scratch *s, const struct writer *w, uint32_t c, size_t a)
{
    const covey_release *release = w->release;
    const covey_axis *axis = &w->problem->axis[a];
    size_t at = c * w->problem->n_axes + a, n_present = 0;

    if (axis->kind == COVEY_AXIS_FLAT)
        n_present = find_present(s->present, s->mark, axis, release->row_order + release->class_start[c],
                                 release->class_start[c + 1] - release->class_start[c], release->low[at], release->high[at]);
    covey_i_text_clear(&s->cell);
    covey_i_axis_print(&s->cell, axis, release->low[at], release->high[at], s->present, n_present);
    s->cell.broken |= !s->cell.bytes;
    covey_i_text_add_char(&s->line, ',');
    if (!s->cell.broken)
        covey_i_csv_add_cell(&s->line, s->cell.bytes, s->cell.size, ',');
}

/* The constant parts of a class's lines: "17,[20, 39],…" up to the first value field, then up to the next ... */
static void make_parts(struct scratch *s, const struct writer *w, uint32_t c)
{
    size_t n_parts = 0;

    covey_i_text_clear(&s->line);
    covey_i_text_add_format(&s->line, "%u", c + 1);
    for (size_t f = 0; f < w->problem->n_fields; f++)
        if (w->problem->field[f].role == COVEY_ROLE_QUASI)
            add_class_cell(s, w, c, (size_t)w->problem->field[f].axis);
        else
            s->part_end[n_parts++] = s->line.size;
    covey_i_text_add_char(&s->line, '\n');
    covey_i_text_reserve(&s->line, SLACK);
}

/* Copies in fixed steps: both buffers have SLACK bytes behind what counts. */
static char *copy(char *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i += SLACK)
        memcpy(to + i, from + i, SLACK);
    return to + n;
}

/* All rows of a class; the line's longest possible length is reserved for each beforehand. */
static covey_status write_rows(covey_text *out, const struct scratch *s, const struct writer *w, uint32_t c, covey_error *err)
{
    const uint32_t *row = w->release->row_order + w->release->class_start[c];
    uint32_t n = w->release->class_start[c + 1] - w->release->class_start[c];
    char *to;

    if (!covey_i_text_reserve(out, (size_t)n * (s->line.size + w->longest_cells) + SLACK))
        return covey_fail(err, COVEY_ENOMEM, "lines of table.csv");
    to = out->bytes + out->size;
    for (uint32_t i = 0; i < n; i++) {
        size_t at = 0;

        for (size_t v = 0; v < w->n_values; v++) {
            const struct cells *cells = &w->cells[v];
            uint32_t code = covey_i_code(cells->column, row[i]);

            to = copy(to, s->line.bytes + at, s->part_end[v] - at);
            to = copy(to, cells->bytes.bytes + cells->start[code], cells->start[code + 1] - cells->start[code]);
            at = s->part_end[v];
        }
        to = copy(to, s->line.bytes + at, s->line.size - at);
    }
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status start_scratch(struct scratch *s, const covey_problem *problem, covey_error *err)
{
    uint32_t largest = 1;

    for (size_t a = 0; a < problem->n_axes; a++)
        if (problem->axis[a].kind == COVEY_AXIS_FLAT && problem->axis[a].n_values > largest)
            largest = problem->axis[a].n_values;
    s->part_end = covey_i_array(problem->n_fields, sizeof *s->part_end);
    s->present = covey_i_array(largest, sizeof *s->present);
    s->mark = covey_i_array_zero(largest, sizeof *s->mark);
    return s->part_end && s->present && s->mark ? COVEY_OK : covey_fail(err, COVEY_ENOMEM, "cells of a class");
}

static covey_status format_piece(void *context, size_t task, covey_error *err)
{
    struct writer *w = context;
    size_t piece = w->first_piece + task;
    covey_text *out = &w->text[task];
    struct scratch s = {.cell = COVEY_TEXT_INIT, .line = COVEY_TEXT_INIT};
    covey_status status = start_scratch(&s, w->problem, err);

    covey_i_text_clear(out);
    for (uint32_t c = w->piece_start[piece]; status == COVEY_OK && c < w->piece_start[piece + 1]; c++) {
        make_parts(&s, w, c);
        if (s.line.broken || s.cell.broken)
            status = covey_fail(err, COVEY_ENOMEM, "cells of a class");
        else
            status = write_rows(out, &s, w, c, err);
    }
    covey_i_text_free(&s.cell);
    covey_i_text_free(&s.line);
    covey_i_free(s.part_end);
    covey_i_free(s.present);
    covey_i_free(s.mark);
    return status;
}

/* Whole classes, about ROWS_PER_PIECE rows each. */
static covey_status make_pieces(struct writer *w, covey_error *err)
{
    const covey_release *release = w->release;
    uint32_t c = 0;

    if (!(w->piece_start = covey_i_array((size_t)release->n_published / ROWS_PER_PIECE + 3, sizeof *w->piece_start)))
        return covey_fail(err, COVEY_ENOMEM, "pieces of table.csv");
    w->piece_start[0] = 0;
    while (c < release->n_classes) {
        uint32_t begin = release->class_start[c];

        while (c < release->n_classes && (release->class_start[c] == begin || release->class_start[c] - begin < ROWS_PER_PIECE))
            c++;
        w->piece_start[++w->n_pieces] = c;
    }
    return COVEY_OK;
}

static covey_status write_header(covey_outfile *out, const covey_problem *problem, covey_error *err)
{
    covey_text line = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_string(&line, "class");
    for (size_t f = 0; f < problem->n_fields; f++) {
        covey_i_text_add_char(&line, ',');
        covey_i_csv_add_cell(&line, problem->field[f].column->name, strlen(problem->field[f].column->name), ',');
    }
    covey_i_text_add_char(&line, '\n');
    status = line.broken ? covey_fail(err, COVEY_ENOMEM, "header of table.csv") : COVEY_OK;
    if (status == COVEY_OK)
        covey_i_outfile_write(out, line.bytes, line.size);
    covey_i_text_free(&line);
    return status;
}

/* Formats a wave of pieces on all threads, writes them one after another. */
static covey_status write_pieces(covey_outfile *out, struct writer *w, int n_threads, covey_error *err)
{
    size_t wave = (size_t)n_threads * PIECES_PER_THREAD;
    covey_status status = COVEY_OK;

    if (!(w->text = covey_i_array_zero(wave, sizeof *w->text)))
        return covey_fail(err, COVEY_ENOMEM, "lines of table.csv");
    for (w->first_piece = 0; w->first_piece < w->n_pieces && status == COVEY_OK && !covey_i_outfile_is_broken(out); w->first_piece += wave) {
        size_t n = w->n_pieces - w->first_piece < wave ? w->n_pieces - w->first_piece : wave;

        status = covey_i_parallel(n_threads, n, format_piece, w, err);
        for (size_t i = 0; i < n && status == COVEY_OK; i++)
            covey_i_outfile_write(out, w->text[i].bytes, w->text[i].size);
    }
    for (size_t i = 0; i < wave; i++)
        covey_i_text_free(&w->text[i]);
    covey_i_free(w->text);
    return status;
}

static covey_status write_table(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                                const covey_run *run, covey_error *err)
{
    struct writer w = {.release = release, .problem = problem};
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status = COVEY_OK;

    if (!(w.cells = covey_i_array_zero(problem->n_fields, sizeof *w.cells))) {
        status = covey_fail(err, COVEY_ENOMEM, "columns of table.csv");
        goto done;
    }
    for (size_t f = 0; f < problem->n_fields; f++) {
        if (problem->field[f].role == COVEY_ROLE_QUASI)
            continue;
        if ((status = make_cells(&w.cells[w.n_values], problem->field[f].column, err)) != COVEY_OK)
            goto done;
        w.longest_cells += w.cells[w.n_values++].longest;
    }
    covey_i_text_add_format(&path, "%s/table.csv", folder);
    if (path.broken) {
        status = covey_fail(err, COVEY_ENOMEM, "table.csv");
        goto done;
    }
    if ((status = make_pieces(&w, err)) != COVEY_OK || (status = covey_i_outfile_open(&out, path.bytes, err)) != COVEY_OK ||
        (status = write_header(out, problem, err)) != COVEY_OK || (status = write_pieces(out, &w, covey_run_threads(run), err)) != COVEY_OK)
        goto done;
    status = covey_i_outfile_close(out, false, err);
    out = NULL;
    if (status == COVEY_OK)
        status = covey_i_files_add(files, "table.csv", release->n_published, err);
done:
    covey_i_outfile_abort(out);
    for (size_t f = 0; w.cells && f < problem->n_fields; f++) {
        covey_i_text_free(&w.cells[f].bytes);
        covey_i_free(w.cells[f].start);
    }
    covey_i_free(w.cells);
    covey_i_free(w.piece_start);
    covey_i_text_free(&path);
    return status;
}

static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "class") == 0;
}

const covey_form covey_form_generalized = {
    .name = "generalized",
    .summary = "every row, its quasi-identifiers generalized class by class; the other columns as they are",
    .write = write_table,
    .reserves = reserves,
};
