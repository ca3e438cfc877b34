/* Between the files of mondrian. */
#ifndef COVEY_METHOD_MONDRIAN_CUT_H
#define COVEY_METHOD_MONDRIAN_CUT_H

#include "method/method_impl.h"
#include "method/mondrian/mondrian.h"
#include "method/rows/row_cells.h"
#include "method/splits/splits.h"

typedef struct covey_mondrian_params {
    covey_class_params common; /* first */
    int cut;                   /* 0 strict, 1 relaxed */
    int cuts;                  /* 0: at the median; 1: at it and the quartiles, the cheapest allowed one wins */
    int refine;                /* 0 none, 1 local */
    const char *splits;        /* NULL: between any two values */
    const char *min_length;    /* of boxes; NULL: any */
} covey_mondrian_params;

/* What all workers share.  The items that are cut are cells. */
typedef struct covey_mondrian {
    const covey_problem *problem;
    const covey_mondrian_params *params;
    const covey_axis_splits *splits;  /* [n_axes], NULL: anywhere */
    const covey_fraction *min_length; /* [n_axes] least edges of the boxes that are cut, NULL: any */
    bool judges_regions;              /* a promise is about ranges, and the regions are what is published */
    covey_shown_codes shown;          /* of the rows that stay */
    covey_row_cells cells;
} covey_mondrian;

/* Where a set was cut: the left side's region ends with one code of an axis, the right side's begins with the next (or
 * the same). */
typedef struct covey_mondrian_place {
    size_t axis;
    uint32_t left_high, right_low;
    uint32_t edge; /* the name of it, which both sides' regions get: neither 0 nor UINT32_MAX, the ends of the domain */
} covey_mondrian_place;

/* The region of a set, as cuts left it: codes low .. high of each axis, and the names of the edges there. */
typedef struct covey_mondrian_region {
    const uint32_t *low, *high, *low_edge, *high_edge; /* [n_axes] */
} covey_mondrian_region;

/* cut.c: what one thread cuts with; in the arena. */
typedef struct covey_mondrian_worker covey_mondrian_worker;
covey_status covey_i_mondrian_worker_new(covey_mondrian_worker **out, const covey_mondrian *m, covey_arena *arena,
                                         covey_error *err);
/* Reorders cell[0 .. n-1] so that the first *n_left go left; *n_left = 0: no cut is allowed, the set is a class.  Both
 * sides keep every promise.  region: NULL where none are wanted. */
covey_status covey_i_mondrian_cut(uint32_t *n_left, covey_mondrian_place *place, covey_mondrian_worker *worker,
                                  uint32_t *cell, uint32_t n, const covey_mondrian_region *region, covey_error *err);

/* What the cells were cut into. */
typedef struct covey_mondrian_classes {
    uint32_t n;
    covey_span *cells;     /* [n] where each class's stand */
    covey_regions regions; /* [n][n_axes] if they are wanted, else of no size */
} covey_mondrian_classes;

/* classes.c: cuts the cells m->cells until nothing can be cut.  cell: their numbers, permuted so that those of a class
 * stand together.  Classes and their order do not depend on the number of threads.  Clear them afterwards; empty if
 * this fails. */
covey_status covey_i_mondrian_cut_all(covey_mondrian_classes *classes, bool with_regions, const covey_mondrian *m,
                                      uint32_t *cell, const covey_run *run, covey_error *err);
void covey_i_mondrian_classes_clear(covey_mondrian_classes *classes);

#endif
