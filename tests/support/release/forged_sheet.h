/* Tables of a release folder as cells, to be looked at, forged and written back. */
#ifndef COVEY_TESTS_FORGED_SHEET_H
#define COVEY_TESTS_FORGED_SHEET_H

#include "support/release/release_folder.h"

typedef struct sheet {
    size_t n_rows, n_columns;
    char **cell; /* [(n_rows + 1) * n_columns], header first */
} sheet;

void sheet_read(sheet *s, const release_folder *r, const char *file);
void sheet_write(const sheet *s, const release_folder *r, const char *file);
void sheet_free(sheet *s);

static inline char **sheet_at(const sheet *s, size_t row, size_t column)
{
    return &s->cell[(row + 1) * s->n_columns + column];
}

void sheet_set(const sheet *s, size_t row, size_t column, const char *text);
/* Removes a row. */
void sheet_drop(sheet *s, size_t row);

#endif
