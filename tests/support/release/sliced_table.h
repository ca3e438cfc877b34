/* Small tables for slicing, and their slices. */
#ifndef COVEY_TESTS_SLICED_TABLE_H
#define COVEY_TESTS_SLICED_TABLE_H

#include "support/problem/problem_maker.h"

enum { SLICED_MOST_ROWS = 24, SLICED_MOST_VALUES = 4, SLICED_MOST_DIMS = 3, SLICED_N_OPTIONS = 10 };

/* Parameters of the method, one choice each. */
extern const char *const sliced_options[SLICED_N_OPTIONS];

typedef struct sliced_table {
    uint32_t n, n_dims;
    uint32_t code[SLICED_MOST_DIMS + 2][SLICED_MOST_ROWS]; /* the last ones are sensitive */
} sliced_table;

void sliced_random(sliced_table *t, uint64_t *seed);
/* A problem of the table: every value is a quasi-identifier's, the last one's sensitive, with sliced-l-diversity.
 * order: of the rows; NULL: as they are. */
void sliced_make(problem_maker *m, const sliced_table *t, const char *l, const uint32_t *order);

/* Slices it.  columns: NULL for found ones. */
covey_status sliced_solve(covey_release **out, problem_maker *m, const char *params, const char *columns, int n_threads,
                          uint64_t seed);

/* What the line of a slice holds of a field. */
uint32_t sliced_code(const covey_release *release, const covey_problem *problem, size_t s, size_t f, uint32_t line);
/* The columns' lines as text. */
void sliced_print(char *out, size_t size, const covey_release *release, const covey_problem *problem);

#endif
