/* The index: which classes are near a row or a class. */
#include "method/peel/search/search.h"
#include "method/peel/search/trie.h"

#include <string.h>

#include "base/error.h"

enum {
    FRESH_MOVES = 64,
    FRESH_SHARE = 4, /* building an index costs as much as moving about so many rows */
    WIDER = 4,       /* a guess that was too low, next time */
    NEXT_ROWS = 2    /* on either side, whose classes may be good to join */
};

static void sign(uint32_t out[2], const covey_peel_axis *axis, uint32_t low, uint32_t high)
{
    covey_i_peel_span(out, axis, low, high);
    if (axis->bin) {
        out[0] = axis->bin[2 * (size_t)low];
        out[1] = axis->bin[2 * (size_t)high + 1];
    }
}

/* Smallest size and loss of the classes below each twig, from the last level upwards. */
static void fill_bounds(covey_peel_trie *x, const covey_peel *p)
{
    for (size_t level = x->n_levels; level-- > 0;)
        for (uint32_t i = 0; i < x->tier[level].n_twigs; i++) {
            covey_peel_twig *twig = &x->tier[level].twig[i];

            twig->least = UINT32_MAX;
            twig->loss = INT32_MAX;
            for (uint32_t j = twig->begin; j < twig[1].begin; j++) {
                const bool is_last = level + 1 == x->n_levels;
                const uint32_t n = is_last ? p->class[x->entry[j]].n : x->tier[level + 1].twig[j].least;
                const int64_t loss = is_last ? p->class[x->entry[j]].loss : x->tier[level + 1].twig[j].loss;

                twig->least = n < twig->least ? n : twig->least;
                twig->loss = loss < twig->loss ? (int32_t)loss : twig->loss;
            }
        }
}

