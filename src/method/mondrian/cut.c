/* Where Mondrian cuts a set of cells: the widest quasi-identifier at its median (or at the splits that are given), if
 * both sides keep every promise. Source: [LeFevre06]; order, ties and cuts as in docs/references.md under Mondrian;
 * `cuts: 3` is ours. */
#include "method/mondrian/cut.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"

/* One attribute of the set that is being cut. */
struct extent {
    size_t axis;
    uint32_t low, high;
    int64_t width, domain; /* width / domain: relative to the whole domain */
};

/* The different values of an attribute in a set, ascending, and the rows that have them. */
struct tallied {
    uint32_t n, *code, *n_rows;
};

struct covey_mondrian_worker {
    const covey_problem *problem;
    const covey_mondrian_params *params;
    const covey_axis_splits *splits;
    const covey_row_cells *cells;
    int64_t min_size;  /* of a side */
    bool size_decides; /* no promise looks at more than the size of a class */
    covey_arena *arena;
    struct extent *extent; /* [n_axes] */
    uint32_t *low, *high;  /* [n_axes] */
    covey_tally left, right;
    covey_mondrian_place place; /* of the last cut */
    const covey_fraction *min_length;
    const covey_shown_codes *shown;
    bool judges_regions;
    const covey_mondrian_region *region; /* of the set that is being cut; NULL: nobody asks */
    uint32_t *side[4];                   /* [n_axes] low and high of the left side's region, then of the right one's */
};

covey_status covey_i_mondrian_worker_new(covey_mondrian_worker **out, const covey_mondrian *m, covey_arena *arena,
                                         covey_error *err)
{
    const covey_promises *promises = &m->problem->promises;
    covey_mondrian_worker *w = covey_arena_array_zero(arena, covey_mondrian_worker, 1);

    if (!w)
        return covey_i_no_memory(err);
    w->problem = m->problem;
    w->params = m->params;
    w->splits = m->splits;
    w->cells = &m->cells;
    w->min_size = covey_i_promises_min_size(promises);
    w->min_length = m->min_length;
    w->shown = &m->shown;
    w->judges_regions = m->judges_regions;
    for (size_t i = 0; i < 4; i++)
        if (!(w->side[i] = covey_arena_array(arena, uint32_t, m->problem->n_axes)))
            return covey_i_no_memory(err);
    w->arena = arena;
    w->extent = covey_arena_array(arena, struct extent, m->problem->n_axes);
    w->low = covey_arena_array(arena, uint32_t, m->problem->n_axes);
    w->high = covey_arena_array(arena, uint32_t, m->problem->n_axes);
    if (!w->extent || !w->low || !w->high)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&w->left, promises, arena, err));
    COVEY_TRY(covey_i_tally_new(&w->right, promises, arena, err));
    w->left.has_ranges = w->right.has_ranges = w->left.has_ranges || m->params->cuts == 1; /* for loss_of_sides */
    w->size_decides = promises->n_views == 0 && !w->left.has_ranges;
    *out = w;
    return COVEY_OK;
}

static bool is_narrower(const struct extent *a, const struct extent *b)
{
    return (covey_i128)a->width * b->domain < (covey_i128)b->width * a->domain;
}

/* Widest first, ties to the attribute that comes first. */
static void sort_extents(struct extent *extent, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct extent e = extent[i];
        size_t j = i;

        for (; j > 0 && is_narrower(&extent[j - 1], &e); j--)
            extent[j] = extent[j - 1];
        extent[j] = e;
    }
}

static void find_extents(covey_mondrian_worker *w, const uint32_t *cell, uint32_t n)
{
    covey_i_row_cells_range(w->low, w->high, w->cells, w->problem->n_axes, cell, n);
    for (size_t a = 0; a < w->problem->n_axes; a++) {
        struct extent *e = &w->extent[a];

        *e = (struct extent){.axis = a, .low = w->low[a], .high = w->high[a]};
        covey_i_axis_extent_terms(&e->width, &e->domain, &w->problem->axis[a], e->low, e->high);
    }
    sort_extents(w->extent, w->problem->n_axes);
}

static int64_t rows_of(const covey_mondrian_worker *w, const uint32_t *cell, uint32_t n)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += covey_i_row_cells_size(w->cells, cell[i]);
    return sum;
}

