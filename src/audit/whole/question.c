/* What classes need, and the rows of units. */
#include "audit/whole/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/units.h"

/* --- classes --- */

struct wanted {
    uint32_t class, kind;
    int64_t n_rows;
};

static int compare_wanted(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* What no class has was suppressed; more than there is cannot be. */
static covey_status want_the_rest(struct wanted *wanted, size_t *n, covey_whole_question *q, covey_error *err)
{
    int64_t *left = covey_arena_array_zero(q->arena, int64_t, q->n_kinds);

    if (!left)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < q->n_each * q->proof->original->n_rows; i++)
        left[q->kind[i]]++;
    for (size_t i = 0; i < *n; i++)
        left[wanted[i].kind] -= wanted[i].n_rows;
    for (uint32_t kind = 0; kind < q->n_kinds; kind++) {
        if (left[kind] < 0)
            q->is_wrong = true; /* which the comparison of rows has reported */
        if (left[kind] > 0)
            wanted[(*n)++] = (struct wanted){0, kind, left[kind]};
    }
    return COVEY_OK;
}

static covey_status make_needs(covey_whole_question *q, covey_error *err)
{
    const uint32_t n_classes = q->proof->audit->opened->n_classes;
    struct wanted *wanted = covey_arena_array(q->arena, struct wanted, q->n_wanted + q->n_kinds);
    size_t n = q->n_wanted;
    uint32_t n_needs = 0;

    if (!wanted)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        wanted[i] = (struct wanted){q->wanted_class[i], q->wanted_kind[i], q->wanted_rows[i]};
    COVEY_TRY(want_the_rest(wanted, &n, q, err));
    qsort(wanted, n, sizeof *wanted, compare_wanted);
    q->need = covey_arena_array(q->arena, covey_whole_need, n);
    q->need_start = covey_arena_array_zero(q->arena, uint32_t, (size_t)n_classes + 2);
    if (!q->need || !q->need_start)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_wanted(&wanted[i - 1], &wanted[i]) != 0) {
            q->need[n_needs++] = (covey_whole_need){wanted[i].kind, 0};
            q->need_start[wanted[i].class + 1]++;
        }
        q->need[n_needs - 1].n_rows += (uint32_t)wanted[i].n_rows;
    }
    for (uint32_t c = 0; c <= n_classes; c++)
        q->need_start[c + 1] += q->need_start[c];
    return COVEY_OK;
}

uint32_t covey_i_whole_find_need(const covey_whole_question *q, uint32_t class, uint32_t kind)
{
    uint32_t low = q->need_start[class], high = q->need_start[class + 1];

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (q->need[middle].kind == kind)
            return middle;
        if (q->need[middle].kind < kind)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

/* --- units --- */

static int compare_rows(const void *a, const void *b)
{
    const covey_whole_row *x = a, *y = b;

    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    if (x->person != y->person)
        return x->person < y->person ? -1 : 1;
    for (size_t i = 0; i < COVEY_WHOLE_MOST_KINDS; i++)
        if (x->kind[i] != y->kind[i])
            return x->kind[i] < y->kind[i] ? -1 : 1;
    return 0;
}

static covey_status make_units(covey_whole_question *q, covey_error *err)
{
    const covey_link_proof *p = q->proof;
    const uint32_t n = p->original->n_rows;

    q->row = covey_arena_array_zero(q->arena, covey_whole_row, n);
    q->unit_start = covey_arena_array(q->arena, uint32_t, (size_t)n + 1);
    q->n_persons = covey_arena_array_zero(q->arena, uint32_t, n);
    if (!q->row || !q->unit_start || !q->n_persons)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n; row++) {
        q->row[row] = (covey_whole_row){p->units.whole.of_row[row], p->units.person.of_row[row], {0}, row};
        memcpy(q->row[row].kind, q->kind + row * q->n_each, q->n_each * sizeof *q->kind);
    }
    qsort(q->row, n, sizeof *q->row, compare_rows);
    for (uint32_t i = 0; i < n; i++) {
        const bool is_new = i == 0 || q->row[i].unit != q->row[i - 1].unit;

        if (is_new)
            q->unit_start[q->n_units++] = i;
        q->n_persons[q->n_units - 1] += is_new || q->row[i].person != q->row[i - 1].person;
    }
    for (uint32_t i = 0, unit = 0; i < n; i++) { /* numbers without gaps */
        unit += unit + 1 < q->n_units && i == q->unit_start[unit + 1];
        q->row[i].unit = unit;
    }
    q->unit_start[q->n_units] = n;
    return COVEY_OK;
}

/* --- how many --- */

static covey_status make_counts(covey_whole_question *q, covey_error *err)
{
    const covey_opened *o = q->proof->audit->opened;
    int64_t n_units = q->n_units, n_persons = 0;

    q->units_of = covey_arena_array(q->arena, int64_t, (size_t)o->n_classes + 1);
    q->persons_of = covey_arena_array(q->arena, int64_t, (size_t)o->n_classes + 1);
    if (!q->units_of || !q->persons_of)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < q->n_units; u++)
        n_persons += q->n_persons[u];
    for (uint32_t c = 0; c < o->n_classes; c++) {
        n_units -= q->units_of[c + 1] = o->units->n_units[c];
        n_persons -= q->persons_of[c + 1] = o->units->n_persons[c];
    }
    q->units_of[0] = n_units;
    q->persons_of[0] = n_persons;
    if (n_units < 0 || n_persons < 0) {
        covey_i_problem(q->proof->problems, "%s counts more units than the original has", COVEY_UNITS_TABLE);
        q->is_wrong = true;
    }
    return COVEY_OK;
}

covey_status covey_i_whole_question(covey_whole_question *q, covey_error *err)
{
    COVEY_TRY(make_needs(q, err));
    COVEY_TRY(make_units(q, err));
    return make_counts(q, err);
}

bool covey_i_whole_has_room(const covey_whole_question *q, uint32_t unit, const uint32_t *need, uint32_t *count)
{
    bool has_room = true;

    for (uint32_t i = q->unit_start[unit]; i < q->unit_start[unit + 1]; i++)
        for (size_t j = 0; j < q->n_each; j++) {
            const uint32_t kind = q->row[i].kind[j];

            has_room &= ++count[kind] <= need[kind];
        }
    for (uint32_t i = q->unit_start[unit]; i < q->unit_start[unit + 1]; i++)
        for (size_t j = 0; j < q->n_each; j++)
            count[q->row[i].kind[j]] = 0;
    return has_room;
}
