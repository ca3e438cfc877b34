/* The sensitive attributes of a release under attack: their values, classes, promised bounds, and how they were put at
 * random. */
#include "attack/attack_impl.h"
#include "attack/slices.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/names.h"
#include "reader/transformed/transformed.h"

/* --- classes --- */

/* The counted values of one set of rows become entries, in the order of values. */
static int compare_values(const void *a, const void *b)
{
    const uint32_t x = ((const covey_class_value *)a)->value, y = ((const covey_class_value *)b)->value;

    return (x > y) - (x < y);
}

static void add_class(covey_attack_target *t, const covey_histogram *h, uint32_t number)
{
    uint32_t n = t->start[t->n_classes];

    for (uint32_t i = 0; i < h->n_present; i++)
        if (h->count[h->present[i]] > 0)
            t->entry[n++] = (covey_class_value){h->present[i], h->count[h->present[i]]};
    qsort(t->entry + t->start[t->n_classes], n - t->start[t->n_classes], sizeof *t->entry, compare_values);
    t->number[t->n_classes] = number;
    t->size[t->n_classes] = t->rows[t->n_classes] = h->total;
    t->start[++t->n_classes] = n;
}

/* Rows that were suppressed are a class, too, whose values follow from the prior. */
static void add_suppressed(covey_attack_target *t, covey_histogram *h)
{
    covey_i_histogram_clear(h);
    for (uint32_t v = 0; v < t->n_values; v++)
        if (t->view->prior.count[v] > t->view->published.count[v])
            covey_i_histogram_add(h, v, t->view->prior.count[v] - t->view->published.count[v]);
    if (h->total == 0)
        return;
    add_class(t, h, 0);
    t->has_suppressed = true;
}

static covey_status new_classes(covey_attack_target *t, const covey_opened_groups *groups, covey_arena *arena,
                                covey_error *err)
{
    t->start = covey_arena_array_zero(arena, uint32_t, (size_t)groups->n + 2);
    t->number = covey_arena_array(arena, uint32_t, (size_t)groups->n + 1);
    t->size = covey_arena_array(arena, int64_t, (size_t)groups->n + 1);
    t->rows = covey_arena_array(arena, int64_t, (size_t)groups->n + 1);
    t->entry = covey_arena_array(arena, covey_class_value, (size_t)groups->start[groups->n] + t->n_values);
    return t->start && t->number && t->size && t->rows && t->entry ? COVEY_OK : covey_i_no_memory(err);
}

/* number: what is shown of each set of rows; NULL: it is counted from 1. */
static covey_status find_classes(covey_attack_target *t, covey_attacked *r, const covey_opened_groups *groups,
                                 const uint32_t *number, covey_error *err)
{
    covey_histogram h;

    COVEY_TRY(covey_i_histogram_new(&h, t->n_values, &r->arena, err));
    COVEY_TRY(new_classes(t, groups, &r->arena, err));
    for (uint32_t c = 0; c < groups->n; c++) {
        covey_i_histogram_clear(&h);
        for (uint32_t e = groups->start[c]; e < groups->start[c + 1]; e++)
            covey_i_histogram_add(&h, covey_i_view_value(t->view, e), covey_i_rows_of_entry(groups, e));
        add_class(t, &h, number ? number[c] + 1 : c + 1);
    }
    if (t->view->has_prior && r->opened->stated->n_suppressed > 0 && !t->made_up)
        add_suppressed(t, &h);
    return COVEY_OK;
}

/* Pieces of a bucket that agree with what is known of a person, beside the sensitive value: who knows the bucket knows
 * one of them is it. */
static covey_status find_sets(covey_attack_target *t, covey_attacked *r, covey_error *err)
{
    covey_opened_groups sets = {0};
    uint32_t *start, *bucket;

    COVEY_TRY(covey_i_attack_slice_sets(&sets.n, &start, &bucket, r, t->view, err));
    sets.start = start;
    return find_classes(t, r, &sets, bucket, err);
}

/* Chances of a target's leaves as whole numbers of 2^-52, where nothing else is exact. */
static void round_chances(int64_t *count, double *chance, const covey_opened_transformed *form, uint32_t target)
{
    const uint32_t begin = form->targets->class_start[target], end = form->targets->class_start[target + 1];

    for (uint32_t i = begin; i < end; i++) {
        const covey_target_line *line = &form->line[i];

        chance[i] = i == begin ? 1 : chance[line->parent] * (double)line->weight / (double)form->line[line->parent].sum;
        count[i] = line->end == i + 1 ? (int64_t)(chance[i] * 0x1p52) : 0;
    }
}

