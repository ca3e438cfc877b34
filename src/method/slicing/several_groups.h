/* Groups inside closed buckets where several attributes are sensitive; see several_groups.c. */
#ifndef COVEY_METHOD_SLICING_SEVERAL_GROUPS_H
#define COVEY_METHOD_SLICING_SEVERAL_GROUPS_H

#include "base/rng.h"
#include "method/slicing/slicing.h"

typedef struct covey_slicing_several_groups covey_slicing_several_groups;

/* Scratch of one thread, in its arena. */
covey_status covey_i_slicing_several_groups_new(covey_slicing_several_groups **out, const covey_slicing *s,
                                                covey_arena *arena, covey_error *err);

/* The n rows of a bucket that holds, which may stand in out, as groups that hold; begins as covey_i_slicing_part has
 * it.
 */
covey_status covey_i_slicing_several_groups_part(covey_slicing_several_groups *p, covey_rng *rng, uint32_t *out,
                                                 uint8_t *begins, const uint32_t *row, uint32_t n, covey_error *err);

#endif
