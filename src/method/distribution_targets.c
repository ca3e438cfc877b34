/* What the groups of a distribution transformation shall seem to follow: one target for all, or entries for single groups, each with a
 * hierarchy of its own if it wants one.  Equal targets are one. */
#include "method/distribution_entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/yaml_tree.h"
#include "hierarchy/hierarchy_impl.h"
#include "release/bucketized.h"
#include "table/histogram.h"
#include "table/table_impl.h"

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "targets of a distribution transformation");
}

/* --- parameters --- */

static covey_status read_numbers(struct distributing *d, covey_error *err)
{
    const char *text = d->params->resolution;
    const size_t size = strlen(d->params->fakes);
    char number[64];
    covey_ratio value;

    d->is_exact = strcmp(text, "exact") == 0;
    if (!d->is_exact) {
        if (covey_ratio_parse(&value, text, NULL) != COVEY_OK || value.den != 1 || value.num < 1 || value.num > COVEY_DIST_MOST_RESOLUTION)
            return covey_fail(err, COVEY_EINVAL, "resolution must be exact or a whole number from 1 to %d, not \"%.60s\"", COVEY_DIST_MOST_RESOLUTION,
                              text);
        d->resolution = (uint32_t)value.num;
    }
    d->fakes_are_percent = size > 0 && d->params->fakes[size - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(size - d->fakes_are_percent < sizeof number ? size - d->fakes_are_percent : sizeof number - 1),
             d->params->fakes);
    if (covey_ratio_parse(&d->fakes, number, NULL) != COVEY_OK || d->fakes.num < 0 || (!d->fakes_are_percent && d->fakes.den != 1) ||
        d->fakes.den > INT64_MAX / 100)
        return covey_fail(err, COVEY_EINVAL, "fakes must be a whole number from 0 or a percentage such as 5%%, not \"%.60s\"", d->params->fakes);
    if (d->fakes_are_percent)
        d->fakes.den *= 100;
    return COVEY_OK;
}

/* The method's target; where it says nothing, the promise's; where both say something they must agree. */
static covey_status read_wish(covey_dist_making *m, covey_error *err)
{
    const covey_promises *promises = &m->d->problem->promises;
    const char *own = m->d->params->target, *promised = NULL;
    covey_dist_wish other;

    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].model->target)
            promised = promises->promise[i].model->target(promises->promise[i].state);
    COVEY_TRY(covey_i_dist_read_target(&m->wish, own ? own : promised ? promised : "source", &m->d->arena, err));
    if (!own || !promised)
        return COVEY_OK;
    COVEY_TRY(covey_i_dist_read_target(&other, promised, &m->d->arena, err));
    if (!covey_i_dist_same_target(&m->wish, &other))
        return covey_fail(err, COVEY_EINVAL, "the target of the method (%.60s) is not that of the promise (%.60s): say it once, or the same twice", own,
                          promised);
    return COVEY_OK;
}

static covey_status read_entry(covey_dist_making *m, covey_dist_entry *entry, const covey_yaml *node, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    *entry = (covey_dist_entry){.wish = m->wish, .target = UINT32_MAX};
    if (node->kind != COVEY_YAML_MAP)
        return covey_fail(err, COVEY_EINVAL, "targets is a list of entries such as {group: {zip: \"911**\"}, target: uniform}");
    for (size_t i = 0; i < node->n && status == COVEY_OK; i++) {
        const char *key = node->key[i]->text;

        if (strcmp(key, "group") == 0 && node->item[i]->kind == COVEY_YAML_MAP) {
            entry->group = node->item[i];
        } else if (strcmp(key, "hierarchy") == 0 && node->item[i]->kind == COVEY_YAML_MAP) {
            entry->has_tree = true;
            status = covey_i_dist_read_tree(&entry->spec, node->item[i], &m->d->arena, err);
        } else if (strcmp(key, "target") == 0) {
            covey_i_text_clear(&text);
            covey_i_yaml_print(&text, node->item[i]);
            status = text.broken ? no_memory(err) : covey_i_dist_read_target(&entry->wish, text.bytes, &m->d->arena, err);
        } else {
            status = covey_fail(err, COVEY_EINVAL, "targets: an entry has group (a mapping), target and hierarchy (a mapping), not \"%.60s\"", key);
        }
    }
    covey_i_text_free(&text);
    return status;
}

