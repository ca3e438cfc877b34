/* Whose rows the original's are: the publisher's list of the class of each row (anonymize --links) says it exactly, so
 * that persons and households are counted, not bounded. */
#ifndef COVEY_ATTACK_PERSONS_H
#define COVEY_ATTACK_PERSONS_H

#include "attack/attack_impl.h"
#include "audit/links/linked.h"
#include "model/units.h"

typedef struct covey_attack_persons {
    covey_audit_linked linked;
    covey_unit_set person, whole;      /* of the rows of the original */
    uint32_t *class_of_row;            /* from 0; UINT32_MAX: suppressed */
    uint32_t *class_of_person;         /* [person.n] the same; all rows of a person are in one class */
    uint32_t *row_of_person;           /* [person.n] one of the person's */
    const covey_column *name, *within; /* what the original calls persons, and what they are part of; within NULL:
                                          nothing */
} covey_attack_persons;

/* What each person has of a sensitive attribute, beside covey_attack_target.persons. */
typedef struct covey_attack_having {
    uint32_t *start, *value; /* value[start[u] .. start[u + 1] - 1]: of person u, ascending */
    bool is_single;          /* nobody has two */
} covey_attack_having;

/* A number for each value of the original's column, and for each row without one: that is somebody else's. */
covey_status covey_i_attack_persons_number(covey_unit_set *out, covey_attacked *r, const covey_column *column,
                                           covey_error *err);
/* Proves the list, as covey_verify does, and reads it: sets r->persons.  Nothing without a list.
 *
 * @return COVEY_EINVAL for a release without units, or a list that proves nothing of it */
covey_status covey_i_attack_persons_open(covey_attacked *r, covey_error *err);
/* Numbers persons and units.  first: place of the entity's column in original->more. */
covey_status covey_i_attack_persons_read(covey_attacked *r, size_t first, covey_error *err);
/* Gives every target the same over persons (covey_attack_target.persons).  Nothing without a list. */
covey_status covey_i_attack_persons_targets(covey_attacked *r, covey_error *err);

#endif
