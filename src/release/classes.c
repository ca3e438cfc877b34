/* From a row -> class map to a generalized release in canonical order.
 *
 * A class is the set of rows whose published quasi-identifiers are equal (models-and-recoding section 1), so classes whose cells turn out
 * equal are merged: every model on classes is closed under union, and losses are sums over cells, so neither suffers.
 *
 * The order of classes and rows is a function of what is published and of nothing else: classes by the codes of their cells,
 * then by size, then by their rows' contents; rows of a class by their remaining columns.  Whoever reads the release learns
 * nothing about the input's order from it, and a verifier can check it. */
#include "release/release_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort_keys.h"
#include "base/threads.h"
#include "release/class_order.h"
#include "table/column_key.h"
#include "table/histogram.h"
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
#define DEFINE_WIDEN(name, type)                                                                                                               static void name(type *low, type *high, const type *codes, const uint32_t *class_of_row, uint32_t begin, uint32_t end, uint32_t n)         {                                                                                                                                              memset(low, 0xff, n * sizeof *low);                                                                                                        memset(high, 0, n * sizeof *high);                                                                                                         for (uint32_t row = begin; row < end; row++) {                                                                                                 const uint32_t c = class_of_row[row];                                                                                                      const type code = codes[row];                                                                                                                                                                                                                                                         if (c == COVEY_CLASS_SUPPRESSED)                                                                                                               continue;                                                                                                                              low[c] = code < low[c] ? code : low[c];                                                                                                    high[c] = code > high[c] ? code : high[c];                                                                                             }                                                                                                                                      }

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

/* Gives the published classes their sizes and ranges.  A class that is made of several has the cells of each, and the ranges of all. */
static covey_status fill_classes(covey_release *release, const struct making *m, const covey_class_order *order, covey_error *err)
{
    const size_t d = m->problem->n_axes, n_ranges = order->n * d;
    uint32_t sum = 0;

    release->n_classes = order->n;
    release->n_published = m->n_rows;
    release->class_start = covey_i_array_zero((size_t)order->n + 1, sizeof *release->class_start);
    release->low = covey_i_array(n_ranges, sizeof *release->low);
    release->high = covey_i_array(n_ranges, sizeof *release->high);
    release->row_order = covey_i_array(m->n_rows, sizeof *release->row_order);
    if (!release->class_start || !release->low || !release->high || !release->row_order)
        return covey_fail(err, COVEY_ENOMEM, "release of %u rows", release->n_rows);
    memset(release->low, 0xff, n_ranges * sizeof *release->low);
    memset(release->high, 0, n_ranges * sizeof *release->high);
    for (uint32_t c = 0; c < m->n; c++) {
        const size_t place = order->place[c];

        release->class_start[place] += m->size[c];
        for (size_t a = 0; a < d; a++) {
            uint32_t *low = &release->low[place * d + a], *high = &release->high[place * d + a];

            *low = m->low[c * d + a] < *low ? m->low[c * d + a] : *low;
            *high = m->high[c * d + a] > *high ? m->high[c * d + a] : *high;
        }
    }
    for (uint32_t c = 0; c <= order->n; c++) {
        const uint32_t size = release->class_start[c];

        release->class_start[c] = sum;
        sum += size;
    }
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

/* --- classes that their cells' codes do not tell apart --- */

struct tie {
    const covey_release *release;
    const covey_problem *problem;
};

static uint32_t size_of(const covey_release *release, uint32_t c)
{
    return release->class_start[c + 1] - release->class_start[c];
}

static int compare_tied(const void *a, const void *b, void *context)
{
    const struct tie *t = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, n = size_of(t->release, x);
    const uint32_t *rows_x = t->release->row_order + t->release->class_start[x], *rows_y = t->release->row_order + t->release->class_start[y];

    if (n != size_of(t->release, y))
        return n < size_of(t->release, y) ? -1 : 1;
    for (uint32_t i = 0; i < n; i++)
        for (size_t f = 0; f < t->problem->n_fields; f++) {
            const covey_field *field = &t->problem->field[f];
            uint32_t code_x, code_y;

            if (field->role == COVEY_ROLE_QUASI)
                continue;
            code_x = covey_i_code(field->column, rows_x[i]);
            code_y = covey_i_code(field->column, rows_y[i]);
            if (code_x != code_y)
                return code_x < code_y ? -1 : 1;
        }
    return 0;
}

/* Moves the classes first .. end-1 into the order of by_size. */
static void move_classes(covey_release *release, size_t d, uint32_t first, const uint32_t *by_size, uint32_t n, uint32_t *rows, uint32_t *ranges,
                         uint32_t *size)
{
    uint32_t *low = ranges, *high = ranges + n * d, at = release->class_start[first], moved = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t c = by_size[i];

        size[i] = size_of(release, c);
        memcpy(rows + moved, release->row_order + release->class_start[c], size[i] * sizeof *rows);
        memcpy(low + i * d, release->low + c * d, d * sizeof *low);
        memcpy(high + i * d, release->high + c * d, d * sizeof *high);
        moved += size[i];
    }
    memcpy(release->row_order + at, rows, moved * sizeof *rows);
    memcpy(release->low + first * d, low, n * d * sizeof *low);
    memcpy(release->high + first * d, high, n * d * sizeof *high);
    for (uint32_t i = 0; i < n; i++) {
        release->class_start[first + i] = at;
        at += size[i];
    }
}

