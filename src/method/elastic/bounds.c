/* The promises' bounds on the counts of a class, by its size.  They take a division per value, and small sizes come up
 * again and again, so each worker remembers them in a table with one place per size modulo its length, a power of 2. */
#include "method/elastic/elastic.h"

#include <string.h>

#include "base/error.h"

enum { TABLE_BYTES = 4 << 20, MOST_SLOTS = 4096 };

struct covey_elastic_slot {
    uint32_t size;
    uint32_t n_needed;
    uint32_t *cap, *need; /* [n_values + 3]; NULL until the place is first used */
};

covey_status covey_i_elastic_bounds_init(covey_elastic_worker *worker, covey_error *err)
{
    const size_t n_values = worker->elastic->n_values;
    const size_t n_slots = TABLE_BYTES / ((n_values + 3) * 2 * sizeof(uint32_t));

    worker->n_slots = MOST_SLOTS;
    while (worker->n_slots > 2 && worker->n_slots > n_slots)
        worker->n_slots /= 2;
    worker->slot = covey_arena_array_zero(&worker->arena, struct covey_elastic_slot, worker->n_slots);
    worker->cap = covey_arena_array(&worker->arena, int64_t, n_values);
    worker->need = covey_arena_array(&worker->arena, int64_t, n_values);
    worker->listed_cap = covey_arena_array(&worker->arena, uint32_t, n_values);
    worker->listed_need = covey_arena_array(&worker->arena, uint32_t, n_values);
    if (!worker->slot || !worker->cap || !worker->need || !worker->listed_cap || !worker->listed_need)
        return covey_i_no_memory(err);
    return COVEY_OK;
}

static void fill(struct covey_elastic_slot *slot, covey_elastic_worker *worker, uint32_t size)
{
    const covey_elastic *e = worker->elastic;

    for (uint32_t v = 0; v < e->n_values; v++) {
        worker->cap[v] = size;
        worker->need[v] = 0;
    }
    covey_i_promises_bounds(&e->problem->promises, e->view, size, worker->cap, worker->need);
    slot->size = size;
    slot->n_needed = 0;
    for (uint32_t v = 0; v < e->n_values; v++) {
        slot->cap[v] = worker->cap[v] < 0 ? 0 : (uint32_t)worker->cap[v];
        slot->need[v] = worker->need[v] > size ? UINT32_MAX : (uint32_t)worker->need[v];
        slot->n_needed += slot->need[v] > 0;
    }
}

/* The row of the table for a size, of all values of the attribute; NULL: no memory. */
static const struct covey_elastic_slot *find_slot(covey_elastic_worker *worker, uint32_t size)
{
    const size_t n = (size_t)worker->elastic->n_values + 3;
    struct covey_elastic_slot *slot = &worker->slot[size & (worker->n_slots - 1)];
    const bool is_new = !slot->cap;

    if (is_new) {
        slot->need = covey_arena_array_zero(&worker->arena, uint32_t, n);
        slot->cap = slot->need ? covey_arena_array_zero(&worker->arena, uint32_t, n) : NULL;
        if (!slot->cap)
            return NULL;
    }
    if (is_new || slot->size != size)
        fill(slot, worker, size);
    return slot;
}

/* A few values' bounds are found for themselves: a small part must not cost as much as the attribute has values. */
static void list_caps(covey_elastic_worker *worker, uint32_t size)
{
    const covey_elastic_profile *p = &worker->profile;

    for (size_t i = 0; i < p->n_values; i++) {
        worker->cap[i] = size;
        worker->need[i] = 0;
    }
    covey_i_promises_bounds_of(&worker->elastic->problem->promises, worker->elastic->view, size, p->value, p->n_values,
                               worker->cap, worker->need);
    for (size_t i = 0; i < p->n_values; i++)
        worker->listed_cap[i] = worker->cap[i] < 0 ? 0 : (uint32_t)worker->cap[i];
}

covey_status covey_i_elastic_bounds_of(covey_elastic_bounds *out, covey_elastic_worker *worker, uint32_t size,
                                       covey_error *err)
{
    const covey_elastic_profile *p = &worker->profile;
    const struct covey_elastic_slot *slot;

    if (p->value && !worker->elastic->has_needs && p->n_values < worker->elastic->n_values / 4) {
        list_caps(worker, size);
        *out = (covey_elastic_bounds){worker->listed_cap, NULL, 0};
        return COVEY_OK;
    }
    if (!(slot = find_slot(worker, size)))
        return covey_i_no_memory(err);
    *out = (covey_elastic_bounds){slot->cap, slot->n_needed > 0 ? slot->need : NULL, slot->n_needed};
    if (p->value) {
        for (size_t i = 0; i < p->n_values; i++) {
            worker->listed_cap[i] = slot->cap[p->value[i]];
            worker->listed_need[i] = slot->need[p->value[i]];
        }
        out->cap = worker->listed_cap;
        out->need = out->need ? worker->listed_need : NULL;
    }
    return COVEY_OK;
}