/* Whoever takes each interval for what its target says of it believes just the target of every row of a group: so a
 * target is a class, of all groups that have it. */
static covey_status find_targets(covey_attack_target *t, covey_attacked *r, covey_error *err)
{
    const covey_opened_transformed *form = r->opened->form_data;
    const covey_opened_groups *groups = &r->opened->groups;
    int64_t *count = covey_arena_array(&r->arena, int64_t, groups->start[groups->n]), total;
    double *chance = covey_arena_array(&r->arena, double, groups->start[groups->n]);
    covey_histogram h;

    COVEY_TRY(covey_i_histogram_new(&h, t->n_values, &r->arena, err));
    COVEY_TRY(new_classes(t, groups, &r->arena, err));
    if (!count || !chance)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < groups->n; c++) {
        if (!covey_i_target_lines_counts(count, &total, form, c)) {
            round_chances(count, chance, form, c);
            t->is_rounded = true;
        }
        covey_i_histogram_clear(&h);
        for (uint32_t e = groups->start[c]; e < groups->start[c + 1]; e++)
            if (count[e] > 0)
                covey_i_histogram_add(&h, covey_i_view_value(t->view, e), count[e]);
        add_class(t, &h, c + 1);
        t->rows[c] = 0;
    }
    for (uint32_t g = 0; g < r->opened->n_classes; g++)
        t->rows[form->target_of_group[g]] += (int64_t)r->opened->class_start[g + 1] - r->opened->class_start[g];
    return COVEY_OK;
}

covey_status covey_i_attack_plain_target(covey_attack_target *out, covey_attacked *r, covey_arena *arena,
                                         covey_error *err)
{
    const covey_opened *o = r->opened;
    covey_attack_target t = {.n_values = 1, .n_classes = o->n_classes};

    t.start = covey_arena_array(arena, uint32_t, (size_t)o->n_classes + 1);
    t.number = covey_arena_array(arena, uint32_t, o->n_classes);
    t.size = t.rows = covey_arena_array(arena, int64_t, o->n_classes);
    t.entry = covey_arena_array(arena, covey_class_value, o->n_classes);
    t.value_of_row = covey_arena_array_zero(arena, uint32_t, r->original->n_rows);
    if (!t.start || !t.number || !t.size || !t.entry || !t.value_of_row)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < o->n_classes; c++) {
        t.start[c] = c;
        t.number[c] = c + 1;
        t.size[c] = (int64_t)o->class_start[c + 1] - o->class_start[c];
        t.entry[c] = (covey_class_value){0, t.size[c]};
    }
    t.start[o->n_classes] = o->n_classes;
    *out = t;
    return COVEY_OK;
}

/* --- bounds --- */

/* Is no value's share above 1/l, whatever the value?  m-invariance says so of m, as a class's values all differ. */
static bool bounds_by_l(const covey_model *model)
{
    return model->least_l || (model->traits & COVEY_MODEL_INVARIANT);
}

static covey_ratio l_of(const covey_bound_promise *promise)
{
    const covey_model *model = promise->model;

    return model->least_l ? model->least_l(promise->state) : (covey_ratio){model->min_size(promise->state), 1};
}

bool covey_i_attack_admits(const covey_attack_caps *caps, uint32_t value, covey_u128 num, covey_u128 den)
{
    for (size_t p = 0; p < caps->n; p++) {
        const covey_bound_promise *promise = caps->promise[p];
        int64_t cap = INT64_MAX, need = 0;

        if (bounds_by_l(promise->model)) {
            const covey_ratio l = l_of(promise);

            if (num * (covey_u128)l.num > den * (covey_u128)l.den)
                return false;
            continue;
        }
        if (promise->model->admits_share) {
            if (!promise->model->admits_share(promise->state, value, num, den))
                return false;
            continue;
        }
        for (; den > UINT32_MAX; num = (num + 1) / 2) /* rounded against the release; tables are not that large */
            den /= 2;
        promise->model->bounds(promise->state, (int64_t)den, &value, 1, &cap, &need);
        if ((covey_i128)num > cap)
            return false;
    }
    return true;
}

