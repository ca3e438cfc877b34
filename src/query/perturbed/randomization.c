/* The matrix of a randomized column, and its inverse. */
#include "query/perturbed/randomization.h"

static double by_chance(const covey_randomization *r, uint32_t j)
{
    return (1 - r->alpha[j]) / r->n;
}

covey_status covey_i_randomization_make(covey_randomization *out, const double *alpha, uint32_t n, covey_error *err)
{
    covey_randomization r = {.n = n, .alpha = alpha, .never_kept = COVEY_NEVER_KEPT_NONE};

    for (uint32_t j = 0; j < n; j++) {
        if (alpha[j] > 0) {
            r.spread += by_chance(&r, j) / alpha[j];
            continue;
        }
        if (r.never_kept != COVEY_NEVER_KEPT_NONE)
            return covey_fail(err, COVEY_EINVAL,
                              "perturbation.csv: two values are never kept (alpha 0 in lines %u and %u): how many rows "
                              "have which of them "
                              "cannot be told",
                              r.never_kept + 2, j + 2);
        r.never_kept = j;
    }
    *out = r;
    return COVEY_OK;
}

void covey_i_randomization_weights(double *weight, const covey_randomization *r, const double *a)
{
    double total = 0, others = 0;

    /* sum over i of weight_i Pr(j shows i) = a_j for every j: alpha_j weight_j + Y_j total = a_j */
    if (r->never_kept != COVEY_NEVER_KEPT_NONE) {
        total = a[r->never_kept] / by_chance(r, r->never_kept);
    } else {
        for (uint32_t j = 0; j < r->n; j++)
            total += a[j] / r->alpha[j];
        total /= 1 + r->spread;
    }
    for (uint32_t j = 0; j < r->n; j++)
        if (j != r->never_kept) {
            weight[j] = (a[j] - by_chance(r, j) * total) / r->alpha[j];
            others += weight[j];
        }
    if (r->never_kept != COVEY_NEVER_KEPT_NONE)
        weight[r->never_kept] = total - others;
}
