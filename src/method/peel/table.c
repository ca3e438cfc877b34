/* A table as peel sees it: what its promises ask for, what ranges lose on its axes, as integers. */
#include "method/peel/table.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum { INDEX_BINS = 16, BINNED_FROM = 64, MOST_WEIGHTED_AXES = 1024, VALUES_PER_WORK = 4 };

int64_t covey_i_peel_long_loss(const covey_peel_axis *axis, uint32_t low, uint32_t high)
{
    if (low == high)
        return 0;
    if (axis->place)
        return low == 0 && axis->axis->column->has_null ? axis->unit : axis->place[high] - axis->place[low];
    if (axis->axis->kind == COVEY_AXIS_FLAT)
        return axis->unit;
    return (int64_t)((covey_i128)covey_i_axis_loss(axis->axis, low, high) * axis->unit / axis->axis->loss_den);
}

void covey_i_peel_span(uint32_t span[2], const covey_peel_axis *axis, uint32_t low, uint32_t high)
{
    span[0] = low;
    span[1] = high;
    if (low == high)
        return;
    if (axis->span) {
        const uint16_t *s = axis->span + ((size_t)low * axis->n_codes + high) * 2;

        span[0] = s[0];
        span[1] = s[1];
    } else if (axis->axis->kind == COVEY_AXIS_TREE) {
        const covey_node *node =
            &covey_hierarchy_nodes(axis->axis->tree)[covey_hierarchy_lca(axis->axis->tree, low, high)];

        span[0] = node->first_leaf;
        span[1] = node->first_leaf + node->n_leaves - 1;
    } else if (axis->axis->kind == COVEY_AXIS_FLAT) {
        span[0] = 0;
        span[1] = axis->n_codes - 1;
    }
}

static covey_status tabulate(covey_peel_axis *axis, covey_arena *arena, covey_error *err)
{
    const size_t n = axis->n_codes;
    const bool is_tree = axis->axis->kind == COVEY_AXIS_TREE;
    int32_t *loss = covey_arena_array_zero(arena, int32_t, n * n);
    uint16_t *span = is_tree ? covey_arena_array_zero(arena, uint16_t, n * n * 2) : NULL;

    if (!loss || (is_tree && !span))
        return covey_i_no_memory(err);
    for (uint32_t low = 0; low < n; low++)
        for (uint32_t high = low; high < n; high++) {
            uint32_t both[2];

            loss[low * n + high] = (int32_t)llround((double)covey_i_axis_loss(axis->axis, low, high) /
                                                    (double)axis->axis->loss_den * axis->unit);
            if (!is_tree)
                continue;
            covey_i_peel_span(both, axis, low, high);
            span[(low * n + high) * 2] = (uint16_t)both[0];
            span[(low * n + high) * 2 + 1] = (uint16_t)both[1];
        }
    axis->loss = loss;
    axis->span = span;
    return COVEY_OK;
}

static covey_status find_places(covey_peel_axis *axis, covey_arena *arena, covey_error *err)
{
    const covey_column *column = axis->axis->column;
    const uint32_t first = column->has_null ? 1 : 0;
    int32_t *place = covey_arena_array_zero(arena, int32_t, axis->n_codes);

    if (!place)
        return covey_i_no_memory(err);
    for (uint32_t c = first; c < axis->n_codes; c++)
        place[c] = (int32_t)llround((double)(column->number[c] - column->number[first]) / (double)axis->axis->loss_den *
                                    axis->unit);
    axis->place = place;
    return COVEY_OK;
}

/* The index cannot have a group for every number: bins of about as many rows. */
static covey_status find_bins(covey_peel_axis *axis, const covey_peel_table *t, size_t a, covey_arena *arena,
                              covey_error *err)
{
    uint32_t *bin = covey_arena_array(arena, uint32_t, (size_t)axis->n_codes * 2);
    uint32_t *count = covey_arena_array_zero(arena, uint32_t, axis->n_codes);
    uint64_t sum = 0;

    if (!bin || !count)
        return covey_i_no_memory(err);
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        count[covey_i_peel_codes(t, lot)[a]] += covey_i_peel_size(t, lot);
    for (uint32_t first = 0; first < axis->n_codes;) {
        uint32_t last = first;

        sum = count[first];
        if (!(first == 0 && axis->axis->column->has_null)) /* a missing cell is far from everything */
            while (last + 1 < axis->n_codes && (sum + count[last + 1]) * INDEX_BINS <= t->n_rows)
                sum += count[++last];
        for (uint32_t c = first; c <= last; c++) {
            bin[2 * c] = first;
            bin[2 * c + 1] = last;
        }
        first = last + 1;
    }
    axis->bin = bin;
    return COVEY_OK;
}

static const int32_t nothing_lost = 0;

