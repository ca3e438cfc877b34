/* What two releases say together of the persons who are in both. */
#ifndef COVEY_ATTACK_COMPOSITION_PERSONS_H
#define COVEY_ATTACK_COMPOSITION_PERSONS_H

#include "attack/attack_impl.h"

typedef struct covey_composition_persons {
    int64_t n_persons, n; /* n: persons and the values that each has */
    int64_t single;       /* persons whose classes have one value in common */
    int64_t impossible;   /* of n: the person's class of the other release does not have the value */
    int64_t above;        /* of n: more than what is promised over persons of the first release */
    int64_t fewest;       /* persons that two classes of a person have in common */
    double mean, most;    /* of the posteriors of what persons have */
    double alone[2];      /* mean shares of it from each alone */
} covey_composition_persons;

/**
 * Puts together the classes of each person.
 *
 * Both releases have a list of whose rows are whose (persons.h).  Persons are the same who are in the same line of one
 * table or, where the releases are of two, are called alike; who has no name there is nobody else.
 */
covey_status covey_i_composition_persons_find(covey_composition_persons *out, const covey_attacked *r,
                                              const covey_attack_target *t, const covey_attack_target *other,
                                              covey_arena *arena, covey_error *err);

#endif
