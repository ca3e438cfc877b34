/* Random conditions as SQL, and what they mean for single rows: written down apart from the query engine, to judge it
 * by brute force. */
#ifndef COVEY_TESTS_RANDOM_CONDITION_H
#define COVEY_TESTS_RANDOM_CONDITION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONDITION_NULL = INT_MIN, CONDITION_MOST_NODES = 64, CONDITION_MOST_VALUES = 4 };

/* An attribute: numbers low .. high, or labels; then a value is an index. */
typedef struct condition_attribute {
    const char *name; /* as it is written in SQL */
    int low, high;    /* numbers */
    size_t n_labels;
    const char *const *label; /* 0: numbers */
    size_t n_inner;
    const char *const *inner; /* labels of several values */
    const int *inner_low, *inner_high;
} condition_attribute;

typedef struct condition_node {
    enum { NODE_AND, NODE_OR, NODE_NOT, NODE_COMPARE, NODE_BETWEEN, NODE_IN, NODE_IS_NULL, NODE_INNER } kind;
    int child[2];
    int attribute, op, n_values, value[CONDITION_MOST_VALUES];
    bool negated;
} condition_node;

typedef struct random_condition {
    const condition_attribute *attribute;
    size_t n_attributes;
    int n_nodes;
    condition_node node[CONDITION_MOST_NODES]; /* the root is node 0 */
    char sql[4096];
} random_condition;

/* Makes a condition of at most that depth over attributes 0 .. n_attributes-1. */
void condition_make(random_condition *out, const condition_attribute *attribute, size_t n_attributes, int depth,
                    uint64_t *state);
/* Is a row with these values [n_attributes] selected? */
bool condition_selects(const random_condition *condition, const int *value);

#endif
