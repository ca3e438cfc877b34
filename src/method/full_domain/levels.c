/* The levels of every quasi-identifier: which label each code bears there, and what the labels lose.
 *
 * A hierarchy gives the levels of its file, also those that repeat each other: heights and paths through the lattice
 * are the file's. A number without one gets a ladder of widths, a category without one its values and then *. */
#include "method/full_domain/full_domain.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

enum { WIDTHS = 7 }; /* rungs of a number's ladder between its values and its whole domain, at most */

static const covey_hierarchy *tree_of(const covey_problem *problem, size_t axis)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].axis == (int)axis && problem->field[f].tree)
            return problem->field[f].tree;
    return problem->axis[axis].tree;
}

/* The leaf of a tree that a code stands for.  A number that is published as a range keeps the codes of its values. */
static uint32_t leaf_of(const covey_axis *axis, const covey_hierarchy *tree, uint32_t code)
{
    uint32_t node;

    if (axis->kind == COVEY_AXIS_TREE)
        return code;
    node = covey_hierarchy_find(tree, covey_column_label(axis->column, code));
    return node == UINT32_MAX ? UINT32_MAX : covey_hierarchy_nodes(tree)[node].leaf;
}

/* Rungs of a number's ladder: values, then widths that double, aligned at 0, then everything. */
int64_t covey_i_full_domain_first_width(int *n_widths, const covey_axis *axis, uint32_t low, uint32_t end)
{
    const covey_column *column = axis->column;
    int64_t width = 2 * covey_i_column_unit(column), span;

    *n_widths = 0;
    if (end <= low + 1 || __builtin_sub_overflow(column->number[end - 1], column->number[low], &span))
        return 1;
    while (span / width >= (int64_t)1 << WIDTHS)
        width *= 2;
    for (int64_t w = width; w <= span && *n_widths < WIDTHS; w *= 2)
        ++*n_widths;
    return width;
}

/* A number per code that is the same for codes under the same label. */
static uint64_t raw_label(const covey_axis *axis, const covey_hierarchy *tree, uint32_t leaf, uint32_t code, int level,
                          int n_levels, int64_t width)
{
    if (level == 0)
        return code;
    if (tree)
        return leaf == UINT32_MAX ? UINT32_MAX : covey_hierarchy_ancestor(tree, leaf, level);
    if (level == n_levels - 1)
        return 0;
    if (axis->column->has_null && code == 0)
        return UINT64_MAX;
    return (uint64_t)covey_i_full_domain_rung(axis->column->number[code], width << (level - 1)) + ((uint64_t)1 << 62);
}

static double loss_of(const covey_axis *axis, const covey_hierarchy *tree, uint32_t leaf, uint32_t low, uint32_t high,
                      int level)
{
    if (low == high && (level == 0 || !tree))
        return 0;
    if (axis->kind == COVEY_AXIS_TREE) {
        const covey_node *node = covey_hierarchy_nodes(tree);
        const uint32_t all = node[0].n_leaves, own = node[covey_hierarchy_ancestor(tree, leaf, level)].n_leaves;

        return all > 1 ? (double)(own - 1) / (all - 1) : 0;
    }
    return (double)covey_i_axis_loss(axis, low, high) / (double)axis->loss_den;
}

/* Gives the codes labels 0, 1, ... in the order of their first code.  slot: a table of raw labels. */
static covey_status make_labels(covey_lattice_level *out, const covey_axis *axis, const covey_hierarchy *tree,
                                int level, int n_levels, int64_t width, covey_arena *arena, covey_error *err)
{
    const uint32_t n = axis->n_values;
    size_t n_slots = 16;
    uint64_t *raw;
    uint32_t *slot;
    covey_arena_mark mark;

    while (n_slots < 2 * (size_t)n)
        n_slots *= 2;
    if (!(out->label = covey_arena_array(arena, uint32_t, n)))
        return covey_i_no_memory(err);
    mark = covey_arena_save(arena);
    raw = covey_arena_array(arena, uint64_t, n);
    slot = covey_arena_array_zero(arena, uint32_t, n_slots);
    if (!raw || !slot)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < n; c++) {
        const uint64_t own = raw_label(axis, tree, tree ? leaf_of(axis, tree, c) : 0, c, level, n_levels, width);
        size_t at = (own * 0x9e3779b97f4a7c15u) >> 20 & (n_slots - 1);

        while (slot[at] != 0 && raw[slot[at] - 1] != own)
            at = (at + 1) & (n_slots - 1);
        if (slot[at] == 0) {
            raw[out->n_labels++] = own;
            slot[at] = out->n_labels;
        }
        out->label[c] = slot[at] - 1;
    }
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

