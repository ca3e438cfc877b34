/* Places on the Hilbert curve: points that are near each other on the curve are near each other in space. */
#ifndef COVEY_BASE_SORT_HILBERT_H
#define COVEY_BASE_SORT_HILBERT_H

#include "base/exact/fraction.h"

enum { COVEY_HILBERT_MOST_BITS = 16 };

/**
 * Computes each point's place on the curve through the grid of 2^n_bits cells per axis.
 *
 * @param key         [n] n_axes * n_bits bits each
 * @param coordinate  [n_axes] arrays of [n] numbers below 2^n_bits; destroyed
 * @param n_bits      1 .. COVEY_HILBERT_MOST_BITS, n_axes * n_bits <= 128
 *
 * The first axis is the most significant: in two dimensions the curve begins (0,0), (1,0), (1,1), (0,1).
 * Source: [Skilling04].
 */
void covey_i_hilbert_keys(covey_u128 *key, uint16_t *const *coordinate, size_t n_axes, int n_bits, size_t n);

#endif
