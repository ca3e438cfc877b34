/* Splits: where the domain of each quasi-identifier may be cut, as a policy says it.
 * Source: docs/design/optimal-partition.md. */
#ifndef COVEY_METHOD_SPLITS_SPLITS_H
#define COVEY_METHOD_SPLITS_SPLITS_H

#include "problem/problem.h"

enum { COVEY_SPLITS_MOST = 30000 }; /* of one attribute: cell numbers fit into 15 bits */

/* The splits of one axis, ascending.  Values (codes of categories) up to a threshold go left. */
typedef struct covey_axis_splits {
    uint32_t n;
    covey_fraction *threshold; /* [n] in units of the axis: scaled numbers; code + 1/2 for categories */
    uint32_t *n_left;          /* [n] codes that go left: all below this one */
    bool siblings;          /* a set of leaves is only cut between the children of the lowest node over all of them */
    uint32_t *first, *last; /* [n] siblings: the widest set of cells, from one to the other, that the split may cut */
} covey_axis_splits;

/**
 * Reads a parameter such as {age: [20, 25], education: distinct, income: "quantile:9"}.  Attributes that are not named
 * are cut between any two neighbouring values, those with a hierarchy between siblings.
 *
 * @param text    NULL: no attribute is named
 * @param budget  > 0: attributes that are not named get quantiles instead, that many splits in all
 * @param owner   for messages: "method mondrian"
 * @param out     [n_axes], in the arena
 */
covey_status covey_i_splits_read(covey_axis_splits **out, const covey_problem *problem, const char *text,
                                 int64_t budget, const char *owner, covey_arena *arena, const covey_run *run,
                                 covey_error *err);

/* Reads {age: 10, zip: 100}: least widths of boxes.  *out: [n_axes] in the arena, 0 where nothing is wished for; NULL
 * if text is. */
covey_status covey_i_splits_lengths(const covey_fraction **out, const covey_problem *problem, const char *text,
                                    const char *owner, covey_arena *arena, covey_error *err);

/* Is it at least so far from one edge to the other? */
bool covey_i_splits_is_long(covey_fraction from, covey_fraction to, covey_fraction length);

/* A domain that is shorter than its least width leaves nothing to publish: COVEY_EINFEASIBLE with the width that can be
 * had. */
covey_status covey_i_splits_check_lengths(const covey_fraction *length, const covey_problem *problem, const char *owner,
                                          covey_error *err);

/* Both ends of an axis' domain in its units. */
void covey_i_splits_domain(covey_fraction *low, covey_fraction *high, const covey_axis *axis);

/* May a set of leaves from cell low to cell high be cut by split s (low <= s < high)? */
static inline bool covey_i_splits_allow(const covey_axis_splits *splits, uint32_t low, uint32_t high, uint32_t s)
{
    return !splits->siblings || (splits->first[s] <= low && high <= splits->last[s]);
}

#endif
