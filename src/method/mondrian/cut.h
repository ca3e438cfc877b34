/* Between the files of mondrian. */
#ifndef COVEY_METHOD_MONDRIAN_CUT_H
#define COVEY_METHOD_MONDRIAN_CUT_H

#include "method/rows/row_cells.h"
#include "method/rows/cutting.h"
#include "method/mondrian/mondrian.h"
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
    covey_cells cells;
} covey_mondrian;

/* Cuts sets of cells; its context is a covey_mondrian. */
extern const covey_cutter covey_i_mondrian_cutter;

#endif
