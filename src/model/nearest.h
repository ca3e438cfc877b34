/* The policy nearest to one that no release can keep: what a refusal names, in words and for programs
 * (covey_error.nearest). */
#ifndef COVEY_MODEL_NEAREST_H
#define COVEY_MODEL_NEAREST_H

#include "model/promise.h"

/* Adds that a parameter of the model would have to have this value. */
void covey_i_nearest_change(covey_nearest *nearest, const char *param, const char *fmt, ...) COVEY_PRINTF(3, 4);

/* Changes of a policy, being collected; zero-initialise. */
typedef struct covey_changes {
    char privacy[768], method[512];
    bool is_lost; /* a change is not known, or too long: the others alone would not do */
} covey_changes;

/* A promise with other parameters; n of nearest 0: none are known. */
void covey_i_changes_promise(covey_changes *changes, const covey_promise *promise, const covey_nearest *nearest);
/* A parameter of the method. */
void covey_i_changes_method(covey_changes *changes, const char *param, const char *fmt, ...) COVEY_PRINTF(3, 4);
/* The same of a value that is a list or an object, as JSON. */
void covey_i_changes_method_json(covey_changes *changes, const char *param, const char *json);
/* Fills err->nearest, after the message; leaves it empty if nothing is known. */
void covey_i_changes_give(covey_error *err, const covey_changes *changes);

#endif
