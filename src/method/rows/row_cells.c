/* See row_cells.h. */
#include "method/rows/row_cells.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "method/rows/row_runs.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum {
    CHUNK_ROWS = 1 << 15,
    BLOCK = 1024,
    ROWS_PER_RECORD = 4 /* at least, so that records take 4 bytes a row at most */
};

struct making {
    covey_cells *cells;
    const covey_problem *problem;
    const covey_sorted_rows *sorted;
    uint32_t n_rows;
    size_t n_chunks;
    uint32_t *begin;   /* [n_rows] where cells begin, those of a chunk where the chunk's rows begin: mostly few, so that
                        * most of it is never touched;   NULL: every row is a cell */
    uint32_t *n_begun; /* [n_chunks] cells that begin in a chunk; then those that begin before it */
};

static uint32_t chunk_start(const struct making *m, size_t chunk)
{
    return (uint32_t)((uint64_t)m->n_rows * chunk / m->n_chunks);
}

/* Lists the rows from .. to-1 that begin a cell, because a code differs from the row's before; returns how many. */
static uint32_t find_by_table(uint32_t *begin, const struct making *m, uint32_t from, uint32_t to)
{
    const uint32_t *rows = m->cells->rows;
    uint8_t differs[CHUNK_ROWS] = {0};
    uint32_t n = 0;

    for (size_t a = 0; a < m->problem->n_axes; a++) {
        const covey_column *column = m->problem->axis[a].column;

        COVEY_CODES_TYPED(column->width, {
            const covey_code *codes = column->codes;
            covey_code last = codes[rows[from - 1]];

            for (uint32_t i = from; i < to; i++) {
                const covey_code code = codes[rows[i]];

                differs[i - from] |= code != last;
                last = code;
            }
        });
    }
    for (uint32_t i = from; i < to; i++) {
        begin[n] = i;
        n += differs[i - from];
    }
    return n;
}

/* The same where codes are packed: a cell begins where the number leaves that of the cell before. */
static uint32_t find_by_numbers(uint32_t *begin, const covey_sorted_rows *sorted, uint32_t from, uint32_t to)
{
    const uint32_t *packed = sorted->packed;
    uint64_t first = packed[from - 1] / sorted->n_contents * sorted->n_contents, end = first + sorted->n_contents;
    uint32_t n = 0;

    for (uint32_t i = from; i < to; i++)
        if (packed[i] >= end || packed[i] < first) {
            begin[n++] = i;
            first = packed[i] / sorted->n_contents * sorted->n_contents;
            end = first + sorted->n_contents;
        }
    return n;
}

static covey_status find_begins(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    const uint32_t start = chunk_start(m, chunk), end = chunk_start(m, chunk + 1), from = start > 0 ? start : 1;
    uint32_t *begin = m->begin + start, n = 0;

    if (start == 0)
        begin[n++] = 0;
    if (from < end)
        n += m->sorted->packed ? find_by_numbers(begin + n, m->sorted, from, end)
                               : find_by_table(begin + n, m, from, end);
    m->n_begun[chunk] = n;
    return COVEY_OK;
}

static covey_status list_begins(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    const uint32_t start = chunk_start(m, chunk), n_before = m->n_begun[chunk], n = m->n_begun[chunk + 1] - n_before;

    if (m->begin)
        memcpy(m->cells->start + n_before, m->begin + start, n * sizeof *m->begin);
    for (uint32_t i = 0; !m->begin && i < n; i++) /* every row is one */
        m->cells->start[start + i] = start + i;
    return COVEY_OK;
}

static void pack(const covey_cell_codes *to, uint32_t first, const uint32_t *codes, uint32_t n)
{
    covey_i_codes_pack(covey_i_codes_from(to->codes, to->width, first), to->width, codes, n);
}

/* The codes of the cells first .. end-1. */
static void copy_cell_codes(const struct making *m, uint32_t first, uint32_t end)
{
    const covey_cells *cells = m->cells;
    uint32_t codes[BLOCK];

    if (cells->record)
        memset(cells->record + first, 0, (end - first) * sizeof *cells->record);
    for (size_t a = 0; a < m->problem->n_axes; a++) {
        const covey_row_codes source = covey_i_row_codes(m->problem, m->sorted, m->problem->axis[a].column);

        for (uint32_t c = first, n; c < end; c += n) {
            n = end - c < BLOCK ? end - c : BLOCK;
            covey_i_row_codes_at(codes, &source, cells->start + c, n);
            pack(&cells->axis[a], c, codes, n);
            for (uint32_t i = 0; cells->record && i < n; i++)
                cells->record[c + i].code[a] = (int16_t)codes[i];
        }
    }
}

/* The codes of the rows at the places first .. end-1. */
static void copy_view_codes(const struct making *m, uint32_t first, uint32_t end)
{
    uint32_t codes[BLOCK], at[BLOCK];

    for (size_t v = 0; v < m->problem->promises.n_views; v++) {
        const covey_row_codes source = covey_i_row_codes(m->problem, m->sorted, m->problem->promises.view[v].column);

        for (uint32_t start = first, n; start < end; start += n) {
            n = end - start < BLOCK ? end - start : BLOCK;
            for (uint32_t i = 0; i < n; i++)
                at[i] = start + i;
            covey_i_row_codes_at(codes, &source, at, n);
            pack(&m->cells->view[v], start, codes, n);
        }
    }
}

