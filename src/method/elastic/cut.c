/* Which cut a part gets.  The attributes are tried from the widest to the narrowest and the first that can be cut is
 * (dims: extent), or all are and the best cut of all wins (dims: score).  Along an attribute the thresholds next to
 * some quantiles are tried, and the cut that leaves the least information loss is made. Source: [CaoKarras12] for the
 * bounds; the cut itself is ours, docs/design/elastic.md. */
#include "method/elastic/elastic.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/histogram.h"

covey_status covey_i_elastic_worker_new(covey_elastic_worker *w, const covey_elastic *elastic, covey_error *err)
{
    const size_t n_values = (size_t)elastic->n_values + 3;

    *w = (covey_elastic_worker){.elastic = elastic, .records = &elastic->records, .n_threads = 1};
    w->number_of = covey_arena_array(&w->arena, uint32_t, n_values);
    w->low = covey_arena_array(&w->arena, uint32_t, n_values);
    w->high = covey_arena_array(&w->arena, uint32_t, n_values);
    w->sum = covey_arena_array(&w->arena, uint32_t, n_values);
    w->natural = covey_arena_array(&w->arena, uint32_t, n_values);
    w->target = covey_arena_array(&w->arena, uint32_t, n_values);
    w->extent = covey_arena_array(&w->arena, covey_elastic_extent, elastic->problem->n_axes);
    if (!w->number_of || !w->low || !w->high || !w->sum || !w->natural || !w->target || !w->extent)
        return covey_i_no_memory(err);
    memset(w->number_of, 0xff, n_values * sizeof *w->number_of);
    COVEY_TRY(covey_i_elastic_bounds_init(w, err));
    COVEY_TRY(covey_i_tally_new(&w->left, &elastic->problem->promises, &w->arena, err));
    return covey_i_tally_new(&w->right, &elastic->problem->promises, &w->arena, err);
}

void covey_i_elastic_worker_clear(covey_elastic_worker *w)
{
    covey_elastic_buffer *const buffers[] = {&w->cell,   &w->code,      &w->rows,   &w->value, &w->total,
                                             &w->first,  &w->entry,     &w->key,    &w->range, &w->seen,
                                             &w->counts, &w->goes_left, &w->divided};

    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        covey_i_free(buffers[i]->bytes);
    covey_i_records_clear(&w->own);
    covey_arena_free(&w->arena);
}

/* What both parts lose together: rows times weighted loss. */
static double loss_of(const covey_elastic *e, const covey_elastic_plan *plan, const covey_record_ranges *range,
                      uint32_t n_rows)
{
    double sum = 0;

    for (size_t a = 0; a < e->problem->n_axes; a++) {
        const covey_axis *axis = &e->problem->axis[a];

        sum += e->weight[a] *
               ((double)covey_i_axis_loss(axis, range[a].left_low, range[a].left_high) * plan->n_left +
                (double)covey_i_axis_loss(axis, range[a].right_low, range[a].right_high) * (n_rows - plan->n_left));
    }
    return sum;
}

/* Fills a tally's counts of the steering attribute: of the left part, or of the right one. */
static void tally_values(covey_tally *tally, const covey_elastic *e, const covey_elastic_profile *p,
                         const uint32_t *left, bool is_right)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const uint32_t n = is_right ? p->total[i] - left[i] : left[i];

        if (n > 0)
            covey_i_histogram_add(&tally->counts[e->view], p->value ? p->value[i] : (uint32_t)i, n);
    }
}

/* Do both sides of a plan keep every promise?  The bounds are kept already; other models, and other attributes, have
 * their say here, if there are any. */
static bool sides_are_admitted(covey_elastic_worker *w, covey_elastic_pass *pass, size_t plan_index)
{
    const covey_elastic *e = w->elastic;
    const covey_elastic_plan *plan = &pass->plan[plan_index];
    const covey_record_ranges *range = covey_i_elastic_pass_range(pass, plan_index);

    if (e->bounds_suffice)
        return true;
    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    w->left.size = plan->n_left;
    w->right.size = pass->part->size - plan->n_left;
    for (size_t a = 0; a < w->left.n_quasi; a++) {
        w->left.low[a] = range[a].left_low;
        w->left.high[a] = range[a].left_high;
        w->right.low[a] = range[a].right_low;
        w->right.high[a] = range[a].right_high;
    }
    if (e->view >= 0) {
        tally_values(&w->left, e, &w->profile, plan->left, false);
        tally_values(&w->right, e, &w->profile, plan->left, true);
    }
    if (w->left.n_views > 1)
        covey_i_elastic_pass_views(pass, plan_index);
    return covey_i_promises_admit(&e->problem->promises, &w->left) &&
           covey_i_promises_admit(&e->problem->promises, &w->right);
}

