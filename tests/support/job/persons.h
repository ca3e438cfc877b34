/* Tables of persons with several rows each, for laws of groups and buckets of units: age, zip and illness, the
 * sensitive one.  They are the file table.csv of the test's folder (support/csvs.h), their release is release, and the
 * list of links is links. */
#ifndef COVEY_TESTS_PERSONS_H
#define COVEY_TESTS_PERSONS_H

#include <stdbool.h>
#include <stdint.h>

#include <covey/audit.h>
#include <covey/query.h>

#include "support/query/random_condition.h"

enum { PERSONS_MOST_ROWS = 60, PERSONS_ATTRIBUTES = 3, PERSONS_MOST_ILLNESSES = 6 };

typedef struct persons {
    int n_zips, n_illnesses; /* that there may be: at most 3 and PERSONS_MOST_ILLNESSES */
    int n, n_persons, person[PERSONS_MOST_ROWS], value[PERSONS_MOST_ROWS][PERSONS_ATTRIBUTES];
    bool has_homes;              /* persons are numbered home by home */
    int home[PERSONS_MOST_ROWS]; /* by row */
    int n_wards;                 /* another sensitive attribute; 0: there is none */
    int ward[PERSONS_MOST_ROWS]; /* by row */
} persons;

/* n rows of persons of one to most_rows rows, each with one illness, or any where they vary; n_zips and n_illnesses are
 * kept. */
void persons_make(persons *t, int n, int most_rows, bool vary, uint64_t *state);
/* Gives the persons homes, of one or two of them; each row a ward, or each person one. */
void persons_give_homes(persons *t, uint64_t *state);
void persons_give_wards(persons *t, int n_wards, bool vary, uint64_t *state);
void persons_shuffle(persons *t, uint64_t *state); /* the order of the rows */
void persons_write(const persons *t);

/* Makes the release of the table by a policy, with the list of links or without it. */
covey_status persons_anonymize(const char *policy, bool has_links, uint64_t seed, covey_error *err);
/* Has the other table the same second column of slices?  Fails if only one of the two has a release, and is false if
 * none has. */
bool persons_slice_alike(const persons *t, const persons *other,
                         covey_status (*anonymize)(const void *wish, covey_error *err), const void *wish);

/* The class of each of n rows by the list of links, 0: suppressed. */
void persons_read_links(int *class_of, int *n_classes, int n);

/* The verdict on the release, by the original and the links or from its files alone; NULL if there is none. */
covey_verdict *persons_verify(bool by_links);
/* Does it hold over units by the original and the links; from its files alone, as stated? */
bool persons_are_proven(void);
bool persons_are_stated(void);

/* The attributes for conditions. */
void persons_attributes(condition_attribute attribute[PERSONS_ATTRIBUTES], const persons *t);
/* Fails where the bounds of COUNT(DISTINCT entity), or household, under a random condition do not hold the truth. */
void persons_ask(const covey_query_release *release, const persons *t, bool is_grouped, uint64_t *state);

/* Is there a problem with these words, by the original and the links? */
bool persons_have_problem(const char *words);

/* A release of the others, which suppressed nobody, becomes one of all in which those hidden are suppressed. */
void persons_without(persons *out, const persons *t, const bool *hidden);
void persons_suppress(const persons *t, const bool *hidden);

/* Every number of a file, from the second line on, one more and one less: fails where the release still holds by the
 * original and the links. */
void persons_try_numbers(const char *name);

#endif
