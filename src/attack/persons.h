/* Whose rows the original's are: the publisher's list of the class of each row (anonymize --links) says it exactly, so
 * that persons and households are counted, not bounded. */
#ifndef COVEY_ATTACK_PERSONS_H
#define COVEY_ATTACK_PERSONS_H

#include "attack/attack_impl.h"
#include "audit/linked.h"
#include "model/units.h"

typedef struct covey_attack_persons {
    covey_audit_linked linked;
    covey_unit_set person, whole; /* of the rows of the original */
    uint32_t *class_of_row;       /* from 0; UINT32_MAX: suppressed */
    uint32_t *class_of_person;    /* [person.n] the same; all rows of a person are in one class */
} covey_attack_persons;

/* Proves the list, as covey_verify does, and reads it: sets r->persons.  Nothing without a list.
 *
 * @return COVEY_EINVAL for a release without units, or a list that proves nothing of it */
covey_status covey_i_attack_persons_open(covey_attacked *r, covey_error *err);
/* Numbers persons and units.  first: place of the entity's column in original->more. */
covey_status covey_i_attack_persons_read(covey_attacked *r, size_t first, covey_error *err);

/* Of the persons of a class so many have a row of a value, and of all so many. */
typedef struct covey_attack_person_share {
    uint32_t class, value;
    int64_t n, size, n_all, all;
} covey_attack_person_share;

/* The value that is most more frequent among the persons of a published class than among all; size 0: there is none.
 */
covey_status covey_i_attack_persons_worst(covey_attack_person_share *out, const covey_attacked *r,
                                          const covey_attack_target *target, covey_arena *arena, covey_error *err);

#endif
