/* Who could be in a sliced release: the tuples that its pieces can form, and in how many buckets each.
 *
 * A candidate is a tuple of values, the sensitive one included, whose piece in every column stands in some bucket; one
 * that no row of the original is, is a fake.  Where fakes match about as many buckets as originals do, nobody can tell
 * them apart [LiLiZhangMolloy12, section 6.3]. */
#ifndef COVEY_QUERY_SLICED_MEMBERSHIP_H
#define COVEY_QUERY_SLICED_MEMBERSHIP_H

#include "query/sliced/slices.h"
#include "reader/original.h"

#define COVEY_NO_PIECE UINT32_MAX

/* --- pieces: pieces.c --- */

/* The different pieces of one column, and the buckets that hold them. */
typedef struct covey_slice_piece_list {
    uint32_t n;
    uint32_t *of_line;        /* [n_rows] of the release */
    uint32_t *of_row;         /* [rows of the original] COVEY_NO_PIECE: no bucket holds it */
    uint32_t *start, *bucket; /* [n + 1], [start[n]] ascending */
    uint64_t **bits;          /* [n] one bit per bucket, of pieces in many; NULL: of few */
} covey_slice_piece_list;

typedef struct covey_slice_pieces {
    const covey_query_slices *slices;
    covey_slice_piece_list *list; /* [n_slices] */
    uint32_t n_words;             /* of bits */
} covey_slice_pieces;

/* original: of the release's columns, as the audit reads it; its cells must all be known. */
covey_status covey_i_slice_pieces_make(covey_slice_pieces *out, const covey_query_slices *slices,
                                       const covey_original *original, covey_arena *arena, covey_error *err);
/* How many buckets hold all of them?  piece: [n_slices], none COVEY_NO_PIECE. */
uint32_t covey_i_slice_pieces_match(const covey_slice_pieces *pieces, const uint32_t *piece);

/* --- figures: membership.c --- */

typedef struct covey_slice_membership {
    bool is_exact; /* all candidates were looked at; else n_draws of them at random */
    uint32_t n_draws;
    double n_candidates, n_fakes;
    double standard_error; /* of both; 0 if exact */
    int64_t n_originals;   /* rows */
    uint32_t n_different;  /* different ones */
    uint32_t n_buckets;
    int64_t *original; /* [n_buckets + 1] rows by the number of buckets that they match; 0: suppressed */
    double *fake;      /* [n_buckets + 1] fakes, the same way */
    double auc;        /* chance that a row matches more buckets than a fake, as many counted half; NaN: no fakes */
} covey_slice_membership;

/* When to look at all candidates, and at how many else. */
typedef struct covey_slice_effort {
    double most_exact; /* tuples of all buckets that are all looked at */
    uint32_t n_draws;  /* > 0 */
} covey_slice_effort;

/* The arrays come from the arena.  run: its seed makes draws repeatable. */
covey_status covey_i_slice_membership(covey_slice_membership *out, const covey_query_slices *slices,
                                      const covey_original *original, const covey_slice_effort *effort,
                                      covey_arena *arena, const covey_run *run, covey_error *err);

#endif
