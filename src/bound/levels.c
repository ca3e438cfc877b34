/* The levels of an axis: partitions of its codes into blocks such that whatever range a class has, some block holds it
 * and loses no more.  Trees: the nodes of one height.  Sets: each value, and all.  Numbers that are not searched by
 * windows: blocks of double widths, each width twice, shifted by half a block; what is at most as wide as the half lies
 * in one of both. */
#include "bound/search.h"

#include <string.h>

#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"

enum { MOST_LEVELS = 255 };

struct making {
    covey_bound *b;
    const covey_axis *axis;
    covey_bound_axis *out;
    uint32_t *before; /* [n_values + 1] codes below that occur */
};

/* num / den of the axis, of the whole; rounded down. */
static int64_t scaled(const covey_axis *axis, int64_t num)
{
    const __int128 share = (__int128)num * COVEY_BOUND_ONE / axis->loss_den;

    return (int64_t)(share * axis->weight.num / axis->weight.den);
}

static bool occurs(const struct making *m, uint32_t code)
{
    return m->before[code + 1] > m->before[code];
}

static covey_bound_level *begin_level(struct making *m)
{
    covey_bound_level *level = &m->out->level[m->out->n_levels];
    const uint32_t n = m->axis->n_values;

    level->least = INT64_MAX;
    level->block = covey_arena_array(&m->b->arena, uint32_t, n);
    level->loss = covey_arena_array_zero(&m->b->arena, int64_t, n);
    if (!level->block || !level->loss)
        return NULL;
    memset(level->block, 0xff, n * sizeof *level->block);
    return level;
}

/* Levels that say nothing are left out. */
static void end_level(struct making *m)
{
    covey_bound_level *level = &m->out->level[m->out->n_levels], last = *level;
    size_t at = m->out->n_levels;

    for (uint32_t c = 0; c < m->axis->n_values; c++)
        if (level->block[c] != COVEY_BOUND_NO_BLOCK && occurs(m, c) && level->loss[c] < level->least)
            level->least = level->loss[c];
    if (level->least == INT64_MAX)
        return;
    last.least = level->least;
    for (; at > 0 && m->out->level[at - 1].least > last.least; at--)
        m->out->level[at] = m->out->level[at - 1];
    m->out->level[at] = last;
    m->out->n_levels++;
}

static bool add_values(struct making *m)
{
    covey_bound_level *level = begin_level(m);

    if (!level)
        return false;
    for (uint32_t c = 0; c < m->axis->n_values; c++)
        level->block[c] = c;
    end_level(m);
    return true;
}

/* Codes from first on in one block. */
static bool add_all(struct making *m, uint32_t first, int64_t loss)
{
    covey_bound_level *level;

    if (m->before[m->axis->n_values] - m->before[first] < 2)
        return true;
    if (!(level = begin_level(m)))
        return false;
    for (uint32_t c = first; c < m->axis->n_values; c++) {
        level->block[c] = 0;
        level->loss[c] = loss;
    }
    end_level(m);
    return true;
}

/* --- trees --- */

/* Is a node the lowest one over all its leaves that occur? */
static bool is_needed(const struct making *m, uint32_t node)
{
    const covey_node *facts = &covey_hierarchy_nodes(m->axis->tree)[node];
    uint32_t low = facts->first_leaf, high = facts->first_leaf + facts->n_leaves - 1;

    while (low < high && !occurs(m, low))
        low++;
    while (low < high && !occurs(m, high))
        high--;
    return low < high && covey_hierarchy_lca(m->axis->tree, low, high) == node;
}

/* at: [n_values] the highest node of a height below this one; receives that of this one. */
static bool add_height(struct making *m, int32_t height, uint32_t *at, const bool *needed)
{
    const covey_node *node = covey_hierarchy_nodes(m->axis->tree);
    covey_bound_level *level = begin_level(m);

    if (!level)
        return false;
    for (uint32_t c = 0; c < m->axis->n_values; c++) {
        while (at[c] != 0 && node[node[at[c]].parent].height <= height)
            at[c] = node[at[c]].parent;
        if (node[at[c]].height != height || !needed[at[c]])
            continue;
        level->block[c] = at[c];
        level->loss[c] = scaled(m->axis, node[at[c]].n_leaves);
    }
    end_level(m);
    return true;
}

static bool add_tree(struct making *m)
{
    const covey_hierarchy *tree = m->axis->tree;
    const uint32_t n_nodes = covey_hierarchy_n_nodes(tree);
    const covey_node *node = covey_hierarchy_nodes(tree);
    uint32_t *at = covey_arena_array(&m->b->arena, uint32_t, m->axis->n_values);
    bool *needed = covey_arena_array_zero(&m->b->arena, bool, n_nodes);
    bool made = true;

    if (!at || !needed)
        return false;
    if (node[0].height >= MOST_LEVELS)
        return add_all(m, 0, scaled(m->axis, 2)); /* no inner node loses less */
    for (uint32_t i = 0; i < n_nodes; i++)
        needed[i] = node[i].n_leaves > 1 && is_needed(m, i);
    for (uint32_t c = 0; c < m->axis->n_values; c++)
        at[c] = covey_hierarchy_leaf_node(tree, c);
    for (int32_t height = 1; made && height <= node[0].height; height++)
        made = add_height(m, height, at, needed);
    return made;
}

