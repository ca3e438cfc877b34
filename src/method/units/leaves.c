/* Leaves of very many units, cut into classes, each by one thread in little memory, which is near at hand. */
#include "method/units/leaves.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "method/units/cutter.h"

enum {
    SHARES = 16,    /* of all leaves, one after the other to a thread */
    UNITS = 1 << 16 /* whose classes a thread numbers at a time */
};

/* What all threads share. */
struct cuts {
    const covey_unit_leaves *leaves;
    covey_units_run *r;
    covey_unit_outcome *out;
    covey_unit_cutting c;
    covey_run_poll poll;
    size_t entry_size;
    uint32_t most;        /* units of a leaf */
    uint32_t *first;      /* [n + 1] class of each leaf; before all are cut: how many the leaf before has */
    covey_unit_end **box; /* [n][classes of the leaf][2 * n_axes] */
    covey_i128 *loss;     /* [n][n_axes] summed over rows, in the axis' units */
    uint32_t *number;     /* [start[n]] of what is numbered by places so far: the leaf's first one + its class there */
};

static uint32_t unit_at(const struct cuts *g, uint32_t at)
{
    return covey_i_unit_leaves_at(g->leaves, at, g->entry_size)->unit;
}

/* What a thread has for itself. */
struct worker {
    covey_unit_cutting c;
    covey_unit_cutter cutter;
    covey_arena arena;
    uint64_t *slot;
    uint32_t *n_units;  /* of items, where they are counted */
    uint8_t *is_first;  /* of a class, by places of items */
    uint32_t *of_class; /* by numbers of items */
};

/* Its arenas are the caller's to free, also where this fails. */
static covey_status begin_work(struct worker *k, struct cuts *g, covey_error *err)
{
    covey_unit_items *items = &k->c.items;

    *k = (struct worker){.c = g->c, .arena = COVEY_ARENA_INIT};
    items->item = covey_arena_alloc(&k->arena, (size_t)g->most + 1, items->size);
    items->of_unit = covey_arena_array(&k->arena, uint32_t, g->most);
    items->class = covey_arena_array(&k->arena, uint32_t, g->most);
    k->slot = covey_arena_array(&k->arena, uint64_t, 4 * (size_t)g->most);
    k->n_units = covey_arena_array(&k->arena, uint32_t, g->most);
    k->is_first = covey_arena_array(&k->arena, uint8_t, g->most);
    k->of_class = covey_arena_array(&k->arena, uint32_t, g->most);
    if (!items->item || !items->of_unit || !items->class || !k->slot || !k->n_units || !k->is_first || !k->of_class)
        return covey_i_no_memory(err);
    if (g->c.least_units > 0)
        k->c.n_units = k->n_units;
    return covey_i_unit_cutter_new(&k->cutter, &k->c, err);
}

/* Numbers the classes of a leaf, and tells what they reach and lose. */
static covey_status describe(struct cuts *g, const struct worker *k, size_t leaf, covey_error *err)
{
    const covey_unit_items *items = &k->c.items;
    const size_t d = g->c.d;
    uint32_t n = 0;
    covey_unit_end *box;

    for (uint32_t i = 0; i < items->n; i++)
        n += k->is_first[i];
    g->first[leaf + 1] = n;
    if (!(box = g->box[leaf] = covey_i_array(n * 2 * d, sizeof *box)))
        return covey_i_no_memory(err);
    n = 0;
    for (uint32_t i = 0; i < items->n; box += 2 * d, n++) {
        int64_t n_rows = 0;

        covey_i_unit_box_clear(box, d);
        do {
            const covey_unit_item *item = covey_i_unit_item_at(items, i);

            n_rows += item->n_rows;
            k->of_class[item->hull] = n;
            covey_i_unit_box_add(box, item, d);
        } while (++i < items->n && !k->is_first[i]);
        for (size_t a = 0; a < d; a++)
            g->loss[leaf * d + a] += (covey_i128)n_rows * covey_i_unit_box_loss(items, box, a);
    }
    return COVEY_OK;
}

static covey_status cut_leaf(struct cuts *g, struct worker *k, size_t leaf, covey_error *err)
{
    const uint32_t first = g->leaves->start[leaf], n = g->leaves->start[leaf + 1] - first;
    covey_unit_items *items = &k->c.items;

    covey_i_unit_items_join(items, k->slot, g->leaves->entry + first * g->entry_size, n);
    if (k->c.n_units) {
        memset(k->n_units, 0, items->n * sizeof *k->n_units);
        for (uint32_t i = 0; i < n; i++)
            k->n_units[items->of_unit[i]]++;
    }
    memset(k->is_first, 0, items->n * sizeof *k->is_first);
    COVEY_TRY(
        covey_i_unit_cutter_cut_all(k->is_first, &g->poll, &k->cutter, (covey_span){.start = 0, .n = items->n}, err));
    COVEY_TRY(describe(g, k, leaf, err));
    for (uint32_t i = 0; i < n; i++)
        g->out->class_of_unit[unit_at(g, first + i)] = first + k->of_class[items->of_unit[i]];
    return COVEY_OK;
}

static covey_status cut_share(void *context, size_t share, covey_error *err)
{
    struct cuts *g = context;
    struct worker k;
    covey_status status = begin_work(&k, g, err);

    for (size_t leaf = share; status == COVEY_OK && leaf < g->leaves->n; leaf += SHARES)
        status = cut_leaf(g, &k, leaf, err);
    covey_arena_free(&k.cutter.arena);
    covey_arena_free(&k.arena);
    return status;
}

