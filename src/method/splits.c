/* See splits.h.  Thresholds are exact fractions; one that lies outside the domain or stands twice is left out with a warning. */
#include "method/splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml_tree.h"
#include "table/table_impl.h"

/* One axis while its splits are made. */
struct maker {
    const covey_problem *problem;
    const covey_axis *axis;
    const char *owner;
    covey_arena *arena;
    const covey_run *run;
    covey_fraction low, high;
    covey_fraction *threshold; /* with room for most */
    uint32_t n, most;
};

static covey_status no_memory(const struct maker *m, covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "splits of column \"%s\"", m->axis->column->name);
}

static uint32_t first_value(const covey_axis *axis)
{
    return axis->column->has_null ? 1 : 0;
}

void covey_i_splits_domain(covey_fraction *low, covey_fraction *high, const covey_axis *axis)
{
    if (axis->kind == COVEY_AXIS_RANGE) {
        *low = (covey_fraction){axis->domain_low, 1};
        *high = (covey_fraction){axis->domain_high, 1};
        return;
    }
    *low = (covey_fraction){first_value(axis), 1};
    *high = (covey_fraction){axis->n_values > 0 ? axis->n_values - 1 : 0, 1};
}

covey_status covey_i_splits_axis(size_t *out, const covey_problem *problem, const char *name, const char *owner, const char *param,
                                 covey_arena *arena, covey_error *err)
{
    const char **names = covey_arena_array(arena, const char *, problem->n_axes), *near;

    if (!names)
        return covey_fail(err, COVEY_ENOMEM, "%zu columns", problem->n_axes);
    for (size_t a = 0; a < problem->n_axes; a++) {
        names[a] = problem->axis[a].column->name;
        if (strcmp(names[a], name) == 0) {
            *out = a;
            return COVEY_OK;
        }
    }
    if ((near = covey_nearest_name(name, names, problem->n_axes)))
        return covey_fail(err, COVEY_EINVAL, "%s: %s: there is no quasi-identifier \"%s\"; did you mean \"%s\"?", owner, param, name, near);
    return covey_fail(err, COVEY_EINVAL, "%s: %s: there is no quasi-identifier \"%s\"; the first is \"%s\"", owner, param, name,
                      problem->n_axes > 0 ? names[0] : "");
}

covey_status covey_i_splits_number(covey_fraction *out, const covey_axis *axis, const char *text, bool is_length, const char *owner, covey_error *err)
{
    covey_ratio value;
    covey_fraction scaled;
    int64_t days;

    if (!is_length && axis->column->type == COVEY_TYPE_DATE && covey_i_parse_date(&days, text, strlen(text))) {
        *out = (covey_fraction){days, 1};
        return COVEY_OK;
    }
    if (covey_ratio_parse(&value, text, NULL) != COVEY_OK)
        return covey_fail(err, COVEY_EINVAL, "%s: %s: \"%s\" is not a number", owner, axis->column->name, text);
    scaled = (covey_fraction){value.num, value.den};
    if (axis->kind == COVEY_AXIS_RANGE)
        for (int i = 0; i < axis->column->scale; i++)
            scaled.num *= 10; /* at most 10^18 * 10^18 */
    *out = covey_i_fraction(scaled.num, scaled.den);
    return COVEY_OK;
}

static covey_status reserve(struct maker *m, uint64_t most, covey_error *err)
{
    if (most > COVEY_SPLITS_MOST)
        return covey_fail(err, COVEY_EINVAL, "%s: column \"%s\" would have %llu splits; %d are the most: use quantiles or wider steps", m->owner,
                          m->axis->column->name, (unsigned long long)most, COVEY_SPLITS_MOST);
    m->most = (uint32_t)most;
    m->n = 0;
    return (m->threshold = covey_arena_array(m->arena, covey_fraction, most)) ? COVEY_OK : no_memory(m, err);
}

static void add(struct maker *m, covey_fraction t)
{
    m->threshold[m->n++] = t;
}

