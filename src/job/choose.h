/* Which method makes the release. */
#ifndef COVEY_CHOOSE_H
#define COVEY_CHOOSE_H

#include "job/prepare.h"
#include "method/method_impl.h"

/* The method that was used, with its parameters. */
typedef struct covey_choice {
    const covey_method *method;
    void *params;
    const char **param_name, **param_text; /* [n_params] every one that is set, defaults included; in the arena */
    size_t n_params;
} covey_choice;

/**
 * Runs the policy's method, or (auto) every registered one that accepts the promises, and keeps the release with the least loss
 * (ties: the first in the registry).
 *
 * @return as covey_anonymize; under auto a method that fails with COVEY_EINFEASIBLE is out of the running unless all do
 */
covey_status covey_i_choose(covey_release **out, covey_choice *choice, covey_prepared *prepared, const covey_policy *policy,
                            const covey_run *run, covey_error *err);

/* Runs a method by name on a problem that is not the policy's own; sets the promises' min_size. */
covey_status covey_i_run_wish(covey_release **out, covey_problem *problem, const covey_wish_method *wish, covey_arena *arena,
                              const covey_run *run, covey_error *err);

#endif
