/* Very many different units: parted at once, and then leaf by leaf cut into classes. */
#ifndef COVEY_METHOD_UNITS_LEAVES_H
#define COVEY_METHOD_UNITS_LEAVES_H

#include "method/units/classes.h"

/* Parts of the units, each of which keeps what is promised. */
typedef struct covey_unit_leaves {
    uint32_t n;      /* 0: there are none, as units are few, or alike, or no class of all keeps what is promised */
    uint32_t *start; /* [n + 1] places of units */
    char *entry;     /* [n_units] leaf by leaf; behind these, units that are too large for any class */
} covey_unit_leaves;

/* size: of an entry. */
static inline covey_unit_entry *covey_i_unit_leaves_at(const covey_unit_leaves *leaves, uint32_t at, size_t size)
{
    return (covey_unit_entry *)(void *)(leaves->entry + at * size);
}

/* Memory lives in the run's arena. */
covey_status covey_i_unit_leaves_new(covey_unit_leaves *leaves, covey_units_run *r, covey_error *err);

/* Cuts each leaf until nothing can be cut. */
covey_status covey_i_unit_leaves_cut(covey_unit_outcome *out, const covey_unit_leaves *leaves, covey_units_run *r,
                                     covey_error *err);

#endif