static covey_status read_entries(covey_dist_making *m, covey_error *err)
{
    const char *text = m->d->params->targets;
    const covey_yaml *root = NULL;
    covey_error inner;

    if (!text)
        return COVEY_OK;
    if (covey_i_yaml_parse(&root, text, strlen(text), NULL, &m->d->arena, &inner) != COVEY_OK)
        return covey_fail(err, inner.status == COVEY_ENOMEM ? COVEY_ENOMEM : COVEY_EINVAL, "targets: %s", inner.message);
    if (!root || root->kind != COVEY_YAML_LIST)
        return covey_fail(err, COVEY_EINVAL, "targets is a list of entries such as {group: {zip: \"911**\"}, target: uniform}");
    if (!(m->entry = covey_arena_array(&m->d->arena, covey_dist_entry, root->n)))
        return no_memory(err);
    for (size_t i = 0; i < root->n; i++)
        COVEY_TRY(read_entry(m, &m->entry[m->n_entries++], root->item[i], err));
    return COVEY_OK;
}

/* --- groups --- */

static covey_status list_groups(covey_dist_making *m, covey_error *err)
{
    const covey_problem *problem = m->d->problem;
    uint32_t *next;

    m->n_groups = problem->group_of_row ? problem->n_groups : 1;
    m->first = covey_arena_array_zero(&m->d->arena, uint32_t, (size_t)m->n_groups + 1);
    m->row = covey_arena_array(&m->d->arena, uint32_t, problem->n_rows);
    next = covey_arena_array(&m->d->arena, uint32_t, m->n_groups);
    if (!m->first || !m->row || !next)
        return no_memory(err);
    for (uint32_t row = 0; row < problem->n_rows; row++)
        m->first[(problem->group_of_row ? problem->group_of_row[row] : 0) + 1]++;
    for (uint32_t g = 0; g < m->n_groups; g++) {
        m->first[g + 1] += m->first[g];
        next[g] = m->first[g];
    }
    for (uint32_t row = 0; row < problem->n_rows; row++)
        m->row[next[problem->group_of_row ? problem->group_of_row[row] : 0]++] = row;
    return COVEY_OK;
}

/* --- from hierarchies to targets --- */

/* How a leaf is published: as the attribute's hierarchy has it, where one is published beside; numbers without one all with the same digits. */
static covey_status leaf_text(const char **out, const covey_target *target, const struct distributing *d, const covey_hierarchy *tree,
                              const covey_column *leaves, uint32_t leaf, covey_arena *arena, covey_error *err)
{
    const covey_hierarchy *published = d->problem->field[d->field].tree;
    const char *label = covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, leaf));
    char text[64];

    if (published && tree != published) {
        if (target->code[leaf] == UINT32_MAX)
            return covey_fail(err, COVEY_EINVAL, "targets: the hierarchy of a group has the value \"%.60s\", which that of \"%s\" has not", label,
                              d->column->name);
        label = covey_hierarchy_label(published, covey_hierarchy_leaf_node(published, target->code[leaf]));
    }
    if (!published && leaves->number) {
        covey_i_format_number(text, sizeof text, leaves->type, leaves->number[leaf], leaves->scale);
        label = text;
    }
    return (*out = covey_arena_strdup(arena, label)) ? COVEY_OK : no_memory(err);
}

/* Numbers must ascend along the leaves: then every node is a run of neighbouring values. */
static covey_status check_order(const covey_column *leaves, covey_error *err)
{
    if (leaves->has_null)
        return covey_fail(err, COVEY_EINVAL, "distribution: a missing \"%s\" lies in no interval; say missing-sensitive: drop", leaves->name);
    for (uint32_t i = 1; leaves->number && i < leaves->n_values; i++)
        if (leaves->number[i - 1] >= leaves->number[i])
            return covey_fail(err, COVEY_EINVAL,
                              "distribution: the hierarchy of \"%s\" does not keep its numbers in order (%s stands before %s): every node must hold "
                              "neighbouring values",
                              leaves->name, covey_column_label(leaves, i - 1), covey_column_label(leaves, i));
    return COVEY_OK;
}