/* Classes of all leaves have numbers of their own then, and ranges by these. */
static covey_status number_share(void *context, size_t share, covey_error *err)
{
    const struct cuts *g = context;
    const size_t d = g->c.d;

    (void)err;
    for (size_t leaf = share; leaf < g->leaves->n; leaf += SHARES) {
        const uint32_t first = g->first[leaf], n = g->first[leaf + 1] - first;
        const covey_unit_end *box = g->box[leaf];

        for (uint32_t c = 0; c < n; c++)
            g->number[g->leaves->start[leaf] + c] = first + c;
        for (size_t i = first * d; i < (first + n) * d; box += 2 * d)
            for (size_t a = 0; a < d; a++, i++) {
                g->out->ranges.low[i] = (uint32_t)(box[a] - COVEY_FIRST_END) << g->c.items.shift[a];
                g->out->ranges.high[i] = (uint32_t)(COVEY_LAST_END - box[d + a]) << g->c.items.shift[a];
            }
    }
    return COVEY_OK;
}

static covey_status number_units(void *context, size_t task, covey_error *err)
{
    const struct cuts *g = context;
    uint32_t *class = g->out->class_of_unit;
    const uint64_t end = (uint64_t)(task + 1) * UNITS;

    (void)err;
    for (uint64_t unit = (uint64_t)task * UNITS; unit < end && unit < g->r->n_units; unit++)
        class[unit] = class[unit] == COVEY_CLASS_SUPPRESSED ? COVEY_CLASS_SUPPRESSED : g->number[class[unit]];
    return COVEY_OK;
}

static covey_status open_cuts(struct cuts *g, covey_unit_classes *none, covey_error *err)
{
    const covey_unit_leaves *leaves = g->leaves;
    covey_arena *arena = &g->r->arena;
    const size_t d = g->r->problem->n_axes;

    COVEY_TRY(covey_i_unit_items_open(&none->items, g->r, err));
    COVEY_TRY(covey_i_unit_cutting_new(&g->c, none, err));
    g->first = covey_arena_array_zero(arena, uint32_t, (size_t)leaves->n + 1);
    g->box = covey_arena_array_zero(arena, covey_unit_end *, leaves->n);
    g->loss = covey_arena_array_zero(arena, covey_i128, leaves->n * d);
    for (uint32_t leaf = 0; leaf < leaves->n; leaf++) {
        const uint32_t n = leaves->start[leaf + 1] - leaves->start[leaf];

        g->most = n > g->most ? n : g->most;
    }
    covey_i_run_poll_begin(&g->poll, g->r->run, "cut units", g->r->n_units);
    return g->first && g->box && g->loss ? COVEY_OK : covey_i_no_memory(err);
}

/* Once all leaves are cut. */
static covey_status put_together(struct cuts *g, covey_error *err)
{
    const covey_unit_leaves *leaves = g->leaves;
    const size_t d = g->c.d;
    covey_unit_outcome *out = g->out;

    for (uint32_t leaf = 0; leaf < leaves->n; leaf++)
        g->first[leaf + 1] += g->first[leaf];
    out->n_classes = g->first[leaves->n];
    out->ranges = (covey_regions){.low = covey_arena_array(&g->r->kept, uint32_t, out->n_classes * d),
                                  .high = covey_arena_array(&g->r->kept, uint32_t, out->n_classes * d),
                                  .are_ranges = true};
    if (!out->ranges.low || !out->ranges.high)
        return covey_i_no_memory(err);
    /* Of units nobody asks any more, but for those behind all leaves. */
    g->number = (uint32_t *)(void *)leaves->entry;
    COVEY_TRY(covey_i_parallel(covey_run_threads(g->r->run), SHARES, number_share, g, err));
    out->loss = 0;
    for (size_t a = 0; a < d; a++) {
        covey_i128 sum = 0; /* of whole numbers, so that nothing depends on an order */

        for (uint32_t leaf = 0; leaf < leaves->n; leaf++)
            sum += g->loss[leaf * d + a];
        out->loss += g->c.weight[a] * (double)sum;
    }
    for (uint32_t i = leaves->start[leaves->n]; i < g->r->n_units; i++) {
        const uint32_t unit = unit_at(g, i);

        out->class_of_unit[unit] = COVEY_CLASS_SUPPRESSED;
        out->loss += g->r->n_rows[unit]; /* weights sum to 1 */
    }
    return covey_i_parallel(covey_run_threads(g->r->run), ((size_t)g->r->n_units + UNITS - 1) / UNITS, number_units, g,
                            err);
}

covey_status covey_i_unit_leaves_cut(covey_unit_outcome *out, const covey_unit_leaves *leaves, covey_units_run *r,
                                     covey_error *err)
{
    covey_unit_classes none = {.r = r};
    struct cuts g = {.leaves = leaves, .r = r, .out = out, .entry_size = covey_i_unit_entry_size(r->problem->n_axes)};
    covey_status status = open_cuts(&g, &none, err);

    if (status == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(r->run), SHARES, cut_share, &g, err);
    if (status == COVEY_OK)
        status = put_together(&g, err);
    for (uint32_t leaf = 0; g.box && leaf < leaves->n; leaf++)
        covey_i_free(g.box[leaf]);
    for (size_t a = 0; a < r->problem->n_axes && status == COVEY_OK; a++)
        if (g.c.items.shift[a] > 0) /* ends say less than codes */
            out->ranges.low = NULL;
    return status;
}
