/* Making the equations, and narrowing bounds: what is left of a sum when all others are at one bound limits each
 * unknown. */
#include "audit/whole/equations.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* --- making --- */

/* Equations of types stand first, then units and persons of classes, then what classes need of each kind. */
static uint32_t of_units(const covey_whole_question *q, uint32_t class)
{
    return q->n_types + 2 * class;
}

static uint32_t of_need(const covey_whole_question *q, uint32_t need)
{
    return q->n_types + 2 * (q->proof->audit->opened->n_classes + 1) + need;
}

static covey_status make_arrays(covey_whole_equations *e, const covey_whole_question *q, covey_error *err)
{
    const uint32_t n_classes = q->proof->audit->opened->n_classes;
    size_t n_unknowns = 0, n_terms = 0, n;

    for (uint32_t t = 0; t < q->n_types; t++) {
        const uint32_t unit = q->unit[q->type_start[t]], n_rows = q->unit_start[unit + 1] - q->unit_start[unit],
                       n_choices = q->choice_start[unit + 1] - q->choice_start[unit];

        n_unknowns += n_choices;
        n_terms += n_choices * (3 + n_rows * q->n_each);
    }
    if (n_terms >= UINT32_MAX) {
        e->work = 0;
        return COVEY_OK;
    }
    n = e->n_equations = of_need(q, q->need_start[n_classes + 1]);
    e->type_of = covey_arena_array(q->arena, uint32_t, n_unknowns);
    e->class_of = covey_arena_array(q->arena, uint32_t, n_unknowns);
    e->first_term = covey_arena_array(q->arena, uint32_t, n_unknowns + 1);
    e->term = covey_arena_array(q->arena, covey_whole_term, n_terms);
    e->low = covey_arena_array_zero(q->arena, uint32_t, n_unknowns);
    e->high = covey_arena_array_zero(q->arena, uint32_t, n_unknowns);
    e->is_hard = covey_arena_array_zero(q->arena, bool, n_unknowns);
    e->first_use = covey_arena_array_zero(q->arena, uint32_t, n + 1);
    e->sum = covey_arena_array_zero(q->arena, int64_t, n);
    e->least = covey_arena_array_zero(q->arena, int64_t, n);
    e->most = covey_arena_array_zero(q->arena, int64_t, n);
    e->widest = covey_arena_array_zero(q->arena, int64_t, n);
    e->n_hard = covey_arena_array_zero(q->arena, uint32_t, n);
    e->queue = covey_arena_array(q->arena, uint32_t, n);
    e->scratch = covey_arena_array(q->arena, uint32_t, n);
    e->is_queued = covey_arena_array_zero(q->arena, bool, n);
    return e->type_of && e->class_of && e->first_term && e->term && e->low && e->high && e->is_hard && e->first_use &&
                   e->sum && e->least && e->most && e->widest && e->n_hard && e->queue && e->scratch && e->is_queued
               ? COVEY_OK
               : covey_i_no_memory(err);
}

static void make_sums(covey_whole_equations *e, const covey_whole_question *q)
{
    const uint32_t n_classes = q->proof->audit->opened->n_classes;

    for (uint32_t t = 0; t < q->n_types; t++)
        e->sum[t] = q->type_start[t + 1] - q->type_start[t];
    for (uint32_t c = 0; c <= n_classes; c++) {
        e->sum[of_units(q, c)] = q->units_of[c];
        e->sum[of_units(q, c) + 1] = q->persons_of[c];
    }
    for (uint32_t i = 0; i < q->need_start[n_classes + 1]; i++)
        e->sum[of_need(q, i)] = q->need[i].n_rows;
}

static void add_term(covey_whole_equations *e, uint32_t *at, uint32_t equation, uint32_t factor)
{
    e->term[(*at)++] = (covey_whole_term){equation, factor};
}

/* A unit of a type in a class, with its rows counted by kind in count. */
static void add_unknown(covey_whole_equations *e, const covey_whole_question *q, uint32_t type, uint32_t class,
                        uint32_t *count)
{
    const uint32_t unit = q->unit[q->type_start[type]], x = e->n_unknowns++;
    uint32_t at = x == 0 ? 0 : e->first_term[x];

    e->first_term[x] = at;
    e->type_of[x] = type;
    e->class_of[x] = class;
    e->high[x] = q->type_start[type + 1] - q->type_start[type];
    e->is_hard[x] = q->unit_start[unit + 1] - q->unit_start[unit] > 1 || q->n_each > 1;
    add_term(e, &at, type, 1);
    add_term(e, &at, of_units(q, class), 1);
    add_term(e, &at, of_units(q, class) + 1, q->n_persons[unit]);
    for (uint32_t i = q->unit_start[unit]; i < q->unit_start[unit + 1]; i++)
        for (size_t j = 0; j < q->n_each; j++)
            count[q->row[i].kind[j]]++;
    for (uint32_t i = q->unit_start[unit]; i < q->unit_start[unit + 1]; i++)
        for (size_t j = 0; j < q->n_each; j++) {
            const uint32_t kind = q->row[i].kind[j];

            if (count[kind] > 0)
                add_term(e, &at, of_need(q, covey_i_whole_find_need(q, class, kind)), count[kind]);
            count[kind] = 0;
        }
    e->first_term[x + 1] = at;
}

