/* The sign of a sum of fractions whose numerators and denominators are products, exactly. */
#ifndef COVEY_BASE_EXACT_SUM_H
#define COVEY_BASE_EXACT_SUM_H

#include <covey/base.h>

#include "base/arena.h"
#include "base/exact/fraction.h"

/* Terms x[i] * (num[i][0] * ... * num[i][k-1]) / (den[i][0] * ... * den[i][k-1]), i below n; all factors > 0. */
typedef struct covey_exact_sum {
    size_t n, k;
    const covey_i128 *x;       /* [n] */
    const uint32_t *num, *den; /* [n * k] */
} covey_exact_sum;

/**
 * *sign is -1, 0 or 1.  Doubles decide where their error is bounded; else integers as long as it takes.
 *
 * @param arena  scratch, rewound
 * @return COVEY_OK; COVEY_ENOMEM
 */
covey_status covey_i_exact_sum_sign(int *sign, const covey_exact_sum *sum, covey_arena *arena, covey_error *err);

#endif
