/* The exact programme for up to three dimensions: the best partitioning of every box of the grid, from small boxes to
 * large ones. Boxes are ordered so that both sides of every cut come before the box.  Source:
 * docs/design/optimal-partition.md. */
#include "method/optimal/optimal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { DIMENSIONS = 3 };

#define MOST_BOXES 3e8
#define MOST_JUDGED 4e8 /* boxes times items, where costs do not follow from sizes */

/* One dimension; those that the grid lacks have one cell. */
struct dimension {
    const covey_optimal_axis *axis; /* NULL: missing */
    size_t number;                  /* of the axis */
    uint32_t cells;
    size_t n_intervals;
};

struct programme {
    covey_optimal_hunt *hunt;
    const covey_optimal_grid *g;
    covey_optimal_worker w;
    struct dimension dim[DIMENSIONS];
    covey_optimal_units *value; /* [boxes] */
    uint32_t *rows;             /* [(cells + 1)...] rows below each corner */
    int64_t *below;             /* [cells of the third dimension + 1] */
    uint32_t *item;             /* [cells...] item of a cell, UINT32_MAX: none; where classes are judged one by one */
    bool by_size;               /* costs follow from sizes */
};

/* Intervals [from, to) of a dimension, sorted by from, then to. */
static inline size_t interval(const struct dimension *dim, uint32_t from, uint32_t to)
{
    return (size_t)from * dim->cells - (size_t)from * (from - (from > 0)) / 2 + (to - from - 1);
}

/* A box: edges per dimension. */
struct box {
    uint32_t from[DIMENSIONS], to[DIMENSIONS];
};

static inline size_t index_of(const struct programme *p, const struct box *b)
{
    return (interval(&p->dim[0], b->from[0], b->to[0]) * p->dim[1].n_intervals +
            interval(&p->dim[1], b->from[1], b->to[1])) *
               p->dim[2].n_intervals +
           interval(&p->dim[2], b->from[2], b->to[2]);
}

static inline size_t corner(const struct programme *p, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)x * (p->dim[1].cells + 1) + y) * (p->dim[2].cells + 1) + z;
}

/* Rows of the box with these intervals in the first two dimensions, up to each edge of the third. */
static void rows_up_to(int64_t *below, const struct programme *p, const struct box *b)
{
    const size_t p00 = corner(p, b->from[0], b->from[1], 0), p01 = corner(p, b->from[0], b->to[1], 0);
    const size_t p10 = corner(p, b->to[0], b->from[1], 0), p11 = corner(p, b->to[0], b->to[1], 0);

    for (uint32_t z = 0; z <= p->dim[2].cells; z++)
        below[z] = (int64_t)p->rows[p11 + z] - p->rows[p10 + z] - p->rows[p01 + z] + p->rows[p00 + z];
}

/* The dimensions' axes: missing ones first. */
static void find_dimensions(struct dimension *dim, const covey_optimal_grid *g)
{
    for (size_t i = 0; i < DIMENSIONS; i++) {
        const size_t missing = DIMENSIONS - g->d;

        dim[i] = (struct dimension){.cells = 1, .n_intervals = 1};
        if (i < missing)
            continue;
        dim[i].number = i - missing;
        dim[i].axis = &g->axis[dim[i].number];
        dim[i].cells = dim[i].axis->n_cells;
        dim[i].n_intervals = (size_t)dim[i].cells * (dim[i].cells + 1) / 2;
    }
}

static bool follows_from_sizes(const covey_optimal_grid *g)
{
    return g->size_only && (g->options->cost == COVEY_OPT_DISCERNIBILITY || g->options->cost == COVEY_OPT_CLASSES);
}

bool covey_i_optimal_dynamic_fits(const covey_optimal_grid *g)
{
    struct dimension dim[DIMENSIONS];
    double boxes = 1, corners = 1;

    if (g->d > DIMENSIONS)
        return false;
    find_dimensions(dim, g);
    for (size_t i = 0; i < DIMENSIONS; i++) {
        boxes *= (double)dim[i].n_intervals;
        corners *= dim[i].cells + 1.0;
    }
    if (boxes > MOST_BOXES || (g->options->memory_limit && 8 * boxes + 8 * corners > (double)g->options->memory_limit))
        return false;
    return follows_from_sizes(g) || boxes * g->n_items <= MOST_JUDGED;
}

