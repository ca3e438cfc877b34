/* Problems for tests of methods: tables from arrays of codes, with axes of every kind and promises by name.  Mistakes
 * fail the test. */
#ifndef COVEY_TESTS_PROBLEM_MAKER_H
#define COVEY_TESTS_PROBLEM_MAKER_H

#include "base/arena.h"
#include "method/method_impl.h"

enum { MAKER_MOST_COLUMNS = 24 };

typedef struct problem_maker {
    covey_problem problem; /* complete after maker_finish */
    covey_arena arena;
    covey_column *column[MAKER_MOST_COLUMNS];
    covey_hierarchy *tree[MAKER_MOST_COLUMNS];
    covey_histogram prior[MAKER_MOST_COLUMNS];
    const uint32_t *order; /* set after maker_init: row i gets the cells given for row order[i]; NULL: as given */
} problem_maker;

void maker_init(problem_maker *m, uint32_t n_rows);
void maker_clear(problem_maker *m);

/* Quasi-identifiers: codes[0 .. n_rows-1] below n_values.  With has_null code 0 is the missing value.
 * numbers: number[code], ascending, [n_values]; NULL: the code itself. */
void maker_add_range(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null,
                     const int64_t *number);
void maker_add_flat(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null);
/* A balanced tree of that arity over the values. */
void maker_add_tree(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null,
                    int arity);
/* A hierarchy file; the values are called v00000, v00001, ... */
void maker_add_tree_file(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values,
                         const char *path);
/* A sensitive attribute, a number; returns its view. */
int maker_add_sensitive(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values);
/* Gives a view's attribute a balanced tree of that arity over its values. */
void maker_add_sensitive_tree(problem_maker *m, int view, int arity);
/* The same from the text of a hierarchy file, one line per leaf; the leaves' order must be the values'. */
void maker_add_sensitive_tree_text(problem_maker *m, int view, const char *text);
void maker_add_insensitive(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values);
/* A model by name, parameters as in "k=5" or "t=0.2,distance=ordered"; view: -1 for models without a sensitive
 * attribute. */
void maker_promise(problem_maker *m, const char *model, const char *params, int view);
/* Equal weights, priors, promises.  Returns the status of preparing the promises. */
covey_status maker_finish(problem_maker *m, covey_error *err);

/* A method's parameters, as in "dims=score,cuts=1"; in the maker's arena. */
void *maker_method_params(problem_maker *m, const covey_method *method, const char *text);

/* What a release publishes, as text: class by class the cells' codes and the other fields' codes; group by group rows
 * and values. */
char *maker_published(const covey_release *release, const covey_problem *problem);

/* SplitMix64. */
uint64_t maker_random(uint64_t *state);
uint32_t maker_below(uint64_t *state, uint32_t n);
void maker_shuffle(uint32_t *order, uint32_t n, uint64_t *state); /* 0 .. n - 1 */

#endif
