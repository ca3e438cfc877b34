/* Single cells that local recoding undoes: a row goes to a class that publishes the same but for one cell, which is the
 * row's own value, where both keep the promises; the largest gain first. */
#include "method/mondrian/local.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "method/mondrian/local_box.h"
#include "table/table_impl.h"

enum { MOST_PASSES = 16 };
#define NONE UINT32_MAX

struct climbing {
    const covey_box_space *space;
    const uint32_t *row; /* [n] by content */
    uint32_t n, n_classes;
    uint32_t *class;              /* [n] */
    uint32_t *ends;               /* [n_classes * 2 * n_axes] */
    uint32_t *size, *head, *next; /* [n_classes], [n_classes], [n]: places of a class's rows */
    size_t n_slots;
    uint32_t *slot; /* class + 1 by its ranges; 0: free */
    uint32_t *key;  /* [2 * n_axes] */
    covey_tally tally;
};

struct move {
    double gain;
    uint32_t place;
    size_t axis;
};

static int by_gain(const void *a, const void *b)
{
    const struct move *x = a, *y = b;

    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->axis > y->axis) - (x->axis < y->axis);
}

static uint32_t *ranges_of(const struct climbing *c, uint32_t class)
{
    return c->ends + (size_t) class * 2 * c->space->problem->n_axes;
}

static void point_of(uint32_t *code, const struct climbing *c, uint32_t place)
{
    for (size_t a = 0; a < c->space->problem->n_axes; a++)
        code[a] = covey_i_code(c->space->problem->axis[a].column, c->row[place]);
}

/* Ranges and rows of every class anew. */
static void measure(struct climbing *c)
{
    const size_t d = c->space->problem->n_axes;

    memset(c->size, 0, c->n_classes * sizeof *c->size);
    for (uint32_t i = c->n; i-- > 0;) {
        const uint32_t class = c->class[i];

        point_of(c->key, c, i);
        if (c->size[class]++ == 0) {
            covey_i_box_set(c->space, ranges_of(c, class), c->key);
            c->head[class] = NONE;
        } else {
            covey_i_box_widen(c->space, ranges_of(c, class), c->key);
        }
        c->next[i] = c->head[class];
        c->head[class] = i;
    }
    memset(c->slot, 0, c->n_slots * sizeof *c->slot);
    for (uint32_t k = 0; k < c->n_classes; k++) {
        size_t at = covey_i_hash_bytes((const char *)ranges_of(c, k), 2 * d * sizeof *c->ends) & (c->n_slots - 1);

        if (c->size[k] == 0)
            continue;
        while (c->slot[at] != 0)
            at = (at + 1) & (c->n_slots - 1);
        c->slot[at] = k + 1;
    }
}

/* The first class with the ranges of the class a place is in, but for the place's own value on one axis; NONE. */
static uint32_t target_of(const struct climbing *c, uint32_t place, size_t axis)
{
    const size_t d = c->space->problem->n_axes, bytes = 2 * d * sizeof *c->key;
    size_t at;

    memcpy(c->key, ranges_of(c, c->class[place]), bytes);
    c->key[axis] = c->key[d + axis] = covey_i_code(c->space->problem->axis[axis].column, c->row[place]);
    for (at = covey_i_hash_bytes((const char *)c->key, bytes) & (c->n_slots - 1); c->slot[at] != 0;
         at = (at + 1) & (c->n_slots - 1))
        if (c->size[c->slot[at] - 1] > 0 && memcmp(ranges_of(c, c->slot[at] - 1), c->key, bytes) == 0)
            return c->slot[at] - 1;
    return NONE;
}

/* Does a class keep the promises without a row, or with it (and the row is not one of its own)? */
static bool admits_changed(struct climbing *c, uint32_t class, uint32_t place)
{
    const covey_promises *promises = &c->space->problem->promises;

    covey_i_tally_clear(&c->tally);
    for (uint32_t i = c->head[class]; i != NONE; i = c->next[i])
        if (i != place)
            covey_i_tally_add(&c->tally, promises, c->row[i]);
    if (c->class[place] != class)
        covey_i_tally_add(&c->tally, promises, c->row[place]);
    return covey_i_promises_admit(promises, &c->tally);
}