static covey_status measure_labels(covey_lattice_level *out, const covey_axis *axis, const covey_hierarchy *tree,
                                   int level, const uint32_t *count, uint32_t n_rows, covey_arena *arena,
                                   covey_error *err)
{
    uint32_t *low, *high;
    int64_t *rows;
    covey_arena_mark mark;

    out->loss = covey_arena_array_zero(arena, double, out->n_labels);
    out->entropy = covey_arena_array_zero(arena, double, out->n_labels);
    mark = covey_arena_save(arena);
    low = covey_arena_array(arena, uint32_t, out->n_labels);
    high = covey_arena_array(arena, uint32_t, out->n_labels);
    rows = covey_arena_array_zero(arena, int64_t, out->n_labels);
    if (!out->loss || !out->entropy || !low || !high || !rows)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < axis->n_values; c++)
        if (count[c] > 0) {
            const uint32_t label = out->label[c];

            if (rows[label] == 0)
                low[label] = c;
            high[label] = c;
            rows[label] += count[c];
        }
    for (uint32_t l = 0; l < out->n_labels; l++)
        if (rows[l] > 0) {
            out->n_occurring++;
            out->loss[l] = loss_of(axis, tree, axis->kind == COVEY_AXIS_TREE ? low[l] : 0, low[l], high[l], level);
            out->entropy[l] = log2((double)n_rows / (double)rows[l]);
            out->total_loss += out->loss[l] * (double)rows[l];
        }
    for (uint32_t c = 0; c < axis->n_values; c++)
        if (count[c] > 0)
            out->total_entropy += count[c] * log2((double)rows[out->label[c]] / count[c]);
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

static covey_status make_attribute(covey_lattice_attribute *out, const covey_problem *problem, size_t a,
                                   const uint32_t *count, covey_arena *arena, covey_error *err)
{
    const covey_axis *axis = &problem->axis[a];
    const covey_hierarchy *tree = tree_of(problem, a);
    int64_t width = 1;

    out->axis = axis;
    out->n_codes = axis->n_values;
    if (tree) {
        out->n_levels = covey_hierarchy_n_levels(tree);
    } else if (axis->kind == COVEY_AXIS_RANGE) {
        width = covey_i_full_domain_first_width(&out->n_levels, axis, axis->column->has_null ? 1 : 0, axis->n_values);
        out->is_ladder = true;
        out->n_levels += 2;
    } else {
        out->n_levels = 2;
    }
    if (out->n_levels > COVEY_LATTICE_MOST_LEVELS)
        return covey_fail(err, COVEY_EINVAL,
                          "the hierarchy of column \"%s\" has %d levels; full-domain can use %d at most",
                          axis->column->name, out->n_levels, COVEY_LATTICE_MOST_LEVELS);
    if (!(out->level = covey_arena_array_zero(arena, covey_lattice_level, (size_t)out->n_levels)))
        return covey_i_no_memory(err);
    for (int l = 0; l < out->n_levels; l++) {
        COVEY_TRY(make_labels(&out->level[l], axis, tree, l, out->n_levels, width, arena, err));
        COVEY_TRY(measure_labels(&out->level[l], axis, tree, l, count, problem->n_rows, arena, err));
    }
    return COVEY_OK;
}

/* Where labels stand in keys: as many bits as level 0 needs, never across words. */
static void place_labels(covey_lattice *lattice)
{
    unsigned used = 0;
    uint64_t stride = 1;

    lattice->n_words = 1;
    for (size_t a = lattice->n_attributes; a-- > 0;) {
        covey_lattice_attribute *attribute = &lattice->attribute[a];
        unsigned bits = 1;

        while (bits < 32 && attribute->n_codes > (uint64_t)1 << bits)
            bits++;
        if (used + bits > 64) {
            lattice->n_words++;
            used = 0;
        }
        attribute->word = lattice->n_words - 1;
        attribute->shift = used;
        attribute->mask = ((uint64_t)1 << bits) - 1;
        used += bits;
        attribute->stride = (uint32_t)(stride < UINT32_MAX ? stride : 0);
        stride = stride > UINT32_MAX ? UINT64_MAX : stride * (uint64_t)attribute->n_levels;
        lattice->height += attribute->n_levels - 1;
    }
    lattice->n_nodes = stride;
}

covey_status covey_i_full_domain_levels_new(covey_lattice *lattice, covey_arena *arena, covey_error *err)
{
    const covey_problem *problem = lattice->problem;

    lattice->n_attributes = problem->n_axes;
    if (!(lattice->attribute = covey_arena_array_zero(arena, covey_lattice_attribute, problem->n_axes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_column *column = problem->axis[a].column;
        uint32_t *count = covey_arena_array_zero(arena, uint32_t, problem->axis[a].n_values);

        if (!count)
            return covey_i_no_memory(err);
        for (uint32_t r = 0; r < problem->n_rows; r++)
            count[covey_column_code(column, r)]++;
        COVEY_TRY(make_attribute(&lattice->attribute[a], problem, a, count, arena, err));
    }
    place_labels(lattice);
    return COVEY_OK;
}
