/* The table as a grid: rows of one cell become one item with a weight, its codes' ranges and its sensitive values, so
 * that nothing behind this file looks at single rows. */
#include "method/optimal/optimal.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/histogram.h"
#include "table/table_impl.h"

/* Edge number e of an axis, exactly. */
static covey_fraction edge_at(const covey_optimal_axis *axis, uint32_t e)
{
    covey_fraction low, high;

    covey_i_splits_domain(&low, &high, axis->axis);
    return e == 0 ? low : e == axis->n_cells ? high : axis->splits->threshold[e - 1];
}

static covey_fraction difference(covey_fraction a, covey_fraction b)
{
    return covey_i_fraction(a.num * b.den - b.num * a.den, a.den * b.den);
}

/* For each edge the first one that is far enough above. */
static covey_status make_reach(covey_optimal_axis *axis, covey_fraction length, covey_arena *arena, covey_error *err)
{
    uint32_t to = 0;

    if (!(axis->reach = covey_arena_array(arena, uint32_t, axis->n_cells + 1)))
        return covey_i_no_memory(err);
    for (uint32_t from = 0; from <= axis->n_cells; from++) {
        to = to > from ? to : from + 1;
        while (to <= axis->n_cells &&
               covey_i_fraction_compare(difference(edge_at(axis, to), edge_at(axis, from)), length) < 0)
            to++;
        axis->reach[from] = to < axis->n_cells + 1 ? to : axis->n_cells + 1;
    }
    return COVEY_OK;
}

/* Is a promise about the regions on this axis? */
static bool is_judged(const covey_optimal_grid *g, size_t a)
{
    const covey_promises *promises = &g->problem->promises;
    bool any = false;

    for (size_t i = 0; g->options->judges_regions && i < promises->n; i++)
        any |= promises->promise[i].quasi == (int)a;
    return any;
}

static covey_status make_axis(covey_optimal_grid *g, size_t a, const covey_axis_splits *splits,
                              const covey_fraction *min_length, covey_error *err)
{
    covey_optimal_axis *axis = &g->axis[a];
    covey_fraction low, high;

    axis->axis = &g->problem->axis[a];
    axis->splits = splits;
    axis->n_cells = splits->n + 1;
    axis->first = g->n_cells;
    axis->weight = (double)g->d * covey_ratio_value(axis->axis->weight);
    axis->is_geometric =
        g->options->cost == COVEY_OPT_NCP_BOX || (min_length && min_length[a].num > 0) || is_judged(g, a);
    g->has_edges |= axis->is_geometric;
    axis->cell_of = covey_arena_array(g->arena, uint32_t, axis->axis->n_values);
    axis->edge = covey_arena_array(g->arena, double, axis->n_cells + 1);
    if (!axis->cell_of || !axis->edge)
        return covey_i_no_memory(err);
    for (uint32_t v = 0, cell = 0; v < axis->axis->n_values; v++) {
        while (cell < splits->n && v >= splits->n_left[cell])
            cell++;
        axis->cell_of[v] = cell;
    }
    covey_i_splits_domain(&low, &high, axis->axis);
    for (uint32_t e = 0; e <= axis->n_cells; e++)
        axis->edge[e] = high.num > low.num ? covey_i_fraction_value(difference(edge_at(axis, e), low)) /
                                                 covey_i_fraction_value(difference(high, low))
                                           : 0;
    g->n_cells += axis->n_cells;
    if (!min_length || min_length[a].num <= 0)
        return COVEY_OK;
    return make_reach(axis, min_length[a], g->arena, err);
}

/* Items by their cells: an open hash of item numbers. */
struct index {
    uint32_t *slot; /* UINT32_MAX: empty */
    size_t mask;    /* slots - 1: with 2^31 rows and more beyond 32 bits */
};

static uint64_t hash_lanes(const int16_t *lane, size_t d)
{
    uint64_t h = 1469598103934665603u;

    for (size_t a = 0; a < d; a++)
        h = (h ^ (uint16_t)lane[a]) * 1099511628211u, h ^= h >> 29;
    return h ^ h >> 32;
}

/* The item of these cells, added if it is new. */
static uint32_t find_item(covey_optimal_grid *g, struct index *index, const int16_t *lane)
{
    size_t at = hash_lanes(lane, g->d) & index->mask;

    for (; index->slot[at] != UINT32_MAX; at = (at + 1) & index->mask)
        if (memcmp(g->lane + (size_t)index->slot[at] * g->stride, lane, g->d * sizeof *lane) == 0)
            return index->slot[at];
    index->slot[at] = g->n_items;
    memcpy(g->lane + (size_t)g->n_items * g->stride, lane, g->stride * sizeof *lane);
    for (size_t a = 0; a < g->d; a++) {
        g->low[(size_t)g->n_items * g->d + a] = UINT32_MAX;
        g->high[(size_t)g->n_items * g->d + a] = 0;
    }
    g->weight[g->n_items] = 0;
    return g->n_items++;
}

