/* Which cut a part gets.  The attributes are tried from the widest to the narrowest and the first that can be cut is (dims: extent), or
 * all are and the best cut of all wins (dims: score).  Along an attribute the thresholds next to some quantiles are tried, and the
 * cut that leaves the least information loss is made.
 * Source: [CaoKarras12] for the bounds; the cut itself is ours, docs/design/elastic.md. */
#include "method/elastic_impl.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"
#include "table/histogram.h"

enum { SMALL_CHUNK = 1 << 15 };

covey_status covey_i_elastic_reserve(covey_elastic_buffer *buffer, size_t n, size_t size, covey_error *err)
{
    void *bytes;

    if (n <= buffer->capacity / size)
        return COVEY_OK;
    if (!(bytes = covey_i_array(n + n / 4, size)))
        return covey_fail(err, COVEY_ENOMEM, "%zu numbers", n);
    covey_i_free(buffer->bytes);
    buffer->bytes = bytes;
    buffer->capacity = (n + n / 4) * size;
    return COVEY_OK;
}

covey_status covey_i_elastic_worker_new(covey_elastic_worker *w, const covey_elastic *elastic, covey_error *err)
{
    const size_t n_values = (size_t)elastic->n_values + 3;

    *w = (covey_elastic_worker){.elastic = elastic, .n_threads = 1};
    w->number_of = covey_arena_array(&w->arena, uint32_t, n_values);
    w->low = covey_arena_array(&w->arena, uint32_t, n_values);
    w->high = covey_arena_array(&w->arena, uint32_t, n_values);
    w->sum = covey_arena_array(&w->arena, uint32_t, n_values);
    w->natural = covey_arena_array(&w->arena, uint32_t, n_values);
    w->target = covey_arena_array(&w->arena, uint32_t, n_values);
    w->extent = covey_arena_array(&w->arena, covey_elastic_extent, elastic->problem->n_axes);
    if (!w->number_of || !w->low || !w->high || !w->sum || !w->natural || !w->target || !w->extent)
        return covey_fail(err, COVEY_ENOMEM, "cuts of %zu sensitive values", n_values);
    memset(w->number_of, 0xff, n_values * sizeof *w->number_of);
    COVEY_TRY(covey_i_elastic_bounds_init(w, err));
    COVEY_TRY(covey_i_tally_new(&w->left, &elastic->problem->promises, &w->arena, err));
    return covey_i_tally_new(&w->right, &elastic->problem->promises, &w->arena, err);
}

void covey_i_elastic_worker_clear(covey_elastic_worker *w)
{
    covey_elastic_buffer *const buffers[] = {&w->cell,  &w->code, &w->rows,  &w->value,  &w->total, &w->first,
                                             &w->entry, &w->key,  &w->range, &w->n_left, &w->seen};

    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        covey_i_free(buffers[i]->bytes);
    covey_arena_free(&w->arena);
}

/* One pass over the part's rows for several plans at once, in chunks. */
struct pass {
    covey_elastic_worker *worker;
    const covey_elastic_part *part;
    size_t axis;
    const covey_elastic_plan *plan; /* [n_plans] */
    size_t n_plans, n_chunks;
    covey_record_ranges *range;     /* [n_plans][n_chunks][n_axes] */
    uint32_t *n_left;               /* [n_plans][n_chunks] */
    uint32_t *seen;                 /* [n_plans][n_chunks][n_values] rows of a value's divided code that came before */
};

static uint32_t chunk_start(const struct pass *pass, size_t chunk)
{
    return (uint32_t)((uint64_t)pass->part->n * chunk / pass->n_chunks);
}

/* Runs one task per plan and chunk; alone, without the cost of threads. */
static covey_status run_tasks(struct pass *pass, covey_task task, covey_error *err)
{
    const size_t n = pass->n_plans * pass->n_chunks;

    if (pass->n_chunks > 1)
        return covey_i_parallel(pass->worker->n_threads, n, task, pass, err);
    for (size_t i = 0; i < n; i++)
        COVEY_TRY(task(pass, i, err));
    return COVEY_OK;
}

