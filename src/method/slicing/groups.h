/* Groups of rows with different sensitive values inside closed buckets; see groups.c. */
#ifndef COVEY_METHOD_SLICING_GROUPS_H
#define COVEY_METHOD_SLICING_GROUPS_H

#include "base/rng.h"
#include "method/anatomy/anatomy.h"
#include "method/slicing/slicing.h"

/* Scratch of one thread.  Rows of a bucket are known by their places in it. */
typedef struct covey_slicing_groups {
    const covey_slicing *s;
    uint32_t l; /* ceil(l) */
    covey_rng rng;
    covey_arena arena;
    covey_arena_mark mark; /* from here on the lists of [most] */
    uint32_t most;
    uint32_t *n_of_code; /* [sensitive values] zero between calls */
    covey_anatomy anatomy;
    covey_column sensitive; /* code as a column, for Anatomy */
    uint64_t *word, *spare; /* [most] the bucket's rows, by set */
    uint32_t *code;         /* [most] sensitive values of a set's rows */
    uint32_t *number;       /* [most] 0, 1, 2, ... */
    uint32_t *group;        /* [most] Anatomy's */
    uint32_t *begin;        /* [most + 1] where groups begin */
    struct covey_slicing_member {
        uint32_t row, code, group; /* the group is the place's, and stays there */
    } * member;                    /* [most] group by group */
    uint32_t *rest;                /* [most] rows of sets that were not parted */
} covey_slicing_groups;

/* COVEY_ENOMEM; to be cleared in any case. */
covey_status covey_i_slicing_groups_new(covey_slicing_groups *p, const covey_slicing *s, covey_error *err);
void covey_i_slicing_groups_clear(covey_slicing_groups *p);

/* Random numbers of their own for the buckets of a block. */
void covey_i_slicing_groups_seed(covey_slicing_groups *p, const unsigned char key[32], uint32_t block);

/**
 * The rows of each set of a bucket become groups of their own where they can; the others stay together.
 *
 * @param out     [n] receives the rows, group by group
 * @param begins  [n] receives 1 where a group begins, else 0
 * @param row     [n] rows of the bucket; not out
 */
covey_status covey_i_slicing_part(covey_slicing_groups *p, uint32_t *out, uint8_t *begins, const uint32_t *row,
                                  uint32_t n, covey_error *err);

#endif
