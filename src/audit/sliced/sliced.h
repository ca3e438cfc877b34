/* The steps of the check of a sliced release. */
#ifndef COVEY_AUDIT_SLICED_SLICED_H
#define COVEY_AUDIT_SLICED_SLICED_H

#include "audit/steps.h"
#include "reader/sliced/sliced.h"

/* What follows from the signatures that pieces can form, where it is not clear from single sets.  See
 * signatures.c. */
typedef struct covey_slices_verdict {
    bool holds;      /* nothing follows with a probability above 1/l */
    bool is_long;    /* it was not found out: there are too many signatures */
    uint32_t bucket; /* from 1, whose pieces form such a signature */
} covey_slices_verdict;

/* Judges every set of pieces of a bucket that agree beside the sensitive value: figure, worst_class and any of judged.
 * any_hot: one has too large a share, which counts as what is promised unless alone.  See sets.c. */
covey_status covey_i_slices_judge_sets(bool *any_hot, covey_judged *judged, bool alone,
                                       const covey_opened_slices *slices, const covey_opened *opened,
                                       const covey_run *run, covey_error *err);

/* view: of the sensitive attribute, whose values it names line by line.  The columns must be acyclic. */
covey_status covey_i_slices_judge_signatures(covey_slices_verdict *out, const covey_opened *opened,
                                             const covey_opened_slices *slices, const covey_opened_view *view,
                                             covey_ratio l, covey_error *err);

/* The same where the sensitive attribute stands in more columns than the last.  See joined.c. */
covey_status covey_i_slices_judge_joined(covey_slices_verdict *out, const covey_opened *opened,
                                         const covey_opened_slices *slices, const covey_opened_view *view,
                                         covey_ratio l, covey_error *err);

/* Lines are sorted by content inside buckets, buckets by theirs; copies of an attribute hold the same in every bucket.
 * See order.c. */
covey_status covey_i_slices_check(covey_problems *problems, const covey_opened *opened,
                                  const covey_opened_slices *slices, const covey_run *run, covey_error *err);

/* Cells of an attribute do not overlap, and every piece of a column stands there as often as column-k says.  See
 * cells.c. */
covey_status covey_i_slices_check_cells(covey_problems *problems, const covey_opened *opened,
                                        const covey_opened_slices *slices, covey_error *err);

/* Are the pieces those of the original's rows?  See faithful.c. */
covey_status covey_i_slices_check_faithful(covey_problems *problems, const covey_opened *opened,
                                           const covey_opened_slices *slices, const covey_original *original,
                                           covey_error *err);
/* Are those of each bucket the rows that a list puts there?  class_of: [rows of the original] 0: in none. */
covey_status covey_i_slices_check_linked(covey_problems *problems, const covey_opened *opened,
                                         const covey_opened_slices *slices, const covey_original *original,
                                         const uint32_t *class_of, covey_error *err);

/* Does the promise hold over units, if what is stated of them is true?  And, by the publisher's list: are those of a
 * bucket as alike as that takes?  See units.c. */
struct covey_link_proof;
covey_status covey_i_slices_judge_units(covey_judged *judged, const covey_opened_slices *slices,
                                        const covey_opened *opened, covey_problems *problems, covey_arena *arena,
                                        covey_error *err);
covey_status covey_i_slices_check_links(struct covey_link_proof *p, covey_error *err);

#endif