/* Between any two neighbouring values. */
static covey_status make_distinct(struct maker *m, covey_error *err)
{
    const covey_axis *axis = m->axis;
    const uint32_t first = first_value(axis);

    COVEY_TRY(reserve(m, axis->n_values > first ? axis->n_values - first : 1, err));
    for (uint32_t v = first; v + 1 < axis->n_values; v++)
        if (axis->kind == COVEY_AXIS_RANGE)
            add(m, covey_i_fraction((covey_i128)axis->column->number[v] + axis->column->number[v + 1], 2));
        else
            add(m, covey_i_fraction(2 * (covey_i128)v + 1, 2));
    return COVEY_OK;
}

/* Rows per code. */
static covey_status count_codes(uint64_t **out, const struct maker *m, covey_error *err)
{
    uint64_t *count = covey_arena_array_zero(m->arena, uint64_t, m->axis->n_values);

    if (!count)
        return no_memory(m, err);
    for (uint32_t row = 0; row < m->problem->n_rows; row++)
        count[covey_i_code(m->axis->column, row)]++;
    *out = count;
    return COVEY_OK;
}

/* The largest code among `parts` quantiles' i-th: of the sorted row number ceil(i N / parts); UINT32_MAX if that is the maximum. */
static uint32_t quantile_code(const uint64_t *count, const covey_axis *axis, uint64_t n_rows, uint64_t i, uint64_t parts)
{
    const uint64_t rank = (uint64_t)(((covey_u128)i * n_rows + parts - 1) / parts);
    uint64_t below = 0;
    uint32_t last = axis->n_values;

    for (uint32_t v = first_value(axis); v < axis->n_values; v++)
        last = count[v] ? v : last;
    for (uint32_t v = first_value(axis); v < axis->n_values; v++)
        if ((below += count[v]) >= rank && count[v])
            return v == last ? UINT32_MAX : v;
    return UINT32_MAX;
}

static covey_status make_quantiles(struct maker *m, int64_t parts, covey_error *err)
{
    const covey_axis *axis = m->axis;
    uint64_t *count, n_rows = 0;
    uint32_t last = UINT32_MAX;

    COVEY_TRY(reserve(m, (uint64_t)parts, err));
    COVEY_TRY(count_codes(&count, m, err));
    for (uint32_t v = first_value(axis); v < axis->n_values; v++)
        n_rows += count[v];
    for (int64_t i = 1; n_rows > 0 && i <= parts; i++) {
        const uint32_t v = quantile_code(count, axis, n_rows, (uint64_t)i, (uint64_t)parts + 1);

        if (v == UINT32_MAX || v == last)
            continue;
        last = v;
        add(m, axis->kind == COVEY_AXIS_RANGE ? (covey_fraction){axis->column->number[v], 1} : covey_i_fraction(2 * (covey_i128)v + 1, 2));
    }
    return COVEY_OK;
}

static covey_status make_widths(struct maker *m, int64_t parts, covey_error *err)
{
    COVEY_TRY(reserve(m, (uint64_t)parts, err));
    for (int64_t i = 1; i <= parts; i++)
        add(m, covey_i_fraction(m->low.num * (parts + 1) + (m->high.num - m->low.num) * i, parts + 1));
    return COVEY_OK;
}

static covey_i128 floor_of(covey_i128 num, covey_i128 den)
{
    return num / den - (num % den < 0);
}

/* Multiples of a step in [low, high). */
static covey_status make_steps(struct maker *m, covey_fraction step, covey_error *err)
{
    const covey_i128 first = -floor_of(-m->low.num * step.den, step.num), end = -floor_of(-m->high.num * step.den, step.num);

    COVEY_TRY(reserve(m, end > first ? (end - first > COVEY_SPLITS_MOST ? COVEY_SPLITS_MOST + 1u : (uint64_t)(end - first)) : 1, err));
    for (covey_i128 i = first; i < end; i++)
        add(m, covey_i_fraction(i * step.num, step.den));
    return COVEY_OK;
}

