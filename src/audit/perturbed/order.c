/* Are the rows of a perturbed release sorted by their content? */
#include "audit/perturbed/perturbed.h"

#include <inttypes.h>

#include "audit/row_order.h"
#include "base/error.h"
#include "base/threads.h"

/* The first row that comes before the one in front of it; there is one. */
static uint32_t find_descent(const covey_row_order *order, uint32_t n_rows)
{
    for (uint32_t row = 1; row < n_rows; row++)
        for (size_t i = 0; i < order->n; i++) {
            const uint32_t a = covey_i_opened_rank_at(order->column[i], row - 1),
                           b = covey_i_opened_rank_at(order->column[i], row);

            if (a > b)
                return row;
            if (a < b)
                break;
        }
    return n_rows;
}

enum { PIECES = 8 };

struct ordering {
    const covey_opened *o;
    covey_row_order order;
    bool ascends[PIECES];
};

static covey_status look_at_piece(void *context, size_t task, covey_error *err)
{
    struct ordering *x = context;
    const uint64_t n = x->o->n_rows;

    (void)err;
    x->ascends[task] = covey_i_rows_ascend(&x->order, x->o->class_start, 1, (uint32_t)(n * task / PIECES),
                                           (uint32_t)(n * (task + 1) / PIECES));
    return COVEY_OK;
}

/* Quasi-identifiers first, then the other columns, each from left to right. */
static covey_status find_order(covey_row_order *order, const covey_opened *o, covey_arena *arena, covey_error *err)
{
    const covey_opened_column **column = covey_arena_array(arena, const covey_opened_column *, o->n_columns);

    if (!column)
        return covey_i_no_memory(err);
    *order = (covey_row_order){.column = column};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < o->n_columns; i++)
            if ((o->column[i].stated->role == COVEY_ROLE_QUASI) == (pass == 0))
                column[order->n++] = &o->column[i];
    return COVEY_OK;
}

covey_status covey_i_perturbed_ascends(bool *out, const covey_opened *o, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct ordering x = {.o = o};
    covey_status status;

    *out = true;
    if ((status = find_order(&x.order, o, &arena, err)) == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(run), PIECES, look_at_piece, &x, err);
    for (size_t i = 0; i < PIECES; i++)
        *out &= x.ascends[i];
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_perturbed_check_order(covey_problems *problems, const covey_opened *o, const covey_run *run,
                                           covey_arena *arena, covey_error *err)
{
    covey_row_order order = {0};
    bool ascends;

    COVEY_TRY(covey_i_perturbed_ascends(&ascends, o, run, err));
    if (ascends)
        return COVEY_OK;
    COVEY_TRY(find_order(&order, o, arena, err));
    covey_i_problem(
        problems, "%s:%" PRIu32 ": the row stands behind one that comes after it: rows must be sorted by their content",
        COVEY_PERTURBED_ROWS, find_descent(&order, o->n_rows) + 2);
    return COVEY_OK;
}
