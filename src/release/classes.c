/* From a row -> class map to a generalized release in canonical order.
 *
 * A class is the set of rows whose published quasi-identifiers are equal (models-and-recoding section 1), so classes whose cells turn out
 * equal are merged: every model on classes is closed under union, and losses are sums over cells, so neither suffers.
 *
 * The order of classes and rows is a function of what is published and of nothing else: classes by the codes of their cells,
 * then by size, then by their rows' contents; rows of a class by their remaining columns.  Whoever reads the release learns
 * nothing about the input's order from it, and a verifier can check it. */
#include "release/release_impl.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort_keys.h"
#include "base/threads.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { RANGE_TASKS = 32 };

/* Everything that sorting needs; lives for one call. */
struct order {
    const covey_problem *problem;
    bool has_regions;
    uint32_t n_classes;
    const uint32_t *start;    /* [n_classes + 1] into rows */
    const uint32_t *rows;     /* class by class, sorted by content inside */
    const uint32_t *key;      /* [n_classes * 2 * n_axes] codes that are compared: low, high per axis */
};

static covey_sort_key key_of(const covey_column *column)
{
    return (covey_sort_key){column->codes, column->width, column->n_values};
}

/* Appends every field that is not a quasi-identifier to the keys, the first field most significant. */
static size_t add_content_keys(covey_sort_key *key, size_t n_keys, const covey_problem *problem)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role != COVEY_ROLE_QUASI)
            key[n_keys++] = key_of(problem->field[f].column);
    return n_keys;
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Rank of every node's cell by bytes: the order in which a reader who has only the cells can sort them. */
static covey_status rank_cells(uint32_t **out, const covey_axis *axis, covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(axis->tree);
    uint32_t n = covey_hierarchy_n_nodes(axis->tree);
    const char **cell = covey_arena_array(arena, const char *, n), **sorted = covey_arena_array(arena, const char *, n);
    uint32_t *rank = covey_arena_array(arena, uint32_t, n);
    covey_text text = COVEY_TEXT_INIT;
    bool complete = cell && sorted && rank;

    for (uint32_t i = 0; i < n && complete; i++) {
        covey_i_text_clear(&text);
        covey_i_axis_print(&text, axis, node[i].first_leaf, node[i].first_leaf + node[i].n_leaves - 1, NULL, 0);
        cell[i] = sorted[i] = text.broken ? NULL : covey_arena_strndup(arena, text.bytes ? text.bytes : "", text.size);
        complete = cell[i] != NULL;
    }
    covey_i_text_free(&text);
    if (!complete)
        return covey_fail(err, COVEY_ENOMEM, "%u labels", n);
    qsort(sorted, n, sizeof *sorted, compare_labels);
    for (uint32_t i = 0; i < n; i++) {
        rank[i] = (uint32_t)((const char **)bsearch(&cell[i], sorted, n, sizeof *sorted, compare_labels) - sorted);
        while (rank[i] > 0 && strcmp(sorted[rank[i] - 1], cell[i]) == 0) /* equal cells: the first one's rank */
            rank[i]--;
    }
    *out = rank;
    return COVEY_OK;
}

/* Does the class hold more values than a cell names?  seen: [n_values], a mark of the class's own. */
static bool is_too_wide(const covey_axis *axis, const struct order *order, uint32_t c, uint32_t *seen)
{
    uint32_t n_present = 0;

    for (uint32_t i = order->start[c]; i < order->start[c + 1] && n_present <= COVEY_AXIS_MOST_ELEMENTS; i++) {
        uint32_t code = covey_column_code(axis->column, order->rows[i]);

        n_present += seen[code] != c + 1;
        seen[code] = c + 1;
    }
    return n_present > COVEY_AXIS_MOST_ELEMENTS;
}