static covey_status prepare_axes(covey_peel_table *t, covey_arena *arena, covey_error *err)
{
    const double scale = COVEY_PEEL_UNIT * (double)(t->n_axes < MOST_WEIGHTED_AXES ? t->n_axes : MOST_WEIGHTED_AXES);

    if (!(t->axis = covey_arena_array_zero(arena, covey_peel_axis, t->width)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < t->n_axes; a++) {
        covey_peel_axis *axis = &t->axis[a];

        axis->axis = &t->problem->axis[a];
        axis->n_codes = axis->axis->n_values;
        axis->unit = (int32_t)llround(covey_ratio_value(axis->axis->weight) * scale);
        if (axis->n_codes <= COVEY_PEEL_MOST_LOSSES)
            COVEY_TRY(tabulate(axis, arena, err));
        else if (axis->axis->kind == COVEY_AXIS_RANGE)
            COVEY_TRY(find_places(axis, arena, err));
        if (axis->axis->kind == COVEY_AXIS_RANGE && axis->n_codes > BINNED_FROM)
            COVEY_TRY(find_bins(axis, t, a, arena, err));
    }
    for (size_t a = t->n_axes; a < t->width; a++)
        t->axis[a] = (covey_peel_axis){.loss = &nothing_lost, .n_codes = 1};
    return COVEY_OK;
}

/* Axes with few codes first: they make few twigs.  The one with the most stays out of a larger index. */
static covey_status choose_index_axes(covey_peel_table *t, covey_arena *arena, covey_error *err)
{
    uint32_t *order = covey_arena_array(arena, uint32_t, t->n_axes);

    if (!order)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < t->n_axes; i++) {
        uint32_t j = i;

        for (; j > 0 && t->axis[order[j - 1]].n_codes > t->axis[i].n_codes; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    t->index_axis = order;
    t->n_index = t->n_axes < 4 ? t->n_axes : t->n_axes - 1;
    if (t->n_index > COVEY_PEEL_MOST_LEVELS)
        t->n_index = COVEY_PEEL_MOST_LEVELS;
    return COVEY_OK;
}

static void read_promises(covey_peel_table *t, uint32_t *used)
{
    const covey_promises *promises = &t->problem->promises;

    t->size_only = t->is_bounded = t->is_hereditary = true;
    t->bounded_view = -1;
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        size_t v = 0;

        if (promise->model->traits & COVEY_MODEL_RANGES) {
            t->has_ranges = true;
            continue;
        }
        t->size_only &= (covey_i_promise_traits(promise) & COVEY_MODEL_CAPS) && !promise->model->bounds;
        t->is_bounded &= (covey_i_promise_traits(promise) & COVEY_MODEL_CAPS) != 0;
        t->is_hereditary &= (promise->model->traits & COVEY_MODEL_HEREDITARY) != 0;
        if (promise->view < 0 || ((covey_i_promise_traits(promise) & COVEY_MODEL_CAPS) && !promise->model->bounds))
            continue;
        t->has_prior |= (promise->model->traits & COVEY_MODEL_PRIOR) != 0;
        if (t->bounded_view < 0 && covey_i_promises_have_bounds(promises, promise->view))
            t->bounded_view = promise->view;
        while (v < t->n_used && used[v] != (uint32_t)promise->view)
            v++;
        if (v == t->n_used)
            used[t->n_used++] = (uint32_t)promise->view;
    }
    t->used = used;
    for (size_t v = 0; v < t->n_used; v++)
        t->judge_work += promises->view[used[v]].prior->n_values / VALUES_PER_WORK;
}

static covey_status hash_kinds(covey_peel_table *t, covey_arena *arena, covey_error *err)
{
    uint64_t *hash = covey_arena_array(arena, uint64_t, t->n_kinds);

    if (!hash)
        return covey_i_no_memory(err);
    for (uint32_t k = 0; k < t->n_kinds; k++)
        hash[k] = covey_i_mix((uint64_t)k + 1, 0xD6E8FEB86659FD93u);
    t->kind_hash = hash;
    return COVEY_OK;
}

covey_status covey_i_peel_table_new(covey_peel_table *t, const covey_problem *problem, int64_t min_size, bool single,
                                    covey_arena *arena, const covey_run *run, covey_error *err)
{
    uint32_t *used = covey_arena_array(arena, uint32_t, problem->promises.n_views);

    *t = (covey_peel_table){.problem = problem,
                            .n_axes = problem->n_axes,
                            .width = (problem->n_axes + COVEY_PEEL_LANES - 1) / COVEY_PEEL_LANES * COVEY_PEEL_LANES};
    if (!used)
        return covey_i_no_memory(err);
    t->min_size = covey_i_promises_min_size(&problem->promises);
    if (min_size > t->min_size)
        t->min_size = min_size;
    read_promises(t, used);
    COVEY_TRY(covey_i_peel_lots_new(t, single || t->bounded_view >= 0, arena, run,
                                    err)); /* serving rare values picks single rows */
    COVEY_TRY(hash_kinds(t, arena, err));
    COVEY_TRY(prepare_axes(t, arena, err));
    COVEY_TRY(covey_i_peel_find_reach(t, arena, err));
    return choose_index_axes(t, arena, err);
}

void covey_i_peel_table_clear(covey_peel_table *t)
{
    covey_i_peel_lots_clear(t);
    covey_i_free(t->row);
    covey_i_free(t->apart);
    covey_i_free(t->apart_start);
    covey_i_free(t->count.key);
    covey_i_free(t->count.of_key);
    *t = (covey_peel_table){0};
}