static covey_status read_list(struct maker *m, const covey_yaml *list, covey_error *err)
{
    const covey_axis *axis = m->axis;

    COVEY_TRY(reserve(m, list->n > 0 ? list->n : 1, err));
    for (size_t i = 0; i < list->n; i++) {
        covey_fraction t;
        uint32_t code = axis->n_values;

        if (list->item[i]->kind != COVEY_YAML_SCALAR)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s must be a list of values such as [20, 25]", m->owner, axis->column->name);
        for (uint32_t v = 0; axis->kind != COVEY_AXIS_RANGE && code == axis->n_values && v < axis->n_values; v++)
            if (strcmp(covey_column_label(axis->column, v), list->item[i]->text) == 0)
                code = v;
        if (axis->kind == COVEY_AXIS_RANGE)
            COVEY_TRY(covey_i_splits_number(&t, axis, list->item[i]->text, false, m->owner, err));
        else if (code < axis->n_values)
            t = covey_i_fraction(2 * (covey_i128)code + 1, 2); /* behind that value */
        else
            return covey_fail(err, COVEY_EINVAL, "%s: splits: column \"%s\" has no value \"%s\" to cut behind", m->owner, axis->column->name,
                              list->item[i]->text);
        add(m, t);
    }
    return COVEY_OK;
}

/* "quantile:9" */
static covey_status read_word(struct maker *m, covey_axis_splits *out, const char *word, covey_error *err)
{
    const char *colon = strchr(word, ':');
    const size_t size = colon ? (size_t)(colon - word) : strlen(word);
    const bool is_quantile = size == 8 && strncmp(word, "quantile", size) == 0, is_width = size == 5 && strncmp(word, "width", size) == 0;
    covey_ratio number;

    if (strcmp(word, "distinct") == 0 || strcmp(word, "anywhere") == 0)
        return make_distinct(m, err);
    if (strcmp(word, "none") == 0)
        return reserve(m, 1, err);
    if (strcmp(word, "siblings") == 0) {
        if (m->axis->kind != COVEY_AXIS_TREE)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: column \"%s\" has no hierarchy, so it has no siblings; use \"distinct\"", m->owner,
                              m->axis->column->name);
        out->siblings = true;
        return make_distinct(m, err);
    }
    if (colon && (is_quantile || is_width)) {
        if (covey_ratio_parse(&number, colon + 1, NULL) != COVEY_OK || number.den != 1 || number.num < 1 || number.num > COVEY_SPLITS_MOST)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s: \"%s\" must name a number of splits from 1 to %d", m->owner, m->axis->column->name,
                              word, COVEY_SPLITS_MOST);
        return is_quantile ? make_quantiles(m, number.num, err) : make_widths(m, number.num, err);
    }
    if (colon && size == 4 && strncmp(word, "step", size) == 0) {
        covey_fraction step;

        COVEY_TRY(covey_i_splits_number(&step, m->axis, colon + 1, true, m->owner, err));
        if (step.num <= 0)
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s: a step must be positive, not \"%s\"", m->owner, m->axis->column->name, colon + 1);
        return make_steps(m, step, err);
    }
    return covey_fail(err, COVEY_EINVAL,
                      "%s: splits: %s must be a list of values, distinct, quantile:M, width:M, step:S, siblings, anywhere or none, not \"%s\"", m->owner,
                      m->axis->column->name, word);
}

static int compare(const void *a, const void *b)
{
    return covey_i_fraction_compare(*(const covey_fraction *)a, *(const covey_fraction *)b);
}

static void warn(const struct maker *m, const char *what, uint32_t n)
{
    char text[256];

    if (!n || !m->run || !m->run->warn)
        return;
    snprintf(text, sizeof text, "%s: splits: column \"%s\": %u split%s %s", m->owner, m->axis->column->name, n, n == 1 ? "" : "s", what);
    m->run->warn(m->run->context, text);
}