/* A set is compared by its first and last value, and * comes before all sets, because it does not say which values it holds. */
static covey_status fill_set_keys(uint32_t *key, const struct order *order, size_t a, const uint32_t *low, const uint32_t *high, covey_arena *arena,
                                  covey_error *err)
{
    const covey_axis *axis = &order->problem->axis[a];
    uint32_t *seen = covey_arena_array_zero(arena, uint32_t, axis->n_values);
    size_t d = order->problem->n_axes;

    if (!seen)
        return covey_fail(err, COVEY_ENOMEM, "values of column \"%s\"", axis->column->name);
    for (uint32_t c = 0; c < order->n_classes; c++) {
        uint32_t lo = low[c * d + a], hi = high[c * d + a];
        bool is_star = hi - lo >= COVEY_AXIS_MOST_ELEMENTS && (order->has_regions || is_too_wide(axis, order, c, seen));

        key[(c * d + a) * 2] = is_star ? 0 : lo + 1;
        key[(c * d + a) * 2 + 1] = is_star ? UINT32_MAX : hi + 1;
    }
    return COVEY_OK;
}

/* The codes that the published cell stands for: of a label all its leaves, of * the whole domain. */
static void fill_keys(uint32_t *key, const covey_problem *problem, size_t a, const uint32_t *low, const uint32_t *high, uint32_t n_classes,
                      const uint32_t *rank)
{
    const covey_axis *axis = &problem->axis[a];
    size_t d = problem->n_axes;

    for (uint32_t c = 0; c < n_classes; c++) {
        uint32_t lo = low[c * d + a], hi = high[c * d + a];

        if (axis->kind == COVEY_AXIS_TREE) {
            uint32_t node = covey_hierarchy_lca(axis->tree, lo, hi);
            const covey_node *facts = &covey_hierarchy_nodes(axis->tree)[node];

            lo = rank ? rank[node] : facts->first_leaf;
            hi = rank ? 0 : facts->first_leaf + facts->n_leaves - 1;
        } else if (axis->kind == COVEY_AXIS_RANGE && lo == 0 && hi > 0 && axis->column->has_null) {
            hi = axis->n_values - 1;
        }
        key[(c * d + a) * 2] = lo;
        key[(c * d + a) * 2 + 1] = hi;
    }
}

static int compare_content(const struct order *o, uint32_t x, uint32_t y)
{
    uint32_t n = o->start[x + 1] - o->start[x];

    for (uint32_t i = 0; i < n; i++)
        for (size_t f = 0; f < o->problem->n_fields; f++) {
            const covey_field *field = &o->problem->field[f];
            uint32_t a, b;

            if (field->role == COVEY_ROLE_QUASI)
                continue;
            a = covey_i_code(field->column, o->rows[o->start[x] + i]);
            b = covey_i_code(field->column, o->rows[o->start[y] + i]);
            if (a != b)
                return a < b ? -1 : 1;
        }
    return 0;
}

static int compare_classes(const void *a, const void *b, void *context)
{
    const struct order *o = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    size_t n_keys = o->problem->n_axes * 2;
    const uint32_t *kx = o->key + x * n_keys, *ky = o->key + y * n_keys;
    uint32_t nx, ny;

    for (size_t i = 0; i < n_keys; i++)
        if (kx[i] != ky[i])
            return kx[i] < ky[i] ? -1 : 1;
    nx = o->start[x + 1] - o->start[x];
    ny = o->start[y + 1] - o->start[y];
    if (nx != ny)
        return nx < ny ? -1 : 1;
    return compare_content(o, x, y);
}

/* Drops empty classes and suppressed rows: fills rows (in the input's order) and start, and returns the classes that are left. */
static uint32_t collect(uint32_t *rows, uint32_t *start, uint32_t *n_published, uint32_t n_rows, const uint32_t *class_of_row,
                        uint32_t n_classes, uint32_t *count)
{
    uint32_t n = 0, kept = 0;

    memset(count, 0, n_classes * sizeof *count);
    for (uint32_t row = 0; row < n_rows; row++)
        if (class_of_row[row] != COVEY_CLASS_SUPPRESSED) {
            count[class_of_row[row]]++;
            rows[n++] = row;
        }
    *n_published = n;
    n = 0;
    for (uint32_t c = 0; c < n_classes; c++)
        if (count[c]) {
            start[kept++] = n;
            n += count[c];
        }
    start[kept] = n;
    return kept;
}

