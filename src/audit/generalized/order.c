/* Is the table in the order that docs/manifest.md ("Order") asks for?  Then its order says nothing about the input's,
 * and a cell that was changed by hand mostly shows. */
#include "audit/generalized/order.h"
#include "audit/row_order.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/error.h"

/* Two rows by the columns that are not quasi-identifiers, from left to right. */
static int compare_rows(const covey_opened *o, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < o->n_columns; i++) {
        const covey_opened_column *column = &o->column[i];
        uint32_t x, y;

        if (column->stated->role == COVEY_ROLE_QUASI)
            continue;
        x = covey_i_opened_rank(column, covey_i_code_at(column->text, a));
        y = covey_i_opened_rank(column, covey_i_code_at(column->text, b));
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int compare_cells(const covey_opened *o, uint32_t a, uint32_t b)
{
    for (size_t q = 0; q < o->n_quasi; q++) {
        const covey_opened_column *column = &o->column[o->quasi[q]];
        uint32_t x = covey_i_opened_rank(column, column->class_cell[a]),
                 y = covey_i_opened_rank(column, column->class_cell[b]);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int compare_classes(const covey_opened *o, uint32_t a, uint32_t b)
{
    uint32_t size_a = o->class_start[a + 1] - o->class_start[a], size_b = o->class_start[b + 1] - o->class_start[b];
    int order = compare_cells(o, a, b);

    if (order || size_a != size_b)
        return order ? order : size_a < size_b ? -1 : 1;
    for (uint32_t i = 0; i < size_a && !order; i++)
        order = compare_rows(o, o->class_start[a] + i, o->class_start[b] + i);
    return order;
}

struct checking {
    const covey_opened *o;
    covey_row_order rows; /* by what the rows of a class are sorted */
};

static void check_classes(covey_problems *problems, const void *context, uint32_t begin, uint32_t end)
{
    const struct checking *checking = context;
    const covey_opened *o = checking->o;
    const uint32_t first = begin < o->n_seen ? o->n_seen : begin;
    const bool ascend = first >= end || covey_i_rows_ascend(&checking->rows, o->class_start, o->n_classes,
                                                            o->class_start[first], o->class_start[end]);

    for (uint32_t c = first; c < end; c++) {
        const uint32_t number = o->first_class + c + 1;

        if (c > 0 && compare_classes(o, c - 1, c) > 0)
            covey_i_problem(problems,
                            "class %" PRIu32 " stands behind class %" PRIu32
                            ", but its cells, size and rows come first: the order of classes "
                            "must say nothing but what the cells say",
                            number, number - 1);
        for (uint32_t row = o->class_start[c] + 1; !ascend && row < o->class_start[c + 1]; row++)
            if (compare_rows(o, row - 1, row) > 0) {
                covey_i_problem(problems, "class %" PRIu32 ": its rows are not sorted by their content", number);
                break;
            }
    }
}

covey_status covey_i_order_check(covey_problems *problems, const covey_opened *o, const covey_run *run,
                                 covey_error *err)
{
    struct checking checking = {.o = o};
    const covey_opened_column **column;
    covey_status status;

    if (o->n_classes == 0 || !covey_i_opened_all_usable(o))
        return COVEY_OK;
    if (!(column = covey_i_array(o->n_columns, sizeof *column)))
        return covey_i_no_memory(err);
    checking.rows.column = column;
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->column[i].stated->role != COVEY_ROLE_QUASI)
            column[checking.rows.n++] = &o->column[i];
    status = covey_i_order_in_pieces(problems, o->class_start, o->n_classes, check_classes, &checking, run, err);
    covey_i_free(column);
    return status;
}
