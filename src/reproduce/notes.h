/* What one experiment measured and others of the same run can use: a few figures by the text of all they depend on. */
#ifndef COVEY_REPRODUCE_NOTES_H
#define COVEY_REPRODUCE_NOTES_H

#include "base/arena.h"

typedef struct covey_note covey_note;

struct covey_note {
    covey_note *next;
    const char *key;
    const void *value;
};

/* All zeros at first; notes lie in the arena. */
typedef struct covey_notes {
    covey_arena *arena;
    covey_note *first;
} covey_notes;

/* What was noted; NULL: nothing was. */
const void *covey_i_notes_find(const covey_notes *notes, const char *key);
/* Notes what was not yet: a copy. */
covey_status covey_i_notes_add(covey_notes *notes, const char *key, const void *value, size_t size, covey_error *err);

#endif
