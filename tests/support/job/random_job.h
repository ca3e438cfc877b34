/* Random work for the main job: a table as a CSV file, hierarchy files, and a policy.  What must be published is kept
 * beside them in the simplest form, so that a release can be checked without the code that made it. */
#ifndef COVEY_TESTS_RANDOM_JOB_H
#define COVEY_TESTS_RANDOM_JOB_H

#include <covey/method.h>
#include <covey/table.h>

#include "base/arena.h"

enum { JOB_MOST_ROWS = 160, JOB_MOST_COLUMNS = 10, JOB_MOST_LEVELS = 8, JOB_MOST_PROMISES = 4, JOB_MOST_SENSITIVE = 2 };

typedef struct job_column {
    const char *name;
    covey_role role;
    covey_type type; /* as the policy says, or as a guess must come out */
    bool says_type;
    int scale;                       /* decimals */
    bool is_unique;                  /* a different value in every row */
    bool has_missing;                /* in a row that is not dropped */
    const char *cell[JOB_MOST_ROWS]; /* NULL: missing */
    const char **order;
    size_t n_order;                                    /* declared, all values; NULL: none */
    const char *hierarchy;                             /* as in a policy, NULL: none */
    bool is_range;                                     /* a number that is published by ranges */
    int64_t below, above;                              /* what its declared domain adds to that of its values */
    size_t n_levels;                                   /* of its hierarchy; 0: ranges or sets are published */
    const char *level[JOB_MOST_ROWS][JOB_MOST_LEVELS]; /* labels of a row's cell, from the value itself to the root */
    /* All lines of a hierarchy file, for labels that several nodes bear; levels as above. */
    const char *(*line)[JOB_MOST_LEVELS];
    size_t n_lines;
} job_column;

typedef struct job_promise {
    const char *model;
    const char *policy; /* "{model: k-anonymity, k: 5}" */
    int view;           /* number of the sensitive attribute, n_views - 1 for joint, -1: none */
    bool joint;
    int64_t k, l;     /* its whole numbers: k; l, or p */
    int64_t num, den; /* its exact number */
    const char *word; /* t-closeness: the distance; alpha-k: the value, or NULL */
    size_t column;    /* min-length: the quasi-identifier */
    /* beta-likeness */
    bool ratio;   /* two-sided: ratio */
    int64_t loss; /* two-sided: {difference: loss/10}; 0: not asked for */
    const char *set[3];
    size_t n_set;   /* one group */
    int64_t window; /* proximity: values in a row; 0: not asked for */
    int64_t group;  /* group-beta: group/4; 0: not asked for */
} job_promise;

typedef struct random_job {
    covey_arena arena;
    uint64_t number;
    size_t n_rows, n_columns, n_sensitive;
    bool is_dropped[JOB_MOST_ROWS]; /* for a missing value, as the policy wants */
    size_t n_dropped;
    bool has_key; /* a column has a different text in every row and is published as it is */
    job_column column[JOB_MOST_COLUMNS];
    size_t sensitive[JOB_MOST_SENSITIVE]; /* columns */
    size_t n_promises;
    job_promise promise[JOB_MOST_PROMISES];
    int64_t limit_num, limit_den; /* suppression */
    int64_t min_size;             /* 0: none asked for */
    const char *missing;          /* what stands for a missing cell */
    bool drops_quasi, drops_sensitive;
} random_job;

/* Makes job number 0, 1, ... and writes its policy and hierarchies into the folder; job_write writes the table. */
void random_job_init(random_job *job, uint64_t number, const char *folder);
void random_job_clear(random_job *job);

/* How a table is written: none of this may show in a release. */
typedef struct job_writing {
    const uint32_t *order; /* [n_rows] which row stands where; NULL: as made */
    char delimiter;
    bool crlf, byte_order_mark, quotes_all;
} job_writing;

void job_write(const random_job *job, const char *path, const job_writing *how);

/* A random text for a method's parameter, or NULL to leave it alone. */
const char *job_param(random_job *job, const covey_param *param, uint64_t *state);

/* --- between the files that make jobs --- */

/* A number as an integer: value * 10^scale, days since 1970 for dates. */
int64_t job_number(const job_column *column, const char *text);
const char *job_format(random_job *job, const char *fmt, ...) COVEY_PRINTF(2, 3); /* the arena's */
const char *job_quoted(random_job *job, const char *text);                        /* as in YAML */

/* The different values of rows that are not dropped, in the attribute's order; the missing one is not among them. */
size_t job_values(const char ***out, random_job *job, const job_column *column);

/* The width of a number's domain, scaled; 0 if it has no values. */
int64_t job_domain(random_job *job, const job_column *column);

/* Gives a column a random hierarchy, or none; files go into the folder. */
void job_add_hierarchy(random_job *job, job_column *column, uint64_t *state, const char *folder);

/* Random promises; columns are ready. */
void job_add_promises(random_job *job, uint64_t *state);

#endif
