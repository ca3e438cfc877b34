/* A method with its parameters, and how it is run. */
#ifndef COVEY_JOB_CHOICE_H
#define COVEY_JOB_CHOICE_H

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
 * Parameters of a method: its defaults, then what the policy says.
 *
 * @return COVEY_EINVAL for a parameter that the method does not have or needs and was not given
 */
covey_status covey_i_choice_make(covey_choice *choice, const covey_method *method, const covey_wish_method *wish,
                                 covey_arena *arena, covey_error *err);

/**
 * Where rows have units: can the method keep them whole?  Its classes are published by their own ranges then.
 *
 * @return COVEY_EINVAL: it cannot, or is told to publish regions
 */
covey_status covey_i_choice_fit_units(covey_choice *choice, const covey_problem *problem, const covey_wish_method *wish,
                                      covey_error *err);

/* The class methods' common wish reaches the promises, so that every check of a class includes it. */
void covey_i_choice_apply(covey_problem *problem, const covey_choice *choice);

/* Runs the method; that it does not accept the promises is COVEY_EINVAL with the methods that do. */
covey_status covey_i_choice_run(covey_release **out, covey_choice *choice, const covey_wish_method *wish,
                                covey_prepared *prepared, const covey_run *run, covey_error *err);

/* Runs a method by name on a problem that is not the policy's own; sets the promises' min_size. */
covey_status covey_i_job_run_wish(covey_release **out, covey_problem *problem, const covey_wish_method *wish,
                                  covey_arena *arena, const covey_run *run, covey_error *err);

#endif
