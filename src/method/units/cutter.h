/* Cutting a span of items in two. */
#ifndef COVEY_METHOD_UNITS_CUTTER_H
#define COVEY_METHOD_UNITS_CUTTER_H

#include "base/run.h"
#include "method/units/classes.h"

/* What all threads share. */
typedef struct covey_unit_cutting {
    covey_unit_classes *p;
    const covey_units_run *r;
    size_t d;
    covey_unit_items items;
    int64_t least_rows, least_units, share_k; /* of a class; least_units: 0: share_k asks for as many */
    const uint32_t *n_units;                  /* [n_hulls] of each, if they are counted */
    double *weight;                           /* [d] of the axis, per unit of its losses */
    uint32_t n_places;                        /* ends that may differ on an axis */
} covey_unit_cutting;

/* What units with end number `end` up to this have, and what parting them from the others leaves to lose. */
typedef struct covey_unit_boundary {
    size_t end;
    covey_unit_end last;
    double cost;
} covey_unit_boundary;

struct covey_unit_few;

/* What a thread has for itself. */
typedef struct covey_unit_cutter {
    covey_unit_cutting *c;
    bool asks; /* halves are judged where sizes do not suffice */
    covey_arena arena;
    /* The span that was looked at last: its box, its ends that lie furthest in, ... */
    covey_unit_end *box, *inner; /* [2 * d] */
    covey_unit_sizes sizes;
    int64_t *flat_rows;        /* [d] of hulls that have one code */
    size_t n_lanes;            /* 2 * d, and what fills up the last lanes */
    covey_unit_end *half[2];   /* [n_lanes] scratch */
    double *spread;            /* [2 * d] */
    uint64_t *key, *spare;     /* [n_places] */
    uint64_t *rows_of;         /* [n_places] all 0 between uses */
    covey_unit_boundary *list; /* many */
    covey_unit_boundary cut;   /* the last one that was made, */
    covey_unit_sizes side[2];  /* and its halves, units not counted */
    struct covey_unit_few *few;
    covey_unit_verdict verdict; /* where sizes do not suffice */
} covey_unit_cutter;

/* Memory lives in the arena of the classes' run. */
covey_status covey_i_unit_cutting_new(covey_unit_cutting *c, covey_unit_classes *p, covey_error *err);

/* Memory lives in the cutter's own arena, which the caller frees, also where this fails. */
covey_status covey_i_unit_cutter_new(covey_unit_cutter *w, covey_unit_cutting *c, covey_error *err);

/* What the items of a span have, but units are not counted. */
covey_unit_sizes covey_i_unit_cutter_add_up(const covey_unit_cutter *w, covey_span span);

/* Looks at a span and cuts it in two if it can: *n_left items are its left half then, in front of the others; 0: it
 * cannot.  sizes: the span's, units not counted; NULL: they are added up. */
covey_status covey_i_unit_cutter_cut(uint32_t *n_left, covey_unit_cutter *w, covey_span span,
                                     const covey_unit_sizes *sizes, covey_error *err);

/* Cuts a span until nothing can be cut.  is_first: of a class, by places of items, all 0 before. */
covey_status covey_i_unit_cutter_cut_all(uint8_t *is_first, covey_run_poll *poll, covey_unit_cutter *w, covey_span span,
                                         covey_error *err);

/* Do the rows of a span keep every promise together? */
covey_status covey_i_unit_cutter_judge(int *broken, covey_unit_cutter *w, covey_span span, covey_error *err);

#endif