/* Adds a boundary to an ascending list, once. */
static void add_boundary(size_t *boundary, size_t *n, size_t new_one)
{
    size_t at = *n;

    while (at > 0 && boundary[at - 1] > new_one)
        at--;
    if ((at > 0 && boundary[at - 1] == new_one) || *n == COVEY_ELASTIC_MOST_PLANS)
        return;
    memmove(boundary + at + 1, boundary + at, (*n - at) * sizeof *boundary);
    boundary[at] = new_one;
    (*n)++;
}

/* May a cut lie behind that code?  Of a tree's codes only those may (if tree is given) where the children of the node
 * meet that all the part's codes lie below: there both sides can have a label of their own. */
static bool is_boundary(const covey_elastic_profile *p, size_t i, const covey_hierarchy *tree, uint32_t node)
{
    return !tree || covey_hierarchy_lca(tree, p->code[i], p->code[i + 1]) == node;
}

/* Adds the boundaries on both sides of each quantile: the last with fewer rows before it, the first with as many or
 * more. */
static void add_quantiles(size_t *boundary, size_t *n, const covey_elastic_profile *p, uint32_t n_rows, uint32_t n_cuts,
                          const covey_hierarchy *tree)
{
    const uint32_t node = tree ? covey_hierarchy_lca(tree, p->code[0], p->code[p->n_codes - 1]) : 0;
    size_t before = SIZE_MAX; /* the last boundary before i */
    uint32_t quantile = 1;
    uint64_t rows = 0;

    for (size_t i = 0; i + 1 < p->n_codes && quantile <= n_cuts; i++) {
        bool is_next = false;

        rows += p->rows[i];
        if (!is_boundary(p, i, tree, node))
            continue;
        for (; quantile <= n_cuts && rows * (n_cuts + 1) >= (uint64_t)n_rows * quantile; quantile++)
            is_next = true;
        if (is_next) {
            if (before != SIZE_MAX)
                add_boundary(boundary, n, before);
            add_boundary(boundary, n, i);
        }
        before = i;
    }
    if (quantile <= n_cuts && before != SIZE_MAX)
        add_boundary(boundary, n, before);
}

/* The thresholds that are tried along an axis, ascending: indices of the last code on the left. */
static size_t find_boundaries(size_t *boundary, const covey_elastic *e, const covey_elastic_profile *p, size_t axis,
                              uint32_t n_rows)
{
    const covey_axis *a = &e->problem->axis[axis];
    size_t n = 0;

    if (p->n_codes <= COVEY_ELASTIC_FEW_CODES && e->n_cuts > 1) {
        for (size_t i = 0; i + 1 < p->n_codes; i++)
            boundary[n++] = i;
        return n;
    }
    add_quantiles(boundary, &n, p, n_rows, e->n_cuts, NULL);
    if (a->kind == COVEY_AXIS_TREE)
        add_quantiles(boundary, &n, p, n_rows, e->n_cuts, a->tree);
    if (a->column->has_null && p->code[0] == 0)
        add_boundary(boundary, &n, 0);
    return n;
}

static double width_of(const covey_axis *axis, uint32_t low, uint32_t high)
{
    const covey_fraction extent = covey_i_axis_extent(axis, low, high);

    return (double)extent.num / (double)extent.den;
}

/* Widest first, ties to the attribute that comes first; the attributes that cannot be cut are left out. */
static size_t sort_extents(covey_elastic_extent *extent, const covey_elastic *e, const uint32_t *ranges)
{
    const size_t n_axes = e->problem->n_axes;
    size_t n = 0;

    for (size_t a = 0; a < n_axes; a++) {
        const covey_elastic_extent new_one = {
            a, e->all_axes ? 1 : width_of(&e->problem->axis[a], ranges[a], ranges[n_axes + a])};
        size_t at = n;

        if (ranges[a] == ranges[n_axes + a])
            continue;
        for (; at > 0 && extent[at - 1].width < new_one.width; at--)
            extent[at] = extent[at - 1];
        extent[at] = new_one;
        n++;
    }
    return n;
}

/* The best cut so far. */
struct best {
    bool found;
    bool even; /* neither side is a chip */
    double loss;
    size_t axis;
};

/* A cut that chips a few rows off makes the rest no narrower, and there are always more to chip off: where the bounds
 * allow of nothing better on the widest attribute, another attribute should be cut.  Without bounds every cut is
 * possible, and with `dims: score` only the loss counts. */
static bool is_even(const covey_elastic *e, const covey_elastic_plan *plan, uint32_t n_rows)
{
    const uint32_t n_right = n_rows - plan->n_left, least = plan->n_left < n_right ? plan->n_left : n_right;

    return e->all_axes || !e->bounded || (uint64_t)least * COVEY_ELASTIC_CHIP >= n_rows;
}

