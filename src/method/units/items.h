/* Hulls as items that move along with what they are looked at for, so that the neighbours of a cut lie together. */
#ifndef COVEY_METHOD_UNITS_ITEMS_H
#define COVEY_METHOD_UNITS_ITEMS_H

#include "method/units/classes.h"

/* One end of a hull on an axis, as a number that is smaller the further out it lies: a box's are the least of all. */
typedef int16_t covey_unit_end;
enum { COVEY_FIRST_END = INT16_MIN, COVEY_LAST_END = INT16_MAX, COVEY_END_BITS = 16 };

/* Its ends: the low ones of all axes, then the high ones. */
typedef struct covey_unit_item {
    uint32_t hull, n_units, n_rows, most;
    covey_unit_end end[];
} covey_unit_item;

typedef struct covey_unit_items {
    const covey_units_run *r;
    size_t d, size; /* axes; bytes of an item */
    char *item;     /* [n_hulls] */
    char *other;    /* [n_hulls] scratch */
    int *shift;     /* [d] what codes are divided by, as bits, on axes that have too many */
} covey_unit_items;

/* Memory lives in the run's arena. */
covey_status covey_i_unit_items_new(covey_unit_items *items, covey_units_run *r, covey_error *err);
/* Puts the hulls of a class into the places from first on. */
void covey_i_unit_items_enter(covey_unit_items *items, uint32_t first, const covey_unit_classes *p,
                              const covey_unit_class *class);
/* Puts the items of a span whose doubled middle on the axis is so much at most in front of the others; returns how many
 * they are. */
uint32_t covey_i_unit_items_part(covey_unit_sizes side[2], covey_unit_items *items, covey_span span, size_t axis,
                                 uint32_t middle);

static inline covey_unit_item *covey_i_unit_item_at(const covey_unit_items *items, uint32_t at)
{
    return (covey_unit_item *)(void *)(items->item + (size_t)at * items->size);
}

/* Twice the middle. */
static inline uint32_t covey_i_unit_item_middle(const covey_unit_item *item, size_t d, size_t axis)
{
    return (uint32_t)(item->end[axis] - item->end[d + axis] + COVEY_LAST_END - COVEY_FIRST_END);
}

static inline void covey_i_unit_item_add(covey_unit_sizes *s, const covey_unit_item *item)
{
    covey_i_unit_sizes_add(s, item->n_units, item->n_rows, item->most);
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

/* Codes of a box. */
static inline uint32_t covey_i_unit_box_low(const covey_unit_items *items, const covey_unit_end *box, size_t axis)
{
    return (uint32_t)(box[axis] - COVEY_FIRST_END) << items->shift[axis];
}

static inline uint32_t covey_i_unit_box_high(const covey_unit_items *items, const covey_unit_end *box, size_t axis)
{
    const uint32_t last = items->r->problem->axis[axis].n_values - 1,
                   high = (((uint32_t)(COVEY_LAST_END - box[items->d + axis]) + 1) << items->shift[axis]) - 1;

    return high < last ? high : last;
}

#endif
