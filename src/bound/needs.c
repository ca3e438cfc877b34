/* What the promises say of classes, as far as a bound makes use of it: the least number of rows, of all classes and of
 * those with a row of some value; the least number of different values; the largest share of each value.  Whatever else
 * they ask for only makes classes dearer. */
#include "bound/search.h"

#include "base/error.h"

enum {
    MOST_VALUES = 4096,   /* of more, only the number of rows is looked at */
    LEAST_STEP = 128,     /* above so many rows, bounds are asked for one size in so many, */
    MOST_BOUNDS = 1 << 20 /* or in more, as long as they are not asked for more values in all */
};

/* --- what follows from promises that are no bounds on single values --- */

/* With equal distances, values that are missing from a class have t of the table's rows at most, and none has more than
 * its share there and t. */
static bool is_equal_closeness(covey_closeness *out, const covey_promise *promise)
{
    return covey_i_promise_closeness(out, promise) && out->ground == COVEY_GROUND_EQUAL && out->t.den <= 1 << 30 &&
           out->t.num <= out->t.den;
}

static bool implies_most(const covey_promise *promise)
{
    covey_closeness closeness;

    return promise->model->implied_most || is_equal_closeness(&closeness, promise);
}

static int64_t implied_most(const covey_promise *promise, uint32_t value, int64_t size)
{
    covey_closeness c;

    if (promise->model->implied_most)
        return promise->model->implied_most(promise->state, size);
    if (!is_equal_closeness(&c, promise))
        return size;
    return (int64_t)((covey_i128)size *
                     ((covey_i128)c.prior->count[value] * c.t.den + (covey_i128)c.prior->total * c.t.num) /
                     ((covey_i128)c.prior->total * c.t.den));
}

/* The values that are left have 1 - t of the table's rows: the most frequent ones are the fewest that do. */
static int64_t distinct_of_closeness(const covey_closeness *c)
{
    covey_i128 left = (covey_i128)c->prior->total * (c->t.den - c->t.num);
    int64_t below = INT64_MAX, n = 0;

    while (left > 0) {
        int64_t next = 0, n_equal = 0;

        for (uint32_t v = 0; v < c->prior->n_values; v++)
            if (c->prior->count[v] < below && c->prior->count[v] > next)
                next = c->prior->count[v];
        for (uint32_t v = 0; v < c->prior->n_values; v++)
            n_equal += c->prior->count[v] == next;
        for (below = next; n_equal > 0 && left > 0; n_equal--, n++)
            left -= (covey_i128)next * c->t.den;
    }
    return n;
}

static int64_t least_distinct(const covey_promise *promise)
{
    covey_closeness closeness;

    if (promise->model->least_distinct)
        return promise->model->least_distinct(promise->state);
    if (promise->model->implied_distinct)
        return promise->model->implied_distinct(promise->state);
    return is_equal_closeness(&closeness, promise) ? distinct_of_closeness(&closeness) : 1;
}

/* --- the view --- */

static bool has_bounds(const covey_promises *promises, int view)
{
    bool any = covey_i_promises_have_bounds(promises, view);

    for (size_t i = 0; i < promises->n; i++)
        any |= promises->promise[i].view == view && implies_most(&promises->promise[i]);
    return any;
}

/* How many rows, and different values of a view, a class has at least; -1: none is looked at. */
static void ask_of(covey_bound_needs *needs, const covey_promises *promises, int view)
{
    needs->view = view;
    needs->distinct = 1;
    needs->rows = covey_i_promises_min_size(promises);
    for (size_t i = 0; i < promises->n; i++) {
        const int64_t l = view >= 0 && promises->promise[i].view == view ? least_distinct(&promises->promise[i]) : 1;

        if (l > needs->distinct)
            needs->distinct = l;
    }
    if (needs->rows < needs->distinct)
        needs->rows = needs->distinct;
}

/* Suppressed rows keep all promises as one class where a prior tells of their values (release folder: verify).  Then
 * they lose no less than a class, and there is no need to think of them. */
static bool keeps_prior(const covey_promises *promises)
{
    bool any = false, all = true;

    for (size_t i = 0; i < promises->n; i++) {
        const bool is_prior = (covey_i_promise_traits(&promises->promise[i]) & COVEY_MODEL_PRIOR) != 0;

        any |= is_prior;
        all &= is_prior || promises->promise[i].view < 0;
    }
    return any && all;
}

static int64_t lower_cap(const covey_bound *b, uint32_t value, int64_t size, int64_t cap)
{
    const covey_promises *promises = &b->problem->promises;

    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].view == b->needs.view) {
            const int64_t most = implied_most(&promises->promise[i], value, size);

            cap = most < cap ? most : cap;
        }
    return cap;
}

static int64_t most_rows(const covey_bound *b, uint32_t value, int64_t size)
{
    int64_t cap = size, need = 0;

    covey_i_promises_bounds_of(&b->problem->promises, b->needs.view, size, &value, 1, &cap, &need);
    return lower_cap(b, value, size, cap);
}