static covey_status make_uses(covey_whole_equations *e, const covey_whole_question *q, covey_error *err)
{
    uint32_t n_terms = e->first_term[e->n_unknowns], *at = covey_arena_array(q->arena, uint32_t, e->n_equations);

    e->use = covey_arena_array(q->arena, covey_whole_term, n_terms);
    if (!at || !e->use)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_terms; i++)
        e->first_use[e->term[i].other + 1]++;
    for (uint32_t i = 0; i < e->n_equations; i++) {
        at[i] = e->first_use[i];
        e->first_use[i + 1] += e->first_use[i];
    }
    for (uint32_t x = 0; x < e->n_unknowns; x++)
        for (uint32_t i = e->first_term[x]; i < e->first_term[x + 1]; i++) {
            const covey_whole_term *term = &e->term[i];
            const int64_t width = (int64_t)term->factor * e->high[x];

            e->use[at[term->other]++] = (covey_whole_term){x, term->factor};
            e->most[term->other] += width;
            e->n_hard[term->other] += e->is_hard[x];
            if (e->widest[term->other] < width)
                e->widest[term->other] = width;
        }
    return COVEY_OK;
}

static void enqueue(covey_whole_equations *e, uint32_t equation)
{
    if (e->is_queued[equation])
        return;
    e->is_queued[equation] = true;
    e->queue[(e->queue_begin + (uint64_t)e->n_queued++) % e->n_equations] = equation;
}

covey_status covey_i_whole_equations_make(covey_whole_equations *e, const covey_whole_question *q, covey_error *err)
{
    uint32_t *count = covey_arena_array_zero(q->arena, uint32_t, q->n_kinds);

    if (!count)
        return covey_i_no_memory(err);
    COVEY_TRY(make_arrays(e, q, err));
    if (e->work <= 0)
        return COVEY_OK;
    make_sums(e, q);
    e->first_term[0] = 0;
    for (uint32_t t = 0; t < q->n_types; t++) {
        const uint32_t unit = q->unit[q->type_start[t]];

        for (uint32_t i = q->choice_start[unit]; i < q->choice_start[unit + 1]; i++)
            add_unknown(e, q, t, q->choice[i], count);
    }
    COVEY_TRY(make_uses(e, q, err));
    for (uint32_t i = 0; i < e->n_equations; i++)
        enqueue(e, i);
    return COVEY_OK;
}

void covey_i_whole_equations_clear(covey_whole_equations *e)
{
    covey_i_free(e->change);
}

/* --- narrowing --- */

static void set_bounds(covey_whole_equations *e, uint32_t x, uint32_t low, uint32_t high)
{
    const int64_t by_low = (int64_t)low - e->low[x], by_high = (int64_t)high - e->high[x];
    const bool was_open = covey_i_whole_is_open(e, x);

    e->low[x] = low;
    e->high[x] = high;
    for (uint32_t i = e->first_term[x]; i < e->first_term[x + 1]; i++) {
        const covey_whole_term *term = &e->term[i];

        e->least[term->other] += by_low * term->factor;
        e->most[term->other] += by_high * term->factor;
        if (e->is_hard[x] && was_open != covey_i_whole_is_open(e, x))
            e->n_hard[term->other] += was_open ? UINT32_MAX : 1;
    }
}

void covey_i_whole_narrow(covey_whole_equations *e, uint32_t x, uint32_t low, uint32_t high)
{
    if (e->n_changes == e->capacity) {
        const size_t more = e->capacity ? 2 * e->capacity : 1024;
        covey_whole_change *grown = covey_i_realloc(e->change, more, sizeof *grown);

        if (!grown) {
            e->is_short = true;
            return;
        }
        e->change = grown;
        e->capacity = more;
    }
    e->change[e->n_changes++] = (covey_whole_change){x, e->low[x], e->high[x]};
    set_bounds(e, x, low, high);
    for (uint32_t i = e->first_term[x]; i < e->first_term[x + 1]; i++)
        enqueue(e, e->term[i].other);
}

void covey_i_whole_undo(covey_whole_equations *e, size_t n)
{
    while (e->n_changes > n) {
        const covey_whole_change *change = &e->change[--e->n_changes];

        set_bounds(e, change->unknown, change->low, change->high);
    }
}

/* False: it cannot be true any more. */
static bool narrow_by(covey_whole_equations *e, uint32_t equation)
{
    const int64_t sum = e->sum[equation];

    if (sum < e->least[equation] || sum > e->most[equation])
        return false;
    if (sum - e->least[equation] >= e->widest[equation] && e->most[equation] - sum >= e->widest[equation])
        return true;
    e->work -= e->first_use[equation + 1] - e->first_use[equation];
    for (uint32_t i = e->first_use[equation]; i < e->first_use[equation + 1]; i++) {
        const covey_whole_term *use = &e->use[i];
        const uint32_t x = use->other;
        int64_t low = e->low[x], high = e->high[x], up, down;

        if (low == high)
            continue;
        up = (sum - e->least[equation]) / use->factor;  /* so much more than low, the others being as low as can be */
        down = (e->most[equation] - sum) / use->factor; /* so much less than high */
        if (up >= high - low && down >= high - low)
            continue;
        if (low + up < high - down)
            return false;
        covey_i_whole_narrow(e, x, (uint32_t)(down < high - low ? high - down : low),
                             (uint32_t)(up < high - low ? low + up : high));
    }
    return true;
}

uint32_t covey_i_whole_propagate(covey_whole_equations *e)
{
    uint32_t wrong = UINT32_MAX;

    while (e->n_queued > 0) {
        const uint32_t equation = e->queue[e->queue_begin];

        e->queue_begin = (e->queue_begin + 1) % e->n_equations;
        e->n_queued--;
        e->is_queued[equation] = false;
        if (wrong == UINT32_MAX && !e->is_short && !narrow_by(e, equation))
            wrong = equation;
    }
    return wrong;
}
