/* A sliced release as its reader sees it, and the steps of its check; see audit/sliced/sliced.c. */
#ifndef COVEY_READER_SLICED_SLICED_H
#define COVEY_READER_SLICED_SLICED_H

#include "audit/form.h"

/* One column-N.csv. */
typedef struct covey_opened_slice {
    const covey_opened_table *table;
    size_t n;
    size_t *attribute;                  /* [n] index into opened->column */
    const covey_opened_column **column; /* [n] as it stands here; of an attribute in several slices each has its own */
    const uint32_t *
        *same; /* [n] code here -> code of opened->column[attribute]; UINT32_MAX: not there; NULL: the same */
} covey_opened_slice;

typedef struct covey_opened_slices {
    size_t n;
    covey_opened_slice *slice;
    bool usable;
} covey_opened_slices;

/* An attribute's code in terms of opened->column. */
static inline uint32_t covey_i_slice_code(const covey_opened_slice *slice, size_t i, uint32_t line)
{
    const uint32_t code = covey_i_code_at(slice->column[i]->text, line);

    return slice->same[i] ? slice->same[i][code] : code;
}

/* Can pieces be joined in one way only?  Columns are removed one by one that share attributes with one other only
 * (ears). */
bool covey_i_slices_are_acyclic(const covey_opened_slices *slices, covey_arena *arena, bool *broken);

/* What follows from the signatures that pieces can form, where it is not clear from single sets.  See
 * audit/sliced/signatures.c. */
typedef struct covey_slices_verdict {
    bool holds;      /* nothing follows with a probability above 1/l */
    bool is_long;    /* it was not found out: there are too many signatures */
    uint32_t bucket; /* from 1, whose pieces form such a signature */
} covey_slices_verdict;

/* Judges every set of pieces of a bucket that agree beside the sensitive value: figure, worst_class and any of judged.
 * any_hot: one has too large a share, which counts as what is promised unless alone.  See audit/sliced/sets.c. */
covey_status covey_i_slices_judge_sets(bool *any_hot, covey_judged *judged, bool alone,
                                       const covey_opened_slices *slices, const covey_opened *opened,
                                       const covey_run *run, covey_error *err);

/* view: of the sensitive attribute, whose values it names line by line.  The columns must be acyclic. */
covey_status covey_i_slices_judge_signatures(covey_slices_verdict *out, const covey_opened *opened,
                                             const covey_opened_slices *slices, const covey_audit_view *view,
                                             covey_ratio l, covey_error *err);

/* Does the sensitive attribute stand in more columns than the last? */
bool covey_i_slices_hold_twice(const covey_opened *opened, const covey_opened_slices *slices);
/* The same verdict where it does.  See audit/sliced/joined.c. */
covey_status covey_i_slices_judge_joined(covey_slices_verdict *out, const covey_opened *opened,
                                         const covey_opened_slices *slices, const covey_audit_view *view, covey_ratio l,
                                         covey_error *err);

/* Lines are sorted by content inside buckets, buckets by theirs; copies of an attribute hold the same in every bucket.
 * See audit/sliced/order.c. */
covey_status covey_i_slices_check(covey_problems *problems, const covey_opened *opened,
                                  const covey_opened_slices *slices, const covey_run *run, covey_error *err);

/* Cells of an attribute do not overlap, and every piece of a column stands there as often as column-k says.  See
 * audit/sliced/cells.c. */
covey_status covey_i_slices_check_cells(covey_problems *problems, const covey_opened *opened,
                                        const covey_opened_slices *slices, covey_error *err);

/* Are the pieces those of the original's rows?  See audit/sliced/faithful.c. */
covey_status covey_i_slices_check_faithful(covey_problems *problems, const covey_opened *opened,
                                           const covey_opened_slices *slices, const covey_original *original,
                                           covey_error *err);

#endif
