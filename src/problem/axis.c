/* What ranges of an axis publish and lose. */
#include "problem/axis.h"

#include <string.h>

#include "hierarchy/hierarchy_impl.h"

covey_status covey_i_axis_init(covey_axis *axis, covey_axis_kind kind, const covey_column *column,
                               const covey_hierarchy *tree, covey_error *err)
{
    uint32_t first = column->has_null ? 1 : 0;

    axis->kind = kind;
    axis->column = column;
    axis->tree = kind == COVEY_AXIS_TREE ? tree : NULL;
    axis->n_values = column->n_values;
    axis->loss_den = 1;
    axis->shown_level = 0;
    if (kind == COVEY_AXIS_TREE)
        axis->loss_den = covey_hierarchy_n_leaves(tree);
    if (kind != COVEY_AXIS_RANGE)
        return COVEY_OK;
    if (axis->domain_low > axis->domain_high && first >= column->n_values) {
        axis->domain_low = axis->domain_high = 0; /* every cell is missing: any domain will do */
    } else if (axis->domain_low > axis->domain_high) {
        axis->domain_low = column->number[first];
        axis->domain_high = column->number[column->n_values - 1];
    }
    if (__builtin_sub_overflow(axis->domain_high, axis->domain_low, &axis->loss_den))
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": its values lie too far apart for exact arithmetic",
                          column->name);
    if (axis->loss_den == 0)
        axis->loss_den = 1;
    return COVEY_OK;
}

int64_t covey_i_axis_loss(const covey_axis *axis, uint32_t low, uint32_t high)
{
    if (low == high)
        return 0;
    switch (axis->kind) {
    case COVEY_AXIS_FLAT:
        return axis->loss_den;
    case COVEY_AXIS_RANGE:
        if (low == 0 && axis->column->has_null)
            return axis->loss_den;
        return axis->column->number[high] - axis->column->number[low];
    case COVEY_AXIS_TREE: {
        uint32_t n = covey_hierarchy_nodes(axis->tree)[covey_hierarchy_lca(axis->tree, low, high)].n_leaves;

        return n == 1 ? 0 : n;
    }
    }
    return axis->loss_den;
}

void covey_i_axis_show_all(uint32_t *low, uint32_t *high, const void *axes, size_t a)
{
    const covey_axis *axis = (const covey_axis *)axes + a;
    const covey_node *node;

    if (axis->kind != COVEY_AXIS_TREE)
        return;
    node = &covey_hierarchy_nodes(axis->tree)[covey_hierarchy_lca(axis->tree, *low, *high)];
    *low = node->first_leaf;
    *high = node->first_leaf + node->n_leaves - 1;
}

/* Elements that would not survive being read back are quoted, see docs/manifest.md. */
static void print_element(covey_text *out, const char *label)
{
    size_t n = strlen(label);
    bool plain = n > 0 && label[0] != ' ' && label[n - 1] != ' ' && !strpbrk(label, ",\"{}");

    if (plain) {
        covey_i_text_add(out, label, n);
        return;
    }
    covey_i_text_add_char(out, '"');
    for (; *label; label++) {
        if (*label == '"')
            covey_i_text_add_char(out, '"');
        covey_i_text_add_char(out, *label);
    }
    covey_i_text_add_char(out, '"');
}

static void print_leaves(covey_text *out, const covey_axis *axis, uint32_t first, uint32_t n)
{
    covey_i_text_add_char(out, '{');
    for (uint32_t leaf = first; leaf < first + n; leaf++) {
        if (leaf > first)
            covey_i_text_add_string(out, ", ");
        print_element(out, covey_i_hierarchy_label_at(axis->tree, covey_hierarchy_leaf_node(axis->tree, leaf),
                                                      axis->shown_level)); /* as the hierarchy's file calls it */
    }
    covey_i_text_add_char(out, '}');
}

bool covey_i_axis_shows_leaves(const covey_axis *axis, uint32_t node)
{
    const char *label = covey_i_hierarchy_label_at(axis->tree, node, axis->shown_level);

    /* The root's * is the suppressed cell and means the same; anything else must be found again by its label. */
    return !(node == 0 && strcmp(label, "*") == 0) &&
           (covey_hierarchy_find(axis->tree, label) != node || covey_i_hierarchy_label_is_misleading(label));
}

static void print_tree(covey_text *out, const covey_axis *axis, uint32_t low, uint32_t high)
{
    uint32_t node = covey_hierarchy_lca(axis->tree, low, high);
    const covey_node *facts = &covey_hierarchy_nodes(axis->tree)[node];

    if (covey_i_axis_shows_leaves(axis, node))
        print_leaves(out, axis, facts->first_leaf, facts->n_leaves);
    else
        covey_i_text_add_string(out, covey_i_hierarchy_label_at(axis->tree, node, axis->shown_level));
}

static void print_set(covey_text *out, const covey_axis *axis, const uint32_t *present, size_t n_present)
{
    if (n_present > COVEY_AXIS_MOST_ELEMENTS) {
        covey_i_text_add_char(out, '*');
        return;
    }
    if (n_present == 1 && !covey_i_hierarchy_label_is_misleading(covey_column_label(axis->column, present[0]))) {
        covey_i_text_add_string(out, covey_column_label(axis->column, present[0]));
        return;
    }
    covey_i_text_add_char(out, '{');
    for (size_t i = 0; i < n_present; i++) {
        if (i)
            covey_i_text_add_string(out, ", ");
        print_element(out, covey_column_label(axis->column, present[i]));
    }
    covey_i_text_add_char(out, '}');
}

void covey_i_axis_extent_terms(int64_t *num, int64_t *den, const covey_axis *axis, uint32_t low, uint32_t high)
{
    *den = axis->kind == COVEY_AXIS_RANGE ? axis->loss_den : axis->n_values > 1 ? (int64_t)axis->n_values - 1 : 1;
    if (low == high)
        *num = 0;
    else if (axis->column->has_null && low == 0)
        *num = *den;
    else
        *num = axis->kind == COVEY_AXIS_RANGE ? covey_i_axis_loss(axis, low, high) : (int64_t)high - low;
}

covey_fraction covey_i_axis_extent(const covey_axis *axis, uint32_t low, uint32_t high)
{
    int64_t num, den;

    covey_i_axis_extent_terms(&num, &den, axis, low, high);
    return covey_i_fraction(num, den);
}

void covey_i_axis_print(covey_text *out, const covey_axis *axis, uint32_t low, uint32_t high, const uint32_t *present,
                        size_t n_present)
{
    switch (axis->kind) {
    case COVEY_AXIS_TREE:
        print_tree(out, axis, low, high);
        break;
    case COVEY_AXIS_FLAT:
        print_set(out, axis, present, n_present);
        break;
    case COVEY_AXIS_RANGE:
        if (low == high) {
            covey_i_text_add_string(out, covey_column_label(axis->column, low));
        } else if (low == 0 && axis->column->has_null) {
            covey_i_text_add_char(out, '*');
        } else {
            covey_i_text_add_char(out, '[');
            covey_i_text_add_string(out, covey_column_label(axis->column, low));
            covey_i_text_add_string(out, ", ");
            covey_i_text_add_string(out, covey_column_label(axis->column, high));
            covey_i_text_add_char(out, ']');
        }
        break;
    }
}
