/* The nearest rows in space, by the distance that the paper has: Euclidean, each axis relative to its domain.  The
 * index is a tree of boxes for each bucket, packed along the curve: neighbours there are near each other, so that boxes
 * are small without any more sorting.  It is exact: nodes and cells are looked at in the order of their distance, and a
 * cell is taken when nothing can be nearer. Sources: [CaoKarras12] section 4.5, [KamelFaloutsos93],
 * [HjaltasonSamet99]. */
#include "method/draw/draw.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"

enum { CELLS_PER_LEAF = 8, MOST_BITS = 30, PLACE_BITS = 31, SHIFT = 32 };

/* Rows of one cell in one bucket. */
struct item {
    uint32_t cell;  /* place on the curve */
    uint32_t first; /* of those that are left, in the piles */
    uint32_t n_left;
};

/* Where to look next: a node, or an item behind all of them. */
struct candidate {
    uint64_t distance, id;
};

struct queue {
    size_t n;
    struct candidate *candidate; /* a heap, the nearest first; of two as near the smaller id */
};

/* The leaves of bucket j's tree are nodes n .. 2n - 1, node k's children 2k and 2k + 1, the root is node 1. */
struct box_tree {
    uint32_t n_leaves, n_items;
    struct item *item;    /* [n_items] along the curve */
    uint32_t *n_left;     /* [2 n_leaves] rows */
    uint32_t *low, *high; /* [2 n_leaves][n_axes] of the items that have rows left */
};

struct space {
    size_t n_axes;
    uint64_t *factor; /* [n_axes] what a place is worth */
    uint32_t *point;  /* [n_cells][n_axes] places */
    struct box_tree *tree;
    struct queue queue;
};

/* --- distances --- */

/* Bits of an axis' share of a distance: the sum of the squares must fit 64. */
static int bits_of_distance(size_t n_axes)
{
    int bits = MOST_BITS;

    while (bits > 1 && n_axes > ((uint64_t)1 << 63) >> 2 * bits)
        bits--;
    return bits;
}

/* Squared, from a point to a box.  What a difference of places counts depends on the difference alone and grows with
 * it: equal differences are ties, and a box is never farther than what lies in it. */
static uint64_t distance_of(const struct space *s, const uint32_t *point, const uint32_t *low, const uint32_t *high)
{
    uint64_t sum = 0;

    for (size_t a = 0; a < s->n_axes; a++) {
        const uint64_t away = point[a] < low[a] ? low[a] - point[a] : point[a] > high[a] ? point[a] - high[a] : 0;
        const uint64_t share = away * s->factor[a] >> SHIFT;

        sum += share * share;
    }
    return sum;
}

static covey_status find_points(struct space *s, const covey_problem *problem, const covey_draw_curve *curve,
                                covey_arena *arena, covey_error *err)
{
    const int bits = bits_of_distance(s->n_axes);
    const covey_draw_rows *rows = curve->rows;

    s->factor = covey_arena_array(arena, uint64_t, s->n_axes);
    s->point = covey_arena_array(arena, uint32_t, curve->n_cells * s->n_axes);
    if (!s->factor || !s->point)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < s->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];
        const uint64_t last = covey_i_draw_places(axis) - 1;
        const int shift = last >> PLACE_BITS ? 64 - PLACE_BITS - __builtin_clzll(last) : 0;

        s->factor[a] = last >> shift ? ((uint64_t)1 << (bits + SHIFT)) / (last >> shift) : 0;
        for (uint32_t c = 0; c < curve->n_cells; c++) {
            const uint32_t row = rows->row[rows->runs.start[rows->runs.group[curve->cell[c]]]];

            s->point[c * s->n_axes + a] =
                (uint32_t)(covey_i_draw_place(axis, covey_i_codes_get(axis->column->codes, axis->column->width, row)) >>
                           shift);
        }
    }
    return COVEY_OK;
}

/* --- the trees --- */

