/* Items of units. */
#include "method/units/items.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"

enum {
    BLOCK = 256,           /* units that are entered together */
    FIRST_SLOTS = 1 << 12, /* of the table of items, which grows fourfold when it is three quarters full */
    GROWTH = 4,
    LEAST_SIZE = 24, /* of an item: as much as is looked at at once */
    SMALL_TREE = 128 /* leaves of a tree whose losses are looked up */
};

/* The items so far by what they are: hash * 2^32 + number + 1; 0: nobody. */
struct table {
    uint64_t *slot;
    size_t n_slots;
};

static uint32_t hash_of(const covey_unit_items *items, const covey_unit_item *item, uint32_t class)
{
    uint64_t hash = class;

    for (size_t a = 0; a < items->d; a++) {
        uint32_t ends;

        memcpy(&ends, item->end + 2 * a, sizeof ends);
        hash = covey_i_mix(hash, ends);
    }
    return (uint32_t)hash;
}

static covey_status make_room(struct table *t, uint32_t n_items, covey_error *err)
{
    struct table larger = {.n_slots = t->n_slots ? GROWTH * t->n_slots : FIRST_SLOTS};

    if (n_items + BLOCK <= t->n_slots / 4 * 3)
        return COVEY_OK;
    if (!(larger.slot = covey_i_array_full(larger.n_slots, sizeof *larger.slot)))
        return covey_i_no_memory(err);
    memset(larger.slot, 0, larger.n_slots * sizeof *larger.slot);
    for (size_t i = 0; i < t->n_slots; i++) {
        size_t at = (size_t)(t->slot[i] >> 32) & (larger.n_slots - 1);

        while (t->slot[i] && larger.slot[at])
            at = (at + 1) & (larger.n_slots - 1);
        if (t->slot[i])
            larger.slot[at] = t->slot[i];
    }
    covey_i_free(t->slot);
    *t = larger;
    return COVEY_OK;
}

/* The slot of the item that is as this one, or the one that it gets. */
static uint64_t *find_slot(const struct table *t, const covey_unit_items *items, const covey_unit_item *item,
                           uint32_t class, uint32_t hash)
{
    size_t at = hash & (t->n_slots - 1);

    for (; t->slot[at]; at = (at + 1) & (t->n_slots - 1)) {
        const uint32_t other = (uint32_t)t->slot[at] - 1;

        if (t->slot[at] >> 32 == hash && items->class[other] == class &&
            memcmp(covey_i_unit_item_at(items, other)->end, item->end, 2 * items->d * sizeof *item->end) == 0)
            break;
    }
    return &t->slot[at];
}

/* One end of each of n units on an axis, as items from place `first` on. */
static void enter_ends(covey_unit_items *items, uint32_t first, uint32_t unit, uint32_t n, size_t axis, bool is_high)
{
    const covey_unit_axis *ends = &items->r->axis[axis];
    const covey_column *column = is_high ? ends->high : ends->low;
    const int shift = items->shift[axis];
    uint32_t code[BLOCK];

    covey_i_codes_unpack(code, covey_i_codes_from(column->codes, column->width, unit), column->width, n);
    for (uint32_t i = 0; i < n; i++) {
        const int end = (int)(code[i] >> shift);

        covey_i_unit_item_at(items, first + i)->end[is_high ? items->d + axis : axis] =
            (covey_unit_end)(is_high ? COVEY_LAST_END - end : COVEY_FIRST_END + end);
    }
}

/* Enters n units behind the items so far. */
static void enter_units(covey_unit_items *items, uint32_t unit, uint32_t n)
{
    for (size_t a = 0; a < items->d; a++) {
        enter_ends(items, items->n, unit, n, a, false);
        enter_ends(items, items->n, unit, n, a, true);
    }
    for (uint32_t i = 0; i < n; i++) {
        covey_unit_item *item = covey_i_unit_item_at(items, items->n + i);

        item->n_rows = item->most = items->r->n_rows[unit + i];
    }
}

/* The i-th of those that were entered becomes the next item. */
static uint32_t keep(covey_unit_items *items, uint32_t entered, uint32_t class)
{
    covey_unit_item *item = covey_i_unit_item_at(items, items->n);

    if (entered != items->n)
        memcpy(item, covey_i_unit_item_at(items, entered), items->size);
    item->hull = items->n;
    items->class[items->n] = class;
    return items->n++;
}

