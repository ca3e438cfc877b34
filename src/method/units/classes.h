/* Keeping units whole: what the files of this folder share.
 *
 *   units.c     the run, from one end to the other
 *   seen.c      what the method sees
 *   classes.c   classes of units, judged and joined
 *   cut.c       and cut again */
#ifndef COVEY_METHOD_UNITS_CLASSES_H
#define COVEY_METHOD_UNITS_CLASSES_H

#include "method/method_impl.h"

typedef struct covey_units_run {
    const covey_problem *problem;
    const covey_units *units;
    const covey_run *run;
    covey_arena arena;
    uint32_t n_units;
    uint32_t *start, *row; /* row[start[u] .. start[u + 1] - 1]: rows of unit u, those of a person one after another */
    uint32_t *box;         /* [n_units][2 * n_axes] low, then high: of the unit's rows */
    int64_t most_rows;     /* units with more are in no class */
} covey_units_run;

static inline uint32_t covey_i_unit_rows(const covey_units_run *r, uint32_t unit)
{
    return r->start[unit + 1] - r->start[unit];
}

/* --- what the method sees --- */

/* Makes the problem in which all rows of a unit stand at one point, and a class has rows enough for k units.  Memory
 * lives in the run's arena. */
covey_status covey_i_units_see(covey_problem *seen, covey_units_run *r, const covey_method *method, covey_error *err);

/* --- classes of units --- */

enum { COVEY_NO_CLASS = UINT32_MAX }; /* also ends lists, of classes and of units */

typedef struct covey_unit_class {
    uint32_t first, last; /* units, linked by next */
    uint32_t n_units;
    int64_t n_rows;
    uint32_t previous, following; /* classes that are there still */
    bool is_gone, is_kept;
} covey_unit_class;

typedef struct covey_unit_classes {
    covey_units_run *r;
    uint32_t n_classes;
    uint32_t n_left;
    covey_unit_class *class;
    uint32_t *box;  /* [n_classes][2 * n_axes] low, then high */
    uint32_t *next; /* [n_units] */
    uint32_t *rows; /* scratch, [n_rows] */
    covey_tally tally;
    covey_unit_judge *judge;
    uint32_t first; /* class that is there still */
} covey_unit_classes;

/* So many classes without units. */
covey_status covey_i_unit_classes_new(covey_unit_classes *p, covey_units_run *r, uint32_t n_classes, covey_error *err);
void covey_i_unit_classes_add(covey_unit_classes *p, uint32_t class, uint32_t unit);
/* After the last unit: links the classes that have any. */
void covey_i_unit_classes_link(covey_unit_classes *p);
void covey_i_unit_classes_unlink(covey_unit_classes *p, uint32_t class);

/* Does a class, or do these units as one, keep every promise, over rows and over units?  *broken < 0: yes. */
covey_status covey_i_unit_classes_judge(int *broken, covey_unit_classes *p, uint32_t class, covey_error *err);
covey_status covey_i_unit_classes_judge_units(int *broken, covey_unit_classes *p, const uint32_t *unit, uint32_t n,
                                              covey_error *err);

/* Joins classes until each keeps every promise; *broken >= 0: all units together do not. */
covey_status covey_i_unit_classes_join(int *broken, covey_unit_classes *p, covey_error *err);

/**
 * Cuts classes as long as both halves keep every promise, which never costs more.
 *
 * @param class_of_unit  [n_units] receives the numbers of what becomes of them; COVEY_NO_CLASS: in no class
 */
covey_status covey_i_unit_classes_cut(uint32_t *class_of_unit, uint32_t *n_classes, covey_unit_classes *p,
                                      covey_error *err);

#endif
