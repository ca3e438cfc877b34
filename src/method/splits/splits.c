/* Reading splits and finding them among an axis' codes.  Thresholds are exact fractions; one that lies outside the
 * domain or stands twice is left out with a warning. */
#include "method/splits/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "method/method_impl.h"
#include "base/yaml_tree.h"
#include "model/nearest.h"
#include "table/table_impl.h"

/* The axis of a name, for mappings from quasi-identifiers; complains with the nearest name. */
static covey_status find_axis(size_t *out, const covey_problem *problem, const char *name, const char *owner,
                              const char *param, covey_arena *arena, covey_error *err)
{
    const char **names = covey_arena_array(arena, const char *, problem->n_axes), *near;

    if (!names)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        names[a] = problem->axis[a].column->name;
        if (strcmp(names[a], name) == 0) {
            *out = a;
            return COVEY_OK;
        }
    }
    if ((near = covey_nearest_name(name, names, problem->n_axes)))
        return covey_fail(err, COVEY_EINVAL, "%s: %s: there is no quasi-identifier \"%s\"; did you mean \"%s\"?", owner,
                          param, name, near);
    return covey_fail(err, COVEY_EINVAL, "%s: %s: there is no quasi-identifier \"%s\"; the first is \"%s\"", owner,
                      param, name, problem->n_axes > 0 ? names[0] : "");
}

/* A text in the units of an axis: "2.5" years, a date, a position among a category's codes. */
static covey_status read_number(covey_fraction *out, const covey_axis *axis, const char *text, bool is_length,
                                const char *owner, covey_error *err)
{
    covey_ratio value;
    covey_fraction scaled;
    int64_t days;

    if (!is_length && axis->column->type == COVEY_TYPE_DATE && covey_i_typing_parse_date(&days, text, strlen(text))) {
        *out = (covey_fraction){days, 1};
        return COVEY_OK;
    }
    if (covey_ratio_parse(&value, text, NULL) != COVEY_OK)
        return covey_fail(err, COVEY_EINVAL,
                          "%s: %s: \"%s\" is not a number: write digits, such as 0.25, or a fraction, such as 1/3",
                          owner, axis->column->name, text);
    scaled = (covey_fraction){value.num, value.den};
    if (axis->kind == COVEY_AXIS_RANGE)
        for (int i = 0; i < axis->column->scale; i++)
            scaled.num *= 10; /* at most 10^18 * 10^18 */
    *out = covey_i_fraction(scaled.num, scaled.den);
    return COVEY_OK;
}

/* A number, or the category to cut behind. */
static covey_status read_threshold(covey_splits_maker *m, const char *text, covey_error *err)
{
    const covey_axis *axis = m->axis;
    covey_fraction t;

    if (axis->kind == COVEY_AXIS_RANGE) {
        COVEY_TRY(read_number(&t, axis, text, false, m->owner, err));
        covey_i_splits_add(m, t);
        return COVEY_OK;
    }
    for (uint32_t v = 0; v < axis->n_values; v++)
        if (strcmp(covey_column_label(axis->column, v), text) == 0) {
            covey_i_splits_add(m, covey_i_fraction(2 * (covey_i128)v + 1, 2));
            return COVEY_OK;
        }
    return covey_fail(err, COVEY_EINVAL, "%s: splits: column \"%s\" has no value \"%s\" to cut behind", m->owner,
                      axis->column->name, text);
}

static covey_status read_list(covey_splits_maker *m, const covey_yaml *list, covey_error *err)
{
    COVEY_TRY(covey_i_splits_reserve(m, list->n > 0 ? list->n : 1, err));
    m->is_list = true;
    for (size_t i = 0; i < list->n; i++) {
        if (list->item[i]->kind != COVEY_YAML_SCALAR)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s must be a list of values such as [20, 25]", m->owner,
                              m->axis->column->name);
        COVEY_TRY(read_threshold(m, list->item[i]->text, err));
    }
    return COVEY_OK;
}

