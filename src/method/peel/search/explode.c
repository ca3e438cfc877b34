/* A pool -- a class, or a class and one near it -- falls apart in two: the rows in a box and the others.  Each part's
 * rows either join existing classes one by one, or become a class that is filled up with donors.
 *
 * Boxes are spanned by two cells of the pool.  Most are ruled out by what the parts would cost at least, so trying them
 * all is cheap. */
#include "method/peel/search/search.h"
#include "method/peel/search/pool.h"

#include <string.h>

#include "base/error.h"

enum {
    LOOK_UP = 256,
    LEAST_TRIED_BITS = 12,
    MOST_TRIED_BITS = 18,
    TRIED_PER_ROW = 64,
    BOX_WORK = 6 /* trying one takes as long as looking at so many twigs of the index */
};
#define NOWHERE ((int64_t)1 << 50) /* the cost of a row that no class takes */

/* Emptied for each search: a small table's should not take longer than its search. */
static uint32_t tried_bits_of(uint32_t n_rows)
{
    uint32_t bits = LEAST_TRIED_BITS;

    while (bits < MOST_TRIED_BITS && (uint64_t)1 << bits < (uint64_t)n_rows * TRIED_PER_ROW)
        bits++;
    return bits;
}

static covey_status set_up(covey_peel *p, covey_error *err)
{
    struct covey_peel_pools *pools = p->pools;
    const uint32_t n = p->t->n_rows, bits = tried_bits_of(n);
    const size_t width = (p->t->n_axes + COVEY_PEEL_POOL_LANES - 1) / COVEY_PEEL_POOL_LANES * COVEY_PEEL_POOL_LANES;

    if (!pools) {
        pools = covey_arena_array_zero(&p->arena, struct covey_peel_pools, 1);
        if (!pools || !(pools->tried = covey_arena_array_zero(&p->arena, uint64_t, (size_t)1 << bits)) ||
            !(pools->target = covey_arena_array(&p->arena, uint32_t, n)) ||
            !(pools->target_bound = covey_arena_array(&p->arena, int64_t, n)) ||
            !(pools->hull = covey_arena_array(&p->arena, uint32_t, 2 * p->t->width)) ||
            !(pools->split = covey_arena_array_zero(&p->arena, covey_peel_split, 1)) ||
            !(pools->split->spread = covey_arena_array(&p->arena, covey_peel_spread, p->t->n_axes)) ||
            !(pools->split->rank = covey_arena_array_zero(&p->arena, int8_t, COVEY_PEEL_POOL_ROWS * width)))
            return covey_i_no_memory(err);
        pools->split->width = width;
        pools->tried_bits = bits;
        p->pools = pools;
    }
    return COVEY_OK;
}

void covey_i_peel_forget_pools(covey_peel *p)
{
    if (!p->pools)
        return;
    memset(p->pools->tried, 0, sizeof *p->pools->tried << p->pools->tried_bits);
    p->pools->n_tried = 0;
}

static uint64_t *find_tried(const struct covey_peel_pools *pools, uint64_t hash)
{
    const uint32_t mask = (1u << pools->tried_bits) - 1;
    uint32_t slot = (uint32_t)hash & mask;

    while (pools->tried[slot] != 0 && pools->tried[slot] != hash)
        slot = (slot + 1) & mask;
    return &pools->tried[slot];
}

static void note_tried(covey_peel *p, uint64_t hash)
{
    uint64_t *slot;

    if (p->pools->n_tried > (1u << p->pools->tried_bits) / 4 * 3)
        covey_i_peel_forget_pools(p);
    slot = find_tried(p->pools, hash);
    p->pools->n_tried += *slot == 0;
    *slot = hash;
}

bool covey_i_peel_is_tried(covey_peel *p, uint64_t hash)
{
    if (*find_tried(p->pools, hash) == hash)
        return true;
    note_tried(p, hash);
    return false;
}