/* Sorts the published rows by class, then by content. */
static covey_status sort_rows(covey_release *release, const covey_problem *problem, const uint32_t *class_of_row, uint32_t n_classes,
                              covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_sort_key *key = covey_arena_array(arena, covey_sort_key, problem->n_fields + 1);
    size_t n_keys;

    if (!key)
        return covey_fail(err, COVEY_ENOMEM, "order of %zu columns", problem->n_fields);
    key[0] = (covey_sort_key){class_of_row, sizeof *class_of_row, n_classes};
    n_keys = add_content_keys(key, 1, problem);
    return covey_i_sort_rows_by_keys(release->row_order, release->n_published, key, n_keys, run, err);
}

#define DEFINE_RANGE(name, type)                                                                                                           \
    static void name(uint32_t *low, uint32_t *high, const type *codes, const uint32_t *rows, uint32_t n)                                   \
    {                                                                                                                                      \
        type lo = codes[rows[0]], hi = lo;                                                                                                 \
                                                                                                                                           \
        for (uint32_t i = 1; i < n; i++) {                                                                                                 \
            const type code = codes[rows[i]];                                                                                              \
                                                                                                                                           \
            lo = code < lo ? code : lo;                                                                                                    \
            hi = code > hi ? code : hi;                                                                                                    \
        }                                                                                                                                  \
        *low = lo;                                                                                                                         \
        *high = hi;                                                                                                                        \
    }

DEFINE_RANGE(range_u8, uint8_t)
DEFINE_RANGE(range_u16, uint16_t)
DEFINE_RANGE(range_u32, uint32_t)

static void find_range(uint32_t *low, uint32_t *high, const covey_column *column, const uint32_t *rows, uint32_t n)
{
    if (column->width == 1)
        range_u8(low, high, column->codes, rows, n);
    else if (column->width == 2)
        range_u16(low, high, column->codes, rows, n);
    else
        range_u32(low, high, column->codes, rows, n);
}

struct ranges_task {
    const covey_release *release;
    const covey_problem *problem;
};

/* Ranges of the task's share of the classes. */
static covey_status find_ranges(void *context, size_t task, covey_error *err)
{
    const struct ranges_task *t = context;
    const covey_release *release = t->release;
    const size_t d = t->problem->n_axes;
    const uint32_t end = (uint32_t)((uint64_t)release->n_classes * (task + 1) / RANGE_TASKS);

    for (uint32_t c = (uint32_t)((uint64_t)release->n_classes * task / RANGE_TASKS); c < end; c++)
        for (size_t a = 0; a < d; a++)
            find_range(&release->low[c * d + a], &release->high[c * d + a], t->problem->axis[a].column,
                       release->row_order + release->class_start[c], release->class_start[c + 1] - release->class_start[c]);
    return COVEY_OK;
}

double covey_i_problem_ail(const covey_problem *problem, const covey_i128 *numerator, int64_t n_suppressed)
{
    long double sum = 0;

    if (problem->n_rows == 0)
        return 0;
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];
        covey_i128 total = numerator[a] + (covey_i128)n_suppressed * axis->loss_den;

        sum += (long double)total / (long double)axis->loss_den * axis->weight.num / axis->weight.den;
    }
    return (double)(sum / problem->n_rows);
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

/* Marks the values of a class on an axis; returns how many were not marked so yet. */
static uint32_t mark_values(uint8_t *mark, const covey_axis *axis, const struct order *o, uint32_t c, uint8_t value)
{
    uint32_t n = 0;

    for (uint32_t i = o->start[c]; i < o->start[c + 1]; i++) {
        uint8_t *m = &mark[covey_i_code(axis->column, o->rows[i])];

        n += *m != value;
        *m = value;
    }
    return n;
}