static uint32_t cell_of(const struct programme *p, uint32_t item, size_t i)
{
    return p->dim[i].axis ? (uint32_t)p->g->lane[(size_t)item * p->g->stride + p->dim[i].number] : 0;
}

/* Rows below each corner of the grid, and each cell's item. */
static covey_status count_rows(struct programme *p, covey_error *err)
{
    const uint32_t X = p->dim[0].cells, Y = p->dim[1].cells, Z = p->dim[2].cells;
    const size_t n_corners = (size_t)(X + 1) * (Y + 1) * (Z + 1);
    uint32_t *s = covey_arena_array_zero(&p->w.arena, uint32_t, n_corners);

    p->rows = s;
    p->item = covey_arena_array(&p->w.arena, uint32_t, (size_t)X * Y * Z);
    p->below = covey_arena_array(&p->w.arena, int64_t, (size_t)Z + 1);
    if (!s || !p->item || !p->below)
        return covey_i_no_memory(err);
    memset(p->item, 0xff, (size_t)X * Y * Z * sizeof *p->item);
    for (uint32_t i = 0; i < p->g->n_items; i++) {
        const uint32_t x = cell_of(p, i, 0), y = cell_of(p, i, 1), z = cell_of(p, i, 2);

        s[corner(p, x + 1, y + 1, z + 1)] += p->g->weight[i];
        p->item[((size_t)x * Y + y) * Z + z] = i;
    }
    for (uint32_t x = 1; x <= X; x++)
        for (uint32_t y = 0; y <= Y; y++)
            for (uint32_t z = 0; z <= Z; z++)
                s[corner(p, x, y, z)] += s[corner(p, x - 1, y, z)];
    for (uint32_t x = 0; x <= X; x++)
        for (uint32_t y = 1; y <= Y; y++)
            for (uint32_t z = 0; z <= Z; z++)
                s[corner(p, x, y, z)] += s[corner(p, x, y - 1, z)];
    for (uint32_t x = 0; x <= X; x++)
        for (uint32_t y = 0; y <= Y; y++)
            for (uint32_t z = 1; z <= Z; z++)
                s[corner(p, x, y, z)] += s[corner(p, x, y, z - 1)];
    return COVEY_OK;
}

static covey_optimal_units cost_by_size(const struct programme *p, int64_t n)
{
    const covey_optimal_grid *g = p->g;

    if (n == 0)
        return 0;
    if (n < g->k)
        return g->options->suppress ? n * g->suppressed : COVEY_OPT_INFINITE;
    return g->options->cost == COVEY_OPT_CLASSES ? -1 : n * n;
}

/* Leaf costs of the boxes that begin at one corner and differ in their last edge: items are added slab by slab. */
static covey_status judge_row(struct programme *p, struct box *b, covey_error *err)
{
    covey_optimal_worker *w = &p->w;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    const uint32_t Y = p->dim[1].cells, Z = p->dim[2].cells;
    covey_optimal_block block;
    covey_optimal_verdict verdict;

    if (!covey_i_optimal_block_new(&block, w, covey_arena_array(&w->arena, uint32_t, p->g->n_items)))
        return covey_i_no_memory(err);
    for (b->to[2] = b->from[2] + 1; b->to[2] <= Z; b->to[2]++) {
        for (uint32_t x = b->from[0]; x < b->to[0]; x++)
            for (uint32_t y = b->from[1]; y < b->to[1]; y++) {
                const uint32_t item = p->item[((size_t)x * Y + y) * Z + b->to[2] - 1];

                if (item != UINT32_MAX)
                    covey_i_optimal_block_add(&block, p->g, item);
            }
        for (size_t i = 0; block.low && i < DIMENSIONS; i++)
            if (p->dim[i].axis) {
                block.low[p->dim[i].number] = (uint16_t)b->from[i];
                block.high[p->dim[i].number] = (uint16_t)b->to[i];
            }
        p->value[index_of(p, b)] = block.n ? covey_i_optimal_leaf(&w->judge, &block, &verdict) : 0;
    }
    covey_arena_rewind(&w->arena, mark);
    return COVEY_OK;
}

