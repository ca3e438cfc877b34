/* Mondrian as the authors of [CaoKarras12] have coded it for their comparison: a set of rows is halved along its
 * narrowest quasi-identifier and along no other, rows with the median value going to both sides, as long as both halves
 * keep the promises.  Where all rows agree in an attribute it is the narrowest: such halves differ in nothing.
 * [LeFevre06] halves the widest, which is what the method mondrian does. */
#include "reproduce/likeness/likeness.h"

#include "base/error.h"
#include "base/sort/sort.h"
#include "release/release_impl.h"
#include "table/table_impl.h"

struct halving {
    const covey_problem *problem;
    uint32_t **code; /* [n_axes][n_rows] */
    uint32_t *rows, *scratch, *class_of_row;
    uint32_t n_classes;
    covey_tally tally;
};

static size_t narrowest(const struct halving *h, uint32_t begin, uint32_t n)
{
    size_t best = 0;
    double least = 0;

    for (size_t a = 0; a < h->problem->n_axes; a++) {
        const covey_axis *axis = &h->problem->axis[a];
        uint32_t low = UINT32_MAX, high = 0;
        double share;

        for (uint32_t i = begin; i < begin + n; i++) {
            const uint32_t code = h->code[a][h->rows[i]];

            low = code < low ? code : low;
            high = code > high ? code : high;
        }
        share = (double)covey_i_axis_loss(axis, low, high) / (double)axis->loss_den;
        if (a == 0 || share < least) {
            best = a;
            least = share;
        }
    }
    return best;
}

static bool admits(struct halving *h, uint32_t begin, uint32_t n)
{
    covey_i_tally_clear(&h->tally);
    for (uint32_t i = begin; i < begin + n; i++)
        covey_i_tally_add(&h->tally, &h->problem->promises, h->rows[i]);
    return covey_i_promises_admit(&h->problem->promises, &h->tally);
}

/* As deep as the logarithm of n. */
static void halve(struct halving *h, uint32_t begin, uint32_t n)
{
    const uint32_t half = n / 2;

    covey_i_sort_rows_u32(h->rows + begin, h->scratch, n, h->code[narrowest(h, begin, n)]);
    if (half > 0 && admits(h, begin, half) && admits(h, begin + half, n - half)) {
        halve(h, begin, half);
        halve(h, begin + half, n - half);
        return;
    }
    for (uint32_t i = begin; i < begin + n; i++)
        h->class_of_row[h->rows[i]] = h->n_classes;
    h->n_classes++;
}

covey_status covey_i_likeness_halve_narrowest(covey_release **out, const covey_problem *problem, covey_arena *arena,
                                              const covey_run *run, covey_error *err)
{
    struct halving h = {.problem = problem,
                        .code = covey_arena_array(arena, uint32_t *, problem->n_axes),
                        .rows = covey_arena_array(arena, uint32_t, problem->n_rows),
                        .scratch = covey_arena_array(arena, uint32_t, problem->n_rows),
                        .class_of_row = covey_arena_array(arena, uint32_t, problem->n_rows)};

    if (!h.code || !h.rows || !h.scratch || !h.class_of_row)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        if (!(h.code[a] = covey_arena_array(arena, uint32_t, problem->n_rows)))
            return covey_i_no_memory(err);
        covey_i_column_unpack(h.code[a], problem->axis[a].column, 0, problem->n_rows);
    }
    for (uint32_t row = 0; row < problem->n_rows; row++)
        h.rows[row] = row;
    COVEY_TRY(covey_i_tally_new(&h.tally, &problem->promises, arena, err));
    halve(&h, 0, problem->n_rows);
    return covey_i_release_of_classes(out, problem, h.class_of_row, h.n_classes, run, err);
}
