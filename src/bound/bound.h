/* How far from the best: what every release by classes loses at least.  A release by classes is one whose rows are
 * published in classes with equal quasi-identifiers: numbers as ranges, categories as nodes of their hierarchy or as
 * sets, whatever the method and however the classes overlap.  See docs/design/bounds.md. */
#ifndef COVEY_BOUND_BOUND_H
#define COVEY_BOUND_BOUND_H

#include "problem/problem.h"

typedef struct covey_loss_bound {
    double value;     /* no release has a smaller average information loss; rounded down; 0 if nothing is known */
    bool is_complete; /* not cut short by the time limit, which makes it smaller, never wrong */
    double seconds;   /* what it took */
} covey_loss_bound;

/**
 * Bounds the average information loss of every release of a problem's table that keeps its promises and suppresses no
 * more rows than the problem lets it; suppressed rows count 1.
 *
 * The problem may have no units: promises over persons allow classes that those over rows would not.
 *
 * @param seconds  after which the search stops; what it has not seen makes the bound smaller
 * @return COVEY_OK; COVEY_ENOMEM; COVEY_ECANCELLED
 */
covey_status covey_i_bound_loss(covey_loss_bound *out, const covey_problem *problem, double seconds,
                                const covey_run *run, covey_error *err);

#endif
