/* How likely each sensitive value is kept: as likely as the bounds on posteriors allow.
 *
 * Source: [CaoKarras12] section 5, Theorems 2 and 3, with a gap mended: where a probability comes out negative, the
 * theorem's bound fails. */
#include "method/perturbation/perturbation.h"

#include <math.h>

/* Less is what is left of 0 in doubles, and a value that is hardly ever kept tells next to nothing. */
static const double LEAST_ALPHA = 1e-9;

/* A probability as a threshold for 64 random bits: kept if the word is smaller.  1 is 2^64. */
static covey_u128 threshold_of(double alpha)
{
    return (covey_u128)ldexp(alpha, 64);
}

/* The largest double not above alpha that is a multiple of 2^-64. */
static double quantized(double alpha)
{
    if (alpha >= 1)
        return 1;
    return ldexp(floor(ldexp(alpha, 64)), -64);
}

/* Does every posterior pass?  Pr(i -> v) = alpha_i [i = v] + (1 - alpha_i)/n, all in units of 1/(n 2^64).  For value i
 * only its own publication and the least likely other one can be worst. */
static bool all_pass(const covey_perturbation_plan *plan, covey_posterior_test test, const void *context, double *gain)
{
    const covey_u128 one = (covey_u128)1 << 64;
    covey_u128 others = 0, least[2] = {0, 0}; /* least publication probabilities, of different values */
    uint32_t at = 0;
    bool ok = true;

    for (uint32_t i = 0; i < plan->n; i++)
        others += (covey_u128)plan->count[i] * (one - threshold_of(plan->alpha[i]));
    for (uint32_t v = 0; v < plan->n; v++) {
        const covey_u128 den = others + (covey_u128)plan->count[v] * plan->n * threshold_of(plan->alpha[v]);

        if (v == 0 || den < least[0]) {
            least[1] = least[0];
            least[0] = den;
            at = v;
        } else if (v == 1 || den < least[1]) {
            least[1] = den;
        }
    }
    *gain = 0;
    for (uint32_t i = 0; i < plan->n; i++) {
        const covey_u128 kept = threshold_of(plan->alpha[i]), base = (covey_u128)plan->count[i] * (one - kept);
        const covey_u128 own = base + (covey_u128)plan->count[i] * plan->n * kept,
                         own_den = others + (covey_u128)plan->count[i] * plan->n * kept;
        const covey_u128 den = at == i ? least[1] : least[0];
        const long double prior = (long double)plan->count[i] / (long double)plan->total;
        long double largest = (long double)own / (long double)own_den;

        ok = ok && test(context, i, own, own_den);
        if (plan->n > 1 && base > 0) {
            ok = ok && test(context, i, base, den);
            largest = fmaxl(largest, (long double)base / (long double)den);
        }
        *gain = fmax(*gain, (double)(largest / prior - 1));
    }
    return ok;
}

/* Amplifications that the bounds allow: odds of the bound over odds of the prior. */
static void set_gammas(covey_perturbation_plan *plan)
{
    for (uint32_t i = 0; i < plan->n; i++) {
        const double p = (double)plan->count[i] / (double)plan->total, f = plan->cap[i];

        plan->gamma[i] = f < 1 ? f * (1 - p) / (p * (1 - f)) : INFINITY;
    }
}

/* alpha_i = (n gamma_i C - 1)/(n - 1), C = 1/(gamma_max + n - 1).  Returns the least. */
static double set_alphas(covey_perturbation_plan *plan, double shrink)
{
    double most = 0, least = 1;

    for (uint32_t i = 0; i < plan->n; i++)
        most = fmax(most, plan->gamma[i]);
    for (uint32_t i = 0; i < plan->n; i++) {
        const double share = isinf(most) ? isinf(plan->gamma[i]) : plan->gamma[i] / (most + plan->n - 1);
        const double alpha = (plan->n * share - 1) / (plan->n - 1);

        plan->alpha[i] = quantized(alpha * shrink);
        least = fmin(least, plan->alpha[i]);
    }
    return least;
}

/* Where one value's amplification dwarfs the others', it is cut so that all probabilities are positive. */
static void repair(covey_perturbation_plan *plan)
{
    const double theta = fmax(0.5, 1.0 / plan->n);
    double least = INFINITY, most;

    for (uint32_t i = 0; i < plan->n; i++)
        least = fmin(least, plan->gamma[i]);
    most = 1 + theta * plan->n * (least - 1);
    for (uint32_t i = 0; i < plan->n; i++)
        plan->gamma[i] = fmin(plan->gamma[i], most);
}

covey_status covey_i_perturbation_plan(covey_perturbation_plan *plan, covey_posterior_test test, const void *context,
                                       covey_error *err)
{
    double shrink = 1;

    set_gammas(plan);
    plan->status = COVEY_PERTURBATION_PUBLISHED;
    if (plan->n == 1) {
        plan->status = COVEY_PERTURBATION_DEGENERATE;
        plan->alpha[0] = 1;
        return all_pass(plan, test, context, &plan->gain)
                   ? COVEY_OK
                   : covey_fail(err, COVEY_EINTERNAL, "a single value breaks its own bound");
    }
    if (set_alphas(plan, shrink) < LEAST_ALPHA) {
        plan->status = COVEY_PERTURBATION_REPAIRED;
        repair(plan);
        set_alphas(plan, shrink);
    }
    /* The bound is met with equality; what doubles round up is taken off again. */
    for (int i = 0; i < 12; i++) {
        if (all_pass(plan, test, context, &plan->gain))
            return COVEY_OK;
        shrink = 1 - ldexp(1, -48 + 4 * i);
        set_alphas(plan, shrink);
    }
    return covey_fail(err, COVEY_EINTERNAL, "no probabilities keep every posterior within its bound");
}
