/* A list of different texts that finds each one's number: elements of published sets, values of priors. */
#ifndef COVEY_READER_NAMES_H
#define COVEY_READER_NAMES_H

#include "base/arena.h"

typedef struct covey_names {
    uint32_t n;
    const char **text; /* [n] NUL-terminated, borrowed */
    uint32_t capacity; /* of text; slots has twice as many, a power of two */
    uint32_t *slot;    /* open addressing; UINT32_MAX: free */
    covey_arena *arena;
} covey_names;

enum { COVEY_MOST_NAMES = 1 << 28 };

/* Ready for about `expected` texts. */
covey_status covey_i_names_init(covey_names *names, uint32_t expected, covey_arena *arena, covey_error *err);
/* Number of a text, added if it is new; the text must live as long as the list. */
covey_status covey_i_names_add(uint32_t *out, covey_names *names, const char *text, covey_error *err);
/* UINT32_MAX if there is no such text. */
uint32_t covey_i_names_find(const covey_names *names, const char *text);

#endif
