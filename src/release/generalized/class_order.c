/* Sorting classes by what they publish, and joining those that publish the same. */
#include "release/generalized/class_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "base/sort/keys.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { FEW_CLASSES = 4096 }; /* not worth a thread */

/* The codes that are compared: two for each axis, of all classes one after another. */
struct keys {
    const covey_class_list *list;
    covey_sort_key *key; /* [2 * n_axes] */
};

bool covey_i_class_order_needs_rows(const covey_problem *problem)
{
    for (size_t a = 0; a < problem->n_axes; a++)
        if (problem->axis[a].kind == COVEY_AXIS_FLAT)
            return true;
    return false;
}

/* Rank of every node's cell by bytes: the order in which a reader who has only the cells can sort them. */
static covey_status rank_cells(uint32_t **out, const covey_axis *axis, covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(axis->tree);
    uint32_t n = covey_hierarchy_n_nodes(axis->tree);
    const char **cell = covey_arena_array(arena, const char *, n), **sorted = covey_arena_array(arena, const char *, n);
    uint32_t *rank = covey_arena_array(arena, uint32_t, n);
    bool complete = cell && sorted && rank;

    for (uint32_t i = 0; i < n && complete; i++) {
        covey_text text = COVEY_TEXT_INIT;

        covey_i_axis_print(&text, axis, node[i].first_leaf, node[i].first_leaf + node[i].n_leaves - 1, NULL, 0);
        cell[i] = sorted[i] = covey_i_text_keep(&text, arena);
        complete = cell[i] != NULL;
    }
    if (!complete)
        return covey_i_no_memory(err);
    qsort(sorted, n, sizeof *sorted, covey_i_compare_strings);
    for (uint32_t i = 0; i < n; i++) {
        rank[i] =
            (uint32_t)((const char **)bsearch(&cell[i], sorted, n, sizeof *sorted, covey_i_compare_strings) - sorted);
        while (rank[i] > 0 && strcmp(sorted[rank[i] - 1], cell[i]) == 0) /* equal cells: the first one's rank */
            rank[i]--;
    }
    *out = rank;
    return COVEY_OK;
}

/* Does the class hold more values than a cell names?  seen: [n_values], a mark of the class's own. */
static bool is_too_wide(const covey_axis *axis, const covey_class_list *list, uint32_t c, uint32_t *seen)
{
    uint32_t n_present = 0;

    for (uint32_t i = list->start[c]; i < list->start[c + 1] && n_present <= COVEY_AXIS_MOST_ELEMENTS; i++) {
        uint32_t code = covey_i_code(axis->column, list->rows[i]);

        n_present += seen[code] != c + 1;
        seen[code] = c + 1;
    }
    return n_present > COVEY_AXIS_MOST_ELEMENTS;
}

/* The same of a region. */
static bool names_too_many(const covey_class_list *list, size_t a, uint32_t low, uint32_t high)
{
    return !list->shown || covey_i_shown_codes_count(list->shown, a, low, high) > COVEY_AXIS_MOST_ELEMENTS;
}

/* A set is compared by its first and last value, and * comes before all sets, because it does not say which values it
 * holds. */
static covey_status fill_set_keys(uint32_t *first, uint32_t *last, const covey_class_list *list, size_t a,
                                  covey_arena *arena, covey_error *err)
{
    const covey_axis *axis = &list->problem->axis[a];
    const size_t d = list->problem->n_axes;
    uint32_t *seen = covey_arena_array_zero(arena, uint32_t, axis->n_values);

    if (!seen)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < list->n; c++) {
        const uint32_t lo = list->low[c * d + a], hi = list->high[c * d + a];
        const bool is_star = hi - lo >= COVEY_AXIS_MOST_ELEMENTS &&
                             (list->has_regions ? names_too_many(list, a, lo, hi) : is_too_wide(axis, list, c, seen));

        first[c] = is_star ? 0 : lo + 1;
        last[c] = is_star ? axis->n_values + 1 : hi + 1;
    }
    return COVEY_OK;
}

