/* From a policy and a file to a problem: everything that methods need, with every check that needs the data. */
#ifndef COVEY_JOB_PREPARE_H
#define COVEY_JOB_PREPARE_H

#include <covey/policy.h>

#include "problem/problem.h"
#include "table/table_impl.h"

/* Owns what the problem borrows. */
typedef struct covey_prepared {
    covey_problem problem;
    covey_table *table; /* as read, without identifiers; freed once all columns are typed */
    size_t n_columns;
    covey_column **column;  /* [n_columns] typed, rows dropped, aligned with their hierarchy */
    covey_hierarchy **tree; /* [n_columns] or NULL */
    int64_t *kept;          /* [problem.n_rows] rows of the input that were not dropped; NULL: all; covey_i_malloc */
    int64_t n_dropped;      /* rows with missing values that the policy drops */
    int64_t torn_line;      /* of one of them of whose unit others stay; 0: there is none */
    const char *torn_word;  /* "line" or "row" */
    covey_column *joint;    /* the combination of all sensitive attributes, if a promise is joint */
    const char *codebook;   /* of the table; NULL: it has none */
    bool is_misguessed;     /* covey_table's */
    covey_arena arena;
    double seconds_read; /* reading and typing */
} covey_prepared;

/**
 * Reads the policy's input and prepares the problem.
 *
 * @return COVEY_EINVAL, COVEY_EPARSE, COVEY_ENOTFOUND for a policy that does not fit the data, with the place in the
 * policy or in the data
 */
covey_status covey_i_prepare(covey_prepared *out, const covey_policy *policy, const covey_run *run, covey_error *err);
/* The same for a release that follows others; ledger NULL: it does not. */
struct covey_ledger;
covey_status covey_i_prepare_after(covey_prepared *out, const covey_policy *policy, const struct covey_ledger *ledger,
                                   const covey_run *run, covey_error *err);
void covey_i_prepared_clear(covey_prepared *prepared);

/* Joins the sensitive columns into one (src/job/joint.c): a code for every combination that occurs, whose label is a
 * JSON array of the values. */
covey_status covey_i_job_join_columns(covey_column **out, const covey_column *const *column, size_t n,
                                      covey_error *err);

#endif
