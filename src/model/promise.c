/* Binding models to a table, and asking all of them about a class. */
#include "model/promise.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "table/histogram.h"
#include "table/table_impl.h"

covey_group covey_i_promise_group(const covey_promises *promises, const covey_promise *promise,
                                  const covey_tally *tally)
{
    covey_group group = {.size = tally->size, .counts = promise->view < 0 ? NULL : &tally->counts[promise->view]};
    const size_t quasi = (size_t)promise->quasi;

    if (!tally->has_ranges)
        return group;
    group.low = tally->low;
    group.high = tally->high;
    if (!promises->shown || promise->quasi < 0 || tally->low[quasi] > tally->high[quasi])
        return group;
    tally->shown_low[quasi] = tally->low[quasi];
    tally->shown_high[quasi] = tally->high[quasi];
    promises->shown(&tally->shown_low[quasi], &tally->shown_high[quasi], promises->shown_context, quasi);
    group.low = tally->shown_low;
    group.high = tally->shown_high;
    return group;
}

static int find_quasi(const covey_promise *promise, const covey_promises *promises)
{
    for (size_t i = 0; (promise->model->traits & COVEY_MODEL_RANGES) && promise->attribute && i < promises->n_quasi;
         i++)
        if (strcmp(promises->quasi[i]->name, promise->attribute) == 0)
            return (int)i;
    return -1;
}

static bool is_number(const covey_column *column, uint32_t code)
{
    const char *label = covey_column_label(column, code);
    const size_t size = covey_column_label_size(column, code);
    int64_t number;
    int scale;

    return covey_i_typing_parse_decimal(&number, &scale, label, size) ||
           covey_i_typing_parse_date(&number, label, size);
}

/* Where most values are numbers, names the first cell that is none: one slip makes a text of a column. */
static covey_status refuse_text(const covey_model *model, const covey_view *view, covey_error *err)
{
    const covey_column *column = view->column;
    uint32_t n_numbers = 0;

    for (uint32_t code = column->has_null; code < column->n_values; code++)
        n_numbers += is_number(column, code);
    for (int64_t row = 0; n_numbers > column->n_values / 2 && row < column->n_rows; row++) {
        const uint32_t code = covey_column_code(column, row);

        if (!(column->has_null && code == 0) && !is_number(column, code))
            return covey_fail_at(err, COVEY_EINVAL, NULL, covey_column_line(column, row), view->name, 0,
                                 "model %s needs a number, but column \"%s\" is %s, because of \"%.60s\": correct the "
                                 "cell, choose another "
                                 "attribute or declare its type",
                                 model->name, view->name, covey_type_name(column->type),
                                 covey_column_label(column, code));
    }
    return covey_fail(err, COVEY_EINVAL,
                      "model %s needs a number, but column \"%s\" is %s: choose another attribute or declare its type",
                      model->name, view->name, covey_type_name(column->type));
}

covey_status covey_i_promise_prepare(covey_promise *promise, const covey_promises *promises, covey_arena *arena,
                                     covey_error *err)
{
    const covey_model *model = promise->model;
    const covey_view *view = promise->view < 0 ? NULL : &promises->view[promise->view];
    covey_model_input input = {
        .quasi = promises->quasi,
        .n_quasi = promises->n_quasi,
        .quasi_width = promises->quasi_width,
        .attribute = promise->attribute,
    };

    promise->quasi = find_quasi(promise, promises);
    if ((model->traits & COVEY_MODEL_SENSITIVE) && !view)
        return covey_fail(err, COVEY_EINVAL, "model %s needs a sensitive attribute: give one column the role sensitive",
                          model->name);
    if (view && view->prior->total > UINT32_MAX)
        return covey_fail(err, COVEY_EINVAL,
                          "column \"%s\" has %" PRId64 " values: promises are checked exactly for up to %" PRIu32
                          " rows; split the table",
                          view->name, view->prior->total, UINT32_MAX);
    if (view) {
        input.prior = view->prior;
        input.sensitive = view->column;
        input.tree = view->tree;
        input.has_order = view->has_order;
    }
    if ((model->traits & COVEY_MODEL_NUMBER) && !covey_column_is_number(view->column))
        return refuse_text(model, view, err);
    return covey_i_model_prepare(&promise->state, model, &input, promise->params, arena, err);
}

bool covey_i_promises_publish_prior(const covey_promises *promises, const covey_column *column)
{
    for (size_t p = 0; p < promises->n; p++)
        if (promises->promise[p].view >= 0 && (promises->promise[p].model->traits & COVEY_MODEL_PRIOR) &&
            (promises->view[promises->promise[p].view].joint ||
             promises->view[promises->promise[p].view].column == column))
            return true;
    return false;
}

covey_status covey_i_promises_prepare(covey_promises *promises, covey_arena *arena, covey_error *err)
{
    for (size_t i = 0; i < promises->n; i++)
        COVEY_TRY(covey_i_promise_prepare(&promises->promise[i], promises, arena, err));
    return COVEY_OK;
}

