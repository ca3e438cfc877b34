/* From classes of cells to a generalized release in canonical order (see classes.c): the rows of a cell stand together
 * already, by content, so that only classes of several cells are sorted. */
#include "release/generalized/class_release.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/find.h"
#include "base/sort/keys.h"
#include "base/threads.h"

enum {
    TASK_ROWS = 1 << 15,
    LARGE_CLASS = 1 << 16, /* rows that all threads sort together */
    CONTENTS_PER_ROW = 8   /* with more, rows are sorted instead of counted */
};

struct making {
    const covey_problem *problem;
    const covey_class_cells *given;
    covey_release *release;
    uint32_t *size; /* [n_classes] rows */
    uint32_t *by_place,
        *first; /* the given classes in the order of their places; [places + 1] where each place's begin */
    covey_sort_key *key;
    size_t n_keys, n_tasks;
};

/* Where the rows are of what classes list as item k. */
static covey_span rows_of(const covey_class_cells *given, uint32_t k)
{
    if (given->span)
        return given->span[k];
    return (covey_span){given->start[given->cell[k]], given->start[given->cell[k] + 1] - given->start[given->cell[k]]};
}

/* A row of each cell, class by class: all values of the class are among them. */
static covey_status list_representatives(covey_class_list *list, const covey_class_cells *given, covey_arena *arena,
                                         covey_error *err)
{
    uint32_t *start = covey_arena_array(arena, uint32_t, (size_t)given->n_classes + 1), *rows, at = 0;

    for (uint32_t c = 0; start && c < given->n_classes; c++) {
        start[c] = at;
        at += given->class[c].n;
    }
    if (!start || !(rows = covey_arena_array(arena, uint32_t, at)))
        return covey_i_no_memory(err);
    start[given->n_classes] = at;
    for (uint32_t c = 0; c < given->n_classes; c++)
        for (uint32_t i = 0; i < given->class[c].n; i++)
            rows[start[c] + i] = given->rows[rows_of(given, given->class[c].start + i).start];
    list->start = start;
    list->rows = rows;
    return COVEY_OK;
}

static covey_status sort_by_place(struct making *m, const covey_class_order *order, covey_arena *arena,
                                  covey_error *err)
{
    const uint32_t n = m->given->n_classes;

    m->by_place = covey_arena_array(arena, uint32_t, n);
    m->first = covey_arena_array_zero(arena, uint32_t, (size_t)order->n + 2);
    if (!m->by_place || !m->first)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < n; c++)
        m->first[order->place[c] + 2]++;
    for (uint32_t p = 2; p <= order->n; p++)
        m->first[p] += m->first[p - 1];
    for (uint32_t c = 0; c < n; c++)
        m->by_place[m->first[order->place[c] + 1]++] = c;
    return COVEY_OK;
}

/* Copies the rows of all cells at a place; returns how many cells there are. */
static uint32_t copy_cells(uint32_t *to, const struct making *m, uint32_t place)
{
    const covey_class_cells *given = m->given;
    uint32_t n_cells = 0;

    for (uint32_t i = m->first[place]; i < m->first[place + 1]; i++) {
        const covey_span class = given->class[m->by_place[i]];

        for (uint32_t k = class.start; k < class.start + class.n; k++) {
            const covey_span span = rows_of(given, k);

            memcpy(to, given->rows + span.start, span.n * sizeof *to);
            to += span.n;
        }
        n_cells += class.n;
    }
    return n_cells;
}

/* Are a class's n rows put into their places by counting contents? */
static bool is_counted(const covey_class_cells *given, uint32_t n)
{
    return given->content && given->n_contents / CONTENTS_PER_ROW <= n;
}

/* The same in the order of their contents; next: [n_contents] scratch. */
static void copy_by_content(uint32_t *to, const struct making *m, uint32_t place, uint32_t *next)
{
    const covey_class_cells *given = m->given;
    uint32_t sum = 0;

    memset(next, 0, given->n_contents * sizeof *next);
    for (uint32_t i = m->first[place]; i < m->first[place + 1]; i++)
        for (uint32_t c = m->by_place[i], k = given->class[c].start; k < given->class[c].start + given->class[c].n; k++)
            next[given->content[k]] += given->span[k].n;
    for (uint32_t v = 0; v < given->n_contents; v++) {
        const uint32_t n = next[v];

        next[v] = sum;
        sum += n;
    }
    for (uint32_t i = m->first[place]; i < m->first[place + 1]; i++)
        for (uint32_t c = m->by_place[i], k = given->class[c].start; k < given->class[c].start + given->class[c].n;
             k++) {
            const uint32_t *from = given->rows + given->span[k].start;
            uint32_t at = next[given->content[k]];

            for (uint32_t r = 0; r < given->span[k].n; r++)
                to[at++] = from[r];
            next[given->content[k]] = at;
        }
}

