/* A trie over ranges of codes, level by level. */
#include "method/peel/search/trie.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"

enum { SORT_WORK = 8 }; /* sorting an entry is like looking at so many */

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
    memset(trie->n_twigs, 0, sizeof trie->n_twigs);
    for (uint32_t i = 0; i < trie->n_entries; i++)
        for (size_t level = first_new_level(trie, i); level < trie->n_levels; level++)
            trie->n_twigs[level]++;
    for (size_t level = 0; level < trie->n_levels; level++) {
        if (trie->n_twigs[level] > trie->twig_capacity[level] || !trie->twig[level]) {
            trie->twig_capacity[level] = trie->n_twigs[level] + trie->n_twigs[level] / 2 + 64;
            if (!(trie->twig[level] = covey_arena_array(&p->arena, covey_peel_twig, trie->twig_capacity[level])))
                return covey_i_no_memory(err);
        }
        trie->n_twigs[level] = 0;
    }
    return COVEY_OK;
}

covey_status covey_i_peel_trie_build(covey_peel_trie *trie, covey_peel *p, covey_error *err)
{
    sort_entries(trie, p->t);
    COVEY_TRY(reserve_twigs(trie, p, err));
    p->work += trie->n_entries * SORT_WORK;
    for (uint32_t i = 0; i < trie->n_entries; i++) {
        const uint32_t *own = covey_i_peel_trie_signature(trie, trie->entry[i]);

        for (size_t level = first_new_level(trie, i); level < trie->n_levels; level++)
            trie->twig[level][trie->n_twigs[level]++] =
                (covey_peel_twig){.low = own[2 * level],
                                  .high = own[2 * level + 1],
                                  .begin = level + 1 < trie->n_levels ? trie->n_twigs[level + 1] : i,
                                  .least = UINT32_MAX,
                                  .loss = (int32_t)covey_i_peel_loss(&p->t->axis[p->t->index_axis[level]],
                                                                     own[2 * level], own[2 * level + 1])};
        for (size_t level = 0; level < trie->n_levels; level++)
            trie->twig[level][trie->n_twigs[level] - 1].end =
                level + 1 < trie->n_levels ? trie->n_twigs[level + 1] : i + 1;
    }
    return COVEY_OK;
}
