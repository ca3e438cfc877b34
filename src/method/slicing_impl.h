/* What the files of slicing share.
 *
 *   slicing.c          the method: parameters, whether it can be done at all, the release
 *   slicing_columns.c  which attributes stand together: given, or found by how much they tell of each other
 *   slicing_schema.c   columns that overlap: can their pieces be put together in one way only?
 *   slicing_buckets.c  which rows stand together
 *
 * Source: [LiLiZhangMolloy12]; slicing.md. */
#ifndef COVEY_SLICING_IMPL_H
#define COVEY_SLICING_IMPL_H

#include "method/method_impl.h"
#include "release/sliced.h"

struct covey_slicing_params {
    const char *columns;     /* "found", or [[a, b], [c, s]] */
    int cut;                 /* 0 strict, 1 relaxed */
    bool anatomize, one_per_column, first_dimension_only;
    int64_t n_columns;       /* 0: a third of the attributes */
    int64_t sensitive_size;  /* attributes of the sensitive column at most, when columns are found */
    int buckets;             /* 0 mondrian, 1 random */
    int64_t bucket_size;     /* of random buckets */
};

typedef struct covey_slicing {
    const covey_problem *problem;
    const struct covey_slicing_params *params;
    const covey_promise *promise;
    covey_ratio l;
    size_t sensitive;        /* field */
    uint32_t n;              /* rows that are published */
    uint32_t *row;           /* [n] by content */
    size_t n_slices;
    covey_slice *slice;      /* the last one holds the sensitive attribute, as its last */
    /* What the test of a bucket counts: the rows with equal values beside the sensitive one in the last column, and with it. */
    uint32_t *set;           /* [rows of the table] number of the row's values beside it */
    uint32_t *pair;          /* [rows of the table] the same with the sensitive value */
    uint32_t n_sets, n_pairs;
    covey_arena *arena;
} covey_slicing;

/* Fills slice and n_slices: as the policy gives them. COVEY_EINVAL for a name that is unknown, repeated or missing, a cyclic schema. */
covey_status covey_i_slicing_given_columns(covey_slicing *s, covey_error *err);
/* ... or found.  may_join tells whether the sensitive column may hold an attribute beside what it has. */
covey_status covey_i_slicing_found_columns(covey_slicing *s, char *note, size_t note_size, covey_error *err);

/* Is there one way only to put pieces together, because the columns form a tree?  COVEY_EINVAL names two columns on a cycle. */
covey_status covey_i_slicing_check_schema(const covey_slicing *s, covey_error *err);

/* Numbers sets and pairs of the last column; anew after it changed. */
covey_status covey_i_slicing_number_sets(covey_slicing *s, covey_error *err);

/* Scratch of the test. */
typedef struct covey_slicing_test {
    const covey_slicing *slicing;
    uint32_t *set_count, *pair_count; /* zero between calls */
} covey_slicing_test;

covey_status covey_i_slicing_test_new(covey_slicing_test *test, const covey_slicing *s, covey_error *err);
/* Has no sensitive value a share above 1/l in any set of these rows?  *offending receives a row of the worst set otherwise. */
bool covey_i_slicing_holds(covey_slicing_test *test, const uint32_t *row, uint32_t n);

/* Fills bucket_of_row; returns the number of buckets. */
covey_status covey_i_slicing_buckets(uint32_t *bucket_of_row, uint32_t *n_buckets, covey_slicing *s, const covey_run *run, covey_error *err);

#endif
