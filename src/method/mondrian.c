/* Mondrian: greedy multidimensional partitioning.  The widest quasi-identifier is cut at its median as long as both halves
 * keep every promise.
 * Source: [LeFevre06]; order, ties and cuts as in docs/references.md under Mondrian; `cuts: 3` is ours. */
#include "method/cutting.h"
#include "method/mondrian.h"
#include "method/splits.h"

#include <stddef.h>
#include <string.h>

#include "table/table_impl.h"

struct mondrian_params {
    covey_class_params common; /* first */
    int cut;                   /* 0 strict, 1 relaxed */
    int cuts;                  /* 0: at the median; 1: at it and the quartiles, the cheapest allowed one wins */
    const char *splits;        /* NULL: between any two values */
};

/* What all workers share. */
struct mondrian_context {
    const covey_problem *problem;
    const struct mondrian_params *params;
    const covey_axis_splits *splits; /* [n_axes], NULL: anywhere */
};

/* One attribute of the set that is being cut. */
struct extent {
    size_t axis;
    uint32_t low, high;
    covey_fraction width; /* relative to the whole domain */
};

struct worker {
    const covey_problem *problem;
    const struct mondrian_params *params;
    const covey_axis_splits *splits;
    covey_arena *arena;
    struct extent *extent;      /* [n_axes] */
    covey_tally left, right;
    covey_cut_place place;      /* of the last cut */
};

static covey_status start(void *worker, const void *context, covey_arena *arena, covey_error *err)
{
    const struct mondrian_context *c = context;
    struct worker *w = worker;

    w->problem = c->problem;
    w->params = c->params;
    w->splits = c->splits;
    w->arena = arena;
    if (!(w->extent = covey_arena_array(arena, struct extent, c->problem->n_axes)))
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    COVEY_TRY(covey_i_tally_new(&w->left, &c->problem->promises, arena, err));
    COVEY_TRY(covey_i_tally_new(&w->right, &c->problem->promises, arena, err));
    w->left.has_ranges = w->right.has_ranges = true;
    return COVEY_OK;
}

/* Extent of a set on an axis: (max - min) / (U - L) for numbers, (last - first leaf) / (leaves - 1) for categories; missing cells
 * beside others count as the whole domain, so that they are cut off first. */
static covey_fraction width_of(const covey_axis *axis, uint32_t low, uint32_t high)
{
    if (low == high)
        return (covey_fraction){0, 1};
    if (axis->column->has_null && low == 0)
        return (covey_fraction){1, 1};
    if (axis->kind == COVEY_AXIS_RANGE)
        return covey_i_fraction(covey_i_axis_loss(axis, low, high), axis->loss_den);
    return covey_i_fraction((covey_i128)high - low, axis->n_values - 1);
}

/* Widest first, ties to the attribute that comes first. */
static void sort_extents(struct extent *extent, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct extent e = extent[i];
        size_t j = i;

        for (; j > 0 && covey_i_fraction_compare(extent[j - 1].width, e.width) < 0; j--)
            extent[j] = extent[j - 1];
        extent[j] = e;
    }
}

static void find_extents(struct worker *w, const uint32_t *rows, uint32_t n)
{
    for (size_t a = 0; a < w->problem->n_axes; a++) {
        const covey_axis *axis = &w->problem->axis[a];
        uint32_t low = UINT32_MAX, high = 0;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t code = covey_column_code(axis->column, rows[i]);

            low = code < low ? code : low;
            high = code > high ? code : high;
        }
        w->extent[a] = (struct extent){a, low, high, width_of(axis, low, high)};
    }
    sort_extents(w->extent, w->problem->n_axes);
}

/* Rows per code low .. high. */
static covey_status count_codes(uint32_t **out, struct worker *w, const struct extent *e, const uint32_t *rows, uint32_t n, covey_error *err)
{
    const covey_column *column = w->problem->axis[e->axis].column;
    uint32_t *count = covey_arena_array_zero(w->arena, uint32_t, (size_t)e->high - e->low + 1);

    if (!count)
        return covey_fail(err, COVEY_ENOMEM, "values of column \"%s\"", column->name);
    for (uint32_t i = 0; i < n; i++)
        count[covey_column_code(column, rows[i]) - e->low]++;
    *out = count;
    return COVEY_OK;
}

/* The threshold at a quantile: the value of sorted row number ceil(part * n / parts); the largest smaller value if that is the
 * maximum.  Rows with code <= threshold go left. */
static uint32_t threshold_at(const uint32_t *count, const struct extent *e, uint32_t n, uint32_t part, uint32_t parts)
{
    uint64_t rank = ((uint64_t)n * part + parts - 1) / parts, below = 0;
    uint32_t code = e->low, previous = e->low;

    for (; code < e->high; code++) {
        if (!count[code - e->low])
            continue;
        below += count[code - e->low];
        if (below >= rank)
            return code;
        previous = code;
    }
    return previous;
}

/* The largest value below one that is not the lowest. */
static uint32_t value_below(const uint32_t *count, const struct extent *e, uint32_t code)
{
    do
        code--;
    while (count[code - e->low] == 0);
    return code;
}

