/* What lots are made of, whichever way: room for them, kinds, and rows in order. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "method/peel/table.h"
#include "table/column_key.h"

covey_status covey_i_peel_lots_reserve(covey_peel_table *t, uint32_t n, bool single, covey_error *err)
{
    covey_i_peel_lots_clear(t);
    t->cell = covey_i_array(n, sizeof *t->cell);
    t->kind = covey_i_array(n, sizeof *t->kind);
    t->alike = covey_i_array(n, sizeof *t->alike);
    t->first = single ? NULL : covey_i_array(n, sizeof *t->first);
    t->size = single ? NULL : covey_i_array(n, sizeof *t->size);
    t->n_lots = t->n_whole = t->lots_capacity = n;
    if (!t->cell || !t->kind || !t->alike || (!single && (!t->first || !t->size)))
        return covey_i_no_memory(err);
    return COVEY_OK;
}

void covey_i_peel_lots_clear(covey_peel_table *t)
{
    covey_i_free(t->cell);
    covey_i_free(t->kind);
    covey_i_free(t->alike);
    covey_i_free(t->first);
    covey_i_free(t->size);
    t->cell = t->kind = t->alike = t->first = t->size = NULL;
}

/* Appends the axes and the views that promises look at. */
static size_t add_own_keys(covey_sort_key *key, const covey_peel_table *t)
{
    size_t n = 0;

    for (size_t a = 0; a < t->n_axes; a++)
        key[n++] = covey_i_column_key(t->problem->axis[a].column);
    for (size_t v = 0; v < t->n_used; v++)
        key[n++] = covey_i_column_key(t->problem->promises.view[t->used[v]].column);
    return n;
}

covey_status covey_i_peel_sort_rows(uint32_t *rows, uint32_t n, const covey_peel_table *t, bool by_content,
                                    const covey_run *run, covey_error *err)
{
    const covey_problem *problem = t->problem;
    covey_sort_key *key = covey_i_array(t->n_axes + t->n_used + problem->n_fields, sizeof *key);
    covey_status status;
    size_t n_keys;

    if (!key)
        return covey_i_no_memory(err);
    n_keys = add_own_keys(key, t);
    if (by_content)
        n_keys += covey_i_problem_content_keys(key + n_keys, problem);
    status = covey_i_sort_rows_by_keys(rows, n, key, n_keys, run, err);
    covey_i_free(key);
    return status;
}

covey_status covey_i_peel_kinds_new(covey_peel_table *t, covey_arena *arena, covey_error *err)
{
    uint32_t *value;

    t->n_kinds = t->n_used == 1 ? t->problem->promises.view[t->used[0]].column->n_values : 1;
    if (!(value = covey_arena_array(arena, uint32_t, t->n_kinds)))
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < t->n_kinds; v++)
        value[v] = v;
    t->value = value;
    return COVEY_OK;
}