/* Do two classes hold the same values?  mark: all zero, before and after. */
static bool same_values(uint8_t *mark, const covey_axis *axis, const struct order *o, uint32_t x, uint32_t y)
{
    const uint32_t n_x = mark_values(mark, axis, o, x, 1), n_y = mark_values(mark, axis, o, y, 2);
    const bool x_has_more = mark_values(mark, axis, o, x, 2) > 0; /* values that y left at 1 */

    mark_values(mark, axis, o, x, 0);
    mark_values(mark, axis, o, y, 0);
    return n_x == n_y && !x_has_more;
}

/* Do two classes with equal keys publish the same cells? */
static bool same_cells(uint8_t *mark, const struct order *o, const uint32_t *low, const uint32_t *high, uint32_t x, uint32_t y)
{
    const size_t d = o->problem->n_axes;

    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &o->problem->axis[a];
        const bool is_star = o->key[(x * d + a) * 2 + 1] == UINT32_MAX;

        if (axis->kind == COVEY_AXIS_TREE && covey_hierarchy_lca(axis->tree, low[x * d + a], high[x * d + a]) !=
                                                 covey_hierarchy_lca(axis->tree, low[y * d + a], high[y * d + a]))
            return false;
        if (axis->kind == COVEY_AXIS_FLAT && !is_star && !o->has_regions && !same_values(mark, axis, o, x, y))
            return false;
    }
    return true;
}

/* Finds classes whose cells are equal: into[c] is the class that c is part of.  by_order: classes sorted by key.  Returns how many are
 * part of another. */
static covey_status find_equal_cells(uint32_t *into, uint32_t *n_merged, const struct order *o, const uint32_t *low, const uint32_t *high,
                                     const uint32_t *by_order, covey_arena *arena, covey_error *err)
{
    const size_t n_keys = o->problem->n_axes * 2;
    uint32_t first = 0, largest = 1;
    uint8_t *mark;

    for (size_t a = 0; a < o->problem->n_axes; a++)
        if (o->problem->axis[a].kind == COVEY_AXIS_FLAT && o->problem->axis[a].n_values > largest)
            largest = o->problem->axis[a].n_values;
    if (!(mark = covey_arena_array_zero(arena, uint8_t, largest)))
        return covey_fail(err, COVEY_ENOMEM, "classes with equal cells");
    *n_merged = 0;
    for (uint32_t i = 0; i < o->n_classes; i++) {
        const uint32_t c = by_order[i];

        if (i > 0 && memcmp(o->key + c * n_keys, o->key + by_order[first] * n_keys, n_keys * sizeof *o->key) != 0)
            first = i;
        into[c] = c;
        for (uint32_t j = first; j < i && into[c] == c; j++) /* one comparison, unless sets with equal ends differ */
            if (into[by_order[j]] == by_order[j] && same_cells(mark, o, low, high, by_order[j], c))
                into[c] = by_order[j];
        *n_merged += into[c] != c;
    }
    return COVEY_OK;
}