/* Counts the rows of divided codes in a chunk. */
static covey_status count_divided(void *context, size_t task, covey_error *err)
{
    const struct pass *pass = context;
    const covey_elastic *e = pass->worker->elastic;
    const covey_elastic_plan *plan = &pass->plan[task / pass->n_chunks];
    const size_t chunk = task % pass->n_chunks;
    const uint32_t end = chunk_start(pass, chunk + 1);
    uint32_t *seen = pass->seen + task * e->n_values;

    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen[plan->partial_value[p]] = 0;
    if (pass->n_chunks == 1 || plan->natural || plan->n_partial == 0)
        return COVEY_OK;
    for (uint32_t at = chunk_start(pass, chunk); at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;
        uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK];

        covey_i_records_unpack(code, &e->records.column[pass->axis], pass->part->side, pass->part->start + at, n);
        covey_i_records_unpack(value, &e->records.column[e->problem->n_axes], pass->part->side, pass->part->start + at, n);
        for (uint32_t i = 0; i < n; i++)
            if (code[i] == plan->partial[value[i]])
                seen[value[i]]++;
    }
    return COVEY_OK;
}

/* From counts per chunk to counts in all chunks before. */
static void accumulate_divided(struct pass *pass)
{
    const size_t n_values = pass->worker->elastic->n_values;

    for (size_t i = 0; i < pass->n_plans; i++)
        for (uint32_t p = 0; p < pass->plan[i].n_partial; p++) {
            uint32_t *seen = pass->seen + i * pass->n_chunks * n_values + pass->plan[i].partial_value[p], sum = 0;

            for (size_t chunk = 0; chunk < pass->n_chunks; chunk++) {
                const uint32_t count = seen[chunk * n_values];

                seen[chunk * n_values] = sum;
                sum += count;
            }
        }
}

/* Which rows of a block go left; returns how many. */
static uint32_t decide(uint8_t *goes_left, const struct pass *pass, const covey_elastic_plan *plan, uint32_t at, uint32_t n, uint32_t *seen)
{
    const covey_elastic *e = pass->worker->elastic;
    const int side = pass->part->side;
    const uint32_t start = pass->part->start + at;
    uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK], n_left = 0;

    if (plan->natural)
        return covey_i_records_compare(goes_left, &e->records.column[pass->axis], side, start, n, plan->threshold);
    covey_i_records_unpack(code, &e->records.column[pass->axis], side, start, n);
    covey_i_records_unpack(value, &e->records.column[e->problem->n_axes], side, start, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t is_left = code[i] < plan->below[value[i]];

        goes_left[i] = (uint8_t)-is_left;
        n_left += is_left;
    }
    for (uint32_t i = 0; plan->n_partial > 0 && i < n; i++)
        if (code[i] == plan->partial[value[i]] && seen[value[i]]++ < plan->rest[value[i]]) {
            goes_left[i] = 255;
            n_left++;
        }
    return n_left;
}

/* Ranges of both sides of one plan in one chunk. */
static covey_status range_chunk(void *context, size_t task, covey_error *err)
{
    const struct pass *pass = context;
    const covey_elastic *e = pass->worker->elastic;
    const size_t n_axes = e->problem->n_axes, chunk = task % pass->n_chunks;
    const uint32_t end = chunk_start(pass, chunk + 1);
    covey_record_ranges *range = pass->range + task * n_axes;
    uint8_t goes_left[COVEY_RECORD_BLOCK];

    pass->n_left[task] = 0;
    for (size_t a = 0; a < n_axes; a++)
        range[a] = (covey_record_ranges)COVEY_RECORD_RANGES_INIT;
    for (uint32_t at = chunk_start(pass, chunk); at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;

        pass->n_left[task] += decide(goes_left, pass, &pass->plan[task / pass->n_chunks], at, n, pass->seen + task * e->n_values);
        for (size_t a = 0; a < n_axes; a++)
            covey_i_records_ranges(&range[a], &e->records.column[a], pass->part->side, pass->part->start + at, n, goes_left);
    }
    return COVEY_OK;
}

/* How many rows of a chunk go left. */
static covey_status count_left(void *context, size_t chunk, covey_error *err)
{
    const struct pass *pass = context;
    const uint32_t end = chunk_start(pass, chunk + 1);
    uint8_t goes_left[COVEY_RECORD_BLOCK];

    pass->n_left[chunk] = 0;
    for (uint32_t at = chunk_start(pass, chunk); at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;

        pass->n_left[chunk] += decide(goes_left, pass, pass->plan, at, n, pass->seen + chunk * pass->worker->elastic->n_values);
    }
    return COVEY_OK;
}

