/* A bucketized release as its reader sees it, and the steps of its check; see form_bucketized.c. */
#ifndef COVEY_BUCKETS_H
#define COVEY_BUCKETS_H

#include "audit/audit_form.h"

typedef struct covey_opened_buckets {
    const covey_opened_column *sensitive;
    const covey_opened_table *rows;   /* quasi.csv */
    const covey_opened_table *values; /* sensitive.csv; its lines are the entries of opened->groups */
    const int64_t *count;             /* [values->n_rows] rows that an entry stands for; NULL: a count is none */
    const covey_opened_table *help;   /* help.csv; NULL: there is none, or it has been found to follow from the others */
    size_t n_content; const covey_opened_column **content; /* columns of quasi.csv, in its order */
} covey_opened_buckets;

/* Is the order of groups, rows and values one that says nothing but what is published?  See order_groups.c. */
covey_status covey_i_buckets_check_order(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets, const covey_run *run,
                                         covey_error *err);

/* Is the file, byte for byte, what follows from the counts, which are those of the rows?  If not, it has to be read. */
covey_status covey_i_buckets_help_follows(bool *follows, const covey_opened_buckets *buckets, const char *path, const covey_run *run, covey_error *err);

/* Recomputes help.csv from sensitive.csv; see help_table.c. */
covey_status covey_i_buckets_check_help(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets, covey_error *err);

/* The sensitive values as numbers of one scale, by code of sensitive.csv; in the arena.  *fine false: one is none. */
covey_status covey_i_buckets_numbers(int64_t **number_out, int *scale_out, bool *fine, const covey_opened_buckets *buckets, covey_arena *arena,
                                     covey_error *err);

/* Recomputes the objectives sum-error and max-error; see bucket_numbers.c. */
covey_status covey_i_buckets_check_objective(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets,
                                             covey_error *err);

/* Are the groups sets of original rows?  See faithful_groups.c. */
covey_status covey_i_buckets_check_faithful(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets,
                                            const covey_original *original, covey_error *err);

#endif
