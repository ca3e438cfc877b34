/* What every release by classes of the original loses at least that keeps the promises and suppresses no more rows: the
 * average information loss can be compared with it.  Looked for within a short time; see docs/design/bounds.md.
 *
 * Promises that cannot be bound to the original (joint ones, or of a prior that counts more rows) are left out, which
 * makes the bound smaller, never wrong. */
#include "utility/metric/metric_impl.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "bound/bound.h"
#include "table/histogram.h"

enum { MOST_ROWS = 1 << 20 };
static const double most_seconds = 2;

struct measuring {
    const covey_opened *opened;
    const covey_original *original;
    covey_arena *arena;
    covey_problem problem;
    bool is_known; /* what the axes lose */
};

/* --- axes --- */

static bool widen(covey_axis *axis, const covey_opened_column *column)
{
    const covey_column *values = axis->column;
    const uint32_t first = values->has_null ? 1 : 0;

    if (!covey_column_is_number(values) || values->scale < column->scale)
        return false;
    axis->domain_low = column->domain_low;
    axis->domain_high = column->domain_high;
    for (int digit = column->scale; digit < values->scale; digit++)
        if (__builtin_mul_overflow(axis->domain_low, 10, &axis->domain_low) ||
            __builtin_mul_overflow(axis->domain_high, 10, &axis->domain_high))
            return false;
    if (first < values->n_values && values->number[first] < axis->domain_low)
        axis->domain_low = values->number[first];
    if (first < values->n_values && values->number[values->n_values - 1] > axis->domain_high)
        axis->domain_high = values->number[values->n_values - 1];
    return true;
}

/* A hierarchy from the data has other leaves without the rows that were suppressed; and one that was not rebuilt, or in
 * which not all values have a leaf, tells no loss. */
static const covey_hierarchy *tree_of(const struct measuring *m, const covey_opened_column *column,
                                      const covey_column *values)
{
    const covey_hierarchy *tree = column->rebuilt                      ? column->rebuilt
                                  : column->stated->hierarchy_complete ? column->tree
                                                                       : NULL;

    if (!tree || (column->rebuilt && m->opened->stated->n_suppressed > 0))
        return NULL;
    return values->n_values == covey_hierarchy_n_leaves(tree) ? tree : NULL;
}

static covey_status make_axis(struct measuring *m, size_t q, covey_error *err)
{
    const covey_opened_column *column = &m->opened->column[m->opened->quasi[q]];
    const covey_column *values = m->original->column[m->opened->quasi[q]].column;
    covey_axis *axis = &m->problem.axis[q];
    const covey_hierarchy *tree = NULL;
    covey_axis_kind kind = COVEY_AXIS_FLAT;

    *axis = (covey_axis){.column = values, .weight = column->stated->weight};
    if (column->stated->publish == COVEY_PUBLISH_RANGE) {
        kind = COVEY_AXIS_RANGE;
        m->is_known &= widen(axis, column);
    } else if (column->stated->publish == COVEY_PUBLISH_LABEL) {
        kind = COVEY_AXIS_TREE;
        m->is_known &= (tree = tree_of(m, column, values)) != NULL;
    } else {
        m->is_known &= column->stated->publish == COVEY_PUBLISH_SET;
    }
    return m->is_known ? covey_i_axis_init(axis, kind, values, tree, err) : COVEY_OK;
}

/* --- promises --- */

static bool counts_all_rows(const struct measuring *m, const char *attribute)
{
    const covey_stated *stated = m->opened->stated;

    for (size_t p = 0; p < stated->n_priors; p++) {
        int64_t n = 0;

        if (strcmp(stated->prior[p].attribute, attribute) != 0)
            continue;
        for (size_t v = 0; v < stated->prior[p].n; v++)
            n += stated->prior[p].count[v];
        return n == m->original->n_rows;
    }
    return true;
}

