/* Texts and their numbers, in a hash table. */
#include "reader/names.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"

static covey_status set_capacity(covey_names *names, uint32_t capacity, covey_error *err)
{
    const char **text = covey_arena_array(names->arena, const char *, capacity);
    uint32_t *slot = covey_arena_array(names->arena, uint32_t, (size_t)capacity * 2);

    if (!text || !slot)
        return covey_i_no_memory(err);
    memset(slot, 0xff, (size_t)capacity * 2 * sizeof *slot);
    if (names->n)
        memcpy(text, names->text, names->n * sizeof *text);
    names->text = text;
    names->slot = slot;
    names->capacity = capacity;
    return COVEY_OK;
}

/* The slot that holds the text, or the free one where it would go. */
static uint32_t *find_slot(const covey_names *names, const char *text)
{
    size_t mask = (size_t)names->capacity * 2 - 1, at = covey_i_hash_bytes(text, strlen(text)) & mask;

    while (names->slot[at] != UINT32_MAX && strcmp(names->text[names->slot[at]], text) != 0)
        at = (at + 1) & mask;
    return &names->slot[at];
}

covey_status covey_i_names_init(covey_names *names, uint32_t expected, covey_arena *arena, covey_error *err)
{
    uint32_t capacity = 16;

    while (capacity < expected && capacity < COVEY_MOST_NAMES)
        capacity *= 2;
    *names = (covey_names){.arena = arena};
    return set_capacity(names, capacity, err);
}

covey_status covey_i_names_add(uint32_t *out, covey_names *names, const char *text, covey_error *err)
{
    uint32_t *slot = find_slot(names, text);

    if (*slot != UINT32_MAX) {
        *out = *slot;
        return COVEY_OK;
    }
    if (names->n == names->capacity) {
        if (names->capacity >= COVEY_MOST_NAMES)
            return covey_fail(err, COVEY_EPARSE, "more than %u different values", names->n);
        COVEY_TRY(set_capacity(names, names->capacity * 2, err));
        for (uint32_t i = 0; i < names->n; i++)
            *find_slot(names, names->text[i]) = i;
        slot = find_slot(names, text);
    }
    names->text[names->n] = text;
    *out = *slot = names->n++;
    return COVEY_OK;
}

uint32_t covey_i_names_find(const covey_names *names, const char *text)
{
    return *find_slot(names, text);
}
