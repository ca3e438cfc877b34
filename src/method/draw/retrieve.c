/* Retrieval as published: each class takes a random remaining row of its first bucket, and from every bucket the rows
 * nearest to it, along the curve (along.c) or in space (nearest.c). Source: [CaoKarras12] section 4.5. */
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

/* The rows that no class has yet, in any order: a random one is at hand. */
struct bag {
    const covey_draw_piles *piles;
    uint32_t *listed, *place; /* [n] places in the piles of a bucket's rows, and where each of them is listed */
    uint32_t *n_listed;       /* [n_buckets] */
};

static covey_status bag_new(struct bag *bag, const covey_draw_piles *piles, size_t n_buckets, covey_arena *arena,
                            covey_error *err)
{
    const uint32_t n = piles->start[n_buckets];

    *bag = (struct bag){piles, covey_arena_array(arena, uint32_t, n), covey_arena_array(arena, uint32_t, n),
                        covey_arena_array(arena, uint32_t, n_buckets)};
    if (!bag->listed || !bag->place || !bag->n_listed)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < n_buckets; j++)
        bag->n_listed[j] = piles->start[j + 1] - piles->start[j];
    for (uint32_t i = 0; i < n; i++)
        bag->listed[i] = bag->place[i] = i;
    return COVEY_OK;
}

static uint32_t random_of(const struct bag *bag, size_t j, covey_rng *rng)
{
    return bag->listed[bag->piles->start[j] + covey_i_rng_below(rng, bag->n_listed[j])];
}

static void take_out(struct bag *bag, size_t j, uint32_t at)
{
    const uint32_t last = bag->listed[bag->piles->start[j] + --bag->n_listed[j]];

    bag->listed[bag->place[at]] = last;
    bag->place[last] = bag->place[at];
}

/* A class's rows: taken has room for those of one bucket. */
static void fill_class(uint32_t *class_of_row, uint32_t class, const uint32_t *rows, size_t n_buckets, struct bag *bag,
                       const covey_draw_finder *finder, uint32_t *taken, covey_rng *rng)
{
    uint32_t cell;
    size_t j = 0;

    while (rows[j] == 0)
        j++;
    cell = bag->piles->cell[random_of(bag, j, rng)];
    for (; j < n_buckets; j++) {
        finder->take(taken, finder->state, j, cell, rows[j]);
        for (uint32_t i = 0; i < rows[j]; i++) {
            class_of_row[bag->piles->row[taken[i]]] = class;
            take_out(bag, j, taken[i]);
        }
    }
}

covey_status covey_i_draw_retrieve(uint32_t *class_of_row, const covey_draw_piles *piles,
                                   const covey_draw_finder *finder, const covey_draw_tree *tree, const uint32_t *leaf,
                                   const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct bag bag;
    unsigned char secret[32];
    uint32_t *taken = covey_arena_array(&arena, uint32_t, piles->start[tree->n_buckets]);
    covey_run_poll poll;
    covey_rng rng;
    covey_status status;

    if (!taken) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = bag_new(&bag, piles, tree->n_buckets, &arena, err)) != COVEY_OK ||
        (status = covey_i_rng_key(secret, run, err)) != COVEY_OK)
        goto done;
    covey_i_rng_init(&rng, secret, 0);
    covey_i_run_poll_begin(&poll, run, "retrieve", piles->start[tree->n_buckets]);
    for (uint32_t class = 0; class < tree->node[0].n_leaves && status == COVEY_OK; class ++) {
        const covey_draw_node *node = &tree->node[leaf[class]];

        if ((status = covey_i_run_poll_add(&poll, node->total, err)) == COVEY_OK)
            fill_class(class_of_row, class, node->rows, tree->n_buckets, &bag, finder, taken, &rng);
    }
    covey_i_rng_wipe(&rng);
done:
    covey_arena_free(&arena);
    return status;
}