static covey_status label_nodes(covey_target *target, const struct distributing *d, const covey_hierarchy *tree, const covey_column *leaves,
                                covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(tree);
    const uint32_t n = covey_hierarchy_n_nodes(tree), n_leaves = covey_hierarchy_n_leaves(tree);
    const char **text = covey_arena_array(arena, const char *, n_leaves);

    target->label = covey_arena_array(arena, const char *, n);
    target->low = covey_arena_array(arena, const char *, n);
    target->high = covey_arena_array(arena, const char *, n);
    if (!text || !target->label || !target->low || !target->high)
        return no_memory(err);
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        COVEY_TRY(leaf_text(&text[leaf], target, d, tree, leaves, leaf, arena, err));
    for (uint32_t i = 0; i < n; i++) {
        target->low[i] = text[node[i].first_leaf];
        target->high[i] = text[node[i].first_leaf + node[i].n_leaves - 1];
        if (!(target->label[i] = covey_arena_strdup(arena, covey_hierarchy_label(tree, i))))
            return no_memory(err);
    }
    return COVEY_OK;
}

/* Everything but weights and texts.  leaves: a column whose codes are the leaves. */
static covey_status shape_target(covey_target *target, const covey_hierarchy *tree, const covey_column *leaves, covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(tree);
    const uint32_t n = covey_hierarchy_n_nodes(tree), n_leaves = covey_hierarchy_n_leaves(tree);
    covey_target_node *made = covey_arena_array_zero(arena, covey_target_node, n);

    COVEY_TRY(check_order(leaves, err));
    *target = (covey_target){.tree = {n, n_leaves, made}, .code = covey_arena_array(arena, uint32_t, n_leaves),
                             .probability = covey_arena_array(arena, long double, n),
                             .number = leaves->number ? covey_arena_array(arena, int64_t, n_leaves) : NULL};
    if (!made || !target->code || !target->probability || (leaves->number && !target->number))
        return no_memory(err);
    if (leaves->number)
        memcpy(target->number, leaves->number, n_leaves * sizeof *target->number);
    for (uint32_t i = n; i-- > 0;) {
        made[i].first_leaf = node[i].first_leaf;
        made[i].n_leaves = node[i].n_leaves;
        made[i].end = made[i].end > i + 1 ? made[i].end : i + 1;
        if (i > 0 && made[node[i].parent].end < made[i].end)
            made[node[i].parent].end = made[i].end;
        made[i].range = leaves->number ? leaves->number[node[i].first_leaf + node[i].n_leaves - 1] - leaves->number[node[i].first_leaf]
                                       : (int64_t)node[i].n_leaves - 1;
    }
    return COVEY_OK;
}

static covey_status own(struct distributing *d, void *hierarchy, void *column, covey_error *err)
{
    void **larger = covey_i_realloc(d->owned, d->n_owned + 2, sizeof *larger);

    if (!larger) {
        covey_hierarchy_free(hierarchy);
        covey_i_column_free(column);
        return no_memory(err);
    }
    d->owned = larger;
    d->owned[d->n_owned++] = hierarchy;
    d->owned[d->n_owned++] = column;
    return COVEY_OK;
}

/* A hierarchy over the values of some rows, and these rows as leaves of it. */
static covey_status build_tree(const covey_hierarchy **tree_out, const covey_column **leaves_out, covey_dist_making *m, const covey_hierarchy_spec *spec,
                               uint32_t first, uint32_t n, covey_error *err)
{
    int64_t *rows = covey_arena_array(&m->d->arena, int64_t, n);
    covey_column *picked = NULL, *leaves = NULL;
    covey_hierarchy *tree = NULL;
    covey_status status;

    if (!rows)
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = m->row[first + i];
    if ((status = covey_i_column_pick(&picked, m->d->column, rows, n, err)) == COVEY_OK &&
        (status = covey_hierarchy_build(&tree, spec, picked, NULL, err)) == COVEY_OK)
        status = covey_i_hierarchy_align(&leaves, picked, tree, err);
    covey_i_column_free(picked);
    if (status != COVEY_OK) {
        covey_hierarchy_free(tree);
        return status;
    }
    COVEY_TRY(own(m->d, tree, leaves, err));
    if (covey_column_is_number(m->d->column) && (!leaves->number || leaves->scale != m->d->scale))
        return covey_fail(err, COVEY_EINVAL, "targets: the leaves of a hierarchy for \"%s\" must be numbers with the digits of the column", m->d->column->name);
    *tree_out = tree;
    *leaves_out = leaves;
    return COVEY_OK;
}