/* "20,25" of "list:20,25" */
static covey_status read_listed(covey_splits_maker *m, const char *text, covey_error *err)
{
    char *copy = covey_arena_strdup(m->arena, text), *rest = NULL;
    uint64_t most = 1;

    if (!copy)
        return covey_i_no_memory(err);
    for (const char *c = text; *c; c++)
        most += *c == ',';
    COVEY_TRY(covey_i_splits_reserve(m, most, err));
    m->is_list = true;
    for (char *one = strtok_r(copy, ", ", &rest); one; one = strtok_r(NULL, ", ", &rest))
        COVEY_TRY(read_threshold(m, one, err));
    return COVEY_OK;
}

static covey_status read_quantiles(covey_splits_maker *m, int64_t parts, covey_error *err)
{
    uint64_t *count;

    COVEY_TRY(covey_i_splits_count_codes(&count, m, err));
    return covey_i_splits_quantiles(m, count, parts, err);
}

/* "quantile:9" */
static covey_status read_word(covey_splits_maker *m, covey_axis_splits *out, const char *word, covey_error *err)
{
    const char *colon = strchr(word, ':');
    const size_t size = colon ? (size_t)(colon - word) : strlen(word);
    const bool is_quantile = size == 8 && strncmp(word, "quantile", size) == 0,
               is_width = size == 5 && strncmp(word, "width", size) == 0;
    covey_ratio number;

    if (strcmp(word, "distinct") == 0 || strcmp(word, "anywhere") == 0)
        return covey_i_splits_distinct(m, err);
    if (strcmp(word, "none") == 0)
        return covey_i_splits_reserve(m, 1, err);
    if (strcmp(word, "siblings") == 0) {
        if (m->axis->kind != COVEY_AXIS_TREE)
            return covey_fail(err, COVEY_EINVAL,
                              "%s: splits: column \"%s\" has no hierarchy, so it has no siblings; use \"distinct\"",
                              m->owner, m->axis->column->name);
        out->siblings = true;
        return covey_i_splits_distinct(m, err);
    }
    if (colon && (is_quantile || is_width)) {
        if (covey_ratio_parse(&number, colon + 1, NULL) != COVEY_OK || number.den != 1 || number.num < 1 ||
            number.num > COVEY_SPLITS_MOST)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s: \"%s\" must name a number of splits from 1 to %d",
                              m->owner, m->axis->column->name, word, COVEY_SPLITS_MOST);
        return is_quantile ? read_quantiles(m, number.num, err) : covey_i_splits_widths(m, number.num, err);
    }
    if (colon && size == 4 && strncmp(word, "list", size) == 0)
        return read_listed(m, colon + 1, err);
    if (colon && size == 4 && strncmp(word, "step", size) == 0) {
        covey_fraction step;

        COVEY_TRY(read_number(&step, m->axis, colon + 1, true, m->owner, err));
        if (step.num <= 0)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s: a step must be positive, not \"%s\"", m->owner,
                              m->axis->column->name, colon + 1);
        return covey_i_splits_steps(m, step, err);
    }
    return covey_fail(err, COVEY_EINVAL,
                      "%s: splits: %s must be a list of values, distinct, quantile:M, width:M, step:S, siblings, "
                      "anywhere or none, not \"%s\"",
                      m->owner, m->axis->column->name, word);
}

/* A split parts children of the lowest node over a set of leaves if no split in the set has a higher one over it; nodes
 * are numbered in pre-order, so that higher ones over the same leaves are smaller.  What a neighbour reaches is passed
 * over at once. */
static covey_status find_widest(covey_axis_splits *out, const covey_hierarchy *tree, covey_arena *arena,
                                covey_error *err)
{
    uint32_t *over = covey_arena_array(arena, uint32_t, out->n + 1);

    out->first = covey_arena_array(arena, uint32_t, out->n + 1);
    out->last = covey_arena_array(arena, uint32_t, out->n + 1);
    if (!over || !out->first || !out->last)
        return covey_i_no_memory(err);
    for (uint32_t s = 0; s < out->n; s++) {
        over[s] = covey_hierarchy_lca(tree, out->n_left[s] - 1, out->n_left[s]);
        out->first[s] = s;
        while (out->first[s] > 0 && over[out->first[s] - 1] >= over[s])
            out->first[s] = out->first[out->first[s] - 1];
    }
    for (uint32_t s = out->n; s-- > 0;) {
        out->last[s] = s + 1;
        while (out->last[s] < out->n && over[out->last[s]] >= over[s])
            out->last[s] = out->last[out->last[s]];
    }
    return COVEY_OK;
}

