/* Small random problems: tables with axes of every kind and promises of every model. */
#ifndef COVEY_TESTS_RANDOM_PROBLEM_H
#define COVEY_TESTS_RANDOM_PROBLEM_H

#include "support/problem/problem_maker.h"

/* Rows of the problem with that number, and its models, for messages. */
uint32_t random_problem_rows(uint64_t number);
/* Problem number 0, 1, ... with one sensitive attribute and these promises of it ("l=2"; NULL: no second one). */
void random_grouped_problem(problem_maker *m, uint64_t number, const uint32_t *order, const char *const promise[2][2]);

const char *random_problem_text(const problem_maker *m);

/**
 * Makes problem number 0, 1, ...: 1 to 4 axes (ranges with gaps, trees, categories, with and without missing cells), 1
 * or 2 sensitive attributes, perhaps a column that is published as it is; 1 to 3 promises, often only of beta-likeness
 * and k, or one of t-closeness and k.
 *
 * @param order  [random_problem_rows(number)] see problem_maker; NULL: as made
 */
void random_problem(problem_maker *m, uint64_t number, const uint32_t *order);

/* Random values for a method's parameters that are switches, choices or numbers; *text receives them. */
void *random_method_params(problem_maker *m, const covey_method *method, uint64_t number, char *text, size_t text_size);

#endif
