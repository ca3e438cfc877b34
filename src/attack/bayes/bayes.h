/* A Naive Bayes classifier that guesses a sensitive value from quasi-identifiers.  Attacks differ in what they learn it
 * from; from the original itself it shows what can be learned at all (the ceiling). */
#ifndef COVEY_ATTACK_BAYES_BAYES_H
#define COVEY_ATTACK_BAYES_BAYES_H

#include "attack/attack_impl.h"

typedef struct covey_bayes {
    size_t n_dims;
    uint32_t n_values;
    double *log_prior;   /* [n_values]; -1e9 for a value that does not occur */
    double **log_weight; /* [n_dims] each [values of the column * n_values], by the column's value first */
} covey_bayes;

/* How well it guesses. */
typedef struct covey_bayes_outcome {
    int64_t n, hits, top3;    /* rows, rightly guessed ones, ones among the three best guesses */
    int64_t *rows, *recalled; /* [n_values] rows of each value, and rightly guessed ones */
} covey_bayes_outcome;

/* Logarithms of shares; a share of 0 counts as e^-1e9. */
#define COVEY_BAYES_NEVER (-1e9)

/* Would the table of weights be larger than memory should be asked for?  Then it is said why. */
bool covey_i_bayes_too_large(covey_attack_maker *out, const covey_attacked *release, const covey_attack_target *target);

/* An unlearned classifier with the target's prior, in the arena. */
covey_status covey_i_bayes_new(covey_bayes *out, const covey_attacked *release, const covey_attack_target *target,
                               covey_arena *arena, covey_error *err);
/* The best guess for values of the quasi-identifiers; ties go to the smaller value.  score [n_values] is scratch. */
uint32_t covey_i_bayes_guess(const covey_bayes *bayes, const uint32_t *coordinate, double *score);
/* Guesses every row of the original; ties go to the smaller value. */
covey_status covey_i_bayes_try(covey_bayes_outcome *out, const covey_bayes *bayes, covey_attacked *release,
                               const covey_attack_target *target, covey_arena *arena, covey_error *err);

/* The share that a classifier guesses rightly which has learned from the original. */
covey_status covey_i_bayes_ceiling(double *out, covey_attacked *release, const covey_attack_target *target,
                                   covey_arena *arena, covey_error *err);

#endif
