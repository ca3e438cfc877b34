/* What the divergences share: sums with a proven error, and the exact answer where that is too large to tell. */
#ifndef COVEY_MODEL_DISTANCE_DIVERGENCE_H
#define COVEY_MODEL_DISTANCE_DIVERGENCE_H

#include <covey/table.h>

#include "base/exact/fraction.h"

/* A real number that is at most error away from the truth. */
typedef struct covey_estimate {
    long double value, error;
} covey_estimate;

/* Compensated summation (Neumaier): what additions round away is added up apart. */
typedef struct covey_terms {
    double sum, rest;
    double size; /* of the terms, without signs */
} covey_terms;

static inline void covey_i_terms_add(covey_terms *terms, double term)
{
    const double sum = terms->sum + term, size = term < 0 ? -term : term;

    terms->rest +=
        (terms->sum < 0 ? -terms->sum : terms->sum) >= size ? terms->sum - sum + term : term - sum + terms->sum;
    terms->sum = sum;
    terms->size += size;
}

/* The same with more digits. */
typedef struct covey_long_terms {
    long double sum, rest, size;
} covey_long_terms;

static inline void covey_i_long_terms_add(covey_long_terms *terms, long double term)
{
    const long double sum = terms->sum + term, size = term < 0 ? -term : term;

    terms->rest +=
        (terms->sum < 0 ? -terms->sum : terms->sum) >= size ? terms->sum - sum + term : term - sum + terms->sum;
    terms->sum = sum;
    terms->size += size;
}

/**
 * A divergence, at least 0, from its terms share * log(quotient of shares), divided by unit.
 *
 * [derived] With quotients of a few roundings (their error, times the share, is an absolute one; all shares sum to 2 at
 * most), a logarithm within 4 units of the last place and three more roundings a term is off by less than 8 epsilon
 * times its share plus 8 epsilon times its size; compensated sums add 2 epsilon of the sizes, and the unit and the
 * quotient at the end 2 more.
 */
covey_estimate covey_i_divergence(const covey_terms *terms, double unit);
/* rounding: relative error of the shares, beyond those few roundings. */
covey_estimate covey_i_divergence_long(const covey_long_terms *terms, long double unit, long double rounding);
covey_estimate covey_i_divergence_infinite(void);

/* Are the class's shares exactly those of the table?  Then every divergence is 0. */
bool covey_i_divergence_is_proportional(const covey_histogram *prior, const covey_histogram *group);

/* Is the divergence t at most, exactly?  The class has no value that the table lacks, and for kl every one that the
 * table has. */
bool covey_i_divergence_kl_is_within(const covey_histogram *prior, const covey_histogram *group, covey_ratio t,
                                     bool natural);
bool covey_i_divergence_js_is_within(const covey_histogram *prior, const covey_histogram *group, covey_ratio t,
                                     bool natural);

#endif