static int compare_codes(const void *a, const void *b, void *context)
{
    const covey_column *column = context;

    return strcmp(covey_column_label(column, *(const uint32_t *)a), covey_column_label(column, *(const uint32_t *)b));
}

/* Which code of the sensitive column each leaf of a group's own hierarchy is: rows of other groups may have it.  Numbers of columns ascend. */
static covey_status find_codes(covey_target *target, const struct distributing *d, const covey_column *leaves, covey_arena *scratch, covey_error *err)
{
    const covey_column *column = d->column;
    uint32_t *by_label = covey_arena_array(scratch, uint32_t, column->n_values);

    if (!by_label)
        return no_memory(err);
    for (uint32_t i = 0; i < column->n_values; i++)
        by_label[i] = i;
    if (!leaves->number)
        qsort_r(by_label, column->n_values, sizeof *by_label, compare_codes, (void *)column);
    for (uint32_t leaf = 0; leaf < target->tree.n_leaves; leaf++) {
        uint32_t low = 0, high = column->n_values;

        target->code[leaf] = UINT32_MAX;
        while (low < high && target->code[leaf] == UINT32_MAX) {
            const uint32_t middle = low + (high - low) / 2, code = by_label[middle];
            const int order = leaves->number ? (column->number[code] > leaves->number[leaf]) - (column->number[code] < leaves->number[leaf])
                                             : strcmp(covey_column_label(column, code), covey_column_label(leaves, leaf));

            if (order == 0)
                target->code[leaf] = code;
            else if (order < 0)
                low = middle + 1;
            else
                high = middle;
        }
    }
    return COVEY_OK;
}

/* Weights of a target from the rows of one group (all groups, n = n_rows), whose leaves are known. */
static covey_status weigh(covey_dist_making *m, covey_target *target, const covey_dist_wish *wish, uint32_t first, uint32_t n, covey_error *err)
{
    struct distributing *d = m->d;
    const uint32_t n_leaves = target->tree.n_leaves;
    const covey_arena_mark mark = covey_arena_save(&d->arena);
    uint64_t *rows = covey_arena_array_zero(&d->arena, uint64_t, n_leaves), *share = covey_arena_array(&d->arena, uint64_t, n_leaves);
    const long double *density;

    if (!rows || !share)
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        rows[d->leaf_of_row[m->row[first + i]]]++;
    d->has_source |= wish->kind == COVEY_DIST_SOURCE;
    COVEY_TRY(covey_i_dist_find_shares(share, &density, wish, target, d->column, d->scale, rows, d->is_exact, &d->arena, err));
    COVEY_TRY(covey_i_dist_set_weights(&target->tree, share, density, d->is_exact ? 0 : d->resolution, &d->arena, err));
    covey_i_dist_probabilities(target->probability, &target->tree);
    target->distance = covey_i_dist_distance(&target->tree, share, target->probability);
    covey_arena_rewind(&d->arena, mark);
    return COVEY_OK;
}

static bool same_targets(const covey_target *a, const covey_target *b)
{
    if (a->tree.n_nodes != b->tree.n_nodes)
        return false;
    for (uint32_t i = 0; i < a->tree.n_nodes; i++)
        if (a->tree.node[i].weight != b->tree.node[i].weight || a->tree.node[i].end != b->tree.node[i].end || strcmp(a->low[i], b->low[i]) ||
            strcmp(a->high[i], b->high[i]) || strcmp(a->label[i], b->label[i]))
            return false;
    return true;
}

