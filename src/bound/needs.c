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

/* A view whose values are bounded, or else one of which different values are asked for. */
static int choose_view(const covey_promises *promises)
{
    int view = -1;

    for (size_t v = promises->n_views; v-- > 0;)
        if (promises->view[v].prior->n_values <= MOST_VALUES && covey_i_promises_have_bounds(promises, (int)v))
            view = (int)v;
    for (size_t i = 0; view < 0 && i < promises->n; i++)
        if (promises->promise[i].view >= 0 && promises->promise[i].model->least_distinct)
            view = promises->promise[i].view;
    return view;
}

static void find_distinct(covey_bound_needs *needs, const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const int64_t l = promise->view == needs->view && promise->model->least_distinct
                              ? promise->model->least_distinct(promise->state)
                              : 1;

        if (l > needs->distinct)
            needs->distinct = l;
    }
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

static int64_t most_rows(const covey_bound *b, uint32_t value, int64_t size)
{
    int64_t cap = size, need = 0;

    covey_i_promises_bounds_of(&b->problem->promises, b->needs.view, size, &value, 1, &cap, &need);
    return cap;
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
        const __int128 share = cap[v] > 0 ? (all * cap[v] + low) / (low + 1) : 0;

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

    *needs = (covey_bound_needs){.rows = covey_i_promises_min_size(promises), .distinct = 1};
    needs->view = choose_view(promises);
    needs->n_values = needs->view < 0 ? 1 : promises->view[needs->view].prior->n_values;
    needs->keeps_prior = keeps_prior(promises);
    if (needs->view >= 0)
        find_distinct(needs, promises);
    if (needs->rows < needs->distinct)
        needs->rows = needs->distinct;
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
        covey_i_promises_have_bounds(promises, needs->view))
        return find_shares(b, err);
    return COVEY_OK;
}
