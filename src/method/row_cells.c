/* See row_cells.h. */
#include "method/row_cells.h"

#include <string.h>

#include "base/threads.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { CHUNK_ROWS = 1 << 15 };

struct making {
    covey_cells *cells;
    const covey_problem *problem;
    const covey_sorted_rows *sorted;
    uint32_t n_rows;
    size_t n_chunks;
    uint8_t *begins;   /* [n_rows] is this row the first of its cell? */
    uint32_t *n_begun; /* [n_chunks] cells that begin in a chunk; then those that begin before it */
};

static uint32_t chunk_start(const struct making *m, size_t chunk)
{
    return (uint32_t)((uint64_t)m->n_rows * chunk / m->n_chunks);
}

#define DEFINE_DIFFER(name, type)                                                                                                          \
    static void name(uint8_t *begins, const type *codes, const uint32_t *rows, uint32_t from, uint32_t to)                                 \
    {                                                                                                                                      \
        type last = codes[rows[from - 1]];                                                                                                 \
                                                                                                                                           \
        for (uint32_t i = from; i < to; i++) {                                                                                             \
            const type code = codes[rows[i]];                                                                                              \
                                                                                                                                           \
            begins[i] |= code != last;                                                                                                     \
            last = code;                                                                                                                   \
        }                                                                                                                                  \
    }

DEFINE_DIFFER(differ_u8, uint8_t)
DEFINE_DIFFER(differ_u16, uint16_t)
DEFINE_DIFFER(differ_u32, uint32_t)

/* Rows whose codes are packed begin a cell where the number leaves that of the cell before. */
static void differ_packed(uint8_t *begins, const covey_sorted_rows *sorted, uint32_t from, uint32_t to)
{
    const uint32_t *packed = sorted->packed;
    uint64_t end = (packed[from - 1] / sorted->n_contents + 1) * sorted->n_contents, start = end - sorted->n_contents;

    for (uint32_t i = from; i < to; i++)
        if (packed[i] >= end || packed[i] < start) {
            begins[i] = 1;
            end = (packed[i] / sorted->n_contents + 1) * sorted->n_contents;
            start = end - sorted->n_contents;
        }
}

/* A row begins a cell if any code differs from the row's before it. */
static covey_status find_begins(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    const uint32_t start = chunk_start(m, chunk), end = chunk_start(m, chunk + 1), from = start > 0 ? start : 1;
    uint32_t n = 0;

    memset(m->begins + start, 0, end - start);
    if (start == 0)
        m->begins[0] = 1;
    if (from < end && m->sorted->packed)
        differ_packed(m->begins, m->sorted, from, end);
    for (size_t a = 0; from < end && !m->sorted->packed && a < m->problem->n_axes; a++) {
        const covey_column *column = m->problem->axis[a].column;

        if (column->width == 1)
            differ_u8(m->begins, column->codes, m->cells->rows, from, end);
        else if (column->width == 2)
            differ_u16(m->begins, column->codes, m->cells->rows, from, end);
        else
            differ_u32(m->begins, column->codes, m->cells->rows, from, end);
    }
    for (uint32_t i = start; i < end; i++)
        n += m->begins[i];
    m->n_begun[chunk] = n;
    return COVEY_OK;
}

static void set_code(const covey_cell_codes *codes, uint32_t i, uint32_t code)
{
    if (codes->width == 1)
        ((uint8_t *)codes->codes)[i] = (uint8_t)code;
    else if (codes->width == 2)
        ((uint16_t *)codes->codes)[i] = (uint16_t)code;
    else
        ((uint32_t *)codes->codes)[i] = code;
}

static covey_status list_begins(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    uint32_t cell = m->n_begun[chunk];

    for (uint32_t i = chunk_start(m, chunk); i < chunk_start(m, chunk + 1); i++)
        if (m->begins[i])
            m->cells->start[cell++] = i;
    return COVEY_OK;
}

/* Codes of a column by their place among the sorted rows. */
struct source {
    const covey_column *column;
    const uint32_t *rows;
    const uint32_t *packed; /* NULL: the column is asked */
    covey_digit digit;
};

static struct source source_of(const struct making *m, const covey_column *column)
{
    struct source source = {.column = column, .rows = m->cells->rows};

    if (m->sorted->packed && covey_i_problem_digit(&source.digit, m->problem, column))
        source.packed = m->sorted->packed;
    return source;
}

static uint32_t code_of(const struct source *source, uint32_t i)
{
    return source->packed ? (uint32_t)(source->packed[i] / source->digit.stride % source->digit.n_values)
                          : covey_i_code(source->column, source->rows[i]);
}