/* Adds a target unless there is an equal one. */
static covey_status add_target(uint32_t *out, struct distributing *d, const covey_target *target, covey_error *err)
{
    covey_target *larger;

    for (*out = 0; *out < d->n_targets; ++*out)
        if (same_targets(&d->target[*out], target)) {
            if (target->distance > d->target[*out].distance)
                d->target[*out].distance = target->distance;
            return COVEY_OK;
        }
    if (!(larger = covey_arena_array(&d->published, covey_target, (size_t)d->n_targets + 1)))
        return no_memory(err);
    if (d->n_targets > 0)
        memcpy(larger, d->target, d->n_targets * sizeof *larger);
    larger[d->n_targets++] = *target;
    d->target = larger;
    return COVEY_OK;
}

/* The target of rows with a hierarchy of their own (spec), or in that of the attribute. */
static covey_status make_target(uint32_t *out, covey_dist_making *m, const covey_dist_wish *wish, const covey_hierarchy_spec *spec, uint32_t group,
                                bool is_of_all, covey_error *err)
{
    struct distributing *d = m->d;
    const uint32_t first = is_of_all ? 0 : m->first[group], n = is_of_all ? d->problem->n_rows : m->first[group + 1] - first;
    const covey_hierarchy *tree = m->tree;
    const covey_column *leaves = d->column;
    covey_target target;

    if (spec)
        COVEY_TRY(build_tree(&tree, &leaves, m, spec, first, n, err));
    COVEY_TRY(shape_target(&target, tree, leaves, &d->published, err));
    if (target.tree.n_leaves > d->most_leaves)
        d->most_leaves = target.tree.n_leaves;
    for (uint32_t leaf = 0; leaf < target.tree.n_leaves; leaf++)
        target.code[leaf] = leaf;
    if (spec)
        COVEY_TRY(find_codes(&target, d, leaves, &d->arena, err));
    COVEY_TRY(label_nodes(&target, d, tree, leaves, &d->published, err));
    for (uint32_t i = 0; i < n; i++)
        d->leaf_of_row[m->row[first + i]] = covey_i_code(leaves, spec ? i : m->row[first + i]);
    COVEY_TRY(weigh(m, &target, wish, first, n, err));
    return add_target(out, d, &target, err);
}

static covey_status make_all(covey_dist_making *m, covey_error *err)
{
    struct distributing *d = m->d;

    for (uint32_t row = 0; row < d->problem->n_rows; row++)
        d->leaf_of_row[row] = covey_i_code(d->column, row);
    for (uint32_t g = 0; g < m->n_groups; g++) {
        covey_dist_entry *entry;

        COVEY_TRY(covey_i_dist_find_entry(&entry, m, g, err));
        if (!entry) {
            if (m->common == UINT32_MAX)
                COVEY_TRY(make_target(&m->common, m, &m->wish, NULL, g, true, err));
            d->target_of_group[g] = m->common;
        } else if (entry->target != UINT32_MAX) {
            d->target_of_group[g] = entry->target;
        } else {
            COVEY_TRY(make_target(&d->target_of_group[g], m, &entry->wish, entry->has_tree ? &entry->spec : NULL, g, false, err));
            if (!entry->has_tree && entry->wish.kind != COVEY_DIST_SOURCE)
                entry->target = d->target_of_group[g];
        }
    }
    return COVEY_OK;
}

/* --- promises beside p-private --- */

static covey_status judge(struct distributing *d, const covey_promise *promise, const covey_target *target, covey_error *err)
{
    covey_figure figure;
    char text[128];
    bool admits;

    COVEY_TRY(covey_i_target_judge(&admits, &figure, promise, target, d->problem->promises.view[promise->view].column->n_values, &d->arena, err));
    if (admits)
        return COVEY_OK;
    covey_i_figure_words(text, sizeof text, &figure);
    return covey_fail(err, COVEY_EINFEASIBLE, "the target that is used breaks %s: it reaches only %s; choose another target", promise->model->name, text);
}

