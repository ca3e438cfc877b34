/* Items by their blocks.  Groups are known by a number of 64 bits that their blocks are mixed into: two that share it
 * would be searched as one, in which more is allowed than in each, so that the bound is smaller and still one. */
#include "bound/search.h"

#include <string.h>

/* What a group of mixed blocks would lose is that of the least. */
int64_t covey_i_bound_group_loss(const covey_bound *b, const unsigned char *level, uint32_t group)
{
    int64_t least = INT64_MAX;

    for (uint32_t i = b->start[group]; i < b->start[group + 1]; i++) {
        int64_t loss = 0;

        for (size_t a = 0; a < b->problem->n_axes; a++)
            loss += b->axis[a].level[level[a]].loss[b->code[a][b->member[i]]];
        if (loss < least)
            least = loss;
    }
    return least;
}

/* key: receives the groups'; 0: the item is in none.  Keys of groups are odd. */
static void mix(covey_bound *b, const unsigned char *level)
{
    for (uint32_t i = 0; i < b->n; i++)
        b->key[i] = 1;
    for (size_t a = 0; a < b->problem->n_axes; a++) {
        const uint32_t *block = b->axis[a].level[level[a]].block, *code = b->code[a];

        if ((int)a == b->window)
            continue;
        for (uint32_t i = 0; i < b->n; i++) {
            const uint64_t key = (b->key[i] ^ block[code[i]]) * 0x9e3779b97f4a7c15u;

            b->key[i] = block[code[i]] == COVEY_BOUND_NO_BLOCK || !b->key[i] ? 0 : (key ^ key >> 29) | 1;
        }
    }
}

/* The slot of a key, or the empty one where it belongs. */
static size_t slot_of(const covey_bound *b, uint64_t key)
{
    size_t slot = (key * 0xd6e8feb86659fd93u >> 32) & (b->n_slots - 1);

    while (b->slot_key[slot] && b->slot_key[slot] != key)
        slot = (slot + 1) & (b->n_slots - 1);
    return slot;
}

void covey_i_bound_groups(covey_bound *b, const unsigned char *level, int64_t least, const int64_t *what)
{
    uint32_t first = 0;

    mix(b, level);
    memset(b->slot_key, 0, b->n_slots * sizeof *b->slot_key);
    b->n_groups = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        size_t slot;

        if (what[i] <= least || !b->key[i] || b->slot_key[slot = slot_of(b, b->key[i])])
            continue;
        b->slot_key[slot] = b->key[i];
        b->slot[slot] = b->n_groups++;
    }
    memset(b->start, 0, ((size_t)b->n_groups + 1) * sizeof *b->start);
    for (uint32_t i = 0; i < b->n && b->n_groups > 0; i++) {
        const size_t slot = b->key[i] ? slot_of(b, b->key[i]) : 0;

        b->group_of[i] = b->key[i] && b->slot_key[slot] ? b->slot[slot] : UINT32_MAX;
        if (b->group_of[i] != UINT32_MAX)
            b->start[b->group_of[i]]++;
    }
    for (uint32_t g = 0; g < b->n_groups; g++) {
        const uint32_t size = b->start[g];

        b->start[g] = first;
        first += size;
    }
    for (uint32_t i = 0; i < b->n && b->n_groups > 0; i++)
        if (b->group_of[i] != UINT32_MAX)
            b->member[b->start[b->group_of[i]]++] = i;
    for (uint32_t g = b->n_groups; g > 0; g--)
        b->start[g] = b->start[g - 1];
    b->start[0] = 0;
}
