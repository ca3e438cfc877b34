/* Groups of rows with different sensitive values inside closed buckets; see groups.c. */
#ifndef COVEY_METHOD_SLICING_GROUPS_H
#define COVEY_METHOD_SLICING_GROUPS_H

#include "base/rng.h"
#include "method/anatomy/anatomy.h"
#include "method/slicing/arrange.h"
#include "method/slicing/several_groups.h"

/* What a pair stands for: these are few, while rows lie anywhere. */
typedef struct covey_slicing_pairs {
    uint32_t *set, *value; /* [n_pairs] */
} covey_slicing_pairs;

/* Scratch of one thread. */
typedef struct covey_slicing_groups {
    const covey_slicing *s;
    const covey_slicing_pairs *pairs;
    uint32_t l; /* ceil(l) */
    covey_rng rng;
    covey_arena counts;   /* n_of_set, n_of_value, and what several has */
    uint32_t *n_of_set;   /* [n_sets] zero between calls */
    uint32_t *n_of_value; /* [sensitive values] the same */
    covey_arena arena;    /* all else, of [most] rows */
    uint32_t most;
    covey_slicing_arrangement arrangement;
    covey_anatomy anatomy;
    uint64_t *set, *spare;                 /* [most] that a bucket has */
    uint32_t *by_set;                      /* [most] contents, as they come in each set */
    uint32_t *count;                       /* [most] of a set's contents */
    uint32_t *rest;                        /* [most] contents of sets that were not parted */
    covey_slicing_several_groups *several; /* instead of all that; NULL: one attribute is sensitive */
} covey_slicing_groups;

/* COVEY_ENOMEM; to be cleared in any case. */
covey_status covey_i_slicing_groups_new(covey_slicing_groups *p, const covey_slicing *s,
                                        const covey_slicing_pairs *pairs, covey_error *err);
void covey_i_slicing_groups_clear(covey_slicing_groups *p);

/* Random numbers of their own for the buckets of a block. */
void covey_i_slicing_groups_seed(covey_slicing_groups *p, const unsigned char key[32], uint32_t block);

/**
 * The rows of each set of a bucket become groups of their own where they can; the others stay together.
 *
 * @param out     [contents->n_rows] receives the rows, group by group
 * @param begins  [contents->n_rows] receives 1 where a group begins, else 0
 */
covey_status covey_i_slicing_part(covey_slicing_groups *p, uint32_t *out, uint8_t *begins,
                                  const covey_slicing_contents *contents, covey_error *err);

/* The same, but all rows stay together. */
void covey_i_slicing_keep(uint32_t *out, uint8_t *begins, const covey_slicing_contents *contents);

#endif
