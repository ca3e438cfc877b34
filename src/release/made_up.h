/* Rows of a release that are nobody's: counterfeits.  To all that writes and judges a release they are rows as others,
 * behind those of the table, so that what they are made like is what they look like. */
#ifndef COVEY_RELEASE_MADE_UP_H
#define COVEY_RELEASE_MADE_UP_H

#include "release/release_impl.h"

/* [n] each. */
typedef struct covey_made_up_rows {
    uint32_t n;
    const uint32_t *like;  /* the row whose quasi-identifiers each has; of its own class, whose ranges it then leaves */
    const uint32_t *value; /* its sensitive value */
    const covey_column *sensitive; /* the only field that is no quasi-identifier */
} covey_made_up_rows;

/* A problem with such rows, which a release of it owns. */
typedef struct covey_made_up {
    covey_problem problem;
    uint32_t n_own; /* rows of the table; all from there on are made up */
    size_t n_columns;
    covey_column **column; /* [n_columns] of the problem; one reference each */
    covey_arena arena;
} covey_made_up;

/* The problem with rows behind those of its table; a release of it takes it over (made_up). */
covey_status covey_i_made_up_new(covey_made_up **out, const covey_problem *problem, const covey_made_up_rows *made,
                                 covey_error *err);
void covey_i_made_up_free(covey_made_up *made_up); /* NULL allowed */

/* The problem that the release is one of. */
static inline const covey_problem *covey_i_release_problem(const covey_release *release, const covey_problem *problem)
{
    return release->made_up ? &release->made_up->problem : problem;
}

/* Rows that are made up, all of which are published. */
static inline uint32_t covey_i_release_n_made_up(const covey_release *release)
{
    return release->made_up ? release->n_rows - release->made_up->n_own : 0;
}

#endif
