/* What the groups of a distribution transformation shall seem to follow: one target for all, or entries for single
 * groups, each with a hierarchy of its own if it wants one.  Equal targets are one. */
#include "method/distribution/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "model/nearest.h"
#include "release/bucketized/bucketized.h"
#include "table/table_impl.h"

/* --- groups --- */

static covey_status list_groups(covey_distribution_making *m, covey_error *err)
{
    const covey_problem *problem = m->d->problem;
    uint32_t *next;

    m->n_groups = problem->group_of_row ? problem->n_groups : 1;
    m->first = covey_arena_array_zero(&m->d->arena, uint32_t, (size_t)m->n_groups + 1);
    m->row = covey_arena_array(&m->d->arena, uint32_t, problem->n_rows);
    next = covey_arena_array(&m->d->arena, uint32_t, m->n_groups);
    if (!m->first || !m->row || !next)
        return covey_i_no_memory(err);
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

/* The largest lift of all targets, with the words of its node, which a target that an equal one replaces keeps, too. */
static void keep_lift(struct distributing *d, const covey_target *target, covey_distribution_lift lift)
{
    if (lift.published - lift.wanted > d->lift.published - d->lift.wanted) {
        d->lift = lift;
        d->lifted_label = target->label[lift.node];
    }
}

/* A hierarchy of a group's own is over its rows alone, the column's over all. */
static uint32_t leaf_at(const covey_distribution_making *m, const covey_column *leaves, uint32_t first, uint32_t i)
{
    return covey_i_code(leaves, leaves == m->d->column ? m->row[first + i] : i);
}

/* Weights of a target from the rows of one group (all groups, n = n_rows).  tree_text: which hierarchy the target has,
 * in words; NULL: the column's. */
static covey_status weigh(covey_distribution_making *m, covey_target *target, const covey_distribution_wish *wish,
                          const covey_column *leaves, const char *tree_text, uint32_t first, uint32_t n,
                          covey_error *err)
{
    struct distributing *d = m->d;
    const uint32_t n_leaves = target->tree.n_leaves;
    const covey_arena_mark mark = covey_arena_save(&d->arena);
    uint64_t *rows = covey_arena_array_zero(&d->arena, uint64_t, n_leaves),
             *share = covey_arena_array(&d->arena, uint64_t, n_leaves);
    const long double *density;

    if (!rows || !share)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        rows[leaf_at(m, leaves, first, i)]++;
    d->has_source |= wish->kind == COVEY_DIST_SOURCE;
    COVEY_TRY(covey_i_distribution_find_shares(share, &density, wish, target, d->column, tree_text, d->scale, rows,
                                               d->is_exact, &d->arena, err));
    COVEY_TRY(covey_i_distribution_set_weights(&target->tree, share, density, d->is_exact ? 0 : d->resolution,
                                               &d->arena, err));
    covey_i_distribution_probabilities(target->probability, &target->tree);
    target->distance = covey_i_distribution_distance(&target->tree, share, target->probability);
    keep_lift(d, target, covey_i_distribution_lift_of(&target->tree, share, target->probability));
    covey_arena_rewind(&d->arena, mark);
    return COVEY_OK;
}

static bool same_targets(const covey_target *a, const covey_target *b)
{
    if (a->tree.n_nodes != b->tree.n_nodes)
        return false;
    for (uint32_t i = 0; i < a->tree.n_nodes; i++)
        if (a->tree.node[i].weight != b->tree.node[i].weight || a->tree.node[i].end != b->tree.node[i].end ||
            strcmp(a->low[i], b->low[i]) || strcmp(a->high[i], b->high[i]) || strcmp(a->label[i], b->label[i]))
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
        return covey_i_no_memory(err);
    if (d->n_targets > 0)
        memcpy(larger, d->target, d->n_targets * sizeof *larger);
    larger[d->n_targets++] = *target;
    d->target = larger;
    return COVEY_OK;
}

/* Which hierarchy is not the column's, for messages. */
static void describe_tree(char *out, size_t size, const covey_problem *problem, uint32_t row)
{
    char group[200];

    snprintf(out, size, "the hierarchy in targets");
    if (!problem->group_of_row)
        return;
    covey_i_problem_group_text(group, sizeof group, problem, row);
    snprintf(out, size, "the hierarchy of the group %s", group);
}

/* The target of rows with a hierarchy of their own (spec), or in that of the attribute. */
static covey_status make_target(uint32_t *out, covey_distribution_making *m, const covey_distribution_wish *wish,
                                const covey_hierarchy_spec *spec, uint32_t group, bool is_of_all, covey_error *err)
{
    struct distributing *d = m->d;
    const uint32_t first = is_of_all ? 0 : m->first[group],
                   n = is_of_all ? d->problem->n_rows : m->first[group + 1] - first;
    const covey_hierarchy *tree = m->tree;
    const covey_column *leaves = d->column;
    covey_target target;
    char tree_text[240];

    if (spec)
        COVEY_TRY(covey_i_error_about(covey_i_distribution_build_tree(&tree, &leaves, m, spec, first, n, err),
                                      "targets", err));
    COVEY_TRY(covey_i_distribution_shape(&target, tree, leaves, &d->published, err));
    if (target.tree.n_leaves > d->most_leaves)
        d->most_leaves = target.tree.n_leaves;
    for (uint32_t leaf = 0; leaf < target.tree.n_leaves; leaf++)
        target.code[leaf] = leaf;
    if (spec)
        COVEY_TRY(
            covey_i_error_about(covey_i_distribution_find_codes(&target, d, leaves, &d->arena, err), "targets", err));
    COVEY_TRY(covey_i_error_about(covey_i_distribution_label_nodes(&target, d, tree, leaves, &d->published, err),
                                  "targets", err));
    for (uint32_t i = 0; spec && i < n; i++)
        d->leaf_of_row[m->row[first + i]] = leaf_at(m, leaves, first, i);
    if (spec)
        describe_tree(tree_text, sizeof tree_text, d->problem, m->row[first]);
    COVEY_TRY(covey_i_error_about(weigh(m, &target, wish, leaves, spec ? tree_text : NULL, first, n, err),
                                  is_of_all ? "target" : "targets", err));
    return add_target(out, d, &target, err);
}

static covey_status make_all(covey_distribution_making *m, covey_error *err)
{
    struct distributing *d = m->d;

    for (uint32_t row = 0; row < d->problem->n_rows; row++)
        d->leaf_of_row[row] = covey_i_code(d->column, row);
    for (uint32_t g = 0; g < m->n_groups; g++) {
        covey_distribution_entry *entry;

        COVEY_TRY(covey_i_error_about(covey_i_distribution_find_entry(&entry, m, g, err), "targets", err));
        if (!entry) {
            if (m->common == UINT32_MAX)
                COVEY_TRY(make_target(&m->common, m, &m->wish, NULL, g, true, err));
            d->target_of_group[g] = m->common;
        } else if (entry->target != UINT32_MAX) {
            d->target_of_group[g] = entry->target;
        } else {
            COVEY_TRY(make_target(&d->target_of_group[g], m, &entry->wish, entry->has_tree ? &entry->spec : NULL, g,
                                  false, err));
            if (!entry->has_tree && entry->wish.kind != COVEY_DIST_SOURCE)
                entry->target = d->target_of_group[g];
        }
    }
    return COVEY_OK;
}

/* --- promises beside p-private --- */

/* The worst figure of a promise over all targets that are used; the message names the first target's that breaks it. */
static covey_status judge(bool *is_kept, covey_figure *worst, const struct distributing *d,
                          const covey_promise *promise, covey_arena *arena, covey_error *err)
{
    *is_kept = true;
    for (uint32_t t = 0; t < d->n_targets; t++) {
        covey_figure figure;
        bool admits;

        COVEY_TRY(covey_i_target_judge(&admits, &figure, promise, &d->target[t],
                                       d->problem->promises.view[promise->view].column->n_values, arena, err));
        if (t == 0)
            *worst = figure;
        else
            covey_i_figure_combine(promise->model, worst, &figure);
        *is_kept &= admits;
    }
    return COVEY_OK;
}

/* A threshold of just what the targets reach is kept, if that is an exact number. */
static void change_threshold(covey_changes *changes, const covey_promise *promise, const covey_figure *reached)
{
    covey_nearest nearest = {0};
    char text[96];

    if (promise->model->threshold && !reached->infinite &&
        (reached->kind == COVEY_FIGURE_INTEGER || reached->kind == COVEY_FIGURE_FRACTION)) {
        covey_i_figure_text(text, sizeof text, reached);
        covey_i_nearest_change(&nearest, promise->model->threshold, "%s", text);
    }
    covey_i_changes_promise(changes, promise, &nearest);
}

static covey_status judge_targets(struct distributing *d, covey_error *err)
{
    const covey_promises *promises = &d->problem->promises;
    covey_changes changes = {0};
    covey_status status = COVEY_OK;

    for (size_t p = 0; p < promises->n; p++) {
        const covey_promise *promise = &promises->promise[p];
        covey_figure reached;
        char text[128];
        bool is_kept;

        if (promise->model->traits & COVEY_MODEL_TARGET)
            continue;
        COVEY_TRY(judge(&is_kept, &reached, d, promise, &d->arena, err));
        if (is_kept)
            continue;
        change_threshold(&changes, promise, &reached);
        if (status != COVEY_OK)
            continue;
        covey_i_figure_words(text, sizeof text, &reached);
        status = covey_fail(err, COVEY_EINFEASIBLE,
                            "the target that is used breaks %s: it reaches only %s; choose another target",
                            promise->model->name, text);
    }
    if (status != COVEY_OK)
        covey_i_changes_give(err, &changes);
    return status;
}

static void warn_of_single_values(const struct distributing *d)
{
    for (uint32_t t = 0; t < d->n_targets; t++)
        for (uint32_t i = 0; i < d->target[t].tree.n_nodes; i++)
            if (d->target[t].tree.node[i].end == i + 1 && d->target[t].probability[i] >= 1 && d->run && d->run->warn) {
                d->run->warn(d->run->context,
                             "distribution: a target gives a single value everything: it hides nothing");
                return;
            }
}

/* A group cannot look more like its target than the weights do; what is lifted by less than one row in a hundred stays
 * unsaid. For the publisher only: with the source as target, the wanted share is one of the original values'. */
static void warn_of_lift(const struct distributing *d)
{
    char message[512];

    if (d->lift.published - d->lift.wanted < .01 || !d->run || !d->run->warn)
        return;
    snprintf(
        message, sizeof message,
        "distribution: whole weights of at most %u together make the target's share of %.80s %.3g %%, where %.3g %% "
        "is wanted; a higher resolution comes nearer (resolution: %u), or a hierarchy that halves more evenly",
        d->resolution, d->lifted_label, d->lift.published * 100, d->lift.wanted * 100,
        d->resolution > COVEY_DIST_MOST_RESOLUTION / 4 ? COVEY_DIST_MOST_RESOLUTION : d->resolution * 4);
    d->run->warn(d->run->context, message);
}

/* --- all of it --- */

/* A column of text; where most of it is numbers, say what is none. */
static covey_status text_needs_tree(const covey_column *column, covey_error *err)
{
    uint32_t n_numbers = 0;
    int64_t number;
    int scale;

    for (uint32_t v = 0; v < column->n_values; v++)
        n_numbers += covey_i_typing_parse_decimal(&number, &scale, covey_column_label(column, v),
                                                  strlen(covey_column_label(column, v)));
    for (int64_t row = 0; n_numbers > column->n_values / 2 && row < column->n_rows; row++) {
        const char *text = covey_column_label(column, covey_column_code(column, row));

        if (!covey_i_typing_parse_decimal(&number, &scale, text, strlen(text)))
            return covey_fail_at(err, COVEY_EINVAL, NULL, covey_column_line(column, row), column->name, 0,
                                 "distribution: column \"%s\": \"%.60s\" is not a number of at most 18 digits; mend "
                                 "it, or give the column "
                                 "a hierarchy",
                                 column->name, text);
    }
    return covey_fail(err, COVEY_EINVAL,
                      "distribution: column \"%s\" is text: it needs a hierarchy, whose nodes values are hidden in",
                      column->name);
}

/* The attribute's own hierarchy, or pairs of neighbouring values, pairs of pairs, and so on. */
static covey_status find_tree(covey_distribution_making *m, covey_error *err)
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
    COVEY_TRY(covey_i_distribution_check_order(NULL, m->d->column, err)); /* missing values */
    COVEY_TRY(covey_hierarchy_build(&tree, &spec, m->d->column, NULL, err));
    m->tree = tree;
    return covey_i_distribution_own(m->d, tree, NULL, err);
}

covey_status covey_i_distribution_make_targets(struct distributing *d, covey_error *err)
{
    covey_distribution_making m = {.d = d, .common = UINT32_MAX};

    COVEY_TRY(covey_i_distribution_read_params(&m, err));
    COVEY_TRY(find_tree(&m, err));
    COVEY_TRY(list_groups(&m, err));
    d->target_of_group = covey_arena_array(&d->arena, uint32_t, m.n_groups);
    d->leaf_of_row = covey_arena_array(&d->arena, uint32_t, d->problem->n_rows);
    if (!d->target_of_group || !d->leaf_of_row)
        return covey_i_no_memory(err);
    COVEY_TRY(make_all(&m, err));
    warn_of_single_values(d);
    warn_of_lift(d);
    return judge_targets(d, err);
}

void covey_i_distribution_clear_targets(struct distributing *d)
{
    for (size_t i = 0; i < d->n_owned; i += 2) {
        covey_hierarchy_free(d->owned[i]);
        covey_i_column_free(d->owned[i + 1]);
    }
    covey_i_free(d->owned);
    covey_arena_free(&d->published);
}