/* Fills both sides' tallies for "code <= threshold goes left" and tells whether both keep every promise. */
static bool sides_are_admitted(struct worker *w, const struct extent *e, uint32_t threshold, const uint32_t *rows, uint32_t n)
{
    const covey_column *column = w->problem->axis[e->axis].column;

    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    for (uint32_t i = 0; i < n; i++)
        covey_i_tally_add(covey_column_code(column, rows[i]) <= threshold ? &w->left : &w->right, &w->problem->promises, rows[i]);
    return covey_i_promises_admit(&w->problem->promises, &w->left) && covey_i_promises_admit(&w->problem->promises, &w->right);
}

/* Weighted loss of both sides, for comparing thresholds; ties are broken by the caller's order. */
static double loss_of_sides(const struct worker *w)
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
static covey_status move_rows(uint32_t *n_left, struct worker *w, const struct extent *e, uint32_t threshold, uint32_t *rows, uint32_t n, covey_error *err)
{
    const covey_column *column = w->problem->axis[e->axis].column;
    uint32_t *right = covey_arena_array(w->arena, uint32_t, n);
    uint32_t l = 0, r = 0;

    if (!right)
        return covey_fail(err, COVEY_ENOMEM, "%u rows", n);
    for (uint32_t i = 0; i < n; i++)
        if (covey_column_code(column, rows[i]) <= threshold)
            rows[l++] = rows[i];
        else
            right[r++] = rows[i];
    memcpy(rows + l, right, r * sizeof *right);
    *n_left = l;
    return COVEY_OK;
}

static covey_status cut_strictly(uint32_t *n_left, struct worker *w, const struct extent *e, uint32_t *rows, uint32_t n, covey_error *err)
{
    static const uint32_t part[3] = {2, 1, 3}; /* of 4: the median first, so that ties go to it */
    uint32_t *count, threshold[7], best = 0;
    size_t n_thresholds = 0;
    double best_loss = 0;
    bool found = false;

    COVEY_TRY(count_codes(&count, w, e, rows, n, err));
    if (e->low == 0 && w->problem->axis[e->axis].column->has_null)
        threshold[n_thresholds++] = 0;
    for (size_t i = 0; i < (w->params->cuts == 1 ? 3 : 1); i++) {
        threshold[n_thresholds++] = threshold_at(count, e, n, part[i], 4);
        if (w->params->cuts == 1 && threshold[n_thresholds - 1] > e->low) { /* on both sides of the quantile's value */
            threshold[n_thresholds] = value_below(count, e, threshold[n_thresholds - 1]);
            n_thresholds++;
        }
    }
    for (size_t i = 0; i < n_thresholds; i++) {
        double loss;

        if ((i > 0 && threshold[i] == threshold[0]) || !sides_are_admitted(w, e, threshold[i], rows, n))
            continue;
        loss = loss_of_sides(w);
        if (found && loss >= best_loss)
            continue;
        found = true;
        best = threshold[i];
        best_loss = loss;
        if (w->params->cuts == 0)
            break;
    }
    w->place = (covey_cut_place){e->axis, best, best + 1};
    return found ? move_rows(n_left, w, e, best, rows, n, err) : COVEY_OK;
}

/* Among the splits of the attribute that leave rows on both sides the most balanced one, ties to the smaller threshold. */
static covey_status cut_at_splits(uint32_t *n_left, struct worker *w, const struct extent *e, uint32_t *rows, uint32_t n, covey_error *err)
{
    const covey_axis_splits *splits = &w->splits[e->axis];
    uint32_t *count, first = 0, end = splits->n, code = e->low, best = UINT32_MAX;
    int64_t left = 0, best_gap = INT64_MAX;

    COVEY_TRY(count_codes(&count, w, e, rows, n, err));
    while (first < splits->n && splits->n_left[first] <= e->low)
        first++;
    while (end > first && splits->n_left[end - 1] > e->high)
        end--;
    for (uint32_t s = first; s < end; s++) {
        int64_t gap;

        for (; code < splits->n_left[s]; code++)
            left += count[code - e->low];
        gap = 2 * left > n ? 2 * left - n : n - 2 * left;
        if (gap < best_gap && covey_i_splits_allow(splits, first, end, s)) {
            best_gap = gap;
            best = splits->n_left[s] - 1;
        }
    }
    if (best == UINT32_MAX || !sides_are_admitted(w, e, best, rows, n))
        return COVEY_OK;
    w->place = (covey_cut_place){e->axis, best, best + 1};
    return move_rows(n_left, w, e, best, rows, n, err);
}

