/* Checking that rows are sorted by their content.  Rows are compared with the ones before a block at a time, column by
 * column, many rows at once: a row that a column does not tell from the one before stays open for the next.  Where a
 * block's cells are all the same, as in the first columns of a sorted table they mostly are, that is seen at a glance.
 */
#include "audit/row_order.h"

#include <string.h>

#include "base/codes.h"
#include "base/threads.h"

enum { BLOCK = 1024, OPEN = 0xff };

/* Closes the rows of a block that come behind the one before; false if an open one comes in front of it.  Where there
 * is no row before the block, its first one is not open.  Ranks are as wide as codes: as many as fit into a register
 * are compared at once. */
static bool close_rows(uint8_t *restrict open, const covey_opened_column *column, uint32_t first, uint32_t n)
{
    const size_t width = column->text->width;
    const char *codes = (const char *)column->text->codes + first * width;
    const uint32_t *rank = column->rank, from = first == 0;
    uint8_t descends = 0;

    if (from == 0 && memcmp(codes, codes - width, n * width) == 0)
        return true;
    COVEY_CODES_TYPED(width, {
        const covey_code *before = (const covey_code *)codes - 1; /* of each row the one before */
        covey_code ranks[BLOCK + 1];

        for (uint32_t i = from; rank && i <= n; i++)
            ranks[i] = (covey_code)rank[before[i]];
        before = rank ? ranks : before;
        for (uint32_t i = from; i < n; i++) {
            descends |= open[i] & (before[i] > before[i + 1] ? OPEN : 0);
            open[i] &= before[i] == before[i + 1] ? OPEN : 0;
        }
    });
    return descends == 0;
}

bool covey_i_rows_ascend(const covey_row_order *order, const uint32_t *start, uint32_t n_classes, uint32_t begin,
                         uint32_t end)
{
    uint32_t class = begin < end ? covey_i_class_of_line(start, n_classes, begin) - 1 : 0;

    for (uint32_t first = begin; first < end; first += BLOCK) {
        const uint32_t n = end - first < BLOCK ? end - first : BLOCK;
        uint8_t open[BLOCK]; /* rows that are the same as the one before as far as they were compared */

        memset(open, OPEN, n);
        for (class += start[class] < first; class < n_classes && start[class] < first + n; class ++)
            open[start[class] - first] = 0;
        for (size_t i = 0; i < order->n && memchr(open, OPEN, n); i++)
            if (!close_rows(open, order->column[i], first, n))
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

covey_status covey_i_order_in_pieces(covey_problems *problems, const uint32_t *start, uint32_t n_classes,
                                     covey_order_check check, const void *context, const covey_run *run,
                                     covey_error *err)
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
