/* What every sliced release owes, found by putting pieces together in every way, by code that shares nothing with the
 * method. */
#ifndef COVEY_TESTS_SLICED_CHECK_H
#define COVEY_TESTS_SLICED_CHECK_H

#include "release/release_impl.h"

/* Nobody's sensitive value follows with a probability above 1/l, for any tuple of quasi-identifiers. */
void sliced_check_posteriors(const covey_release *release, const covey_problem *problem, uint32_t n_dims, double l);

/* In every bucket all slices are about the same rows, sorted by content, so that they say nothing about each other. */
void sliced_check_structure(const covey_release *release, const covey_problem *problem);

#endif
