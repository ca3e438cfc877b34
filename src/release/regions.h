/* What regions may tell where rows were suppressed: nothing that only those had. */
#ifndef COVEY_RELEASE_REGIONS_H
#define COVEY_RELEASE_REGIONS_H

#include "problem/problem.h"

/* The codes that published rows have, per axis; NULL: those of the axis are not asked for (labels do not say which
 * values occur). */
typedef struct covey_shown_codes {
    size_t n_axes;
    bool **code; /* [n_axes][n_values], covey_i_malloc; NULL: all codes may show */
} covey_shown_codes;

/* Marks the codes of rows[0 .. n-1].  Clear it afterwards, also when this fails. */
covey_status covey_i_shown_codes_new(covey_shown_codes *out, const covey_problem *problem, const uint32_t *rows,
                                     uint32_t n, covey_error *err);
void covey_i_shown_codes_clear(covey_shown_codes *shown); /* all zeros allowed */

static inline bool covey_i_code_may_show(const covey_shown_codes *shown, size_t axis, uint32_t code)
{
    return !shown->code || !shown->code[axis] || shown->code[axis][code];
}

/* Makes low .. high on an axis end with codes that show; one of them does.  */
static inline void covey_i_shown_codes_shrink(uint32_t *low, uint32_t *high, const covey_shown_codes *shown,
                                              size_t axis)
{
    while (!covey_i_code_may_show(shown, axis, *low))
        ++*low;
    while (!covey_i_code_may_show(shown, axis, *high))
        --*high;
}

/* The regions of n classes, [n][n_axes]. */
void covey_i_shown_codes_shrink_all(uint32_t *low, uint32_t *high, uint32_t n, const covey_shown_codes *shown);

/* How many codes of low .. high show. */
uint32_t covey_i_shown_codes_count(const covey_shown_codes *shown, size_t axis, uint32_t low, uint32_t high);

#endif