/* Moves a chunk's rows to the other side; n_left holds where its first row of the left part goes. */
static covey_status split_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct pass *pass = context;
    const covey_elastic *e = pass->worker->elastic;
    const uint32_t first = chunk_start(pass, chunk), end = chunk_start(pass, chunk + 1);
    uint32_t left = pass->part->start + pass->n_left[chunk];
    uint32_t right = pass->part->start + pass->plan->n_left + (first - pass->n_left[chunk]);
    uint8_t goes_left[COVEY_RECORD_BLOCK];

    for (uint32_t at = first; at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;

        decide(goes_left, pass, pass->plan, at, n, pass->seen + chunk * e->n_values);
        covey_i_records_split(&e->records, pass->part->side, pass->part->start + at, n, goes_left, &left, &right);
    }
    return COVEY_OK;
}

static covey_status pass_new(struct pass *pass, covey_elastic_worker *w, const covey_elastic_part *part, size_t axis,
                             const covey_elastic_plan *plan, size_t n_plans, covey_error *err)
{
    const covey_elastic *e = w->elastic;
    size_t n_tasks;

    *pass = (struct pass){.worker = w, .part = part, .axis = axis, .plan = plan, .n_plans = n_plans, .n_chunks = 1};
    if (w->n_threads > 1 && part->n >= 2 * SMALL_CHUNK && e->n_values <= part->n / 16)
        pass->n_chunks = part->n / SMALL_CHUNK < (uint32_t)w->n_threads ? part->n / SMALL_CHUNK : (size_t)w->n_threads;
    n_tasks = n_plans * pass->n_chunks;
    COVEY_TRY(covey_i_elastic_reserve(&w->range, n_tasks * e->problem->n_axes, sizeof *pass->range, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->n_left, n_tasks, sizeof *pass->n_left, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->seen, n_tasks * e->n_values, sizeof *pass->seen, err));
    pass->range = w->range.bytes;
    pass->n_left = w->n_left.bytes;
    pass->seen = w->seen.bytes;
    COVEY_TRY(run_tasks(pass, count_divided, err));
    accumulate_divided(pass);
    return COVEY_OK;
}

/* Adds up the chunks' ranges in the first chunk's. */
static void join_chunks(struct pass *pass)
{
    const size_t n_axes = pass->worker->elastic->problem->n_axes;

    for (size_t i = 0; i < pass->n_plans; i++) {
        covey_record_ranges *into = pass->range + i * pass->n_chunks * n_axes;
        uint32_t *n_left = pass->n_left + i * pass->n_chunks;

        for (size_t chunk = 1; chunk < pass->n_chunks; chunk++) {
            n_left[0] += n_left[chunk];
            for (size_t a = 0; a < n_axes; a++) {
                const covey_record_ranges *r = &into[chunk * n_axes + a];

                into[a].left_low = r->left_low < into[a].left_low ? r->left_low : into[a].left_low;
                into[a].left_high = r->left_high > into[a].left_high ? r->left_high : into[a].left_high;
                into[a].right_low = r->right_low < into[a].right_low ? r->right_low : into[a].right_low;
                into[a].right_high = r->right_high > into[a].right_high ? r->right_high : into[a].right_high;
            }
        }
        assert(n_left[0] == pass->plan[i].n_left);
    }
}

/* What both parts lose together: rows times weighted loss. */
static double loss_of(const covey_elastic *e, const covey_elastic_plan *plan, const covey_record_ranges *range, uint32_t n_rows)
{
    double sum = 0;

    for (size_t a = 0; a < e->problem->n_axes; a++) {
        const covey_axis *axis = &e->problem->axis[a];

        sum += e->weight[a] * ((double)covey_i_axis_loss(axis, range[a].left_low, range[a].left_high) * plan->n_left +
                               (double)covey_i_axis_loss(axis, range[a].right_low, range[a].right_high) * (n_rows - plan->n_left));
    }
    return sum;
}