/* Few values in a large domain: sorted instead of counted. */
static covey_status tally_by_sorting(struct tallied *out, covey_mondrian_worker *w, const struct extent *e,
                                     const uint32_t *cell, uint32_t n, covey_error *err)
{
    uint64_t *key = covey_arena_array(w->arena, uint64_t, n), *scratch = covey_arena_array(w->arena, uint64_t, n);

    if (!key || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        key[i] = (uint64_t)covey_i_row_cells_code(&w->cells->axis[e->axis], cell[i]) << 32 |
                 covey_i_row_cells_size(w->cells, cell[i]);
    covey_i_sort_u64(key, scratch, n, 64);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = (uint32_t)(key[i] >> 32);

        if (out->n == 0 || out->code[out->n - 1] != code) {
            out->code[out->n] = code;
            out->n_rows[out->n++] = 0;
        }
        out->n_rows[out->n - 1] += (uint32_t)key[i];
    }
    return COVEY_OK;
}

static covey_status tally_by_counting(struct tallied *out, covey_mondrian_worker *w, const struct extent *e,
                                      const uint32_t *cell, uint32_t n, covey_error *err)
{
    const uint32_t n_codes = e->high - e->low + 1;
    uint32_t *count = covey_arena_array_zero(w->arena, uint32_t, n_codes);

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        count[covey_i_row_cells_code(&w->cells->axis[e->axis], cell[i]) - e->low] +=
            covey_i_row_cells_size(w->cells, cell[i]);
    for (uint32_t c = 0; c < n_codes; c++)
        if (count[c]) {
            out->code[out->n] = e->low + c;
            out->n_rows[out->n++] = count[c];
        }
    return COVEY_OK;
}

static covey_status tally_values(struct tallied *out, covey_mondrian_worker *w, const struct extent *e,
                                 const uint32_t *cell, uint32_t n, covey_error *err)
{
    const uint64_t n_codes = (uint64_t)e->high - e->low + 1;
    const uint32_t most = n_codes < n ? (uint32_t)n_codes : n;

    *out =
        (struct tallied){0, covey_arena_array(w->arena, uint32_t, most), covey_arena_array(w->arena, uint32_t, most)};
    if (!out->code || !out->n_rows)
        return covey_i_no_memory(err);
    return (n_codes > 4 * (uint64_t)n ? tally_by_sorting : tally_by_counting)(out, w, e, cell, n, err);
}

/* The threshold at a quantile: the place of the value of sorted row number ceil(part * n_rows / parts); of the largest
 * smaller one if that is the maximum.  Rows with that value or a smaller one go left.  There are two values at least.
 */
static uint32_t threshold_at(const struct tallied *values, int64_t n_rows, uint32_t part, uint32_t parts)
{
    const uint64_t rank = ((uint64_t)n_rows * part + parts - 1) / parts;
    uint64_t below = 0;
    uint32_t i = 0;

    for (; i + 1 < values->n; i++)
        if ((below += values->n_rows[i]) >= rank)
            return i;
    return values->n - 2;
}

/* --- boxes --- */

/* Where an edge lies, by its name: a split's number and one more, or that of the last code that goes left. */
static covey_fraction edge_at(const covey_mondrian_worker *w, size_t a, uint32_t name)
{
    const covey_axis *axis = &w->problem->axis[a];
    const uint32_t code = name - 1;
    covey_fraction low, high;

    covey_i_splits_domain(&low, &high, axis);
    if (name == 0 || name == UINT32_MAX)
        return name == 0 ? low : high;
    if (w->splits)
        return w->splits[a].threshold[code];
    if (axis->column->has_null && code == 0) /* before all numbers */
        return low;
    return axis->kind == COVEY_AXIS_RANGE ? (covey_fraction){axis->column->number[code], 1}
                                          : covey_i_fraction(2 * (covey_i128)code + 1, 2);
}

/* Do both boxes keep the least width if the box is cut there? */
static bool boxes_are_long(const covey_mondrian_worker *w, size_t a, uint32_t edge)
{
    covey_fraction at;

    if (!w->min_length || w->min_length[a].num == 0)
        return true;
    at = edge_at(w, a, edge);
    return covey_i_splits_is_long(edge_at(w, a, w->region->low_edge[a]), at, w->min_length[a]) &&
           covey_i_splits_is_long(at, edge_at(w, a, w->region->high_edge[a]), w->min_length[a]);
}

/* Does the set with the region keep every promise, as it would be published? */
static bool region_is_admitted(const covey_mondrian_worker *w, const covey_tally *tally, uint32_t *low, uint32_t *high)
{
    covey_tally published = *tally;

    for (size_t a = 0; a < w->problem->n_axes; a++)
        covey_i_shown_codes_shrink(&low[a], &high[a], w->shown, a);
    published.low = low;
    published.high = high;
    return covey_i_promises_admit(&w->problem->promises, &published);
}

