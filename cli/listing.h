/* What is built in, told by name: the commands models, methods and attacks. */
#ifndef COVEY_CLI_LISTING_H
#define COVEY_CLI_LISTING_H

#include <jansson.h>

#include "args.h"

/* Things of one kind; index < count(). */
typedef struct cli_listing {
    const char *noun, *key; /* "model", and "models" in JSON */
    size_t (*count)(void);
    const char *(*name)(size_t index);
    json_t *(*json)(size_t index);
    void (*print)(size_t index);
} cli_listing;

/* Prints those of each kind that the operands name, or all of them.  A name that there is not is COVEY_ENOTFOUND, with
 * the nearest; it is called what the first kind is. */
covey_status cli_listing_print(const cli_listing *kind, size_t n_kinds, const cli_call *call, covey_error *err);

#endif
