/* Similarity and proximity: values that mean nearly the same may gain together although none of them gains much.  Sets
 * of values are those that are promised, else the nodes of the attribute's hierarchy, else all windows of neighbouring
 * values.
 *
 * Source: [Li07] section 3.3 (similarity attack); [Li08] (proximity). */
#include "attack/attack_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/yaml_tree.h"
#include "reader/names.h"

enum { WINDOW = 10, MOST_HOLDERS = 64 };

/* Sets of values: value[begin[s]] .. value[end[s] - 1]. */
struct sets {
    size_t n;
    uint32_t *begin, *end;
    uint32_t *value; /* values, in an order in which every set stands together; of groups one after another */
    uint32_t n_places;
    const char *kind;
    const covey_bound_promise *promise; /* NULL: nothing is promised about them */
    size_t promise_index;
};

static const char *param_of(const covey_stated_promise *stated, const char *name)
{
    for (size_t i = 0; i < stated->n_params; i++)
        if (strcmp(stated->param_name[i], name) == 0)
            return stated->param_text[i];
    return NULL;
}

static covey_status reserve(struct sets *s, size_t n_sets, size_t n_places, covey_arena *arena, covey_error *err)
{
    s->begin = covey_arena_array(arena, uint32_t, n_sets);
    s->end = covey_arena_array(arena, uint32_t, n_sets);
    s->value = covey_arena_array(arena, uint32_t, n_places);
    return s->begin && s->end && s->value ? COVEY_OK : covey_i_no_memory(err);
}

/* --- what sets there are --- */

/* Groups of the promise; the model has read them before, so that what is wrong with them is known. */
static covey_status make_groups(struct sets *s, const covey_attack_target *t, const char *text, covey_arena *arena,
                                covey_error *err)
{
    const covey_yaml *root;
    covey_names names;
    size_t n = 0;

    COVEY_TRY(covey_i_names_init(&names, t->n_values, arena, err));
    for (uint32_t v = 0; v < t->n_values; v++) {
        uint32_t number;

        COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(t->view->dictionary, v), err));
    }
    COVEY_TRY(covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, err));
    for (size_t i = 0; root && i < root->n; i++)
        n += root->item[i]->n;
    COVEY_TRY(reserve(s, root ? root->n : 0, n, arena, err));
    for (size_t i = 0; root && i < root->n; i++) {
        s->begin[s->n] = s->n_places;
        for (size_t j = 0; j < root->item[i]->n; j++) {
            const uint32_t v = covey_i_names_find(&names, root->item[i]->item[j]->text);

            if (v != UINT32_MAX)
                s->value[s->n_places++] = v;
        }
        s->end[s->n++] = s->n_places;
    }
    s->kind = "promised groups";
    return COVEY_OK;
}

static void list_occurring(struct sets *s, const covey_attack_target *t)
{
    for (uint32_t v = t->view->dictionary->has_null ? 1 : 0; v < t->n_values; v++)
        if (t->prior[v] > 0)
            s->value[s->n_places++] = v;
}

/* All windows of so many values in a row. */
static covey_status make_windows(struct sets *s, const covey_attack_target *t, int64_t n, covey_arena *arena,
                                 covey_error *err)
{
    COVEY_TRY(reserve(s, t->n_values, t->n_values, arena, err));
    list_occurring(s, t);
    for (uint32_t i = 0; i < s->n_places && (i == 0 || s->end[s->n - 1] < s->n_places); i++) {
        s->begin[s->n] = i;
        s->end[s->n++] = n < s->n_places - i ? i + (uint32_t)n : s->n_places;
    }
    s->kind = "windows";
    return COVEY_OK;
}