covey_status covey_i_peel_index_build(covey_peel *p, covey_error *err)
{
    const covey_peel_table *t = p->t;
    covey_peel_trie *x = p->index;

    if (!x && !(x = p->index = covey_arena_array_zero(&p->arena, covey_peel_trie, 1)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_peel_trie_reserve(x, p, p->n_classes, err));
    for (uint32_t c = 0; c < p->n_classes; c++) {
        const uint32_t *low = covey_i_peel_box(p, c), *high = low + t->width;
        uint32_t *signature = covey_i_peel_trie_signature(x, c);

        if (p->class[c].n == 0)
            continue;
        x->entry[x->n_entries++] = c;
        for (size_t i = 0; i < x->n_levels; i++)
            sign(signature + 2 * i, &t->axis[t->index_axis[i]], low[t->index_axis[i]], high[t->index_axis[i]]);
    }
    COVEY_TRY(covey_i_peel_trie_build(x, p, err));
    fill_bounds(x, p);
    p->n_moved = 0;
    return COVEY_OK;
}

covey_status covey_i_peel_index_refresh(covey_peel *p, uint32_t n_moved, covey_error *err)
{
    p->n_moved += n_moved;
    return p->n_moved > FRESH_MOVES + p->n_classes / FRESH_SHARE ? covey_i_peel_index_build(p, err) : COVEY_OK;
}

/* Joins a class in mind if that costs less than what is known. */
static void consider(covey_peel *p, uint32_t *found, int64_t *bound, uint32_t row, uint32_t except, uint32_t c)
{
    int64_t cost;

    if (c >= p->n_classes || c == except || c == *found || p->class[c].n == 0)
        return;
    cost = (p->class[c].n + 1) * covey_i_peel_class_loss_with(p, c, covey_i_peel_codes(p->t, row)) -
           covey_i_peel_cost(p, c);
    if (cost >= *bound || !covey_i_peel_admits(p, c, COVEY_PEEL_NONE, row))
        return;
    *bound = cost;
    *found = c;
}

/* The class that rows like this one joined last, and those of the rows next to it, are good bounds on what joining
 * costs. */
static uint32_t guess_target(covey_peel *p, int64_t *bound, uint32_t row, uint32_t except)
{
    uint32_t found = COVEY_PEEL_NONE;

    consider(p, &found, bound, row, except, p->joined[p->t->alike[row]]);
    for (uint32_t other = row < NEXT_ROWS ? 0 : row - NEXT_ROWS; other <= row + NEXT_ROWS && other < p->t->n_lots;
         other++)
        consider(p, &found, bound, row, except, p->class_of[other]);
    return found;
}

uint32_t covey_i_peel_target(covey_peel *p, int64_t *increase, uint32_t row, uint32_t except, int64_t bound)
{
    const covey_peel_trie *x = p->index;
    const uint32_t *codes = covey_i_peel_codes(p->t, row);
    covey_peel_walk walk;
    uint32_t found = guess_target(p, &bound, row, except);

    covey_i_peel_walk_begin(&walk, p, x, codes, codes, 1);
    while (covey_i_peel_walk_next(&walk, bound)) {
        walk.work += walk.last - walk.first;
        for (uint32_t i = walk.first; i < walk.last; i++) {
            const uint32_t c = x->entry[i];
            const covey_peel_class *class = &p->class[c];
            int64_t cost;

            if (c == except || class->n == 0 || (class->n + 1) * walk.found + class->loss >= bound ||
                (class->n + 1) * (walk.found + covey_i_peel_more_off_index(p, c, codes, codes)) + class->loss >= bound)
                continue;
            cost = (class->n + 1) * covey_i_peel_class_loss_with(p, c, codes) - class->n * class->loss;
            if (cost < bound && covey_i_peel_admits(p, c, COVEY_PEEL_NONE, row)) {
                bound = cost;
                found = c;
            }
        }
    }
    p->work += walk.work;
    *increase = bound;
    if (found != COVEY_PEEL_NONE)
        p->joined[p->t->alike[row]] = found;
    return found;
}

/* Loss of the union of two classes. */
static int64_t union_loss(const covey_peel *p, uint32_t c, uint32_t d)
{
    const size_t width = p->t->width;
    const uint32_t *x = covey_i_peel_box(p, c), *y = covey_i_peel_box(p, d);

    return covey_i_peel_hull_of(p->t, x, x + width, y, y + width);
}

/* Puts a class into the list of the nearest. */
static uint32_t insert_near(covey_peel_near *near, uint32_t n, uint32_t k, covey_peel_near entry)
{
    uint32_t i = n < k ? n++ : k - 1;

    for (; i > 0 && near[i - 1].cost > entry.cost; i--)
        near[i] = near[i - 1];
    near[i] = entry;
    return n;
}

/* Only what costs less than bound. */
static uint32_t find_near(covey_peel *p, covey_peel_near *near, uint32_t c, uint32_t k, uint32_t most, int64_t bound)
{
    const covey_peel_trie *x = p->index;
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + p->t->width;
    const int64_t own = covey_i_peel_cost(p, c), n = p->class[c].n;
    covey_peel_walk walk;
    uint32_t n_near = 0;

    covey_i_peel_walk_begin(&walk, p, x, low, high, n);
    while (covey_i_peel_walk_next(&walk, bound + own)) {
        walk.work += walk.last - walk.first;
        for (uint32_t i = walk.first; i < walk.last; i++) {
            const uint32_t d = x->entry[i];
            const covey_peel_class *class = &p->class[d];
            int64_t cost;

            if (d == c || class->n == 0 || class->n + n > most ||
                (n + class->n) * walk.found + n * class->loss >= bound + own ||
                (n + class->n) * (walk.found + covey_i_peel_more_off_index(p, d, low, high)) + n * class->loss >=
                    bound + own)
                continue;
            cost = (n + class->n) * union_loss(p, c, d) - covey_i_peel_cost(p, d) - own;
            if (cost >= bound)
                continue;
            n_near = insert_near(near, n_near, k, (covey_peel_near){cost, d});
            if (n_near == k)
                bound = near[k - 1].cost;
        }
    }
    p->work += walk.work;
    return n_near;
}

/* Near classes that cost less than what they did lately are found much faster, and mostly there are enough of them. */
uint32_t covey_i_peel_near_classes(covey_peel *p, covey_peel_near *near, uint32_t c, uint32_t k, uint32_t most)
{
    int64_t *guess = &p->near_guess[k], bound = *guess > 0 ? *guess : COVEY_PEEL_FAR;

    for (;;) {
        const uint32_t n = find_near(p, near, c, k, most, bound);

        if (n == k)
            *guess += (2 * near[k - 1].cost - *guess) / (*guess > 0 ? 8 : 1);
        if (n == k || bound == COVEY_PEEL_FAR)
            return n;
        bound = bound < COVEY_PEEL_FAR / WIDER ? bound * WIDER : COVEY_PEEL_FAR;
        if (bound > *guess * WIDER * WIDER)
            bound = COVEY_PEEL_FAR;
    }
}