/* May the box be cut at this edge? */
static inline bool may_cut(const struct dimension *dim, uint32_t from, uint32_t to, uint32_t edge)
{
    const covey_optimal_axis *axis = dim->axis;

    return covey_i_splits_allow(axis->splits, from, to - 1, edge - 1) &&
           (!axis->reach || (axis->reach[from] <= edge && axis->reach[edge] <= to));
}

/* Distances in value[] between boxes that differ in one dimension's interval. */
static size_t stride_of(const struct programme *p, size_t i)
{
    return i == 2 ? 1 : i == 1 ? p->dim[2].n_intervals : p->dim[1].n_intervals * p->dim[2].n_intervals;
}

/* The best cut of a box along one dimension; box, edge and value of it if it beats *best. */
static bool try_dimension(covey_optimal_units *best, uint32_t *edge, const struct programme *p, const struct box *b,
                          size_t i, size_t at)
{
    const struct dimension *dim = &p->dim[i];
    const size_t stride = stride_of(p, i), own = interval(dim, b->from[i], b->to[i]);
    const covey_optimal_units *low = p->value + at - (own - interval(dim, b->from[i], b->from[i] + 1)) * stride;
    const bool is_free = !dim->axis || !(dim->axis->splits->siblings || dim->axis->reach);
    bool found = false;

    for (uint32_t e = b->from[i] + 1; e < b->to[i]; e++, low += stride) {
        const covey_optimal_units sum = *low + p->value[at + (interval(dim, e, b->to[i]) - own) * stride];

        if (sum < *best && (is_free || may_cut(dim, b->from[i], b->to[i], e))) {
            *best = sum;
            *edge = e;
            found = true;
        }
    }
    return found;
}

/* Cuts of the first two dimensions, for all intervals of the third at once. */
static void cut_rows(struct programme *p, const struct box *b, size_t i)
{
    const struct dimension *dim = &p->dim[i];
    const size_t n = p->dim[2].n_intervals;
    struct box low = *b, high = *b, all = *b;
    covey_optimal_units *own;

    low.from[2] = high.from[2] = all.from[2] = 0;
    low.to[2] = high.to[2] = all.to[2] = 1;
    own = p->value + index_of(p, &all);
    for (uint32_t e = b->from[i] + 1; e < b->to[i]; e++) {
        const covey_optimal_units *left, *right;

        if (!may_cut(dim, b->from[i], b->to[i], e))
            continue;
        low.to[i] = high.from[i] = e;
        left = p->value + index_of(p, &low);
        right = p->value + index_of(p, &high);
        for (size_t z = 0; z < n; z++) {
            const covey_optimal_units sum = left[z] + right[z];

            own[z] = sum < own[z] ? sum : own[z];
        }
    }
}

/* Cuts of the third dimension, in intervals that grow. */
static void cut_third(struct programme *p, struct box *b, const int64_t *below)
{
    const uint32_t Z = p->dim[2].cells;
    const int64_t least = p->g->least_cut;
    uint32_t edge;

    for (b->from[2] = Z; b->from[2]-- > 0;)
        for (b->to[2] = b->from[2] + 1; b->to[2] <= Z; b->to[2]++) {
            const size_t at = index_of(p, b);

            if (below[b->to[2]] - below[b->from[2]] >= (least > 1 ? least : 1))
                try_dimension(&p->value[at], &edge, p, b, 2, at);
        }
}

/* All boxes with these intervals in the first two dimensions. */
static covey_status solve_rows(struct programme *p, struct box *b, covey_error *err)
{
    const uint32_t Z = p->dim[2].cells;
    int64_t *below = p->below;

    rows_up_to(below, p, b);
    for (b->from[2] = 0; b->from[2] < Z; b->from[2]++)
        if (p->by_size)
            for (b->to[2] = b->from[2] + 1; b->to[2] <= Z; b->to[2]++)
                p->value[index_of(p, b)] = cost_by_size(p, below[b->to[2]] - below[b->from[2]]);
        else
            COVEY_TRY(judge_row(p, b, err));
    if (below[Z] >= p->g->least_cut) {
        cut_rows(p, b, 0);
        cut_rows(p, b, 1);
        cut_third(p, b, below);
    }
    p->w.n_nodes++;
    atomic_fetch_add(&p->hunt->n_nodes, (int64_t)Z * (Z + 1) / 2);
    p->w.stopped = covey_i_optimal_is_over(p->hunt, true);
    return COVEY_OK;
}

