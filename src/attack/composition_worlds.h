/* How many worlds give a person a value: few people whose classes in two releases are tied to each other. */
#ifndef COVEY_ATTACK_COMPOSITION_WORLDS_H
#define COVEY_ATTACK_COMPOSITION_WORLDS_H

#include "attack/attack_impl.h"

enum { COVEY_MOST_TIED = 8, COVEY_MOST_WORLD_STEPS = 1 << 24 };

/* Somebody who is in both releases. */
typedef struct covey_tied_person {
    uint32_t unit;     /* of the ledger */
    uint32_t class[2]; /* from 0, in each release; of several in the first two, UINT32_MAX: not there */
    uint32_t value;    /* that he has, as the first release counts them */
    uint32_t group;    /* people whose classes are tied have the same */
    covey_i128 has, n; /* worlds in which he has it, and all worlds */
} covey_tied_person;

typedef struct covey_tied_worlds {
    const covey_attack_target *target[2];
    const uint32_t *value_of[2]; /* [target->n_values] value of the first release; UINT32_MAX: none */
    int64_t *left[2];            /* [COVEY_MOST_TIED][n_values of the first] rows of each class that nobody has yet */
    int64_t n_steps;             /* taken so far, of all groups */
    covey_tied_person *person;   /* of the group at hand */
    uint32_t n;
    uint32_t place[2][COVEY_MOST_TIED]; /* of each person's class in left */
    uint32_t value[COVEY_MOST_TIED];    /* of the world at hand */
} covey_tied_worlds;

/* Numbers groups, and sorts people by them. */
covey_status covey_i_composition_worlds_group(covey_tied_person *person, uint32_t n,
                                              const covey_attack_target *const target[2], covey_arena *arena,
                                              covey_error *err);
/* Counts the worlds of a group; false: there are too many, and nothing is said of it. */
bool covey_i_composition_worlds_count(covey_tied_worlds *w, covey_tied_person *person, uint32_t n);

#endif
