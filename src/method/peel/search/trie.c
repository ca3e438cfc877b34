/* A trie over ranges of codes, level by level. */
#include "method/peel/search/trie.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"

enum {
    SORT_WORK = 8,           /* sorting an entry is like looking at so many */
    MOST_NUMBERED = 256,     /* codes of an axis whose ranges are told apart */
    MOST_TABULATED = 1 << 15 /* codes times ranges */
};

covey_status covey_i_peel_trie_reserve(covey_peel_trie *trie, covey_peel *p, uint32_t n, covey_error *err)
{
    bool ok;

    trie->n_levels = p->t->n_index;
    trie->n_entries = 0;
    if (n <= trie->capacity && trie->entry)
        return COVEY_OK;
    trie->capacity = n + n / 2 + 64; /* what was there stays in the arena: it grows a few times only */
    ok = (trie->entry = covey_arena_array(&p->arena, uint32_t, trie->capacity)) != NULL;
    ok &= (trie->scratch = covey_arena_array(&p->arena, uint32_t, trie->capacity)) != NULL;
    ok &= (trie->key = covey_arena_array(&p->arena, uint64_t, trie->capacity)) != NULL;
    ok &=
        (trie->signature = covey_arena_array(&p->arena, uint32_t, (size_t)trie->capacity * 2 * trie->n_levels)) != NULL;
    if (ok)
        return COVEY_OK;
    trie->entry = NULL;
    return covey_i_no_memory(err);
}

/* By their signatures, equal ones by their numbers: from the last levels on, as many at a time as a key has bits for.
 */
static void sort_entries(covey_peel_trie *trie, const covey_peel_table *t)
{
    for (size_t end = trie->n_levels, begin; end > 0; end = begin) {
        int n_bits = 0;

        for (begin = end; begin > 0; begin--) {
            const int more = 2 * covey_i_key_bits(t->axis[t->index_axis[begin - 1]].n_codes);

            if (n_bits + more > 64)
                break;
            n_bits += more;
        }
        for (uint32_t i = 0; i < trie->n_entries; i++) {
            const uint32_t *signature = covey_i_peel_trie_signature(trie, trie->entry[i]);
            uint64_t key = 0;

            for (size_t level = begin; level < end; level++) {
                const int bits = covey_i_key_bits(t->axis[t->index_axis[level]].n_codes);

                key = (key << bits | signature[2 * level]) << bits | signature[2 * level + 1];
            }
            trie->key[trie->entry[i]] = key;
        }
        covey_i_sort_rows_u64(trie->entry, trie->scratch, trie->n_entries, trie->key);
    }
}

/* The first level on which an entry differs from the one before it. */
static size_t first_new_level(const covey_peel_trie *trie, uint32_t i)
{
    const uint32_t *own = covey_i_peel_trie_signature(trie, trie->entry[i]), *last;
    size_t level = 0;

    if (i == 0)
        return 0;
    last = covey_i_peel_trie_signature(trie, trie->entry[i - 1]);
    while (level < trie->n_levels && own[2 * level] == last[2 * level] && own[2 * level + 1] == last[2 * level + 1])
        level++;
    return level;
}

static covey_status reserve_twigs(covey_peel_trie *trie, covey_peel *p, covey_error *err)
{
    for (size_t level = 0; level < trie->n_levels; level++)
        trie->tier[level].n_twigs = trie->tier[level].n_ranges = 0;
    for (uint32_t i = 0; i < trie->n_entries; i++)
        for (size_t level = first_new_level(trie, i); level < trie->n_levels; level++)
            trie->tier[level].n_twigs++;
    for (size_t level = 0; level < trie->n_levels; level++) {
        covey_peel_tier *tier = &trie->tier[level];
        const uint32_t n_codes = p->t->axis[p->t->index_axis[level]].n_codes;

        if (tier->n_twigs >= tier->twig_capacity) {
            tier->twig_capacity = tier->n_twigs + tier->n_twigs / 2 + 64;
            tier->twig = covey_arena_array(&p->arena, covey_peel_twig, tier->twig_capacity);
            tier->range = covey_arena_array(&p->arena, covey_peel_range, tier->twig_capacity);
            if (!tier->twig || !tier->range)
                return covey_i_no_memory(err);
        }
        if (!tier->number && n_codes <= MOST_NUMBERED &&
            !(tier->number = covey_arena_array(&p->arena, uint32_t, (size_t)n_codes * n_codes)))
            return covey_i_no_memory(err);
        if (tier->number)
            memset(tier->number, 0xff, (size_t)n_codes * n_codes * sizeof *tier->number);
        tier->n_twigs = 0;
    }
    return COVEY_OK;
}

static uint32_t number_range(covey_peel_tier *tier, const covey_peel_axis *axis, const uint32_t *ends)
{
    uint32_t *number = tier->number ? &tier->number[(size_t)ends[0] * axis->n_codes + ends[1]] : NULL;

    if (number && *number != UINT32_MAX)
        return *number;
    tier->range[tier->n_ranges] =
        (covey_peel_range){.low = ends[0], .high = ends[1], .loss = covey_i_peel_loss(axis, ends[0], ends[1])};
    if (number)
        *number = tier->n_ranges;
    return tier->n_ranges++;
}

/* Where an axis has so many codes and ranges that this would take longer than it saves, walks measure them. */
static covey_status tabulate_more(covey_peel_tier *tier, covey_peel *p, const covey_peel_axis *axis, covey_error *err)
{
    const size_t n = (size_t)axis->n_codes * tier->n_ranges;

    if (!tier->number || n > MOST_TABULATED) {
        tier->more = NULL;
        tier->more_capacity = 0;
        return COVEY_OK;
    }
    if (n > tier->more_capacity) {
        tier->more_capacity = n + n / 2;
        if (!(tier->more = covey_arena_array(&p->arena, int32_t, tier->more_capacity)))
            return covey_i_no_memory(err);
    }
    for (uint32_t code = 0; code < axis->n_codes; code++)
        for (uint32_t i = 0; i < tier->n_ranges; i++)
            tier->more[(size_t)code * tier->n_ranges + i] =
                (int32_t)(covey_i_peel_loss_with(axis, tier->range[i].low, tier->range[i].high, code) -
                          tier->range[i].loss);
    return COVEY_OK;
}

covey_status covey_i_peel_trie_build(covey_peel_trie *trie, covey_peel *p, covey_error *err)
{
    const covey_peel_table *t = p->t;
    const size_t n_levels = trie->n_levels;

    sort_entries(trie, t);
    COVEY_TRY(reserve_twigs(trie, p, err));
    p->work += trie->n_entries * SORT_WORK;
    for (uint32_t i = 0; i < trie->n_entries; i++) {
        const uint32_t *own = covey_i_peel_trie_signature(trie, trie->entry[i]);

        for (size_t level = first_new_level(trie, i); level < n_levels; level++) {
            covey_peel_tier *tier = &trie->tier[level];

            tier->twig[tier->n_twigs++] =
                (covey_peel_twig){.range = number_range(tier, &t->axis[t->index_axis[level]], own + 2 * level),
                                  .begin = level + 1 < n_levels ? trie->tier[level + 1].n_twigs : i};
        }
    }
    for (size_t level = 0; level < n_levels; level++) {
        covey_peel_tier *tier = &trie->tier[level];

        tier->twig[tier->n_twigs].begin = level + 1 < n_levels ? trie->tier[level + 1].n_twigs : trie->n_entries;
        COVEY_TRY(tabulate_more(tier, p, &t->axis[t->index_axis[level]], err));
    }
    return COVEY_OK;
}
