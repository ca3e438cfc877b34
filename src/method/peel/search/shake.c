/* Shaking: a class is spoilt (kick.c), its surroundings are searched, and if all that costs too much, it is taken back.
 * What costs something may pay after the next shakes, so a shake may cost much at the beginning of a round and nothing
 * at its end.  Then the better of before and after is kept in each place (cross.c), so that what is gained in one does
 * not pay for losses in another, and the next round begins. Source: iterated local search, [Lourenco03]; threshold
 * accepting, [DueckScheuer90]. */
#include "method/peel/search/search.h"

#include "base/error.h"
#include "method/peel/journal.h"

enum {
    MOST_TOUCHED = 24, /* classes that one shake may concern */
    MOST_ROUNDS = 2,   /* of search after a shake */
    LOOK_UP = 64,
    LEAST_SHAKES = 256,      /* a round of a small table */
    LEFT_SCALE = 1024,       /* of what is left of a round */
    SHAKES_PER_POOLS = 2048, /* what may be donors is listed anew */
    MOST_NEW = 4 * MOST_TOUCHED * MOST_ROUNDS + 1
};

static void take_back(covey_peel *p, const struct covey_peel_journal *j)
{
    for (uint32_t i = 0; i < j->n_rows; i++)
        if (p->class_of[j->row[i]] != j->home[i])
            covey_i_peel_move(p, j->row[i], j->home[i]);
}

static bool improve_rows(covey_peel *p, uint32_t c)
{
    uint32_t rows[COVEY_PEEL_MOST_DISSOLVED];
    const uint32_t n = covey_i_peel_lots_of(rows, p, c);
    bool any = false;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t class, other;

        if (p->class_of[rows[i]] != c)
            continue;
        covey_i_peel_best_move(p, &class, &other, rows[i], true, 0);
        if (class == COVEY_PEEL_NONE)
            continue;
        any = true;
        if (other != COVEY_PEEL_NONE)
            covey_i_peel_move(p, other, c);
        covey_i_peel_move(p, rows[i], class);
    }
    return any;
}

/* Are the same rows together as before the shake? */
static bool is_as_before(const covey_peel *p, const struct covey_peel_journal *j)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < j->n_touched; i++)
        sum += covey_i_mix(p->class[j->touched[i].class].rows_hash, 0) - covey_i_mix(j->touched[i].rows_hash, 0);
    return sum == 0;
}

/* Searches the classes that have changed; false: nothing is better now. */
static bool settle(covey_peel *p, int n_near, bool *no_memory)
{
    struct covey_peel_journal *j = p->journal;
    bool any = false;

    for (uint32_t i = 0; i < j->n_touched && i < MOST_TOUCHED; i++) {
        const uint32_t c = j->touched[i].class;
        const covey_peel_class *class = &p->class[c];

        if (class->loss == 0 || class->n > COVEY_PEEL_MOST_DISSOLVED || class->rows_hash == j->touched[i].rows_hash)
            continue;
        any |= improve_rows(p, c);
        if (n_near >= 0)
            any |= covey_i_peel_explode(p, c, (uint32_t)n_near, no_memory) > 0;
        if (any && is_as_before(p, j))
            return false;
    }
    return any;
}

/* Exploding makes new classes: at most two, twice for each class that was touched, round by round. */
static covey_status reserve(struct covey_peel_journal *j, covey_peel *p, covey_error *err)
{
    if (p->n_classes + MOST_NEW < j->capacity)
        return COVEY_OK;
    j->capacity = p->n_classes * 2 + MOST_NEW;
    j->class_stamp = covey_arena_array_zero(&p->arena, uint32_t, j->capacity);
    j->touched = covey_arena_array(&p->arena, struct covey_peel_touched, j->capacity);
    return j->class_stamp && j->touched ? COVEY_OK : covey_i_no_memory(err);
}

/* most_lost: what it may cost, and half of it on average.  False: everything is as before. */
static bool shake(covey_peel *p, uint32_t row, uint64_t random, int64_t most_lost, int n_near, bool *no_memory)
{
    struct covey_peel_journal *j = p->journal;
    const uint32_t n_classes = p->n_classes;
    const uint64_t n_costs = (uint64_t)most_lost + 1;

    j->stamp++;
    j->n_rows = j->n_touched = 0;
    if (covey_i_peel_kick(p, row, random / n_costs, no_memory)) {
        for (int round = 0; round < MOST_ROUNDS && settle(p, n_near, no_memory); round++)
            ;
        if (covey_i_peel_change(p) < (int64_t)(random % n_costs) && !is_as_before(p, j))
            return true;
    }
    take_back(p, j);
    p->n_classes = n_classes;
    return false;
}