/* All largest sets of values that lie within a width of each other. */
static covey_status make_widths(struct sets *s, const covey_attack_target *t, covey_ratio width, covey_arena *arena,
                                covey_error *err)
{
    const covey_column *d = t->view->dictionary;
    covey_i128 limit = width.num;
    uint32_t end = 0;

    COVEY_TRY(reserve(s, t->n_values, t->n_values, arena, err));
    list_occurring(s, t);
    for (int i = 0; i < d->scale; i++)
        limit *= 10;
    for (uint32_t i = 0; i < s->n_places; i++) {
        const uint32_t before = end;

        while (end < s->n_places &&
               ((covey_i128)d->number[s->value[end]] - d->number[s->value[i]]) * width.den <= limit)
            end++;
        if (i > 0 && end == before)
            continue;
        s->begin[s->n] = i;
        s->end[s->n++] = end;
    }
    s->kind = "windows";
    return COVEY_OK;
}

static covey_status make_proximity(struct sets *s, const covey_attack_target *t, const char *text, covey_arena *arena,
                                   covey_error *err)
{
    const covey_yaml *root, *window, *width;
    covey_ratio n = {WINDOW, 1};

    COVEY_TRY(covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, err));
    window = root ? covey_i_yaml_get(root, "window") : NULL;
    width = root ? covey_i_yaml_get(root, "width") : NULL;
    if (width && t->view->dictionary->number && covey_ratio_parse(&n, width->text, NULL) == COVEY_OK)
        return make_widths(s, t, n, arena, err);
    if (window)
        COVEY_TRY(covey_ratio_parse(&n, window->text, err));
    return make_windows(s, t, n.num, arena, err);
}

/* Inner nodes but the root. */
static covey_status make_nodes(struct sets *s, const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(t->view->tree);
    const uint32_t n_nodes = covey_hierarchy_n_nodes(t->view->tree);

    COVEY_TRY(reserve(s, n_nodes, t->n_values, arena, err));
    for (uint32_t v = 0; v < t->n_values; v++)
        s->value[s->n_places++] = v;
    for (uint32_t i = 1; i < n_nodes; i++)
        if (node[i].n_children > 0 && node[i].first_leaf + node[i].n_leaves <= t->n_values) {
            s->begin[s->n] = node[i].first_leaf;
            s->end[s->n++] = node[i].first_leaf + node[i].n_leaves;
        }
    s->kind = "nodes of the hierarchy";
    return COVEY_OK;
}

static covey_status make_sets(struct sets *s, const covey_attacked *r, const covey_attack_target *t, covey_arena *arena,
                              covey_error *err)
{
    for (size_t p = 0; p < r->stated->n_promises; p++) {
        const covey_bound_promise *promise = &r->promise[p];
        const char *groups, *proximity;

        if (!promise->checkable || promise->view != t->view)
            continue;
        groups = param_of(promise->stated, "groups");
        proximity = param_of(promise->stated, "proximity");
        if (!groups && !proximity)
            continue;
        s->promise = promise;
        s->promise_index = p;
        return groups ? make_groups(s, t, groups, arena, err) : make_proximity(s, t, proximity, arena, err);
    }
    if (r->options->window == 0 && t->view->tree)
        return make_nodes(s, t, arena, err);
    if (t->view->has_order)
        return make_windows(s, t, r->options->window > 0 ? r->options->window : WINDOW, arena, err);
    return COVEY_OK;
}

/* --- what they gain --- */

struct found {
    size_t set;
    uint32_t class;
    int64_t n, size, prior; /* ratio: n/size over prior/rows */
    int64_t most, of;       /* largest share: most/of */
};

/* What looking at classes needs. */
struct looking {
    const struct sets *sets;
    const covey_attack_target *target;
    int64_t *prior;  /* [n_places + 1] rows of the table before each place */
    int64_t *before; /* [n_places + 1] rows of a class before each place */
    int64_t *count;  /* [n_values] rows of a class, zeros between classes */
    /* Which sets hold a value, unless sets are so large that looking at all of them costs less. */
    size_t *first;     /* [n_values + 1] into holder; NULL: not known */
    uint32_t *holder;  /* sets */
    int64_t *n;        /* [n sets] rows of a class, zeros between classes */
    uint32_t *touched; /* [n sets] that have rows of a class */
};

