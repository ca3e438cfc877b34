/* A bucketized release as its reader sees it. */
#ifndef COVEY_READER_BUCKETIZED_BUCKETIZED_H
#define COVEY_READER_BUCKETIZED_BUCKETIZED_H

#include "reader/bucketized/help_lines.h"
#include "reader/form_impl.h"

#define COVEY_BUCKETIZED_ROWS "quasi.csv"
#define COVEY_BUCKETIZED_VALUES "sensitive.csv"
#define COVEY_BUCKETIZED_HELP "help.csv"

typedef struct covey_opened_bucketized {
    const covey_opened_column *sensitive;
    const covey_opened_table *rows;   /* quasi.csv */
    const covey_opened_table *values; /* sensitive.csv; its lines are the entries of opened->groups */
    bool is_counted;                  /* every count is one */
    const int64_t *count; /* [values->n_rows] rows that an entry stands for; NULL: one each, if they are counted */
    const covey_opened_table *help; /* help.csv; NULL: there is none, or it has been found to follow from the others */
    size_t n_content;
    const covey_opened_column **content; /* columns of quasi.csv, in its order */
} covey_opened_bucketized;

/* What the headers of the two say. */
void covey_i_bucketized_expect(covey_opened_table *rows, covey_opened_table *values,
                               const covey_opened_bucketized *bucketized);
/* The counts of the lines of sensitive.csv, in the arena; *out NULL: all are 1.  *fine false: one is none. */
covey_status covey_i_bucketized_counts(bool *fine, const int64_t **out, const covey_opened_table *values,
                                       covey_arena *arena, covey_error *err);
/* Rows that sensitive.csv counts of a group in memory. */
int64_t covey_i_bucketized_counted_rows(const covey_opened_bucketized *bucketized, uint32_t group);
/* Must there be a help.csv, or is there one that may be? */
bool covey_i_bucketized_has_help(const covey_opened *opened, const covey_opened_bucketized *bucketized);

/* --- the sensitive values, and what follows from them, see help.c --- */

/* The sensitive values as numbers of one scale, by code of sensitive.csv; in the arena.  *fine false: one is none. */
covey_status covey_i_bucketized_numbers(int64_t **number_out, int *scale_out, bool *fine,
                                        const covey_opened_bucketized *bucketized, covey_arena *arena,
                                        covey_error *err);

/* The sensitive values of the groups in memory as numbers. */
typedef struct covey_bucketized_values {
    const covey_opened_bucketized *bucketized;
    int64_t *number; /* [values of the sensitive column] as found by covey_i_bucketized_numbers */
    uint32_t first;  /* group in memory that is the first one */
} covey_bucketized_values;

/* A covey_help_list whose context they are: each value of a group is an interval of its own. */
size_t covey_i_bucketized_list(int64_t *low, int64_t *high, const void *context, uint32_t group);
/* Its rows. */
uint32_t covey_i_bucketized_largest_group(const covey_opened_bucketized *bucketized);

/* Is the text, byte for byte, what follows from the counts, which are those of the rows?  If not, it has to be read.
 * Takes the text; path: what messages call it. */
covey_status covey_i_bucketized_help_follows(bool *follows, const covey_opened_bucketized *bucketized,
                                             covey_infile *text, const char *path, const covey_run *run,
                                             covey_error *err);

/* The same of the groups in memory, number and scale as found by covey_i_bucketized_numbers. */
covey_status covey_i_bucketized_help_compare(covey_help_reading *help, const covey_opened *opened,
                                             const covey_opened_bucketized *bucketized, int64_t *number, int scale,
                                             const covey_run *run, covey_error *err);

#endif
