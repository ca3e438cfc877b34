/* Units by their rows, for methods that put units of as many rows together. */
#ifndef COVEY_METHOD_ROWS_UNIT_ROWS_H
#define COVEY_METHOD_ROWS_UNIT_ROWS_H

#include "base/run.h"
#include "problem/problem.h"

typedef struct covey_unit_rows {
    uint32_t n;       /* units */
    uint32_t *start;  /* [n + 1] into row, by unit */
    uint32_t *row;    /* [rows of the table] rows of each unit, by their sets, then by content */
    uint32_t *order;  /* [n] units: those of fewer rows first, then by the sets of their rows, then by content */
    uint32_t n_kinds; /* units of a kind have as many rows, and as many of each set; households as many such persons */
    uint32_t *first;  /* [n_kinds + 1] of order */
} covey_unit_rows;

/**
 * Lists the units of a problem that has some, households where there are any, in an order that says nothing of names
 * and of the input's rows.
 *
 * @param set  [rows of the table] a number of what tells rows of a unit apart; NULL: nothing does, and a kind is a
 * number of rows
 */
covey_status covey_i_unit_rows_new(covey_unit_rows *out, const covey_problem *problem, const uint32_t *set,
                                   covey_arena *arena, const covey_run *run, covey_error *err);

static inline uint32_t covey_i_unit_rows_of(const covey_unit_rows *u, uint32_t unit)
{
    return u->start[unit + 1] - u->start[unit];
}

/* Of a kind: units, and rows of each. */
static inline uint32_t covey_i_unit_rows_units(const covey_unit_rows *u, uint32_t kind)
{
    return u->first[kind + 1] - u->first[kind];
}

static inline uint32_t covey_i_unit_rows_size(const covey_unit_rows *u, uint32_t kind)
{
    return covey_i_unit_rows_of(u, u->order[u->first[kind]]);
}

/* How many units have several values of a column. */
uint32_t covey_i_unit_rows_several(const covey_unit_rows *u, const covey_column *column);

#endif
