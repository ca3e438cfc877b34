/* The sensitive attributes of a release under attack: their values, classes, promised bounds, and how they were put at random. */
#include "attack/attack_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for the classes of a release");
}

/* --- classes --- */

/* The counted values of one set of rows become entries, in the order of values. */
static int compare_values(const void *a, const void *b)
{
    const uint32_t x = ((const covey_class_value *)a)->value, y = ((const covey_class_value *)b)->value;

    return (x > y) - (x < y);
}

static void add_class(covey_attack_target *t, const covey_histogram *h)
{
    uint32_t n = t->start[t->n_classes];

    for (uint32_t i = 0; i < h->n_present; i++)
        if (h->count[h->present[i]] > 0)
            t->entry[n++] = (covey_class_value){h->present[i], h->count[h->present[i]]};
    qsort(t->entry + t->start[t->n_classes], n - t->start[t->n_classes], sizeof *t->entry, compare_values);
    t->size[t->n_classes] = h->total;
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
    add_class(t, h);
    t->has_suppressed = true;
}

static covey_status find_classes(covey_attack_target *t, const covey_attacked *r, covey_error *err)
{
    const covey_audit_groups *groups = &r->opened->groups;
    covey_arena *arena = (covey_arena *)&r->arena;
    covey_histogram h;

    COVEY_TRY(covey_i_histogram_new(&h, t->n_values, arena, err));
    t->start = covey_arena_array_zero(arena, uint32_t, (size_t)groups->n + 2);
    t->size = covey_arena_array(arena, int64_t, (size_t)groups->n + 1);
    t->entry = covey_arena_array(arena, covey_class_value, (size_t)groups->start[groups->n] + t->n_values);
    if (!t->start || !t->size || !t->entry)
        return no_memory(err);
    for (uint32_t c = 0; c < groups->n; c++) {
        covey_i_histogram_clear(&h);
        for (uint32_t e = groups->start[c]; e < groups->start[c + 1]; e++)
            covey_i_histogram_add(&h, covey_i_view_value(t->view, e), groups->count ? groups->count[e] : 1);
        add_class(t, &h);
    }
    if (t->view->has_prior && r->opened->stated->n_suppressed > 0)
        add_suppressed(t, &h);
    return COVEY_OK;
}

/* --- bounds --- */

bool covey_i_attack_admits(const covey_attack_caps *caps, uint32_t value, covey_u128 num, covey_u128 den)
{
    for (size_t p = 0; p < caps->n; p++) {
        const covey_judged *judged = caps->promise[p];
        int64_t cap = INT64_MAX, need = 0;

        if (judged->model->admits_share) {
            if (!judged->model->admits_share(judged->state, value, num, den))
                return false;
            continue;
        }
        for (; den > UINT32_MAX; num = (num + 1) / 2) /* rounded against the release; tables are not that large */
            den /= 2;
        judged->model->bounds(judged->state, (int64_t)den, &value, 1, &cap, &need);
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

/* The largest share of one value under one promise, for people: from the model, or from what a very large class may hold. */
static double largest_share(const covey_judged *judged, uint32_t value)
{
    const int64_t size = UINT32_MAX;
    int64_t cap = size, need = 0;

    if (judged->model->largest_share && !isnan(judged->model->largest_share(judged->state, value)))
        return judged->model->largest_share(judged->state, value);
    judged->model->bounds(judged->state, size, &value, 1, &cap, &need);
    return (double)cap / (double)size;
}

static covey_status find_caps(covey_attack_target *t, const covey_attacked *r, covey_error *err)
{
    covey_arena *arena = (covey_arena *)&r->arena;
    covey_attack_caps *caps = &t->caps;

    caps->promise = covey_arena_array(arena, const covey_judged *, r->stated->n_promises);
    caps->share = covey_arena_array(arena, double, t->n_values);
    if (!caps->promise || !caps->share)
        return no_memory(err);
    for (size_t p = 0; p < r->stated->n_promises; p++) {
        const covey_judged *judged = &r->judged[p];

        if (judged->checkable && judged->state && judged->view == t->view && (judged->model->bounds || judged->model->admits_share))
            caps->promise[caps->n++] = judged;
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
        return no_memory(err);
    for (uint32_t v = 0; v < t->n_values; v++) {
        c->index[v] = UINT32_MAX;
        if (t->prior[v] == 0)
            continue;
        if (!text || c->n >= (uint64_t)text->n_rows)
            return covey_fail(err, COVEY_EPARSE, "%s is not in order: perturbation.csv does not have the values of the prior (covey verify says more)",
                              r->folder);
        c->index[v] = c->n;
        c->value[c->n] = v;
        c->alpha[c->n] = strtod(covey_column_label(text, covey_i_code_at(text, c->n)), NULL);
        c->n++;
    }
    return COVEY_OK;
}

/* --- all of it --- */

static covey_status make_target(covey_attack_target *t, const covey_audit_view *view, const covey_attacked *r, covey_error *err)
{
    const covey_histogram *prior = &view->prior;

    *t = (covey_attack_target){.view = view, .n_values = view->dictionary->n_values, .prior = prior->count, .n_rows = prior->total};
    for (uint32_t v = 1; v < t->n_values; v++)
        if (t->prior[v] > t->prior[t->most_frequent])
            t->most_frequent = v;
    COVEY_TRY(find_caps(t, r, err));
    if (r->form == COVEY_ATTACKED_PERTURBED)
        return find_channel(t, r, err);
    return find_classes(t, r, err);
}

static covey_status bind_promises(covey_attacked *r, covey_error *err)
{
    const covey_quasi_codes codes = {0};
    covey_problems unimportant = COVEY_PROBLEMS_INIT; /* what cannot be bound, bounds nothing here; the audit has judged it */
    covey_status status = COVEY_OK;

    if (!(r->judged = covey_arena_array_zero(&r->arena, covey_judged, r->stated->n_promises)))
        return no_memory(err);
    for (size_t p = 0; p < r->stated->n_promises && status == COVEY_OK; p++) {
        r->judged[p].stated = &r->stated->promise[p];
        status = covey_i_judge_bind(&r->judged[p], r->opened, &r->views, &codes, &unimportant, &r->arena, err);
    }
    covey_i_problems_clear(&unimportant);
    return status;
}

covey_status covey_i_attack_targets(covey_attacked *r, covey_error *err)
{
    if (r->form == 0)
        return COVEY_OK;
    COVEY_TRY(covey_i_views_make(&r->views, r->opened, false, &r->problems, &r->arena, err));
    if (r->problems.broken)
        return no_memory(err);
    if (r->problems.n > 0)
        return covey_fail(err, COVEY_EPARSE, "%s is not in order: %s (covey verify says more)", r->folder, r->problems.line[0]);
    COVEY_TRY(bind_promises(r, err));
    if (!(r->target = covey_arena_array_zero(&r->arena, covey_attack_target, r->views.n_sensitive)))
        return no_memory(err);
    for (size_t s = 0; s < r->views.n_sensitive; s++) {
        if (r->views.view[s].prior.total == 0)
            return covey_fail(err, COVEY_EPARSE, "%s has no rows: there is nothing to attack", r->folder);
        COVEY_TRY(make_target(&r->target[s], &r->views.view[s], r, err));
        r->n_targets++;
    }
    return COVEY_OK;
}