/* What it costs about to put a row into an existing class, at most bound. */
static int64_t target_cost(covey_peel *p, uint32_t row, int64_t bound)
{
    const uint32_t key = p->t->alike[row];
    uint32_t c = p->pools->target[key];
    int64_t increase;

    if (p->pools->target_bound[key] >= 0) {
        if (c == COVEY_PEEL_NONE && bound <= p->pools->target_bound[key])
            return bound;
        if (c != COVEY_PEEL_NONE && c < p->n_classes && p->class[c].n > 0 &&
            covey_i_peel_admits(p, c, COVEY_PEEL_NONE, row)) {
            increase = (p->class[c].n + 1) * covey_i_peel_class_loss_with(p, c, covey_i_peel_codes(p->t, row)) -
                       covey_i_peel_cost(p, c);
            return increase < bound ? increase : bound;
        }
    }
    c = covey_i_peel_target(p, &increase, row, COVEY_PEEL_NONE, bound);
    p->pools->target[key] = c;
    p->pools->target_bound[key] = bound;
    return c == COVEY_PEEL_NONE ? bound : increase;
}

static void list_part(covey_peel_part *part, const covey_peel_split *s, uint64_t rows)
{
    for (part->n = 0; rows; rows &= rows - 1)
        part->row[part->n++] = s->row[__builtin_ctzll(rows)];
}

static void try_split(covey_peel *p, covey_peel_split *s, uint32_t box)
{
    const uint64_t inside = s->box[box];
    const uint64_t rows[2] = {inside, (((uint64_t)1 << s->n) - 1) & ~inside};
    covey_peel_part part[2];
    int64_t join[2] = {0, 0}, least[2], floor[2] = {0, 0}, n = 0;

    for (uint64_t left = inside; left; left &= left - 1, n++)
        join[0] += s->target[__builtin_ctzll(left)];
    join[1] = s->all_targets - join[0];
    for (int side = 0; side < 2; side++, n = s->n - n) {
        least[side] = (n < p->t->min_size ? p->t->min_size : n) *
                      (side == 0 ? s->box_loss[box] : covey_i_peel_hull_loss(s, rows[side]));
        floor[side] = join[side] < least[side] ? join[side] : least[side];
        if (floor[0] + floor[1] >= s->best)
            return;
    }
    list_part(&part[0], s, rows[0]);
    list_part(&part[1], s, rows[1]);
    covey_i_peel_price(p, &part[0], join[0], least[0], s->best - floor[1]);
    if (part[0].cost + floor[1] >= s->best)
        return;
    covey_i_peel_price(p, &part[1], join[1], least[1], s->best - part[0].cost);
    if (part[0].cost + part[1].cost >= s->best)
        return;
    s->best = part[0].cost + part[1].cost;
    s->part[0] = part[0];
    s->part[1] = part[1];
}

/* Parts a pool whose rows are in no class.  Returns the gain; 0: none, and the rows are still in no class. */
static int64_t part_pool(covey_peel *p, covey_peel_split *s, int64_t have, bool *no_memory)
{
    const uint32_t n_classes = p->n_classes;
    covey_peel_moved moved = {.n = 0};
    int64_t cost = 0;

    s->best = have;
    s->all_targets = 0;
    covey_i_peel_find_boxes(s, p);
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0 && p->t->alike[s->row[i]] == p->t->alike[s->row[i - 1]])
            s->target[i] = s->target[i - 1];
        else if ((s->target[i] = target_cost(p, s->row[i], have)) >= have)
            s->target[i] = NOWHERE;
        s->all_targets += s->target[i];
    }
    for (uint32_t i = 0; i < s->n_boxes; i++)
        try_split(p, s, i);
    p->work += (int64_t)s->n_boxes * BOX_WORK;
    if (s->best >= have)
        return 0;
    if (covey_i_peel_carry_out(p, &moved, &cost, &s->part[0], have, no_memory) &&
        covey_i_peel_carry_out(p, &moved, &cost, &s->part[1], have, no_memory) && cost < have)
        return have - cost;
    covey_i_peel_put_back(p, &moved);
    p->n_classes = n_classes;
    return 0;
}

/* Sorted, so that rows of a cell stand together. */
static void collect_pool(covey_peel *p, covey_peel_split *s, uint32_t c, uint32_t other)
{
    s->n = covey_i_peel_lots_of(s->row, p, c);
    if (other == COVEY_PEEL_NONE)
        return;
    s->n += covey_i_peel_lots_of(s->row + s->n, p, other);
    for (uint32_t i = 1; i < s->n; i++) {
        const uint32_t row = s->row[i];
        uint32_t j = i;

        for (; j > 0 && s->row[j - 1] > row; j--)
            s->row[j] = s->row[j - 1];
        s->row[j] = row;
    }
}

