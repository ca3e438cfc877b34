/* Rewritten queries against the query engine: random releases, random questions, the same bounds, and over
 * transformed, perturbed and sliced releases the same expected values, over perturbed ones with their errors. */
#ifndef COVEY_TESTS_SQL_LAW_H
#define COVEY_TESTS_SQL_LAW_H

#include <covey/query.h>

#include "support/release/random_release.h"

/* What a statement gave. */
typedef struct sql_rows {
    int n_rows, n_columns;
    char **cell; /* [n_rows * n_columns] NULL: missing */
} sql_rows;

void sql_rows_free(sql_rows *rows);

/* A database that a release is exported to. */
typedef struct sql_database sql_database;

struct sql_database {
    covey_sql_dialect dialect;
    char target[512];                               /* for covey_export */
    void (*reopen)(sql_database *database);         /* after an export; NULL: nothing is to be done */
    sql_rows (*run)(void *handle, const char *sql); /* fails the test if the database refuses */
    void *handle;
};

/* BUCKETIZED: or transformed. */
typedef enum sql_law_form { SQL_LAW_GENERALIZED, SQL_LAW_BUCKETIZED, SQL_LAW_PERTURBED, SQL_LAW_SLICED } sql_law_form;

/* Makes a random release of the form; false if no release can keep the random policy.  release_end(r) in every case. */
bool sql_law_release(release_folder *r, uint64_t *state, sql_law_form form);

typedef struct sql_law_counts {
    int asked, rewritten, grouped, weighted, of_persons;
    int beyond; /* not rewritten for SQLite because numbers are too large */
    int hidden; /* rewritten ones over transformed, perturbed and sliced releases with a condition on the sensitive
                   column */
} sql_law_counts;

/* Exports the release, asks random questions of both, and compares. */
void sql_law_check(sql_law_counts *counts, const release_folder *r, sql_database *database, sql_law_form form,
                   uint64_t *state, int n_questions);

#endif
