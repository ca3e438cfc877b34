/* Units as the codes that their rows reach. */
#ifndef COVEY_METHOD_UNITS_HULLS_H
#define COVEY_METHOD_UNITS_HULLS_H

#include "method/method_impl.h"
#include "table/table_impl.h"

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
    const covey_units *units; /* the problem's, or */
    covey_units ordered;      /* these with other numbers */
    const covey_run *run;
    covey_arena arena;
    covey_arena kept; /* what outlives the making of classes */
    uint32_t n_units;
    bool sizes_suffice;     /* nothing is promised about values: how many rows and units there are tells all */
    bool counts_suffice;    /* how many of them have each value tells all */
    const uint32_t *old;    /* [n_units] numbers of units in the problem; NULL: the same */
    const uint32_t *n_rows; /* [n_units] */
    covey_unit_axis *axis;  /* [n_axes] */
    int64_t most_rows;      /* units with more are in no class */
    uint32_t *start, *row;  /* row[start[u] .. start[u + 1] - 1]: rows of unit u, those of a person one after another;
                               NULL where nobody asks for them */
    uint32_t n_seen;        /* rows that the method sees, */
    const uint32_t *unit_of_seen; /* [n_seen] and whose they are */
} covey_units_run;

/* Numbers units by what their rows hold, before anything else is known of them. */
covey_status covey_i_units_order(covey_units_run *r, covey_error *err);
/* Fills n_rows and axis, and start and row where rows are looked at. */
covey_status covey_i_units_measure(covey_units_run *r, bool looks_at_rows, covey_error *err);
/* Is all that is promised k units, told by numbers of rows and units alone? */
bool covey_i_units_sizes_suffice(const covey_promises *promises);

/* The first promise that such units break where sizes suffice, promises->n if min_size is not reached; -1: none. */
int covey_i_unit_sizes_broken(const covey_promises *promises, const covey_unit_sizes *s);

static inline void covey_i_unit_sizes_add(covey_unit_sizes *s, uint32_t n_units, int64_t n_rows, int64_t most)
{
    s->n_units += n_units;
    s->n_rows += n_rows;
    s->most = most > s->most ? most : s->most;
}

static inline void covey_i_unit_sizes_join(covey_unit_sizes *to, const covey_unit_sizes *more)
{
    covey_i_unit_sizes_add(to, more->n_units, more->n_rows, more->most);
}

#endif
