/* Releases that attacks are tried on, small enough to check by hand. */
#ifndef COVEY_TESTS_ATTACKED_RELEASE_H
#define COVEY_TESTS_ATTACKED_RELEASE_H

#include <covey/attack.h>

#include "support/release/release_folder.h"

enum { ATTACKED_MOST_VALUES = 8, ATTACKED_MOST_CLASSES = 8 };

/* Classes of rows whose sensitive values are v1, v2, ...; rows have ages 1, 2, ... class after class, in a class value
 * after value. */
typedef struct attacked_table {
    const char *promises; /* JSON with ' for ", a list */
    int n_classes, n_values;
    int count[ATTACKED_MOST_CLASSES][ATTACKED_MOST_VALUES];
} attacked_table;

/* The form generalized, with the original that has these rows. */
void attacked_generalized(release_folder *r, const attacked_table *table);
/* The form perturbed: rows 1, 2, ... of one age each have the values and show others; all values alike frequent, each
 * kept with chance 1/3. */
void attacked_perturbed(release_folder *r, int n_values, int n_rows, const int *value, const int *shown);

/* The form sliced: ages; towns a and b with values v1 and v2, which who knows the town knows the better; in two buckets
 * of four. */
void attacked_sliced(release_folder *r);
/* The form transformed: a group of four whose target is 1 or 2, each with chance 1/2; three rows have 1. */
void attacked_transformed(release_folder *r);

/* Runs the attack of that name; the test fails if that is an error.  options: NULL, or without a name. */
covey_attack_report *attacked_run(const release_folder *r, const char *name, const covey_attack_options *options);
/* A detail of the first result; the test fails if there is none of that name. */
const covey_attack_value *attacked_detail(const covey_attack_report *report, const char *name);
/* A cell of a table of the first result. */
const covey_attack_value *attacked_cell(const covey_attack_report *report, const char *table, size_t row,
                                        const char *column);

#endif
