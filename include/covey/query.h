/* Queries: aggregates over a release, with bounds that hold for every table that it could have come from.
 *
 *     SELECT COUNT(*) | COUNT(DISTINCT entity) | SUM(s) | AVG(s) | MIN(s) | MAX(s) | SUM(weight * s)
 *     | SUM(weight * s) / SUM(weight) [, ...] [FROM release] [WHERE condition] [GROUP BY quasi-identifiers]
 *
 * docs/queries.md says what bounds and estimates mean for each published form.  A release is opened once and asked as
 * often as wanted, by several threads at once. */
#ifndef COVEY_QUERY_H
#define COVEY_QUERY_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_query_release covey_query_release;

/**
 * Reads a release folder for queries.  Sizes and cells are checked, promises and hashes are not: covey_verify does
 * that.
 *
 * @param out  receives the release; give it back with covey_query_close.  The files are not needed after the call
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE if the release cannot be read or is not in order;
 * COVEY_EINVAL for a form that queries are not built for; COVEY_ECANCELLED; COVEY_ENOMEM
 */
COVEY_API covey_status covey_query_open(covey_query_release **out, const char *folder, const covey_run *run,
                                        covey_error *err);
/* Gives a release back; NULL allowed.  Results do not need it any more. */
COVEY_API void covey_query_close(covey_query_release *release);

/* One end of an interval.  text is exact, or, where a quotient has no end, rounded outwards at its 17th digit; as a
 * double it may be off by its last bit. */
typedef struct covey_query_bound {
    bool exists;
    double value;  /* the nearest double; days since 1970 for dates */
    char text[64]; /* "390.5"; a date: "2024-02-29" */
} covey_query_bound;

/* Where the value lies with a probability of at least 95 %, if the number of rows is not small. */
typedef struct covey_query_interval {
    bool exists;
    double low, high;
    double clipped_low, clipped_high; /* the same within the bounds */
    bool is_of_few;                   /* less than 30 rows: the normal distribution behind it is a bad description */
} covey_query_interval;

typedef struct covey_query_answer {
    const char *aggregate; /* "AVG(salary)" */
    bool is_date;          /* MIN and MAX of dates */
    covey_query_bound lower, upper;
    double estimate, standard_error; /* NaN: there is none */
    bool has_midpoint;               /* the form offers midpoints */
    double midpoint;                 /* of the bounds; NaN: one does not exist, or it is not offered */
    covey_query_interval interval;   /* of the estimate, for perturbed releases */
} covey_query_answer;

/* The answers for all rows, or for those of one group. */
typedef struct covey_query_group {
    const char *const *key;           /* [n_keys] values; NULL: missing */
    const covey_query_answer *answer; /* [n_answers] */
    int64_t hits_lower, hits_upper;   /* rows that are selected */
} covey_query_group;

typedef struct covey_query_result {
    bool is_grouped; /* the query has GROUP BY; else there is one group without keys */
    size_t n_keys;
    const char *const *key_name;
    const bool *key_is_number;
    size_t n_answers;
    size_t n_groups;
    const covey_query_group *group; /* in the order of their keys */
    size_t n_notes;
    const char *const *note; /* what keys and estimates mean where that is not plain: sentences */
    void *memory;            /* owns all of it */
} covey_query_result;

/**
 * Answers a query.  What it needs in memory goes with the result, but for that the release stays as it is.
 *
 * @param out  receives the answers; give them back with covey_query_result_free, which ends all that they point to
 * @param sql  the query, as above
 * @return COVEY_OK; COVEY_EINVAL for a query that cannot be understood or answered: the message names the character
 * (err->column_number, the first is 1); COVEY_ENOMEM
 */
COVEY_API covey_status covey_query_run(covey_query_result **out, const covey_query_release *release, const char *sql,
                                       const covey_run *run, covey_error *err);
/* Gives a result back, with all that it points to; NULL allowed. */
COVEY_API void covey_query_result_free(covey_query_result *result);

/* Zero is the default. */
typedef struct covey_query_options {
    bool shrink; /* perturbed releases: bring estimates towards what the prior alone suggests, the more the less is
                  * known of the rows; the error is smaller for few rows, but the estimate is no longer free of bias */
} covey_query_options;

/* The same with options; NULL: the defaults.  COVEY_EINVAL also for an option that the release's form does not have. */
COVEY_API covey_status covey_query_run_with(covey_query_result **out, const covey_query_release *release,
                                            const char *sql, const covey_query_options *options, const covey_run *run,
                                            covey_error *err);

/* --- a release whose tables lie in several places, for an engine that distributes work (docs/design/spark.md) --- */

/**
 * Reads the part of a release that lies at one place: a folder whose tables hold some of its classes (or rows of a
 * perturbed release), and behind them rows that are no part of it, and have every cell that the whole release has in a
 * column.  So all places tell the same cells apart, and what they count adds up.
 *
 * @param n_rows  how many rows are the part, in whole classes; what follows is not counted
 * @return as covey_query_open; COVEY_EINVAL if n_rows is not the end of a class
 */
COVEY_API covey_status covey_query_open_piece(covey_query_release **out, const char *folder, int64_t n_rows,
                                              const covey_run *run, covey_error *err);

/* What was counted of a piece. */
typedef struct covey_query_counted {
    unsigned char *bytes;
    size_t size;
} covey_query_counted;

/* Counts what a query needs of a piece, for covey_query_settle by the same version on the same kind of machine.
 * COVEY_EINVAL for a query that cannot be answered, or not piece by piece. */
COVEY_API covey_status covey_query_gather(covey_query_counted *out, const covey_query_release *piece, const char *sql,
                                          const covey_run *run, covey_error *err);
/* Gives back what covey_query_gather made. */
COVEY_API void covey_query_counted_free(covey_query_counted *counted);

/**
 * Answers a query as covey_query_run would over the whole release.  Estimates of MIN and MAX are not given.
 *
 * @param cells    of covey_query_open_piece: a release with no rows of its own (n_rows is 0), and those that all pieces
 *                 have behind them
 * @param counted  [n] of all pieces
 * @return as covey_query_run; COVEY_EPARSE for what was not counted of this release for this query
 */
COVEY_API covey_status covey_query_settle(covey_query_result **out, const covey_query_release *cells, const char *sql,
                                          const covey_query_counted *counted, size_t n, const covey_run *run,
                                          covey_error *err);

typedef enum covey_sql_dialect { COVEY_DIALECT_SQLITE = 0, COVEY_DIALECT_POSTGRESQL } covey_sql_dialect;

/**
 * Rewrites a query to SQL that gives the same bounds over the tables of covey_export, in SQLite (3.28 or later) or
 * PostgreSQL: a row with the columns count_lower, count_upper, sum_lower, ... in the order of SELECT, with _2 for a
 * second SUM and so on.  With GROUP BY there is a row per group, whose keys come first.  Quotients are rounded to the
 * precision of the database.  Over bucketized and transformed releases count_estimate, sum_estimate and avg_estimate
 * follow behind the bounds of all aggregates, over perturbed ones each with its count_standard_error, ...: without
 * shrinking.
 *
 * @param out  receives the text, without a semicolon; free it with covey_query_sql_free
 * @return what covey_query_run returns; COVEY_EINVAL also for a query or a form that is not rewritten
 */
COVEY_API covey_status covey_query_sql(char **out, const covey_query_release *release, const char *sql,
                                       covey_sql_dialect dialect, covey_error *err);
/* Gives back what covey_query_sql made; NULL allowed. */
COVEY_API void covey_query_sql_free(char *sql);

#ifdef __cplusplus
}
#endif
#endif