static const uint32_t *point_of(const struct space *s, const struct item *item)
{
    return s->point + item->cell * s->n_axes;
}

static void box_clear(const struct space *s, struct box_tree *t, uint32_t node)
{
    memset(t->low + node * s->n_axes, 0xff, s->n_axes * sizeof *t->low);
    memset(t->high + node * s->n_axes, 0, s->n_axes * sizeof *t->high);
}

static void box_extend(const struct space *s, struct box_tree *t, uint32_t node, const uint32_t *low,
                       const uint32_t *high)
{
    uint32_t *to_low = t->low + node * s->n_axes, *to_high = t->high + node * s->n_axes;

    for (size_t a = 0; a < s->n_axes; a++) {
        to_low[a] = low[a] < to_low[a] ? low[a] : to_low[a];
        to_high[a] = high[a] > to_high[a] ? high[a] : to_high[a];
    }
}

static covey_span items_of(const struct box_tree *t, uint32_t node)
{
    const uint32_t start = (node - t->n_leaves) * CELLS_PER_LEAF;

    return (covey_span){start, t->n_items - start < CELLS_PER_LEAF ? t->n_items - start : CELLS_PER_LEAF};
}

/* A node's box and rows from those of its children, or of its items. */
static void settle(const struct space *s, struct box_tree *t, uint32_t node)
{
    box_clear(s, t, node);
    t->n_left[node] = 0;
    if (node < t->n_leaves)
        for (uint32_t k = 2 * node; k <= 2 * node + 1; k++) {
            t->n_left[node] += t->n_left[k];
            if (t->n_left[k] > 0)
                box_extend(s, t, node, t->low + k * s->n_axes, t->high + k * s->n_axes);
        }
    else
        for (uint32_t i = items_of(t, node).start, end = i + items_of(t, node).n; i < end; i++) {
            t->n_left[node] += t->item[i].n_left;
            if (t->item[i].n_left > 0)
                box_extend(s, t, node, point_of(s, &t->item[i]), point_of(s, &t->item[i]));
        }
}

static covey_status box_tree_new(struct box_tree *t, const struct space *s, const covey_draw_piles *piles, size_t j,
                                 covey_arena *arena, covey_error *err)
{
    const uint32_t start = piles->start[j], end = piles->start[j + 1];
    size_t n_nodes;

    *t = (struct box_tree){0};
    for (uint32_t i = start; i < end; i++)
        t->n_items += i == start || piles->cell[i] != piles->cell[i - 1];
    t->n_leaves = t->n_items / CELLS_PER_LEAF + (t->n_items % CELLS_PER_LEAF > 0);
    n_nodes = 2 * (size_t)t->n_leaves;
    t->item = covey_arena_array(arena, struct item, t->n_items);
    t->n_left = covey_arena_array(arena, uint32_t, n_nodes);
    t->low = covey_arena_array(arena, uint32_t, n_nodes * s->n_axes);
    t->high = covey_arena_array(arena, uint32_t, n_nodes * s->n_axes);
    if (!t->item || !t->n_left || !t->low || !t->high)
        return covey_i_no_memory(err);
    t->n_items = 0;
    for (uint32_t i = start; i < end; i++) {
        if (i == start || piles->cell[i] != piles->cell[i - 1])
            t->item[t->n_items++] = (struct item){.cell = piles->cell[i], .first = i};
        t->item[t->n_items - 1].n_left++;
    }
    for (size_t node = n_nodes; node-- > 1;)
        settle(s, t, (uint32_t)node);
    return COVEY_OK;
}

/* --- the queue --- */

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

static void push(struct queue *q, uint64_t distance, uint64_t id)
{
    const struct candidate c = {distance, id};
    size_t i = q->n++;

    for (; i > 0 && is_before(&c, &q->candidate[(i - 1) / 2]); i = (i - 1) / 2)
        q->candidate[i] = q->candidate[(i - 1) / 2];
    q->candidate[i] = c;
}