/* What the search sees.  Missing cells, which come first, can always be parted from the others. */
static covey_status finish(covey_axis_splits *out, covey_splits_maker *m, covey_error *err)
{
    const bool parts_null = m->axis->column->has_null && m->axis->n_values > 1;
    uint32_t n = 0;

    covey_i_splits_tidy(m);
    out->threshold = covey_arena_array(m->arena, covey_fraction, m->n + 1);
    out->n_left = covey_arena_array(m->arena, uint32_t, m->n + 1);
    if (!out->threshold || !out->n_left)
        return covey_i_no_memory(err);
    if (parts_null) {
        out->threshold[n] = m->low;
        out->n_left[n++] = 1;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        out->threshold[n] = m->threshold[i];
        out->n_left[n++] = covey_i_splits_codes_up_to(m->axis, m->threshold[i]);
    }
    out->n = n;
    return out->siblings ? find_widest(out, m->axis->tree, m->arena, err) : COVEY_OK;
}

static covey_splits_maker maker_of(const covey_problem *problem, size_t a, const char *owner, covey_arena *arena,
                                   const covey_run *run)
{
    covey_splits_maker m = {.problem = problem, .axis = &problem->axis[a], .owner = owner, .arena = arena, .run = run};

    covey_i_splits_domain(&m.low, &m.high, m.axis);
    return m;
}

/* What a number of quantiles comes to: splits that differ, and the most rows in one cell that a further split can part.
 */
struct quantiles {
    uint32_t n_splits;
    uint64_t fullest; /* 0: no cell has two values */
};

static covey_status try_quantiles(struct quantiles *out, covey_splits_maker *m, const uint64_t *count,
                                  int64_t n_quantiles, covey_error *err)
{
    uint32_t code = covey_i_splits_first_value(m->axis);

    COVEY_TRY(covey_i_splits_quantiles(m, count, n_quantiles, err));
    covey_i_splits_tidy(m);
    *out = (struct quantiles){m->n, 0};
    for (uint32_t i = 0; i <= m->n; i++) {
        const uint32_t end = i < m->n ? covey_i_splits_codes_up_to(m->axis, m->threshold[i]) : m->axis->n_values;
        uint32_t n_values = 0;
        uint64_t rows = 0;

        for (; code < end; code++) {
            rows += count[code];
            n_values += count[code] > 0;
        }
        out->fullest = n_values > 1 && rows > out->fullest ? rows : out->fullest;
    }
    return COVEY_OK;
}

/* One attribute while a budget is spent. */
struct share {
    const uint64_t *count; /* rows per code */
    int64_t n_quantiles;
    struct quantiles now;
};

/* The fewest more quantiles that give more splits, but not more than `most` more; where there are none, the attribute
 * wants no more. */
static covey_status add_split(struct share *share, covey_splits_maker *m, int64_t most, covey_error *err)
{
    const int64_t end =
        4 * (int64_t)m->axis->n_values < COVEY_SPLITS_MOST ? 4 * (int64_t)m->axis->n_values : COVEY_SPLITS_MOST;

    for (int64_t n = share->n_quantiles + 1; n <= end; n++) {
        const covey_arena_mark mark = covey_arena_save(m->arena);
        struct quantiles found;

        COVEY_TRY(try_quantiles(&found, m, share->count, n, err));
        covey_arena_rewind(m->arena, mark);
        if (found.n_splits > share->now.n_splits && found.n_splits - share->now.n_splits <= most) {
            share->n_quantiles = n;
            share->now = found;
            return COVEY_OK;
        }
    }
    share->now.fullest = 0;
    return COVEY_OK;
}