/* Tries the pool of a class and another (COVEY_PEEL_NONE: alone); returns the gain. */
static int64_t explode(covey_peel *p, covey_peel_split *s, uint32_t c, uint32_t other, bool *no_memory)
{
    const uint64_t hash = p->class[c].rows_hash ^ (other == COVEY_PEEL_NONE ? 0 : p->class[other].rows_hash);
    const int64_t have = covey_i_peel_cost(p, c) + (other == COVEY_PEEL_NONE ? 0 : covey_i_peel_cost(p, other));
    uint32_t home[COVEY_PEEL_POOL_ROWS];
    int64_t gain;

    if (*find_tried(p->pools, hash) == hash)
        return 0;
    collect_pool(p, s, c, other);
    for (uint32_t i = 0; i < s->n; i++)
        home[i] = p->class_of[s->row[i]];
    covey_i_peel_empty(p, c);
    if (other != COVEY_PEEL_NONE)
        covey_i_peel_empty(p, other);
    if ((gain = part_pool(p, s, have, no_memory)) > 0)
        return gain;
    note_tried(p, hash);
    for (uint32_t i = 0; i < s->n; i++)
        covey_i_peel_add(p, home[i], s->row[i]);
    return 0;
}

/* The class alone, then with each of the near ones, until something pays. */
static int64_t explode_around(covey_peel *p, covey_peel_split *s, uint32_t c, uint32_t n_near, bool *no_memory)
{
    const uint64_t hash = ~p->class[c].rows_hash;
    covey_peel_near near[COVEY_PEEL_MOST_NEAR];
    uint32_t n;
    int64_t gain;

    if (*find_tried(p->pools, hash) == hash)
        return 0;
    n = n_near > 0 ? covey_i_peel_near_classes(p, near, c, n_near, COVEY_PEEL_POOL_ROWS) : 0;
    if ((gain = explode(p, s, c, COVEY_PEEL_NONE, no_memory)) > 0)
        return gain;
    for (uint32_t i = 0; i < n && !*no_memory; i++)
        if (p->class[near[i].class].loss > 0 && (gain = explode(p, s, c, near[i].class, no_memory)) > 0)
            return gain;
    note_tried(p, hash);
    return 0;
}

covey_status covey_i_peel_pools_build(covey_peel *p, bool explodes, covey_error *err)
{
    COVEY_TRY(set_up(p, err));
    if (!explodes)
        return COVEY_OK;
    for (uint32_t r = 0; r < p->t->n_rows; r++)
        p->pools->target_bound[r] = -1;
    return covey_i_peel_donors_build(p, err);
}

int64_t covey_i_peel_explode(covey_peel *p, uint32_t c, uint32_t n_near, bool *no_memory)
{
    if (p->class[c].n == 0 || p->class[c].loss == 0 || p->class[c].n > COVEY_PEEL_POOL_ROWS / 2)
        return 0;
    return explode_around(p, p->pools->split, c, n_near < COVEY_PEEL_MOST_NEAR ? n_near : COVEY_PEEL_MOST_NEAR,
                          no_memory);
}

covey_status covey_i_peel_pass_explode(covey_peel *p, uint32_t n_near, int64_t *gain, covey_error *err)
{
    bool no_memory = false;
    const uint32_t n = p->n_classes;

    COVEY_TRY(covey_i_peel_index_build(p, err));
    COVEY_TRY(covey_i_peel_pools_build(p, true, err));
    for (uint32_t c = 0; c < n && p->work <= p->work_limit; c++) {
        int64_t won;

        if (c % LOOK_UP == 0)
            COVEY_TRY(covey_i_peel_report(p, 0, 1, err));
        if (!covey_i_peel_in_focus(p, c))
            continue;
        if ((won = covey_i_peel_explode(p, c, n_near, &no_memory)) > 0)
            COVEY_TRY(covey_i_peel_index_refresh(p, p->pools->split->n, err));
        *gain += won;
        if (no_memory)
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}