static covey_status judge_targets(struct distributing *d, covey_error *err)
{
    const covey_promises *promises = &d->problem->promises;

    for (size_t p = 0; p < promises->n; p++)
        for (uint32_t t = 0; t < d->n_targets && !(promises->promise[p].model->traits & COVEY_MODEL_TARGET); t++)
            COVEY_TRY(judge(d, &promises->promise[p], &d->target[t], err));
    return COVEY_OK;
}

static void warn_of_single_values(const struct distributing *d)
{
    for (uint32_t t = 0; t < d->n_targets; t++)
        for (uint32_t i = 0; i < d->target[t].tree.n_nodes; i++)
            if (d->target[t].tree.node[i].end == i + 1 && d->target[t].probability[i] >= 1 && d->run && d->run->warn) {
                d->run->warn(d->run->context, "distribution: a target gives a single value everything: it hides nothing");
                return;
            }
}

/* --- all of it --- */

/* A column of text; where most of it is numbers, say what is none. */
static covey_status text_needs_tree(const covey_column *column, covey_error *err)
{
    uint32_t n_numbers = 0;
    int64_t number;
    int scale;

    for (uint32_t v = 0; v < column->n_values; v++)
        n_numbers += covey_i_parse_decimal(&number, &scale, covey_column_label(column, v), strlen(covey_column_label(column, v)));
    for (int64_t row = 0; n_numbers > column->n_values / 2 && row < column->n_rows; row++) {
        const char *text = covey_column_label(column, covey_column_code(column, row));

        if (!covey_i_parse_decimal(&number, &scale, text, strlen(text)))
            return covey_fail_at(err, COVEY_EINVAL, NULL, covey_column_line(column, row), column->name, 0,
                                 "distribution: column \"%s\": \"%.60s\" in line %" PRId64 " of the table is not a number of at most 18 digits; mend it, or give "
                                 "the column a hierarchy",
                                 column->name, text, covey_column_line(column, row));
    }
    return covey_fail(err, COVEY_EINVAL, "distribution: column \"%s\" is text: it needs a hierarchy, whose nodes values are hidden in", column->name);
}

/* The attribute's own hierarchy, or pairs of neighbouring values, pairs of pairs, and so on. */
static covey_status find_tree(covey_dist_making *m, covey_error *err)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_BALANCED, .n = 2};
    covey_hierarchy *tree;

    COVEY_TRY(covey_i_bucketized_field(&m->d->field, m->d->problem, err));
    m->d->column = m->d->problem->field[m->d->field].column;
    m->d->scale = m->d->column->scale;
    if ((m->tree = m->d->problem->field[m->d->field].tree))
        return COVEY_OK;
    if (!covey_column_is_number(m->d->column))
        return text_needs_tree(m->d->column, err);
    COVEY_TRY(check_order(m->d->column, err)); /* missing values */
    COVEY_TRY(covey_hierarchy_build(&tree, &spec, m->d->column, NULL, err));
    m->tree = tree;
    return own(m->d, tree, NULL, err);
}

covey_status covey_i_dist_make_targets(struct distributing *d, covey_error *err)
{
    covey_dist_making m = {.d = d, .common = UINT32_MAX};

    COVEY_TRY(read_numbers(d, err));
    COVEY_TRY(read_wish(&m, err));
    COVEY_TRY(read_entries(&m, err));
    COVEY_TRY(find_tree(&m, err));
    COVEY_TRY(list_groups(&m, err));
    d->target_of_group = covey_arena_array(&d->arena, uint32_t, m.n_groups);
    d->leaf_of_row = covey_arena_array(&d->arena, uint32_t, d->problem->n_rows);
    if (!d->target_of_group || !d->leaf_of_row)
        return no_memory(err);
    COVEY_TRY(make_all(&m, err));
    warn_of_single_values(d);
    return judge_targets(d, err);
}

void covey_i_dist_clear_targets(struct distributing *d)
{
    for (size_t i = 0; i < d->n_owned; i += 2) {
        covey_hierarchy_free(d->owned[i]);
        covey_i_column_free(d->owned[i + 1]);
    }
    covey_i_free(d->owned);
    covey_arena_free(&d->published);
}
