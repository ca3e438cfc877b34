/* Items of units. */
#include "method/units/items.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"

enum {
    FEW_CLASSES = 2,       /* that are not brought together */
    FIRST_SLOTS = 1 << 12, /* of the table of items, which grows fourfold when it is three quarters full */
    GROWTH = 4,
    AT_ONCE = 4,     /* kinds of ends that are entered */
    WORD = 16,       /* bytes of an item that move at once */
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

    if (n_items + COVEY_UNIT_BLOCK <= t->n_slots / 4 * 3)
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

/* One kind of ends of n units, as they stand in items. */
static void read_ends(covey_unit_end *to, const covey_unit_items *items, uint32_t unit, uint32_t n, size_t e)
{
    const bool is_high = e >= items->d;
    const size_t axis = is_high ? e - items->d : e;
    const covey_unit_axis *ends = &items->r->axis[axis];
    const covey_column *column = is_high ? ends->high : ends->low;
    const int shift = items->shift[axis];
    /* -1 - x turns the order of ends around: the first becomes the last. */
    const covey_unit_end first = COVEY_FIRST_END, turn = is_high ? -1 : 0;

    COVEY_CODES_TYPED(column->width, {
        const covey_code *code = covey_i_codes_from(column->codes, column->width, unit);

        for (uint32_t i = 0; i < n; i++)
            to[i] = (covey_unit_end)((uint16_t)((code[i] >> shift) + first) ^ turn);
    });
}

/* Ends of AT_ONCE kinds at a time, as each item is far from the next one. */
void covey_i_unit_items_enter(covey_unit_items *items, uint32_t first, uint32_t unit, uint32_t n)
{
    const size_t n_ends = 2 * items->d;
    covey_unit_end of[AT_ONCE][COVEY_UNIT_BLOCK];

    for (size_t e = 0; e < n_ends; e += AT_ONCE) {
        const size_t at = e + AT_ONCE <= n_ends || n_ends < AT_ONCE ? e : n_ends - AT_ONCE;

        for (size_t l = 0; l < AT_ONCE && at + l < n_ends; l++)
            read_ends(of[l], items, unit, n, at + l);
        for (uint32_t i = 0; i < n; i++) {
            covey_unit_end *end = covey_i_unit_item_at(items, first + i)->end + at;

            end[0] = of[0][i];
            end[1] = of[1][i];
            if (n_ends >= AT_ONCE) {
                end[2] = of[2][i];
                end[3] = of[3][i];
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        covey_unit_item *item = covey_i_unit_item_at(items, first + i);

        item->n_rows = item->most = items->r->n_rows[unit + i];
        item->hull = unit + i;
    }
}

/* The item at a place behind those so far becomes the next one.  Its hull was its unit. */
static void keep(covey_unit_items *items, uint32_t place, uint32_t class)
{
    covey_unit_item *item = covey_i_unit_item_at(items, items->n);

    for (size_t at = 0; place != items->n && at < items->size; at += WORD)
        memcpy((char *)item + at, (const char *)covey_i_unit_item_at(items, place) + at, WORD);
    items->of_unit[item->hull] = items->n;
    item->hull = items->n;
    items->class[items->n++] = class;
}

/* Units of these classes that were entered from place `first` on are kept, or become part of the item that is the same.
 */
static void join_alike(covey_unit_items *items, struct table *t, uint32_t first, uint32_t n, const uint32_t *class)
{
    uint32_t hash[COVEY_UNIT_BLOCK];

    for (uint32_t i = 0; i < n; i++) {
        hash[i] = hash_of(items, covey_i_unit_item_at(items, first + i), class[i]);
        __builtin_prefetch(&t->slot[hash[i] & (t->n_slots - 1)], 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(items, first + i);
        uint64_t *slot = find_slot(t, items, item, class[i], hash[i]);
        covey_unit_item *into;

        if (*slot == 0) {
            *slot = (uint64_t)hash[i] << 32 | (items->n + 1);
            keep(items, first + i, class[i]);
            continue;
        }
        items->of_unit[item->hull] = (uint32_t)*slot - 1;
        into = covey_i_unit_item_at(items, (uint32_t)*slot - 1);
        into->n_rows += item->n_rows;
        into->most = item->most > into->most ? item->most : into->most;
    }
}

/* Where few classes are asked for, most units may be alike: only what is kept takes memory. */
static covey_status enter_in_order(covey_unit_items *items, struct table *t, const uint32_t *class_of_unit,
                                   covey_error *err)
{
    const covey_units_run *r = items->r;

    for (uint32_t unit = 0, n; unit < r->n_units; unit += n) {
        n = r->n_units - unit < COVEY_UNIT_BLOCK ? r->n_units - unit : COVEY_UNIT_BLOCK;
        covey_i_unit_items_enter(items, items->n, unit, n);
        COVEY_TRY(make_room(t, items->n, err));
        join_alike(items, t, items->n, n, class_of_unit + unit);
    }
    return COVEY_OK;
}

/* Items of the units from place `first` on, which are a class. */
static void join_class(covey_unit_items *items, struct table *t, uint32_t first, uint32_t n_units, uint32_t class)
{
    uint32_t same[COVEY_UNIT_BLOCK];

    for (uint32_t i = 0; i < COVEY_UNIT_BLOCK; i++)
        same[i] = class;
    for (t->n_slots = 2; t->n_slots < 2 * (size_t)n_units;)
        t->n_slots *= 2;
    memset(t->slot, 0, t->n_slots * sizeof *t->slot);
    for (uint32_t at = 0, n; at < n_units; at += n) {
        n = n_units - at < COVEY_UNIT_BLOCK ? n_units - at : COVEY_UNIT_BLOCK;
        join_alike(items, t, first + at, n, same);
    }
}

void covey_i_unit_items_join(covey_unit_items *items, uint64_t *slot, const char *entries, uint32_t n)
{
    const size_t size = covey_i_unit_entry_size(items->d);
    struct table t = {.slot = slot};

    for (uint32_t i = 0; i < n; i++) {
        const covey_unit_entry *entry = (const covey_unit_entry *)(const void *)(entries + i * size);
        covey_unit_item *item = covey_i_unit_item_at(items, i);

        covey_i_unit_ends_copy(item->end, entry->end, 2 * items->d);
        item->n_rows = item->most = entry->n_rows;
        item->hull = i;
    }
    items->n = 0;
    join_class(items, &t, 0, n, 0);
}

/* Brings the units of each class together: next[c] is the first place of class c, and in the end the one behind it. */
static void bring_together(covey_unit_items *items, uint32_t *next, covey_unit_items *block,
                           const uint32_t *class_of_unit)
{
    for (uint32_t unit = 0, n; unit < items->r->n_units; unit += n) {
        n = items->r->n_units - unit < COVEY_UNIT_BLOCK ? items->r->n_units - unit : COVEY_UNIT_BLOCK;
        covey_i_unit_items_enter(block, 0, unit, n);
        for (uint32_t i = 0; i < n; i++)
            memcpy(covey_i_unit_item_at(items, next[class_of_unit[unit + i]]++), covey_i_unit_item_at(block, i),
                   items->size);
    }
}

/* Where there are many classes each has a table of its own, which is small. */
static covey_status enter_by_class(covey_unit_items *items, struct table *t, const uint32_t *class_of_unit,
                                   uint32_t n_classes, covey_error *err)
{
    covey_arena *arena = &items->r->arena;
    const covey_arena_mark mark = covey_arena_save(arena);
    uint32_t *next = covey_arena_array_zero(arena, uint32_t, (size_t)n_classes + 1), most = 1;
    covey_unit_items block = *items;

    block.item = covey_arena_alloc(arena, COVEY_UNIT_BLOCK, items->size);
    if (!next || !block.item)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < items->r->n_units; u++)
        next[class_of_unit[u] + 1]++;
    for (uint32_t c = 0; c < n_classes; c++) {
        most = next[c + 1] > most ? next[c + 1] : most;
        next[c + 1] += next[c];
    }
    if (!(t->slot = covey_i_array_full(4 * (size_t)most, sizeof *t->slot)))
        return covey_i_no_memory(err);
    bring_together(items, next, &block, class_of_unit);
    for (uint32_t c = 0, first = 0; c < n_classes; first = next[c++])
        join_class(items, t, first, next[c] - first, c);
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
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

covey_status covey_i_unit_items_open(covey_unit_items *items, covey_units_run *r, covey_error *err)
{
    const size_t d = r->problem->n_axes;

    *items = (covey_unit_items){.r = r, .d = d, .size = sizeof(covey_unit_item) + 2 * d * sizeof(covey_unit_end)};
    items->size = items->size < 2 * WORD ? 2 * WORD : (items->size + WORD - 1) / WORD * WORD;
    items->shift = covey_arena_array_zero(&r->arena, int, d);
    items->loss = covey_arena_array(&r->arena, uint8_t *, d);
    items->number = covey_arena_array_zero(&r->arena, const int64_t *, d);
    if (!items->shift || !items->loss || !items->number)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &r->problem->axis[a];

        while ((axis->n_values - 1) >> items->shift[a] >> COVEY_END_BITS)
            items->shift[a]++;
        if (axis->kind == COVEY_AXIS_RANGE && !axis->column->has_null && items->shift[a] == 0)
            items->number[a] = axis->column->number;
        COVEY_TRY(find_losses(&items->loss[a], axis, &r->arena, err));
    }
    return COVEY_OK;
}

covey_status covey_i_unit_items_new(covey_unit_items *items, covey_units_run *r, const uint32_t *class_of_unit,
                                    uint32_t n_classes, covey_error *err)
{
    struct table t = {0};
    covey_status status;

    COVEY_TRY(covey_i_unit_items_open(items, r, err));
    items->item = covey_arena_alloc(&r->arena, (size_t)r->n_units + 1, items->size); /* ends are looked at as lanes */
    items->of_unit = covey_arena_array(&r->arena, uint32_t, r->n_units);
    items->class = covey_arena_array(&r->arena, uint32_t, r->n_units);
    if (!items->item || !items->of_unit || !items->class)
        return covey_i_no_memory(err);
    status = n_classes > FEW_CLASSES ? enter_by_class(items, &t, class_of_unit, n_classes, err)
                                     : enter_in_order(items, &t, class_of_unit, err);
    covey_i_free(t.slot);
    return status;
}

/* Two items, which may be the same. */
static void swap_bytes(char *a, char *b, size_t size)
{
    char x[WORD], y[WORD];

    for (size_t at = 0; at < size; at += WORD) {
        memcpy(x, a + at, WORD);
        memcpy(y, b + at, WORD);
        memcpy(a + at, y, WORD);
        memcpy(b + at, x, WORD);
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
            swap_bytes((char *)covey_i_unit_item_at(items, from), (char *)covey_i_unit_item_at(items, to), items->size);
        number[to] = from;
    }
}

/* Each item changes places with the first one that went right, for which side it belongs to is not foretold. */
uint32_t covey_i_unit_items_part(covey_unit_sizes side[2], covey_unit_items *items, covey_span span, size_t e,
                                 covey_unit_end last)
{
    const size_t size = items->size;
    char *const first = (char *)covey_i_unit_item_at(items, span.start);
    char *from = first, *to = first, *const end = from + span.n * size;
    int64_t rows = 0, right_rows = 0;
    uint32_t left_most = 0, right_most = 0;

    for (; from < end; from += size) {
        const covey_unit_item *item = (const covey_unit_item *)(void *)from;
        const bool right = item->end[e] > last;
        const uint32_t is_right = -(uint32_t)right, most_if_left = item->most & ~is_right,
                       most_if_right = item->most & is_right;

        rows += item->n_rows;
        right_rows += item->n_rows & is_right;
        left_most = most_if_left > left_most ? most_if_left : left_most;
        right_most = most_if_right > right_most ? most_if_right : right_most;
        swap_bytes(from, to, size);
        to += right ? 0 : size;
    }
    side[0] = (covey_unit_sizes){.n_rows = rows - right_rows, .most = left_most};
    side[1] = (covey_unit_sizes){.n_rows = right_rows, .most = right_most};
    return (uint32_t)((size_t)(to - first) / size);
}
