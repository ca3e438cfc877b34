/* A population, and how many of it could be in a class or are like a row. */
#ifndef COVEY_ATTACK_LINKAGE_PEOPLE_H
#define COVEY_ATTACK_LINKAGE_PEOPLE_H

#include "attack/attack_impl.h"
#include "reader/points/tree.h"

typedef struct covey_attack_people {
    covey_points points;     /* those whom the release could hold, by quasi-identifiers; at least one */
    int64_t n;               /* all people, with those whom it cannot hold */
    covey_point_tree tree;   /* of the points */
    int64_t *in_node;        /* [tree.n_nodes] people below */
    const covey_cover **box; /* [n_quasi] what the class that was asked for last covers */
    uint32_t *coordinate;    /* [n_quasi] scratch */
} covey_attack_people;

/* In the arena.  COVEY_EINVAL: nobody of the population can be in the release. */
covey_status covey_i_attack_people_make(covey_attack_people *out, const covey_attacked *release, covey_arena *arena,
                                        covey_error *err);

/* How many people a class is: its persons, where its rows are said to be theirs, else its rows. */
int64_t covey_i_attack_people_in_class(const covey_attacked *release, uint32_t class);

/* Who fits the cells of a class, which stay in people->box.  COVEY_EINVAL: fewer people than the class is. */
covey_status covey_i_attack_people_of_class(int64_t *n, covey_attack_people *people, const covey_attacked *release,
                                            uint32_t class, covey_error *err);

/* Who has the exact quasi-identifiers of a published row, of which n_rows are alike.  COVEY_EINVAL: fewer people than
 * that. */
covey_status covey_i_attack_people_like(int64_t *n, covey_attack_people *people, const covey_attacked *release,
                                        uint32_t row, int64_t n_rows, covey_error *err);

#endif
