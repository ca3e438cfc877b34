/* Cuts of very large classes, found by all threads before any row moves. */
#ifndef COVEY_METHOD_PEEL_PLANNED_CUTS_H
#define COVEY_METHOD_PEEL_PLANNED_CUTS_H

#include "method/peel/cutter.h"

struct covey_peel_planned_part;

/* The class that is planned, with all parts that it is cut into.  All zeros but for p: there is none. */
typedef struct covey_peel_planned_cuts {
    covey_peel *p;
    uint32_t *size; /* [n_rows of the table] by item; the caller's */
    uint32_t class; /* the class, */
    uint32_t *row;  /* its rows, as they were linked; NULL: no class is planned */
    uint32_t n_rows;
    uint32_t *item; /* [n_items] part by part */
    uint32_t n_items;
    struct covey_peel_planned_part *part; /* [n_parts] the first one is the class */
    _Atomic uint32_t n_parts;
    _Atomic int64_t work;
    uint32_t n_before; /* classes that there were; those behind may be parts of it */
    uint32_t *part_of; /* by class: its part; 0: none, but for the class itself */
} covey_peel_planned_cuts;

/* Plans all cuts of the largest class if it has so many rows.  size: [n_rows of the table] all 0, and so afterwards. */
covey_status covey_i_peel_plan_cuts(covey_peel_planned_cuts *planned, uint32_t *size, uint32_t least_rows,
                                    covey_error *err);
void covey_i_peel_planned_clear(covey_peel_planned_cuts *planned);

/* Is a class the planned one, or a part of it? */
bool covey_i_peel_planned(const covey_peel_planned_cuts *planned, uint32_t c);
/* Cuts such a class as often as is planned: right halves become new classes, which are empty for now. */
covey_status covey_i_peel_planned_number(covey_peel_planned_cuts *planned, uint32_t c, covey_error *err);
/* Moves the rows, once all classes have their numbers. */
void covey_i_peel_planned_fill(covey_peel_planned_cuts *planned);

#endif
