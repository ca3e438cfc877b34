/* Parts of a block as sets of bits, for searches that look at very many parts of one block.  A cut is two passes over
 * words instead of a walk through all items, and only those of the side with fewer rows are looked at one by one. */
#include "method/optimal/count.h"

#include <string.h>

enum { WORD = 64 };

size_t covey_i_optimal_whole_bytes(const covey_optimal_grid *g, size_t n_items)
{
    return n_items * (g->d + 1) * sizeof(uint32_t) + g->n_cells * (n_items / WORD + 1) * sizeof(uint64_t);
}

/* The rows in the cells of all axes, within a box. */
static void count_rows(covey_optimal_block *block, const covey_optimal_whole *whole, const uint64_t *bits,
                       const int16_t *box)
{
    const covey_optimal_grid *g = whole->g;
    const size_t d = g->d;
    int32_t *const count = block->count;

    for (size_t a = 0; a < d; a++) {
        const uint32_t low = (uint32_t)-box[d + a], high = (uint32_t)box[a];

        memset(count + g->axis[a].first + low, 0, (high - low + 1) * sizeof *count);
    }
    for (uint32_t i = 0; i < whole->n_words; i++)
        for (uint64_t left = bits[i]; left; left &= left - 1) {
            const size_t item = (size_t)i * WORD + (size_t)__builtin_ctzll(left);
            const uint32_t *const cell = whole->cell + item * d;
            const int32_t rows = (int32_t)whole->rows[item];

            for (size_t a = 0; a < d; a++)
                count[cell[a]] += rows;
        }
}

/* The box of a counted part, which lies in a larger one, and the classes that sizes allow: n / k, or one less. */
static void look_ahead(covey_optimal_part *part, const covey_optimal_grid *g, const int16_t *box)
{
    covey_optimal_block *const block = &part->block;
    const uint32_t k = (uint32_t)g->k, n = (uint32_t)block->n, most_of_all = n / k;
    uint32_t most = 1;

    for (uint32_t a = 0; a < g->d; a++) {
        const int32_t *const count = block->count + g->axis[a].first;
        uint32_t low = (uint32_t)-box[g->d + a], high = (uint32_t)box[a], n_left = 0;

        while (low < high && count[low] == 0)
            low++;
        while (high > low && count[high] == 0)
            high--;
        block->tight[a] = (int16_t)high;
        block->tight[g->d + a] = (int16_t) - (int32_t)low;
        for (uint32_t c = low; c < high && most < most_of_all; c++) {
            uint32_t sum;

            n_left += (uint32_t)count[c];
            sum = n_left / k + (n - n_left) / k;
            if (sum > most && covey_i_optimal_is_possible(g, block, a, n_left, count[c]) &&
                covey_i_splits_allow(g->axis[a].splits, low, high, c))
                most = sum;
        }
    }
    part->most = most;
}

bool covey_i_optimal_part_new(covey_optimal_part *part, const covey_optimal_whole *whole, covey_optimal_worker *w)
{
    *part = (covey_optimal_part){.block = {.tight = covey_arena_array_zero(&w->arena, int16_t, w->g->stride),
                                           .count = covey_arena_array(&w->arena, int32_t, w->g->n_cells)},
                                 .bits = covey_arena_array(&w->arena, uint64_t, whole->n_words)};
    return part->block.tight && part->block.count && part->bits;
}

bool covey_i_optimal_whole_new(covey_optimal_whole *whole, covey_optimal_part *all, covey_optimal_worker *w,
                               const covey_optimal_block *block)
{
    const covey_optimal_grid *g = w->g;
    const uint32_t n_items = block->n_items, n_words = n_items / WORD + 1;

    *whole = (covey_optimal_whole){
        .g = g,
        .n_words = n_words,
        .rows = covey_arena_array(&w->arena, uint32_t, n_items),
        .cell = covey_arena_array(&w->arena, uint32_t, (size_t)n_items * g->d),
        .upto = covey_arena_array_zero(&w->arena, uint64_t, (size_t)g->n_cells * n_words),
    };
    if (!whole->rows || !whole->cell || !whole->upto || !covey_i_optimal_part_new(all, whole, w))
        return false;
    memset(all->bits, 0, n_words * sizeof *all->bits);
    for (uint32_t i = 0; i < n_items; i++) {
        const int16_t *own = g->lane + (size_t)block->item[i] * g->stride;
        const uint64_t bit = (uint64_t)1 << i % WORD;

        all->bits[i / WORD] |= bit;
        whole->rows[i] = g->weight[block->item[i]];
        for (size_t a = 0; a < g->d; a++) {
            const uint32_t cell = w->first[a] + (uint32_t)own[a];

            whole->cell[i * g->d + a] = cell;
            whole->upto[(size_t)cell * n_words + i / WORD] |= bit;
        }
    }
    for (size_t a = 0; a < g->d; a++)
        for (size_t c = w->first[a] + 1; c < w->first[a] + g->axis[a].n_cells; c++)
            for (size_t i = 0; i < n_words; i++)
                whole->upto[c * n_words + i] |= whole->upto[(c - 1) * n_words + i];
    all->block.n = block->n;
    count_rows(&all->block, whole, all->bits, block->tight);
    look_ahead(all, g, block->tight);
    return true;
}

void covey_i_optimal_part_divide(covey_optimal_part *left, covey_optimal_part *right, const covey_optimal_whole *whole,
                                 const covey_optimal_part *part, uint32_t axis, uint32_t cell, int64_t n_left)
{
    const covey_optimal_grid *g = whole->g;
    const covey_optimal_block *const block = &part->block;
    const uint64_t *const upto = whole->upto + (size_t)(g->axis[axis].first + cell) * whole->n_words;
    covey_optimal_part *few, *many;

    for (uint32_t i = 0; i < whole->n_words; i++) {
        left->bits[i] = part->bits[i] & upto[i];
        right->bits[i] = part->bits[i] & ~upto[i];
    }
    left->block.n = n_left;
    right->block.n = block->n - n_left;
    few = left->block.n < right->block.n ? left : right;
    many = few == left ? right : left;
    count_rows(&few->block, whole, few->bits, block->tight);
    for (uint32_t a = 0; a < g->d; a++) {
        const uint32_t first = g->axis[a].first, end = first + COVEY_OPT_HIGH(block, g, a);

        for (uint32_t c = first + COVEY_OPT_LOW(block, g, a); c <= end; c++)
            many->block.count[c] = block->count[c] - few->block.count[c];
    }
    look_ahead(left, g, block->tight);
    look_ahead(right, g, block->tight);
}
