/* What a publisher should read about policy and data together; none of it is wrong. */
#ifndef COVEY_JOB_WARNINGS_H
#define COVEY_JOB_WARNINGS_H

#include "job/prepare.h"
#include "method/method_impl.h"

/* Tells run->warn of sensitive attributes with one value or nearly one for each row, and of promises that every single
 * row would keep. */
covey_status covey_i_job_warn_of_data(covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                                      covey_error *err);

/* Tells run->warn why a method has dropped none of the rows that it may drop, where the method
 * might have lost less if it had looked. */
void covey_i_job_warn_of_suppression(const covey_problem *problem, const covey_method *method, const covey_run *run);

#endif
