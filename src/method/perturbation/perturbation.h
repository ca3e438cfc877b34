/* The two files of perturbation: perturbation.c randomizes rows with the probabilities that plan.c finds. */
#ifndef COVEY_METHOD_PERTURBATION_PERTURBATION_H
#define COVEY_METHOD_PERTURBATION_PERTURBATION_H

#include "release/perturbed.h"

typedef enum covey_perturbation_status {
    COVEY_PERTURBATION_PUBLISHED, /* the paper's probabilities */
    COVEY_PERTURBATION_REPAIRED, /* the paper's would be negative for some value; smaller amplifications that are not */
    COVEY_PERTURBATION_DEGENERATE /* a single value: nothing to hide, nothing is changed */
} covey_perturbation_status;

typedef struct covey_perturbation_plan {
    covey_perturbation_status status;
    uint32_t n;           /* values that occur */
    const int64_t *count; /* [n] rows */
    int64_t total;
    double *cap, *gamma; /* [n] */
    double *alpha;       /* [n] multiples of 2^-64 in (0, 1] */
    double gain;         /* largest relative gain of a posterior */
} covey_perturbation_plan;

/* May value i (of those that occur) have the posterior num/den? */
typedef bool (*covey_posterior_test)(const void *context, uint32_t i, covey_u128 num, covey_u128 den);

/**
 * Fills gamma, alpha, status and gain from n, count, total and cap.
 *
 * @return COVEY_EINTERNAL if no probabilities pass the test, which theory excludes
 */
covey_status covey_i_perturbation_plan(covey_perturbation_plan *plan, covey_posterior_test test, const void *context,
                                       covey_error *err);

/**
 * The release of a table whose sensitive values are randomized already: probabilities, rows in published order, nothing
 * drawn.
 *
 * @param like  a release of the same promises to take the probabilities from; NULL: they are found from the prior
 * @param params  of the method; not asked where there is one to be like
 */
covey_status covey_i_perturbation_wrap(covey_release **out, const covey_release *like, const covey_problem *problem,
                                       const void *params, const covey_run *run, covey_error *err);

#endif
