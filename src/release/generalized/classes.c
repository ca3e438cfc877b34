/* From a row -> class map to a generalized release in canonical order.
 *
 * A class is the set of rows whose published quasi-identifiers are equal, so classes
 * whose cells turn out equal are merged: every model on classes is closed under union, and losses are sums over cells,
 * so neither suffers.
 *
 * The order of classes and rows is a function of what is published and of nothing else: classes by the codes of their
 * cells, then by size, then by their rows' contents; rows of a class by their remaining columns.  Whoever reads the
 * release learns nothing about the input's order from it, and a verifier can check it. */
#include "release/generalized/class_release.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "base/threads.h"

enum {
    N_PARTS = 2,     /* of the table, looked through apart: threads have no use for more, and each knows all classes */
    LEAST_CLASS = 8, /* rows a class on average for that */
    BLOCK = 1024
};

/* What is known of the classes' rows in one part of the table. */
struct part {
    uint32_t begin, end; /* rows */
    uint32_t *count;     /* [n_given] */
    void **low, **high;  /* [n_axes] -> [n_given] codes of the axis' width */
};

/* Classes on their way into a release; lives for one call. */
struct making {
    const covey_problem *problem;
    const uint32_t *class_of_row;
    uint32_t n_given;     /* classes of class_of_row, some of which may be empty */
    uint32_t n;           /* classes that have rows */
    uint32_t n_rows;      /* in them */
    uint32_t *number;     /* [n_given] among those that have rows */
    uint32_t *size;       /* [n] */
    uint32_t *low, *high; /* [n][n_axes] */
    size_t n_parts;
    struct part part[N_PARTS];
};

