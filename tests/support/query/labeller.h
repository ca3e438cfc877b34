/* What labels of hierarchies mean, written down apart from the library: the labels that each kind of hierarchy gives a
 * value, and which values a constant of a query stands for. */
#ifndef COVEY_TESTS_LABELLER_H
#define COVEY_TESTS_LABELLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LABELLER_MOST_LABELS = 8, LABELLER_BYTES = 64 };

typedef struct labeller_kind {
    const char *name;
    const char *type;      /* of the column */
    const char *hierarchy; /* as a policy writes it; %s: the path of a file with lines */
    const char *lines;     /* NULL: no file */
    const char *publish;   /* "x=range"; NULL: labels */
    /* A value that rows may have. */
    void (*draw)(char out[LABELLER_BYTES], uint64_t *state);
    /* Its labels from the leaf up, without itself and the root; how many. */
    size_t (*labels)(char out[LABELLER_MOST_LABELS][LABELLER_BYTES], const char *value);
    bool is_runs;               /* labels are first..last over any two values, beside those of labels */
    bool is_known_by_rule_only; /* of a tree that is published as a whole only its own labels are labels, and leaves go
                                   before others */
    bool is_ambiguous;          /* values hold "..", so that labels of runs may be read in several ways */
    bool has_plain_leaves;      /* a text that is a leaf means the leaf */
} labeller_kind;

size_t labeller_count(void);
const labeller_kind *labeller_at(size_t i);

/* A constant: a value, a label that some value has, one that none has, or none of these. */
void labeller_constant(char out[LABELLER_BYTES], const labeller_kind *kind, const char *const *value, size_t n_values,
                       uint64_t *state);

/* Does the constant stand for the value?  -1: it has several readings, and must be refused. */
int labeller_stands(const labeller_kind *kind, const char *constant, const char *value);

/* Is a the finer of two labels of one value? */
bool labeller_is_finer(const labeller_kind *kind, const char *a, const char *b, const char *value);

/* Values in their column's order, as strcmp. */
int labeller_compare(const labeller_kind *kind, const char *a, const char *b);

#endif
