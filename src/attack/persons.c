/* The publisher's list of the class of each row: persons of the original, and of each class. */
#include "attack/persons.h"

#include <stdlib.h>

#include "base/error.h"

covey_status covey_i_attack_persons_open(covey_attacked *r, covey_error *err)
{
    if (!r->options->links)
        return COVEY_OK;
    if (!r->opened->units)
        return covey_fail(err, COVEY_EINVAL,
                          "--links goes with releases whose rows are persons' (role entity), and %s is none",
                          r->folder);
    if (!(r->persons = covey_arena_array_zero(&r->arena, covey_attack_persons, 1)))
        return covey_i_no_memory(err);
    return covey_i_audit_linked(&r->persons->linked, r->folder, r->stated, r->options->original, r->options->links,
                                r->run, &r->arena, err);
}

/* --- who --- */

covey_status covey_i_attack_persons_number(covey_unit_set *out, covey_attacked *r, const covey_column *column,
                                           covey_error *err)
{
    const uint32_t first = column->has_null ? 1 : 0;

    if (!(out->of_row = covey_arena_array(&r->arena, uint32_t, r->original->n_rows)))
        return covey_i_no_memory(err);
    out->n = column->n_values - first;
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t code = covey_i_code_at(column, row);

        out->of_row[row] = code < first ? out->n++ : code - first;
    }
    return COVEY_OK;
}

struct member {
    uint32_t whole, person, row;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->whole != y->whole)
        return x->whole < y->whole ? -1 : 1;
    return (x->person > y->person) - (x->person < y->person);
}

/* Persons of one name in two households are two. */
static covey_status tell_persons_apart(covey_attacked *r, covey_error *err)
{
    covey_attack_persons *p = r->persons;
    const uint32_t n = r->original->n_rows;
    struct member *member = covey_arena_array(&r->arena, struct member, n);

    if (!member)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n; row++)
        member[row] = (struct member){p->whole.of_row[row], p->person.of_row[row], row};
    qsort(member, n, sizeof *member, compare_members);
    p->person.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        p->person.n += i == 0 || compare_members(&member[i - 1], &member[i]) != 0;
        p->person.of_row[member[i].row] = p->person.n - 1;
    }
    return COVEY_OK;
}

covey_status covey_i_attack_persons_read(covey_attacked *r, size_t first, covey_error *err)
{
    covey_attack_persons *p = r->persons;

    if (!p)
        return COVEY_OK;
    p->name = r->original->more[first];
    p->within = p->linked.within ? r->original->more[first + 1] : NULL;
    COVEY_TRY(covey_i_attack_persons_number(&p->person, r, p->name, err));
    COVEY_TRY(covey_i_attack_persons_number(&p->whole, r, p->within ? p->within : p->name, err));
    COVEY_TRY(tell_persons_apart(r, err));
    p->class_of_row = covey_arena_array(&r->arena, uint32_t, r->original->n_rows);
    p->class_of_person = covey_arena_array(&r->arena, uint32_t, p->person.n);
    p->row_of_person = covey_arena_array(&r->arena, uint32_t, p->person.n);
    if (!p->class_of_row || !p->class_of_person || !p->row_of_person)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t class = p->linked.class_of_line[r->original->row_of ? r->original->row_of[row] : row];

        p->class_of_row[row] = class > 0 ? class - 1 : UINT32_MAX;
        p->class_of_person[p->person.of_row[row]] = p->class_of_row[row];
        p->row_of_person[p->person.of_row[row]] = row;
    }
    if (r->form != COVEY_ATTACKED_SLICED) /* there it names buckets, and classes are the sets of pieces in them */
        r->class_of_row = p->class_of_row;
    return COVEY_OK;
}

/* --- what they have --- */

struct pair {
    uint32_t first, second;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* Each value of a person once. */
static covey_status list_having(covey_attack_having *out, const covey_attacked *r, const covey_attack_target *t,
                                covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = r->original->n_rows, n_persons = r->persons->person.n;
    struct pair *pair = covey_arena_array(arena, struct pair, n_rows);
    uint32_t n = 0, kept = 0;

    out->start = covey_arena_array_zero(arena, uint32_t, (size_t)n_persons + 1);
    out->value = covey_arena_array(arena, uint32_t, n_rows);
    if (!pair || !out->start || !out->value)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        if (t->value_of_row[row] != UINT32_MAX)
            pair[n++] = (struct pair){r->persons->person.of_row[row], t->value_of_row[row]};
    qsort(pair, n, sizeof *pair, compare_pairs);
    out->is_single = true;
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && compare_pairs(&pair[i - 1], &pair[i]) == 0)
            continue;
        out->is_single &= i == 0 || pair[i - 1].first != pair[i].first;
        out->value[kept++] = pair[i].second;
        out->start[pair[i].first + 1] = kept;
    }
    for (uint32_t u = 0; u < n_persons; u++) /* of whom no value is published */
        out->start[u + 1] = out->start[u + 1] > out->start[u] ? out->start[u + 1] : out->start[u];
    return COVEY_OK;
}

