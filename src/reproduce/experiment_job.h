/* The main job as a step of an experiment: a policy in, figures out, the release in the scratch folder. */
#ifndef COVEY_EXPERIMENT_JOB_H
#define COVEY_EXPERIMENT_JOB_H

#include <covey/job.h>

#include "reproduce/experiment_impl.h"

/* A flag of a policy, as on the command line: {"model", "k-anonymity:k=5"}. */
typedef struct covey_setting {
    const char *key, *value;
} covey_setting;

/**
 * Reads a policy from text, adds settings, anonymizes into the folder `release` of the scratch folder.
 *
 * @param policy    YAML; paths in it are absolute
 * @param settings  ended by {NULL, NULL}
 * @param report    to be cleared by the caller; untouched on failure
 * @return as covey_anonymize
 */
covey_status covey_i_experiment_anonymize(covey_anonymize_report *report, const covey_experiment_context *context, const char *policy,
                                          const covey_setting *settings, covey_error *err);

/* Where that release is; in the arena. */
char *covey_i_experiment_release(const covey_experiment_context *context);

/* Adult's seven quasi-identifiers with the hierarchies that ARX comes with, occupation sensitive, as a policy without promises; in the
 * arena, NULL without memory.  needs: covey_i_adult_needs. */
char *covey_i_adult_policy(const covey_experiment_context *context);
extern const char *const covey_i_adult_needs[];

#endif
