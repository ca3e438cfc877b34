/* From a row -> class map to a generalized release in canonical order.
 *
 * A class is the set of rows whose published quasi-identifiers are equal (models-and-recoding section 1), so classes whose cells turn out
 * equal are merged: every model on classes is closed under union, and losses are sums over cells, so neither suffers.
 *
 * The order of classes and rows is a function of what is published and of nothing else: classes by the codes of their cells,
 * then by size, then by their rows' contents; rows of a class by their remaining columns.  Whoever reads the release learns
 * nothing about the input's order from it, and a verifier can check it. */
#include "release/class_release.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sort_keys.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { RANGE_PARTS = 2 };

/* Classes on their way into a release; lives for one call. */
struct making {
    const covey_problem *problem;
    const uint32_t *class_of_row;
    uint32_t n_given;        /* classes of class_of_row, some of which may be empty */
    uint32_t n;              /* classes that have rows */
    uint32_t n_rows;         /* in them */
    uint32_t *number;        /* [n_given] among those that have rows */
    uint32_t *size;          /* [n] */
    uint32_t *low, *high;    /* [n][n_axes] */
    size_t n_parts;          /* of the table, whose ranges are found apart */
    void **part_low, **part_high; /* [n_parts][n_axes] -> [n_given] codes of the axis' width */
};

