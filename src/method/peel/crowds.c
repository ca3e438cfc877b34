/* Crowds stand apart from search.  Where a promise asks for nothing but rows, a cell of many rows is a class that loses
 * nothing, and search needs of it just the few rows that it may lend to its neighbours: 843,000 of 5,000,000 rows of
 * census.  The others join their cell's class in the end, or are one. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "method/peel/table.h"

enum {
    LEAST_ROWS = 1 << 17, /* of a table: search has time for all rows of smaller ones */
    KEPT = 2              /* times the least size of a class: one to lend, one to stay */
};

static bool is_crowd(const covey_peel_table *t, uint32_t n)
{
    return n >= (KEPT + 1) * t->min_size;
}

static bool has_crowds(const covey_peel_table *t, const covey_row_cells *cells)
{
    for (uint32_t c = 0; c < cells->n; c++)
        if (is_crowd(t, covey_i_row_cells_size(cells, c)))
            return true;
    return false;
}

/* Rows of a cell are in order of content: every n-th stays, so that what neighbours get is like the crowd. */
covey_status covey_i_peel_crowds_apart(covey_peel_table *t, covey_row_cells *cells, covey_error *err)
{
    uint32_t *apart, first = 0, n_kept = 0;

    if (!t->size_only || t->has_ranges || t->n_rows < LEAST_ROWS || !has_crowds(t, cells))
        return COVEY_OK;
    t->apart_start = covey_i_array((size_t)cells->n + 1, sizeof *t->apart_start);
    t->apart = apart = covey_i_array(t->n_rows, sizeof *t->apart);
    if (!t->apart_start || !t->apart)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < cells->n; c++) {
        const uint32_t n = cells->start[c + 1] - first, kept = is_crowd(t, n) ? KEPT * (uint32_t)t->min_size : n;
        uint32_t next = 0;

        t->apart_start[c] = t->n_apart;
        for (uint32_t i = 0; i < n; i++)
            if (next < kept && i == (uint32_t)((uint64_t)next * n / kept)) {
                t->row[n_kept++] = t->row[first + i];
                next++;
            } else {
                apart[t->n_apart++] = t->row[first + i];
            }
        first += n;
        cells->start[c + 1] = n_kept;
    }
    t->apart_start[cells->n] = t->n_apart;
    t->n_rows = n_kept;
    return COVEY_OK;
}

/* Which cell a class's rows are of; those of several have t->n_cells, empty ones COVEY_PEEL_NONE. */
static void find_cells(uint32_t *cell, uint32_t n_classes, const covey_peel_table *t, const uint32_t *class_of)
{
    memset(cell, 0xff, n_classes * sizeof *cell);
    for (uint32_t lot = 0; lot < t->n_lots; lot++) {
        const uint32_t c = class_of[lot];

        if (c == COVEY_PEEL_NONE)
            continue;
        cell[c] = cell[c] == COVEY_PEEL_NONE || cell[c] == t->cell[lot] ? t->cell[lot] : t->n_cells;
    }
}

covey_status covey_i_peel_crowds_return(uint32_t *class_of_row, uint32_t *n_classes, const covey_peel_table *t,
                                        const uint32_t *class_of, covey_error *err)
{
    uint32_t *cell, *home;

    if (t->n_apart == 0)
        return COVEY_OK;
    cell = covey_i_array(*n_classes, sizeof *cell);
    home = covey_i_array(t->n_cells, sizeof *home);
    if (!cell || !home) {
        covey_i_free(cell);
        covey_i_free(home);
        return covey_i_no_memory(err);
    }
    find_cells(cell, *n_classes, t, class_of);
    memset(home, 0xff, t->n_cells * sizeof *home);
    for (uint32_t c = *n_classes; c-- > 0;) /* the first such class */
        if (cell[c] < t->n_cells)
            home[cell[c]] = c;
    for (uint32_t c = 0; c < t->n_cells; c++) {
        if (t->apart_start[c] < t->apart_start[c + 1] && home[c] == COVEY_PEEL_NONE)
            home[c] = (*n_classes)++;
        for (uint32_t i = t->apart_start[c]; i < t->apart_start[c + 1]; i++)
            class_of_row[t->apart[i]] = home[c];
    }
    covey_i_free(cell);
    covey_i_free(home);
    return COVEY_OK;
}
