/* Beta-likeness of sets of values: the values of a set together may not gain more than group-beta, either.  Sets are
 * given (groups), or all windows of a line (proximity): K values in a row, or all maximal sets of values that lie
 * within a width of each other.
 *
 * Under the basic model with the same beta a set's bound follows from those of its values; a smaller group-beta is what
 * stops attackers who are content to know something similar.  Under the enhanced model f is concave, and a set's bound
 * is a stronger one as soon as its share exceeds e^-beta.  Source: [CaoKarras12], future work in its conclusion.
 *
 * Windows begin and end in ascending order, so as one slides over the line the rows of a class in it change only where
 * one of the class's values enters or leaves.  In between, the window with the fewest rows in the table has the least
 * cap; a table of minima finds it at once. [derived] It need not begin or end at one of the class's values.  A class
 * costs O(values present). */
#include "model/beta_caps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/line.h"

struct covey_beta_groups {
    const covey_histogram *prior;
    size_t n_sets;
    uint32_t *first, *member; /* [n_sets + 1] into member: codes */
    covey_cap *set_cap;       /* [n_sets] */
    const covey_line *line;   /* NULL: no windows */
    uint32_t n_windows;
    uint32_t *begin, *end;         /* [n_windows] points begin .. end-1, both ascending */
    uint32_t *enters, *leaves;     /* [line->n] first window that has the point, and the first one behind it */
    covey_cap *window_cap;         /* [n_windows] */
    int64_t *window_rows;          /* [n_windows] in the table */
    uint32_t n_levels, **smallest; /* [n_levels][n_windows]: which of 2^level windows from here on has the fewest rows,
                                      the first of several */
};

covey_status covey_i_beta_yaml(const covey_yaml **out, const char *param, const char *text, covey_arena *arena,
                               covey_error *err)
{
    covey_error inner;
    const covey_status status = covey_i_yaml_parse(out, text, strlen(text), NULL, arena, &inner);

    if (status == COVEY_ENOMEM)
        return covey_i_no_memory(err);
    return status == COVEY_OK ? status : covey_fail(err, COVEY_EINVAL, "%s: %s", param, inner.message);
}

/* --- given sets --- */

/* A value by its label. */
struct named {
    const char *label;
    uint32_t value;
};

static int compare_named(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->label, ((const struct named *)b)->label);
}

static covey_status unknown_value(const char *label, const covey_column *column, covey_arena *arena, covey_error *err)
{
    const char **names = covey_arena_array(arena, const char *, column->n_values), *near;

    if (!names)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++)
        names[v] = covey_column_label(column, v);
    if ((near = covey_nearest_name(label, names, column->n_values)))
        return covey_fail(err, COVEY_EINVAL, "groups: column \"%s\" has no value \"%.60s\"; did you mean \"%.60s\"?",
                          column->name, label, near);
    return covey_fail(err, COVEY_EINVAL,
                      "groups: column \"%s\" has no value \"%.60s\": name values that occur, such as \"%.60s\"",
                      column->name, label, names[0]);
}

/* What sets are read with. */
struct set_reader {
    covey_beta_groups *groups;
    const covey_model_input *input;
    struct named *named; /* [n_values] by label */
    uint32_t *seen_in;   /* [n_values] the last set with the value, from 1 */
    covey_arena *arena;
    covey_error *err;
};

static covey_status read_set(struct set_reader *r, const covey_yaml *set)
{
    const covey_column *column = r->input->sensitive;
    covey_beta_groups *g = r->groups;
    uint32_t n = g->first[g->n_sets];

    if (set->kind != COVEY_YAML_LIST || set->n == 0)
        return covey_fail(r->err, COVEY_EINVAL,
                          "groups must be a list of lists of values, such as [[flu, cold], [cancer, tumor]]");
    for (size_t i = 0; i < set->n; i++) {
        const struct named key = {set->item[i]->text, 0}, *found;

        if (set->item[i]->kind != COVEY_YAML_SCALAR)
            return covey_fail(r->err, COVEY_EINVAL, "groups: a group is a list of values, such as [flu, cold]");
        if (!(found = bsearch(&key, r->named, column->n_values, sizeof key, compare_named))) {
            if (r->input->lacks_values)
                continue;
            return unknown_value(key.label, column, r->arena, r->err);
        }
        if (r->seen_in[found->value] == g->n_sets + 1)
            return covey_fail(r->err, COVEY_EINVAL, "groups: the value \"%.60s\" stands twice in a group", key.label);
        r->seen_in[found->value] = (uint32_t)g->n_sets + 1;
        g->member[n++] = found->value;
    }
    g->first[++g->n_sets] = n;
    return COVEY_OK;
}