bool covey_i_attack_classes_admitted(const covey_attack_target *t)
{
    for (uint32_t c = 0; c < t->n_classes; c++)
        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++)
            if (!covey_i_attack_admits(&t->caps, t->entry[e].value, (covey_u128)t->entry[e].n, (covey_u128)t->size[c]))
                return false;
    return true;
}

/* The largest share of one value under one promise, for people: from the model, or from what a very large class may
 * hold. */
static double largest_share(const covey_bound_promise *promise, uint32_t value)
{
    const int64_t size = UINT32_MAX;
    int64_t cap = size, need = 0;

    if (bounds_by_l(promise->model))
        return 1 / covey_ratio_value(l_of(promise));
    if (promise->model->largest_share && !isnan(promise->model->largest_share(promise->state, value)))
        return promise->model->largest_share(promise->state, value);
    promise->model->bounds(promise->state, size, &value, 1, &cap, &need);
    return (double)cap / (double)size;
}

covey_status covey_i_attack_find_caps(covey_attack_target *t, const covey_bound_promise *promises, covey_attacked *r,
                                      covey_error *err)
{
    covey_arena *arena = &r->arena;
    covey_attack_caps *caps = &t->caps;

    caps->promise = covey_arena_array(arena, const covey_bound_promise *, r->stated->n_promises);
    caps->share = covey_arena_array(arena, double, t->n_values);
    if (!caps->promise || !caps->share)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < r->stated->n_promises; p++) {
        const covey_bound_promise *promise = &promises[p];

        if (promise->checkable && promise->state && promise->view == t->view &&
            (promise->model->bounds || promise->model->admits_share || bounds_by_l(promise->model)) &&
            (t->has_prior || !(promise->model->traits & COVEY_MODEL_PRIOR)))
            caps->promise[caps->n++] = promise;
    }
    for (uint32_t v = 0; v < t->n_values; v++) {
        caps->share[v] = 1;
        for (size_t p = 0; p < caps->n; p++)
            caps->share[v] = fmin(caps->share[v], largest_share(caps->promise[p], v));
    }
    return COVEY_OK;
}

/* --- perturbation --- */

static const covey_opened_table *find_table(const covey_opened *opened, const char *file)
{
    for (size_t i = 0; i < opened->n_tables; i++)
        if (strcmp(opened->table[i].file, file) == 0)
            return &opened->table[i];
    return NULL;
}

/* The lines of perturbation.csv are the values that the prior counts, in their order: the audit has made sure. */
static covey_status find_channel(covey_attack_target *t, const covey_attacked *r, covey_error *err)
{
    const covey_opened_table *table = find_table(r->opened, "perturbation.csv");
    const covey_column *text = table ? covey_i_opened_text(table, 4) : NULL;
    covey_arena *arena = (covey_arena *)&r->arena;
    covey_attack_channel *c = &t->channel;

    c->value = covey_arena_array(arena, uint32_t, t->n_values);
    c->index = covey_arena_array(arena, uint32_t, t->n_values);
    c->alpha = covey_arena_array(arena, double, t->n_values);
    if (!c->value || !c->index || !c->alpha)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < t->n_values; v++) {
        c->index[v] = UINT32_MAX;
        if (t->prior[v] == 0)
            continue;
        if (!text || c->n >= (uint64_t)text->n_rows)
            return covey_i_error_names(covey_fail(err, COVEY_EPARSE,
                                                  "%s is not in order: perturbation.csv does not have the values of "
                                                  "the prior (covey verify says more)",
                                                  r->folder),
                                       r->folder, NULL, err);
        c->index[v] = c->n;
        c->value[c->n] = v;
        c->alpha[c->n] = strtod(covey_column_label(text, covey_i_code_at(text, c->n)), NULL);
        c->n++;
    }
    return COVEY_OK;
}

/* --- all of it --- */

