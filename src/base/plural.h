/* Nouns after a count, as in ("%" PRId64 " row%s", n, covey_i_plural(n)). */
#ifndef COVEY_BASE_PLURAL_H
#define COVEY_BASE_PLURAL_H

#include <stdint.h>

/* "s", unless it is one. */
static inline const char *covey_i_plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

#endif
