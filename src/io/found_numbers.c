/* Numbers that were found: a hash table with open addressing, at most half full. */
#include "io/found_numbers.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort/sort.h"

enum { FIRST_SLOTS = 1 << 12 };

static uint64_t *find_slot(const covey_found_numbers *f, uint32_t number)
{
    size_t at = (size_t)covey_i_mix(number, 0) & (f->n_slots - 1);

    while (f->slot[at] && f->slot[at] >> 32 != number)
        at = (at + 1) & (f->n_slots - 1);
    return &f->slot[at];
}

static bool make_room(covey_found_numbers *f)
{
    covey_found_numbers larger = {.n_slots = f->n_slots ? 2 * f->n_slots : FIRST_SLOTS, .n = f->n};

    if (!(larger.slot = covey_i_array_zero(larger.n_slots, sizeof *larger.slot)))
        return false;
    for (size_t i = 0; i < f->n_slots; i++)
        if (f->slot[i])
            *find_slot(&larger, (uint32_t)(f->slot[i] >> 32)) = f->slot[i];
    covey_i_free(f->slot);
    *f = larger;
    return true;
}

bool covey_i_found_numbers_take(covey_found_numbers *f, uint32_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t *slot;

        if (2 * (size_t)f->n >= f->n_slots && !make_room(f))
            return false;
        slot = find_slot(f, number[i]);
        if (!*slot)
            *slot = (uint64_t)number[i] << 32 | ++f->n;
        number[i] = (uint32_t)*slot - 1;
    }
    return true;
}

bool covey_i_found_numbers_rank(covey_found_numbers *f)
{
    uint32_t *number = covey_i_array(f->n, sizeof *number), *order = covey_i_array(f->n, sizeof *order);
    bool is_well;

    f->rank = covey_i_array(f->n, sizeof *f->rank);
    is_well = number && order && f->rank;
    if (is_well) {
        for (size_t i = 0; i < f->n_slots; i++)
            if (f->slot[i])
                number[(uint32_t)f->slot[i] - 1] = (uint32_t)(f->slot[i] >> 32);
        for (uint32_t v = 0; v < f->n; v++)
            order[v] = v;
        covey_i_sort_rows_u32(order, f->rank, f->n, number);
        for (uint32_t v = 0; v < f->n; v++)
            f->rank[order[v]] = v;
    }
    covey_i_free(number);
    covey_i_free(order);
    return is_well;
}

void covey_i_found_numbers_free(covey_found_numbers *f)
{
    covey_i_free(f->slot);
    covey_i_free(f->rank);
    *f = (covey_found_numbers){0};
}
