/* How many classes there can be at most, where sizes say all.  That a block has no partitioning into q classes is far
 * cheaper to prove than what its best one costs, and bounds the cost of the whole.  See
 * docs/design/optimal-partition.md. */
#include "method/optimal/count.h"

enum { MOST_DEPTH = 8000 };

/* One block, and the questions about it. */
struct counting {
    covey_optimal_counter *known;
    covey_optimal_worker *w;
    covey_optimal_whole whole;
    covey_optimal_part all;
};

/* A cut, and how many of the classes are on its left side. */
struct way {
    uint32_t axis, cell;
    int64_t n_left, q_left;
};

static void out_of_memory(covey_optimal_worker *w)
{
    w->stopped = w->is_full = true;
}

/* False: no memory, and the worker knows. */
static bool begin(struct counting *s, covey_optimal_counter *known, covey_optimal_worker *w,
                  const covey_optimal_block *block)
{
    *s = (struct counting){.known = known, .w = w};
    if (covey_i_optimal_whole_new(&s->whole, &s->all, w, block))
        return true;
    out_of_memory(w);
    return false;
}

static bool new_sides(covey_optimal_part *left, covey_optimal_part *right, const struct counting *s)
{
    if (covey_i_optimal_part_new(left, &s->whole, s->w) && covey_i_optimal_part_new(right, &s->whole, s->w))
        return true;
    out_of_memory(s->w);
    return false;
}

/* ---- The search ---- */

static covey_optimal_answer look(const struct counting *s, const covey_optimal_part *part, int64_t q)
{
    if (q * s->w->g->k > part->block.n)
        return COVEY_OPT_NO;
    if (q == 1)
        return COVEY_OPT_YES;
    if (part->most < q)
        return COVEY_OPT_NO;
    return q == 2 ? COVEY_OPT_YES : covey_i_optimal_counter_recall(s->known, s->w->g, &part->block, q);
}

static covey_optimal_answer search(const struct counting *s, const covey_optimal_part *part, int64_t q);

/* The side with fewer rows to spare goes first: it is the likelier one to be refuted, and the sooner. */
static covey_optimal_answer search_sides(const struct counting *s, const covey_optimal_part *left, int64_t q_left,
                                         const covey_optimal_part *right, int64_t q_right)
{
    const int64_t k = s->w->g->k;
    const bool is_left = left->block.n - q_left * k < right->block.n - q_right * k;
    const covey_optimal_part *first = is_left ? left : right, *second = is_left ? right : left;
    const int64_t q_first = is_left ? q_left : q_right, q_second = is_left ? q_right : q_left;
    covey_optimal_answer of_first = look(s, first, q_first), of_second;

    if (of_first == COVEY_OPT_NO || (of_second = look(s, second, q_second)) == COVEY_OPT_NO)
        return COVEY_OPT_NO;
    if (of_first == COVEY_OPT_OPEN && (of_first = search(s, first, q_first)) != COVEY_OPT_YES)
        return of_first;
    return of_second == COVEY_OPT_OPEN ? search(s, second, q_second) : of_second;
}

/* Every way to give the classes to both sides of a cut. */
static covey_optimal_answer try_sides(int64_t *q_left, const struct counting *s, const covey_optimal_part *left,
                                      const covey_optimal_part *right, int64_t q)
{
    const int64_t k = s->w->g->k, most_left = left->block.n / k, most_right = right->block.n / k;
    covey_optimal_answer answer = COVEY_OPT_NO;

    for (int64_t i = most_left < q ? most_left : q - 1; i >= 1 && q - i <= most_right && !s->w->stopped; i--) {
        const covey_optimal_answer one = search_sides(s, left, i, right, q - i);

        if (one == COVEY_OPT_YES) {
            *q_left = i;
            return COVEY_OPT_YES;
        }
        answer = one == COVEY_OPT_OPEN ? one : answer;
    }
    return answer;
}

/* All cuts, until one leads to so many classes.  Their order is the grid's own: it leads to boxes that lie in one
 * another. */
static covey_optimal_answer try_cuts(struct way *way, const struct counting *s, const covey_optimal_part *part,
                                     int64_t q)
{
    covey_optimal_worker *const w = s->w;
    const covey_optimal_grid *g = w->g;
    const covey_optimal_block *const block = &part->block;
    const uint32_t k = (uint32_t)g->k, n = (uint32_t)block->n;
    covey_optimal_answer answer = COVEY_OPT_NO;
    covey_optimal_part left, right;

    if (!new_sides(&left, &right, s))
        return COVEY_OPT_OPEN;
    for (uint32_t a = 0; a < g->d; a++) {
        const uint32_t low = COVEY_OPT_LOW(block, g, a), high = COVEY_OPT_HIGH(block, g, a);
        const int32_t *const count = block->count + g->axis[a].first;
        uint32_t n_left = 0;

        for (uint32_t c = low; c < high; c++) {
            covey_optimal_answer one;

            n_left += (uint32_t)count[c];
            if (n_left / k + (n - n_left) / k < q || !covey_i_optimal_is_possible(g, block, a, n_left, count[c]) ||
                !covey_i_splits_allow(g->axis[a].splits, low, high, c))
                continue;
            covey_i_optimal_part_divide(&left, &right, &s->whole, part, a, c, n_left);
            if (left.most + right.most < q)
                continue;
            *way = (struct way){.axis = a, .cell = c, .n_left = n_left};
            one = try_sides(&way->q_left, s, &left, &right, q);
            if (one == COVEY_OPT_YES)
                return one;
            if (w->stopped)
                return COVEY_OPT_OPEN;
            answer = one == COVEY_OPT_NO ? answer : one;
        }
    }
    return answer;
}

