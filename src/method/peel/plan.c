/* How trials start and search, from what the promises are like.  All figures were measured: docs/design/peel.md. */
#include "method/peel/peel.h"

/* Units that a move may cost at first if all were lost, where bounds on counts say it all and where not; it goes with
 * the loss's square. */
#define THRESHOLD_AT_ONE 50
#define UNBOUNDED_AT_ONE 130

/* Units that a shake may cost at the beginning of a round, and where search has more work: who looks longer finds back
 * from further away. */
#define MOST_LOST 0.8
#define MOST_LOST_MORE 3.2

/* So many times the work, where there is little of it and two seconds allow it. */
#define MORE_WORK 2.4

enum {
    ROWS_FOR_POOLS = 1 << 19,       /* with more, search is over before it comes to them; ... */
    ROWS_FOR_POOLS_APART = 1 << 20, /* ... where crowds stand apart, few of the rows lose anything */
    ROWS_FOR_TWO_TRIALS = 1 << 17,
    LEAST_WORK = 40000000, /* of a trial's search, in steps, and more for each row */
    WORK_PER_ROW = 80,
    WORK_PER_FIRST_ROW = 1300,     /* beside that, for each of the first 2^16, where no prior is published */
    WORK_PER_CELL_MATE = 1400,     /* at most that for each row and row of its cell, on average, ... */
    LESS_FOR_MATES = 14000000,     /* ... less this, ... */
    LEAST_FOR_MATES = 35000000,    /* ... and not below this */
    MOST_ROWS_MORE = 1 << 15,      /* MORE_WORK where promises ask for rows alone, there are no more than these, */
    ROWS_PER_CELL_MORE = 2,        /* and cells have so many on average */
    LEAST_BOUNDED_WORK = 22500000, /* where bounds on counts say it all */
    WORK_PER_BOUNDED_ROW = 36,
    N_FIRST_ROWS = 1 << 16,
    LEAST_GAIN = 4096,         /* of what is lost: a round of shaking that brings less is the last one */
    LEAST_GAIN_PRIOR = 256,    /* where promises compare with the whole table */
    SHARE_OF_GUIDES = 3,       /* of the work: what they find is cut again (docs/design/units.md) */
    MOST_ROWS_WORKED = 1 << 20 /* but not for more rows; where crowds stand apart less for more, as they lose less */
};

static int64_t work_of(const covey_peel_table *t)
{
    const int64_t n_rows = t->n_rows, n_worked = n_rows < MOST_ROWS_WORKED ? n_rows : MOST_ROWS_WORKED;
    int64_t work, for_mates;

    if (t->has_prior && t->is_bounded) /* verdicts take longer */
        return LEAST_BOUNDED_WORK + WORK_PER_BOUNDED_ROW * n_worked;
    if (t->has_prior)
        return LEAST_WORK + WORK_PER_ROW * n_worked;
    work = LEAST_WORK + WORK_PER_ROW * n_worked + WORK_PER_FIRST_ROW * (n_rows < N_FIRST_ROWS ? n_rows : N_FIRST_ROWS);
    for_mates = (int64_t)((double)n_rows * (double)n_rows / (t->n_cells + 1) * WORK_PER_CELL_MATE) - LESS_FOR_MATES;
    for_mates = for_mates < LEAST_FOR_MATES ? LEAST_FOR_MATES : for_mates;
    return for_mates < work ? for_mates : work;
}

static bool is_worth_more(const covey_peel_table *t)
{
    return t->size_only && !t->problem->is_guide && t->n_apart == 0 && t->n_rows <= MOST_ROWS_MORE &&
           t->n_rows / ROWS_PER_CELL_MORE >= t->n_cells;
}

size_t covey_i_peel_plan_trials(covey_peel_plan *plan, const covey_peel_table *t, double until, bool refines)
{
    const int64_t n_rows = (int64_t)t->n_rows + t->n_apart;

    plan[0] = (covey_peel_plan){.until = until,
                                .roughness = refines && t->size_only ? COVEY_PEEL_FAIRLY : COVEY_PEEL_THOROUGH,
                                .rare_size = 6,
                                .price_share = 0.7,
                                .n_passes = t->size_only ? 2 : 3,
                                .n_rounds = 6,
                                .shakes_per_class = 9,
                                .most_lost = MOST_LOST,
                                .n_near = 1,
                                .opens = true,
                                .least_gain = LEAST_GAIN,
                                .work_limit = work_of(t)};
    if (t->has_prior) { /* classes are large: one row of them is little, and pools would be too large */
        plan[0].tau = t->is_bounded ? 2 : 16;
        plan[0].n_warm = t->is_bounded ? 2 : 1;
        plan[0].n_passes = 2;
        plan[0].roughness = !refines ? COVEY_PEEL_THOROUGH : t->is_bounded ? COVEY_PEEL_ROUGHLY : COVEY_PEEL_PLAINLY;
        plan[0].n_near = -1;
        plan[0].is_whole = true;
        plan[0].opens = false;
        plan[0].least_gain = LEAST_GAIN_PRIOR;
        plan[0].n_rounds = t->is_bounded ? 2 : 4;
        plan[0].shakes_per_class = t->is_bounded ? 3 : 9; /* they gain little where verdicts take long */
    }
    if (is_worth_more(t)) {
        plan[0].work_limit = (int64_t)((double)plan[0].work_limit * MORE_WORK);
        plan[0].shakes_per_class = (uint32_t)(plan[0].shakes_per_class * MORE_WORK);
        plan[0].most_lost = MOST_LOST_MORE;
    }
    if (t->problem->is_guide && !t->has_prior)
        plan[0].work_limit /= SHARE_OF_GUIDES;
    if (t->n_apart > 0 && n_rows > MOST_ROWS_WORKED)
        plan[0].work_limit = (int64_t)((double)plan[0].work_limit / n_rows * MOST_ROWS_WORKED);
    if (covey_i_peel_is_crowded(t) || t->n_rows > (t->n_apart > 0 ? ROWS_FOR_POOLS_APART : ROWS_FOR_POOLS))
        plan[0].n_near = -1;
    if (t->n_apart > 0 && plan[0].n_near < 0) /* shaking gains little without them */
        plan[0].n_rounds = 0;
    if (!refines || until >= 0 || t->n_rows > ROWS_FOR_TWO_TRIALS || !t->has_prior)
        return 1;
    plan[1] = plan[0];
    plan[1].price_share = 0.6;
    return t->bounded_view >= 0 ? 2 : 1; /* where no value is capped, one threshold does as well as the better of two */
}

/* The larger classes are, the less of a loss a single row is, and the more rows have to move before that pays. */
void covey_i_peel_plan_threshold(covey_peel_plan *plan, const covey_peel *p, size_t trial)
{
    const double loss = (double)covey_i_peel_total(p) / COVEY_PEEL_UNIT / (double)p->t->n_axes / (double)p->t->n_rows;

    if (p->t->has_prior && plan->aside == 0)
        plan->tau = (p->t->is_bounded ? THRESHOLD_AT_ONE : UNBOUNDED_AT_ONE) * loss * loss;
    if (trial == 1)
        plan->tau *= 2;
}