static struct candidate pop(struct queue *q)
{
    const struct candidate first = q->candidate[0], last = q->candidate[--q->n];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < q->n; i = child) {
        child += child + 1 < q->n && is_before(&q->candidate[child + 1], &q->candidate[child]);
        if (!is_before(&q->candidate[child], &last))
            break;
        q->candidate[i] = q->candidate[child];
    }
    q->candidate[i] = last;
    return first;
}

/* --- looking --- */

static void push_node(struct space *s, const struct box_tree *t, const uint32_t *point, uint32_t node)
{
    if (t->n_left[node] > 0)
        push(&s->queue, distance_of(s, point, t->low + node * s->n_axes, t->high + node * s->n_axes), node);
}

/* Behind a node stand its children, or the items that have rows left. */
static void open_node(struct space *s, const struct box_tree *t, const uint32_t *point, uint32_t node)
{
    const covey_span items = node < t->n_leaves ? (covey_span){0, 0} : items_of(t, node);

    if (node < t->n_leaves) {
        push_node(s, t, point, 2 * node);
        push_node(s, t, point, 2 * node + 1);
    }
    for (uint32_t i = items.start; i < items.start + items.n; i++)
        if (t->item[i].n_left > 0)
            push(&s->queue, distance_of(s, point, point_of(s, &t->item[i]), point_of(s, &t->item[i])),
                 2 * (uint64_t)t->n_leaves + i);
}

/* Takes up to n rows of an item, and narrows the boxes around it if it has none left. */
static uint32_t take_item(uint32_t *taken, const struct space *s, struct box_tree *t, uint32_t i, uint32_t n)
{
    struct item *item = &t->item[i];
    const uint32_t n_taken = n < item->n_left ? n : item->n_left;

    for (uint32_t k = 0; k < n_taken; k++)
        taken[k] = item->first++;
    item->n_left -= n_taken;
    for (uint32_t node = t->n_leaves + i / CELLS_PER_LEAF; node > 0; node /= 2)
        if (item->n_left == 0)
            settle(s, t, node);
        else
            t->n_left[node] -= n_taken;
    return n_taken;
}

/* Of items as far away the one that comes first along the curve. */
static void take_nearest(uint32_t *taken, void *state, size_t j, uint32_t cell, uint32_t n)
{
    struct space *s = state;
    struct box_tree *t = &s->tree[j];
    const uint32_t *point = s->point + cell * s->n_axes;

    s->queue.n = 0;
    if (n > 0)
        push_node(s, t, point, 1);
    while (n > 0) {
        const uint64_t id = pop(&s->queue).id;

        if (id < 2 * (uint64_t)t->n_leaves)
            open_node(s, t, point, (uint32_t)id);
        else {
            const uint32_t n_taken = take_item(taken, s, t, (uint32_t)(id - 2 * (uint64_t)t->n_leaves), n);

            taken += n_taken;
            n -= n_taken;
        }
    }
}

covey_status covey_i_draw_nearest_new(covey_draw_finder *out, const covey_problem *problem,
                                      const covey_draw_piles *piles, const covey_draw_curve *curve, size_t n_buckets,
                                      covey_arena *arena, covey_error *err)
{
    struct space *s = covey_arena_array_zero(arena, struct space, 1);
    size_t most = 0;

    if (!s || !(s->tree = covey_arena_array(arena, struct box_tree, n_buckets)))
        return covey_i_no_memory(err);
    s->n_axes = problem->n_axes;
    COVEY_TRY(find_points(s, problem, curve, arena, err));
    for (size_t j = 0; j < n_buckets; j++) {
        COVEY_TRY(box_tree_new(&s->tree[j], s, piles, j, arena, err));
        const size_t n = (size_t)s->tree[j].n_items + 2 * (size_t)s->tree[j].n_leaves;

        most = n > most ? n : most;
    }
    if (!(s->queue.candidate = covey_arena_array(arena, struct candidate, most)))
        return covey_i_no_memory(err);
    *out = (covey_draw_finder){s, take_nearest};
    return COVEY_OK;
}
