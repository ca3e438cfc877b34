/* Small perturbed releases of which all is known: true values, what is shown, and how likely each value was kept. */
#ifndef COVEY_TESTS_PERTURBED_WORLD_H
#define COVEY_TESTS_PERTURBED_WORLD_H

#include <covey/query.h>

#include "support/query/random_condition.h"
#include "support/release/release_folder.h"

/* Columns of the table: age, city, note and pay, which is sensitive. */
enum { N_ATTRIBUTES = 4, AGE = 0, CITY, NOTE, PAY, PERTURBED_MOST_ROWS = 120, N_PAY = 4 };

extern const char *const perturbed_cities[];
extern const condition_attribute perturbed_attributes[];

/* A table, and how likely each pay is kept. */
typedef struct perturbed_world {
    int n_rows;
    int value[PERTURBED_MOST_ROWS][N_ATTRIBUTES]; /* the true ones; pay 0 .. 3 */
    int shown[PERTURBED_MOST_ROWS];
    int prior[N_PAY];
    double alpha[N_PAY];
} perturbed_world;

void perturbed_make(perturbed_world *w, int n_rows, uint64_t *state);
/* Draws what is shown. */
void perturbed_randomize(perturbed_world *w, uint64_t *state);
/* Writes the release, its rows as they stand, and opens it; release_end(r). */
covey_query_release *perturbed_open(release_folder *r, const perturbed_world *w);

#endif
