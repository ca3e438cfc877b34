/* A bucketized release as its reader sees it, and the steps of its check; see audit/bucketized/bucketized.c. */
#ifndef COVEY_READER_BUCKETIZED_BUCKETIZED_H
#define COVEY_READER_BUCKETIZED_BUCKETIZED_H

#include "audit/form.h"
#include "reader/bucketized/help_lines.h"
#include "base/exact/fraction.h"

#define COVEY_BUCKETS_ROWS "quasi.csv"
#define COVEY_BUCKETS_VALUES "sensitive.csv"
#define COVEY_BUCKETS_HELP "help.csv"

typedef struct covey_opened_buckets {
    const covey_opened_column *sensitive;
    const covey_opened_table *rows;   /* quasi.csv */
    const covey_opened_table *values; /* sensitive.csv; its lines are the entries of opened->groups */
    bool is_counted;                  /* every count is one */
    const int64_t *count; /* [values->n_rows] rows that an entry stands for; NULL: one each, if they are counted */
    const covey_opened_table *help; /* help.csv; NULL: there is none, or it has been found to follow from the others */
    size_t n_content;
    const covey_opened_column **content; /* columns of quasi.csv, in its order */
} covey_opened_buckets;

/* --- what they are, see audit/bucketized/bucketized.c --- */

/* Which column is sensitive (NULL: not one, which has been reported), and which stand in quasi.csv. */
covey_status covey_i_buckets_find_columns(covey_opened_buckets *buckets, covey_opened *opened, covey_problems *problems,
                                          covey_error *err);
/* What the headers of the two say. */
void covey_i_buckets_expect(covey_opened_table *rows, covey_opened_table *values, const covey_opened_buckets *buckets);
/* The counts of the lines of sensitive.csv, in the arena; *out NULL: all are 1.  *fine false: one is none. */
covey_status covey_i_buckets_counts(bool *fine, const int64_t **out, const covey_opened_table *values,
                                    covey_arena *arena, covey_error *err);
/* Rows that sensitive.csv counts of a group in memory. */
int64_t covey_i_buckets_counted_rows(const covey_opened_buckets *buckets, uint32_t group);
/* Must there be a help.csv, or is there one that may be? */
bool covey_i_buckets_has_help(const covey_opened *opened, const covey_opened_buckets *buckets);

/* --- steps of the check --- */

/* Checks tables that are larger than memory; *accepted false: something is wrong, or not as usual, and has to be found
 * by reading all at once. See audit/bucketized/windows.c. */
covey_status covey_i_buckets_accept(bool *accepted, covey_audit *audit, size_t window, covey_error *err);

/* Is the order of groups, rows and values one that says nothing but what is published?  See audit/bucketized/order.c.
 */
covey_status covey_i_buckets_check_order(covey_problems *problems, const covey_opened *opened,
                                         const covey_opened_buckets *buckets, const covey_run *run, covey_error *err);

/* Is the file, byte for byte, what follows from the counts, which are those of the rows?  If not, it has to be read. */
covey_status covey_i_buckets_help_follows(bool *follows, const covey_opened_buckets *buckets, const char *path,
                                          const covey_run *run, covey_error *err);

/* The same of the groups in memory, number and scale as found by covey_i_buckets_numbers. */
covey_status covey_i_buckets_help_compare(covey_help_reading *help, const covey_opened *opened,
                                          const covey_opened_buckets *buckets, int64_t *number, int scale,
                                          const covey_run *run, covey_error *err);

/* Recomputes help.csv from sensitive.csv; see help_table.c. */
covey_status covey_i_buckets_check_help(covey_problems *problems, const covey_opened *opened,
                                        const covey_opened_buckets *buckets, covey_error *err);

/* The sensitive values as numbers of one scale, by code of sensitive.csv; in the arena.  *fine false: one is none. */
covey_status covey_i_buckets_numbers(int64_t **number_out, int *scale_out, bool *fine,
                                     const covey_opened_buckets *buckets, covey_arena *arena, covey_error *err);

/* Recomputes the objectives sum-error and max-error; see audit/bucketized/numbers.c. */
covey_status covey_i_buckets_check_objective(covey_problems *problems, const covey_opened *opened,
                                             const covey_opened_buckets *buckets, covey_error *err);

/* The same of groups that come window by window: sums up those that were not seen before, number as found by
 * covey_i_buckets_numbers; then compares. */
typedef struct covey_bucket_errors {
    covey_i128 sum, max;
} covey_bucket_errors;

bool covey_i_buckets_has_errors(const covey_stated *stated); /* is one of these the objective? */
void covey_i_buckets_errors_add(covey_bucket_errors *errors, const covey_opened *opened,
                                const covey_opened_buckets *buckets, const int64_t *number);
void covey_i_buckets_errors_compare(covey_problems *problems, const covey_stated *stated,
                                    const covey_bucket_errors *errors, int scale);

/* Are the groups sets of original rows?  See audit/bucketized/faithful.c. */
covey_status covey_i_buckets_check_faithful(covey_problems *problems, const covey_opened *opened,
                                            const covey_opened_buckets *buckets, const covey_original *original,
                                            covey_error *err);

#endif
