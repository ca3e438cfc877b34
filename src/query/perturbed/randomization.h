/* What a randomized column tells of the true one: the matrix of probabilities, and its inverse in closed form.
 *
 * A row whose true value is j shows i with probability [i = j] alpha_j + Y_j, Y_j = (1 - alpha_j) / n.  That is a
 * diagonal matrix and one of rank 1, so that Sherman-Morrison inverts it with n steps; one value that is never kept
 * (alpha 0) does not make it singular, two do.
 *
 * Source: [CaoKarras12] section 5. */
#ifndef COVEY_QUERY_PERTURBED_RANDOMIZATION_H
#define COVEY_QUERY_PERTURBED_RANDOMIZATION_H

#include <covey/base.h>

#define COVEY_NEVER_KEPT_NONE UINT32_MAX

typedef struct covey_randomization {
    uint32_t n;          /* values */
    const double *alpha; /* [n] borrowed; in [0, 1] */
    uint32_t never_kept; /* the value with alpha 0; COVEY_NEVER_KEPT_NONE */
    double spread;       /* sum of Y / alpha, over values that are kept at all */
} covey_randomization;

/* COVEY_EINVAL if two values are never kept. */
covey_status covey_i_randomization_make(covey_randomization *out, const double *alpha, uint32_t n, covey_error *err);

/**
 * Fills weight so that a row with true value j has on average the weight a[j], whatever it shows: sums of weights of
 * shown values estimate sums of a over the true ones without bias.  weight may be a.
 */
void covey_i_randomization_weights(double *weight, const covey_randomization *r, const double *a);

#endif
