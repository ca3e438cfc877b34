/* The main job as a step of an experiment: a policy in, figures out, the release in the scratch folder. */
#ifndef COVEY_REPRODUCE_EXPERIMENT_JOB_H
#define COVEY_REPRODUCE_EXPERIMENT_JOB_H

#include <covey/job.h>

#include "job/choose.h"
#include "reproduce/experiment_impl.h"

/* A flag of a policy, as on the command line: {"model", "k-anonymity:k=5"}. */
typedef struct covey_setting {
    const char *key, *value;
} covey_setting;

/* Reads a policy from text, adds settings, checks it; as covey_i_experiment_anonymize does. */
covey_status covey_i_experiment_policy(covey_policy **out, const covey_experiment_context *context, const char *text,
                                       const covey_setting *settings, covey_error *err);

/**
 * Reads a policy from text, adds settings, anonymizes into the folder `release` of the scratch folder.
 *
 * @param policy    YAML; paths in it are absolute
 * @param settings  ended by {NULL, NULL}
 * @param report    to be cleared by the caller; untouched on failure
 * @return as covey_anonymize
 */
covey_status covey_i_experiment_anonymize(covey_anonymize_report *report, const covey_experiment_context *context,
                                          const char *policy, const covey_setting *settings, covey_error *err);

/* A release that is not written, and the problem that it borrows from. */
typedef struct covey_experiment_made {
    covey_prepared prepared;
    covey_release *release;
    covey_policy *policy;
    covey_choice choice;
    double seconds; /* of the method */
} covey_experiment_made;

/* How an experiment makes a release that no method of the registry makes. */
typedef covey_status (*covey_experiment_cut)(covey_release **out, const covey_problem *problem, covey_arena *arena,
                                             const covey_run *run, covey_error *err);

/* Reads a policy from text, adds settings, and makes the release, in the experiment's own way where cut is not NULL; to
 * be cleared by the caller, untouched on failure. */
covey_status covey_i_experiment_make(covey_experiment_made *out, const covey_experiment_context *context,
                                     const char *policy, const covey_setting *settings, covey_experiment_cut cut,
                                     covey_error *err);
/* Writes it where covey_i_experiment_anonymize writes, and clears it, also when this fails. */
covey_status covey_i_experiment_write(covey_experiment_made *made, const covey_experiment_context *context,
                                      covey_error *err);
void covey_i_experiment_made_clear(covey_experiment_made *made);

/* Where the release of covey_i_experiment_anonymize is; in the arena. */
char *covey_i_experiment_release(const covey_experiment_context *context);

/* Adult's seven quasi-identifiers with the hierarchies that ARX comes with, occupation sensitive, as a policy without
 * promises; in the arena, NULL without memory.  needs: covey_i_adult_needs. */
char *covey_i_experiment_adult_policy(const covey_experiment_context *context);
extern const char *const covey_i_adult_needs[];

#endif
