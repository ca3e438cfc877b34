/* Keeping units whole: what the files of this folder share.
 *
 *   units.c     the run, from one end to the other
 *   hulls.c     units as the codes that their rows reach
 *   seen.c      what the method sees
 *   classes.c   classes of units, judged and joined
 *   cut.c       and cut again, in which order
 *   cutter.c    and where, as items of
 *   items.c     that move along */
#ifndef COVEY_METHOD_UNITS_CLASSES_H
#define COVEY_METHOD_UNITS_CLASSES_H

#include "method/method_impl.h"
#include "table/table_impl.h"

enum { COVEY_NO_CLASS = UINT32_MAX }; /* also ends lists */

/* What some units are together, but for their values. */
typedef struct covey_unit_sizes {
    uint32_t n_units;
    int64_t n_rows, most; /* most: of one unit */
} covey_unit_sizes;

/* An axis with a row for each unit: the lowest and the highest code of its rows; high is low where no unit's differ. */
typedef struct covey_unit_axis {
    const covey_column *low, *high;
} covey_unit_axis;

typedef struct covey_units_run {
    const covey_problem *problem;
    const covey_units *units;
    const covey_run *run;
    covey_arena arena;
    uint32_t n_units;
    bool sizes_suffice;     /* nothing is promised about values: how many rows and units there are tells all */
    const uint32_t *n_rows; /* [n_units] */
    covey_unit_axis *axis;  /* [n_axes] */
    int64_t most_rows;      /* units with more are in no class */
    uint32_t *start, *row;  /* row[start[u] .. start[u + 1] - 1]: rows of unit u, those of a person one after another;
                               NULL where sizes suffice */
    uint32_t n_seen;        /* rows that the method sees, */
    const uint32_t *unit_of_seen; /* [n_seen] and whose they are */
    /* Hulls: units of a class that reach the same codes, as one item.  Where values are promised each unit is one. */
    uint32_t n_hulls;
    uint32_t *unit, *first; /* unit[first[h] .. first[h + 1] - 1] */
} covey_units_run;

/* Fills n_rows, axis, start and row. */
covey_status covey_i_units_measure(covey_units_run *r, covey_error *err);
/* Fills the hulls.  class_of_unit: [n_units] below n_classes. */
covey_status covey_i_units_make_hulls(covey_units_run *r, const uint32_t *class_of_unit, uint32_t n_classes,
                                      covey_error *err);

static inline void covey_i_unit_sizes_add(covey_unit_sizes *s, uint32_t n_units, int64_t n_rows, int64_t most)
{
    s->n_units += n_units;
    s->n_rows += n_rows;
    s->most = most > s->most ? most : s->most;
}

static inline covey_unit_sizes covey_i_hull_sizes(const covey_units_run *r, uint32_t hull)
{
    covey_unit_sizes s = {0};

    for (uint32_t i = r->first[hull]; i < r->first[hull + 1]; i++)
        covey_i_unit_sizes_add(&s, 1, r->n_rows[r->unit[i]], r->n_rows[r->unit[i]]);
    return s;
}

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
    uint32_t n_classes;
    uint32_t n_left;
    covey_unit_class *class;
    bool has_boxes;
    uint32_t *box;  /* [n_classes][2 * n_axes] low, then high */
    uint32_t *next; /* [n_hulls] */
    uint32_t *rows; /* scratch, [n_rows]; NULL where sizes suffice */
    covey_tally tally;
    covey_unit_judge *judge;
    uint32_t first; /* class that is there still */
} covey_unit_classes;

/* Makes the hulls, and classes of them.  class_of_unit: [n_units] below n_classes. */
covey_status covey_i_unit_classes_new(covey_unit_classes *p, covey_units_run *r, const uint32_t *class_of_unit,
                                      uint32_t n_classes, covey_error *err);
void covey_i_unit_classes_unlink(covey_unit_classes *p, uint32_t class);

/* Does a class, or do these hulls as one, keep every promise, over rows and over units?  *broken < 0: yes. */
covey_status covey_i_unit_classes_judge(int *broken, covey_unit_classes *p, uint32_t class, covey_error *err);
covey_status covey_i_unit_classes_judge_hulls(int *broken, covey_unit_classes *p, const uint32_t *hull, uint32_t n,
                                              covey_error *err);

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

#endif