static covey_status read_sets(covey_beta_groups *g, const covey_model_input *input, const char *text,
                              covey_arena *arena, covey_error *err)
{
    const covey_column *column = input->sensitive;
    struct set_reader r = {g,
                           input,
                           covey_arena_array(arena, struct named, column->n_values),
                           covey_arena_array_zero(arena, uint32_t, column->n_values),
                           arena,
                           err};
    const covey_yaml *root;
    size_t n = 0;

    COVEY_TRY(covey_i_beta_yaml(&root, "groups", text, arena, err));
    if (!root || root->kind != COVEY_YAML_LIST || root->n == 0)
        return covey_fail(err, COVEY_EINVAL,
                          "groups must be a list of lists of values, such as [[flu, cold], [cancer, tumor]]");
    for (size_t i = 0; i < root->n; i++)
        n += root->item[i]->n;
    g->first = covey_arena_array_zero(arena, uint32_t, root->n + 1);
    g->member = covey_arena_array(arena, uint32_t, n);
    g->set_cap = covey_arena_array(arena, covey_cap, root->n);
    if (!r.named || !r.seen_in || !g->first || !g->member || !g->set_cap)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++)
        r.named[v] = (struct named){covey_column_label(column, v), v};
    qsort(r.named, column->n_values, sizeof *r.named, compare_named);
    for (size_t i = 0; i < root->n; i++)
        COVEY_TRY(read_set(&r, root->item[i]));
    return COVEY_OK;
}

/* --- windows --- */

/* What windows are made by: one of the two. */
struct windows_wish {
    int64_t values; /* in a row; 0: by width */
    uint64_t width; /* in units of the column's scale */
};

/* X in units of 10^-scale, rounded down: distances are whole units. */
static covey_status read_width(uint64_t *out, const char *text, const covey_column *column, covey_error *err)
{
    covey_ratio width;
    covey_i128 scaled;

    if (!covey_column_is_number(column))
        return covey_fail(err, COVEY_EINVAL,
                          "proximity: a width needs numbers, but column \"%s\" is %s: choose {window: K}", column->name,
                          covey_type_name(column->type));
    if (covey_ratio_parse(&width, text, NULL) != COVEY_OK || width.num < 0)
        return covey_fail(err, COVEY_EINVAL, "proximity: width must be a number from 0, not \"%.60s\"", text);
    scaled = width.num;
    *out = UINT64_MAX; /* wider than any column */
    for (int i = 0; i < column->scale; i++) {
        if (scaled > (covey_i128)width.den << 60)
            return COVEY_OK;
        scaled *= 10;
    }
    *out = (uint64_t)(scaled / width.den);
    return COVEY_OK;
}

static covey_status read_proximity(struct windows_wish *wish, const char *text, const covey_column *column,
                                   covey_arena *arena, covey_error *err)
{
    const covey_yaml *root, *window, *width;
    covey_ratio k;

    COVEY_TRY(covey_i_beta_yaml(&root, "proximity", text, arena, err));
    window = root && root->n == 1 ? covey_i_yaml_get(root, "window") : NULL;
    width = root && root->n == 1 ? covey_i_yaml_get(root, "width") : NULL;
    if ((!window || window->kind != COVEY_YAML_SCALAR) && (!width || width->kind != COVEY_YAML_SCALAR))
        return covey_fail(err, COVEY_EINVAL, "proximity must be {window: 3} or {width: 1000}, not %.60s", text);
    *wish = (struct windows_wish){0};
    if (width)
        return read_width(&wish->width, width->text, column, err);
    if (covey_ratio_parse(&k, window->text, NULL) != COVEY_OK || k.den != 1 || k.num < 1)
        return covey_fail(err, COVEY_EINVAL, "proximity: window must be a whole number from 1, not \"%.60s\"",
                          window->text);
    wish->values = k.num;
    return COVEY_OK;
}

static void list_windows(covey_beta_groups *g, const struct windows_wish *wish)
{
    const covey_line *line = g->line;
    uint32_t end = 0;

    for (uint32_t begin = 0; begin < line->n; begin++) {
        const uint32_t before = end;

        if (wish->values > 0)
            end = wish->values < line->n - begin ? begin + (uint32_t)wish->values : line->n;
        else
            while (end < line->n && line->position[end] - line->position[begin] <= wish->width)
                end++;
        if (begin > 0 && end == before)
            continue; /* part of the window before */
        g->begin[g->n_windows] = begin;
        g->end[g->n_windows++] = end;
    }
    for (uint32_t w = 0, point = 0; w < g->n_windows; w++)
        for (; point < g->end[w]; point++)
            g->enters[point] = w;
    for (uint32_t w = g->n_windows, point = line->n; point-- > 0;) {
        while (w > 0 && g->begin[w - 1] > point)
            w--;
        g->leaves[point] = w;
    }
}

