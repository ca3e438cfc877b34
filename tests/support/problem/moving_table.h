/* A table that changes from release to release, with what its releases have said of its people; for tests of
 * m-invariance.  Keeps signatures by itself, as sets of bits, and not as the library does. */
#ifndef COVEY_TESTS_MOVING_TABLE_H
#define COVEY_TESTS_MOVING_TABLE_H

#include "problem/history.h"
#include "support/problem/problem_maker.h"

enum { MOVING_MOST_PEOPLE = 600, MOVING_MOST_VALUES = 16, MOVING_AXES = 3, MOVING_AXIS_VALUES = 12 };

typedef struct moving_person {
    uint32_t axis[MOVING_AXES], value;
    uint32_t signature; /* a bit for each value; 0: in no release yet */
    bool is_here;
} moving_person;

typedef struct moving_table {
    uint64_t random;
    int n_axes; /* 1: a number alone; 3: also a category with a tree, and one without */
    uint32_t n_people, n_values;
    moving_person person[MOVING_MOST_PEOPLE]; /* [n_people] who have ever been in it */
    uint32_t n_rows, row[MOVING_MOST_PEOPLE]; /* who is in it now, in the order of the rows */
} moving_table;

/* Nobody is in it. */
void moving_begin(moving_table *t, uint64_t seed, int n_axes, uint32_t n_values);
/* So many people come; so many go; so many who went before come back, or as many as there are.  Rows are in a new
 * order. */
void moving_change(moving_table *t, uint32_t n_new, uint32_t n_gone, uint32_t n_back);
/* The problem of its rows, with the history of their signatures; order as in problem_maker.h.  model: promises on the
 * sensitive attribute, "m-invariance" with "m=3" and so on, NULL behind the last. */
void moving_problem(problem_maker *m, const moving_table *t, const uint32_t *order, const char *const (*promise)[2]);

/* The values of a class of a release, as bits; two rows of one value fail the test.  problem: that of the release. */
uint32_t moving_values_of(const covey_release *release, const covey_problem *problem, uint32_t class_index);
/* Takes the release as published: people in it have the signatures of their classes from now on.  Fails the test where
 * somebody has another one already, somebody is in two classes, or more people than may be are in none. */
void moving_publish(moving_table *t, const covey_release *release, const covey_problem *problem);

#endif
