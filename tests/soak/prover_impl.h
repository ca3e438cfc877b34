/* Between the files of the prover. */
#ifndef COVEY_TESTS_PROVER_IMPL_H
#define COVEY_TESTS_PROVER_IMPL_H

#include "test.h"

#include <jansson.h>

#include "support/query/plain_csv.h"
#include "support/job/recount.h"
#include "prover.h"

enum { PROVER_MOST_CLASSES = 160 };

typedef struct proving {
    const char *folder;
    char *why;
    size_t why_bytes;
    json_t *manifest;
    random_job *job; /* columns, priors and promises as the manifest claims them; no rows */
    proof answer;
    recount_view view[JOB_MOST_SENSITIVE + 1];
    bool has_prior[JOB_MOST_SENSITIVE + 1];
    size_t n_views;
    const char *class_name[PROVER_MOST_CLASSES];
    recount_class *group;
    size_t n_groups;
} proving;

/* The worst of all answers counts, with its reason. */
void prover_say(proving *p, proof answer, const char *fmt, ...) COVEY_PRINTF(3, 4);

bool prover_read(plain_table *table, proving *p, const char *file); /* false: said that it is open */
bool prover_column(size_t *at, proving *p, const plain_table *table, const char *name);
bool prover_ratio(int64_t *num, int64_t *den, const char *text);   /* "5", "0.25", "5/3" */
const char *prover_param(const json_t *promise, const char *name); /* NULL: none */
int prover_class(proving *p, const char *name);                    /* -1: too many */

/* The forms that are no sets of rows with counts. */
void prove_sliced(proving *p);
void prove_perturbed(proving *p);
void prove_transformed(proving *p);

#endif