static covey_status find_minima(covey_beta_groups *g, covey_arena *arena, covey_error *err)
{
    for (g->n_levels = 1; (uint64_t)1 << g->n_levels <= g->n_windows;)
        g->n_levels++;
    if (!(g->smallest = covey_arena_array(arena, uint32_t *, g->n_levels)))
        return covey_i_no_memory(err);
    for (uint32_t level = 0; level < g->n_levels; level++) {
        const uint32_t half = level ? UINT32_C(1) << (level - 1) : 0;

        if (!(g->smallest[level] = covey_arena_array(arena, uint32_t, g->n_windows)))
            return covey_i_no_memory(err);
        for (uint32_t w = 0; w < g->n_windows; w++) {
            const uint32_t left = level ? g->smallest[level - 1][w] : w;
            const uint32_t right = level && w + half < g->n_windows ? g->smallest[level - 1][w + half] : left;

            g->smallest[level][w] = g->window_rows[right] < g->window_rows[left] ? right : left;
        }
    }
    return COVEY_OK;
}

static covey_status make_windows(covey_beta_groups *g, const covey_model_input *input, const char *text,
                                 covey_arena *arena, covey_error *err)
{
    covey_line_wish line_wish = {"proximity", "a window", "give groups", false};
    struct windows_wish wish = {0};
    covey_line *line;

    COVEY_TRY(read_proximity(&wish, text, input->sensitive, arena, err));
    line_wish.by_number = wish.values == 0;
    COVEY_TRY(covey_i_line_new(&line, input, &line_wish, arena, err));
    g->line = line;
    g->begin = covey_arena_array(arena, uint32_t, line->n);
    g->end = covey_arena_array(arena, uint32_t, line->n);
    g->enters = covey_arena_array(arena, uint32_t, line->n);
    g->leaves = covey_arena_array(arena, uint32_t, line->n);
    g->window_rows = covey_arena_array(arena, int64_t, line->n);
    g->window_cap = covey_arena_array(arena, covey_cap, line->n);
    if (!g->begin || !g->end || !g->enters || !g->leaves || !g->window_rows || !g->window_cap)
        return covey_i_no_memory(err);
    list_windows(g, &wish);
    for (uint32_t w = 0; w < g->n_windows; w++)
        g->window_rows[w] = line->below[g->end[w] - 1] - (g->begin[w] > 0 ? line->below[g->begin[w] - 1] : 0);
    return find_minima(g, arena, err);
}

static void find_caps(covey_beta_groups *g, const covey_beta_kind *kind, covey_ratio beta)
{
    for (size_t s = 0; s < g->n_sets; s++) {
        int64_t rows = 0;

        for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
            rows += g->prior->count[g->member[i]];
        g->set_cap[s] = kind->cap(rows, g->prior->total, beta);
    }
    for (uint32_t w = 0; w < g->n_windows; w++)
        g->window_cap[w] = kind->cap(g->window_rows[w], g->prior->total, beta);
}

covey_status covey_i_beta_groups_new(covey_beta_groups **out, const covey_model_input *input,
                                     const struct covey_beta_params *params, const covey_beta_kind *kind,
                                     covey_arena *arena, covey_error *err)
{
    covey_beta_groups *g;

    *out = NULL;
    if (!params->groups && !params->proximity)
        return params->group_beta.num == 0 ? COVEY_OK
                                           : covey_i_refuse_param(err, "group-beta",
                                                                  "group-beta goes with groups or proximity: give "
                                                                  "one of them");
    if (!(g = covey_arena_array_zero(arena, covey_beta_groups, 1)))
        return covey_i_no_memory(err);
    g->prior = input->prior;
    if (params->groups)
        COVEY_TRY(covey_i_error_about(read_sets(g, input, params->groups, arena, err), "groups", err));
    if (params->proximity)
        COVEY_TRY(covey_i_error_about(make_windows(g, input, params->proximity, arena, err), "proximity", err));
    find_caps(g, kind, params->group_beta.num > 0 ? params->group_beta : params->beta);
    *out = g;
    return COVEY_OK;
}

/* --- judging --- */

/* Of the windows from .. to-1, the one with the fewest rows in the table. */
static uint32_t smallest_window(const covey_beta_groups *g, uint32_t from, uint32_t to)
{
    const uint32_t level = 31 - (uint32_t)__builtin_clz(to - from);
    const uint32_t left = g->smallest[level][from], right = g->smallest[level][to - (UINT32_C(1) << level)];

    return g->window_rows[right] < g->window_rows[left] ? right : left;
}

/* A class's points one after another, and where the next of them enters or leaves. */
struct events {
    covey_line_walk walk;
    const uint32_t *at; /* window of a point's event */
    uint32_t point, next;
    int64_t rows;
};

