/* What adds up: for each type its units, for each class its units, persons and rows of each kind.  Unknown is how many
 * units of a type go to a class, a whole number between two bounds; bounds are narrowed by every sum, and given back.
 */
#ifndef COVEY_AUDIT_WHOLE_EQUATIONS_H
#define COVEY_AUDIT_WHOLE_EQUATIONS_H

#include "audit/whole/question.h"

/* An unknown in an equation. */
typedef struct covey_whole_term {
    uint32_t other; /* of an unknown: the equation; of an equation: the unknown */
    uint32_t factor;
} covey_whole_term;

typedef struct covey_whole_change {
    uint32_t unknown, low, high; /* before */
} covey_whole_change;

typedef struct covey_whole_equations {
    uint32_t n_unknowns, n_equations;
    uint32_t *type_of, *class_of; /* [n_unknowns] */
    uint32_t *first_term;         /* [n_unknowns + 1]; the first is its type's, the last the one of a kind */
    covey_whole_term *term;
    uint32_t *first_use; /* [n_equations + 1] */
    covey_whole_term *use;
    int64_t *sum;          /* [n_equations] */
    int64_t *least, *most; /* [n_equations] with all unknowns at their lower, upper bound */
    int64_t *widest;       /* [n_equations] no unknown changes the sum by more */
    uint32_t *low, *high;  /* [n_unknowns] */
    bool *is_hard;         /* [n_unknowns] of units with several rows, which no flow deals out */
    uint32_t *n_hard;      /* [n_equations] of them that are open: low < high */
    covey_whole_change *change;
    size_t n_changes, capacity;
    uint32_t *queue, queue_begin, n_queued; /* [n_equations] a ring */
    bool *is_queued;
    uint32_t *scratch; /* [n_equations] */
    int64_t work;      /* that may still be done, unknowns looked at */
    bool is_short;     /* of memory: nothing that was found counts */
} covey_whole_equations;

/* The equations of types and classes; in the arena, but for what covey_i_whole_equations_clear gives back. */
covey_status covey_i_whole_equations_make(covey_whole_equations *out, const covey_whole_question *q, covey_error *err);
void covey_i_whole_equations_clear(covey_whole_equations *e);

/* Narrows an unknown. */
void covey_i_whole_narrow(covey_whole_equations *e, uint32_t unknown, uint32_t low, uint32_t high);
/* Narrows what follows.  UINT32_MAX, or an equation that cannot be true any more. */
uint32_t covey_i_whole_propagate(covey_whole_equations *e);
/* Gives back all changes but the first n. */
void covey_i_whole_undo(covey_whole_equations *e, size_t n);

/* match.c: deals out units of one row each to what is still open of these equations, which form a part.  True: their
 * unknowns are fixed now; false: it cannot be done, and *at_fault is an equation that stays without its sum. */
covey_status covey_i_whole_match(bool *out, uint32_t *at_fault, covey_whole_equations *e, const uint32_t *equation,
                                 uint32_t n, covey_arena *arena, covey_error *err);

static inline bool covey_i_whole_is_open(const covey_whole_equations *e, uint32_t unknown)
{
    return e->low[unknown] < e->high[unknown];
}

#endif