static covey_status fill_places(void *context, size_t task, covey_error *err)
{
    static const covey_run alone = {.n_threads = 1};
    const struct making *m = context;
    const covey_release *release = m->release;
    uint32_t *next = m->given->content ? covey_i_array(m->given->n_contents, sizeof *next) : NULL;
    covey_status status = COVEY_OK;
    const uint32_t begin = covey_i_find_from(release->class_start, 0, release->n_classes,
                                             (uint32_t)((uint64_t)release->n_published * task / m->n_tasks));
    const uint32_t end = covey_i_find_from(release->class_start, 0, release->n_classes,
                                           (uint32_t)((uint64_t)release->n_published * (task + 1) / m->n_tasks));

    if (m->given->content && !next)
        return covey_i_no_memory(err);
    for (uint32_t p = begin; p < end && status == COVEY_OK; p++) {
        uint32_t *rows = release->row_order + release->class_start[p];
        const uint32_t n = release->class_start[p + 1] - release->class_start[p];

        if (is_counted(m->given, n))
            copy_by_content(rows, m, p, next);
        else if (copy_cells(rows, m, p) > 1 && n <= LARGE_CLASS)
            status = covey_i_sort_rows_by_keys(rows, n, m->key, m->n_keys, &alone, err);
    }
    covey_i_free(next);
    return status;
}

static covey_status place_rows(struct making *m, const covey_run *run, covey_error *err)
{
    const covey_release *release = m->release;

    m->n_keys = covey_i_problem_content_keys(m->key, m->problem);
    m->n_tasks = release->n_published / TASK_ROWS + 1;
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), m->n_tasks, fill_places, m, err));
    for (uint32_t p = 0; p < release->n_classes; p++) {
        const uint32_t n = release->class_start[p + 1] - release->class_start[p];

        if (n > LARGE_CLASS && !is_counted(m->given, n))
            COVEY_TRY(covey_i_sort_rows_by_keys(release->row_order + release->class_start[p], n, m->key, m->n_keys, run,
                                                err));
    }
    return COVEY_OK;
}

/* Regions are made of the table's values: those that only suppressed rows have must not show. */
static covey_status hide_suppressed(struct making *m, covey_class_list *list, covey_arena *arena, covey_error *err)
{
    const covey_class_cells *given = m->given;
    const size_t n_ranges = given->n_classes * m->problem->n_axes;
    uint32_t n_rows = 0, n = 0, *rows, *low, *high;

    for (uint32_t c = 0; c < given->n_classes; c++)
        n_rows += m->size[c];
    if (n_rows == m->problem->n_rows)
        return COVEY_OK;
    rows = covey_arena_array(arena, uint32_t, n_rows);
    low = covey_arena_array(arena, uint32_t, n_ranges);
    high = covey_arena_array(arena, uint32_t, n_ranges);
    if (!rows || !low || !high)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < given->n_classes; c++)
        for (uint32_t k = given->class[c].start; k < given->class[c].start + given->class[c].n; k++) {
            const covey_span span = rows_of(given, k);

            memcpy(rows + n, given->rows + span.start, span.n * sizeof *rows);
            n += span.n;
        }
    memcpy(low, given->low, n_ranges * sizeof *low);
    memcpy(high, given->high, n_ranges * sizeof *high);
    COVEY_TRY(covey_i_shown_codes_new(&m->release->shown, m->problem, rows, n, err));
    covey_i_shown_codes_shrink_all(low, high, given->n_classes, &m->release->shown);
    list->low = low;
    list->high = high;
    return COVEY_OK;
}

static covey_status make_release(struct making *m, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_class_cells *given = m->given;
    covey_class_list list = {
        m->problem, given->has_regions, given->n_classes, given->low, given->high, NULL, &m->release->shown, NULL,
        NULL};
    covey_class_order order;

    m->size = covey_arena_array_zero(arena, uint32_t, given->n_classes);
    m->key = covey_arena_array(arena, covey_sort_key, m->problem->n_fields);
    if (!m->size || !m->key)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < given->n_classes; c++)
        for (uint32_t k = given->class[c].start; k < given->class[c].start + given->class[c].n; k++)
            m->size[c] += rows_of(given, k).n;
    if (given->has_regions)
        COVEY_TRY(hide_suppressed(m, &list, arena, err));
    if (covey_i_class_order_needs_rows(m->problem))
        COVEY_TRY(list_representatives(&list, given, arena, err));
    COVEY_TRY(covey_i_class_order(&order, &list, arena, run, err));
    COVEY_TRY(covey_i_release_place_classes(m->release, &list, m->size, &order, err));
    COVEY_TRY(sort_by_place(m, &order, arena, err));
    COVEY_TRY(place_rows(m, run, err));
    return covey_i_release_finish(m->release, m->problem, &order, err);
}

covey_status covey_i_release_of_cells(covey_release **out, const covey_problem *problem, const covey_class_cells *cells,
                                      const covey_run *run, covey_error *err)
{
    struct making making = {.problem = problem, .given = cells};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    if ((status = covey_i_release_new(&making.release, problem, cells->has_regions, err)) != COVEY_OK) {
        covey_i_free(cells->room);
        return status;
    }
    making.release->row_order = cells->room;
    if ((status = make_release(&making, &arena, run, err)) == COVEY_OK)
        *out = making.release;
    else
        covey_release_free(making.release);
    covey_arena_free(&arena);
    return status;
}