/* Rows of classes that can be shaken, and what they lose, added up. */
static uint32_t list_rows(struct covey_peel_journal *j, const covey_peel *p)
{
    uint32_t n = 0;
    int64_t sum = 0;

    for (uint32_t r = 0; r < p->t->n_rows; r++) {
        const covey_peel_class *class = &p->class[p->class_of[r]];

        if (!covey_i_peel_is_focused(p, r) || class->loss == 0 || class->n > COVEY_PEEL_MOST_DISSOLVED)
            continue;
        j->shaken[n] = r;
        j->lost[n++] = sum += class->loss;
    }
    return n;
}

/* Who loses more has more to gain: rows are drawn by what they lost when they were listed. */
static uint32_t draw_row(const struct covey_peel_journal *j, uint32_t n_rows, uint64_t random)
{
    const int64_t at = (int64_t)(((covey_u128)random * (uint64_t)j->lost[n_rows - 1]) >> 64);
    uint32_t first = 0, last = n_rows - 1;

    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;

        if (j->lost[middle] > at)
            last = middle;
        else
            first = middle + 1;
    }
    return j->shaken[first];
}

static uint64_t count_classes(const covey_peel *p)
{
    uint64_t n = 0;

    for (uint32_t c = 0; c < p->n_classes; c++)
        n += p->class[c].loss > 0 && covey_i_peel_in_focus(p, c);
    return n;
}

/* The journal is made once and kept with the partition. */
static covey_status set_up(struct covey_peel_journal **out, covey_peel *p, bool explodes, covey_error *err)
{
    const uint32_t n = p->t->n_rows;
    struct covey_peel_journal *j = p->kept_journal;

    if (!j) {
        j = covey_arena_array_zero(&p->arena, struct covey_peel_journal, 1);
        if (!j || !(j->row_stamp = covey_arena_array_zero(&p->arena, uint32_t, n)) ||
            !(j->row = covey_arena_array(&p->arena, uint32_t, n)) ||
            !(j->home = covey_arena_array(&p->arena, uint32_t, n)) ||
            !(j->shaken = covey_arena_array(&p->arena, uint32_t, n)) ||
            !(j->lost = covey_arena_array(&p->arena, int64_t, n)))
            return covey_i_no_memory(err);
        p->kept_journal = j;
    }
    COVEY_TRY(reserve(j, p, err));
    COVEY_TRY(covey_i_peel_index_build(p, err));
    COVEY_TRY(covey_i_peel_pools_build(p, explodes, err));
    *out = j;
    return COVEY_OK;
}

/* What is left of a round, in parts of LEFT_SCALE: of its work or of its shakes, whichever ends it. */
static int64_t left_of(const covey_peel *p, int64_t work_before, uint64_t done, uint64_t most)
{
    const int64_t work = (p->work_limit - p->work) * LEFT_SCALE / (p->work_limit - work_before + 1),
                  shakes = (int64_t)((most - done) * LEFT_SCALE / most);

    return work < shakes ? work : shakes;
}

covey_status covey_i_peel_shake(covey_peel *p, const covey_peel_plan *plan, uint64_t salt, covey_error *err)
{
    const int64_t highest = (int64_t)(plan->most_lost * COVEY_PEEL_UNIT);
    const int n_near = plan->n_near;
    struct covey_peel_journal *j = NULL;
    uint32_t n_rows;
    uint64_t most;
    int64_t work_before;
    bool no_memory = false;
    covey_status status = set_up(&j, p, n_near >= 0, err);

    if (status != COVEY_OK)
        return status;
    n_rows = list_rows(j, p);
    most = count_classes(p) * plan->shakes_per_class;
    most = most < LEAST_SHAKES ? LEAST_SHAKES : most;
    work_before = p->work;
    for (uint64_t i = 0; i < most && n_rows > 0 && p->work <= p->work_limit && status == COVEY_OK; i++) {
        const uint64_t random = covey_i_mix(i + 1, salt * 0x9E3779B97F4A7C15u + 1);
        const uint32_t row = draw_row(j, n_rows, random);
        const covey_peel_class *class = &p->class[p->class_of[row]];
        const int64_t left = left_of(p, work_before, i, most);

        p->work += 1;
        if (class->loss == 0 || class->n > COVEY_PEEL_MOST_DISSOLVED)
            continue;
        if ((status = reserve(j, p, err)) != COVEY_OK)
            break;
        p->journal = j;
        if (shake(p, row, random, highest * left / LEFT_SCALE * left / LEFT_SCALE, n_near, &no_memory))
            status = covey_i_peel_index_refresh(p, j->n_rows, err);
        p->journal = NULL;
        if (no_memory)
            status = covey_i_no_memory(err);
        else if (status == COVEY_OK && n_near >= 0 && i % SHAKES_PER_POOLS == SHAKES_PER_POOLS - 1)
            status = covey_i_peel_pools_build(p, true, err);
        else if (status == COVEY_OK && i % LOOK_UP == 0)
            status = covey_i_peel_report(p, 0, 1, err);
    }
    p->journal = NULL;
    covey_i_peel_drop_empty(p);
    return status;
}
