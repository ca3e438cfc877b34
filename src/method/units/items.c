/* Items of units. */
#include "method/units/items.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"

enum {
    BLOCK = 512,    /* hulls that are entered together, */
    PIECE = 1 << 13 /* and by one thread at a time */
};

covey_status covey_i_unit_items_new(covey_unit_items *items, covey_units_run *r, covey_error *err)
{
    const size_t d = r->problem->n_axes;

    *items = (covey_unit_items){
        .r = r, .d = d, .size = (sizeof(covey_unit_item) + 2 * d * sizeof(covey_unit_end) + 7) / 8 * 8};
    items->item = covey_arena_alloc(&r->arena, r->n_hulls, items->size);
    items->shift = covey_arena_array_zero(&r->arena, int, d);
    if (!items->item || !items->shift)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++)
        while ((r->problem->axis[a].n_values - 1) >> items->shift[a] >> COVEY_END_BITS)
            items->shift[a]++;
    return COVEY_OK;
}

/* One end of each of n items on an axis.  Units lie anywhere: codes are fetched end by end, so that none waits for
 * another. */
static void enter_ends(covey_unit_items *items, uint32_t first, const uint32_t *unit, uint32_t n, size_t axis,
                       bool is_high)
{
    const covey_unit_axis *ends = &items->r->axis[axis];
    const covey_column *column = is_high ? ends->high : ends->low;
    const int shift = items->shift[axis];
    uint32_t code[BLOCK];

    covey_i_codes_at(code, column->codes, column->width, unit, n);
    for (uint32_t i = 0; i < n; i++) {
        const int end = (int)(code[i] >> shift);

        covey_i_unit_item_at(items, first + i)->end[is_high ? items->d + axis : axis] =
            (covey_unit_end)(is_high ? COVEY_LAST_END - end : COVEY_FIRST_END + end);
    }
}

static void enter_block(covey_unit_items *items, uint32_t first, const uint32_t *hull, uint32_t n)
{
    const covey_units_run *r = items->r;
    uint32_t unit[BLOCK];

    for (uint32_t i = 0; i < n; i++) {
        const covey_unit_sizes sizes = covey_i_hull_sizes(r, hull[i]);
        covey_unit_item *item = covey_i_unit_item_at(items, first + i);

        item->hull = hull[i];
        item->n_rows = (uint32_t)sizes.n_rows;
        item->most = (uint32_t)sizes.most;
        unit[i] = r->unit[r->first[hull[i]]];
    }
    for (size_t a = 0; a < items->d; a++) {
        enter_ends(items, first, unit, n, a, false);
        enter_ends(items, first, unit, n, a, true);
    }
}

struct entering {
    covey_unit_items *items;
    const uint32_t *hull;
    uint32_t n;
};

static covey_status enter_piece(void *context, size_t piece, covey_error *err)
{
    const struct entering *e = context;
    const uint32_t begin = (uint32_t)(piece * PIECE), end = e->n - begin < PIECE ? e->n : begin + PIECE;

    for (uint32_t at = begin; at < end; at += BLOCK)
        enter_block(e->items, at, e->hull + at, end - at < BLOCK ? end - at : BLOCK);
    return COVEY_OK;
}

covey_status covey_i_unit_items_enter(covey_unit_items *items, const uint32_t *hull, uint32_t n, covey_error *err)
{
    struct entering e = {items, hull, n};

    return covey_i_parallel(covey_run_threads(items->r->run), ((size_t)n + PIECE - 1) / PIECE, enter_piece, &e, err);
}

/* Each item changes places with the first one that went right, for which side it belongs to is not foretold. */
uint32_t covey_i_unit_items_part(covey_unit_sizes side[2], covey_unit_items *items, covey_span span, size_t e,
                                 covey_unit_end last)
{
    const size_t n_words = items->size / sizeof(uint64_t);
    uint64_t *const first = (uint64_t *)(void *)covey_i_unit_item_at(items, span.start);
    uint64_t *from = first, *to = first, *const end = from + span.n * n_words;

    side[0] = side[1] = (covey_unit_sizes){0};
    for (; from < end; from += n_words) {
        const covey_unit_item *item = (const covey_unit_item *)(const void *)from;
        const bool right = item->end[e] > last;

        covey_i_unit_item_add(&side[right], item);
        for (size_t w = 0; w < n_words; w++) {
            const uint64_t word = from[w];

            from[w] = to[w];
            to[w] = word;
        }
        to += right ? 0 : n_words;
    }
    return (uint32_t)((size_t)(to - first) / n_words);
}
