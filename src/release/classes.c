/* From a row -> class map to a generalized release in canonical order.
 *
 * The order of classes and rows is a function of what is published and of nothing else: classes by the codes of their cells,
 * then by size, then by their rows' contents; rows of a class by their remaining columns.  Whoever reads the release learns
 * nothing about the input's order from it, and a verifier can check it. */
#include "release/release_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "table/table_impl.h"

/* Everything that sorting needs; lives for one call. */
struct order {
    const covey_problem *problem;
    uint32_t n_classes;
    const uint32_t *start;    /* [n_classes + 1] into rows */
    const uint32_t *rows;     /* class by class, sorted by content inside */
    const uint32_t *key;      /* [n_classes * 2 * n_axes] codes that are compared: low, high per axis */
};

/* Stable sort of rows by every field that is not a quasi-identifier, the first field most significant. */
static void sort_by_content(uint32_t *rows, uint32_t *scratch, size_t n, const covey_problem *problem)
{
    for (size_t f = problem->n_fields; f-- > 0;) {
        const covey_field *field = &problem->field[f];

        if (field->role != COVEY_ROLE_QUASI)
            covey_i_sort_rows_codes(rows, scratch, n, field->column->codes, field->column->width);
    }
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Rank of every node's label by bytes: the order in which a reader who has only labels can sort them. */
static covey_status rank_labels(uint32_t **out, const covey_hierarchy *tree, covey_arena *arena, covey_error *err)
{
    uint32_t n = covey_hierarchy_n_nodes(tree);
    const char **label = covey_arena_array(arena, const char *, n);
    uint32_t *rank = covey_arena_array(arena, uint32_t, n);

    if (!label || !rank)
        return covey_fail(err, COVEY_ENOMEM, "%u labels", n);
    for (uint32_t i = 0; i < n; i++)
        label[i] = covey_hierarchy_label(tree, i);
    qsort(label, n, sizeof *label, compare_labels);
    for (uint32_t i = 0; i < n; i++) {
        const char *wanted = covey_hierarchy_label(tree, i);

        rank[i] = (uint32_t)((const char **)bsearch(&wanted, label, n, sizeof *label, compare_labels) - label);
        while (rank[i] > 0 && strcmp(label[rank[i] - 1], wanted) == 0) /* equal labels: the first one's rank */
            rank[i]--;
    }
    *out = rank;
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
            a = covey_column_code(field->column, o->rows[o->start[x] + i]);
            b = covey_column_code(field->column, o->rows[o->start[y] + i]);
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

/* Drops empty classes and suppressed rows: fills rows, start, and returns the classes that are left. */
static uint32_t collect(uint32_t *rows, uint32_t *start, uint32_t *n_published, const uint32_t *sorted, uint32_t n_rows,
                        const uint32_t *class_of_row, uint32_t n_classes, uint32_t *count)
{
    uint32_t n = 0, kept = 0;

    memset(count, 0, n_classes * sizeof *count);
    for (uint32_t i = 0; i < n_rows; i++)
        if (class_of_row[i] != COVEY_CLASS_SUPPRESSED)
            count[class_of_row[i]]++;
    for (uint32_t c = 0; c < n_classes; c++) {
        uint32_t size = count[c];

        count[c] = n;
        if (size)
            start[kept++] = n;
        n += size;
    }
    start[kept] = n;
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t c = class_of_row[sorted[i]];

        if (c != COVEY_CLASS_SUPPRESSED)
            rows[count[c]++] = sorted[i];
    }
    *n_published = n;
    return kept;
}

static void find_ranges(uint32_t *low, uint32_t *high, const uint32_t *rows, const uint32_t *start, uint32_t n_classes, const covey_problem *problem)
{
    size_t d = problem->n_axes;

    for (size_t a = 0; a < d; a++)
        for (uint32_t c = 0; c < n_classes; c++) {
            const covey_column *column = problem->axis[a].column;
            uint32_t lo = UINT32_MAX, hi = 0;

            for (uint32_t i = start[c]; i < start[c + 1]; i++) {
                uint32_t code = covey_column_code(column, rows[i]);

                lo = code < lo ? code : lo;
                hi = code > hi ? code : hi;
            }
            low[c * d + a] = lo;
            high[c * d + a] = hi;
        }
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
    release->objective.value = covey_i_problem_ail(problem, numerator, release->n_rows - release->n_published);
    return COVEY_OK;
}

/* Puts classes and their rows into published order. */
static covey_status renumber(covey_release *release, const covey_problem *problem, covey_arena *arena, covey_error *err)
{
    size_t d = problem->n_axes;
    uint32_t n = release->n_classes, at = 0;
    uint32_t *key = covey_arena_array(arena, uint32_t, n * 2 * d), *by_order = covey_arena_array(arena, uint32_t, n);
    uint32_t *rows = covey_i_array(release->n_published, sizeof *rows), *start = covey_i_array((size_t)n + 1, sizeof *start);
    uint32_t *low = covey_i_array(n * d, sizeof *low), *high = covey_i_array(n * d, sizeof *high);
    struct order order = {problem, n, release->class_start, release->row_order, key};
    covey_status status = COVEY_OK;

    if (!key || !by_order || !rows || !start || !low || !high) {
        status = covey_fail(err, COVEY_ENOMEM, "order of %u classes", n);
        goto failed;
    }
    for (size_t a = 0; a < d; a++) {
        uint32_t *rank = NULL;

        if (problem->axis[a].kind == COVEY_AXIS_TREE && covey_hierarchy_is_from_data(problem->axis[a].tree))
            if ((status = rank_labels(&rank, problem->axis[a].tree, arena, err)) != COVEY_OK)
                goto failed;
        fill_keys(key, problem, a, release->low, release->high, n, rank);
    }
    for (uint32_t c = 0; c < n; c++)
        by_order[c] = c;
    qsort_r(by_order, n, sizeof *by_order, compare_classes, &order);
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

covey_status covey_i_release_of_classes(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row, uint32_t n_classes,
                                        const covey_run *run, covey_error *err)
{
    covey_status status = COVEY_OK;
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t n_rows = problem->n_rows;
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    uint32_t *sorted = covey_i_array(n_rows, sizeof *sorted), *scratch = covey_i_array(n_rows, sizeof *scratch);
    uint32_t *count = covey_i_array(n_classes, sizeof *count);
    size_t n_ranges;

    if (!release || !sorted || !scratch || !count)
        goto no_memory;
    release->form = covey_i_form_find("generalized");
    release->n_rows = n_rows;
    for (uint32_t i = 0; i < n_rows; i++)
        sorted[i] = i;
    sort_by_content(sorted, scratch, n_rows, problem);
    if (!(release->row_order = covey_i_array(n_rows, sizeof *release->row_order)) ||
        !(release->class_start = covey_i_array((size_t)n_classes + 1, sizeof *release->class_start)))
        goto no_memory;
    release->n_classes = collect(release->row_order, release->class_start, &release->n_published, sorted, n_rows, class_of_row, n_classes, count);
    n_ranges = release->n_classes * problem->n_axes;
    if (!(release->low = covey_i_array(n_ranges, sizeof *release->low)) || !(release->high = covey_i_array(n_ranges, sizeof *release->high)))
        goto no_memory;
    find_ranges(release->low, release->high, release->row_order, release->class_start, release->n_classes, problem);
    if ((status = find_objective(release, problem, &arena, err)) != COVEY_OK || (status = renumber(release, problem, &arena, err)) != COVEY_OK)
        goto done;
    *out = release;
    release = NULL;
    goto done;
no_memory:
    status = covey_fail(err, COVEY_ENOMEM, "release of %u rows", n_rows);
done:
    covey_arena_free(&arena);
    covey_i_free(sorted);
    covey_i_free(scratch);
    covey_i_free(count);
    covey_release_free(release);
    return status;
}

covey_status covey_i_problem_sort_rows(uint32_t *rows, const covey_problem *problem, covey_error *err)
{
    uint32_t *scratch = covey_i_array(problem->n_rows, sizeof *scratch);

    if (!scratch)
        return covey_fail(err, COVEY_ENOMEM, "order of %u rows", problem->n_rows);
    for (uint32_t i = 0; i < problem->n_rows; i++)
        rows[i] = i;
    sort_by_content(rows, scratch, problem->n_rows, problem);
    for (size_t a = problem->n_axes; a-- > 0;)
        covey_i_sort_rows_codes(rows, scratch, problem->n_rows, problem->axis[a].column->codes, problem->axis[a].column->width);
    covey_i_free(scratch);
    return COVEY_OK;
}

void covey_i_release_tally(covey_tally *tally, const covey_release *release, const covey_problem *problem, uint32_t class_index)
{
    size_t d = problem->n_axes;

    covey_i_tally_clear(tally);
    for (uint32_t i = release->class_start[class_index]; i < release->class_start[class_index + 1]; i++)
        covey_i_tally_add(tally, &problem->promises, release->row_order[i]);
    if (d) {
        memcpy(tally->low, release->low + class_index * d, d * sizeof *tally->low);
        memcpy(tally->high, release->high + class_index * d, d * sizeof *tally->high);
        tally->has_ranges = true;
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
    covey_i_free(release);
}
