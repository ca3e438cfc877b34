/* Collecting units into small releases. */
#include "parts/merge/batch.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "method/perturbation/perturbation.h"
#include "release/bucketized/bucketized.h"

covey_status covey_i_batch_new(covey_batch *out, const covey_plan *plan, const covey_settled *settled,
                               covey_part_kind kind, uint32_t n_rows, covey_error *err)
{
    *out = (covey_batch){.plan = plan, .settled = settled, .kind = kind};
    return covey_i_part_rows_new(&out->rows, plan, n_rows, err);
}

void covey_i_batch_clear(covey_batch *batch)
{
    covey_i_part_rows_clear(&batch->rows);
    covey_i_free(batch->unit_of_row);
    covey_i_free(batch->bytes);
    covey_i_free(batch->regions.low);
    covey_i_free(batch->regions.high);
    covey_release_free(batch->like);
    *batch = (covey_batch){0};
}

static covey_status reserve_rows(covey_batch *b, uint32_t n, size_t row_size, covey_error *err)
{
    const size_t capacity = ((size_t)b->n_rows + n) * 5 / 4;
    unsigned char *bytes;
    uint32_t *units;

    if ((size_t)b->n_rows + n <= b->row_capacity)
        return COVEY_OK;
    if (!(units = covey_i_realloc(b->unit_of_row, capacity, sizeof *units)))
        return covey_i_no_memory(err);
    b->unit_of_row = units;
    if (!(bytes = covey_i_realloc(b->bytes, capacity, row_size)))
        return covey_i_no_memory(err);
    b->bytes = bytes;
    b->row_capacity = capacity;
    return COVEY_OK;
}

static covey_status add_region(covey_batch *b, const covey_part_reader *r, covey_error *err)
{
    const size_t d = b->plan->prepared.problem.n_axes;

    if (b->n_units == b->region_capacity) {
        const size_t capacity = b->region_capacity * 2 + 64;
        uint32_t *low = covey_i_realloc(b->regions.low, capacity * d, sizeof *low), *high;

        if (!low)
            return covey_i_no_memory(err);
        b->regions.low = low;
        if (!(high = covey_i_realloc(b->regions.high, capacity * d, sizeof *high)))
            return covey_i_no_memory(err);
        b->regions.high = high;
        b->region_capacity = capacity;
    }
    memcpy(b->regions.low + b->n_units * d, r->low, d * sizeof *r->low);
    memcpy(b->regions.high + b->n_units * d, r->high, d * sizeof *r->high);
    return COVEY_OK;
}

covey_status covey_i_batch_add(covey_batch *b, const covey_part_reader *r, covey_error *err)
{
    COVEY_TRY(reserve_rows(b, r->n, r->row_size, err));
    if (b->kind == COVEY_PART_REGIONS)
        COVEY_TRY(add_region(b, r, err));
    for (uint32_t i = 0; i < r->n; i++)
        b->unit_of_row[b->n_rows + i] = b->n_units;
    memcpy(b->bytes + b->n_rows * r->row_size, r->rows, r->n * r->row_size);
    b->n_rows += r->n;
    b->n_units++;
    return COVEY_OK;
}

/* Probabilities are found once. */
static covey_status wrap_rows(covey_release **out, covey_batch *b, const covey_problem *problem, const covey_run *run,
                              covey_error *err)
{
    covey_problem none = *problem;

    none.n_rows = 0;
    if (!b->like)
        COVEY_TRY(covey_i_perturbation_wrap(&b->like, NULL, &none, b->plan->choice.params, run, err));
    return covey_i_perturbation_wrap(out, b->like, problem, b->plan->choice.params, run, err);
}

covey_status covey_i_batch_release(covey_release **out, covey_problem *problem, covey_batch *b, covey_arena *arena,
                                   const covey_run *run, covey_error *err)
{
    const covey_group_order order =
        b->kind == COVEY_PART_VALUES ? COVEY_GROUPS_BY_VALUES_DRAWN : COVEY_GROUPS_BY_CONTENT;
    covey_status status;

    b->rows.n = 0;
    if ((status = covey_i_part_rows_add(&b->rows, b->plan, b->bytes, b->n_rows, run, err)) == COVEY_OK)
        status = covey_i_part_problem(problem, b->plan, &b->rows, arena, err);
    if (status == COVEY_OK && b->settled)
        status = covey_i_part_problem_settle(problem, b->settled, arena, err);
    if (status == COVEY_OK && b->kind == COVEY_PART_ROWS)
        status = wrap_rows(out, b, problem, run, err);
    else if (status == COVEY_OK && (b->kind == COVEY_PART_GROUPS || b->kind == COVEY_PART_VALUES))
        status = covey_i_release_of_groups(out, problem, b->unit_of_row, b->n_units, order, run, err);
    else if (status == COVEY_OK)
        status = covey_i_release_of_regions(out, problem, b->unit_of_row, b->n_units,
                                            b->kind == COVEY_PART_REGIONS ? &b->regions : NULL, run, err);
    b->n_rows = 0;
    b->n_units = 0;
    return status;
}
