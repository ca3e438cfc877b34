/* The nearest rows along the curve, which stand in order there: those that are left are a linked list, and a union-find
 * leads to them. Source: [CaoKarras12] section 4.5. */
#include "method/draw/draw.h"

#include "base/error.h"

/* The rows that no class has yet.  Bucket j's rows are slots piles->start[j] + j and onwards, and the slot behind the
 * last is its end: always there, never taken. */
struct remaining {
    const covey_draw_piles *piles;
    const covey_draw_curve *curve;
    uint32_t *next, *previous; /* [slots] among the slots that are left; previous of the first: itself */
    uint32_t *reach;           /* [slots] union-find: towards the first slot that is left from here on */
};

static covey_u128 key_at(const struct remaining *r, size_t j, uint32_t slot)
{
    return r->curve->key[r->piles->cell[slot - j]];
}

/* The first slot that is left, from this one on. */
static uint32_t first_left(struct remaining *r, uint32_t slot)
{
    while (r->reach[slot] != slot) {
        r->reach[slot] = r->reach[r->reach[slot]];
        slot = r->reach[slot];
    }
    return slot;
}

/* The first slot of bucket j with at least that key, taken or not. */
static uint32_t lower_bound(const struct remaining *r, size_t j, covey_u128 key)
{
    uint32_t low = r->piles->start[j], high = r->piles->start[j + 1];

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (r->curve->key[r->piles->cell[middle]] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low + (uint32_t)j;
}

static void take(struct remaining *r, uint32_t slot)
{
    if (r->previous[slot] != slot)
        r->next[r->previous[slot]] = r->next[slot];
    r->previous[r->next[slot]] = r->previous[slot] != slot ? r->previous[slot] : r->next[slot];
    r->reach[slot] = slot + 1;
}

/* Takes the n rows of bucket j nearest to the key; of two equally near ones the one with the smaller key. */
static void take_nearest(uint32_t *taken, void *state, size_t j, uint32_t cell, uint32_t n)
{
    struct remaining *r = state;
    const covey_u128 key = r->curve->key[cell];
    const uint32_t end = r->piles->start[j + 1] + (uint32_t)j;
    uint32_t right = first_left(r, lower_bound(r, j, key)), left = r->previous[right];
    bool has_left = left != right;

    for (; n > 0; n--) {
        uint32_t slot;

        if (has_left && (right == end || key - key_at(r, j, left) <= key_at(r, j, right) - key)) {
            slot = left;
            has_left = r->previous[left] != left;
            left = r->previous[left];
        } else {
            slot = right;
            right = r->next[right];
        }
        take(r, slot);
        *taken++ = slot - (uint32_t)j;
    }
}

covey_status covey_i_draw_along_new(covey_draw_finder *out, const covey_draw_piles *piles,
                                    const covey_draw_curve *curve, size_t n_buckets, covey_arena *arena,
                                    covey_error *err)
{
    const size_t n_slots = (size_t)curve->rows->n + n_buckets;
    struct remaining *r = covey_arena_array(arena, struct remaining, 1);

    if (!r)
        return covey_i_no_memory(err);
    *r = (struct remaining){piles, curve, covey_arena_array(arena, uint32_t, n_slots),
                            covey_arena_array(arena, uint32_t, n_slots), covey_arena_array(arena, uint32_t, n_slots)};
    if (!r->next || !r->previous || !r->reach)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < n_buckets; j++) {
        const uint32_t first = piles->start[j] + (uint32_t)j, end = piles->start[j + 1] + (uint32_t)j;

        for (uint32_t slot = first; slot <= end; slot++) {
            r->next[slot] = slot + 1;
            r->previous[slot] = slot > first ? slot - 1 : slot;
            r->reach[slot] = slot;
        }
    }
    *out = (covey_draw_finder){r, take_nearest};
    return COVEY_OK;
}
