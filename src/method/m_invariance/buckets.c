/* Buckets: rows whose units have one signature, by value. */
#include "method/m_invariance/m_invariance.h"

#include <string.h>

#include "base/error.h"

static uint32_t *grown(const uint32_t *old, size_t n, size_t capacity, covey_arena *arena)
{
    uint32_t *array = covey_arena_array(arena, uint32_t, capacity);

    if (array && n > 0)
        memcpy(array, old, n * sizeof *array);
    return array;
}

covey_status covey_i_buckets_init(covey_buckets *b, uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    *b = (covey_buckets){.arena = arena,
                         .start = covey_arena_array_zero(arena, uint32_t, 1),
                         .next = covey_arena_array(arena, uint32_t, n_rows)};
    return b->start && b->next ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status make_room(covey_buckets *b, uint32_t n, covey_error *err)
{
    const uint32_t n_slots = b->start[b->n];

    if (b->n == b->capacity) {
        b->capacity = 2 * b->capacity + 16;
        if (!(b->start = grown(b->start, (size_t)b->n + 1, (size_t)b->capacity + 1, b->arena)))
            return covey_i_no_memory(err);
    }
    if (n > b->slot_capacity - n_slots) {
        b->slot_capacity = 2 * b->slot_capacity + n + 16;
        b->value = grown(b->value, n_slots, b->slot_capacity, b->arena);
        b->count = grown(b->count, n_slots, b->slot_capacity, b->arena);
        b->head = grown(b->head, n_slots, b->slot_capacity, b->arena);
    }
    return b->value && b->count && b->head ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_buckets_add(uint32_t *out, covey_buckets *b, const uint32_t *value, uint32_t n, covey_error *err)
{
    uint32_t slot;

    COVEY_TRY(make_room(b, n, err));
    slot = b->start[b->n];
    for (uint32_t i = 0; i < n; i++, slot++) {
        b->value[slot] = value[i];
        b->count[slot] = 0;
        b->head[slot] = UINT32_MAX;
    }
    *out = b->n++;
    b->start[b->n] = slot;
    return COVEY_OK;
}

uint32_t covey_i_buckets_find(const covey_buckets *b, const uint32_t *value, uint32_t n)
{
    uint32_t bucket = 0;

    while (bucket < b->n && (b->start[bucket + 1] - b->start[bucket] != n ||
                             memcmp(b->value + b->start[bucket], value, n * sizeof *value) != 0))
        bucket++;
    return bucket;
}

uint32_t covey_i_buckets_slot(const covey_buckets *b, uint32_t bucket, uint32_t value)
{
    uint32_t low = b->start[bucket], high = b->start[bucket + 1];

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (b->value[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->start[bucket + 1] && b->value[low] == value ? low : UINT32_MAX;
}

void covey_i_buckets_put(covey_buckets *b, uint32_t slot, uint32_t row)
{
    b->next[row] = b->head[slot];
    b->head[slot] = row;
    b->count[slot]++;
}

uint32_t covey_i_buckets_height(const covey_buckets *b, uint32_t bucket)
{
    uint32_t height = 0;

    for (uint32_t slot = b->start[bucket]; slot < b->start[bucket + 1]; slot++)
        height = b->count[slot] > height ? b->count[slot] : height;
    return height;
}