/* Puts classes and their rows into published order; into and n_merged: see find_equal_cells. */
static covey_status renumber(covey_release *release, uint32_t *into, uint32_t *n_merged, const covey_problem *problem, covey_arena *arena,
                             covey_error *err)
{
    size_t d = problem->n_axes;
    uint32_t n = release->n_classes, at = 0;
    uint32_t *key = covey_arena_array(arena, uint32_t, n * 2 * d), *by_order = covey_arena_array(arena, uint32_t, n);
    uint32_t *rows = covey_i_array(release->n_published, sizeof *rows), *start = covey_i_array((size_t)n + 1, sizeof *start);
    uint32_t *low = covey_i_array(n * d, sizeof *low), *high = covey_i_array(n * d, sizeof *high);
    struct order order = {problem, release->has_regions, n, release->class_start, release->row_order, key};
    covey_status status = COVEY_OK;

    if (!key || !by_order || !rows || !start || !low || !high) {
        status = covey_fail(err, COVEY_ENOMEM, "order of %u classes", n);
        goto failed;
    }
    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &problem->axis[a];
        uint32_t *rank = NULL;

        if (axis->kind == COVEY_AXIS_TREE && covey_hierarchy_is_from_data(axis->tree) && (status = rank_cells(&rank, axis, arena, err)) != COVEY_OK)
            goto failed;
        if (axis->kind != COVEY_AXIS_FLAT)
            fill_keys(key, problem, a, release->low, release->high, n, rank);
        else if ((status = fill_set_keys(key, &order, a, release->low, release->high, arena, err)) != COVEY_OK)
            goto failed;
    }
    for (uint32_t c = 0; c < n; c++)
        by_order[c] = c;
    qsort_r(by_order, n, sizeof *by_order, compare_classes, &order);
    if ((status = find_equal_cells(into, n_merged, &order, release->low, release->high, by_order, arena, err)) != COVEY_OK || *n_merged > 0)
        goto failed;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t old = by_order[c], size = order.start[old + 1] - order.start[old];

        start[c] = at;
        memcpy(rows + at, order.rows + order.start[old], size * sizeof *rows);
        memcpy(low + c * d, release->low + old * d, d * sizeof *low);
        memcpy(high + c * d, release->high + old * d, d * sizeof *high);
        at += size;
    }
    start[n] = at;
    covey_i_free(release->row_order), release->row_order = rows;
    covey_i_free(release->class_start), release->class_start = start;
    covey_i_free(release->low), release->low = low;
    covey_i_free(release->high), release->high = high;
    return COVEY_OK;
failed:
    covey_i_free(rows);
    covey_i_free(start);
    covey_i_free(low);
    covey_i_free(high);
    return status;
}

/* The regions of the classes that have rows. */
static void take_regions(covey_release *release, const covey_problem *problem, const covey_regions *regions, const uint32_t *count,
                         uint32_t n_classes)
{
    const size_t d = problem->n_axes;
    size_t kept = 0;

    for (uint32_t c = 0; c < n_classes; c++)
        if (count[c]) {
            memcpy(release->low + kept * d, regions->low + c * d, d * sizeof *release->low);
            memcpy(release->high + kept * d, regions->high + c * d, d * sizeof *release->high);
            kept++;
        }
}

/* Fills a release from a row -> class map; if classes with equal cells are found, n_merged > 0 and into says which (the release is then
 * only good for that). */
static covey_status arrange(covey_release *release, uint32_t *into, uint32_t *n_merged, const covey_problem *problem, const uint32_t *class_of_row,
                            uint32_t n_classes, const covey_regions *regions, covey_arena *arena, const covey_run *run, covey_error *err)
{
    struct ranges_task ranges = {release, problem};
    uint32_t *count = covey_arena_array(arena, uint32_t, n_classes);

    if (!count)
        return covey_fail(err, COVEY_ENOMEM, "classes of %u rows", problem->n_rows);
    release->n_classes = collect(release->row_order, release->class_start, &release->n_published, problem->n_rows, class_of_row, n_classes, count);
    COVEY_TRY(sort_rows(release, problem, class_of_row, n_classes, arena, run, err));
    if (regions)
        take_regions(release, problem, regions, count, n_classes);
    else
        COVEY_TRY(covey_i_parallel(covey_run_threads(run), RANGE_TASKS, find_ranges, &ranges, err));
    COVEY_TRY(find_objective(release, problem, arena, err));
    return renumber(release, into, n_merged, problem, arena, err);
}

/* The row -> class map with merged classes. */
static void merge_classes(uint32_t *merged, const covey_release *release, const uint32_t *into)
{
    memset(merged, 0xff, release->n_rows * sizeof *merged); /* COVEY_CLASS_SUPPRESSED */
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            merged[release->row_order[i]] = into[c];
}