/* The codes that the published cell stands for: of a label all its leaves, of * the whole domain. */
static void fill_keys(uint32_t *first, uint32_t *last, const covey_class_list *list, size_t a, const uint32_t *rank)
{
    const covey_axis *axis = &list->problem->axis[a];
    const size_t d = list->problem->n_axes;

    for (uint32_t c = 0; c < list->n; c++) {
        uint32_t lo = list->low[c * d + a], hi = list->high[c * d + a];

        if (axis->kind == COVEY_AXIS_TREE) {
            uint32_t node = covey_hierarchy_lca(axis->tree, lo, hi);
            const covey_node *facts = &covey_hierarchy_nodes(axis->tree)[node];

            lo = rank ? rank[node] : facts->first_leaf;
            hi = rank ? 0 : facts->first_leaf + facts->n_leaves - 1;
        } else if (axis->kind == COVEY_AXIS_RANGE && lo == 0 && hi > 0 && axis->column->has_null) {
            hi = axis->n_values - 1;
        }
        first[c] = lo;
        last[c] = hi;
    }
}

/* What filling the keys of an axis takes. */
struct filling {
    const covey_class_list *list;
    uint32_t **first, **last, **rank; /* [n_axes]; first: NULL: filled already */
};

static covey_status fill_axis(void *context, size_t a, covey_error *err)
{
    const struct filling *f = context;

    if (f->first[a])
        fill_keys(f->first[a], f->last[a], f->list, a, f->rank[a]);
    return COVEY_OK;
}

static covey_status make_keys(struct keys *keys, const covey_class_list *list, covey_arena *arena, const covey_run *run,
                              covey_error *err)
{
    const size_t d = list->problem->n_axes;
    struct filling f = {list, covey_arena_array_zero(arena, uint32_t *, d),
                        covey_arena_array_zero(arena, uint32_t *, d), covey_arena_array_zero(arena, uint32_t *, d)};

    *keys = (struct keys){list, covey_arena_array(arena, covey_sort_key, 2 * d)};
    if (!keys->key || !f.first || !f.last || !f.rank)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &list->problem->axis[a];
        uint32_t *first = covey_arena_array(arena, uint32_t, list->n),
                 *last = covey_arena_array(arena, uint32_t, list->n);
        uint32_t n_values = axis->n_values;

        if (!first || !last)
            return covey_i_no_memory(err);
        if (axis->kind == COVEY_AXIS_FLAT) {
            n_values += 2;
            COVEY_TRY(fill_set_keys(first, last, list, a, arena, err));
        } else {
            if (axis->kind == COVEY_AXIS_TREE && covey_hierarchy_is_from_data(axis->tree)) {
                covey_axis labelled = *axis;

                labelled.shown_level = list->label_level ? list->label_level[a] : 0;
                COVEY_TRY(rank_cells(&f.rank[a], &labelled, arena, err));
                n_values = covey_hierarchy_n_nodes(axis->tree);
            }
            f.first[a] = first;
            f.last[a] = last;
        }
        keys->key[2 * a] = (covey_sort_key){.codes = first, .width = sizeof *first, .n_values = n_values};
        keys->key[2 * a + 1] = (covey_sort_key){.codes = last, .width = sizeof *last, .n_values = n_values};
    }
    return covey_i_parallel(list->n < FEW_CLASSES ? 1 : covey_run_threads(run), d, fill_axis, &f, err);
}

static bool equal_keys(const struct keys *keys, uint32_t x, uint32_t y)
{
    for (size_t k = 0; k < 2 * keys->list->problem->n_axes; k++)
        if (((const uint32_t *)keys->key[k].codes)[x] != ((const uint32_t *)keys->key[k].codes)[y])
            return false;
    return true;
}

/* Marks the values of a class on an axis; returns how many were not marked so yet. */
static uint32_t mark_values(uint8_t *mark, const covey_axis *axis, const covey_class_list *o, uint32_t c, uint8_t value)
{
    uint32_t n = 0;

    for (uint32_t i = o->start[c]; i < o->start[c + 1]; i++) {
        uint8_t *m = &mark[covey_i_code(axis->column, o->rows[i])];

        n += *m != value;
        *m = value;
    }
    return n;
}

/* Do two classes hold the same values?  mark: all zero, before and after. */
static bool same_values(uint8_t *mark, const covey_axis *axis, const covey_class_list *o, uint32_t x, uint32_t y)
{
    const uint32_t n_x = mark_values(mark, axis, o, x, 1), n_y = mark_values(mark, axis, o, y, 2);
    const bool x_has_more = mark_values(mark, axis, o, x, 2) > 0; /* values that y left at 1 */

    mark_values(mark, axis, o, x, 0);
    mark_values(mark, axis, o, y, 0);
    return n_x == n_y && !x_has_more;
}

