/* Passes of local search.  Every single step leaves a partition that keeps the promises, so a search may end anywhere.
 */
#include "method/peel/search/search.h"

#include <string.h>

enum { LOOK_AT_WORK = 256, LOOK_UP = 4096 };

covey_status covey_i_peel_pass_move(covey_peel *p, bool exchange, int64_t *gain, covey_error *err)
{
    COVEY_TRY(covey_i_peel_index_build(p, err));
    for (uint32_t row = 0; row < p->t->n_rows; row++) {
        uint32_t class, other;
        int64_t won;

        if (row % LOOK_AT_WORK == 0 && p->work > p->work_limit)
            break;
        if (row % LOOK_UP == 0)
            COVEY_TRY(covey_i_peel_report(p, 0, 1, err));
        if (p->class[p->class_of[row]].loss == 0 || !covey_i_peel_is_focused(p, row))
            continue;
        won = covey_i_peel_best_move(p, &class, &other, row, exchange, -p->tau);
        if (class == COVEY_PEEL_NONE)
            continue;
        if (other != COVEY_PEEL_NONE) {
            const uint32_t home = p->class_of[row];

            covey_i_peel_move(p, other, home);
        }
        covey_i_peel_move(p, row, class);
        *gain += won;
        COVEY_TRY(covey_i_peel_index_refresh(p, 2, err));
    }
    return COVEY_OK;
}

/* Its rows go where they cost least, one after the other; back again unless that costs less than have.  Returns the
 * gain. */
static int64_t dissolve(covey_peel *p, uint32_t c, int64_t have)
{
    uint32_t rows[COVEY_PEEL_MOST_DISSOLVED], i;
    const uint32_t n = covey_i_peel_lots_of(rows, p, c);
    int64_t sum = 0;

    for (i = 0; i < n; i++) {
        int64_t increase;
        const uint32_t target = covey_i_peel_target(p, &increase, rows[i], c, have - sum);

        if (target == COVEY_PEEL_NONE)
            break;
        sum += increase;
        covey_i_peel_move(p, rows[i], target);
    }
    if (i == n)
        return have - sum;
    while (i-- > 0)
        covey_i_peel_move(p, rows[i], c);
    return 0;
}

covey_status covey_i_peel_pass_dissolve(covey_peel *p, int64_t *gain, covey_error *err)
{
    const uint32_t n = p->n_classes;

    COVEY_TRY(covey_i_peel_index_build(p, err));
    for (uint32_t c = 0; c < n && p->work <= p->work_limit; c++) {
        const uint32_t size = p->class[c].n;
        int64_t won;

        if (size == 0 || size > COVEY_PEEL_MOST_DISSOLVED || p->class[c].loss == 0 || !covey_i_peel_in_focus(p, c) ||
            (won = dissolve(p, c, covey_i_peel_cost(p, c))) == 0)
            continue;
        *gain += won;
        COVEY_TRY(covey_i_peel_index_refresh(p, size, err));
    }
    return COVEY_OK;
}