covey_status covey_i_tally_new(covey_tally *tally, const covey_promises *promises, covey_arena *arena, covey_error *err)
{
    covey_tally made = {
        .counts = covey_arena_array(arena, covey_histogram, promises->n_views),
        .low = covey_arena_array(arena, uint32_t, promises->n_quasi),
        .high = covey_arena_array(arena, uint32_t, promises->n_quasi),
        .shown_low = covey_arena_array(arena, uint32_t, promises->n_quasi),
        .shown_high = covey_arena_array(arena, uint32_t, promises->n_quasi),
        .has_ranges = covey_i_promises_any_traits(promises) & COVEY_MODEL_RANGES,
    };

    if (!made.counts || !made.low || !made.high || !made.shown_low || !made.shown_high)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < promises->n_views; v++)
        COVEY_TRY(covey_i_histogram_new(&made.counts[v], promises->view[v].prior->n_values, arena, err));
    made.n_views = promises->n_views;
    made.n_quasi = promises->n_quasi;
    covey_i_tally_clear(&made);
    *tally = made;
    return COVEY_OK;
}

void covey_i_tally_clear(covey_tally *tally)
{
    tally->size = 0;
    for (size_t v = 0; v < tally->n_views; v++)
        covey_i_histogram_clear(&tally->counts[v]);
    memset(tally->low, 0xff, tally->n_quasi * sizeof *tally->low);
    memset(tally->high, 0, tally->n_quasi * sizeof *tally->high);
}

void covey_i_tally_add(covey_tally *tally, const covey_promises *promises, int64_t row)
{
    tally->size++;
    for (size_t v = 0; v < tally->n_views; v++)
        covey_i_histogram_add(&tally->counts[v], covey_i_code(promises->view[v].column, row), 1);
    if (!tally->has_ranges)
        return;
    for (size_t i = 0; i < tally->n_quasi; i++) {
        const uint32_t code = covey_i_code(promises->quasi[i], row);

        if (code < tally->low[i])
            tally->low[i] = code;
        if (code > tally->high[i])
            tally->high[i] = code;
    }
}

void covey_i_tally_remove(covey_tally *tally, const covey_promises *promises, int64_t row)
{
    tally->size--;
    for (size_t v = 0; v < tally->n_views; v++)
        covey_i_histogram_remove(&tally->counts[v], covey_i_code(promises->view[v].column, row), 1);
}

int covey_i_promises_broken(const covey_promises *promises, const covey_tally *tally)
{
    if (tally->size < promises->min_size || tally->size == 0)
        return (int)promises->n;
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const covey_group group = covey_i_promise_group(promises, promise, tally);

        if (!promise->model->admits(promise->state, &group))
            return (int)i;
    }
    return -1;
}

bool covey_i_promises_admit(const covey_promises *promises, const covey_tally *tally)
{
    return covey_i_promises_broken(promises, tally) < 0;
}

unsigned covey_i_promises_all_traits(const covey_promises *promises)
{
    unsigned traits = ~0u;

    for (size_t i = 0; i < promises->n; i++)
        traits &= covey_i_promise_traits(&promises->promise[i]);
    return traits;
}

unsigned covey_i_promises_any_traits(const covey_promises *promises)
{
    unsigned traits = 0;

    for (size_t i = 0; i < promises->n; i++)
        traits |= promises->promise[i].model->traits;
    return traits;
}

int64_t covey_i_promises_min_size(const covey_promises *promises)
{
    int64_t size = promises->min_size > 1 ? promises->min_size : 1;

    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const bool follows =
            promise->model->min_size && !(promises->has_regions && promise->quasi >= 0); /* size from width */
        const int64_t needed = follows ? promise->model->min_size(promise->state) : 1;

        if (needed > size)
            size = needed;
    }
    return size;
}

static bool has_bounds(const covey_promise *promise, int view)
{
    return promise->view == view && (promise->model->traits & COVEY_MODEL_CAPS) && promise->model->bounds;
}

void covey_i_promises_bounds_of(const covey_promises *promises, int view, int64_t size, const uint32_t *value, size_t n,
                                int64_t *cap, int64_t *need)
{
    for (size_t i = 0; i < promises->n; i++)
        if (has_bounds(&promises->promise[i], view))
            promises->promise[i].model->bounds(promises->promise[i].state, size, value, n, cap, need);
}

void covey_i_promises_bounds(const covey_promises *promises, int view, int64_t size, int64_t *cap, int64_t *need)
{
    covey_i_promises_bounds_of(promises, view, size, NULL, promises->view[view].prior->n_values, cap, need);
}

bool covey_i_promises_have_bounds(const covey_promises *promises, int view)
{
    for (size_t i = 0; i < promises->n; i++)
        if (has_bounds(&promises->promise[i], view))
            return true;
    return false;
}

bool covey_i_promises_are_bounds(const covey_promises *promises, int view)
{
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].model->bounds && promises->promise[i].view != view)
            return false;
    return covey_i_promises_all_traits(promises) & COVEY_MODEL_CAPS;
}

bool covey_i_promises_have_needs(const covey_promises *promises, int view)
{
    const covey_histogram *prior = promises->view[view].prior;

    for (uint32_t v = 0; v < prior->n_values; v++) {
        int64_t cap = prior->total, need = 0;

        covey_i_promises_bounds_of(promises, view, prior->total, &v, 1, &cap, &need);
        if (need > 0)
            return true;
    }
    return false;
}

bool covey_i_promise_closeness(covey_closeness *out, const covey_promise *promise)
{
    return promise->model->closeness && promise->model->closeness(out, promise->state);
}