/* Do the sides that the tallies hold keep every promise if the set is cut there? */
static bool tallies_are_admitted(covey_mondrian_worker *w, const covey_mondrian_place *place)
{
    const size_t size = w->problem->n_axes * sizeof **w->side;

    if (!w->judges_regions)
        return covey_i_promises_admit(&w->problem->promises, &w->left) &&
               covey_i_promises_admit(&w->problem->promises, &w->right);
    for (size_t i = 0; i < 4; i++)
        memcpy(w->side[i], i % 2 ? w->region->high : w->region->low, size);
    w->side[1][place->axis] = place->left_high;
    w->side[2][place->axis] = place->right_low;
    return region_is_admitted(w, &w->left, w->side[0], w->side[1]) &&
           region_is_admitted(w, &w->right, w->side[2], w->side[3]);
}

/* Tells whether both sides of "code <= threshold goes left" keep every promise; fills the tallies where that needs
 * them. */
static bool sides_are_admitted(covey_mondrian_worker *w, const struct extent *e, uint32_t threshold,
                               const uint32_t *cell, uint32_t n, int64_t n_rows, int64_t n_left)
{
    const covey_row_cell_codes *codes = &w->cells->axis[e->axis];

    if (n_left < w->min_size || n_rows - n_left < w->min_size)
        return false;
    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    w->left.size = n_left;
    w->right.size = n_rows - n_left;
    if (!w->size_decides) {
        w->left.size = w->right.size = 0;
        for (uint32_t i = 0; i < n; i++)
            covey_i_row_cells_tally(covey_i_row_cells_code(codes, cell[i]) <= threshold ? &w->left : &w->right,
                                    w->cells, cell[i]);
    }
    return tallies_are_admitted(w, &(covey_mondrian_place){e->axis, threshold, threshold + 1, 0});
}

/* Weighted loss of both sides, for comparing thresholds; ties are broken by the caller's order. */
static double loss_of_sides(const covey_mondrian_worker *w)
{
    double sum = 0;

    for (size_t a = 0; a < w->problem->n_axes; a++) {
        const covey_axis *axis = &w->problem->axis[a];
        double weight = covey_ratio_value(axis->weight) / (double)axis->loss_den;

        sum += weight * ((double)covey_i_axis_loss(axis, w->left.low[a], w->left.high[a]) * (double)w->left.size +
                         (double)covey_i_axis_loss(axis, w->right.low[a], w->right.high[a]) * (double)w->right.size);
    }
    return sum;
}

/* Stable partition. */
static covey_status move_cells(uint32_t *n_left, covey_mondrian_worker *w, const struct extent *e, uint32_t threshold,
                               uint32_t edge, uint32_t *cell, uint32_t n, covey_error *err)
{
    const covey_row_cell_codes *codes = &w->cells->axis[e->axis];
    uint32_t *right = covey_arena_array(w->arena, uint32_t, n);
    uint32_t l = 0, r = 0;

    if (!right)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const bool goes_left = covey_i_row_cells_code(codes, cell[i]) <= threshold;
        const uint32_t c = cell[i];

        cell[l] = c;
        right[r] = c;
        l += goes_left;
        r += !goes_left;
    }
    memcpy(cell + l, right, r * sizeof *right);
    *n_left = l;
    w->place = (covey_mondrian_place){e->axis, threshold, threshold + 1, edge};
    return COVEY_OK;
}

static int64_t rows_up_to(const struct tallied *values, uint32_t place)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i <= place; i++)
        sum += values->n_rows[i];
    return sum;
}

static covey_status cut_strictly(uint32_t *n_left, covey_mondrian_worker *w, const struct extent *e, uint32_t *cell,
                                 uint32_t n, int64_t n_rows, covey_error *err)
{
    static const uint32_t part[3] = {2, 1, 3}; /* of 4: the median first, so that ties go to it */
    uint32_t place[7], best = 0;
    struct tallied values;
    size_t n_places = 0;
    double best_loss = 0;
    bool found = false;

    COVEY_TRY(tally_values(&values, w, e, cell, n, err));
    if (e->low == 0 && w->problem->axis[e->axis].column->has_null)
        place[n_places++] = 0;
    for (size_t i = 0; i < (w->params->cuts == 1 ? 3 : 1); i++) {
        place[n_places++] = threshold_at(&values, n_rows, part[i], 4);
        if (w->params->cuts == 1 && place[n_places - 1] > 0) { /* on both sides of the quantile's value */
            place[n_places] = place[n_places - 1] - 1;
            n_places++;
        }
    }
    for (size_t i = 0; i < n_places; i++) {
        const uint32_t threshold = values.code[place[i]];
        double loss = 0;

        if ((i > 0 && place[i] == place[0]) || !boxes_are_long(w, e->axis, threshold + 1) ||
            !sides_are_admitted(w, e, threshold, cell, n, n_rows, rows_up_to(&values, place[i])))
            continue;
        if (w->params->cuts == 1)
            loss = loss_of_sides(w);
        if (found && loss >= best_loss)
            continue;
        found = true;
        best = threshold;
        best_loss = loss;
        if (w->params->cuts == 0)
            break;
    }
    return found ? move_cells(n_left, w, e, best, best + 1, cell, n, err) : COVEY_OK;
}