/* --- numbers --- */

/* Blocks of 2 * half, the first of which begins at the least number less shift. */
static bool add_blocks(struct making *m, uint32_t first, int64_t half, int64_t shift, int64_t loss)
{
    const int64_t *number = m->axis->column->number;
    covey_bound_level *level = begin_level(m);
    const uint32_t n = m->axis->n_values;

    if (!level)
        return false;
    for (uint32_t c = first, end; c < n; c = end) {
        const uint64_t block = ((uint64_t)(number[c] - number[first]) + (uint64_t)shift) / ((uint64_t)half * 2);

        for (end = c;
             end < n && ((uint64_t)(number[end] - number[first]) + (uint64_t)shift) / ((uint64_t)half * 2) == block;)
            end++;
        for (uint32_t i = c; i < end && m->before[end] - m->before[c] > 1; i++) {
            level->block[i] = c;
            level->loss[i] = loss;
        }
    }
    end_level(m);
    return true;
}

static bool add_numbers(struct making *m)
{
    const covey_column *column = m->axis->column;
    const uint32_t n = m->axis->n_values, first = column->has_null ? 1 : 0;
    int64_t least = INT64_MAX, half, known;

    if (m->before[n] - m->before[first] > 1) {
        const int64_t span = column->number[n - 1] - column->number[first];

        for (uint32_t c = first, last = UINT32_MAX; c < n; c++)
            if (occurs(m, c)) {
                if (last != UINT32_MAX && column->number[c] - column->number[last] < least)
                    least = column->number[c] - column->number[last];
                last = c;
            }
        half = known = least;
        for (; half < span / 2; half *= 2) {
            if (!add_blocks(m, first, half, 0, scaled(m->axis, known)) ||
                !add_blocks(m, first, half, half, scaled(m->axis, known)))
                return false;
            known = half + 1;
        }
        if (!add_all(m, first, scaled(m->axis, known)))
            return false;
    }
    return !first || !occurs(m, 0) || add_all(m, 0, scaled(m->axis, m->axis->loss_den));
}

/* --- all axes --- */

static bool count_codes(struct making *m, const uint32_t *code)
{
    const uint32_t n = m->axis->n_values;

    if (!(m->before = covey_arena_array_zero(&m->b->arena, uint32_t, (size_t)n + 1)))
        return false;
    for (uint32_t i = 0; i < m->b->n; i++)
        m->before[code[i] + 1] = 1;
    for (uint32_t c = 0; c < n; c++)
        m->before[c + 1] += m->before[c];
    return true;
}

static bool make_window(covey_bound *b, const covey_axis *axis, covey_bound_axis *out)
{
    const covey_column *column = axis->column;
    const uint32_t first = column->has_null ? 1 : 0;
    covey_bound_level *level = &out->level[0];

    out->n_levels = 1;
    *level = (covey_bound_level){.block = covey_arena_array_zero(&b->arena, uint32_t, axis->n_values),
                                 .loss = covey_arena_array_zero(&b->arena, int64_t, axis->n_values)};
    b->place = covey_arena_array_zero(&b->arena, int64_t, axis->n_values);
    if (!level->block || !level->loss || !b->place)
        return false;
    for (uint32_t c = first; c < axis->n_values; c++)
        b->place[c] = scaled(axis, column->number[c] - column->number[first]);
    b->window_has_null = column->has_null;
    b->window_loss = scaled(axis, axis->loss_den);
    return true;
}

static bool make_axis(struct making *m, bool is_window)
{
    if (!(m->out->level = covey_arena_array_zero(&m->b->arena, covey_bound_level, MOST_LEVELS)))
        return false;
    if (is_window)
        return make_window(m->b, m->axis, m->out);
    if (!add_values(m))
        return false;
    switch (m->axis->kind) {
    case COVEY_AXIS_TREE:
        return add_tree(m);
    case COVEY_AXIS_RANGE:
        return add_numbers(m);
    case COVEY_AXIS_FLAT:
        return add_all(m, 0, scaled(m->axis, m->axis->loss_den));
    }
    return false;
}

covey_status covey_i_bound_levels(covey_bound *b, covey_error *err)
{
    const covey_problem *problem = b->problem;

    if (!(b->axis = covey_arena_array_zero(&b->arena, covey_bound_axis, problem->n_axes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        struct making m = {b, &problem->axis[a], &b->axis[a], NULL};

        if (!count_codes(&m, b->code[a]) || !make_axis(&m, (int)a == b->window))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}