static covey_status make_target(covey_attack_target *t, const covey_opened_view *view, covey_attacked *r,
                                covey_error *err)
{
    const covey_histogram *prior = &view->prior;

    *t = (covey_attack_target){.view = view,
                               .n_values = view->dictionary->n_values,
                               .prior = prior->count,
                               .n_rows = prior->total,
                               .has_prior = r->form != COVEY_ATTACKED_TRANSFORMED || r->original};
    for (uint32_t v = 1; v < t->n_values; v++)
        if (t->prior[v] > t->prior[t->most_frequent])
            t->most_frequent = v;
    COVEY_TRY(covey_i_attack_find_caps(t, r->promise, r, err));
    if (r->form == COVEY_ATTACKED_PERTURBED)
        return find_channel(t, r, err);
    if (r->form == COVEY_ATTACKED_SLICED)
        return find_sets(t, r, err);
    if (r->form == COVEY_ATTACKED_TRANSFORMED) {
        COVEY_TRY(find_targets(t, r, err));
        t->caps.n = t->is_rounded ? 0 : t->caps.n; /* what is promised cannot be judged exactly, as verify says, too */
        return COVEY_OK;
    }
    t->made_up = r->opened->counterfeits;
    return find_classes(t, r, &r->opened->groups, NULL, err);
}

static covey_status bind_promises(covey_attacked *r, covey_error *err)
{
    const covey_quasi_codes codes = {0};
    covey_problems unimportant =
        COVEY_PROBLEMS_INIT; /* what cannot be bound, bounds nothing here; the audit has judged it */
    covey_status status = COVEY_OK;

    if (!(r->promise = covey_arena_array_zero(&r->arena, covey_bound_promise, r->stated->n_promises)))
        return covey_i_no_memory(err);
    for (size_t p = 0; p < r->stated->n_promises && status == COVEY_OK; p++) {
        r->promise[p].stated = &r->stated->promise[p];
        status = covey_i_bind_promise(&r->promise[p], r->opened, &r->views, &codes, &unimportant, &r->arena, err);
    }
    covey_i_problems_clear(&unimportant);
    return status;
}

/* Published rows do not tell how often the table has each value. */
static bool hides_prior(const covey_stated *stated)
{
    return stated->published_as->hides_prior || stated->n_counterfeits > 0;
}

covey_status covey_i_attack_targets(covey_attacked *r, covey_error *err)
{
    COVEY_TRY(covey_i_views_make(&r->views, r->opened, false, &r->problems, &r->arena, err));
    if (r->problems.broken)
        return covey_i_no_memory(err);
    if (r->problems.n > 0)
        return covey_i_error_names(covey_fail(err, COVEY_EPARSE, "%s is not in order: %s (covey verify says more)",
                                              r->folder, r->problems.line[0]),
                                   r->folder, NULL, err);
    for (size_t s = 0; s < r->views.n_sensitive && r->original && hides_prior(r->stated); s++)
        COVEY_TRY(covey_i_attack_count_values(&r->views.view[s].prior, r, &r->views.view[s], err));
    COVEY_TRY(bind_promises(r, err));
    if (!(r->target = covey_arena_array_zero(&r->arena, covey_attack_target, r->views.n_sensitive)))
        return covey_i_no_memory(err);
    for (size_t s = 0; s < r->views.n_sensitive; s++) {
        if (r->views.view[s].prior.total == 0)
            return covey_fail(err, COVEY_EPARSE, "%s has no rows: there is nothing to attack", r->folder);
        COVEY_TRY(make_target(&r->target[s], &r->views.view[s], r, err));
        r->n_targets++;
    }
    return COVEY_OK;
}

covey_status covey_i_attack_values_in(uint32_t **out, const covey_attack_target *t, const covey_attack_target *first,
                                      covey_arena *arena, covey_error *err)
{
    uint32_t *value_of = covey_arena_array(arena, uint32_t, t->n_values);
    covey_names names;

    if (!value_of)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_names_init(&names, first->n_values, arena, err));
    for (uint32_t v = 0; v < first->n_values; v++) {
        uint32_t number;

        COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(first->view->dictionary, v), err));
    }
    for (uint32_t v = 0; v < t->n_values; v++)
        value_of[v] = covey_i_names_find(&names, covey_column_label(t->view->dictionary, v));
    *out = value_of;
    return COVEY_OK;
}

covey_attack_target *covey_i_attack_target_of(const covey_attacked *release, const char *name)
{
    for (size_t i = 0; i < release->n_targets; i++)
        if (strcmp(release->target[i].view->name, name) == 0)
            return &release->target[i];
    return NULL;
}
