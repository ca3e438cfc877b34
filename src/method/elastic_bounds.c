/* The promises' bounds on the counts of a class, by its size.  They take a division per value, and small sizes come up again and
 * again, so each worker remembers them in a table with one place per size modulo its length. */
#include "method/elastic_impl.h"

#include <string.h>

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

    worker->n_slots = n_slots < 2 ? 2 : n_slots > MOST_SLOTS ? MOST_SLOTS : (uint32_t)n_slots;
    worker->slot = covey_arena_array_zero(&worker->arena, struct covey_elastic_slot, worker->n_slots);
    worker->cap = covey_arena_array(&worker->arena, int64_t, n_values);
    worker->need = covey_arena_array(&worker->arena, int64_t, n_values);
    if (!worker->slot || !worker->cap || !worker->need)
        return covey_fail(err, COVEY_ENOMEM, "bounds on %zu sensitive values", n_values);
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

covey_status covey_i_elastic_bounds_of(covey_elastic_bounds *out, covey_elastic_worker *worker, uint32_t size, covey_error *err)
{
    const size_t n = (size_t)worker->elastic->n_values + 3;
    struct covey_elastic_slot *slot = &worker->slot[size % worker->n_slots];

    if (!slot->cap) {
        slot->cap = covey_arena_array_zero(&worker->arena, uint32_t, n);
        slot->need = covey_arena_array_zero(&worker->arena, uint32_t, n);
        if (!slot->cap || !slot->need) {
            slot->cap = NULL;
            return covey_fail(err, COVEY_ENOMEM, "bounds on %zu sensitive values", n);
        }
        fill(slot, worker, size);
    } else if (slot->size != size) {
        fill(slot, worker, size);
    }
    *out = (covey_elastic_bounds){slot->cap, slot->n_needed > 0 ? slot->need : NULL, slot->n_needed};
    return COVEY_OK;
}
