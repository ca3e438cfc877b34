/* The publisher's list of the class of each row, proven, for who counts persons with it. */
#ifndef COVEY_AUDIT_LINKS_LINKED_H
#define COVEY_AUDIT_LINKS_LINKED_H

#include "base/arena.h"
#include "reader/stated/stated.h"

typedef struct covey_audit_linked {
    const char *entity, *within; /* columns of the original; within NULL: persons are the units */
    uint32_t *class_of_line;     /* [rows + dropped rows] published number, from 1; 0: in none */
} covey_audit_linked;

/**
 * Proves a list as covey_verify does, and reads it.
 *
 * @param out  lives in the arena
 * @return COVEY_EINVAL for a list that does not prove what the release states, or a release that is not kept
 */
covey_status covey_i_audit_linked(covey_audit_linked *out, const char *folder, const covey_stated *stated,
                                  const char *original, const char *links, const covey_run *run, covey_arena *arena,
                                  covey_error *err);

#endif