static covey_status order_ties(covey_release *release, const covey_problem *problem, const bool *tied, covey_error *err)
{
    const size_t d = problem->n_axes;
    struct tie tie = {release, problem};
    uint32_t end;

    for (uint32_t first = 0; first < release->n_classes; first = end) {
        covey_arena scratch = COVEY_ARENA_INIT;
        uint32_t n, n_rows, *by_size, *rows, *ranges, *size;

        for (end = first + 1; end < release->n_classes && tied[end];)
            end++;
        if ((n = end - first) == 1)
            continue;
        n_rows = release->class_start[end] - release->class_start[first];
        by_size = covey_arena_array(&scratch, uint32_t, n);
        size = covey_arena_array(&scratch, uint32_t, n);
        rows = covey_arena_array(&scratch, uint32_t, n_rows);
        ranges = covey_arena_array(&scratch, uint32_t, 2 * n * d);
        if (!by_size || !size || !rows || !ranges) {
            covey_arena_free(&scratch);
            return covey_fail(err, COVEY_ENOMEM, "order of %u classes", n);
        }
        for (uint32_t i = 0; i < n; i++)
            by_size[i] = first + i;
        qsort_r(by_size, n, sizeof *by_size, compare_tied, &tie);
        move_classes(release, d, first, by_size, n, rows, ranges, size);
        covey_arena_free(&scratch);
    }
    return COVEY_OK;
}

static covey_status find_objective(covey_release *release, const covey_problem *problem, covey_arena *arena, covey_error *err)
{
    size_t d = problem->n_axes;
    covey_i128 *numerator = covey_arena_array_zero(arena, covey_i128, d);

    if (!numerator)
        return covey_fail(err, COVEY_ENOMEM, "information loss");
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (size_t a = 0; a < d; a++)
            numerator[a] += (covey_i128)covey_i_axis_loss(&problem->axis[a], release->low[c * d + a], release->high[c * d + a]) *
                            (release->class_start[c + 1] - release->class_start[c]);
    release->objective.name = "ail";
    release->objective.value = release->ail = covey_i_problem_ail(problem, numerator, release->n_rows - release->n_published);
    return COVEY_OK;
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
    if (status != COVEY_OK || (status = fill_classes(release, m, &order, err)) != COVEY_OK ||
        (status = sort_rows(release, m, &order, arena, run, err)) != COVEY_OK ||
        (status = order_ties(release, m->problem, order.tied, err)) != COVEY_OK)
        return status;
    return find_objective(release, m->problem, arena, err);
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
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    if (!release)
        return covey_fail(err, COVEY_ENOMEM, "release of %u rows", problem->n_rows);
    release->form = covey_i_form_find("generalized");
    release->n_rows = problem->n_rows;
    release->has_regions = regions != NULL;
    if ((status = make_release(release, &making, regions, &arena, run, err)) == COVEY_OK)
        *out = release;
    else
        covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}

/* A promise about ranges is about those that are published: a label stands for all its leaves. */
static void widen_to_labels(covey_tally *tally, const covey_problem *problem)
{
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_hierarchy *tree = problem->axis[a].tree;
        const covey_node *node;

        if (problem->axis[a].kind != COVEY_AXIS_TREE)
            continue;
        node = &covey_hierarchy_nodes(tree)[covey_hierarchy_lca(tree, tally->low[a], tally->high[a])];
        tally->low[a] = node->first_leaf;
        tally->high[a] = node->first_leaf + node->n_leaves - 1;
    }
}

void covey_i_release_tally(covey_tally *tally, const covey_release *release, const covey_problem *problem, uint32_t class_index)
{
    const size_t d = problem->n_axes;
    const uint32_t begin = release->class_start[class_index], end = release->class_start[class_index + 1];

    covey_i_tally_clear(tally);
    tally->size = end - begin;
    for (size_t v = 0; v < tally->n_views; v++) {
        const covey_column *column = problem->promises.view[v].column;

        for (uint32_t i = begin; i < end; i++)
            covey_i_histogram_add(&tally->counts[v], covey_i_code(column, release->row_order[i]), 1);
    }
    if (d && release->low) { /* the release knows them already */
        memcpy(tally->low, release->low + class_index * d, d * sizeof *tally->low);
        memcpy(tally->high, release->high + class_index * d, d * sizeof *tally->high);
        tally->has_ranges = true;
        if (covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_RANGES)
            widen_to_labels(tally, problem);
    }
}

void covey_i_recoded_free(covey_recoded *recoded, size_t n_axes)
{
    for (size_t a = 0; recoded && a < n_axes; a++) {
        covey_i_column_free(recoded[a].column);
        covey_i_free(recoded[a].low);
        covey_i_free(recoded[a].high);
        covey_i_free(recoded[a].group_of_code);
    }
    covey_i_free(recoded);
}

void covey_release_free(covey_release *release)
{
    if (!release)
        return;
    if (release->form && release->form->free_data)
        release->form->free_data(release->form_data);
    covey_i_free(release->row_order);
    covey_i_free(release->class_start);
    covey_i_free(release->low);
    covey_i_free(release->high);
    covey_i_free(release->facts);
    covey_i_free(release->objective.level);
    covey_i_free(release->objective.minimal);
    covey_i_recoded_free(release->recoded, release->n_recoded);
    covey_i_free(release);
}
