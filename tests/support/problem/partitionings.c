/* Counting the hierarchical partitionings of a grid. */
#include "support/problem/partitionings.h"

#include <string.h>

#include "base/alloc.h"
#include "base/exact/fraction.h"

enum { MOST_DIMENSIONS = 8, MOST_BLOCKS = 256 };

/* Numbers of partitionings by the widths of a box. */
struct counting {
    size_t d;
    uint32_t cells[MOST_DIMENSIONS];
    uint64_t *known; /* [product of cells] 0: not yet */
    bool overflow;
};

static uint64_t count_box(struct counting *c, const uint32_t *width);

/* Product over the pieces that the chosen cuts make; part[a][0 .. n_parts[a]-1] their widths per dimension. */
static covey_i128 product_of_pieces(struct counting *c, uint32_t part[][32], const uint32_t *n_parts)
{
    uint32_t at[MOST_DIMENSIONS] = {0}, width[MOST_DIMENSIONS];
    covey_i128 product = 1;
    size_t a = 0;

    while (a < c->d) {
        for (size_t i = 0; i < c->d; i++)
            width[i] = part[i][at[i]];
        if (__builtin_mul_overflow(product, (covey_i128)count_box(c, width), &product))
            c->overflow = true;
        for (a = 0; a < c->d && ++at[a] == n_parts[a]; a++)
            at[a] = 0;
    }
    return product;
}

static uint64_t count_box(struct counting *c, const uint32_t *width)
{
    uint32_t part[MOST_DIMENSIONS][32], n_parts[MOST_DIMENSIONS];
    size_t at = 0;
    uint64_t n_sets = 1;
    covey_i128 sum = 1;

    for (size_t a = 0; a < c->d; a++) {
        at = at * c->cells[a] + width[a] - 1;
        n_sets <<= width[a] - 1;
    }
    if (c->known[at])
        return c->known[at];
    for (uint64_t set = 1; set < n_sets; set++) { /* bit by bit: is there a full cut? */
        uint64_t bits = set;
        covey_i128 product;

        for (size_t a = 0; a < c->d; a++) {
            n_parts[a] = 0;
            part[a][0] = 1;
            for (uint32_t i = 1; i < width[a]; i++, bits >>= 1)
                if (bits & 1)
                    part[a][++n_parts[a]] = 1;
                else
                    part[a][n_parts[a]]++;
            n_parts[a]++;
        }
        product = product_of_pieces(c, part, n_parts);
        if (__builtin_add_overflow(sum, __builtin_popcountll(set) % 2 ? product : -product, &sum))
            c->overflow = true;
    }
    if (sum > (covey_i128)UINT64_MAX)
        c->overflow = true;
    return c->known[at] = c->overflow ? 1 : (uint64_t)sum;
}

uint64_t count_partitionings(const uint32_t *cells, size_t d)
{
    struct counting c = {.d = d};
    size_t boxes = 1;
    uint64_t n;
    uint32_t cuts = 0;

    for (size_t a = 0; a < d; a++) {
        if (d > MOST_DIMENSIONS || cells[a] < 1 || cells[a] > 32)
            return 0;
        c.cells[a] = cells[a];
        boxes *= cells[a];
        cuts += cells[a] - 1;
    }
    if (cuts > 40 || !(c.known = covey_i_array_zero(boxes, sizeof *c.known)))
        return 0;
    n = count_box(&c, cells);
    covey_i_free(c.known);
    return c.overflow ? 0 : n;
}

/* A node of the canonical tree while partitionings are enumerated. */
struct piece {
    uint8_t low[MOST_DIMENSIONS], high[MOST_DIMENSIONS]; /* edges */
    int16_t parent, left, right;                         /* left < 0: a block */
    uint16_t cut;                                        /* dimension << 8 | edge */
};

struct walk {
    size_t d;
    int16_t n, n_leaves;
    int16_t leaf[MOST_BLOCKS];
    struct piece piece[2 * MOST_BLOCKS];
    uint64_t count;
};

static bool enters(const struct piece *p, uint16_t cut)
{
    return p->low[cut >> 8] < (cut & 255) && (cut & 255) < p->high[cut >> 8];
}

/* Does no block below straddle the cut? */
static bool is_full(const struct walk *w, int16_t at, uint16_t cut)
{
    const struct piece *p = &w->piece[at];

    if (!enters(p, cut) || p->cut == cut)
        return true;
    return p->left >= 0 && is_full(w, p->left, cut) && is_full(w, p->right, cut);
}

/* Is cutting this block what the canonical tree would do: no smaller full cut arises above? */
static bool is_canonical(const struct walk *w, int16_t block, uint16_t cut)
{
    int16_t child = block;

    for (int16_t at = w->piece[block].parent; at >= 0; child = at, at = w->piece[at].parent) {
        const struct piece *p = &w->piece[at];

        if (!is_full(w, p->left == child ? p->right : p->left, cut))
            return true;
        if (cut < p->cut)
            return false;
    }
    return true;
}

static void walk_from(struct walk *w, int16_t first)
{
    w->count++;
    for (int16_t i = first; i < w->n_leaves; i++) {
        const int16_t block = w->leaf[i];

        for (uint16_t a = 0; a < w->d; a++)
            for (uint16_t e = w->piece[block].low[a] + 1; e < w->piece[block].high[a]; e++) {
                const uint16_t cut = (uint16_t)(a << 8 | e);
                struct piece *p = &w->piece[block];

                if (!is_canonical(w, block, cut))
                    continue;
                for (int side = 0; side < 2; side++) {
                    struct piece *child = &w->piece[w->n + side];

                    *child = *p;
                    child->parent = block;
                    child->left = -1;
                    child->cut = UINT16_MAX;
                    if (side)
                        child->low[a] = (uint8_t)e;
                    else
                        child->high[a] = (uint8_t)e;
                }
                p->left = w->n;
                p->right = w->n + 1;
                p->cut = cut;
                memmove(w->leaf + i + 2, w->leaf + i + 1, (size_t)(w->n_leaves - i - 1) * sizeof *w->leaf);
                w->leaf[i] = w->n;
                w->leaf[i + 1] = w->n + 1;
                w->n_leaves++;
                w->n += 2;
                walk_from(w, i);
                w->n -= 2;
                w->n_leaves--;
                memmove(w->leaf + i + 1, w->leaf + i + 2, (size_t)(w->n_leaves - i - 1) * sizeof *w->leaf);
                w->leaf[i] = block;
                p->left = -1;
                p->cut = UINT16_MAX;
            }
    }
}

uint64_t enumerate_partitionings(const uint32_t *cells, size_t d)
{
    struct walk w = {.d = d, .n = 1, .n_leaves = 1};
    uint64_t blocks = 1;

    for (size_t a = 0; a < d; a++) {
        blocks *= d <= MOST_DIMENSIONS ? cells[a] : 0;
        if (blocks < 1 || blocks > MOST_BLOCKS || cells[a] > 250)
            return 0;
        w.piece[0].high[a] = (uint8_t)cells[a];
    }
    w.piece[0].parent = w.piece[0].left = -1;
    w.piece[0].cut = UINT16_MAX;
    walk_from(&w, 0);
    return w.count;
}