static covey_status make_items(covey_optimal_grid *g, const uint32_t *rows, covey_error *err)
{
    const size_t d = g->d;
    struct index index = {.mask = 1};
    int16_t *lane = covey_arena_array_zero(g->arena, int16_t, g->stride);
    covey_optimal_axis *const axis = g->axis;

    while (index.mask < 2 * (size_t)g->n_rows)
        index.mask = index.mask * 2 + 1;
    index.slot = covey_arena_array(g->arena, uint32_t, index.mask + 1);
    g->lane = covey_arena_array(g->arena, int16_t, (size_t)g->n_rows * g->stride);
    g->weight = covey_arena_array(g->arena, uint32_t, g->n_rows);
    g->low = covey_arena_array(g->arena, uint32_t, g->n_rows * d);
    g->high = covey_arena_array(g->arena, uint32_t, g->n_rows * d);
    g->item_of_row = covey_arena_array(g->arena, uint32_t, g->problem->n_rows);
    if (!lane || !index.slot || !g->lane || !g->weight || !g->low || !g->high || !g->item_of_row)
        return covey_i_no_memory(err);
    memset(index.slot, 0xff, (index.mask + 1) * sizeof *index.slot);
    memset(g->item_of_row, 0xff, g->problem->n_rows * sizeof *g->item_of_row);
    for (uint32_t i = 0; i < g->n_rows; i++) {
        uint32_t item;

        for (size_t a = 0; a < d; a++) {
            lane[a] = (int16_t)axis[a].cell_of[covey_i_code(axis[a].axis->column, rows[i])];
            lane[d + a] = (int16_t)-lane[a];
        }
        item = find_item(g, &index, lane);
        g->item_of_row[rows[i]] = item;
        g->weight[item]++;
        for (size_t a = 0; a < d; a++) {
            const uint32_t code = covey_i_code(axis[a].axis->column, rows[i]);
            uint32_t *low = &g->low[item * d + a], *high = &g->high[item * d + a];

            *low = code < *low ? code : *low;
            *high = code > *high ? code : *high;
        }
    }
    return COVEY_OK;
}

/* Counts of a view's values in each item; rows sorted by item. */
static covey_status make_view(covey_optimal_grid *g, size_t v, const covey_column *column, const uint32_t *by_item,
                              const uint32_t *item_start, covey_error *err)
{
    uint32_t *value = covey_arena_array(g->arena, uint32_t, g->n_rows),
             *count = covey_arena_array(g->arena, uint32_t, g->n_rows);
    uint32_t *start = covey_arena_array(g->arena, uint32_t, (size_t)g->n_items + 1), n = 0;
    uint32_t *place = covey_arena_array(g->arena, uint32_t, column->n_values); /* of a value in the item's list */

    if (!value || !count || !start || !place)
        return covey_i_no_memory(err);
    memset(place, 0xff, column->n_values * sizeof *place);
    for (uint32_t i = 0; i < g->n_items; i++) {
        start[i] = n;
        for (uint32_t r = item_start[i]; r < item_start[i + 1]; r++) {
            const uint32_t code = covey_i_code(column, by_item[r]);

            if (place[code] == UINT32_MAX || place[code] < start[i]) {
                place[code] = n;
                value[n] = code;
                count[n++] = 0;
            }
            count[place[code]]++;
        }
    }
    start[g->n_items] = n;
    g->view_start[v] = start;
    g->view_value[v] = value;
    g->view_count[v] = count;
    return COVEY_OK;
}

static covey_status make_views(covey_optimal_grid *g, const uint32_t *rows, const covey_column *label, covey_error *err)
{
    const covey_promises *promises = &g->problem->promises;
    uint32_t *by_item = covey_arena_array(g->arena, uint32_t, g->n_rows),
             *at = covey_arena_array_zero(g->arena, uint32_t, (size_t)g->n_items + 2);

    g->n_views = promises->n_views + (label != NULL);
    g->view_start = covey_arena_array(g->arena, uint32_t *, g->n_views);
    g->view_value = covey_arena_array(g->arena, uint32_t *, g->n_views);
    g->view_count = covey_arena_array(g->arena, uint32_t *, g->n_views);
    if (!by_item || !at || !g->view_start || !g->view_value || !g->view_count)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < g->n_items; i++)
        at[i + 2] = at[i + 1] + g->weight[i];
    for (uint32_t r = 0; r < g->n_rows; r++)
        by_item[at[g->item_of_row[rows[r]] + 1]++] = rows[r];
    for (size_t v = 0; v < promises->n_views; v++)
        COVEY_TRY(make_view(g, v, promises->view[v].column, by_item, at, err));
    g->n_labels = label ? label->n_values : 0;
    return label ? make_view(g, promises->n_views, label, by_item, at, err) : COVEY_OK;
}

