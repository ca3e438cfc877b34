/* Greatest common divisors, by Euclid's algorithm; that of 0 and x is x. */
#ifndef COVEY_BASE_EXACT_DIVISOR_H
#define COVEY_BASE_EXACT_DIVISOR_H

#include <stdint.h>

#include "base/exact/fraction.h" /* covey_u128 */

static inline uint64_t covey_i_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static inline covey_u128 covey_i_common_divisor_128(covey_u128 a, covey_u128 b)
{
    while (b) {
        const covey_u128 rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

#endif
