/* Small sliced releases of four attributes, written by hand, and every table that they may stand for. */
#ifndef COVEY_TESTS_SLICED_WORLD_H
#define COVEY_TESTS_SLICED_WORLD_H

#include "support/release/release_folder.h"

enum { SLICED_ATTRIBUTES = 4, SLICED_MOST_SLICES = 4, SLICED_MOST_BUCKETS = 3, SLICED_MOST_PIECES = 10 };

typedef struct sliced_schema {
    const char *slices;                                                 /* as in the manifest */
    int n_slices, attribute[SLICED_MOST_SLICES][SLICED_ATTRIBUTES + 1]; /* -1 behind the last */
} sliced_schema;

typedef struct sliced_world {
    const sliced_schema *schema;
    int n_buckets, n_rows[SLICED_MOST_BUCKETS];
    int value[SLICED_MOST_BUCKETS][SLICED_MOST_PIECES][SLICED_ATTRIBUTES];
    bool is_coarse; /* for who writes cells of his own */
} sliced_world;

/* How worlds are published. */
typedef struct sliced_text {
    const char *names[SLICED_ATTRIBUTES];
    /* Writes a comma and a cell, and says how much that was; NULL: ",a0" for the value 0 of "a". */
    size_t (*add_cell)(char *to, size_t room, const sliced_world *w, int attribute, int value);
    const char *columns, *promises; /* elements of these lists in the manifest */
} sliced_text;

/* A column of the manifest that is published as text. */
#define SLICED_QUASI(name, weight)                                                                                     \
    "{'name': '" name "', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '" weight          \
    "', 'has_missing': false}"
#define SLICED_SENSITIVE(name)                                                                                         \
    "{'name': '" name "', 'role': 'sensitive', 'type': 'text', 'publish': 'value', 'has_missing': false}"

/* A new folder with the release; in each column the pieces of a bucket are sorted by their values. */
void sliced_write(release_folder *r, const sliced_world *w, const sliced_text *text);

/* Calls visit with the rows of every table that a bucket may stand for: the pieces of the first column stay where they
 * are, since rows may be called after them. */
void sliced_tables(const sliced_world *w, int bucket,
                   void (*visit)(void *context, const int (*row)[SLICED_ATTRIBUTES], int n), void *context);

#endif