static void step(struct events *e, uint32_t n_windows)
{
    uint32_t value;

    e->next = n_windows;
    if (covey_i_line_walk_next(&e->walk, &value)) {
        e->point = e->walk.line->point[value];
        e->rows = e->walk.group->count[value];
        e->next = e->at[e->point];
    }
}

static bool windows_admit(const covey_beta_groups *g, const covey_group *group)
{
    struct events enter = {.at = g->enters}, leave = {.at = g->leaves};
    int64_t rows = 0;

    covey_i_line_walk_init(&enter.walk, g->line, group->counts);
    leave.walk = enter.walk;
    step(&enter, g->n_windows);
    step(&leave, g->n_windows);
    for (uint32_t w = 0, end; w < g->n_windows; w = end) {
        for (; enter.next <= w; step(&enter, g->n_windows))
            rows += enter.rows;
        for (; leave.next <= w; step(&leave, g->n_windows))
            rows -= leave.rows;
        end = enter.next < leave.next ? enter.next : leave.next;
        if (rows > 0 && !covey_i_cap_holds(&g->window_cap[smallest_window(g, w, end)], rows, group->size))
            return false;
    }
    return true;
}

bool covey_i_beta_groups_admit(const covey_beta_groups *g, const covey_group *group)
{
    for (size_t s = 0; s < g->n_sets; s++) {
        int64_t rows = 0;

        for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
            rows += group->counts->count[g->member[i]];
        if (!covey_i_cap_holds(&g->set_cap[s], rows, group->size))
            return false;
    }
    return !g->line || windows_admit(g, group);
}

/* --- judging shares --- */

/* A sum of shares lies between two whole numbers of 2^-62. */
struct between {
    covey_u128 low, high;
};

static struct between bound_share(const covey_share *share)
{
    covey_u128 num = share->num, den = share->den, more = num, less = den;
    struct between b;

    for (; den >> 64; den = (den >> 1) + 1)
        num >>= 1;
    b.low = (num << 62) / den;
    for (; less >> 64; less >>= 1)
        more = (more >> 1) + 1;
    b.high = ((more << 62) + less - 1) / less;
    return b;
}

static void move(struct between *sum, const covey_share *share, bool enters)
{
    const struct between b = bound_share(share);

    sum->low = enters ? sum->low + b.low : sum->low - b.low;
    sum->high = enters ? sum->high + b.high : sum->high - b.high;
}

/* Notes what is known of a set. */
static void judge_sum(bool *admits, bool *decided, const struct between *sum, const covey_cap *cap)
{
    const covey_u128 one = (covey_u128)1 << 62;

    if (covey_i_beta_cap_admits(cap, sum->high, one))
        return;
    if (covey_i_beta_cap_admits(cap, sum->low, one))
        *decided = false;
    else
        *admits = false;
}

static int compare_values(const void *a, const void *b)
{
    const covey_share *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

static void judge_windows(bool *admits, bool *decided, const covey_beta_groups *g, covey_share *share, size_t n)
{
    size_t entered = 0, left = 0;
    struct between sum = {0, 0};

    covey_i_line_sort_shares(share, n, g->line);
    for (uint32_t w = 0; w < g->n_windows && *admits; w++) {
        for (; entered < n && g->line->point[share[entered].value] < g->end[w]; entered++)
            move(&sum, &share[entered], true);
        for (; left < entered && g->line->point[share[left].value] < g->begin[w]; left++)
            move(&sum, &share[left], false);
        judge_sum(admits, decided, &sum, &g->window_cap[w]);
    }
}

bool covey_i_beta_groups_judge(bool *admits, const covey_beta_groups *g, covey_share *share, size_t n)
{
    bool decided = true;

    *admits = true;
    qsort(share, n, sizeof *share, compare_values);
    for (size_t s = 0; s < g->n_sets && *admits; s++) {
        struct between sum = {0, 0};

        for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
            const covey_share key = {.value = g->member[i]},
                              *found = bsearch(&key, share, n, sizeof key, compare_values);

            if (found)
                move(&sum, found, true);
        }
        judge_sum(admits, &decided, &sum, &g->set_cap[s]);
    }
    if (g->line && *admits)
        judge_windows(admits, &decided, g, share, n);
    return decided || !*admits;
}

bool covey_i_beta_cap_admits(const covey_cap *cap, covey_u128 num, covey_u128 den)
{
    return covey_i_fraction_compare_products(num, cap->den, den, cap->num) <= 0 &&
           (cap->log_share == UINT64_MAX ||
            covey_i_fraction_compare_products(num, (covey_u128)1 << 62, den, cap->log_share) <= 0);
}
