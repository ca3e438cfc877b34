/* The form "perturbed" between modules: rows as they are, but for the sensitive value, which is at random in part. */
#ifndef COVEY_RELEASE_PERTURBED_H
#define COVEY_RELEASE_PERTURBED_H

#include "release/release_impl.h"

/* form_data of a perturbed release. */
typedef struct covey_perturbed {
    size_t field;        /* the sensitive one */
    uint32_t n_values;   /* of the domain: those that occur */
    uint32_t *value;     /* [n_values] codes, ascending */
    double *cap, *gamma; /* [n_values] bound on the posterior; amplification that is used, may be infinite */
    double *alpha;   /* [n_values] probability that a value is kept, exactly: a multiple of 2^-64; else any value of the
                        domain comes, uniformly */
    bool has_matrix; /* matrix.csv is written, too */
    double gain;     /* largest relative gain of a posterior over its prior */
    void *codes;     /* [n_rows] what is published, of the column's width */
    uint32_t *packed; /* [n_rows] in the release's order, all that a row publishes as one number (base/sort/keys.h);
                         NULL: it does not fit */
} covey_perturbed;

/* Makes an empty release of the form; data->value, cap, gamma, alpha and codes have room for n_values and the problem's
 * rows. */
covey_status covey_i_perturbed_new(covey_release **out, const covey_problem *problem, size_t field, uint32_t n_values,
                                   covey_error *err);

/* When data is complete: brings the rows into an order that says nothing but what they hold: packed, or if that does
 * not fit row_order. */
covey_status covey_i_perturbed_finish(covey_release *release, const covey_problem *problem, const covey_run *run,
                                      covey_error *err);

/* The rows in that order, which are the release's or in the arena. */
covey_status covey_i_perturbed_order(const uint32_t **out, const covey_release *release, const covey_problem *problem,
                                     covey_arena *arena, const covey_run *run, covey_error *err);

#endif
