/* A release's rows as a sample of a population: of rows that look alike, how many people they stand for, as published
 * sampling weights say.
 *
 * What follows is an estimate.  f rows that look alike and whose weights sum to F^ are taken for a sample of F people
 * of whom each was drawn with the chance f/F^: then F - f is negative binomial, and the chance to find a row's person
 * among them is the expected 1/F.  Source: [BenedettiFranconi98]; k-map: [ElEmam08]. */
#ifndef COVEY_READER_SAMPLED_H
#define COVEY_READER_SAMPLED_H

#include "base/arena.h"
#include "reader/opened.h"

typedef struct covey_sampled {
    uint32_t n;     /* sets of rows that look alike */
    int64_t *f;     /* [n] > 0: rows; of classes of a release with units: persons */
    double *people; /* [n] sums of weights */
} covey_sampled;

/* The name of the weights' column, where it is published beside the row's quasi-identifiers; NULL: it is not. */
const char *covey_i_sampled_weight(const covey_opened *opened);
/* Of the published weights: classes, or rows with the same exact quasi-identifiers; n is 0 where none are published, or
 * quasi-identifiers of a row stand apart from its weight.  In the arena.  COVEY_EPARSE: a weight is none. */
covey_status covey_i_sampled_read(covey_sampled *out, const covey_opened *opened, covey_arena *arena, covey_error *err);

typedef struct covey_sampled_risks {
    double largest, mean; /* expected 1/F of a set, over sets and over the f of each */
    double matches;       /* expected: the sum over all f */
    double people;        /* behind all sets */
    double fewest;        /* behind one: k of the k-map, estimated */
    double uniques;       /* rows that are alone, and whose person is expected to be alone in the population, too */
} covey_sampled_risks;

/* n > 0. */
void covey_i_sampled_risks_find(covey_sampled_risks *out, const covey_sampled *sampled);
/* Those of a release; all NaN where covey_i_sampled_read finds no set. */
covey_status covey_i_sampled_risks_read(covey_sampled_risks *out, const covey_opened *opened, covey_arena *arena,
                                        covey_error *err);

/**
 * The expected 1/F where f > 0 rows of a sample look alike and stand for people of a population of F >= f in
 * expectation.
 *
 * @param share  f over the estimated F, in (0, 1]
 *
 * A hypergeometric series by Euler's transformation.
 */
double covey_i_sampled_risk(int64_t f, double share);

#endif
