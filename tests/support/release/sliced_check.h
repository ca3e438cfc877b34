/* What every sliced release owes, found by putting pieces together in every way, by code that shares nothing with the
 * method. */
#ifndef COVEY_TESTS_SLICED_CHECK_H
#define COVEY_TESTS_SLICED_CHECK_H

#include "release/release_impl.h"

/* Nobody's sensitive value follows with a probability above 1/l, for any tuple of quasi-identifiers. */
void sliced_check_posteriors(const covey_release *release, const covey_problem *problem, uint32_t n_dims, double l);

/* Expected number of rows of a bucket that are the tuple, a code for each field; slices beyond the second share
 * attributes with the one before at most, so that the tree is a path. */
long double sliced_expected(const covey_release *release, const covey_problem *problem, uint32_t bucket,
                            const uint32_t *tuple);

/* In every bucket all slices are about the same rows, sorted by content, so that they say nothing about each other. */
void sliced_check_structure(const covey_release *release, const covey_problem *problem);

#endif
