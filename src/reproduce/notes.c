/* A list: there are some hundred notes, and a measurement takes longer than looking at all. */
#include "reproduce/notes.h"

#include <string.h>

#include "base/error.h"

const void *covey_i_notes_find(const covey_notes *notes, const char *key)
{
    for (const covey_note *note = notes->first; note; note = note->next)
        if (strcmp(note->key, key) == 0)
            return note->value;
    return NULL;
}

covey_status covey_i_notes_add(covey_notes *notes, const char *key, const void *value, size_t size, covey_error *err)
{
    covey_note *note = covey_arena_array(notes->arena, covey_note, 1);
    const char *own = covey_arena_strdup(notes->arena, key);
    char *copy = covey_arena_array(notes->arena, char, size);

    if (!note || !own || !copy)
        return covey_i_no_memory(err);
    memcpy(copy, value, size);
    *note = (covey_note){.next = notes->first, .key = own, .value = copy};
    notes->first = note;
    return COVEY_OK;
}