const covey_column *covey_i_optimal_label(size_t *n, const covey_problem *problem, const char *wish)
{
    const covey_column *found = NULL;

    *n = 0;
    for (size_t f = 0; f < problem->n_fields; f++)
        if (wish ? strcmp(problem->field[f].column->name, wish) == 0 : problem->field[f].role == COVEY_ROLE_SENSITIVE) {
            found = problem->field[f].column;
            ++*n;
        }
    return found;
}

/* The column that costs on labels are about. */
static covey_status find_label(const covey_column **out, const covey_optimal_grid *g, covey_error *err)
{
    const char *wish = g->options->label;
    size_t n;

    *out = NULL;
    if (g->options->cost != COVEY_OPT_CLASS_ERROR && g->options->cost != COVEY_OPT_CLASS_ENTROPY)
        return COVEY_OK;
    *out = covey_i_optimal_label(&n, g->problem, wish);
    if (n == 1)
        return COVEY_OK;
    if (wish)
        return covey_i_refuse_param(err, "label",
                                    "method optimal-partition: label: no published column is called \"%s\"", wish);
    return covey_i_refuse_param(err, "cost",
                                "method optimal-partition: cost %s needs a label attribute: name a published column, "
                                "as in label: income",
                                covey_i_optimal_cost_names[g->options->cost]);
}

/* Which models there are is not our business; what may be relied on is. */
static void read_promises(covey_optimal_grid *g)
{
    const covey_promises *promises = &g->problem->promises;

    g->k = covey_i_promises_min_size(promises);
    g->least_cut = g->options->suppress || g->tries_empty ? g->k : 2 * g->k;
    g->fails_for_good = promises->n == 0 || (covey_i_promises_all_traits(promises) & COVEY_MODEL_UNION_CLOSED);
    g->size_only = true;
    for (size_t i = 0; i < promises->n; i++)
        g->size_only = g->size_only && (promises->promise[i].model->traits & COVEY_MODEL_CAPS) &&
                       !promises->promise[i].model->bounds;
}

static covey_status make_key(covey_optimal_grid *g, covey_error *err)
{
    uint32_t used = 0, words = 1;

    if (!(g->key_shift = covey_arena_array(g->arena, uint32_t, g->d)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < g->d; a++) {
        uint32_t bits = 1;

        while (g->axis[a].n_cells + 1 > 1u << bits)
            bits++;
        g->key_shift[a] = bits;
        if (used + 2 * bits > 64) { /* as covey_i_optimal_key packs them */
            words++;
            used = 0;
        }
        used += 2 * bits;
    }
    g->key_words = words;
    if (words > COVEY_OPT_MOST_KEY_WORDS)
        return covey_fail(err, COVEY_EINVAL, "method optimal-partition: %zu quasi-identifiers are too many", g->d);
    return COVEY_OK;
}

covey_status covey_i_optimal_grid_new(covey_optimal_grid *g, const covey_problem *problem,
                                      const covey_axis_splits *splits, const covey_fraction *min_length,
                                      const uint32_t *rows, uint32_t n_rows, const covey_optimal_options *options,
                                      covey_arena *arena, covey_error *err)
{
    const covey_column *label;

    *g = (covey_optimal_grid){
        .problem = problem, .options = options, .arena = arena, .d = problem->n_axes, .n_rows = n_rows};
    g->stride = (uint32_t)(2 * g->d + 7) / 8 * 8;
    if (n_rows > INT32_MAX)
        return covey_fail(err, COVEY_EINVAL, "method optimal-partition: the table has %u rows; %d are the most", n_rows,
                          INT32_MAX);
    if (!(g->axis = covey_arena_array_zero(arena, covey_optimal_axis, g->d)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < g->d; a++)
        COVEY_TRY(make_axis(g, a, &splits[a], min_length, err));
    g->tries_empty = options->cost == COVEY_OPT_NCP_BOX;
    read_promises(g);
    COVEY_TRY(find_label(&label, g, err));
    COVEY_TRY(make_items(g, rows, err));
    COVEY_TRY(make_views(g, rows, label, err));
    COVEY_TRY(make_key(g, err));
    return covey_i_optimal_cost_init(g, err);
}
