/* Neighbouring units of the release, on their way from parts to files: a small release of its own. */
#ifndef COVEY_PARTS_MERGE_BATCH_H
#define COVEY_PARTS_MERGE_BATCH_H

#include "parts/merge/settle.h"
#include "parts/part/file.h"

typedef struct covey_batch {
    const covey_plan *plan;
    const covey_settled *settled; /* what is published refers to; NULL: the plan's problem */
    covey_part_kind kind;
    uint32_t n_rows;
    unsigned char *bytes; /* [n_rows] rows as they stand in parts, one behind another */
    covey_part_rows rows; /* the same as columns, when the release is made */
    uint32_t *unit_of_row;
    size_t row_capacity;
    covey_regions regions;
    size_t region_capacity;
    uint32_t n_units;
    covey_release *like; /* COVEY_PART_ROWS: the first one, which has the probabilities; owned */
} covey_batch;

/* An empty batch; settled may be NULL; n_rows: that it will have, about. */
covey_status covey_i_batch_new(covey_batch *out, const covey_plan *plan, const covey_settled *settled,
                               covey_part_kind kind, uint32_t n_rows, covey_error *err);
void covey_i_batch_clear(covey_batch *batch);

/* Appends the unit that a reader is at. */
covey_status covey_i_batch_add(covey_batch *batch, const covey_part_reader *reader, covey_error *err);

/**
 * Makes a release of the batch's rows, in canonical order; the batch is empty afterwards, but its columns stay until
 * the next release.
 *
 * @param problem  receives the plan's, or the settled one, with these rows; in the arena
 */
covey_status covey_i_batch_release(covey_release **out, covey_problem *problem, covey_batch *batch, covey_arena *arena,
                                   const covey_run *run, covey_error *err);

#endif