/* The rows are halved in the order of the attribute (equal values in the order they stand in); equal values may be separated. */
static covey_status cut_relaxed(uint32_t *n_left, struct worker *w, const struct extent *e, uint32_t *rows, uint32_t n, covey_error *err)
{
    const covey_column *column = w->problem->axis[e->axis].column;
    uint32_t *count, *sorted = covey_arena_array(w->arena, uint32_t, n);
    uint32_t half = n - n / 2, sum = 0;

    if (!sorted)
        return covey_fail(err, COVEY_ENOMEM, "%u rows", n);
    COVEY_TRY(count_codes(&count, w, e, rows, n, err));
    for (uint32_t c = 0; c <= e->high - e->low; c++) {
        uint32_t k = count[c];

        count[c] = sum;
        sum += k;
    }
    for (uint32_t i = 0; i < n; i++)
        sorted[count[covey_column_code(column, rows[i]) - e->low]++] = rows[i];
    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    for (uint32_t i = 0; i < n; i++)
        covey_i_tally_add(i < half ? &w->left : &w->right, &w->problem->promises, sorted[i]);
    if (!covey_i_promises_admit(&w->problem->promises, &w->left) || !covey_i_promises_admit(&w->problem->promises, &w->right))
        return COVEY_OK;
    memcpy(rows, sorted, n * sizeof *rows);
    *n_left = half;
    w->place = (covey_cut_place){e->axis, covey_column_code(column, rows[half - 1]), covey_column_code(column, rows[half])};
    if (w->place.right_low > w->place.left_high)
        w->place.right_low = w->place.left_high + 1;
    return COVEY_OK;
}

static covey_cut_place place(const void *worker)
{
    return ((const struct worker *)worker)->place;
}

static covey_status cut(uint32_t *n_left, void *worker, uint32_t *rows, uint32_t n, covey_error *err)
{
    struct worker *w = worker;
    covey_arena_mark mark = covey_arena_save(w->arena);
    covey_status status = COVEY_OK;

    *n_left = 0;
    if (n < 2 || n / 2 < covey_i_promises_min_size(&w->problem->promises) / 2)
        return COVEY_OK;
    find_extents(w, rows, n);
    for (size_t i = 0; i < w->problem->n_axes && *n_left == 0 && status == COVEY_OK && w->extent[i].low < w->extent[i].high; i++) {
        status = (w->splits ? cut_at_splits : w->params->cut == 0 ? cut_strictly : cut_relaxed)(n_left, w, &w->extent[i], rows, n, err);
        covey_arena_rewind(w->arena, mark);
    }
    return status;
}

static const covey_cutter cutter = {sizeof(struct worker), start, cut, place};

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run, covey_error *err)
{
    struct mondrian_context context = {.problem = problem, .params = params};
    const bool publishes_regions = context.params->common.publish_boxes == 1;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_axis_splits *splits = NULL;
    covey_status status = COVEY_OK;

    if (context.params->splits)
        status = covey_i_splits_read(&splits, problem, context.params->splits, 0, "method mondrian", &arena, run, err);
    context.splits = splits;
    if (status == COVEY_OK)
        status = covey_i_cut_into_release(out, problem, &cutter, &context, publishes_regions, run, err);
    covey_arena_free(&arena);
    return status;
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const struct mondrian_params *own = params;

    if (own->splits && (own->cut != 0 || own->cuts != 0))
        return covey_fail(err, COVEY_EINVAL, "splits go with cut: strict and cuts: 1 only");
    return covey_i_accepts_with_regions(promises, params, err);
}

covey_status covey_i_mondrian_parts(uint32_t *part_of_row, uint32_t *n_parts, uint32_t *rows, uint32_t n, const covey_problem *problem,
                                    const covey_run *run, covey_error *err)
{
    static const struct mondrian_params params = {.cut = 0, .cuts = 0};
    struct mondrian_context context = {.problem = problem, .params = &params};

    *n_parts = 0;
    return covey_i_cut_all(part_of_row, n_parts, NULL, problem, rows, n, &cutter, &context, run, err);
}

static const char *const cut_choices[] = {"strict", "relaxed", NULL}, *const cuts_choices[] = {"1", "3", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "cut", .type = COVEY_PARAM_CHOICE, .offset = offsetof(struct mondrian_params, cut), .fallback = "strict", .choices = cut_choices,
     .help = "strict: equal values stay together; relaxed: rows are halved"},
    {.name = "cuts", .type = COVEY_PARAM_CHOICE, .offset = offsetof(struct mondrian_params, cuts), .fallback = "1", .choices = cuts_choices,
     .help = "1: cut at the median; 3: also at the quartiles, on both sides of their values, whichever costs least"},
    {.name = "splits", .type = COVEY_PARAM_TREE, .offset = offsetof(struct mondrian_params, splits),
     .help = "where attributes may be cut, as in {age: [20, 25], income: \"quantile:9\"}; also width:M, step:S, distinct, siblings, anywhere, none"},
};

const covey_method covey_method_mondrian = {
    .name = "mondrian",
    .summary = "cuts the widest attribute at its median, again and again; the classical baseline",
    .keeps = "every model on classes",
    .source = "LeFevre06, section 4",
    .form = "generalized",
    .params = param_list, .n_params = sizeof param_list / sizeof *param_list, .params_size = sizeof(struct mondrian_params),
    .accepts = accepts,
    .run = run,
};
