/* Units as items that move along with what they are looked at for, so that the neighbours of a cut lie together.  Units
 * of a class that reach the same codes are one. */
#ifndef COVEY_METHOD_UNITS_ITEMS_H
#define COVEY_METHOD_UNITS_ITEMS_H

#include <string.h>

#include "method/units/hulls.h"

/* One end of a hull on an axis, as a number that is smaller the further out it lies: a box's are the least of all. */
typedef int16_t covey_unit_end;
enum { COVEY_FIRST_END = INT16_MIN, COVEY_LAST_END = INT16_MAX, COVEY_END_BITS = 16 };
enum { COVEY_UNIT_BLOCK = 256 }; /* units that are entered together */

/* Its ends: the low ones of all axes, then the high ones. */
typedef struct covey_unit_item {
    uint32_t hull, n_rows, most; /* hull: its number; most: rows of one unit */
    covey_unit_end end[];
} covey_unit_item;

/* A unit as an item's beginning. */
typedef struct covey_unit_entry {
    uint32_t unit, n_rows;
    covey_unit_end end[];
} covey_unit_entry;

typedef struct covey_unit_items {
    covey_units_run *r;
    size_t d, size;         /* axes; bytes of an item */
    char *item;             /* [n] */
    int *shift;             /* [d] what codes are divided by, as bits, on axes that have too many */
    uint8_t **loss;         /* [d][n_values * n_values] of low and high codes, on a small tree; NULL: on others */
    const int64_t **number; /* [d][n_values] whose difference is the loss, of numbers without missing ones */
    uint32_t n;             /* how many there are, */
    uint32_t *of_unit;      /* [n_units] which one a unit is in, */
    uint32_t *class;        /* [n] and their classes, by numbers */
} covey_unit_items;

/* Makes the items, in the order of their numbers.  class_of_unit: [n_units] below n_classes.  Memory lives in the run's
 * arena. */
covey_status covey_i_unit_items_new(covey_unit_items *items, covey_units_run *r, const uint32_t *class_of_unit,
                                    uint32_t n_classes, covey_error *err);
/* The same without a single item, and room for none. */
covey_status covey_i_unit_items_open(covey_unit_items *items, covey_units_run *r, covey_error *err);
/* The items of n units anew, in room for them, of_unit and class; a unit's number is its place in the list.
 * slot: [4 * n], lost. */
void covey_i_unit_items_join(covey_unit_items *items, uint64_t *slot, const char *entries, uint32_t n);
/* Enters n units, COVEY_UNIT_BLOCK at most, from a place on.  The hull of each is its number for now. */
void covey_i_unit_items_enter(covey_unit_items *items, uint32_t first, uint32_t unit, uint32_t n);
/* Puts the items number[0 .. n-1] into the places from 0 on, and the others anywhere behind them.  They are in the
 * order of their numbers before.  number: lost. */
void covey_i_unit_items_arrange(covey_unit_items *items, uint32_t *number, uint32_t n);
/* Puts the items of a span whose end number e is `last` at most in front of the others; returns how many they are.  In
 * sizes units are not counted. */
uint32_t covey_i_unit_items_part(covey_unit_sizes side[2], covey_unit_items *items, covey_span span, size_t e,
                                 covey_unit_end last);

static inline covey_unit_item *covey_i_unit_item_at(const covey_unit_items *items, uint32_t at)
{
    return (covey_unit_item *)(void *)(items->item + (size_t)at * items->size);
}

/* A number of ends that is not known to the compiler: eight at once, the last ones together with some before them. */
static inline void covey_i_unit_ends_copy(covey_unit_end *to, const covey_unit_end *from, size_t n)
{
    enum { AT_ONCE = 8 };
    size_t at = 0;

    if (n < AT_ONCE) {
        for (; at < n; at++)
            to[at] = from[at];
        return;
    }
    for (; at + AT_ONCE < n; at += AT_ONCE)
        memcpy(to + at, from + at, AT_ONCE * sizeof *to);
    memcpy(to + n - AT_ONCE, from + n - AT_ONCE, AT_ONCE * sizeof *to);
}

static inline size_t covey_i_unit_entry_size(size_t d)
{
    return sizeof(covey_unit_entry) + 2 * d * sizeof(covey_unit_end);
}

static inline void covey_i_unit_item_add(covey_unit_sizes *s, const covey_unit_item *item)
{
    covey_i_unit_sizes_add(s, 0, item->n_rows, item->most);
}

static inline void covey_i_unit_box_clear(covey_unit_end *box, size_t d)
{
    for (size_t e = 0; e < 2 * d; e++)
        box[e] = COVEY_LAST_END;
}

/* True: the box has become wider. */
static inline bool covey_i_unit_box_add(covey_unit_end *box, const covey_unit_item *item, size_t d)
{
    bool is_wider = false;

    for (size_t e = 0; e < 2 * d; e++) {
        is_wider |= item->end[e] < box[e];
        box[e] = item->end[e] < box[e] ? item->end[e] : box[e];
    }
    return is_wider;
}

/* The codes from one low end to another, or from one high end to another, as a loss on their axis. */
static inline int64_t covey_i_unit_ends_loss(const covey_unit_items *items, size_t axis, int low, int high)
{
    const covey_axis *a = &items->r->problem->axis[axis];
    const uint8_t *loss = items->loss[axis];
    const uint32_t last = a->n_values - 1, first_code = (uint32_t)low << items->shift[axis],
                   last_code = (((uint32_t)high + 1) << items->shift[axis]) - 1;

    if (loss)
        return loss[first_code * a->n_values + last_code];
    if (items->number[axis])
        return items->number[axis][last_code] - items->number[axis][first_code];
    return covey_i_axis_loss(a, first_code, last_code < last ? last_code : last);
}

/* What a box loses on an axis. */
static inline int64_t covey_i_unit_box_loss(const covey_unit_items *items, const covey_unit_end *box, size_t axis)
{
    return covey_i_unit_ends_loss(items, axis, box[axis] - COVEY_FIRST_END, COVEY_LAST_END - box[items->d + axis]);
}

#endif
