/* What the files of the exact test share; see exact.c. */
#ifndef COVEY_METHOD_SLICING_EXACT_PARTS_H
#define COVEY_METHOD_SLICING_EXACT_PARTS_H

#include "method/slicing/exact.h"

#define COVEY_EXACT_NONE UINT32_MAX

/* Numbers of rows by their values on some attributes. */
struct covey_exact_kind {
    uint32_t *of_row; /* [rows of the table] */
    uint32_t n;
    uint32_t *count; /* [n] zero between calls */
};

/* How often a bucket holds each number of a kind. */
struct covey_exact_held {
    uint32_t n, *id, *count; /* [n] ascending */
};

struct covey_exact_bucket {
    uint32_t n;
    enum { DEAD, ALIVE, SUSPENDED } state;
    struct covey_exact_held *held; /* [n_kinds] */
};

struct covey_exact_hot {
    uint32_t bucket, pair, set;
};

/* A column on the way from the root outwards; kinds: its pieces (of the last column: its sets), and what it shares with
 * its parent. */
struct covey_exact_step {
    size_t slice;
    bool is_last;
    uint32_t parent;           /* step; COVEY_EXACT_NONE: it shares nothing with those before */
    size_t pieces, shared;     /* kinds */
    uint32_t *own, *of_parent; /* [pieces of this column], [of the parent]: number of shared values */
};

struct covey_slicing_exact {
    covey_slicing *s;
    bool by_paper;
    size_t n_steps, n_kinds;
    struct covey_exact_step *step;
    struct covey_exact_kind *kind; /* the first is that of pairs */
    size_t set_kind;               /* pieces of the last column */
    size_t last_step;              /* its step */
    bool last_is_apart;            /* it shares nothing with others */
    uint32_t *set_of_pair;
    struct covey_exact_bucket *bucket;
    size_t n_buckets, max_buckets;
    struct covey_exact_hot *hot;
    size_t n_hot, max_hot;
    uint32_t *head; /* [pieces of the root] */
    struct link {
        uint32_t bucket, next;
    } * link;
    size_t n_links, max_links;
    size_t steps; /* of the test that runs */
};

/* 0: the bucket does not hold it. */
uint32_t covey_i_exact_count_in(const struct covey_exact_bucket *b, size_t kind, uint32_t id);

/* *fails: a signature of the hot set's bucket does, or there are too many to look at; steps are the caller's to clear.
 * within: a bucket that must have held its pieces, too; NULL: none. */
covey_status covey_i_exact_test_hot(bool *fails, covey_slicing_exact *x, const struct covey_exact_hot *hot,
                                    const struct covey_exact_bucket *within, covey_error *err);

#endif
