/* Parts that are read at once, unit by unit, in the order in which units are published. */
#ifndef COVEY_PARTS_MERGE_READERS_H
#define COVEY_PARTS_MERGE_READERS_H

#include "parts/part/file.h"

typedef struct covey_merge_readers {
    const covey_plan *plan;
    covey_part_reader *reader; /* [n] */
    size_t n;
    covey_part_kind kind; /* of all parts that publish a row */
    covey_part_goal goal;
    bool is_seeded;
    size_t *heap, n_heap; /* readers with a unit, the least first */
    size_t n_key;
    uint32_t *last_key; /* [n_key] of the unit before the least one */
} covey_merge_readers;

/* Opens all; from begins as zeros, and is closed whatever comes of it. */
covey_status covey_i_merge_readers_open(covey_merge_readers *from, const covey_plan *plan, const char *const *path,
                                        size_t n, covey_arena *arena, covey_error *err);
/* Together they hold each part of the plan once, and all of its rows, and were made alike. */
covey_status covey_i_merge_readers_check(int64_t *n_suppressed, covey_merge_readers *from, covey_error *err);
/* They were made alike: for pieces of parts. */
covey_status covey_i_merge_readers_agree(covey_merge_readers *from, covey_error *err);
/* Puts their first units in order; their kind is known. */
covey_status covey_i_merge_readers_start(covey_merge_readers *from, size_t n_axes, covey_arena *arena,
                                         covey_error *err);
/* The reader with the least unit; NULL: there is none any more. */
const covey_part_reader *covey_i_merge_readers_least(const covey_merge_readers *from);
covey_status covey_i_merge_readers_next(covey_merge_readers *from, covey_error *err);
void covey_i_merge_readers_close(covey_merge_readers *from);

#endif