/* Fills a tally's counts of the steering attribute: of the left part, or of the right one. */
static void tally_values(covey_tally *tally, const covey_elastic *e, const covey_elastic_profile *p, const uint32_t *left, bool is_right)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const uint32_t n = is_right ? p->total[i] - left[i] : left[i];

        if (n > 0)
            covey_i_histogram_add(&tally->counts[e->view], p->value ? p->value[i] : (uint32_t)i, n);
    }
}

/* Counts the other sensitive attributes on both sides. */
static void tally_views(covey_elastic_worker *w, const struct pass *pass, const covey_elastic_plan *plan, uint32_t *seen)
{
    const covey_elastic *e = w->elastic;
    uint8_t goes_left[COVEY_RECORD_BLOCK];

    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen[plan->partial_value[p]] = 0;
    for (uint32_t at = 0; at < pass->part->n; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = pass->part->n - at < COVEY_RECORD_BLOCK ? pass->part->n - at : COVEY_RECORD_BLOCK;

        decide(goes_left, pass, plan, at, n, seen);
        for (size_t v = 0; v < w->left.n_views; v++) {
            uint32_t value[COVEY_RECORD_BLOCK];

            if ((int)v == e->view)
                continue;
            covey_i_records_unpack(value, &e->records.column[e->problem->n_axes + 1 + v], pass->part->side, pass->part->start + at, n);
            for (uint32_t i = 0; i < n; i++)
                covey_i_histogram_add(goes_left[i] ? &w->left.counts[v] : &w->right.counts[v], value[i], 1);
        }
    }
}

/* Do both sides of a plan keep every promise?  The bounds are kept already; other models, and other attributes, have their say here. */
static bool sides_are_admitted(covey_elastic_worker *w, const struct pass *pass, size_t plan_index)
{
    const covey_elastic *e = w->elastic;
    const covey_elastic_plan *plan = &pass->plan[plan_index];
    const covey_record_ranges *range = pass->range + plan_index * pass->n_chunks * e->problem->n_axes;

    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    w->left.size = plan->n_left;
    w->right.size = pass->part->n - plan->n_left;
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
        tally_views(w, pass, plan, pass->seen + plan_index * pass->n_chunks * e->n_values);
    return covey_i_promises_admit(&e->problem->promises, &w->left) && covey_i_promises_admit(&e->problem->promises, &w->right);
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

/* May a cut lie behind that code?  Of a tree's codes only those may (if tree is given) where the children of the node meet that all the
 * part's codes lie below: there both sides can have a label of their own. */
static bool is_boundary(const covey_elastic_profile *p, size_t i, const covey_hierarchy *tree, uint32_t node)
{
    return !tree || covey_hierarchy_lca(tree, p->code[i], p->code[i + 1]) == node;
}

/* Adds the boundaries on both sides of each quantile: the last with fewer rows before it, the first with as many or more. */
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
static size_t find_boundaries(size_t *boundary, const covey_elastic *e, const covey_elastic_profile *p, size_t axis, uint32_t n_rows)
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
        const covey_elastic_extent new_one = {a, e->all_axes ? 1 : width_of(&e->problem->axis[a], ranges[a], ranges[n_axes + a])};
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
    bool even;   /* neither side is a chip */
    double loss;
    size_t axis;
};

/* A cut that chips a few rows off makes the rest no narrower, and there are always more to chip off: where the bounds allow of nothing
 * better on the widest attribute, another attribute should be cut.  Without bounds every cut is possible, and with `dims: score` only the
 * loss counts. */
static bool is_even(const covey_elastic *e, const covey_elastic_plan *plan, uint32_t n_rows)
{
    const uint32_t n_right = n_rows - plan->n_left, least = plan->n_left < n_right ? plan->n_left : n_right;

    return e->all_axes || !e->bounded || (uint64_t)least * COVEY_ELASTIC_CHIP >= n_rows;
}

/* Keeps the plan and both sides' ranges as the best. */
static void keep_plan(struct best *best, uint32_t *child_ranges, covey_elastic_worker *w, const struct pass *pass, size_t plan_index, double loss)
{
    const size_t n_axes = w->elastic->problem->n_axes;
    const covey_record_ranges *range = pass->range + plan_index * pass->n_chunks * n_axes;
    const covey_elastic_plan swap = w->plan[COVEY_ELASTIC_MOST_PLANS];

    w->plan[COVEY_ELASTIC_MOST_PLANS] = w->plan[plan_index];
    w->plan[plan_index] = swap;
    *best = (struct best){true, is_even(w->elastic, &w->plan[COVEY_ELASTIC_MOST_PLANS], pass->part->n), loss, pass->axis};
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
        sum += e->weight[a] * (double)covey_i_axis_loss(&e->problem->axis[a], ranges[a], ranges[e->problem->n_axes + a]) * n_rows;
    return sum;
}

