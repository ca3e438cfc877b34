/* See row_order.h.  Rows are compared a block at a time, column by column: those that a column does not tell apart are left for the next.  Where a
 * block's cells are all the same, as in the first columns of a sorted table they mostly are, that is seen many rows at a time. */
#include "audit/row_order.h"

#include <string.h>

#include "base/threads.h"

enum { BLOCK = 1024 };

/* Rows of a block, by their distance from its first, that are the same as the one before as far as they were compared. */
struct pending {
    uint32_t n;
    uint16_t row[BLOCK];
};

#define KEEP_EQUAL(type)                                                                                                                             \
    static bool keep_equal_##type(struct pending *p, const covey_opened_column *column, uint32_t first)                                              \
    {                                                                                                                                                \
        const type *code = (const type *)column->text->codes + first;                                                                                \
        const uint32_t *rank = column->rank;                                                                                                         \
        uint32_t kept = 0;                                                                                                                           \
        bool descends = false;                                                                                                                       \
                                                                                                                                                     \
        for (uint32_t i = 0; i < p->n; i++) {                                                                                                        \
            const int64_t at = p->row[i];                                                                                                            \
            const uint32_t before = rank ? rank[code[at - 1]] : code[at - 1], own = rank ? rank[code[at]] : code[at];                                \
                                                                                                                                                     \
            descends |= before > own;                                                                                                                \
            p->row[kept] = (uint16_t)at;                                                                                                             \
            kept += before == own;                                                                                                                   \
        }                                                                                                                                            \
        p->n = kept;                                                                                                                                 \
        return !descends;                                                                                                                            \
    }

KEEP_EQUAL(uint8_t)
KEEP_EQUAL(uint16_t)
KEEP_EQUAL(uint32_t)

/* Leaves the pending rows that the column does not tell from the one before; false if one comes before it.  first > 0 or no row 0 pending. */
static bool keep_equal(struct pending *p, const covey_opened_column *column, uint32_t first, uint32_t n)
{
    const size_t width = column->text->width;
    const char *codes = (const char *)column->text->codes + first * width;

    if (first > 0 && memcmp(codes, codes - width, n * width) == 0)
        return true;
    return width == 1 ? keep_equal_uint8_t(p, column, first) : width == 2 ? keep_equal_uint16_t(p, column, first) : keep_equal_uint32_t(p, column, first);
}

bool covey_i_rows_ascend(const covey_row_order *order, const uint32_t *start, uint32_t n_classes, uint32_t begin, uint32_t end)
{
    uint32_t class = begin < end ? covey_i_class_of_line(start, n_classes, begin) - 1 : 0;
    struct pending p;

    for (uint32_t first = begin; first < end; first += BLOCK) {
        const uint32_t n = end - first < BLOCK ? end - first : BLOCK;

        p.n = 0;
        for (uint32_t row = first; row < first + n; class++) {
            const uint32_t stop = start[class + 1] < first + n ? start[class + 1] : first + n;

            for (row += row == start[class]; row < stop; row++)
                p.row[p.n++] = (uint16_t)(row - first);
            if (start[class + 1] > first + n)
                break; /* it goes on in the next block */
        }
        for (size_t i = 0; i < order->n && p.n > 0; i++)
            if (!keep_equal(&p, order->column[i], first, n))
                return false;
    }
    return true;
}

/* --- in pieces --- */

enum { PIECES = 8 };

struct checking {
    const uint32_t *start;
    uint32_t n_classes;
    covey_order_check check;
    const void *context;
    covey_problems problems[PIECES];
};

static uint32_t first_class_of(const struct checking *c, size_t piece)
{
    const uint32_t row = (uint32_t)((uint64_t)c->start[c->n_classes] * piece / PIECES);

    return piece == PIECES ? c->n_classes : covey_i_class_of_line(c->start, c->n_classes, row) - 1;
}

static covey_status check_piece(void *context, size_t task, covey_error *err)
{
    struct checking *c = context;

    (void)err;
    c->check(&c->problems[task], c->context, first_class_of(c, task), first_class_of(c, task + 1));
    return COVEY_OK;
}

covey_status covey_i_order_in_pieces(covey_problems *problems, const uint32_t *start, uint32_t n_classes, covey_order_check check, const void *context,
                                     const covey_run *run, covey_error *err)
{
    struct checking checking = {.start = start, .n_classes = n_classes, .check = check, .context = context};
    covey_status status;

    if (n_classes == 0)
        return COVEY_OK;
    status = covey_i_parallel(covey_run_threads(run), PIECES, check_piece, &checking, err);
    for (size_t i = 0; i < PIECES; i++)
        covey_i_problems_move(problems, &checking.problems[i]);
    return status;
}
