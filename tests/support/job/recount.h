/* Every model's promise once more, as its definition says it, over plain counts: nothing of the library's models is
 * used. */
#ifndef COVEY_TESTS_RECOUNT_H
#define COVEY_TESTS_RECOUNT_H

#include "support/job/random_job.h"

/* One sensitive attribute of a job, or all of them together. */
typedef struct recount_view {
    size_t n;           /* values that occur in rows that are not dropped, in the attribute's order, missing first */
    const char **value; /* [n] texts; NULL: missing; several attributes: joined */
    int64_t prior[JOB_MOST_ROWS];
    int64_t n_rows;
    size_t code[JOB_MOST_ROWS]; /* of each row */
    const job_column *column;   /* NULL: joint */
    size_t row[JOB_MOST_ROWS];  /* a row with the value, for its levels */
} recount_view;

/* How far from harm: an exact number, a real, or infinite. */
typedef struct recount_figure {
    bool is_real, infinite;
    int64_t num, den;
    double real;
    int64_t k; /* (k,e) only: then num/den is e */
} recount_figure;

/* A class, or any other set of rows. */
typedef struct recount_class {
    int64_t size;
    int64_t count[JOB_MOST_SENSITIVE + 1][JOB_MOST_ROWS]; /* per view and value */
    int64_t width[JOB_MOST_COLUMNS]; /* of the published range of a number, scaled; -1: not known */
} recount_class;

/* Views 0 .. n_sensitive-1, and the joint one behind them if there are several; returns how many. */
size_t recount_views(recount_view view[JOB_MOST_SENSITIVE + 1], random_job *job);
void recount_add(recount_class *to, const recount_view *view, size_t n_views, size_t row);

bool recount_knows(const char *model);
/* Does the class keep the promise?  *sure: is the answer free of rounding? */
bool recount_holds(recount_figure *figure, bool *sure, const random_job *job, const job_promise *promise,
                   const recount_view *view, const recount_class *group);
/* The worse figure of both goes to *worst. */
void recount_worse(recount_figure *worst, const recount_figure *other, const job_promise *promise);

/* Does the model compare with the whole table, so that its prior is published? */
bool recount_needs_prior(const job_promise *promise);

#endif
