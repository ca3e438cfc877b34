/* Minimality: what someone learns from a release who knows all quasi-identifiers, how often each sensitive value
 * occurs, and the program. On a tiny table every assignment of the sensitive values to the rows (a world) is tried:
 * worlds with the same release are equally likely, so the share of them in which a row has a value is what that person
 * believes. */
#ifndef COVEY_TESTS_MINIMALITY_H
#define COVEY_TESTS_MINIMALITY_H

#include "method/method_impl.h"

enum { MINIMALITY_MOST_ROWS = 9, MINIMALITY_MOST_VALUES = 4 };

typedef struct minimality_table {
    uint32_t n_rows, n_axes, n_values;
    uint32_t code[3][MINIMALITY_MOST_ROWS]; /* of each axis, below n_codes */
    uint32_t n_codes;
    int64_t count[MINIMALITY_MOST_VALUES]; /* rows of each sensitive value */
} minimality_table;

typedef struct minimality {
    int64_t n_worlds, n_outputs;
    int64_t n_breached; /* worlds whose release makes some row's value more likely than the promise allows of a class */
    double worst;       /* largest belief / bound */
} minimality;

/* The first n_rows = sum of counts rows at random places. */
void minimality_random_table(minimality_table *table, const int64_t *count, uint32_t n_values, uint32_t n_axes,
                             uint64_t seed);

/* The method's releases of all worlds under enhanced beta-likeness; params as in "cuts=1,min-size=2". */
void minimality_measure(minimality *out, const minimality_table *table, const char *method, const char *params,
                        covey_ratio beta);

#endif
