/* What the name of a preset claims of a release: who publishes is held to it, and so is who verifies. */
#ifndef COVEY_MODEL_PRESET_CLAIMS_H
#define COVEY_MODEL_PRESET_CLAIMS_H

#include <stddef.h>

typedef struct covey_preset_claim {
    const char *name;
    const char *k;      /* k-anonymity with this k at least; NULL: nothing of that kind */
    const char *oldest; /* ages from here on are one category; NULL: nothing of that kind, nor of ZIP codes */
} covey_preset_claim;

const covey_preset_claim *covey_i_preset_claim(const char *name); /* NULL if there is none of that name */

#endif