/* Persons of each class, and of these how many have each value. */
static covey_status count_classes(covey_attack_target *out, const covey_attacked *r, covey_arena *arena,
                                  covey_error *err)
{
    const covey_attack_persons *p = r->persons;
    const covey_attack_having *having = out->having;
    const uint32_t n_pairs = having->start[p->person.n], n_classes = r->opened->n_classes;
    struct pair *pair = covey_arena_array(arena, struct pair, n_pairs);
    uint32_t n = 0;

    for (uint32_t u = 0; u < p->person.n; u++) {
        const uint32_t class = p->class_of_person[u];

        if (class == UINT32_MAX && !out->has_suppressed)
            continue;
        out->size[class == UINT32_MAX ? n_classes : class]++;
        for (uint32_t i = having->start[u]; pair && i < having->start[u + 1]; i++)
            pair[n++] = (struct pair){class == UINT32_MAX ? n_classes : class, having->value[i]};
    }
    if (!pair)
        return covey_i_no_memory(err);
    qsort(pair, n, sizeof *pair, compare_pairs);
    for (uint32_t i = 0, last = 0; i < n; i++) {
        if (i == 0 || compare_pairs(&pair[i - 1], &pair[i]) != 0)
            out->entry[last++] = (covey_class_value){pair[i].second, 0};
        out->entry[last - 1].n++;
        out->start[pair[i].first + 1] = last;
    }
    for (uint32_t c = 0; c < out->n_classes; c++)
        out->start[c + 1] = out->start[c + 1] > out->start[c] ? out->start[c + 1] : out->start[c];
    return COVEY_OK;
}

/* Of all persons. */
static covey_status count_all(covey_histogram *out, const covey_attack_having *having, uint32_t n_persons,
                              uint32_t n_values, covey_arena *arena, covey_error *err)
{
    COVEY_TRY(covey_i_histogram_new(out, n_values, arena, err));
    for (uint32_t i = 0; i < having->start[n_persons]; i++)
        covey_i_histogram_add(out, having->value[i], 1);
    out->total = n_persons;
    return COVEY_OK;
}

static covey_status new_target(covey_attack_target *out, covey_attacked *r, const covey_attack_target *t,
                               covey_opened_view *view, covey_arena *arena, covey_error *err)
{
    covey_attack_having *having = covey_arena_array_zero(arena, covey_attack_having, 1);
    const covey_attack_persons *p = r->persons;

    if (!having)
        return covey_i_no_memory(err);
    COVEY_TRY(list_having(having, r, t, arena, err));
    *view = *t->view;
    COVEY_TRY(count_all(&view->prior, having, p->person.n, t->n_values, arena, err));
    *out = (covey_attack_target){.view = view,
                                 .n_values = t->n_values,
                                 .has_prior = true,
                                 .prior = view->prior.count,
                                 .n_rows = p->person.n,
                                 .n_classes = r->opened->n_classes,
                                 .having = having};
    for (uint32_t u = 0; u < p->person.n && t->has_suppressed && !out->has_suppressed; u++)
        out->has_suppressed = p->class_of_person[u] == UINT32_MAX;
    out->n_classes += out->has_suppressed;
    out->start = covey_arena_array_zero(arena, uint32_t, (size_t)out->n_classes + 1);
    out->size = out->rows = covey_arena_array_zero(arena, int64_t, out->n_classes);
    out->number = covey_arena_array(arena, uint32_t, out->n_classes);
    out->entry = covey_arena_array(arena, covey_class_value, having->start[p->person.n]);
    if (!out->start || !out->size || !out->number || !out->entry)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < out->n_classes; c++)
        out->number[c] = c + 1;
    for (uint32_t v = 1; v < t->n_values; v++)
        if (out->prior[v] > out->prior[out->most_frequent])
            out->most_frequent = v;
    return count_classes(out, r, arena, err);
}

/* The promises that hold over persons, too, prepared with how many of these have each value. */
static covey_status bind_promises(covey_bound_promise *promise, const covey_attacked *r,
                                  const covey_opened_views *views, covey_arena *arena, covey_error *err)
{
    const covey_quasi_codes codes = {0};
    covey_problems unimportant = COVEY_PROBLEMS_INIT; /* what cannot be bound, bounds nothing here */
    covey_status status = COVEY_OK;

    for (size_t i = 0; i < r->stated->n_promises && status == COVEY_OK; i++) {
        promise[i].stated = &r->stated->promise[i];
        if (promise[i].stated->units != COVEY_UNITS_ROWS)
            status = covey_i_bind_promise(&promise[i], r->opened, views, &codes, &unimportant, arena, err);
    }
    covey_i_problems_clear(&unimportant);
    return status;
}

covey_status covey_i_attack_persons_targets(covey_attacked *r, covey_error *err)
{
    covey_arena *arena = &r->arena;
    covey_attack_target *over;
    covey_bound_promise *promise;
    covey_opened_views views = r->views;

    if (!r->persons)
        return COVEY_OK;
    over = covey_arena_array_zero(arena, covey_attack_target, r->n_targets);
    promise = covey_arena_array_zero(arena, covey_bound_promise, r->stated->n_promises);
    views.view = covey_arena_array_zero(arena, covey_opened_view, views.n_sensitive + 1);
    if (!over || !promise || !views.view)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < r->n_targets; i++)
        COVEY_TRY(new_target(&over[i], r, &r->target[i], &views.view[i], arena, err));
    COVEY_TRY(bind_promises(promise, r, &views, arena, err));
    for (size_t i = 0; i < r->n_targets; i++) {
        COVEY_TRY(covey_i_attack_find_caps(&over[i], promise, r, err));
        r->target[i].persons = &over[i];
    }
    return COVEY_OK;
}
