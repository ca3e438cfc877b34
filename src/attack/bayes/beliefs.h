/* What an adversary believes about the rows of classes, and learns from it; see definetti.c. */
#ifndef COVEY_ATTACK_BAYES_BELIEFS_H
#define COVEY_ATTACK_BAYES_BELIEFS_H

#include "attack/attack_impl.h"

#define COVEY_BELIEF_NOBODY UINT32_MAX

/* Rows of one class that no quasi-identifier tells apart. */
typedef struct covey_belief_rows {
    uint32_t point, n; /* point: COVEY_BELIEF_NOBODY: they are made up, and no rows of the original */
    uint32_t begin;    /* rows order[begin .. begin + n - 1] of the original */
} covey_belief_rows;

typedef struct covey_belief_class {
    uint32_t class;
    uint32_t begin, end; /* of rows[] */
    size_t cell;         /* its beliefs: cell[cell + i * values + j] of the i-th rows and its j-th value */
} covey_belief_class;

typedef struct covey_beliefs {
    covey_attacked *release;
    covey_attack_target *target;
    covey_arena *arena;
    const covey_points *points;
    uint32_t *order; /* rows of the original by class, then by point */
    uint32_t n_classes;
    covey_belief_class *class; /* sampled ones */
    covey_belief_rows *rows;
    double *cell;
    double **weight;                 /* [n_dims] ln of the learned shares, by the column's value first */
    double *total;                   /* [n_values] rows of each value in the sample */
    int64_t n_rows, hits, hard_hits; /* hard_hits < 0: not tried */
    double base;                     /* sum over rows of their class's largest share */
    int64_t n_unknown;               /* classes whose rows are not all known, among those that were looked at */
    bool is_sample;                  /* not all classes were looked at */
    int n_rounds;
} covey_beliefs;

/* Beliefs of all classes whose rows are known, or, where these have more cells than that, of as many as fit, at random
 * by run->seed. */
covey_status covey_i_beliefs_start(covey_beliefs *out, covey_attacked *release, covey_attack_target *target,
                                   size_t most_cells, covey_arena *arena, covey_error *err);
/* Learns in rounds until what is guessed rightly stays about the same.  Fills hits and n_rounds. */
covey_status covey_i_beliefs_learn(covey_beliefs *b, covey_error *err);
/* The hard version, the best of ten starts by its own likelihood.  Fills hard_hits. */
covey_status covey_i_beliefs_swap(covey_beliefs *b, covey_error *err);

/* weight becomes ln((weight + 0.5) / (total + 0.5 card)). */
void covey_i_beliefs_take_logs(covey_beliefs *b, size_t q);

#endif