/* Numbers the classes that have rows. */
static covey_status count_rows(struct making *m, covey_arena *arena, covey_error *err)
{
    uint32_t *count = covey_arena_array_zero(arena, uint32_t, m->n_given);

    m->number = covey_arena_array(arena, uint32_t, m->n_given);
    m->size = covey_arena_array(arena, uint32_t, m->n_given);
    if (!count || !m->number || !m->size)
        return covey_fail(err, COVEY_ENOMEM, "%u classes", m->n_given);
    for (uint32_t row = 0; row < m->problem->n_rows; row++)
        if (m->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            count[m->class_of_row[row]]++;
    for (uint32_t c = 0; c < m->n_given; c++)
        if (count[c] > 0) {
            m->n_rows += count[c];
            m->size[m->n] = count[c];
            m->number[c] = m->n++;
        } else {
            m->number[c] = UINT32_MAX;
        }
    return COVEY_OK;
}

/* Row by row in the table's order: codes are read in order, and what is known of the classes is small. */
#define DEFINE_WIDEN(name, type)                                                                                                           \
    static void name(type *low, type *high, const type *codes, const uint32_t *class_of_row, uint32_t begin, uint32_t end, uint32_t n)     \
    {                                                                                                                                      \
        memset(low, 0xff, n * sizeof *low);                                                                                                \
        memset(high, 0, n * sizeof *high);                                                                                                 \
        for (uint32_t row = begin; row < end; row++) {                                                                                     \
            const uint32_t c = class_of_row[row];                                                                                          \
            const type code = codes[row];                                                                                                  \
                                                                                                                                           \
            if (c == COVEY_CLASS_SUPPRESSED)                                                                                               \
                continue;                                                                                                                  \
            low[c] = code < low[c] ? code : low[c];                                                                                        \
            high[c] = code > high[c] ? code : high[c];                                                                                     \
        }                                                                                                                                  \
    }

DEFINE_WIDEN(widen_u8, uint8_t)
DEFINE_WIDEN(widen_u16, uint16_t)
DEFINE_WIDEN(widen_u32, uint32_t)

/* Ranges on one axis in one part of the table. */
static covey_status find_ranges(void *context, size_t task, covey_error *err)
{
    const struct making *m = context;
    const size_t part = task / m->problem->n_axes, a = task % m->problem->n_axes;
    const uint32_t begin = (uint32_t)((uint64_t)m->problem->n_rows * part / m->n_parts);
    const uint32_t end = (uint32_t)((uint64_t)m->problem->n_rows * (part + 1) / m->n_parts);
    const covey_column *column = m->problem->axis[a].column;
    void *low = m->part_low[task], *high = m->part_high[task];

    if (column->width == 1)
        widen_u8(low, high, column->codes, m->class_of_row, begin, end, m->n_given);
    else if (column->width == 2)
        widen_u16(low, high, column->codes, m->class_of_row, begin, end, m->n_given);
    else
        widen_u32(low, high, column->codes, m->class_of_row, begin, end, m->n_given);
    return COVEY_OK;
}

static uint32_t code_at(const void *codes, int width, uint32_t i)
{
    return width == 1 ? ((const uint8_t *)codes)[i] : width == 2 ? ((const uint16_t *)codes)[i] : ((const uint32_t *)codes)[i];
}

/* Puts the parts of the table together. */
static void join_ranges(struct making *m)
{
    const size_t d = m->problem->n_axes;

    for (size_t task = 0; task < m->n_parts * d; task++) {
        const size_t a = task % d;
        const int width = m->problem->axis[a].column->width;

        for (uint32_t c = 0, n = 0; c < m->n_given && n < m->n; c++) {
            uint32_t *low = &m->low[n * d + a], *high = &m->high[n * d + a], l, h;

            if (m->number[c] != n)
                continue;
            n++;
            l = code_at(m->part_low[task], width, c);
            h = code_at(m->part_high[task], width, c);
            *low = task < d || l < *low ? l : *low; /* a class without rows in a part: the largest code there, the smallest */
            *high = task < d || h > *high ? h : *high;
        }
    }
}

/* The ranges of the classes' rows. */
static covey_status ranges_of_rows(struct making *m, const covey_run *run, covey_error *err)
{
    const size_t d = m->problem->n_axes;
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;
    bool room;

    m->n_parts = m->n_given < m->problem->n_rows / 8 ? RANGE_PARTS : 1;
    m->part_low = covey_arena_array(&scratch, void *, m->n_parts * d);
    m->part_high = covey_arena_array(&scratch, void *, m->n_parts * d);
    room = m->part_low && m->part_high;
    for (size_t task = 0; room && task < m->n_parts * d; task++) {
        const size_t width = (size_t)m->problem->axis[task % d].column->width;

        m->part_low[task] = covey_arena_alloc(&scratch, m->n_given, width);
        m->part_high[task] = covey_arena_alloc(&scratch, m->n_given, width);
        room = m->part_low[task] && m->part_high[task];
    }
    if (!room)
        status = covey_fail(err, COVEY_ENOMEM, "ranges of %u classes", m->n_given);
    else if ((status = covey_i_parallel(covey_run_threads(run), m->n_parts * d, find_ranges, m, err)) == COVEY_OK)
        join_ranges(m);
    covey_arena_free(&scratch);
    return status;
}

/* The regions of the classes that have rows. */
static void take_regions(struct making *m, const covey_regions *regions)
{
    const size_t d = m->problem->n_axes;

    for (uint32_t c = 0, n = 0; c < m->n_given && n < m->n; c++)
        if (m->number[c] == n) {
            memcpy(m->low + n * d, regions->low + c * d, d * sizeof *m->low);
            memcpy(m->high + n * d, regions->high + c * d, d * sizeof *m->high);
            n++;
        }
}

/* Rows class by class, in the table's order, for what depends on the values of a class. */
static covey_status list_rows(uint32_t **start_out, uint32_t **rows_out, const struct making *m, covey_arena *arena, covey_error *err)
{
    uint32_t *start = covey_arena_array(arena, uint32_t, (size_t)m->n + 1), *next = covey_arena_array(arena, uint32_t, m->n);
    uint32_t *rows = covey_arena_array(arena, uint32_t, m->n_rows), at = 0;

    if (!start || !next || !rows)
        return covey_fail(err, COVEY_ENOMEM, "rows of %u classes", m->n);
    for (uint32_t c = 0; c < m->n; c++) {
        start[c] = next[c] = at;
        at += m->size[c];
    }
    start[m->n] = at;
    for (uint32_t row = 0; row < m->problem->n_rows; row++)
        if (m->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            rows[next[m->number[m->class_of_row[row]]]++] = row;
    *start_out = start;
    *rows_out = rows;
    return COVEY_OK;
}

/* Sorts the published rows by their class's place, then by content. */
static covey_status sort_rows(covey_release *release, const struct making *m, const covey_class_order *order, covey_arena *arena,
                              const covey_run *run, covey_error *err)
{
    covey_sort_key *key = covey_arena_array(arena, covey_sort_key, m->problem->n_fields + 1);
    uint32_t *place_of_given = covey_arena_array_zero(arena, uint32_t, m->n_given), n = 0;
    size_t n_keys;

    if (!key || !place_of_given)
        return covey_fail(err, COVEY_ENOMEM, "order of %zu columns", m->problem->n_fields);
    for (uint32_t c = 0; c < m->n_given && n < m->n; c++)
        if (m->number[c] == n)
            place_of_given[c] = order->place[n++];
    key[0] = (covey_sort_key){.codes = m->class_of_row, .width = sizeof *m->class_of_row, .n_values = order->n, .map = place_of_given};
    n_keys = covey_i_problem_content_keys(key + 1, m->problem) + 1;
    if (m->n_rows == release->n_rows)
        return covey_i_order_rows_by_keys(release->row_order, NULL, m->n_rows, key, n_keys, run, err);
    n = 0;
    for (uint32_t row = 0; row < release->n_rows; row++)
        if (m->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            release->row_order[n++] = row;
    return covey_i_sort_rows_by_keys(release->row_order, n, key, n_keys, run, err);
}

/* Fills a release from a row -> class map. */
static covey_status make_release(covey_release *release, struct making *m, const covey_regions *regions, covey_arena *arena, const covey_run *run,
                                 covey_error *err)
{
    const size_t d = m->problem->n_axes;
    covey_class_list list;
    covey_arena scratch = COVEY_ARENA_INIT;
    uint32_t *start = NULL, *rows = NULL;
    covey_class_order order;
    covey_status status = COVEY_OK;

    COVEY_TRY(count_rows(m, arena, err));
    m->low = covey_arena_array(arena, uint32_t, m->n * d);
    m->high = covey_arena_array(arena, uint32_t, m->n * d);
    if (!m->low || !m->high)
        return covey_fail(err, COVEY_ENOMEM, "ranges of %u classes", m->n);
    if (regions)
        take_regions(m, regions);
    else
        COVEY_TRY(ranges_of_rows(m, run, err));
    if (covey_i_class_order_needs_rows(m->problem))
        status = list_rows(&start, &rows, m, &scratch, err);
    list = (covey_class_list){m->problem, release->has_regions, m->n, m->low, m->high, start, rows};
    if (status == COVEY_OK)
        status = covey_i_class_order(&order, &list, arena, run, err);
    covey_arena_free(&scratch);
    if (status != COVEY_OK || (status = covey_i_release_place_classes(release, &list, m->size, &order, err)) != COVEY_OK ||
        (status = sort_rows(release, m, &order, arena, run, err)) != COVEY_OK)
        return status;
    return covey_i_release_finish(release, m->problem, &order, err);
}

covey_status covey_i_release_of_classes(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row, uint32_t n_classes,
                                        const covey_run *run, covey_error *err)
{
    return covey_i_release_of_regions(out, problem, class_of_row, n_classes, NULL, run, err);
}

covey_status covey_i_release_of_regions(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row, uint32_t n_classes,
                                        const covey_regions *regions, const covey_run *run, covey_error *err)
{
    struct making making = {.problem = problem, .class_of_row = class_of_row, .n_given = n_classes};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release;
    covey_status status;

    COVEY_TRY(covey_i_release_new(&release, problem, regions != NULL, err));
    if ((status = make_release(release, &making, regions, &arena, run, err)) == COVEY_OK)
        *out = release;
    else
        covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}