/* Spends a budget of splits: one for each attribute, then one more for the attribute with the fullest cell, ties to the
 * first.  Quantiles that fall together are one split, and a cell of one value cannot be parted. */
static covey_status spend(int64_t *n_quantiles, const covey_problem *problem, const bool *is_named, int64_t budget,
                          const char *owner, covey_arena *arena, covey_error *err)
{
    struct share *share = covey_arena_array_zero(arena, struct share, problem->n_axes);
    size_t most = 0;

    if (!share)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_splits_maker m = maker_of(problem, a, owner, arena, NULL);
        uint64_t *count;

        if (is_named[a])
            continue;
        COVEY_TRY(covey_i_splits_count_codes(&count, &m, err));
        share[a].count = count;
        share[a].now.fullest = 1; /* so that it is asked for its first split */
        COVEY_TRY(add_split(&share[a], &m, 1, err));
        budget -= share[a].now.n_splits;
    }
    while (budget > 0) {
        covey_splits_maker m;
        uint32_t before;

        for (size_t a = 0; a < problem->n_axes; a++)
            most = share[a].now.fullest > share[most].now.fullest ||
                           (a < most && share[a].now.fullest == share[most].now.fullest)
                       ? a
                       : most;
        if (share[most].now.fullest == 0)
            break;
        m = maker_of(problem, most, owner, arena, NULL);
        before = share[most].now.n_splits;
        COVEY_TRY(add_split(&share[most], &m, budget, err));
        budget -= share[most].now.n_splits - before;
    }
    for (size_t a = 0; a < problem->n_axes; a++)
        n_quantiles[a] = share[a].n_quantiles;
    return COVEY_OK;
}

covey_status covey_i_splits_read(covey_axis_splits **out, const covey_problem *problem, const char *text,
                                 int64_t budget, const char *owner, covey_arena *arena, const covey_run *run,
                                 covey_error *err)
{
    const size_t d = problem->n_axes;
    covey_axis_splits *splits = covey_arena_array_zero(arena, covey_axis_splits, d);
    const covey_yaml **wish = covey_arena_array_zero(arena, const covey_yaml *, d), *root = NULL;
    int64_t *n_quantiles = covey_arena_array_zero(arena, int64_t, d);
    bool *is_named = covey_arena_array_zero(arena, bool, d);

    if (!splits || !wish || !n_quantiles || !is_named)
        return covey_i_no_memory(err);
    if (text)
        COVEY_TRY(covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, err));
    if (root && root->kind != COVEY_YAML_MAP)
        return covey_fail(err, COVEY_EINVAL,
                          "%s: splits must be a mapping such as {age: [20, 25], income: \"quantile:9\"}", owner);
    for (size_t i = 0; root && i < root->n; i++) {
        size_t a;

        COVEY_TRY(find_axis(&a, problem, root->key[i]->text, owner, "splits", arena, err));
        wish[a] = root->item[i];
        is_named[a] = true;
    }
    if (budget > 0)
        COVEY_TRY(
            covey_i_error_about(spend(n_quantiles, problem, is_named, budget, owner, arena, err), "split-budget", err));
    for (size_t a = 0; a < d; a++) {
        covey_splits_maker m = maker_of(problem, a, owner, arena, run);

        if (wish[a] && wish[a]->kind == COVEY_YAML_LIST)
            COVEY_TRY(read_list(&m, wish[a], err));
        else if (wish[a] && wish[a]->kind == COVEY_YAML_SCALAR)
            COVEY_TRY(read_word(&m, &splits[a], wish[a]->text, err));
        else if (wish[a])
            return covey_fail(err, COVEY_EINVAL,
                              "%s: splits: %s must be a list of values or a word such as \"quantile:9\"", owner,
                              m.axis->column->name);
        else if (budget > 0)
            COVEY_TRY(covey_i_error_about(read_quantiles(&m, n_quantiles[a], err), "split-budget", err));
        else
            COVEY_TRY(read_word(&m, &splits[a], m.axis->kind == COVEY_AXIS_TREE ? "siblings" : "distinct", err));
        COVEY_TRY(finish(&splits[a], &m, err));
    }
    *out = splits;
    return COVEY_OK;
}