/* The least class with a row of a value; more rows than there are: none. */
static int64_t least_size(const covey_bound *b, uint32_t value)
{
    int64_t low = b->needs.rows - 1, high = (int64_t)b->problem->n_rows + 1;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (most_rows(b, value, middle) >= 1)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* How many rows the classes of all rows have at least, summed up, by what is asked of a view; 0: nothing is. */
static covey_i128 rows_asked(covey_bound *b, int view)
{
    const covey_promises *promises = &b->problem->promises;
    covey_bound_needs *needs = &b->needs;
    const covey_histogram *prior = promises->view[view].prior;
    const bool is_bounded = prior->n_values <= MOST_VALUES && has_bounds(promises, view);
    covey_i128 sum = 0;

    ask_of(needs, promises, view);
    if (!is_bounded && needs->distinct <= 1)
        return 0;
    if (!is_bounded || needs->rows > b->problem->n_rows)
        return (covey_i128)prior->total * needs->rows;
    for (uint32_t v = 0; v < prior->n_values; v++)
        sum += (covey_i128)prior->count[v] * least_size(b, v);
    return sum;
}

/* The view whose values, or number of values, ask for most rows; -1: none asks for any. */
static int choose_view(covey_bound *b)
{
    const covey_promises *promises = &b->problem->promises;
    covey_i128 most = 0;
    int64_t distinct = 0;
    int view = -1;

    for (size_t v = 0; v < promises->n_views; v++) {
        const covey_i128 asked = rows_asked(b, (int)v);

        if (asked > most || (asked == most && b->needs.distinct > distinct)) {
            most = asked;
            distinct = b->needs.distinct;
            view = (int)v;
        }
    }
    return view;
}

/* The largest share that a class of any size may have of a value, in units of `rows` rows, rounded up.  Bounds do not
 * shrink as the size grows, so sizes above `low` up to `size` have no larger share than cap(size) / (low + 1). */
static void raise_most(covey_bound *b, int64_t low, int64_t size, int64_t *cap, int64_t *need)
{
    const covey_bound_needs *needs = &b->needs;

    for (uint32_t v = 0; v < needs->n_values; v++) {
        cap[v] = size;
        need[v] = 0;
    }
    covey_i_promises_bounds(&b->problem->promises, needs->view, size, cap, need);
    for (uint32_t v = 0; v < needs->n_values; v++) {
        const __int128 all = (__int128)needs->rows * COVEY_BOUND_UNIT;
        const int64_t most = lower_cap(b, v, size, cap[v]);
        const __int128 share = most > 0 ? (all * most + low) / (low + 1) : 0;

        if (share > needs->most[v])
            needs->most[v] = (int64_t)(share < all ? share : all);
    }
}

static covey_status find_shares(covey_bound *b, covey_error *err)
{
    covey_bound_needs *needs = &b->needs;
    int64_t *cap = covey_arena_array(&b->arena, int64_t, needs->n_values),
            *need = covey_arena_array(&b->arena, int64_t, needs->n_values);
    const int64_t most = MOST_BOUNDS / (int64_t)needs->n_values, step = most > LEAST_STEP ? most : LEAST_STEP;

    if (!cap || !need)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < needs->n_values; v++) {
        needs->most[v] = 0;
        needs->need[v] = least_size(b, v);
    }
    for (int64_t low = needs->rows - 1, size; low < b->problem->n_rows; low = size) {
        size = low + 1 + low / step;
        if (size > b->problem->n_rows)
            size = b->problem->n_rows;
        raise_most(b, low, size, cap, need);
    }
    for (uint32_t v = 0; v < needs->n_values; v++)
        needs->has_shares |= needs->most[v] < needs->rows * COVEY_BOUND_UNIT;
    return COVEY_OK;
}

covey_status covey_i_bound_needs_find(covey_bound *b, covey_error *err)
{
    const covey_promises *promises = &b->problem->promises;
    covey_bound_needs *needs = &b->needs;

    *needs = (covey_bound_needs){0};
    ask_of(needs, promises, choose_view(b));
    needs->n_values = needs->view < 0 ? 1 : promises->view[needs->view].prior->n_values;
    needs->keeps_prior = keeps_prior(promises);
    if (needs->rows > b->problem->n_rows)
        needs->rows = (int64_t)b->problem->n_rows + 1; /* no class has so many */
    needs->need = covey_arena_array(&b->arena, int64_t, needs->n_values);
    needs->most = covey_arena_array(&b->arena, int64_t, needs->n_values);
    if (!needs->need || !needs->most)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < needs->n_values; v++) {
        needs->need[v] = needs->rows;
        needs->most[v] = needs->rows * COVEY_BOUND_UNIT;
    }
    if (needs->view >= 0 && needs->n_values <= MOST_VALUES && needs->rows <= b->problem->n_rows &&
        has_bounds(promises, needs->view))
        return find_shares(b, err);
    return COVEY_OK;
}
