/* The cost of what is really published, where it is not what the search found: classes with equal cells have become
 * one, and suppressed rows must not tell which labels they have. */
#include "method/optimal/optimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/table_impl.h"

static double squares(const covey_release *release)
{
    double sum = 0;

    for (uint32_t c = 0; c < release->n_classes; c++) {
        const double n = release->class_start[c + 1] - release->class_start[c];

        sum += n * n;
    }
    return sum + (double)(release->n_rows - release->n_published) * release->n_rows;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* A suppressed row says nothing: it costs what a label among those that are published can say at most.  Added up by
 * size, because classes may get another order once more is known of what is published.
 *
 * count: [n_values] zeros, all: [n_values] zeros, own: [n_classes] */
static double entropies(uint32_t *n_shown, const covey_release *release, const covey_column *label, int64_t *count,
                        bool *shown, double *own)
{
    double sum = 0;

    for (uint32_t c = 0; c < release->n_classes; c++) {
        memset(count, 0, label->n_values * sizeof *count);
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            count[covey_i_code(label, release->row_order[i])]++;
        for (uint32_t v = 0; v < label->n_values; v++)
            shown[v] |= count[v] > 0;
        own[c] = covey_i_optimal_entropy(count, label->n_values, release->class_start[c + 1] - release->class_start[c]);
    }
    *n_shown = 0;
    for (uint32_t v = 0; v < label->n_values; v++)
        *n_shown += shown[v];
    qsort(own, release->n_classes, sizeof *own, compare_numbers);
    for (uint32_t c = 0; c < release->n_classes; c++)
        sum += own[c];
    return sum + (release->n_rows - release->n_published) * (*n_shown > 1 ? log(*n_shown) : 0);
}

static covey_status class_entropy(double *value, bool *is_same, const covey_release *release, const covey_column *label,
                                  covey_error *err)
{
    int64_t *count = covey_i_array(label->n_values, sizeof *count);
    bool *shown = covey_i_array_zero(label->n_values, sizeof *shown);
    double *own = covey_i_array(release->n_classes, sizeof *own);
    uint32_t n_shown = 0;
    const bool has_room = count && shown && own;

    if (has_room) {
        *value = entropies(&n_shown, release, label, count, shown, own);
        *is_same = n_shown == label->n_values;
    }
    covey_i_free(count);
    covey_i_free(shown);
    covey_i_free(own);
    return has_room ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_optimal_published_cost(double *value, bool *is_same, const covey_release *release,
                                            const covey_problem *problem, const covey_optimal_options *options,
                                            covey_error *err)
{
    size_t n;

    *is_same = true;
    if (options->cost == COVEY_OPT_CLASSES)
        *value = release->n_classes;
    if (options->cost == COVEY_OPT_DISCERNIBILITY)
        *value = squares(release);
    if (options->cost == COVEY_OPT_CLASS_ENTROPY && release->n_published < release->n_rows)
        return class_entropy(value, is_same, release, covey_i_optimal_label(&n, problem, options->label), err);
    return COVEY_OK;
}