/* Regions of merged classes: their cells are equal, but a label may stand for regions that are not. */
static void merge_regions(covey_regions *merged, const covey_release *release, const uint32_t *into, size_t d)
{
    memcpy(merged->low, release->low, release->n_classes * d * sizeof *merged->low);
    memcpy(merged->high, release->high, release->n_classes * d * sizeof *merged->high);
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (size_t a = 0; a < d; a++) {
            uint32_t *low = &merged->low[into[c] * d + a], *high = &merged->high[into[c] * d + a];

            *low = release->low[c * d + a] < *low ? release->low[c * d + a] : *low;
            *high = release->high[c * d + a] > *high ? release->high[c * d + a] : *high;
        }
}

covey_status covey_i_release_of_classes(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row, uint32_t n_classes,
                                        const covey_run *run, covey_error *err)
{
    return covey_i_release_of_regions(out, problem, class_of_row, n_classes, NULL, run, err);
}

covey_status covey_i_release_of_regions(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row, uint32_t n_classes,
                                        const covey_regions *regions, const covey_run *run, covey_error *err)
{
    covey_status status;
    covey_arena arena = COVEY_ARENA_INIT;
    const uint32_t n_rows = problem->n_rows;
    const size_t n_ranges = n_classes * problem->n_axes;
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    uint32_t *into = covey_i_array(n_classes, sizeof *into), *merged = NULL, n_merged = 0;
    covey_regions merged_regions = {0};

    if (!release || !into)
        goto no_memory;
    release->form = covey_i_form_find("generalized");
    release->n_rows = n_rows;
    release->has_regions = regions != NULL;
    release->row_order = covey_i_array(n_rows, sizeof *release->row_order);
    release->class_start = covey_i_array((size_t)n_classes + 1, sizeof *release->class_start);
    release->low = covey_i_array(n_ranges, sizeof *release->low);
    release->high = covey_i_array(n_ranges, sizeof *release->high);
    if (!release->row_order || !release->class_start || !release->low || !release->high)
        goto no_memory;
    if ((status = arrange(release, into, &n_merged, problem, class_of_row, n_classes, regions, &arena, run, err)) != COVEY_OK)
        goto done;
    if (n_merged > 0) {
        if (!(merged = covey_i_array(n_rows, sizeof *merged)))
            goto no_memory;
        merge_classes(merged, release, into);
        if (regions) {
            merged_regions = (covey_regions){covey_i_array(n_ranges, sizeof (uint32_t)), covey_i_array(n_ranges, sizeof (uint32_t))};
            if (!merged_regions.low || !merged_regions.high)
                goto no_memory;
            merge_regions(&merged_regions, release, into, problem->n_axes);
        }
        /* A merged class has the cells of its parts, so no two are equal any more. */
        if ((status = arrange(release, into, &n_merged, problem, merged, release->n_classes, regions ? &merged_regions : NULL, &arena, run,
                              err)) != COVEY_OK)
            goto done;
        assert(n_merged == 0);
    }
    *out = release;
    release = NULL;
    goto done;
no_memory:
    status = covey_fail(err, COVEY_ENOMEM, "release of %u rows", n_rows);
done:
    covey_arena_free(&arena);
    covey_i_free(into);
    covey_i_free(merged);
    covey_i_free(merged_regions.low);
    covey_i_free(merged_regions.high);
    covey_release_free(release);
    return status;
}

covey_status covey_i_problem_sort_rows(uint32_t *rows, const covey_problem *problem, const covey_run *run, covey_error *err)
{
    covey_sort_key *key = covey_i_array(problem->n_axes + problem->n_fields, sizeof *key);
    covey_status status;
    size_t n_keys;

    if (!key)
        return covey_fail(err, COVEY_ENOMEM, "order of %zu columns", problem->n_fields);
    for (uint32_t i = 0; i < problem->n_rows; i++)
        rows[i] = i;
    for (size_t a = 0; a < problem->n_axes; a++)
        key[a] = key_of(problem->axis[a].column);
    n_keys = add_content_keys(key, problem->n_axes, problem);
    status = covey_i_sort_rows_by_keys(rows, problem->n_rows, key, n_keys, run, err);
    covey_i_free(key);
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
    covey_i_free(release);
}