static void move_row(struct climbing *c, uint32_t place, uint32_t to)
{
    const uint32_t from = c->class[place];
    uint32_t *at = &c->head[from];
    bool any = false;

    while (*at != place)
        at = &c->next[*at];
    *at = c->next[place];
    c->next[place] = c->head[to];
    c->head[to] = place;
    c->class[place] = to;
    c->size[from]--;
    c->size[to]++;
    for (uint32_t i = c->head[from]; i != NONE; i = c->next[i], any = true) {
        point_of(c->key, c, i);
        if (any)
            covey_i_box_widen(c->space, ranges_of(c, from), c->key);
        else
            covey_i_box_set(c->space, ranges_of(c, from), c->key);
    }
}

/* One round over all cells, the largest gain first; *moved: something was undone. */
static covey_status climb(bool *moved, struct climbing *c, covey_arena *arena, covey_error *err)
{
    const covey_problem *problem = c->space->problem;
    const covey_arena_mark mark = covey_arena_save(arena);
    const size_t d = problem->n_axes;
    struct move *move = NULL;
    size_t n = 0;

    measure(c);
    for (int fills = 0; fills < 2; fills++) { /* count first */
        if (fills && n > 0 && !(move = covey_arena_array(arena, struct move, n)))
            return covey_i_no_memory(err);
        n = 0;
        for (uint32_t i = 0; i < c->n; i++) {
            const uint32_t *ends = ranges_of(c, c->class[i]);

            for (size_t a = 0; a < d && c->size[c->class[i]] <= COVEY_LOCAL_MOST_ROWS; a++) {
                if (ends[a] == ends[d + a] || target_of(c, i, a) == NONE)
                    continue;
                if (fills)
                    move[n] = (struct move){
                        c->space->weight[a] * (double)covey_i_axis_loss(&problem->axis[a], ends[a], ends[d + a]), i, a};
                n++;
            }
        }
    }
    if (n > 0)
        qsort(move, n, sizeof *move, by_gain);
    *moved = false;
    for (size_t i = 0; i < n; i++) {
        const uint32_t place = move[i].place, to = target_of(c, place, move[i].axis), from = c->class[place];

        if (to == NONE || to == from || c->size[from] < 2 || !admits_changed(c, from, place) ||
            !admits_changed(c, to, place))
            continue;
        move_row(c, place, to);
        *moved = true;
    }
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

covey_status covey_i_local_undo_cells(uint32_t *class_of_row, double *loss, const covey_box_space *space,
                                      uint32_t n_classes, const uint32_t *rows, uint32_t n, covey_arena *arena,
                                      covey_error *err)
{
    struct climbing c = {.space = space, .row = rows, .n = n, .n_classes = n_classes, .n_slots = 64};
    const size_t d = space->problem->n_axes;
    bool moved = true;

    while (c.n_slots < 2 * (size_t)n_classes)
        c.n_slots *= 2;
    c.class = covey_arena_array(arena, uint32_t, n);
    c.next = covey_arena_array(arena, uint32_t, n);
    c.size = covey_arena_array(arena, uint32_t, n_classes);
    c.head = covey_arena_array(arena, uint32_t, n_classes);
    c.ends = covey_arena_array(arena, uint32_t, n_classes * 2 * d);
    c.slot = covey_arena_array(arena, uint32_t, c.n_slots);
    c.key = covey_arena_array(arena, uint32_t, 2 * d);
    if (!c.class || !c.next || !c.size || !c.head || !c.ends || !c.slot || !c.key)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&c.tally, &space->problem->promises, arena, err));
    for (uint32_t i = 0; i < n; i++)
        c.class[i] = class_of_row[rows[i]];
    for (int pass = 0; pass < MOST_PASSES && moved; pass++)
        COVEY_TRY(climb(&moved, &c, arena, err));
    measure(&c);
    *loss = 0;
    for (uint32_t k = 0; k < n_classes; k++)
        if (c.size[k] > 0)
            *loss += c.size[k] * covey_i_box_cost(space, ranges_of(&c, k), ranges_of(&c, k));
    for (uint32_t i = 0; i < n; i++)
        class_of_row[rows[i]] = c.class[i];
    return COVEY_OK;
}
