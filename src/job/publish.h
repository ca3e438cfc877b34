/* From a release in memory to a folder of files: tables, hierarchies, manifest. */
#ifndef COVEY_JOB_PUBLISH_H
#define COVEY_JOB_PUBLISH_H

#include <covey/audit.h>
#include <covey/job.h>

#include "job/choice.h"
#include "release/settled.h"

/* What is published, and what is known of it afterwards.  Everything that goes in is borrowed. */
typedef struct covey_publication {
    const covey_policy *policy;
    const covey_run *run;
    const covey_problem *problem;
    const covey_choice *choice;
    const covey_release *release;
    const char *codebook; /* covey_prepared's */
    bool is_misguessed;   /* covey_prepared's */
    int64_t n_dropped;    /* rows that the policy dropped for missing values */
    const char *folder;   /* empty; only its owner can read it */
    covey_arena *arena;
    int64_t n_files; /* that a table is cut into, at most; 0: tables are not cut */

    covey_files files;      /* out; cleared by the caller */
    covey_figure *achieved; /* [promises.n], in the arena; goes in where the release has nothing but sums */
    covey_release_figures figures;
    int64_t n_units; /* published, where rows have units */
    double seconds_write, seconds_hash;
} covey_publication;

/**
 * Looks at the rows that a method has suppressed: are they few enough, is anything left, do their sensitive values keep
 * the promises?
 *
 * @return COVEY_EINFEASIBLE if nothing is left; COVEY_EINTERNAL for a method that went too far; COVEY_ENOMEM
 */
covey_status covey_i_publish_check(covey_publication *p, covey_error *err);

/* covey_i_release_settle; a refusal names that classes be published by their own ranges. */
covey_status covey_i_publish_settle(covey_settled *settled, covey_release **release, const covey_problem *problem,
                                    const covey_run *run, covey_error *err);

/* May tables be cut into so many files? */
covey_status covey_i_publish_check_files(int64_t n_files, covey_error *err);

/* Writes the files and fills what goes out; of a release with nothing but sums all but the tables, which are there and
 * listed already. */
covey_status covey_i_publish_write(covey_publication *p, covey_error *err);

/* Says in the report what was published; not which levels were chosen. */
void covey_i_publish_report(covey_anonymize_report *report, const covey_publication *p);

/* Verifies what was written, before it gets its name, within the memory limit of covey_verify_options.  COVEY_EINTERNAL
 * if it does not hold. */
covey_status covey_i_publish_verify(covey_verdict **out, const char *folder, int64_t memory_limit, const covey_run *run,
                                    covey_error *err);

/* Replacing a folder removes all that it holds: COVEY_EEXIST if that is what the release is made from. */
covey_status covey_i_publish_spare_input(const covey_policy *policy, const char *target, covey_error *err);

#endif
