/* Promises over units: persons, households or firms that have several rows each.
 *
 * A class of k rows may be one person's.  So a promise of a table whose rows have units holds over them, too: nobody
 * has more than 1/k of a class's rows, and what a model says of shares of rows holds of shares of persons.  All rows of
 * a unit are in one class, so that both are sums over classes.  docs/design/units.md says why. */
#ifndef COVEY_MODEL_UNITS_H
#define COVEY_MODEL_UNITS_H

#include "model/promise.h"

/* Which rows belong together.  Numbers say nothing but that. */
typedef struct covey_unit_set {
    uint32_t n;
    uint32_t *of_row; /* [rows of the table] */
} covey_unit_set;

typedef struct covey_units {
    const char *entity; /* the column that names persons */
    const char *within; /* that names what persons are part of, such as households; NULL: nothing */
    covey_unit_set person;
    covey_unit_set whole;              /* what is kept together: households if there are any, else the persons */
    uint32_t *n_rows;                  /* [whole.n] rows of each; NULL: they were not counted */
    uint64_t *first, *first_of_person; /* a bit for each row, where they were counted: is it the first one of its unit,
                                          and, where persons are part of units, of its person? */
    uint32_t *person_of; /* [whole.n + 1] persons person_of[u] .. person_of[u + 1] - 1 are part of u; NULL: they are the
                            units themselves, or it was not found out */
    int64_t torn_line;   /* of a row that is dropped for a missing value while others of its unit stay; 0: of none */
    const char *torn_word; /* "line" or "row" */
    /* Where values are promised, once that is prepared: */
    uint32_t *start; /* [person.n + 1] rows start[p] .. start[p + 1] - 1 of these are person p's */
    void **value;    /* [n_views][rows] codes as wide as the view's */
} covey_units;

/* So many rows, or units, nobody may be told apart from; 0: the promise does not ask for any. */
int64_t covey_i_units_least_rows(const covey_promise *promise);
/* The largest of these k among promises about shares of rows (units: share); 0: there is none. */
int64_t covey_i_units_largest_k(const covey_promises *promises);
/* Does a promise count units alone (units: count)? */
bool covey_i_units_are_counted(const covey_promises *promises);

/**
 * Prepares all promises for units: their state with the prior over persons, whose values it brings together.  Views
 * have rows, promises are prepared over rows.
 *
 * @return COVEY_EINVAL for a model that is defined on distributions, where a person has several values: it can be asked
 * over rows alone (units: rows); *failed says which promise
 */
covey_status covey_i_units_prepare(size_t *failed, covey_promises *promises, covey_units *units, int64_t n_rows,
                                   covey_arena *arena, covey_error *err);

/* Is all that prepared promises ask for told by how many rows and persons there are, and how many have each value? */
bool covey_i_units_counts_suffice(const covey_promises *promises);

/* Scratch for judging classes, one for each thread. */
typedef struct covey_unit_judge covey_unit_judge;

covey_status covey_i_unit_judge_new(covey_unit_judge **out, const covey_promises *promises, const covey_units *units,
                                    covey_arena *arena, covey_error *err);

/* What the units of a class are, beside their rows. */
typedef struct covey_unit_facts {
    int64_t n_rows, n_units, n_persons, largest; /* rows of the unit with most of them */
} covey_unit_facts;

/**
 * Judges a class over its units.
 *
 * @param rows    its rows, those of a unit one after another, and in these those of a person
 * @param broken  receives the first promise that does not hold, -1: all do
 */
covey_status covey_i_unit_judge_class(covey_unit_facts *facts, int *broken, covey_unit_judge *judge,
                                      const uint32_t *rows, uint32_t n, covey_error *err);

/* The same of a class that is told by counts, where these suffice: the persons that have each value of a view, which
 * the caller counts ... */
covey_histogram *covey_i_unit_judge_persons(covey_unit_judge *judge, size_t view);
/* ... and what else there is to know.  The first promise that does not hold; -1: all do. */
int covey_i_unit_judge_counted(covey_unit_judge *judge, const covey_unit_facts *facts);

#endif
