/* What the search reads of a problem: its rows in order, runs of equal ones, which combination of sensitive values each
 * has, and what its promises look at; the attributes' levels are made in levels.c. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "method/full_domain/full_domain.h"
#include "table/table_impl.h"

enum { MOST_ATTRIBUTES = 255 };

/* Numbers the combinations of sensitive values: pairs of the number so far and the next view's code, one view after
 * another. */
static void pair_kinds(covey_lattice *lattice, const covey_column *column, uint32_t *slot, uint64_t *pair,
                       size_t n_slots)
{
    const uint32_t n = lattice->problem->n_rows;
    uint32_t n_kinds = 0;

    memset(slot, 0, n_slots * sizeof *slot);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t own = (uint64_t)lattice->kind[i] << 32 | covey_i_code(column, lattice->row[i]);
        size_t at = covey_i_mix(own, 0) & (n_slots - 1);

        while (slot[at] != 0 && pair[slot[at] - 1] != own)
            at = (at + 1) & (n_slots - 1);
        if (slot[at] == 0) {
            pair[n_kinds] = own;
            lattice->kind_row[n_kinds] = lattice->row[i];
            slot[at] = ++n_kinds;
        }
        lattice->kind[i] = slot[at] - 1;
    }
    lattice->n_kinds = n_kinds;
}

static covey_status find_kinds(covey_lattice *lattice, covey_arena *arena, covey_error *err)
{
    const covey_promises *promises = &lattice->problem->promises;
    const uint32_t n = lattice->problem->n_rows;
    covey_arena scratch = COVEY_ARENA_INIT;
    size_t n_slots = 64;
    uint64_t *pair;
    uint32_t *slot;

    if (promises->n_views == 0)
        return COVEY_OK;
    while (n_slots < 2 * (size_t)n)
        n_slots *= 2;
    lattice->kind = covey_arena_array_zero(arena, uint32_t, n);
    lattice->kind_row = covey_arena_array(arena, uint32_t, n);
    slot = covey_arena_array(&scratch, uint32_t, n_slots);
    pair = covey_arena_array(&scratch, uint64_t, n);
    if (!lattice->kind || !lattice->kind_row || !slot || !pair) {
        covey_arena_free(&scratch);
        return covey_i_no_memory(err);
    }
    for (size_t v = 0; v < promises->n_views; v++)
        pair_kinds(lattice, promises->view[v].column, slot, pair, n_slots);
    covey_arena_free(&scratch);
    return COVEY_OK;
}

/* k: what a promise on the size alone asks for. */
static int64_t promised_size(const covey_promises *promises)
{
    int64_t size = 1;

    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];

        if (promise->view < 0 && !(promise->model->traits & COVEY_MODEL_RANGES) && promise->model->min_size &&
            promise->model->min_size(promise->state) > size)
            size = promise->model->min_size(promise->state);
    }
    return size;
}

covey_status covey_i_full_domain_lattice_new(covey_lattice *lattice, const covey_problem *problem, covey_arena *arena,
                                             const covey_run *run, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    const unsigned any = covey_i_promises_any_traits(promises), all = covey_i_promises_all_traits(promises);

    *lattice = (covey_lattice){.problem = problem, .shows_levels = promises->has_regions};
    if (problem->n_axes > MOST_ATTRIBUTES)
        return covey_fail(err, COVEY_EINVAL, "full-domain can use %d quasi-identifiers at most, not %zu",
                          MOST_ATTRIBUTES, problem->n_axes);
    COVEY_TRY(covey_i_problem_order(&lattice->sorted, problem, run, err));
    COVEY_TRY(covey_i_row_runs_new(&lattice->runs, problem, &lattice->sorted, NULL, 0, arena, run, err));
    covey_i_free(lattice->sorted.packed);
    lattice->sorted.packed = NULL;
    lattice->row = lattice->sorted.rows;
    lattice->has_ranges = (any & COVEY_MODEL_RANGES) != 0;
    lattice->has_prior = (any & COVEY_MODEL_PRIOR) != 0;
    lattice->size_alone_decides = promises->n_views == 0 && !lattice->has_ranges;
    lattice->is_closed = (all & COVEY_MODEL_HEREDITARY) || problem->max_suppressed == 0;
    lattice->min_size = covey_i_promises_min_size(promises);
    lattice->least_k = promised_size(promises);
    COVEY_TRY(find_kinds(lattice, arena, err));
    return covey_i_full_domain_levels_new(lattice, arena, err);
}
