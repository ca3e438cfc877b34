/* How often the buckets of a sliced release hold the pieces of a column, or what columns share: what its checks count
 * with. */
#ifndef COVEY_AUDIT_SLICED_TABLES_H
#define COVEY_AUDIT_SLICED_TABLES_H

#include "audit/sliced/sliced.h"

/* Numbers of lines, and how often each bucket holds each: bucket by bucket, ascending. */
typedef struct covey_slice_table {
    uint32_t n; /* numbers */
    uint32_t *of_line;
    uint32_t *start, *number, *count; /* [n_buckets + 1], [start[n_buckets]] */
} covey_slice_table;

/* Numbers lines anew, by their number and a code; returns how many numbers there are.  scratch: [3 * n_lines]. */
uint32_t covey_i_slice_refine(uint32_t *number, const uint32_t *code, uint32_t n_lines, uint32_t *scratch);

/* Fills of_line and n: lines by their values on a slice, the sensitive one left out. */
covey_status covey_i_slice_table_number(covey_slice_table *table, const covey_opened *opened,
                                        const covey_opened_slice *slice, covey_arena *arena, covey_error *err);

/* Fills the rest; of_line and n are there. */
covey_status covey_i_slice_table_count(covey_slice_table *table, const covey_opened *opened, covey_arena *arena,
                                       covey_error *err);

/* 0: the bucket does not hold it. */
uint32_t covey_i_slice_table_at(const covey_slice_table *table, uint32_t bucket, uint32_t number);

/* What two columns share, the sensitive attribute left out: numbered by the values' own codes, so that both agree;
 * of_line and the counts are those of `own`.  *of_piece, *of_other: by the numbers of pieces and other_pieces. */
covey_status covey_i_slice_table_share(covey_slice_table *out, uint32_t **of_piece, uint32_t **of_other,
                                       const covey_opened *opened, const covey_opened_slice *own,
                                       const covey_opened_slice *other, const covey_slice_table *pieces,
                                       const covey_slice_table *other_pieces, covey_arena *arena, covey_error *err);

/* How many attributes stand in both. */
size_t covey_i_slices_shared(const covey_opened_slice *a, const covey_opened_slice *b);

#endif
