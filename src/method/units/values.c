/* What the units of an item have of sensitive values.
 *
 * Units of an item are never parted, so that all a class has to know of them is how many rows and persons have each
 * value: a few counts, which lie together.  Where persons have to be told apart (a matching of persons and values), or
 * rows (their ranges), the item's rows are looked up instead. */
#include "method/units/values.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "table/histogram.h"

/* --- which units an item has --- */

/* number: [n_units] of units that are listed by other numbers; NULL: by their own. */
static covey_status list_units(covey_unit_values *x, const covey_unit_items *items, const uint32_t *number,
                               covey_error *err)
{
    const uint32_t n_units = x->r->n_units;
    uint32_t *first = covey_arena_array_zero(&items->r->arena, uint32_t, (size_t)items->n + 2);

    x->unit = covey_arena_array(&items->r->arena, uint32_t, n_units);
    if (!first || !x->unit)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < n_units; u++)
        first[items->of_unit[u] + 2]++;
    for (uint32_t h = 0; h < items->n; h++) {
        x->n_units[h] = first[h + 2];
        first[h + 2] += first[h + 1];
    }
    for (uint32_t u = 0; u < n_units; u++)
        x->unit[first[items->of_unit[u] + 1]++] = number ? number[u] : u;
    x->first = first;
    return COVEY_OK;
}

/* --- counts --- */

/* The values of one item in a view. */
struct counter {
    uint32_t *n_rows, *n_persons; /* [n_values] all 0 between items */
    uint32_t *last;               /* [n_values] person + 1 who was seen with it last */
    uint32_t *present, n_present;
};

static covey_status counter_new(struct counter *c, uint32_t n_values, covey_arena *arena, covey_error *err)
{
    *c = (struct counter){.n_rows = covey_arena_array_zero(arena, uint32_t, n_values),
                          .n_persons = covey_arena_array_zero(arena, uint32_t, n_values),
                          .last = covey_arena_array_zero(arena, uint32_t, n_values),
                          .present = covey_arena_array(arena, uint32_t, n_values)};
    return c->n_rows && c->n_persons && c->last && c->present ? COVEY_OK : covey_i_no_memory(err);
}

/* Persons first .. end - 1, by their numbers in the table. */
static void add_persons(struct counter *c, const covey_units *units, size_t view, int width, uint32_t first,
                        uint32_t end)
{
    COVEY_CODES_TYPED(width, {
        const covey_code *value = units->value[view];

        for (uint32_t p = first; p < end; p++)
            for (uint32_t i = units->start[p]; i < units->start[p + 1]; i++) {
                const uint32_t v = value[i];

                if (c->n_rows[v]++ == 0)
                    c->present[c->n_present++] = v;
                c->n_persons[v] += c->last[v] != p + 1;
                c->last[v] = p + 1;
            }
    });
}

/* Writes what was counted to n places on; returns how many there are then. */
static uint32_t give_counts(covey_unit_count *out, uint32_t n, struct counter *c)
{
    for (uint32_t i = 0; i < c->n_present; i++) {
        const uint32_t value = c->present[i];
        uint32_t rows = c->n_rows[value], persons = c->n_persons[value];

        while (rows > 0) {
            const uint16_t some = rows < UINT16_MAX ? (uint16_t)rows : UINT16_MAX,
                           who = persons < UINT16_MAX ? (uint16_t)persons : UINT16_MAX;

            out[n++] = (covey_unit_count){value, some, who}; /* persons are no more than rows */
            rows -= some;
            persons -= who;
        }
        c->n_rows[value] = c->n_persons[value] = 0;
    }
    c->n_present = 0;
    return n;
}

static covey_status count_view(covey_unit_values *x, const covey_unit_items *items, size_t view, covey_error *err)
{
    enum { NEXT = 16, LATER = 32 };
    const covey_units *units = x->r->problem->units;
    const uint32_t *start = units->start, *person_of = units->person_of;
    const covey_column *column = x->r->problem->promises.view[view].column;
    covey_arena arena = COVEY_ARENA_INIT;
    struct counter c;
    uint32_t n = 0;
    covey_status status = counter_new(&c, column->n_values, &arena, err);

    for (uint32_t h = 0; status == COVEY_OK && h < items->n; h++) {
        x->start[view][h] = n;
        for (uint32_t i = x->first[h]; i < x->first[h + 1]; i++) {
            const uint32_t u = x->unit[i];

            if (!person_of && i + LATER < x->r->n_units) { /* units of an item lie all over the table */
                __builtin_prefetch(&start[x->unit[i + LATER]]);
                __builtin_prefetch(covey_i_codes_from(units->value[view], column->width, start[x->unit[i + NEXT]]));
            }
            add_persons(&c, units, view, column->width, person_of ? person_of[u] : u,
                        person_of ? person_of[u + 1] : u + 1);
        }
        n = give_counts(x->count[view], n, &c);
    }
    x->start[view][items->n] = n;
    covey_arena_free(&arena);
    return status;
}

static void count_persons(covey_unit_values *x, const covey_unit_items *items)
{
    const uint32_t *person_of = x->r->problem->units->person_of;

    for (uint32_t h = 0; h < items->n; h++) {
        x->n_persons[h] = person_of ? 0 : x->n_units[h];
        for (uint32_t i = x->first[h]; person_of && i < x->first[h + 1]; i++)
            x->n_persons[h] += person_of[x->unit[i] + 1] - person_of[x->unit[i]];
    }
}

