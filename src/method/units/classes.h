/* Keeping units whole: what the files of this folder share.
 *
 *   units.c     the run, from one end to the other
 *   hulls.c     units as the codes that their rows reach
 *   seen.c      what the method sees
 *   items.c     units of a class that reach the same codes as one item
 *   values.c    what the units of an item have of sensitive values
 *   classes.c   classes of items, judged and joined
 *   cut.c       and cut again, in which order
 *   cutter.c    and where
 *   sample.c    very many different units, parted at once into leaves
 *   leaves.c    that are cut without being made classes first */
#ifndef COVEY_METHOD_UNITS_CLASSES_H
#define COVEY_METHOD_UNITS_CLASSES_H

#include "method/units/values.h"

enum { COVEY_NO_CLASS = UINT32_MAX }; /* also ends lists */

/* --- what the method sees --- */

/* Makes the problem in which all rows of a unit stand at one point, and a class has rows enough for k units.  They are
 * the table's, or where sizes suffice fewer, which stand unit by unit.  Memory lives in the run's arena. */
covey_status covey_i_units_see(covey_problem *seen, covey_units_run *r, const covey_method *method, covey_error *err);

/* --- classes of units --- */

typedef struct covey_unit_class {
    uint32_t first, last; /* hulls, linked by next */
    uint32_t n_hulls;
    covey_unit_sizes sizes;
    uint32_t previous, following; /* classes that are there still */
    bool is_gone, is_kept;
} covey_unit_class;

typedef struct covey_unit_classes {
    covey_units_run *r;
    covey_unit_items items;
    const uint32_t *class_of_unit; /* [n_units] that it was made of */
    uint32_t n_classes;
    uint32_t n_left;
    covey_unit_class *class;
    bool has_boxes;
    uint32_t *box;            /* [n_classes][2 * n_axes] low, then high */
    uint32_t *next;           /* [n_hulls] */
    covey_unit_values values; /* where sizes do not suffice */
    covey_unit_verdict verdict;
    uint32_t first; /* class that is there still */
} covey_unit_classes;

/* Makes the hulls, and classes of them.  class_of_unit: [n_units] below n_classes. */
covey_status covey_i_unit_classes_new(covey_unit_classes *p, covey_units_run *r, const uint32_t *class_of_unit,
                                      uint32_t n_classes, covey_error *err);
void covey_i_unit_classes_unlink(covey_unit_classes *p, uint32_t class);

/* Does a class keep every promise, over rows and over units?  *broken < 0: yes. */
covey_status covey_i_unit_classes_judge(int *broken, covey_unit_classes *p, uint32_t class, covey_error *err);

/* Joins classes until each keeps every promise; *broken >= 0: all units together do not. */
covey_status covey_i_unit_classes_join(int *broken, covey_unit_classes *p, covey_error *err);

/**
 * Cuts classes as long as both halves keep every promise, which never costs more.
 *
 * @param class_of_hull  [n_hulls] receives the numbers of what becomes of them; COVEY_NO_CLASS: in no class
 * @param loss           what they lose, summed over rows; NULL: nobody asks
 */
covey_status covey_i_unit_classes_cut(uint32_t *class_of_hull, uint32_t *n_classes, double *loss, covey_unit_classes *p,
                                      covey_error *err);

/* What became of units: classes that keep what is promised. */
typedef struct covey_unit_outcome {
    uint32_t *class_of_unit; /* [n_units] COVEY_CLASS_SUPPRESSED: in none */
    uint32_t n_classes;
    double loss;          /* summed over rows; suppressed ones lose all */
    covey_regions ranges; /* of classes, in the run's memory that is kept; low is NULL: they were not found yet */
} covey_unit_outcome;

#endif
