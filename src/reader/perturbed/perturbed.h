/* The lines of perturbation.csv as their reader sees them; see lines.c. */
#ifndef COVEY_READER_PERTURBED_PERTURBED_H
#define COVEY_READER_PERTURBED_PERTURBED_H

#include "reader/opened.h"

typedef struct covey_perturbed_lines {
    const covey_opened_table *table;
    const covey_column *value; /* texts; a missing value is "" */
    uint32_t n;
    const double *prior, *cap, *gamma, *alpha; /* [n]; gamma may be infinite; alpha: multiples of 2^-64 in [0, 1] */
} covey_perturbed_lines;

#endif
