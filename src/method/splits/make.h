/* One axis while its splits are made: what splits.c and make.c share. */
#ifndef COVEY_METHOD_SPLITS_MAKE_H
#define COVEY_METHOD_SPLITS_MAKE_H

#include "method/splits/splits.h"

typedef struct covey_splits_maker {
    const covey_problem *problem;
    const covey_axis *axis;
    const char *owner; /* for messages */
    covey_arena *arena;
    const covey_run *run;      /* for warnings; may be NULL */
    covey_fraction low, high;  /* the domain */
    covey_fraction *threshold; /* [n] */
    uint32_t n;
    bool is_list; /* somebody wrote the thresholds down */
} covey_splits_maker;

uint32_t covey_i_splits_first_value(const covey_axis *axis); /* behind the code of missing cells, if there is one */
/* Empties the thresholds and makes room for so many. */
covey_status covey_i_splits_reserve(covey_splits_maker *m, uint64_t most, covey_error *err);
void covey_i_splits_add(covey_splits_maker *m, covey_fraction t);
/* Rows per code. */
covey_status covey_i_splits_count_codes(uint64_t **out, const covey_splits_maker *m, covey_error *err);

/* Between any two neighbouring values; the sorted rows number ceil(i N / (parts + 1)), each value once and not the
 * maximum; equal widths; multiples of a step. */
covey_status covey_i_splits_distinct(covey_splits_maker *m, covey_error *err);
covey_status covey_i_splits_quantiles(covey_splits_maker *m, const uint64_t *count, int64_t parts,
                                      covey_error *err); /* count: rows per code */
covey_status covey_i_splits_widths(covey_splits_maker *m, int64_t parts, covey_error *err);
covey_status covey_i_splits_steps(covey_splits_maker *m, covey_fraction step, covey_error *err);

/* Ascending, inside low <= t < high, each once; warns of what was not so. */
void covey_i_splits_tidy(covey_splits_maker *m);
/* How many codes go left of a threshold. */
uint32_t covey_i_splits_codes_up_to(const covey_axis *axis, covey_fraction t);

#endif