/* The view of a promise's attribute, made where it is not there yet; -1: none. */
static covey_status find_view(int *out, struct measuring *m, const covey_stated_promise *stated, covey_error *err)
{
    covey_promises *promises = &m->problem.promises;
    const covey_opened_column *column = NULL;
    covey_histogram *prior;
    size_t n = 0, at = 0;

    *out = -1;
    for (size_t c = 0; c < m->opened->n_columns; c++) {
        const covey_stated_column *own = m->opened->column[c].stated;

        if (own->role != COVEY_ROLE_SENSITIVE || (stated->attribute && strcmp(own->name, stated->attribute) != 0))
            continue;
        column = &m->opened->column[c];
        at = c;
        n++;
    }
    if (n != 1 || !counts_all_rows(m, column->stated->name))
        return COVEY_OK;
    for (size_t v = 0; v < promises->n_views; v++)
        if (promises->view[v].column == m->original->column[at].column) {
            *out = (int)v;
            return COVEY_OK;
        }
    if (!(prior = covey_arena_array_zero(m->arena, covey_histogram, 1)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_histogram_of(prior, m->original->column[at].column, m->arena, err));
    *out = (int)promises->n_views;
    promises->view[promises->n_views++] = (covey_view){.name = column->stated->name,
                                                       .column = m->original->column[at].column,
                                                       .has_order = column->stated->n_order > 0,
                                                       .prior = prior};
    return COVEY_OK;
}

static covey_status read_params(void **out, const covey_model *model, const covey_stated_promise *stated,
                                covey_arena *arena, covey_error *err)
{
    void *params = covey_arena_alloc_zero(arena, 1, model->params_size ? model->params_size : 1);

    if (!params)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_param_defaults(params, model->params, model->n_params, err));
    for (size_t i = 0; i < stated->n_params; i++)
        COVEY_TRY(covey_param_set(params, model->params, model->n_params, model->name, stated->param_name[i],
                                  stated->param_text[i], err));
    *out = params;
    return COVEY_OK;
}

/* A promise of which a bound makes use. */
static covey_status add_promise(struct measuring *m, const covey_stated_promise *stated, covey_error *err)
{
    const covey_model *model = covey_model_find(stated->model);
    covey_promises *promises = &m->problem.promises;
    covey_promise promise = {.model = model, .attribute = stated->attribute, .view = -1, .quasi = -1};
    void *params = NULL;

    if (!model || stated->joint || (model->traits & COVEY_MODEL_RANGES) ||
        !(model->bounds || model->min_size || model->least_distinct))
        return COVEY_OK;
    if (model->traits & COVEY_MODEL_SENSITIVE) {
        COVEY_TRY(find_view(&promise.view, m, stated, err));
        if (promise.view < 0)
            return COVEY_OK;
    }
    COVEY_TRY(read_params(&params, model, stated, m->arena, err));
    promise.params = params;
    COVEY_TRY(covey_i_promise_prepare(&promise, promises, m->arena, err));
    promises->promise[promises->n++] = promise;
    return COVEY_OK;
}

static covey_status add_promises(struct measuring *m, covey_error *err)
{
    const covey_stated *stated = m->opened->stated;
    covey_promises *promises = &m->problem.promises;

    promises->promise = covey_arena_array(m->arena, covey_promise, stated->n_promises);
    promises->view = covey_arena_array(m->arena, covey_view, m->opened->n_columns);
    promises->min_size = 1;
    if (!promises->promise || !promises->view)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < stated->n_promises; p++) {
        covey_error why;
        const covey_status status = add_promise(m, &stated->promise[p], &why);

        if (status == COVEY_OK || status == COVEY_EINVAL) /* the original does not fit it */
            continue;
        if (err)
            *err = why;
        return status;
    }
    return COVEY_OK;
}

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = release->opened;
    struct measuring m = {.opened = opened, .original = release->original, .arena = arena, .is_known = true};
    covey_loss_bound bound;

    *out = NAN;
    if (release->original->n_rows > MOST_ROWS || opened->stated->has_counterfeits) /* made-up rows fill classes, too */
        return COVEY_OK;
    m.problem = (covey_problem){.n_rows = release->original->n_rows,
                                .n_axes = opened->n_quasi,
                                .axis = covey_arena_array(arena, covey_axis, opened->n_quasi),
                                .max_suppressed = opened->stated->n_suppressed};
    if (!m.problem.axis)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < opened->n_quasi && m.is_known; q++)
        COVEY_TRY(make_axis(&m, q, err));
    if (!m.is_known)
        return COVEY_OK;
    COVEY_TRY(add_promises(&m, err));
    COVEY_TRY(covey_i_bound_loss(&bound, &m.problem, most_seconds, NULL, err));
    *out = bound.value;
    return COVEY_OK;
}

const covey_metric covey_metric_lower_bound = {
    .name = "lower_bound",
    .summary = "what releases of this form that suppress no more rows lose at least (ail)",
    .source = "docs/design/bounds.md",
    .needs_original = true,
    .of_classes = true,
    .compute = compute,
};