covey_status covey_i_splits_lengths(const covey_fraction **out, const covey_problem *problem, const char *text,
                                    const char *owner, covey_arena *arena, covey_error *err)
{
    covey_fraction *length;
    const covey_yaml *root;

    *out = NULL;
    if (!text)
        return COVEY_OK;
    if (!(length = covey_arena_array(arena, covey_fraction, problem->n_axes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++)
        length[a] = (covey_fraction){0, 1};
    COVEY_TRY(covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, err));
    if (!root || root->kind != COVEY_YAML_MAP)
        return covey_fail(err, COVEY_EINVAL, "%s: min-length must be a mapping such as {age: 10}", owner);
    for (size_t i = 0; i < root->n; i++) {
        size_t a;

        COVEY_TRY(find_axis(&a, problem, root->key[i]->text, owner, "min-length", arena, err));
        COVEY_TRY(read_number(&length[a], &problem->axis[a], root->item[i]->text, true, owner, err));
        if (length[a].num < 0)
            return covey_fail(err, COVEY_EINVAL, "%s: min-length: %s: a length is at least 0, not %s", owner,
                              problem->axis[a].column->name, root->item[i]->text);
    }
    *out = length;
    return COVEY_OK;
}

bool covey_i_splits_is_long(covey_fraction from, covey_fraction to, covey_fraction length)
{
    const covey_fraction width = covey_i_fraction(to.num * from.den - from.num * to.den, to.den * from.den);

    return covey_i_fraction_compare(width, length) >= 0;
}

/* What a domain has, or a length, in the numbers of the policy. */
static void length_text(char *out, size_t size, const covey_axis *axis, covey_fraction length)
{
    covey_i128 unit = 1;

    for (int i = 0; axis->kind == COVEY_AXIS_RANGE && i < axis->column->scale; i++)
        unit *= 10;
    covey_i_fraction_text(out, size, covey_i_fraction(length.num, length.den * unit));
}

/* The policy whose lengths are those of the domains where they are longer. */
static covey_status name_lengths(const covey_fraction *length, const covey_problem *problem, covey_error *err)
{
    covey_changes changes = {.is_lost = false};
    covey_text json = COVEY_TEXT_INIT;

    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];
        covey_fraction low, high;
        char text[96];

        covey_i_splits_domain(&low, &high, axis);
        length_text(text, sizeof text, axis,
                    covey_i_splits_is_long(low, high, length[a]) ? length[a] : covey_i_fraction(high.num - low.num, 1));
        if (length[a].num == 0)
            continue;
        covey_i_text_add_string(&json, json.size > 0 ? ", " : "{");
        covey_i_text_add_json(&json, axis->column->name);
        covey_i_text_add_format(&json, ": \"%s\"", text);
    }
    covey_i_text_add_string(&json, "}");
    if (!json.broken) {
        covey_i_changes_method_json(&changes, "min-length", json.bytes);
        covey_i_method_name_nearest_with(&changes, problem, err);
    }
    covey_i_text_free(&json);
    return COVEY_EINFEASIBLE;
}

covey_status covey_i_splits_check_lengths(const covey_fraction *length, const covey_problem *problem, const char *owner,
                                          covey_error *err)
{
    for (size_t a = 0; length && a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];
        covey_fraction low, high;
        char most[96];

        covey_i_splits_domain(&low, &high, axis);
        if (covey_i_splits_is_long(low, high, length[a]))
            continue;
        length_text(most, sizeof most, axis, covey_i_fraction(high.num - low.num, 1));
        covey_fail(err, COVEY_EINFEASIBLE,
                   "%s: no release can keep min-length: the domain of \"%s\" itself is shorter; it can be %s at most",
                   owner, axis->column->name, most);
        return name_lengths(length, problem, err);
    }
    return COVEY_OK;
}
