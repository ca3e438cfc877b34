/* What making a release of classes has in common, whatever they are given as: places, sizes and ranges first, then,
 * once the rows are in their places, classes that their cells' codes do not tell apart, and what all of them lose. */
#include "release/generalized/class_release.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/table_impl.h"

covey_status covey_i_release_new(covey_release **out, const covey_problem *problem, bool has_regions, covey_error *err)
{
    covey_release *release = covey_i_array_zero(1, sizeof *release);

    if (!release)
        return covey_i_no_memory(err);
    release->form = &covey_form_generalized;
    release->n_rows = problem->n_rows;
    release->has_regions = has_regions;
    *out = release;
    return COVEY_OK;
}

covey_status covey_i_release_place_classes(covey_release *release, const covey_class_list *list, const uint32_t *size,
                                           const covey_class_order *order, covey_error *err)
{
    const size_t d = list->problem->n_axes, n_ranges = order->n * d;
    uint32_t sum = 0;

    release->n_classes = order->n;
    release->class_start = covey_i_array_zero((size_t)order->n + 1, sizeof *release->class_start);
    release->low = covey_i_array(n_ranges, sizeof *release->low);
    release->high = covey_i_array(n_ranges, sizeof *release->high);
    if (!release->class_start || !release->low || !release->high)
        return covey_i_no_memory(err);
    memset(release->low, 0xff, n_ranges * sizeof *release->low);
    memset(release->high, 0, n_ranges * sizeof *release->high);
    for (uint32_t c = 0; c < list->n; c++) {
        const size_t place = order->place[c];

        release->class_start[place] += size[c];
        for (size_t a = 0; a < d; a++) {
            uint32_t *low = &release->low[place * d + a], *high = &release->high[place * d + a];

            *low = list->low[c * d + a] < *low ? list->low[c * d + a] : *low;
            *high = list->high[c * d + a] > *high ? list->high[c * d + a] : *high;
        }
    }
    for (uint32_t c = 0; c <= order->n; c++) {
        const uint32_t n = release->class_start[c];

        release->class_start[c] = sum;
        sum += n;
    }
    release->n_published = sum;
    if (!release->row_order && !(release->row_order = covey_i_array_full(sum, sizeof *release->row_order)))
        return covey_i_no_memory(err);
    return COVEY_OK;
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
    const uint32_t *rows_x = t->release->row_order + t->release->class_start[x],
                   *rows_y = t->release->row_order + t->release->class_start[y];

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
static void move_classes(covey_release *release, size_t d, uint32_t first, const uint32_t *by_size, uint32_t n,
                         uint32_t *rows, uint32_t *ranges, uint32_t *size)
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
            return covey_i_no_memory(err);
        }
        for (uint32_t i = 0; i < n; i++)
            by_size[i] = first + i;
        qsort_r(by_size, n, sizeof *by_size, compare_tied, &tie);
        move_classes(release, d, first, by_size, n, rows, ranges, size);
        covey_arena_free(&scratch);
    }
    return COVEY_OK;
}

/* --- what they lose --- */

static covey_status find_objective(covey_release *release, const covey_problem *problem, covey_error *err)
{
    const size_t d = problem->n_axes;
    covey_i128 *numerator = covey_i_array_zero(d, sizeof *numerator);

    if (!numerator)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (size_t a = 0; a < d; a++)
            numerator[a] +=
                (covey_i128)covey_i_axis_loss(&problem->axis[a], release->low[c * d + a], release->high[c * d + a]) *
                (release->class_start[c + 1] - release->class_start[c]);
    release->objective.name = "ail";
    release->objective.value = release->ail =
        covey_i_problem_ail(problem, numerator, release->n_rows - release->n_published);
    covey_i_free(numerator);
    return COVEY_OK;
}

covey_status covey_i_release_finish(covey_release *release, const covey_problem *problem,
                                    const covey_class_order *order, covey_error *err)
{
    COVEY_TRY(order_ties(release, problem, order->tied, err));
    return find_objective(release, problem, err);
}