/* Rows before each place, of a class or of the table. */
static void sum_up(int64_t *before, const struct sets *s, const int64_t *count)
{
    before[0] = 0;
    for (uint32_t i = 0; i < s->n_places; i++)
        before[i + 1] = before[i] + count[s->value[i]];
}

static covey_status list_holders(struct looking *l, covey_arena *arena, covey_error *err)
{
    const struct sets *s = l->sets;
    const uint32_t n_values = l->target->n_values;
    size_t *next, n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->end[i] - s->begin[i];
    if (n > (size_t)MOST_HOLDERS * s->n_places)
        return COVEY_OK;
    l->first = covey_arena_array_zero(arena, size_t, (size_t)n_values + 1);
    l->holder = covey_arena_array(arena, uint32_t, n);
    l->n = covey_arena_array_zero(arena, int64_t, s->n);
    l->touched = covey_arena_array(arena, uint32_t, s->n);
    next = covey_arena_array(arena, size_t, n_values);
    if (!l->first || !l->holder || !l->n || !l->touched || !next)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n; i++)
        for (uint32_t at = s->begin[i]; at < s->end[i]; at++)
            l->first[s->value[at] + 1]++;
    for (uint32_t v = 0; v < n_values; v++)
        next[v] = l->first[v + 1] += l->first[v];
    for (size_t i = s->n; i-- > 0;)
        for (uint32_t at = s->begin[i]; at < s->end[i]; at++)
            l->holder[--next[s->value[at]]] = (uint32_t)i;
    return COVEY_OK;
}

/* A set with n rows of a class; of equal ones the first counts. */
static void look_at_set(struct found *f, const struct looking *l, uint32_t class, size_t set, int64_t n)
{
    const struct sets *s = l->sets;
    const int64_t p = l->prior[s->end[set]] - l->prior[s->begin[set]], size = l->target->size[class];
    int order = 1;

    if (n == 0 || p == 0 || p >= l->target->n_rows)
        return;
    if ((covey_i128)n * f->of > (covey_i128)f->most * size) {
        f->most = n;
        f->of = size;
    }
    if (f->size > 0)
        order = covey_i_fraction_compare_products((covey_u128)n * (covey_u128)f->size, (covey_u128)f->prior,
                                                  (covey_u128)f->n * (covey_u128)size, (covey_u128)p);
    if (order > 0 || (order == 0 && class == f->class && set < f->set)) {
        f->set = set;
        f->class = class;
        f->n = n;
        f->size = size;
        f->prior = p;
    }
}

static void look_at_all_sets(struct found *f, const struct looking *l, uint32_t class)
{
    const covey_attack_target *t = l->target;

    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++)
        l->count[t->entry[e].value] = t->entry[e].n;
    sum_up(l->before, l->sets, l->count);
    for (size_t i = 0; i < l->sets->n; i++)
        look_at_set(f, l, class, i, l->before[l->sets->end[i]] - l->before[l->sets->begin[i]]);
    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++)
        l->count[t->entry[e].value] = 0;
}

/* Only those that hold one of its values. */
static void look_at_holders(struct found *f, const struct looking *l, uint32_t class)
{
    const covey_attack_target *t = l->target;
    size_t n_touched = 0;

    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++)
        for (size_t h = l->first[t->entry[e].value]; h < l->first[t->entry[e].value + 1]; h++) {
            const uint32_t set = l->holder[h];

            if (l->n[set] == 0 && t->entry[e].n > 0)
                l->touched[n_touched++] = set;
            l->n[set] += t->entry[e].n;
        }
    for (size_t i = 0; i < n_touched; i++) {
        look_at_set(f, l, class, l->touched[i], l->n[l->touched[i]]);
        l->n[l->touched[i]] = 0;
    }
}