/* Ascending, inside low <= t < high, each once. */
static void tidy(struct maker *m)
{
    uint32_t n = 0, n_outside = 0, n_double = 0;

    qsort(m->threshold, m->n, sizeof *m->threshold, compare);
    for (uint32_t i = 0; i < m->n; i++)
        if (covey_i_fraction_compare(m->threshold[i], m->low) < 0 || covey_i_fraction_compare(m->threshold[i], m->high) >= 0)
            n_outside++;
        else if (n > 0 && covey_i_fraction_compare(m->threshold[n - 1], m->threshold[i]) == 0)
            n_double++;
        else
            m->threshold[n++] = m->threshold[i];
    m->n = n;
    warn(m, n_outside == 1 ? "lies outside the domain and is left out" : "lie outside the domain and are left out", n_outside);
    warn(m, n_double == 1 ? "stands there twice" : "stand there twice", n_double);
}

/* How many codes go left of a threshold. */
static uint32_t codes_up_to(const covey_axis *axis, covey_fraction t)
{
    uint32_t low = first_value(axis), high = axis->n_values;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const covey_i128 value = axis->kind == COVEY_AXIS_RANGE ? axis->column->number[middle] : (covey_i128)middle;

        if (covey_i_fraction_compare((covey_fraction){value, 1}, t) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the search sees.  Missing cells, which come first, can always be parted from the others. */
static covey_status finish(covey_axis_splits *out, struct maker *m, covey_error *err)
{
    const bool parts_null = m->axis->column->has_null && m->axis->n_values > 1;
    uint32_t n = 0;

    tidy(m);
    out->threshold = covey_arena_array(m->arena, covey_fraction, m->n + 1);
    out->n_left = covey_arena_array(m->arena, uint32_t, m->n + 1);
    out->over = covey_arena_array_zero(m->arena, uint32_t, m->n + 1);
    if (!out->threshold || !out->n_left || !out->over)
        return no_memory(m, err);
    if (parts_null) {
        out->threshold[n] = m->low;
        out->n_left[n++] = 1;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        out->threshold[n] = m->threshold[i];
        out->n_left[n++] = codes_up_to(m->axis, m->threshold[i]);
    }
    out->n = n;
    for (uint32_t s = 0; out->siblings && s < n; s++)
        out->over[s] = covey_hierarchy_lca(m->axis->tree, out->n_left[s] - 1, out->n_left[s]);
    return COVEY_OK;
}

bool covey_i_splits_allow(const covey_axis_splits *splits, uint32_t low, uint32_t high, uint32_t s)
{
    uint32_t top = splits->over[s];

    if (!splits->siblings)
        return true;
    for (uint32_t i = low; i < high; i++) /* nodes are numbered in pre-order: the lowest over all is the smallest */
        top = splits->over[i] < top ? splits->over[i] : top;
    return splits->over[s] == top;
}

static struct maker maker_of(const covey_problem *problem, size_t a, const char *owner, covey_arena *arena, const covey_run *run)
{
    struct maker m = {.problem = problem, .axis = &problem->axis[a], .owner = owner, .arena = arena, .run = run};

    covey_i_splits_domain(&m.low, &m.high, m.axis);
    return m;
}

/* The most rows that the splits of n quantiles leave together in one cell. */
static covey_status fullest_cell(uint64_t *out, struct maker *m, int64_t n_quantiles, covey_error *err)
{
    uint64_t *count, rows = 0;
    uint32_t code = 0;

    COVEY_TRY(make_quantiles(m, n_quantiles, err));
    tidy(m);
    COVEY_TRY(count_codes(&count, m, err));
    *out = 0;
    for (uint32_t i = 0; i <= m->n; i++) {
        const uint32_t end = i < m->n ? codes_up_to(m->axis, m->threshold[i]) : m->axis->n_values;

        for (rows = 0; code < end; code++)
            rows += count[code];
        *out = rows > *out ? rows : *out;
    }
    return COVEY_OK;
}

/* Spends a budget of splits: the attribute with the fullest cell gets one more quantile, ties to the first. */
static covey_status spend(int64_t *n_quantiles, const covey_problem *problem, const bool *is_named, int64_t budget, const char *owner,
                          covey_arena *arena, covey_error *err)
{
    uint64_t *fullest = covey_arena_array_zero(arena, uint64_t, problem->n_axes);
    covey_arena_mark mark;

    if (!fullest)
        return covey_fail(err, COVEY_ENOMEM, "splits");
    mark = covey_arena_save(arena);
    for (size_t a = 0; a < problem->n_axes; a++) {
        struct maker m = maker_of(problem, a, owner, arena, NULL);

        n_quantiles[a] = is_named[a] ? 0 : 1;
        if (!is_named[a])
            COVEY_TRY(fullest_cell(&fullest[a], &m, 1, err));
        budget -= !is_named[a];
    }
    while (budget-- > 0) {
        size_t most = 0;
        struct maker m;

        for (size_t a = 1; a < problem->n_axes; a++)
            most = fullest[a] > fullest[most] ? a : most;
        if (fullest[most] == 0)
            break;
        m = maker_of(problem, most, owner, arena, NULL);
        n_quantiles[most]++;
        if (n_quantiles[most] > 4 * (int64_t)problem->axis[most].n_values || n_quantiles[most] >= COVEY_SPLITS_MOST)
            fullest[most] = 0; /* one value fills it: nothing to split */
        else
            COVEY_TRY(fullest_cell(&fullest[most], &m, n_quantiles[most], err));
        covey_arena_rewind(arena, mark);
    }
    return COVEY_OK;
}

covey_status covey_i_splits_read(covey_axis_splits **out, const covey_problem *problem, const char *text, int64_t budget, const char *owner,
                                 covey_arena *arena, const covey_run *run, covey_error *err)
{
    const size_t d = problem->n_axes;
    covey_axis_splits *splits = covey_arena_array_zero(arena, covey_axis_splits, d);
    const covey_yaml **wish = covey_arena_array_zero(arena, const covey_yaml *, d), *root = NULL;
    int64_t *n_quantiles = covey_arena_array_zero(arena, int64_t, d);
    bool *is_named = covey_arena_array_zero(arena, bool, d);

    if (!splits || !wish || !n_quantiles || !is_named)
        return covey_fail(err, COVEY_ENOMEM, "splits");
    if (text)
        COVEY_TRY(covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, err));
    if (root && root->kind != COVEY_YAML_MAP)
        return covey_fail(err, COVEY_EINVAL, "%s: splits must be a mapping such as {age: [20, 25], income: \"quantile:9\"}", owner);
    for (size_t i = 0; root && i < root->n; i++) {
        size_t a;

        COVEY_TRY(covey_i_splits_axis(&a, problem, root->key[i]->text, owner, "splits", arena, err));
        wish[a] = root->item[i];
        is_named[a] = true;
    }
    if (budget > 0)
        COVEY_TRY(spend(n_quantiles, problem, is_named, budget, owner, arena, err));
    for (size_t a = 0; a < d; a++) {
        struct maker m = maker_of(problem, a, owner, arena, run);

        if (wish[a] && wish[a]->kind == COVEY_YAML_LIST)
            COVEY_TRY(read_list(&m, wish[a], err));
        else if (wish[a] && wish[a]->kind == COVEY_YAML_SCALAR)
            COVEY_TRY(read_word(&m, &splits[a], wish[a]->text, err));
        else if (wish[a])
            return covey_fail(err, COVEY_EINVAL, "%s: splits: %s must be a list of values or a word such as \"quantile:9\"", owner, m.axis->column->name);
        else if (budget > 0)
            COVEY_TRY(make_quantiles(&m, n_quantiles[a], err));
        else
            COVEY_TRY(read_word(&m, &splits[a], m.axis->kind == COVEY_AXIS_TREE ? "siblings" : "distinct", err));
        COVEY_TRY(finish(&splits[a], &m, err));
    }
    *out = splits;
    return COVEY_OK;
}
