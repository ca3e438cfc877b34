/* A CSV reader of the tests' own, as simple as can be: what the library writes is looked at without the library. */
#ifndef COVEY_TESTS_PLAIN_CSV_H
#define COVEY_TESTS_PLAIN_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct plain_table {
    size_t n_rows, n_columns; /* without the header */
    const char **name;        /* [n_columns] */
    const char **cell;        /* [n_rows * n_columns], row by row */
} plain_table;

/* Reads a file with commas, LF and a header; anything else fails the test.  The table is the arena's. */
void plain_read(plain_table *table, const char *path, covey_arena *arena);
/* The same; false for anything else. */
bool plain_try_read(plain_table *table, const char *path, covey_arena *arena);

const char *plain_cell(const plain_table *table, size_t row, size_t column);
size_t plain_find(const plain_table *table, const char *name); /* the test fails if there is no such column */

/* The elements of a published cell: of "{a, b}" a and b without their quotes, otherwise the cell itself.  The arena's.
 */
size_t plain_elements(const char ***out, const char *cell, covey_arena *arena);

#endif
