/* Search in rounds.  In each of them two sides, on a thread each, look after one half of the rows, every one with a
 * partition of its own; then what they have found is put together, place by place, and both go on from there.  Halves
 * change from round to round. */
#include "method/peel/search/search.h"

#include "base/threads.h"

enum { FIRST_SHARE = 2 }; /* of the work in the first round, at most: one half */

struct rounds {
    covey_peel *p; /* [2] */
    const covey_peel_plan *plan;
    const covey_peel_saved *start; /* of both, so that they are alike, down to the numbers of classes */
    int round;
    int64_t end[2]; /* of the sides' work */
};

static covey_status run_side(void *context, size_t side, covey_error *err)
{
    const struct rounds *rounds = context;
    const covey_peel_plan *plan = rounds->plan;
    covey_peel *p = &rounds->p[side];
    const uint32_t n = p->t->n_rows, shift = rounds->round % 2 ? n / 4 : 0;

    COVEY_TRY(covey_i_peel_restore(p, rounds->start, err));
    p->focus = side == 0 ? shift : shift + n / 2;
    p->n_focus = side == 0 ? n / 2 : n - n / 2;
    if (rounds->round == 0)
        return covey_i_peel_passes(p, plan, p->work + plan->work_limit / FIRST_SHARE, err);
    p->work_limit = p->work + (rounds->end[side] - p->work) / (plan->n_rounds - rounds->round + 1);
    return covey_i_peel_shake(p, plan, (uint64_t)rounds->round * 2 + side, err);
}

/* A round; things may have become worse in some places. */
static covey_status play_round(struct rounds *rounds, int n_threads, covey_arena *arena, covey_error *err)
{
    covey_peel *p = rounds->p;
    covey_peel_saved before, other;

    COVEY_TRY(covey_i_peel_save(&before, &p[0], arena, err));
    rounds->start = &before;
    COVEY_TRY(covey_i_parallel(n_threads, 2, run_side, rounds, err));
    COVEY_TRY(covey_i_peel_save(&other, &p[1], arena, err));
    COVEY_TRY(covey_i_peel_cross(&p[0], &other, err));
    return covey_i_peel_cross(&p[0], &before, err);
}

covey_status covey_i_peel_search(covey_peel *p, const covey_peel_plan *plan, int n_threads, covey_error *err)
{
    struct rounds rounds = {.p = p, .plan = plan, .end = {p[0].work + plan->work_limit, p[1].work + plan->work_limit}};
    covey_status status = COVEY_OK;
    bool gains = true;

    for (rounds.round = plan->is_whole ? 1 : 0;
         rounds.round <= plan->n_rounds && gains && status == COVEY_OK && !covey_i_peel_is_enough(p); rounds.round++) {
        const int64_t before = covey_i_peel_total(&p[0]);
        covey_arena arena = COVEY_ARENA_INIT;

        status = covey_i_peel_report(&p[0], rounds.round + 1, plan->n_rounds + 1, err);
        if (status == COVEY_OK)
            status = play_round(&rounds, n_threads, &arena, err);
        gains = rounds.round == 0 || before - covey_i_peel_total(&p[0]) > before / plan->least_gain;
        covey_arena_free(&arena);
    }
    return status;
}
