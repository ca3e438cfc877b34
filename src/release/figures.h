/* What a release achieves: the figure of every promise and how useful it is.  For the manifest; verification recomputes
 * all of it from the files with code of its own. */
#ifndef COVEY_RELEASE_FIGURES_H
#define COVEY_RELEASE_FIGURES_H

#include "release/release_impl.h"

/* NaN: not defined for the form. */
typedef struct covey_utility_figures {
    double ail;            /* [CaoKarras12] section 2; quasi-identifiers that are published as they are lose nothing */
    double ncp;            /* mean of the unweighted losses; categories (leaves - 1) / (all leaves - 1) */
    double discernibility; /* sum of squared class sizes + rows * suppressed rows; exact below 2^53 */
    double average_class_size; /* published rows / classes */
    double largest_risk;       /* 1 / smallest class; 0 without classes */
    double mean_risk;          /* classes / published rows */
    int64_t smallest_class;    /* rows; 0 without classes */
} covey_utility_figures;

/* figure[promises.n] receives the worst class's figure of each promise.  Fails with COVEY_EINTERNAL, naming the
 * promise, if a class breaks one: a method must never return such a release.  This and the next two ask the form, if it
 * has figures of its own. */
covey_status covey_i_release_achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                                      const covey_run *run, covey_error *err);
/* Information loss of one axis alone, in [0, 1]; suppressed rows count 1. */
double covey_i_release_axis_ail(const covey_release *release, const covey_problem *problem, size_t index);
void covey_i_release_utility(covey_utility_figures *out, const covey_release *release, const covey_problem *problem);

/* Adds the classes of a batch to the sums of a release: losses, ncp, sizes.  sums->smallest begins at UINT32_MAX, the
 * rest at 0. */
void covey_i_release_add_sums(covey_release_sums *sums, const covey_release *release, const covey_problem *problem);

#endif
