/* The steps of the check of a bucketized release. */
#ifndef COVEY_AUDIT_BUCKETIZED_BUCKETIZED_H
#define COVEY_AUDIT_BUCKETIZED_BUCKETIZED_H

#include "audit/windows.h"
#include "reader/bucketized/bucketized.h"

/* How tables that are larger than memory are checked.  See windows.c. */
extern const covey_windows_form covey_i_bucketized_windows;

/* Is the order of groups, rows and values one that says nothing but what is published?  See order.c. */
covey_status covey_i_bucketized_check_order(covey_problems *problems, const covey_opened *opened,
                                            const covey_opened_bucketized *bucketized, const covey_run *run,
                                            covey_error *err);

/* Recomputes the objectives sum-error and max-error; see objective.c. */
covey_status covey_i_bucketized_check_objective(covey_problems *problems, const covey_opened *opened,
                                                const covey_opened_bucketized *bucketized, covey_error *err);

/* The same of groups that come window by window: sums up those that were not seen before, number as found by
 * covey_i_bucketized_numbers; then compares. */
typedef struct covey_bucket_errors {
    covey_i128 sum, max;
} covey_bucket_errors;

bool covey_i_bucketized_has_errors(const covey_stated *stated); /* is one of these the objective? */
void covey_i_bucketized_errors_add(covey_bucket_errors *errors, const covey_opened *opened,
                                   const covey_opened_bucketized *bucketized, const int64_t *number);
void covey_i_bucketized_errors_compare(covey_problems *problems, const covey_stated *stated,
                                       const covey_bucket_errors *errors, int scale);

/* Are the groups sets of original rows?  See faithful.c. */
covey_status covey_i_bucketized_check_faithful(covey_problems *problems, const covey_opened *opened,
                                               const covey_opened_bucketized *bucketized,
                                               const covey_original *original, covey_error *err);

/* Are the units that are stated possible?  And, by the publisher's list: are they as alike as groups need them?  See
 * units.c. */
struct covey_link_proof;
covey_status covey_i_bucketized_check_units(covey_audit *audit, covey_error *err);
covey_status covey_i_bucketized_check_links(struct covey_link_proof *p, covey_error *err);

/* Without a list: what rows say of themselves, and what groups need.  See whole.c. */
struct covey_whole_question;
covey_status covey_i_bucketized_ask(struct covey_whole_question *q, covey_error *err);

#endif
