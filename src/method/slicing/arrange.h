/* Random groups of rows with different values; see arrange.c. */
#ifndef COVEY_METHOD_SLICING_ARRANGE_H
#define COVEY_METHOD_SLICING_ARRANGE_H

#include "base/arena.h"
#include "base/rng.h"
#include "method/anatomy/anatomy.h"

/* Rows in groups.  Rows of a value are at most one in l of them. */
typedef struct covey_slicing_arrangement {
    uint32_t l; /* members of a group, at least */
    uint32_t n, n_groups;
    uint64_t *member; /* [n] value << 32 | what the row is known by; group by group, larger ones first */
    struct covey_slicing_place {
        uint32_t first, end; /* in member */
    } * place;               /* [n] the group of each */
    uint32_t *extra;         /* [l] members that the first groups have beyond l */
} covey_slicing_arrangement;

/* Room for up to most rows, in the arena. */
covey_status covey_i_slicing_arrangement_new(covey_slicing_arrangement *a, uint32_t l, uint32_t most,
                                             covey_arena *arena, covey_error *err);

/* Arranges member[0 .. n-1], which may stand in any order; n >= l.  False, and they are in no groups: that was not
 * found. */
bool covey_i_slicing_arrange(covey_slicing_arrangement *a, uint32_t n, covey_rng *rng);
/* The same from the groups that anatomy makes of what it has listed, n rows. */
void covey_i_slicing_arrange_listed(covey_slicing_arrangement *a, covey_anatomy *anatomy, uint32_t n, covey_rng *rng);

#endif