/* Copies the codes of the cells and of their rows. */
static covey_status copy_codes(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    const uint32_t n_cells = m->cells->n;

    copy_cell_codes(m, (uint32_t)((uint64_t)n_cells * chunk / m->n_chunks),
                    (uint32_t)((uint64_t)n_cells * (chunk + 1) / m->n_chunks));
    copy_view_codes(m, chunk_start(m, chunk), chunk_start(m, chunk + 1));
    return COVEY_OK;
}

static bool codes_new(covey_cell_codes *out, const covey_column *column, uint32_t n, covey_arena *arena)
{
    *out = (covey_cell_codes){column->width, covey_arena_alloc(arena, n, (size_t)column->width)};
    return out->codes != NULL;
}

static bool fit_records(const covey_problem *problem)
{
    for (size_t a = 0; a < problem->n_axes; a++)
        if (!covey_i_lane_fits(problem->axis[a].n_values))
            return false;
    return problem->n_axes <= COVEY_LANES;
}

/* Room for cells->n cells. */
static bool make_room(covey_cells *cells, const struct making *m, covey_arena *arena)
{
    bool room = (cells->start = covey_arena_array(arena, uint32_t, (size_t)cells->n + 1)) != NULL;

    for (size_t a = 0; room && a < m->problem->n_axes; a++)
        room = codes_new(&cells->axis[a], m->problem->axis[a].column, cells->n, arena);
    for (size_t v = 0; room && v < m->problem->promises.n_views; v++)
        room = codes_new(&cells->view[v], m->problem->promises.view[v].column, m->n_rows, arena);
    if (room && cells->n <= m->n_rows / ROWS_PER_RECORD && fit_records(m->problem))
        room = (cells->record = covey_arena_array(arena, covey_lanes, cells->n)) != NULL;
    return room;
}

covey_status covey_i_cells_new(covey_cells *cells, const covey_problem *problem, const covey_sorted_rows *sorted,
                               bool single, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const uint32_t n = sorted->n;
    const int threads = covey_run_threads(run);
    struct making m = {cells, problem, sorted, n, n / CHUNK_ROWS + 1, NULL, NULL};
    covey_status status = COVEY_OK;
    uint32_t n_before = 0;

    *cells = (covey_cells){.rows = sorted->rows,
                           .axis = covey_arena_array(arena, covey_cell_codes, problem->n_axes),
                           .view = covey_arena_array(arena, covey_cell_codes, problem->promises.n_views)};
    m.n_begun = covey_i_array(m.n_chunks + 1, sizeof *m.n_begun);
    if (!cells->axis || !cells->view || !m.n_begun || (!single && !(m.begin = covey_i_array(n, sizeof *m.begin))))
        goto no_memory;
    for (size_t chunk = 0; chunk < m.n_chunks; chunk++)
        m.n_begun[chunk] = single ? chunk_start(&m, chunk + 1) - chunk_start(&m, chunk) : 0;
    if (!single && n > 0 && (status = covey_i_parallel(threads, m.n_chunks, find_begins, &m, err)) != COVEY_OK)
        goto done;
    for (size_t chunk = 0; chunk < m.n_chunks; chunk++) {
        const uint32_t begun = m.n_begun[chunk];

        m.n_begun[chunk] = n_before;
        n_before += begun;
    }
    m.n_begun[m.n_chunks] = cells->n = n_before;
    if (!make_room(cells, &m, arena))
        goto no_memory;
    cells->start[cells->n] = n;
    if ((status = covey_i_parallel(threads, m.n_chunks, list_begins, &m, err)) == COVEY_OK)
        status = covey_i_parallel(threads, m.n_chunks, copy_codes, &m, err);
    goto done;
no_memory:
    status = covey_i_no_memory(err);
done:
    covey_i_free(m.begin);
    covey_i_free(m.n_begun);
    return status;
}

/* All axes at a time. */
static void range_of_records(uint32_t *low, uint32_t *high, const covey_cells *cells, size_t n_axes,
                             const uint32_t *cell, uint32_t n)
{
    covey_lanes lo = cells->record[cell[0]], hi = lo;

    for (uint32_t i = 1; i < n; i++)
        covey_i_lanes_widen(&lo, &hi, &cells->record[cell[i]]);
    for (size_t a = 0; a < n_axes; a++) {
        low[a] = (uint32_t)lo.code[a];
        high[a] = (uint32_t)hi.code[a];
    }
}

void covey_i_cells_range(uint32_t *low, uint32_t *high, const covey_cells *cells, size_t n_axes, const uint32_t *cell,
                         uint32_t n)
{
    if (cells->record) {
        range_of_records(low, high, cells, n_axes, cell, n);
        return;
    }
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