/* Among the splits of the attribute that leave rows on both sides the most balanced one, ties to the smaller threshold.
 */
static covey_status cut_at_splits(uint32_t *n_left, covey_mondrian_worker *w, const struct extent *e, uint32_t *cell,
                                  uint32_t n, int64_t n_rows, covey_error *err)
{
    const covey_axis_splits *splits = &w->splits[e->axis];
    uint32_t first = 0, end = splits->n, i = 0, best = UINT32_MAX, edge = 0;
    int64_t left = 0, best_left = 0, best_gap = INT64_MAX;
    struct tallied values;

    COVEY_TRY(tally_values(&values, w, e, cell, n, err));
    while (first < splits->n && splits->n_left[first] <= e->low)
        first++;
    while (end > first && splits->n_left[end - 1] > e->high)
        end--;
    for (uint32_t s = first; s < end; s++) {
        int64_t gap;

        for (; i < values.n && values.code[i] < splits->n_left[s]; i++)
            left += values.n_rows[i];
        gap = 2 * left > n_rows ? 2 * left - n_rows : n_rows - 2 * left;
        if (gap < best_gap && covey_i_splits_allow(splits, first, end, s) && boxes_are_long(w, e->axis, s + 1)) {
            edge = s + 1;
            best_gap = gap;
            best_left = left;
            best = splits->n_left[s] - 1;
        }
    }
    if (best == UINT32_MAX || !sides_are_admitted(w, e, best, cell, n, n_rows, best_left))
        return COVEY_OK;
    return move_cells(n_left, w, e, best, edge, cell, n, err);
}

/* The rows are halved in the order of the attribute (equal values in the order they stand in); equal values may be
 * separated, so every cell is one row. */
static covey_status cut_relaxed(uint32_t *n_left, covey_mondrian_worker *w, const struct extent *e, uint32_t *cell,
                                uint32_t n, int64_t n_rows, covey_error *err)
{
    const covey_row_cell_codes *codes = &w->cells->axis[e->axis];
    const uint32_t half = n - n / 2;
    uint32_t *sorted = covey_arena_array(w->arena, uint32_t, n);
    uint64_t *key = covey_arena_array(w->arena, uint64_t, n), *scratch = covey_arena_array(w->arena, uint64_t, n);
    covey_mondrian_place place;

    if (!sorted || !key || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        key[i] = (uint64_t)covey_i_row_cells_code(codes, cell[i]) << 32 | i;
    covey_i_sort_u64(key, scratch, n, 64);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = cell[(uint32_t)key[i]];
    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    for (uint32_t i = 0; i < n; i++)
        covey_i_row_cells_tally(i < half ? &w->left : &w->right, w->cells, sorted[i]);
    place = (covey_mondrian_place){e->axis, covey_i_row_cells_code(codes, sorted[half - 1]),
                                   covey_i_row_cells_code(codes, sorted[half]), 0};
    place.edge = place.left_high + 1;
    if (place.right_low > place.left_high)
        place.right_low = place.left_high + 1;
    if (!boxes_are_long(w, e->axis, place.edge) || !tallies_are_admitted(w, &place))
        return COVEY_OK;
    memcpy(cell, sorted, n * sizeof *cell);
    *n_left = half;
    w->place = place;
    return COVEY_OK;
}

covey_status covey_i_mondrian_cut(uint32_t *n_left, covey_mondrian_place *place, covey_mondrian_worker *w,
                                  uint32_t *cell, uint32_t n, const covey_mondrian_region *region, covey_error *err)
{
    covey_arena_mark mark = covey_arena_save(w->arena);
    const int64_t n_rows = rows_of(w, cell, n);
    covey_status status = COVEY_OK;

    *n_left = 0;
    w->region = region;
    if (n < 2 || n_rows / 2 < w->min_size)
        return COVEY_OK;
    find_extents(w, cell, n);
    for (size_t i = 0;
         i < w->problem->n_axes && *n_left == 0 && status == COVEY_OK && w->extent[i].low < w->extent[i].high; i++) {
        status = (w->splits             ? cut_at_splits
                  : w->params->cut == 0 ? cut_strictly
                                        : cut_relaxed)(n_left, w, &w->extent[i], cell, n, n_rows, err);
        covey_arena_rewind(w->arena, mark);
    }
    *place = w->place;
    return status;
}
