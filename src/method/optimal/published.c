/* The cost of what is really published, where it is not what the search found: classes with equal cells have become
 * one, and suppressed rows must not tell which labels they have. */
#include "method/optimal/optimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/compare.h"
#include "release/settled.h"
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
    qsort(own, release->n_classes, sizeof *own, covey_i_compare_double);
    for (uint32_t c = 0; c < release->n_classes; c++)
        sum += own[c];
    return sum + (release->n_rows - release->n_published) * (*n_shown > 1 ? log(*n_shown) : 0);
}

/* Rows that have not their class's most frequent label; all that are suppressed. */
static covey_status class_error(double *value, const covey_release *release, const covey_column *label,
                                covey_error *err)
{
    int64_t *count = covey_i_array_zero(label->n_values, sizeof *count);

    if (!count)
        return covey_i_no_memory(err);
    *value = release->n_rows - release->n_published;
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t begin = release->class_start[c], end = release->class_start[c + 1];
        int64_t most = 0;

        for (uint32_t i = begin; i < end; i++) {
            int64_t *own = &count[covey_i_code(label, release->row_order[i])];

            most = ++*own > most ? *own : most;
        }
        *value += (double)(end - begin - most);
        for (uint32_t i = begin; i < end; i++)
            count[covey_i_code(label, release->row_order[i])] = 0;
    }
    covey_i_free(count);
    return COVEY_OK;
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
        *is_same = n_shown == label->n_values || release->n_published == release->n_rows;
    }
    covey_i_free(count);
    covey_i_free(shown);
    covey_i_free(own);
    return has_room ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_optimal_published_cost(double *value, bool *is_same, const covey_release *release,
                                            const covey_problem *problem, const covey_optimal_options *options,
                                            uint32_t n_found, covey_error *err)
{
    const bool is_joined = release->n_classes < n_found, suppresses = release->n_published < release->n_rows;
    size_t n;

    *is_same = true;
    if (options->cost == COVEY_OPT_NCP && is_joined)
        *value = covey_i_release_tight_loss(release, problem);
    if ((options->cost == COVEY_OPT_KL || options->cost == COVEY_OPT_NCP_BOX) && is_joined)
        *value = NAN; /* boxes that were cut, and cells that were counted, are not those of the joined class */
    if (options->cost == COVEY_OPT_CLASS_ERROR && is_joined)
        return class_error(value, release, covey_i_optimal_label(&n, problem, options->label), err);
    if (options->cost == COVEY_OPT_CLASSES)
        *value = release->n_classes;
    if (options->cost == COVEY_OPT_DISCERNIBILITY)
        *value = squares(release);
    if (options->cost == COVEY_OPT_CLASS_ENTROPY && (is_joined || suppresses))
        return class_entropy(value, is_same, release, covey_i_optimal_label(&n, problem, options->label), err);
    return COVEY_OK;
}
