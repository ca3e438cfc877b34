/* Cells from runs of rows: their codes, copied into arrays of their own. */
#include "method/rows/row_cells.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "method/rows/row_runs.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { CHUNK_ROWS = 1 << 15 };

struct making {
    covey_row_cells *cells;
    const covey_problem *problem;
    const covey_sorted_rows *sorted;
    size_t n_chunks;
};

/* The first of n that is done with a chunk, or with a later one. */
static uint32_t share(const struct making *m, uint32_t n, size_t chunk)
{
    return (uint32_t)((uint64_t)n * chunk / m->n_chunks);
}

/* Copies the codes of the cells and of their rows. */
static covey_status copy_codes(void *context, size_t chunk, covey_error *err)
{
    const struct making *m = context;
    const covey_row_cells *cells = m->cells;
    const uint32_t first = share(m, cells->n, chunk), end = share(m, cells->n, chunk + 1),
                   row = share(m, m->sorted->n, chunk), row_end = share(m, m->sorted->n, chunk + 1);

    for (size_t a = 0; a < m->problem->n_axes; a++) {
        const covey_row_codes from = covey_i_row_codes(m->problem, m->sorted, m->problem->axis[a].column);

        covey_i_row_codes_copy(cells->axis[a].codes, first, &from, cells->start + first, end - first);
    }
    for (size_t v = 0; v < m->problem->promises.n_views; v++) {
        const covey_row_codes from = covey_i_row_codes(m->problem, m->sorted, m->problem->promises.view[v].column);

        covey_i_row_codes_copy(cells->view[v].codes, row, &from, NULL, row_end - row);
    }
    return COVEY_OK;
}

static bool codes_new(covey_row_cell_codes *out, const covey_column *column, uint32_t n, covey_arena *arena)
{
    *out = (covey_row_cell_codes){column->width, covey_arena_alloc(arena, n, (size_t)column->width)};
    return out->codes != NULL;
}

/* Room for the codes of cells->n cells. */
static bool make_room(covey_row_cells *cells, const struct making *m, covey_arena *arena)
{
    const size_t n_axes = m->problem->n_axes, n_views = m->problem->promises.n_views;
    bool room = (cells->axis = covey_arena_array(arena, covey_row_cell_codes, n_axes)) != NULL &&
                (cells->view = covey_arena_array(arena, covey_row_cell_codes, n_views)) != NULL;

    for (size_t a = 0; room && a < n_axes; a++)
        room = codes_new(&cells->axis[a], m->problem->axis[a].column, cells->n, arena);
    for (size_t v = 0; room && v < n_views; v++)
        room = codes_new(&cells->view[v], m->problem->promises.view[v].column, m->sorted->n, arena);
    return room;
}

covey_status covey_i_row_cells_new(covey_row_cells *cells, const covey_problem *problem,
                                   const covey_sorted_rows *sorted, bool single, covey_arena *arena,
                                   const covey_run *run, covey_error *err)
{
    const uint32_t n = sorted->n;
    struct making m = {cells, problem, sorted, n / CHUNK_ROWS + 1};
    covey_row_runs runs;

    if (single)
        COVEY_TRY(covey_i_row_runs_single(&runs, n, arena, err));
    else
        COVEY_TRY(covey_i_row_runs_new(&runs, problem, sorted, NULL, 0, arena, run, err));
    *cells = (covey_row_cells){.n = runs.n, .rows = sorted->rows, .start = runs.start};
    if (!make_room(cells, &m, arena))
        return covey_i_no_memory(err);
    return covey_i_parallel(covey_run_threads(run), m.n_chunks, copy_codes, &m, err);
}

void covey_i_row_cells_range(uint32_t *low, uint32_t *high, const covey_row_cells *cells, size_t n_axes,
                             const uint32_t *cell, uint32_t n)
{
    for (size_t a = 0; a < n_axes; a++)
        COVEY_CODES_TYPED(cells->axis[a].width, {
            const covey_code *codes = cells->axis[a].codes;
            covey_code least = codes[cell[0]], most = least;

            for (uint32_t i = 1; i < n; i++) {
                least = codes[cell[i]] < least ? codes[cell[i]] : least;
                most = codes[cell[i]] > most ? codes[cell[i]] : most;
            }
            low[a] = least;
            high[a] = most;
        });
}

void covey_i_row_cells_tally(covey_tally *tally, const covey_row_cells *cells, uint32_t cell)
{
    const uint32_t start = cells->start[cell], end = cells->start[cell + 1];

    tally->size += end - start;
    for (size_t v = 0; v < tally->n_views; v++)
        for (uint32_t i = start; i < end; i++)
            covey_i_histogram_add(&tally->counts[v], covey_i_row_cells_code(&cells->view[v], i), 1);
    if (!tally->has_ranges)
        return;
    for (size_t a = 0; a < tally->n_quasi; a++) {
        const uint32_t code = covey_i_row_cells_code(&cells->axis[a], cell);

        if (code < tally->low[a])
            tally->low[a] = code;
        if (code > tally->high[a])
            tally->high[a] = code;
    }
}