static covey_status look(struct found *f, struct looking *l, covey_arena *arena, covey_error *err)
{
    const covey_attack_target *t = l->target;

    l->prior = covey_arena_array(arena, int64_t, (size_t)l->sets->n_places + 1);
    l->before = covey_arena_array(arena, int64_t, (size_t)l->sets->n_places + 1);
    l->count = covey_arena_array_zero(arena, int64_t, t->n_values);
    if (!l->prior || !l->before || !l->count)
        return covey_i_no_memory(err);
    sum_up(l->prior, l->sets, t->prior);
    COVEY_TRY(list_holders(l, arena, err));
    for (uint32_t c = 0; c < t->n_classes; c++) {
        size_t n_holders = 0;

        for (uint32_t e = t->start[c]; l->first && e < t->start[c + 1]; e++)
            n_holders += l->first[t->entry[e].value + 1] - l->first[t->entry[e].value];
        (l->first && n_holders < l->sets->n ? look_at_holders : look_at_all_sets)(f, l, c);
    }
    return COVEY_OK;
}

/* f(p)/p of the promise for a set. */
static double bound_of(const struct sets *s, double p)
{
    const char *text = param_of(s->promise->stated, "group-beta");
    covey_ratio beta = {0, 1};

    text = text ? text : param_of(s->promise->stated, "beta");
    if (!text || covey_ratio_parse(&beta, text, NULL) != COVEY_OK)
        return NAN;
    if (strcmp(s->promise->stated->model, "enhanced-beta-likeness") == 0)
        return 1 + fmin(covey_ratio_value(beta), -log(p));
    return 1 + covey_ratio_value(beta);
}

static void report(covey_attack_maker *out, const struct found *f, const struct sets *s, const covey_attacked *r,
                   const covey_attack_target *t)
{
    const covey_column *d = t->view->dictionary;
    char times[COVEY_ATTACK_FACTOR_SIZE];

    covey_i_attack_fraction(out, (covey_i128)f->n * t->n_rows, (covey_i128)f->size * f->prior);
    if (s->promise)
        covey_i_attack_judge(out, bound_of(s, (double)f->prior / (double)t->n_rows), !r->broken[s->promise_index]);
    covey_i_attack_text(out, "sets", s->kind);
    covey_i_attack_integer(out, "n_sets", (int64_t)s->n);
    covey_i_attack_number(out, "largest_share", (double)f->most / (double)f->of);
    covey_i_attack_integer(out, "worst_class", t->number[f->class]);
    covey_i_attack_text(out, "worst_first", covey_column_label(d, s->value[s->begin[f->set]]));
    covey_i_attack_text(out, "worst_last", covey_column_label(d, s->value[s->end[f->set] - 1]));
    covey_i_attack_words(out,
                         "Similar values together become up to %s times likelier in a class than in the whole table.",
                         covey_i_attack_factor(times, out->result.figure));
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    struct sets s = {0};
    struct looking l = {.sets = &s, .target = t};
    struct found f = {.of = 1};

    COVEY_TRY(make_sets(&s, r, t, arena, err));
    if (s.n == 0) {
        covey_i_attack_not(
            out,
            "the values have neither a hierarchy with more levels than one nor an order that says which are similar");
        return COVEY_OK;
    }
    COVEY_TRY(look(&f, &l, arena, err));
    if (f.size == 0) {
        covey_i_attack_not(out, "every set of similar values is all or nothing of the table");
        return COVEY_OK;
    }
    report(out, &f, &s, r, t);
    return COVEY_OK;
}

const covey_attack covey_attack_similarity = {
    .name = "similarity",
    .summary = "compares sets of values that mean nearly the same, or lie near each other",
    .figure = "largest q/p of a set of similar values",
    .level = "A2",
    .source = "Li07, section 3.3",
    .forms = COVEY_ATTACKED_WITH_CLASSES,
    .compares = true,
    .not_for = {[2] = COVEY_ATTACK_NO_CLASSES},
    .per_attribute = true,
    .run = run,
};