static covey_status solve_all(struct programme *p, covey_error *err)
{
    struct box b;

    for (b.from[0] = p->dim[0].cells; b.from[0]-- > 0;)
        for (b.to[0] = b.from[0] + 1; b.to[0] <= p->dim[0].cells; b.to[0]++)
            for (b.from[1] = p->dim[1].cells; b.from[1]-- > 0;)
                for (b.to[1] = b.from[1] + 1; b.to[1] <= p->dim[1].cells; b.to[1]++) {
                    COVEY_TRY(solve_rows(p, &b, err));
                    if (p->w.stopped)
                        return COVEY_OK;
                }
    return COVEY_OK;
}

/* What attains the value of a box: one class if it does, else the first cut. */
static covey_status write_tree(covey_optimal_tree *tree, struct programme *p, const covey_optimal_block *block,
                               struct box b, covey_error *err)
{
    covey_optimal_worker *w = &p->w;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    const covey_optimal_units value = p->value[index_of(p, &b)];
    covey_optimal_block left, right;
    covey_optimal_verdict verdict;
    covey_status status = COVEY_OK;

    if (block->n == 0 || covey_i_optimal_leaf(&w->judge, block, &verdict) <= value)
        return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
    for (size_t i = 0; i < DIMENSIONS; i++) {
        covey_optimal_units best = COVEY_OPT_INFINITE;
        struct box low = b, high = b;
        uint32_t edge = 0;

        if (!try_dimension(&best, &edge, p, &b, i, index_of(p, &b)) || best != value)
            continue;
        low.to[i] = high.from[i] = edge;
        COVEY_TRY(covey_i_optimal_tree_add(tree, (uint32_t)p->dim[i].number << 16 | (edge - 1), err));
        if (!covey_i_optimal_divide(&left, &right, w, block, (uint32_t)p->dim[i].number, edge - 1))
            return covey_i_no_memory(err);
        if ((status = write_tree(tree, p, &left, low, err)) == COVEY_OK)
            status = write_tree(tree, p, &right, high, err);
        covey_arena_rewind(&w->arena, mark);
        return status;
    }
    /* Rounding can make a class dearer than the units of its box say: it is one class all the same. */
    return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
}

static covey_status conclude(struct programme *p, covey_error *err)
{
    struct box all = {{0, 0, 0}, {p->dim[0].cells, p->dim[1].cells, p->dim[2].cells}};
    const covey_optimal_units value = p->value[index_of(p, &all)];
    covey_optimal_tree tree = {0};
    covey_optimal_block root;
    covey_status status;

    if (value >= COVEY_OPT_INFINITE)
        return COVEY_OK;
    if ((status = covey_i_optimal_root(&root, &p->w, err)) == COVEY_OK &&
        (status = write_tree(&tree, p, &root, all, err)) == COVEY_OK) {
        if (value <= p->hunt->result->best) {
            p->hunt->result->best = COVEY_OPT_INFINITE; /* this tree, whatever else costs the same */
            status = covey_i_optimal_offer(p->hunt, &tree, value, err);
        }
        covey_i_optimal_raise(p->hunt, value);
    }
    covey_i_optimal_tree_clear(&tree);
    return status;
}

covey_status covey_i_optimal_dynamic(covey_optimal_hunt *hunt, covey_error *err)
{
    struct programme p = {.hunt = hunt, .g = hunt->g, .by_size = follows_from_sizes(hunt->g)};
    size_t boxes = 1;
    covey_status status;

    find_dimensions(p.dim, p.g);
    for (size_t i = 0; i < DIMENSIONS; i++)
        boxes *= p.dim[i].n_intervals;
    if ((status = covey_i_optimal_worker_new(&p.w, p.g, err)) != COVEY_OK)
        goto done;
    if ((status = count_rows(&p, err)) != COVEY_OK)
        goto done;
    if (!(p.value = covey_i_array(boxes, sizeof *p.value))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = solve_all(&p, err)) == COVEY_OK && !p.w.stopped)
        status = conclude(&p, err);
done:
    covey_i_free(p.value);
    covey_i_optimal_worker_clear(&p.w);
    return status;
}
