/* Entropy against the logarithm of a rational, decided without rounding. */
#ifndef COVEY_BASE_EXACT_ENTROPY_H
#define COVEY_BASE_EXACT_ENTROPY_H

#include "base/exact/fraction.h"

/**
 * Is -sum (n/m) ln(n/m) >= ln l for counts n with sum m, that is (l = a/b): m^m b^m >= a^m * product of n^n?
 *
 * Equality is found by comparing the exponents of primes, everything else by logarithms of growing precision.  If even
 * 4,096 bits cannot tell two different numbers apart, the answer is no.
 *
 * @param value  [n_values] which counts belong to the class; zeros are allowed
 * @param total  their sum, 0 < total < 2^32
 * @param l      >= 1
 */
bool covey_i_entropy_reaches(const int64_t *count, const uint32_t *value, uint32_t n_values, int64_t total,
                             covey_ratio l);

#endif
