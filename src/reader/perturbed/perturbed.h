/* A perturbed release as its reader sees it: perturbed.c has the form and its rows, lines.c reads perturbation.csv and
 * matrix.csv. */
#ifndef COVEY_READER_PERTURBED_PERTURBED_H
#define COVEY_READER_PERTURBED_PERTURBED_H

#include "reader/form_impl.h"

#define COVEY_PERTURBED_ROWS "table.csv"
#define COVEY_PERTURBED_VALUES "perturbation.csv"
#define COVEY_PERTURBED_MATRIX "matrix.csv"

typedef struct covey_perturbed_lines {
    const covey_opened_table *table;
    const covey_column *value; /* texts; a missing value is "" */
    uint32_t n;
    const double *prior, *cap, *gamma, *alpha; /* [n]; gamma may be infinite; alpha: multiples of 2^-64 in [0, 1] */
    const covey_opened_table *matrix; /* published, original, probability, inverse; NULL: it is not in the release */
} covey_perturbed_lines;

/* Reads perturbation.csv, and matrix.csv if it is listed, into form_data.  *usable: the numbers of the former are what
 * they can be, and the latter has its columns. */
covey_status covey_i_perturbed_read_values(bool *usable, covey_opened *o, const bool *present, covey_problems *problems,
                                           const covey_run *run, covey_error *err);

/* Says what the columns of table.csv are called, and compares its rows with what is stated. */
void covey_i_perturbed_expect(covey_opened_table *rows, covey_opened *o);
void covey_i_perturbed_compare_counts(covey_problems *problems, const covey_opened *o, const covey_opened_table *rows);

#endif