/* Copies the codes of the cells and of their rows. */
static covey_status copy_codes(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    const covey_cells *cells = m->cells;
    const uint32_t first = (uint32_t)((uint64_t)cells->n * chunk / m->n_chunks), end = (uint32_t)((uint64_t)cells->n * (chunk + 1) / m->n_chunks);

    for (size_t a = 0; a < m->problem->n_axes; a++) {
        const struct source source = source_of(m, m->problem->axis[a].column);

        for (uint32_t c = first; c < end; c++)
            set_code(&cells->axis[a], c, code_of(&source, cells->start[c]));
    }
    for (size_t v = 0; v < m->problem->promises.n_views; v++) {
        const struct source source = source_of(m, m->problem->promises.view[v].column);

        for (uint32_t i = chunk_start(m, chunk); i < chunk_start(m, chunk + 1); i++)
            set_code(&cells->view[v], i, code_of(&source, i));
    }
    return COVEY_OK;
}

static bool codes_new(covey_cell_codes *out, const covey_column *column, uint32_t n, covey_arena *arena)
{
    *out = (covey_cell_codes){column->width, covey_arena_alloc(arena, n, (size_t)column->width)};
    return out->codes != NULL;
}

covey_status covey_i_cells_new(covey_cells *cells, const covey_problem *problem, const covey_sorted_rows *sorted, bool single,
                               covey_arena *arena, const covey_run *run, covey_error *err)
{
    const uint32_t n = sorted->n;
    const size_t n_views = problem->promises.n_views;
    const int threads = covey_run_threads(run);
    struct making m = {cells, problem, sorted, n, n / CHUNK_ROWS + 1, NULL, NULL};
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;
    uint32_t n_before = 0;
    bool room = true;

    *cells = (covey_cells){.rows = sorted->rows,
                           .axis = covey_arena_array(arena, covey_cell_codes, problem->n_axes),
                           .view = covey_arena_array(arena, covey_cell_codes, n_views)};
    m.begins = covey_arena_array(&scratch, uint8_t, n);
    m.n_begun = covey_arena_array_zero(&scratch, uint32_t, m.n_chunks);
    if (!cells->axis || !cells->view || !m.begins || !m.n_begun)
        goto no_memory;
    if (single) {
        memset(m.begins, 1, n);
        for (size_t chunk = 0; chunk < m.n_chunks; chunk++)
            m.n_begun[chunk] = chunk_start(&m, chunk + 1) - chunk_start(&m, chunk);
    } else if (n > 0 && (status = covey_i_parallel(threads, m.n_chunks, find_begins, &m, err)) != COVEY_OK) {
        goto done;
    }
    for (size_t chunk = 0; chunk < m.n_chunks; chunk++) {
        const uint32_t begun = m.n_begun[chunk];

        m.n_begun[chunk] = n_before;
        n_before += begun;
    }
    cells->n = n_before;
    if (!(cells->start = covey_arena_array(arena, uint32_t, (size_t)cells->n + 1)))
        goto no_memory;
    cells->start[cells->n] = n;
    for (size_t a = 0; room && a < problem->n_axes; a++)
        room = codes_new(&cells->axis[a], problem->axis[a].column, cells->n, arena);
    for (size_t v = 0; room && v < n_views; v++)
        room = codes_new(&cells->view[v], problem->promises.view[v].column, n, arena);
    if (!room)
        goto no_memory;
    if ((status = covey_i_parallel(threads, m.n_chunks, list_begins, &m, err)) == COVEY_OK)
        status = covey_i_parallel(threads, m.n_chunks, copy_codes, &m, err);
    goto done;
no_memory:
    status = covey_fail(err, COVEY_ENOMEM, "combinations of quasi-identifiers of %u rows", n);
done:
    covey_arena_free(&scratch);
    return status;
}

void covey_i_cells_range(uint32_t *low, uint32_t *high, const covey_cells *cells, size_t n_axes, const uint32_t *cell, uint32_t n)
{
    for (size_t a = 0; a < n_axes; a++) {
        low[a] = high[a] = covey_i_cell_code(&cells->axis[a], cell[0]);
        for (uint32_t i = 1; i < n; i++) {
            const uint32_t code = covey_i_cell_code(&cells->axis[a], cell[i]);

            low[a] = code < low[a] ? code : low[a];
            high[a] = code > high[a] ? code : high[a];
        }
    }
}

void covey_i_cells_tally(covey_tally *tally, const covey_cells *cells, uint32_t cell)
{
    const uint32_t start = cells->start[cell], end = cells->start[cell + 1];

    tally->size += end - start;
    for (size_t v = 0; v < tally->n_views; v++)
        for (uint32_t i = start; i < end; i++)
            covey_i_histogram_add(&tally->counts[v], covey_i_cell_code(&cells->view[v], i), 1);
    if (!tally->has_ranges)
        return;
    for (size_t a = 0; a < tally->n_quasi; a++) {
        const uint32_t code = covey_i_cell_code(&cells->axis[a], cell);

        if (code < tally->low[a])
            tally->low[a] = code;
        if (code > tally->high[a])
            tally->high[a] = code;
    }
}