/* Keeps the plan and both sides' ranges as the best. */
static void keep_plan(struct best *best, uint32_t *child_ranges, covey_elastic_worker *w,
                      const covey_elastic_pass *pass, size_t plan_index, double loss)
{
    const size_t n_axes = w->elastic->problem->n_axes;
    const covey_record_ranges *range = covey_i_elastic_pass_range(pass, plan_index);
    const covey_elastic_plan swap = w->plan[COVEY_ELASTIC_MOST_PLANS];

    w->plan[COVEY_ELASTIC_MOST_PLANS] = w->plan[plan_index];
    w->plan[plan_index] = swap;
    *best = (struct best){true, is_even(w->elastic, &w->plan[COVEY_ELASTIC_MOST_PLANS], pass->part->size), loss,
                          pass->axis};
    for (size_t a = 0; a < n_axes; a++) {
        child_ranges[a] = range[a].left_low;
        child_ranges[n_axes + a] = range[a].left_high;
        child_ranges[2 * n_axes + a] = range[a].right_low;
        child_ranges[3 * n_axes + a] = range[a].right_high;
    }
}

/* What a part loses as it is. */
static double loss_of_part(const covey_elastic *e, const uint32_t *ranges, uint32_t n_rows)
{
    double sum = 0;

    for (size_t a = 0; a < e->problem->n_axes; a++)
        sum += e->weight[a] *
               (double)covey_i_axis_loss(&e->problem->axis[a], ranges[a], ranges[e->problem->n_axes + a]) * n_rows;
    return sum;
}

/* Tries an axis: the plan with the least loss that keeps every promise becomes the best if it is better. */
static covey_status try_axis(struct best *best, uint32_t *child_ranges, covey_elastic_worker *w,
                             const covey_elastic_part *part, size_t axis, const uint32_t *ranges, covey_error *err)
{
    const covey_elastic *e = w->elastic;
    const size_t n_axes = e->problem->n_axes;
    size_t boundary[COVEY_ELASTIC_MOST_PLANS], n_boundaries, n_plans;
    double loss[COVEY_ELASTIC_MOST_PLANS];
    covey_elastic_pass pass;

    COVEY_TRY(covey_i_elastic_profile_part(w, part, axis, ranges[axis], ranges[n_axes + axis], err));
    n_boundaries = find_boundaries(boundary, e, &w->profile, axis, part->size);
    COVEY_TRY(covey_i_elastic_plan_cuts(&n_plans, w, boundary, n_boundaries, part->size, err));
    if (n_plans == 0)
        return COVEY_OK;
    pass = (covey_elastic_pass){
        .worker = w, .part = part, .axis = axis, .plan = w->plan, .n_plans = n_plans, .ranges = ranges};
    COVEY_TRY(covey_i_elastic_pass_ranges(&pass, err));
    for (size_t i = 0; i < n_plans; i++) {
        loss[i] = loss_of(e, &w->plan[i], covey_i_elastic_pass_range(&pass, i), part->size);
        if (e->comes_close && !w->plan[i].natural && loss[i] >= loss_of_part(e, ranges, part->size))
            loss[i] = -1; /* rows were moved for nothing */
    }
    for (;;) { /* from the best on, until one is admitted */
        size_t least = SIZE_MAX;

        for (size_t i = 0; i < n_plans; i++)
            if (loss[i] >= 0 && (!best->found || loss[i] < best->loss) && (least == SIZE_MAX || loss[i] < loss[least]))
                least = i;
        if (least == SIZE_MAX)
            return COVEY_OK;
        if (sides_are_admitted(w, &pass, least)) {
            keep_plan(best, child_ranges, w, &pass, least, loss[least]);
            return COVEY_OK;
        }
        loss[least] = -1;
    }
}

covey_status covey_i_elastic_find_cut(bool *is_cut, uint32_t n_records[2], uint32_t *child_ranges,
                                      covey_elastic_worker *w, const covey_elastic_part *part, const uint32_t *ranges,
                                      covey_error *err)
{
    covey_elastic_plan *plan = &w->plan[COVEY_ELASTIC_MOST_PLANS];
    struct best best = {0};
    bool is_hopeless = false;
    size_t n_extents;

    *is_cut = false;
    if (part->size < 2 || part->size < 2 * w->elastic->min_size)
        return COVEY_OK;
    n_extents = sort_extents(w->extent, w->elastic, ranges);
    /* A cut that needs no repair, of whatever attribute, comes before those that do. */
    for (w->may_move = !w->elastic->comes_close;; w->may_move = true) {
        for (size_t i = 0; i < n_extents && !is_hopeless && (w->elastic->all_axes || !best.even); i++) {
            COVEY_TRY(try_axis(&best, child_ranges, w, part, w->extent[i].axis, ranges, err));
            if (i == 0 && !best.found)
                COVEY_TRY(covey_i_elastic_is_hopeless(&is_hopeless, w, part->size, err));
        }
        if (best.found || w->may_move)
            break;
    }
    if (!best.found)
        return COVEY_OK;
    *is_cut = true;
    w->cut_axis = best.axis;
    w->cut_threshold = plan->threshold;
    return covey_i_elastic_decide_all(n_records, w, part, best.axis, plan, err);
}
