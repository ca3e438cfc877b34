/* What the units of an item have of sensitive values, for verdicts about many items in many ways. */
#ifndef COVEY_METHOD_UNITS_VALUES_H
#define COVEY_METHOD_UNITS_VALUES_H

#include "method/units/items.h"

/* So many rows and persons of an item have this value.  Where they are more than fit, others of them follow. */
typedef struct covey_unit_count {
    uint32_t value;
    uint16_t n_rows, n_persons;
} covey_unit_count;

typedef struct covey_unit_values {
    const covey_units_run *r;
    size_t n_views;    /* 0: no promise is about values */
    uint32_t *n_units; /* [n] of item number h, */
    uint32_t *first;   /* [n + 1] which are unit[first[h] .. first[h + 1] - 1]; NULL where counts suffice */
    uint32_t *unit;
    uint32_t *n_persons;      /* [n]; where counts suffice, */
    uint32_t **start;         /* [n_views][n + 1] and what they have is */
    covey_unit_count **count; /* [n_views] count[v][start[v][h] .. start[v][h + 1] - 1] */
} covey_unit_values;

/* Memory lives in the run's arena. */
covey_status covey_i_unit_values_new(covey_unit_values *values, covey_units_run *r, const covey_unit_items *items,
                                     covey_error *err);

/* Items that are judged together: what a thread has for itself. */
typedef struct covey_unit_verdict {
    const covey_unit_values *values;
    covey_tally tally;
    covey_unit_judge *judge;
    covey_histogram **persons; /* [n_views] of the judge */
    covey_unit_facts facts;
    uint32_t *row, n_rows; /* [rows of the table]; where counts do not suffice */
} covey_unit_verdict;

/* Memory lives in the arena. */
covey_status covey_i_unit_verdict_new(covey_unit_verdict *verdict, const covey_unit_values *values, covey_arena *arena,
                                      covey_error *err);
void covey_i_unit_verdict_begin(covey_unit_verdict *verdict);
/* Adds the units of an item, by its number. */
void covey_i_unit_verdict_add(covey_unit_verdict *verdict, uint32_t hull);
/* Do all that were added keep every promise as one class, over rows and over units?  *broken < 0: yes.  Of sizes units
 * are not asked for. */
covey_status covey_i_unit_verdict_end(int *broken, covey_unit_verdict *verdict, const covey_unit_sizes *sizes,
                                      covey_error *err);

#endif