/* Counts the rows of the classes. */
static covey_status count_part(void *context, size_t task, covey_error *err)
{
    const struct making *m = context;
    const struct part *part = &m->part[task];

    memset(part->count, 0, m->n_given * sizeof *part->count);
    for (uint32_t row = part->begin; row < part->end; row++)
        if (m->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            part->count[m->class_of_row[row]]++;
    return COVEY_OK;
}

/* Counts the rows of all classes in parts of the table, which scratch owns. */
static covey_status count_parts(struct making *m, covey_arena *scratch, const covey_run *run, covey_error *err)
{
    const uint32_t n_rows = m->problem->n_rows;

    m->n_parts = m->n_given < n_rows / LEAST_CLASS ? N_PARTS : 1;
    for (size_t p = 0; p < m->n_parts; p++) {
        struct part *part = &m->part[p];

        part->begin = (uint32_t)((uint64_t)n_rows * p / m->n_parts);
        part->end = (uint32_t)((uint64_t)n_rows * (p + 1) / m->n_parts);
        if (!(part->count = covey_arena_array(scratch, uint32_t, m->n_given)))
            return covey_i_no_memory(err);
    }
    return covey_i_parallel(covey_run_threads(run), m->n_parts, count_part, m, err);
}

/* Numbers the classes that have rows.  n_rows: [n_given] rows of each; NULL: they are counted. */
static covey_status count_rows(struct making *m, const uint32_t *n_rows, covey_arena *arena, covey_arena *scratch,
                               const covey_run *run, covey_error *err)
{
    m->number = covey_arena_array(arena, uint32_t, m->n_given);
    m->size = covey_arena_array(arena, uint32_t, m->n_given);
    if (!m->number || !m->size)
        return covey_i_no_memory(err);
    if (!n_rows)
        COVEY_TRY(count_parts(m, scratch, run, err));
    for (uint32_t c = 0; c < m->n_given; c++) {
        const uint32_t n = n_rows ? n_rows[c] : m->part[0].count[c] + (m->n_parts > 1 ? m->part[1].count[c] : 0);

        if (n > 0) {
            m->n_rows += n;
            m->size[m->n] = n;
        }
        m->number[c] = n > 0 ? m->n++ : UINT32_MAX;
    }
    return COVEY_OK;
}

/* Ranges on one axis in one part of the table.  Row by row in the table's order: codes are read in order, and what is
 * known of the classes is small. */
static covey_status find_ranges(void *context, size_t task, covey_error *err)
{
    const struct making *m = context;
    const struct part *part = &m->part[task / m->problem->n_axes];
    const size_t a = task % m->problem->n_axes;
    const covey_column *column = m->problem->axis[a].column;

    memset(part->low[a], 0xff, m->n_given * (size_t)column->width);
    memset(part->high[a], 0, m->n_given * (size_t)column->width);
    COVEY_CODES_TYPED(column->width, {
        covey_code *low = part->low[a], *high = part->high[a];
        const covey_code *codes = column->codes;
        const uint32_t *class_of_row = m->class_of_row;

        for (uint32_t row = part->begin, end = part->end; row < end; row++) {
            const uint32_t c = class_of_row[row];
            const covey_code code = codes[row];

            if (c == COVEY_CLASS_SUPPRESSED)
                continue;
            low[c] = code < low[c] ? code : low[c];
            high[c] = code > high[c] ? code : high[c];
        }
    });
    return COVEY_OK;
}

/* Puts the parts of the table together. */
static void join_parts(struct making *m)
{
    const size_t d = m->problem->n_axes;

    memset(m->low, 0xff, m->n * d * sizeof *m->low);
    memset(m->high, 0, m->n * d * sizeof *m->high);
    for (size_t p = 0; p < m->n_parts; p++)
        for (size_t a = 0; a < d; a++) {
            const struct part *part = &m->part[p];
            const int width = m->problem->axis[a].column->width;

            for (uint32_t c = 0; c < m->n_given; c++) {
                uint32_t *low, *high, l, h;

                if (part->count[c] == 0)
                    continue;
                low = &m->low[m->number[c] * d + a];
                high = &m->high[m->number[c] * d + a];
                l = covey_i_codes_get(part->low[a], width, c);
                h = covey_i_codes_get(part->high[a], width, c);
                *low = l < *low ? l : *low;
                *high = h > *high ? h : *high;
            }
        }
}

/* The ranges of the classes' rows. */
static covey_status ranges_of_rows(struct making *m, covey_arena *scratch, const covey_run *run, covey_error *err)
{
    const size_t d = m->problem->n_axes;
    bool room = true;

    for (size_t p = 0; p < m->n_parts; p++) {
        struct part *part = &m->part[p];

        part->low = covey_arena_array(scratch, void *, d);
        part->high = covey_arena_array(scratch, void *, d);
        room = room && part->low && part->high;
        for (size_t a = 0; room && a < d; a++) {
            const size_t width = (size_t)m->problem->axis[a].column->width;

            part->low[a] = covey_arena_alloc(scratch, m->n_given, width);
            part->high[a] = covey_arena_alloc(scratch, m->n_given, width);
            room = part->low[a] && part->high[a];
        }
    }
    if (!room)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), m->n_parts * d, find_ranges, m, err));
    join_parts(m);
    return COVEY_OK;
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
static covey_status list_rows(uint32_t **start_out, uint32_t **rows_out, const struct making *m, covey_arena *arena,
                              covey_error *err)
{
    uint32_t *start = covey_arena_array(arena, uint32_t, (size_t)m->n + 1),
             *next = covey_arena_array(arena, uint32_t, m->n);
    uint32_t *rows = covey_arena_array(arena, uint32_t, m->n_rows), at = 0;

    if (!start || !next || !rows)
        return covey_i_no_memory(err);
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
static covey_status sort_rows(covey_release *release, const struct making *m, const covey_class_order *order,
                              covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_sort_key *key = covey_arena_array(arena, covey_sort_key, m->problem->n_fields + 1);
    uint32_t *place_of_given = covey_arena_array_zero(arena, uint32_t, m->n_given), n = 0;
    size_t n_keys;

    if (!key || !place_of_given)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < m->n_given && n < m->n; c++)
        if (m->number[c] == n)
            place_of_given[c] = order->place[n++];
    key[0] = (covey_sort_key){
        .codes = m->class_of_row, .width = sizeof *m->class_of_row, .n_values = order->n, .map = place_of_given};
    n_keys = covey_i_problem_content_keys(key + 1, m->problem) + 1;
    if (m->n_rows == release->n_rows)
        return covey_i_keys_sort_rows(release->row_order, NULL, m->n_rows, key, n_keys, run, err);
    n = 0;
    for (uint32_t row = 0; row < release->n_rows; row++)
        if (m->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            release->row_order[n++] = row;
    return covey_i_sort_rows_by_keys(release->row_order, n, key, n_keys, run, err);
}

/* Which classes there are, how large they are, and their ranges or regions. */
static covey_status describe_classes(struct making *m, const covey_regions *regions, covey_arena *arena,
                                     const covey_run *run, covey_error *err)
{
    const size_t d = m->problem->n_axes;
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status;

    status = count_rows(m, regions ? regions->n_rows : NULL, arena, &scratch, run, err);
    if (status != COVEY_OK)
        goto done;
    m->low = covey_arena_array(arena, uint32_t, m->n * d);
    m->high = covey_arena_array(arena, uint32_t, m->n * d);
    if (!m->low || !m->high)
        status = covey_i_no_memory(err);
    else if (regions)
        take_regions(m, regions);
    else
        status = ranges_of_rows(m, &scratch, run, err);
done:
    covey_arena_free(&scratch);
    return status;
}

/* Regions are made of the table's values: those that only suppressed rows have must not show. */
static covey_status hide_suppressed(covey_release *release, struct making *m, covey_error *err)
{
    uint32_t *rows = covey_i_array(m->n_rows, sizeof *rows), n = 0;
    covey_status status;

    if (!rows)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < release->n_rows; row++)
        if (m->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            rows[n++] = row;
    if ((status = covey_i_shown_codes_new(&release->shown, m->problem, rows, n, err)) == COVEY_OK)
        covey_i_shown_codes_shrink_all(m->low, m->high, m->n, &release->shown);
    covey_i_free(rows);
    return status;
}

/* Fills a release from a row -> class map. */
static covey_status make_release(covey_release *release, struct making *m, const covey_regions *regions,
                                 covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_class_list list;
    covey_arena scratch = COVEY_ARENA_INIT;
    uint32_t *start = NULL, *rows = NULL;
    covey_class_order order;
    covey_status status = COVEY_OK;

    COVEY_TRY(describe_classes(m, regions, arena, run, err));
    if (covey_i_class_order_needs_rows(m->problem))
        status = list_rows(&start, &rows, m, &scratch, err);
    if (status == COVEY_OK && release->has_regions && m->n_rows < release->n_rows)
        status = hide_suppressed(release, m, err);
    list = (covey_class_list){m->problem,           release->has_regions, m->n,  m->low, m->high,
                              release->label_level, &release->shown,      start, rows};
    if (status == COVEY_OK)
        status = covey_i_class_order(&order, &list, arena, run, err);
    covey_arena_free(&scratch);
    if (status != COVEY_OK ||
        (status = covey_i_release_place_classes(release, &list, m->size, &order, err)) != COVEY_OK ||
        (status = sort_rows(release, m, &order, arena, run, err)) != COVEY_OK)
        return status;
    return covey_i_release_finish(release, m->problem, &order, err);
}

covey_status covey_i_release_of_classes(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row,
                                        uint32_t n_classes, const covey_run *run, covey_error *err)
{
    return covey_i_release_of_regions(out, problem, class_of_row, n_classes, NULL, run, err);
}

covey_status covey_i_release_of_regions(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row,
                                        uint32_t n_classes, const covey_regions *regions, const covey_run *run,
                                        covey_error *err)
{
    struct making making = {.problem = problem, .class_of_row = class_of_row, .n_given = n_classes};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release;
    covey_status status;

    COVEY_TRY(covey_i_release_new(&release, problem, regions && !regions->are_ranges, err));
    if (regions && regions->label_level)
        release->label_level = covey_i_array(problem->n_axes, sizeof *release->label_level);
    for (size_t a = 0; release->label_level && a < problem->n_axes; a++)
        release->label_level[a] = regions->label_level[a];
    if (regions && regions->label_level && !release->label_level)
        status = covey_i_no_memory(err);
    else
        status = make_release(release, &making, regions, &arena, run, err);
    if (status == COVEY_OK)
        *out = release;
    else
        covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}
