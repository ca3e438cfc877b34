/* Retrieval as published: each class takes a random remaining row of its first bucket, and from every bucket the rows
 * nearest to it on the curve. Source: [CaoKarras12] section 4.5. */
#include "method/draw/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/run.h"

covey_status covey_i_draw_piles_new(covey_draw_piles *piles, const covey_draw_curve *curve,
                                    const covey_draw_buckets *buckets, covey_arena *arena, covey_error *err)
{
    const covey_draw_rows *rows = curve->rows;
    uint32_t *place = covey_arena_array(arena, uint32_t, buckets->n), sum = 0;

    *piles =
        (covey_draw_piles){covey_arena_array(arena, uint32_t, rows->n), covey_arena_array(arena, uint32_t, rows->n),
                           covey_arena_array(arena, uint32_t, buckets->n + 1)};
    if (!place || !piles->row || !piles->cell || !piles->start)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < buckets->n; j++) {
        piles->start[j] = place[j] = sum;
        sum += buckets->size[j];
    }
    piles->start[buckets->n] = sum;
    for (uint32_t c = 0; c < curve->n_cells; c++)
        for (uint32_t i = rows->runs.group[curve->cell[c]]; i < rows->runs.group[curve->cell[c] + 1]; i++) {
            uint32_t *to = &place[buckets->bucket_of[rows->value[i]]];

            for (uint32_t r = rows->runs.start[i]; r < rows->runs.start[i + 1]; r++, (*to)++) {
                piles->row[*to] = rows->row[r];
                piles->cell[*to] = c;
            }
        }
    return COVEY_OK;
}

/* The rows that no class has yet.  Bucket j's rows are slots piles->start[j] + j and onwards, and the slot behind the
 * last is its end: always there, never taken. */
struct remaining {
    const covey_draw_piles *piles;
    const covey_draw_curve *curve;
    uint32_t *next, *previous; /* [slots] among the slots that are left; previous of the first: itself */
    uint32_t *reach;           /* [slots] union-find: towards the first slot that is left from here on */
    uint32_t *listed, *place;  /* [n] rows of a bucket that are left, in any order, and where each of them is listed */
    uint32_t *n_listed;        /* [n_buckets] */
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

static void take(struct remaining *r, size_t j, uint32_t slot)
{
    const uint32_t first = r->piles->start[j], row = slot - (uint32_t)j, last = r->listed[first + --r->n_listed[j]];

    if (r->previous[slot] != slot)
        r->next[r->previous[slot]] = r->next[slot];
    r->previous[r->next[slot]] = r->previous[slot] != slot ? r->previous[slot] : r->next[slot];
    r->reach[slot] = slot + 1;
    r->listed[r->place[row]] = last;
    r->place[last] = r->place[row];
}

/* Takes the n rows of bucket j nearest to the key; of two equally near ones the one with the smaller key. */
static void take_nearest(uint32_t *class_of_row, uint32_t class, struct remaining *r, size_t j, covey_u128 key,
                         uint32_t n)
{
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
        take(r, j, slot);
        class_of_row[r->piles->row[slot - j]] = class;
    }
}

static covey_status remaining_new(struct remaining *r, const covey_draw_piles *piles, const covey_draw_curve *curve,
                                  size_t n_buckets, covey_error *err)
{
    const size_t n_slots = (size_t)curve->rows->n + n_buckets;

    *r = (struct remaining){piles,
                            curve,
                            covey_i_array(n_slots, sizeof *r->next),
                            covey_i_array(n_slots, sizeof *r->previous),
                            covey_i_array(n_slots, sizeof *r->reach),
                            covey_i_array(curve->rows->n, sizeof *r->listed),
                            covey_i_array(curve->rows->n, sizeof *r->place),
                            covey_i_array(n_buckets, sizeof *r->n_listed)};
    if (!r->next || !r->previous || !r->reach || !r->listed || !r->place || !r->n_listed)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < n_buckets; j++) {
        const uint32_t first = piles->start[j] + (uint32_t)j, end = piles->start[j + 1] + (uint32_t)j;

        r->n_listed[j] = end - first;
        for (uint32_t slot = first; slot <= end; slot++) {
            r->next[slot] = slot + 1;
            r->previous[slot] = slot > first ? slot - 1 : slot;
            r->reach[slot] = slot;
        }
    }
    for (uint32_t i = 0; i < curve->rows->n; i++)
        r->listed[i] = r->place[i] = i;
    return COVEY_OK;
}

static void remaining_clear(struct remaining *r)
{
    covey_i_free(r->next);
    covey_i_free(r->previous);
    covey_i_free(r->reach);
    covey_i_free(r->listed);
    covey_i_free(r->place);
    covey_i_free(r->n_listed);
}

covey_status covey_i_draw_retrieve(uint32_t *class_of_row, const covey_draw_piles *piles, const covey_draw_curve *curve,
                                   const covey_draw_tree *tree, const uint32_t *leaf, const covey_run *run,
                                   covey_error *err)
{
    struct remaining r = {0};
    unsigned char secret[32];
    covey_run_poll poll;
    covey_rng rng;
    covey_status status;

    if ((status = covey_i_rng_key(secret, run, err)) != COVEY_OK ||
        (status = remaining_new(&r, piles, curve, tree->n_buckets, err)) != COVEY_OK)
        goto done;
    covey_i_rng_init(&rng, secret, 0);
    covey_i_run_poll_begin(&poll, run, "retrieve", curve->rows->n);
    for (uint32_t class = 0; class < tree->node[0].n_leaves; class ++) {
        const uint32_t *rows = tree->node[leaf[class]].rows;
        covey_u128 key;
        size_t j = 0;

        if ((status = covey_i_run_poll_add(&poll, tree->node[leaf[class]].total, err)) != COVEY_OK)
            break;
        while (rows[j] == 0)
            j++;
        key = curve->key[piles->cell[r.listed[piles->start[j] + covey_i_rng_below(&rng, r.n_listed[j])]]];
        for (; j < tree->n_buckets; j++)
            take_nearest(class_of_row, class, &r, j, key, rows[j]);
    }
    covey_i_rng_wipe(&rng);
done:
    remaining_clear(&r);
    return status;
}