covey_status covey_i_unit_values_new(covey_unit_values *x, covey_units_run *r, const covey_unit_items *items,
                                     covey_error *err)
{
    const size_t n_views = r->problem->units->value ? r->problem->promises.n_views : 0;
    covey_arena *arena = &r->arena;
    covey_arena_mark mark;

    *x = (covey_unit_values){.r = r, .n_views = n_views, .n_units = covey_arena_array(arena, uint32_t, items->n)};
    if (!x->n_units)
        return covey_i_no_memory(err);
    if (!r->counts_suffice)
        return list_units(x, items, NULL, err);
    x->n_persons = covey_arena_array(arena, uint32_t, items->n);
    x->start = covey_arena_array(arena, uint32_t *, n_views);
    x->count = covey_arena_array(arena, covey_unit_count *, n_views);
    if (!x->n_persons || !x->start || !x->count)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < n_views; v++) { /* what is not written to takes no memory */
        x->start[v] = covey_arena_array(arena, uint32_t, (size_t)items->n + 1);
        x->count[v] = covey_arena_array(arena, covey_unit_count, r->problem->n_rows);
        if (!x->start[v] || !x->count[v])
            return covey_i_no_memory(err);
    }
    mark = covey_arena_save(arena);
    COVEY_TRY(list_units(x, items, r->old, err));
    count_persons(x, items);
    for (size_t v = 0; v < n_views; v++)
        COVEY_TRY(count_view(x, items, v, err));
    covey_arena_rewind(arena, mark);
    x->first = x->unit = NULL;
    return COVEY_OK;
}

/* --- verdicts --- */

covey_status covey_i_unit_verdict_new(covey_unit_verdict *x, const covey_unit_values *values, covey_arena *arena,
                                      covey_error *err)
{
    const covey_promises *promises = &values->r->problem->promises;

    *x = (covey_unit_verdict){.values = values};
    COVEY_TRY(covey_i_tally_new(&x->tally, promises, arena, err));
    COVEY_TRY(covey_i_unit_judge_new(&x->judge, promises, values->r->units, arena, err));
    x->persons = covey_arena_array(arena, covey_histogram *, promises->n_views);
    if (!values->r->counts_suffice)
        x->row = covey_arena_array(arena, uint32_t, values->r->problem->n_rows);
    if (!x->persons || (!values->r->counts_suffice && !x->row))
        return covey_i_no_memory(err);
    for (size_t v = 0; v < promises->n_views; v++)
        x->persons[v] = covey_i_unit_judge_persons(x->judge, v);
    return COVEY_OK;
}

void covey_i_unit_verdict_begin(covey_unit_verdict *x)
{
    covey_i_tally_clear(&x->tally);
    for (size_t v = 0; v < x->tally.n_views; v++)
        covey_i_histogram_clear(x->persons[v]);
    x->facts = (covey_unit_facts){0};
    x->n_rows = 0;
}

static void add_rows(covey_unit_verdict *x, uint32_t hull)
{
    const covey_unit_values *values = x->values;
    const covey_units_run *r = values->r;

    for (uint32_t i = values->first[hull]; i < values->first[hull + 1]; i++) {
        const uint32_t u = values->unit[i], n = r->start[u + 1] - r->start[u];

        memcpy(x->row + x->n_rows, r->row + r->start[u], n * sizeof *x->row);
        x->n_rows += n;
    }
}

void covey_i_unit_verdict_add(covey_unit_verdict *x, uint32_t hull)
{
    const covey_unit_values *values = x->values;

    if (!values->r->counts_suffice) {
        add_rows(x, hull);
        return;
    }
    x->facts.n_units += values->n_units[hull];
    x->facts.n_persons += values->n_persons[hull];
    for (size_t v = 0; v < values->n_views; v++) {
        const covey_unit_count *count = values->count[v], *end = count + values->start[v][hull + 1];

        for (count += values->start[v][hull]; count < end; count++) {
            covey_i_histogram_add(&x->tally.counts[v], count->value, count->n_rows);
            covey_i_histogram_add(x->persons[v], count->value, count->n_persons);
        }
    }
}

covey_status covey_i_unit_verdict_end(int *broken, covey_unit_verdict *x, const covey_unit_sizes *sizes,
                                      covey_error *err)
{
    const covey_units_run *r = x->values->r;
    const covey_promises *promises = &r->problem->promises;

    if (!r->counts_suffice)
        for (uint32_t i = 0; i < x->n_rows; i++)
            covey_i_tally_add(&x->tally, promises, x->row[i]);
    x->tally.size = sizes->n_rows;
    if ((*broken = covey_i_promises_broken(promises, &x->tally)) >= 0)
        return COVEY_OK;
    if (!r->counts_suffice)
        return covey_i_unit_judge_class(&x->facts, broken, x->judge, x->row, x->n_rows, err);
    x->facts.n_rows = sizes->n_rows;
    x->facts.largest = sizes->most;
    *broken = covey_i_unit_judge_counted(x->judge, &x->facts);
    return COVEY_OK;
}