/* Tries an axis: the plan with the least loss that keeps every promise becomes the best if it is better. */
static covey_status try_axis(struct best *best, uint32_t *child_ranges, covey_elastic_worker *w, const covey_elastic_part *part, size_t axis,
                             const uint32_t *ranges, covey_error *err)
{
    const covey_elastic *e = w->elastic;
    const size_t n_axes = e->problem->n_axes;
    size_t boundary[COVEY_ELASTIC_MOST_PLANS], n_boundaries, n_plans;
    double loss[COVEY_ELASTIC_MOST_PLANS];
    struct pass pass;

    COVEY_TRY(covey_i_elastic_profile_part(w, part, axis, ranges[axis], ranges[n_axes + axis], err));
    n_boundaries = find_boundaries(boundary, e, &w->profile, axis, part->n);
    COVEY_TRY(covey_i_elastic_plan_cuts(&n_plans, w, boundary, n_boundaries, part->n, err));
    if (n_plans == 0)
        return COVEY_OK;
    COVEY_TRY(pass_new(&pass, w, part, axis, w->plan, n_plans, err));
    COVEY_TRY(run_tasks(&pass, range_chunk, err));
    join_chunks(&pass);
    for (size_t i = 0; i < n_plans; i++) {
        loss[i] = loss_of(e, &w->plan[i], pass.range + i * pass.n_chunks * n_axes, part->n);
        if (e->comes_close && !w->plan[i].natural && loss[i] >= loss_of_part(e, ranges, part->n))
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

/* Makes the best cut. */
static covey_status split(covey_elastic_part children[2], covey_elastic_worker *w, const covey_elastic_part *part, size_t axis, covey_error *err)
{
    const covey_elastic_plan *plan = &w->plan[COVEY_ELASTIC_MOST_PLANS];
    uint32_t before = 0;
    struct pass pass;

    COVEY_TRY(pass_new(&pass, w, part, axis, plan, 1, err));
    if (pass.n_chunks > 1) {
        COVEY_TRY(run_tasks(&pass, count_left, err));
        COVEY_TRY(run_tasks(&pass, count_divided, err));
        accumulate_divided(&pass);
    } else {
        pass.n_left[0] = plan->n_left;
    }
    for (size_t chunk = 0; chunk < pass.n_chunks; chunk++) {
        const uint32_t n = pass.n_left[chunk];

        pass.n_left[chunk] = before;
        before += n;
    }
    COVEY_TRY(run_tasks(&pass, split_chunk, err));
    children[0] = (covey_elastic_part){part->start, plan->n_left, !part->side};
    children[1] = (covey_elastic_part){part->start + plan->n_left, part->n - plan->n_left, !part->side};
    return COVEY_OK;
}

covey_status covey_i_elastic_cut(bool *is_cut, covey_elastic_part children[2], uint32_t *child_ranges, covey_elastic_worker *w,
                                 const covey_elastic_part *part, const uint32_t *ranges, covey_error *err)
{
    struct best best = {0};
    size_t n_extents;

    *is_cut = false;
    if (part->n < 2 || part->n < 2 * w->elastic->min_size)
        return COVEY_OK;
    n_extents = sort_extents(w->extent, w->elastic, ranges);
    /* A cut that needs no repair, of whatever attribute, comes before those that do. */
    for (w->may_move = !w->elastic->comes_close;; w->may_move = true) {
        for (size_t i = 0; i < n_extents && (w->elastic->all_axes || !best.even); i++)
            COVEY_TRY(try_axis(&best, child_ranges, w, part, w->extent[i].axis, ranges, err));
        if (best.found || w->may_move)
            break;
    }
    if (!best.found)
        return COVEY_OK;
    *is_cut = true;
    w->cut_axis = best.axis;
    w->cut_threshold = w->plan[COVEY_ELASTIC_MOST_PLANS].threshold;
    return split(children, w, part, best.axis, err);
}