/* Do two classes with equal keys publish the same cells?  mark: see same_values. */
static bool same_cells(uint8_t *mark, const struct keys *keys, uint32_t x, uint32_t y)
{
    const covey_class_list *list = keys->list;
    const size_t d = list->problem->n_axes;

    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &list->problem->axis[a];
        const uint32_t *low = list->low, *high = list->high;

        if (axis->kind == COVEY_AXIS_TREE && covey_hierarchy_lca(axis->tree, low[x * d + a], high[x * d + a]) !=
                                                 covey_hierarchy_lca(axis->tree, low[y * d + a], high[y * d + a]))
            return false;
        if (axis->kind == COVEY_AXIS_FLAT && !list->has_regions &&
            ((const uint32_t *)keys->key[2 * a].codes)[x] > 0 && /* not * */
            !same_values(mark, axis, list, x, y))
            return false;
    }
    return true;
}

/* Classes that look alike are one, but where a promise would not hold of both together. */
static bool keeps_apart(const covey_problem *problem)
{
    return covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_INVARIANT;
}

/* Gives classes their places; by_key: the list's classes, sorted. */
static covey_status find_places(covey_class_order *order, const struct keys *keys, const uint32_t *by_key,
                                covey_arena *arena, covey_error *err)
{
    const covey_class_list *list = keys->list;
    uint32_t *leader = covey_arena_array(arena, uint32_t, list->n); /* by place, one of the classes that stand there */
    uint32_t first = 0, largest = 1;                                /* first: place of the first class with this key */
    const bool none_joins = keeps_apart(list->problem);
    uint8_t *mark;

    for (size_t a = 0; a < list->problem->n_axes; a++)
        if (list->problem->axis[a].kind == COVEY_AXIS_FLAT && list->problem->axis[a].n_values > largest)
            largest = list->problem->axis[a].n_values;
    if (!leader || !(mark = covey_arena_array_zero(arena, uint8_t, largest)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < list->n; i++) {
        const uint32_t c = by_key[i];
        uint32_t at;

        if (i > 0 && !equal_keys(keys, by_key[i - 1], c))
            first = order->n;
        /* one comparison, unless sets with equal ends differ */
        for (at = none_joins ? order->n : first; at < order->n && !same_cells(mark, keys, leader[at], c);)
            at++;
        if (at == order->n) {
            leader[at] = c;
            order->tied[at] = at > first;
            order->n++;
        }
        order->place[c] = at;
    }
    return COVEY_OK;
}

covey_status covey_i_class_order(covey_class_order *order, const covey_class_list *list, covey_arena *arena,
                                 const covey_run *run, covey_error *err)
{
    covey_arena scratch = COVEY_ARENA_INIT;
    uint32_t *by_key = covey_arena_array(&scratch, uint32_t, list->n);
    struct keys keys;
    covey_status status;

    *order =
        (covey_class_order){0, covey_arena_array(arena, uint32_t, list->n), covey_arena_array(arena, bool, list->n)};
    if (!by_key || !order->place || !order->tied) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (uint32_t c = 0; c < list->n; c++)
        by_key[c] = c;
    if ((status = make_keys(&keys, list, &scratch, run, err)) == COVEY_OK &&
        (status = covey_i_sort_rows_by_keys(by_key, list->n, keys.key, 2 * list->problem->n_axes, run, err)) ==
            COVEY_OK)
        status = find_places(order, &keys, by_key, &scratch, err);
done:
    covey_arena_free(&scratch);
    return status;
}

covey_status covey_i_class_keys(uint32_t **out, const covey_class_list *list, covey_arena *arena, covey_error *err)
{
    static const covey_run alone = {.n_threads = 1};
    const size_t n_keys = 2 * list->problem->n_axes;
    uint32_t *key = covey_arena_array(arena, uint32_t, list->n * n_keys);
    covey_arena scratch = COVEY_ARENA_INIT;
    struct keys keys;
    covey_status status = key ? make_keys(&keys, list, &scratch, &alone, err) : covey_i_no_memory(err);

    for (size_t k = 0; status == COVEY_OK && k < n_keys; k++)
        for (uint32_t c = 0; c < list->n; c++)
            key[c * n_keys + k] = ((const uint32_t *)keys.key[k].codes)[c];
    covey_arena_free(&scratch);
    if (status == COVEY_OK)
        *out = key;
    return status;
}