static covey_optimal_answer search(const struct counting *s, const covey_optimal_part *part, int64_t q)
{
    covey_optimal_worker *const w = s->w;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_answer answer;
    struct way way;

    if (w->depth >= MOST_DEPTH || !covey_i_optimal_goes_on(w))
        return COVEY_OPT_OPEN;
    w->depth++;
    answer = try_cuts(&way, s, part, q);
    w->depth--;
    covey_arena_rewind(&w->arena, mark);
    if (answer != COVEY_OPT_OPEN)
        covey_i_optimal_counter_remember(s->known, w->g, &part->block, q, answer);
    return answer;
}

static covey_optimal_answer ask(const struct counting *s, int64_t q)
{
    const covey_optimal_answer known = look(s, &s->all, q);

    return known == COVEY_OPT_OPEN ? search(s, &s->all, q) : known;
}

covey_optimal_answer covey_i_optimal_can_have(covey_optimal_counter *c, covey_optimal_worker *w,
                                              const covey_optimal_block *block, int64_t n_classes)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_answer answer = COVEY_OPT_OPEN;
    struct counting s;

    if (begin(&s, c, w, block))
        answer = ask(&s, n_classes);
    covey_arena_rewind(&w->arena, mark);
    return answer;
}

/* ---- What numbers of classes say of costs ---- */

static void keep(covey_optimal_worker *w, const covey_optimal_block *block, covey_optimal_units lower,
                 covey_optimal_units upper, uint32_t cut)
{
    const covey_optimal_units bound = covey_i_optimal_block_bound(w->g, block);

    covey_i_optimal_remember(w, block,
                             (covey_optimal_known){.lower = lower > bound ? lower : bound, .upper = upper, .cut = cut});
}

/* The cost of a part of fewer than 3 k rows: it is cut once, or not at all. */
static covey_optimal_units pair_cost(covey_optimal_worker *w, const covey_optimal_block *block)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_units best = covey_i_optimal_class_of(w->g, block->n), least = best;
    uint32_t n;
    const covey_optimal_cut *cut = covey_i_optimal_cuts_by_size(&n, &least, w, block, best);

    if (!cut)
        out_of_memory(w);
    for (uint32_t i = 0; cut && i < n; i++)
        best = cut[i].rank < best ? cut[i].rank : best;
    covey_arena_rewind(&w->arena, mark);
    return cut ? best : COVEY_OPT_INFINITE;
}

/* The cost of a partitioning into q classes or more, which there is: it goes into the cache, cut by cut.
 * COVEY_OPT_INFINITE if the search is over, or the recursion would be too deep. */
static covey_optimal_units build(const struct counting *s, const covey_optimal_part *part, int64_t q)
{
    covey_optimal_worker *const w = s->w;
    const covey_optimal_grid *g = w->g;
    const covey_optimal_block *const block = &part->block;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_known known = {.upper = covey_i_optimal_class_of(g, block->n)};
    covey_optimal_units sum = COVEY_OPT_INFINITE;
    covey_optimal_part left, right;
    struct way way;

    if (block->n < 3 * g->k)
        return pair_cost(w, block);
    if (q == 1 || (covey_i_optimal_recall(&known, w, block) && known.upper < covey_i_optimal_floor(g, block->n, q - 1)))
        return known.upper; /* it has as many */
    if (w->depth < MOST_DEPTH && try_cuts(&way, s, part, q) == COVEY_OPT_YES && new_sides(&left, &right, s)) {
        covey_i_optimal_part_divide(&left, &right, &s->whole, part, way.axis, way.cell, way.n_left);
        w->depth++;
        sum = build(s, &left, way.q_left);
        sum = sum < COVEY_OPT_INFINITE ? sum + build(s, &right, q - way.q_left) : sum;
        w->depth--;
    }
    covey_arena_rewind(&w->arena, mark);
    if (sum >= COVEY_OPT_INFINITE)
        return COVEY_OPT_INFINITE;
    keep(w, block, -COVEY_OPT_INFINITE, sum, way.axis << 16 | way.cell);
    return sum;
}

void covey_i_optimal_count_down(covey_optimal_worker *w, const covey_optimal_block *block, int64_t nodes)
{
    const covey_optimal_grid *g = w->g;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_known known = {.upper = covey_i_optimal_class_of(g, block->n)};
    covey_optimal_answer answer = COVEY_OPT_NO;
    struct counting s;

    covey_i_optimal_recall(&known, w, block);
    if (!begin(&s, w->counter, w, block))
        return;
    for (int64_t q = block->n / g->k; q > 1 && answer != COVEY_OPT_YES && !w->stopped; q--) {
        const covey_optimal_units fewer = covey_i_optimal_floor(g, block->n, q - 1);
        int64_t end;

        if (known.upper < fewer) /* that has as many */
            break;
        if (known.lower >= fewer) /* known */
            continue;
        end = covey_i_optimal_give_nodes(w, nodes);
        answer = ask(&s, q);
        covey_i_optimal_take_back(w, end);
        if (answer == COVEY_OPT_YES)
            build(&s, &s.all, q);
        else if (answer == COVEY_OPT_NO) /* nor into more, whatever became of those */
            keep(w, block, fewer, COVEY_OPT_INFINITE, COVEY_OPT_LEAF);
    }
    covey_arena_rewind(&w->arena, mark);
}