/* What was entered from place `first` on is kept, or becomes part of the item that is the same. */
static void join_alike(covey_unit_items *items, struct table *t, uint32_t unit, uint32_t n,
                       const uint32_t *class_of_unit)
{
    const uint32_t first = items->n;
    uint32_t hash[BLOCK];

    for (uint32_t i = 0; i < n; i++) {
        hash[i] = hash_of(items, covey_i_unit_item_at(items, first + i), class_of_unit[unit + i]);
        __builtin_prefetch(&t->slot[hash[i] & (t->n_slots - 1)], 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(items, first + i);
        const uint32_t class = class_of_unit[unit + i];
        uint64_t *slot = find_slot(t, items, item, class, hash[i]);
        covey_unit_item *into;

        if (*slot == 0) {
            *slot = (uint64_t)hash[i] << 32 | (keep(items, first + i, class) + 1);
            items->of_unit[unit + i] = items->n - 1;
            continue;
        }
        items->of_unit[unit + i] = (uint32_t)*slot - 1;
        into = covey_i_unit_item_at(items, items->of_unit[unit + i]);
        into->n_rows += item->n_rows;
        into->most = item->most > into->most ? item->most : into->most;
    }
}

static covey_status enter_all(covey_unit_items *items, const uint32_t *class_of_unit, covey_error *err)
{
    const covey_units_run *r = items->r;
    struct table t = {0};
    covey_status status = COVEY_OK;

    for (uint32_t unit = 0, n; unit < r->n_units && status == COVEY_OK; unit += n) {
        n = r->n_units - unit < BLOCK ? r->n_units - unit : BLOCK;
        enter_units(items, unit, n);
        if (r->sizes_suffice && (status = make_room(&t, items->n, err)) == COVEY_OK)
            join_alike(items, &t, unit, n, class_of_unit);
        for (uint32_t i = 0; i < n && !r->sizes_suffice; i++)
            items->of_unit[unit + i] = keep(items, items->n, class_of_unit[unit + i]);
    }
    covey_i_free(t.slot);
    return status;
}

static covey_status find_losses(uint8_t **out, const covey_axis *axis, covey_arena *arena, covey_error *err)
{
    const uint32_t n = axis->n_values;
    uint8_t *loss = NULL;

    *out = NULL;
    if (axis->kind != COVEY_AXIS_TREE || n > SMALL_TREE)
        return COVEY_OK;
    if (!(*out = loss = covey_arena_array(arena, uint8_t, (size_t)n * n)))
        return covey_i_no_memory(err);
    for (uint32_t low = 0; low < n; low++)
        for (uint32_t high = low; high < n; high++)
            loss[low * n + high] = (uint8_t)covey_i_axis_loss(axis, low, high);
    return COVEY_OK;
}

covey_status covey_i_unit_items_new(covey_unit_items *items, covey_units_run *r, const uint32_t *class_of_unit,
                                    covey_error *err)
{
    const size_t d = r->problem->n_axes;

    *items = (covey_unit_items){.r = r, .d = d, .size = sizeof(covey_unit_item) + 2 * d * sizeof(covey_unit_end)};
    items->size = items->size < LEAST_SIZE ? LEAST_SIZE : (items->size + 7) / 8 * 8;
    items->item = covey_arena_alloc(&r->arena, r->n_units, items->size);
    items->shift = covey_arena_array_zero(&r->arena, int, d);
    items->loss = covey_arena_array(&r->arena, uint8_t *, d);
    items->of_unit = covey_arena_array(&r->arena, uint32_t, r->n_units);
    items->class = covey_arena_array(&r->arena, uint32_t, r->n_units);
    if (!items->item || !items->shift || !items->loss || !items->of_unit || !items->class)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &r->problem->axis[a];

        while ((axis->n_values - 1) >> items->shift[a] >> COVEY_END_BITS)
            items->shift[a]++;
        COVEY_TRY(find_losses(&items->loss[a], axis, &r->arena, err));
    }
    return enter_all(items, class_of_unit, err);
}

static void swap_items(covey_unit_items *items, uint32_t a, uint32_t b)
{
    uint64_t *x = (uint64_t *)(void *)covey_i_unit_item_at(items, a),
             *y = (uint64_t *)(void *)covey_i_unit_item_at(items, b);

    for (size_t w = 0; w < items->size / sizeof *x; w++) {
        const uint64_t word = x[w];

        x[w] = y[w];
        y[w] = word;
    }
}

/* Where the item that belongs to a place was moved away before that item went to an earlier place, which had to make
 * room: so its way is followed from place to place. */
void covey_i_unit_items_arrange(covey_unit_items *items, uint32_t *number, uint32_t n)
{
    for (uint32_t to = 0; to < n; to++) {
        uint32_t from = number[to];

        while (from < to)
            from = number[from];
        if (from != to)
            swap_items(items, from, to);
        number[to] = from;
    }
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
