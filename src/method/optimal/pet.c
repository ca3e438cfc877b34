/* Enumeration of partitionings, each once, best first.  A partitioning has one canonical tree: every box is cut by its
 * smallest full cut. Its parent is the partitioning whose tree lacks the last cut in pre-order; so a partitioning's
 * children cut the blocks behind that cut, unless a smaller full cut arises higher up.  Blocks before it are closed:
 * their cost is final. A partitioning that is expanded is also completed as Mondrian would, which is another solution;
 * it changes neither tree nor bounds. Source: [Hore07]; proofs in docs/design/optimal-partition.md. */
#include "method/optimal/pet.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"

#define MOST_MEMORY ((size_t)2 << 30) /* bytes, where no limit says otherwise */

/* A box of the canonical tree. */
struct piece {
    covey_optimal_block block;
    uint16_t *low, *high;              /* [d] edges */
    uint32_t parent, left, right, cut; /* cut COVEY_OPT_LEAF: a block */
    covey_optimal_units cost, lower;
};

/* A partitioning while it is expanded. */
struct partitioning {
    covey_optimal_worker *w;
    covey_optimal_hunt *hunt;
    covey_pet_queue *q;
    struct piece *piece;
    uint32_t n;
    uint32_t *leaf, n_leaves; /* in pre-order */
    uint32_t first_open;
    uint32_t from;                  /* its node */
    covey_optimal_cache *completed; /* Mondrian's cost of blocks, as `upper` */
    covey_optimal_units dropped;    /* least bound of what was dropped as close enough */
};

static bool may_hold(const covey_optimal_grid *g, covey_optimal_units cost)
{
    return g->options->suppress || cost < COVEY_OPT_INFINITE || !g->fails_for_good;
}

static covey_status fill_piece(struct partitioning *p, uint32_t at, const covey_optimal_block *block,
                               const struct piece *from, covey_error *err)
{
    const size_t d = p->w->g->d;
    covey_optimal_verdict verdict;
    struct piece *piece = &p->piece[at];

    *piece = (struct piece){.block = *block, .cut = COVEY_OPT_LEAF, .parent = COVEY_PET_NONE};
    piece->low = covey_arena_array(&p->w->arena, uint16_t, d);
    piece->high = covey_arena_array(&p->w->arena, uint16_t, d);
    if (!piece->low || !piece->high)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        piece->low[a] = from ? from->low[a] : 0;
        piece->high[a] = from ? from->high[a] : (uint16_t)p->w->g->axis[a].n_cells;
    }
    piece->cost = block->n ? covey_i_optimal_leaf(&p->w->judge, block, &verdict) : 0;
    piece->lower = covey_i_optimal_block_bound(p->w->g, block);
    return COVEY_OK;
}

/* Cuts leaf number r. */
static covey_status cut_leaf(struct partitioning *p, uint32_t r, uint32_t cut, covey_error *err)
{
    const uint32_t at = p->leaf[r], axis = cut >> 16, cell = cut & 0xffff;
    struct piece *piece = &p->piece[at];
    covey_optimal_block left, right;

    if (!covey_i_optimal_divide(&left, &right, p->w, &piece->block, axis, cell))
        return covey_i_no_memory(err);
    COVEY_TRY(fill_piece(p, p->n, &left, piece, err));
    COVEY_TRY(fill_piece(p, p->n + 1, &right, piece, err));
    p->piece[p->n].high[axis] = p->piece[p->n + 1].low[axis] = (uint16_t)(cell + 1);
    p->piece[p->n].parent = p->piece[p->n + 1].parent = at;
    piece->left = p->n;
    piece->right = p->n + 1;
    piece->cut = cut;
    memmove(p->leaf + r + 2, p->leaf + r + 1, (p->n_leaves - r - 1) * sizeof *p->leaf);
    p->leaf[r] = p->n;
    p->leaf[r + 1] = p->n + 1;
    p->n_leaves++;
    p->n += 2;
    p->first_open = r;
    return COVEY_OK;
}

/* The tree of a node, by walking up to the root. */
static covey_status rebuild(struct partitioning *p, uint32_t node, covey_error *err)
{
    covey_optimal_worker *w = p->w;
    const uint32_t n_cuts = p->q->node[node].n_cuts;
    uint32_t *chain = covey_arena_array(&w->arena, uint32_t, (size_t)n_cuts + 1);
    covey_optimal_block root;

    p->n = p->n_leaves = 1;
    p->first_open = 0;
    p->from = node;
    p->piece = covey_arena_array(&w->arena, struct piece, 2 * (size_t)n_cuts + 1);
    p->leaf = covey_arena_array_zero(&w->arena, uint32_t, (size_t)n_cuts + 2);
    if (!chain || !p->piece || !p->leaf)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_optimal_root(&root, w, err));
    COVEY_TRY(fill_piece(p, 0, &root, NULL, err));
    for (uint32_t i = n_cuts, at = node; i-- > 0; at = p->q->node[at].parent)
        chain[i] = at;
    for (uint32_t i = 0; i < n_cuts; i++)
        COVEY_TRY(cut_leaf(p, p->q->node[chain[i]].block, p->q->node[chain[i]].cut, err));
    return COVEY_OK;
}

static bool enters(const struct piece *piece, uint32_t cut)
{
    return piece->low[cut >> 16] <= (cut & 0xffff) && (cut & 0xffff) + 1u < piece->high[cut >> 16];
}

static bool is_full(const struct partitioning *p, uint32_t at, uint32_t cut)
{
    const struct piece *piece = &p->piece[at];

    if (!enters(piece, cut) || piece->cut == cut)
        return true;
    return piece->cut != COVEY_OPT_LEAF && is_full(p, piece->left, cut) && is_full(p, piece->right, cut);
}

/* May the cut be made in this box at all?  What holds for a block holds for all boxes around it, but for siblings. */
static bool is_possible(const struct partitioning *p, const struct piece *piece, uint32_t cut)
{
    const covey_optimal_grid *g = p->w->g;
    const uint32_t a = cut >> 16;

    if (g->axis[a].is_geometric)
        return covey_i_splits_allow(g->axis[a].splits, piece->low[a], piece->high[a] - 1u, cut & 0xffff);
    return covey_i_splits_allow(g->axis[a].splits, COVEY_OPT_LOW(&piece->block, g, a),
                                COVEY_OPT_HIGH(&piece->block, g, a), cut & 0xffff);
}

static bool is_canonical(const struct partitioning *p, uint32_t leaf, uint32_t cut)
{
    uint32_t child = leaf;

    for (uint32_t at = p->piece[leaf].parent; at != COVEY_PET_NONE; child = at, at = p->piece[at].parent) {
        const struct piece *piece = &p->piece[at];

        if (!is_full(p, piece->left == child ? piece->right : piece->left, cut))
            return true;
        if (cut < piece->cut && is_possible(p, piece, cut))
            return false;
    }
    return true;
}

/* Writes the tree, with one leaf cut (COVEY_PET_NONE: none). */
static covey_status write_tree(covey_optimal_tree *tree, const struct partitioning *p, uint32_t at, uint32_t leaf,
                               uint32_t cut, covey_error *err)
{
    const struct piece *piece = &p->piece[at];

    if (at == leaf) {
        COVEY_TRY(covey_i_optimal_tree_add(tree, cut, err));
        COVEY_TRY(covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err));
        return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
    }
    COVEY_TRY(covey_i_optimal_tree_add(tree, piece->cut, err));
    if (piece->cut == COVEY_OPT_LEAF)
        return COVEY_OK;
    COVEY_TRY(write_tree(tree, p, piece->left, leaf, cut, err));
    return write_tree(tree, p, piece->right, leaf, cut, err);
}

static covey_status offer(const struct partitioning *p, uint32_t leaf, uint32_t cut, covey_optimal_units cost,
                          covey_error *err)
{
    covey_optimal_tree tree = {0};
    covey_status status = COVEY_OK;

    if (cost >= atomic_load(&p->hunt->best))
        return COVEY_OK;
    if ((status = write_tree(&tree, p, 0, leaf, cut, err)) == COVEY_OK)
        status = covey_i_optimal_offer(p->hunt, &tree, cost, err);
    covey_i_optimal_tree_clear(&tree);
    return status;
}

static covey_optimal_units add(covey_optimal_units a, covey_optimal_units b)
{
    return a + b < COVEY_OPT_INFINITE ? a + b : COVEY_OPT_INFINITE;
}

/* What both sides of a cut cost as classes. */
static covey_status cost_of_sides(covey_optimal_units *left, covey_optimal_units *right, struct partitioning *p,
                                  const covey_optimal_block *block, const covey_optimal_cut *cut, covey_error *err)
{
    const covey_optimal_grid *g = p->w->g;
    const covey_arena_mark mark = covey_arena_save(&p->w->arena);
    covey_optimal_block l, r;
    covey_optimal_verdict verdict;

    if (g->size_only && g->options->cost == COVEY_OPT_DISCERNIBILITY && !g->options->suppress) {
        *left = cut->n_left * cut->n_left;
        *right = (block->n - cut->n_left) * (block->n - cut->n_left);
        return COVEY_OK;
    }
    if (!covey_i_optimal_divide(&l, &r, p->w, block, cut->axis, cut->cell))
        return covey_i_no_memory(err);
    *left = l.n ? covey_i_optimal_leaf(&p->w->judge, &l, &verdict) : 0;
    *right = r.n ? covey_i_optimal_leaf(&p->w->judge, &r, &verdict) : 0;
    covey_arena_rewind(&p->w->arena, mark);
    return COVEY_OK;
}

/* One child: offered as a solution, and queued if something below it could be better. */
static covey_status make_child(struct partitioning *p, uint32_t r, const covey_optimal_cut *cut,
                               covey_optimal_units closed, covey_optimal_units behind, covey_optimal_units others,
                               covey_error *err)
{
    const covey_optimal_grid *g = p->w->g;
    const uint32_t leaf = p->leaf[r], code = cut->axis << 16 | cut->cell;
    covey_optimal_units left = 0, right = 0, lower, cost;

    if (!is_canonical(p, leaf, code))
        return COVEY_OK;
    COVEY_TRY(cost_of_sides(&left, &right, p, &p->piece[leaf].block, cut, err));
    if (!may_hold(g, left) || !may_hold(g, right))
        return COVEY_OK;
    atomic_fetch_add(&p->hunt->n_nodes, 1);
    cost = add(others, add(left, right));
    lower = add(add(closed, behind), add(cut->left, cut->right));
    COVEY_TRY(offer(p, leaf, code, cost, err));
    if (covey_i_optimal_is_close(g, lower, atomic_load(&p->hunt->best))) {
        p->dropped = lower < p->dropped ? lower : p->dropped;
        return COVEY_OK;
    }
    return covey_i_pet_push(p->q,
                            &(covey_pet_node){.lower = lower,
                                              .cost = cost,
                                              .parent = p->from,
                                              .block = r,
                                              .cut = code,
                                              .n_cuts = p->q->node[p->from].n_cuts + 1},
                            err);
}

/* With one more cut looked at, what an open block costs at least. */
static covey_optimal_units look_ahead(const struct piece *piece, const covey_optimal_cut *cut, uint32_t n)
{
    covey_optimal_units least = piece->cost;

    for (uint32_t i = 0; i < n; i++)
        least = cut[i].left + cut[i].right < least ? cut[i].left + cut[i].right : least;
    return least > piece->lower ? least : piece->lower;
}

static covey_status make_children(struct partitioning *p, covey_error *err)
{
    covey_arena *arena = &p->w->arena;
    const uint32_t n = p->n_leaves;
    covey_optimal_cut **cut = covey_arena_array_zero(arena, covey_optimal_cut *, n);
    uint32_t *n_cuts = covey_arena_array_zero(arena, uint32_t, n);
    covey_optimal_units *behind = covey_arena_array_zero(arena, covey_optimal_units, (size_t)n + 1), closed = 0;

    if (!cut || !n_cuts || !behind)
        return covey_i_no_memory(err);
    for (uint32_t r = n; r-- > p->first_open;) {
        struct piece *piece = &p->piece[p->leaf[r]];

        if (!(cut[r] = covey_i_optimal_cuts(&n_cuts[r], p->w, &piece->block)))
            return covey_i_no_memory(err);
        behind[r] = add(behind[r + 1], look_ahead(piece, cut[r], n_cuts[r]));
    }
    for (uint32_t r = 0; r < p->first_open; r++)
        closed = add(closed, p->piece[p->leaf[r]].cost);
    if (covey_i_optimal_is_close(p->w->g, add(closed, behind[p->first_open]), atomic_load(&p->hunt->best))) {
        p->dropped = add(closed, behind[p->first_open]) < p->dropped ? add(closed, behind[p->first_open]) : p->dropped;
        return COVEY_OK;
    }
    for (uint32_t r = p->first_open; r < n && closed < COVEY_OPT_INFINITE; r++) {
        covey_optimal_units others = closed;

        for (uint32_t i = r + 1; i < n; i++)
            others = add(others, p->piece[p->leaf[i]].cost);
        for (uint32_t i = 0; i < n_cuts[r]; i++)
            COVEY_TRY(make_child(p, r, &cut[r][i], closed, behind[r + 1], others, err));
        closed = add(closed, p->piece[p->leaf[r]].cost);
    }
    return COVEY_OK;
}

/* What Mondrian makes of a block. */
static covey_status completed_cost(covey_optimal_units *out, struct partitioning *p, const covey_optimal_block *block,
                                   covey_error *err)
{
    covey_optimal_known known = {.lower = -COVEY_OPT_INFINITE, .cut = COVEY_OPT_LEAF, .n = (uint32_t)block->n};
    covey_optimal_tree tree = {0};
    covey_status status;

    *out = 0;
    if (block->n == 0)
        return COVEY_OK;
    covey_i_optimal_key(p->w->key, p->w->g, block->tight, block->low, block->high);
    if (covey_i_optimal_cache_get(&known, p->completed, p->w->key)) {
        *out = known.upper;
        return COVEY_OK;
    }
    if ((status = covey_i_optimal_greedy(&tree, &known.upper, p->w, block, err)) == COVEY_OK) {
        covey_i_optimal_key(p->w->key, p->w->g, block->tight, block->low, block->high);
        covey_i_optimal_cache_put(p->completed, p->w->key, &known);
        *out = known.upper;
    }
    covey_i_optimal_tree_clear(&tree);
    return status;
}

/* Writes the tree with Mondrian's below the open blocks; *leaf counts the blocks on the way. */
static covey_status write_completed(covey_optimal_tree *tree, struct partitioning *p, uint32_t at, uint32_t *leaf,
                                    covey_error *err)
{
    const struct piece *piece = &p->piece[at];
    covey_optimal_tree below = {0};
    covey_optimal_units cost;
    covey_status status;

    if (piece->cut != COVEY_OPT_LEAF) {
        COVEY_TRY(covey_i_optimal_tree_add(tree, piece->cut, err));
        COVEY_TRY(write_completed(tree, p, piece->left, leaf, err));
        return write_completed(tree, p, piece->right, leaf, err);
    }
    if ((*leaf)++ < p->first_open || piece->block.n == 0)
        return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
    status = covey_i_optimal_greedy(&below, &cost, p->w, &piece->block, err);
    for (size_t i = 0; status == COVEY_OK && i < below.n; i++)
        status = covey_i_optimal_tree_add(tree, below.node[i], err);
    covey_i_optimal_tree_clear(&below);
    return status;
}

static covey_status complete(struct partitioning *p, covey_error *err)
{
    covey_optimal_units cost = 0, one;
    covey_optimal_tree tree = {0};
    uint32_t leaf = 0;
    covey_status status;

    for (uint32_t r = 0; r < p->first_open; r++)
        cost = add(cost, p->piece[p->leaf[r]].cost);
    for (uint32_t r = p->first_open; r < p->n_leaves && cost < COVEY_OPT_INFINITE; r++) {
        COVEY_TRY(completed_cost(&one, p, &p->piece[p->leaf[r]].block, err));
        cost = add(cost, one);
    }
    if (cost >= atomic_load(&p->hunt->best))
        return COVEY_OK;
    if ((status = write_completed(&tree, p, 0, &leaf, err)) == COVEY_OK)
        status = covey_i_optimal_offer(p->hunt, &tree, cost, err);
    covey_i_optimal_tree_clear(&tree);
    return status;
}

static covey_optimal_units least_of(covey_optimal_units a, covey_optimal_units b)
{
    return a < b ? a : b;
}

/* What is proven now: nothing queued, dropped or being expanded can be better. */
static void report_bound(struct partitioning *p, covey_optimal_units expanding)
{
    covey_optimal_units bound =
        least_of(least_of(covey_i_pet_least(p->q), p->dropped), least_of(p->q->dropped, expanding));

    covey_i_optimal_raise(p->hunt, least_of(bound, atomic_load(&p->hunt->best)));
}

static covey_status expand(struct partitioning *p, uint32_t node, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&p->w->arena);
    covey_status status = rebuild(p, node, err);

    if (status == COVEY_OK && (status = complete(p, err)) == COVEY_OK)
        status = make_children(p, err);
    covey_arena_rewind(&p->w->arena, mark);
    return status;
}

static covey_status walk(struct partitioning *p, covey_error *err)
{
    const covey_optimal_grid *g = p->w->g;
    double reported = p->hunt->start;
    uint32_t node;

    while (covey_i_pet_pop(&node, p->q)) {
        const covey_optimal_units lower = p->q->node[node].lower;
        const double now = covey_i_seconds();

        if (p->q->priority == COVEY_OPT_BY_BOUND ||
            now - reported > 0.25) { /* the others' least bound takes a look at all */
            report_bound(p, lower);
            reported = now;
        }
        if (covey_i_optimal_is_over(p->hunt, true)) {
            report_bound(p, lower);
            return COVEY_OK;
        }
        if (covey_i_optimal_is_close(g, lower, atomic_load(&p->hunt->best)))
            p->dropped = least_of(p->dropped, lower);
        else
            COVEY_TRY(expand(p, node, err));
        covey_i_pet_release(p->q, node);
    }
    report_bound(p, COVEY_OPT_INFINITE);
    if (!atomic_load(&p->hunt->stop) && p->q->has_dropped)
        covey_i_optimal_stop(p->hunt, COVEY_OPT_MEMORY_LIMIT);
    return COVEY_OK;
}

covey_status covey_i_optimal_pet(covey_optimal_hunt *hunt, covey_error *err)
{
    const covey_optimal_grid *g = hunt->g;
    covey_optimal_worker w = {0};
    covey_pet_queue q;
    struct partitioning p = {.w = &w, .hunt = hunt, .q = &q, .dropped = COVEY_OPT_INFINITE};
    covey_optimal_block root;
    covey_optimal_verdict verdict;
    covey_pet_node first = {.parent = COVEY_PET_NONE};
    const size_t memory = g->options->memory_limit ? g->options->memory_limit : MOST_MEMORY;
    covey_status status;

    covey_i_pet_queue_init(&q, g->options->priority, memory - memory / 16);
    if ((status = covey_i_optimal_worker_new(&w, g, err)) == COVEY_OK &&
        (status = covey_i_optimal_cache_new(&p.completed, g->key_words, memory / 16, err)) == COVEY_OK &&
        (status = covey_i_optimal_root(&root, &w, err)) == COVEY_OK) {
        w.hunt = hunt;
        first.cost = covey_i_optimal_leaf(&w.judge, &root, &verdict);
        first.lower = covey_i_optimal_block_bound(g, &root);
        if (may_hold(g, first.cost) && (status = covey_i_pet_push(&q, &first, err)) == COVEY_OK)
            status = walk(&p, err);
    }
    covey_i_pet_queue_clear(&q);
    covey_i_optimal_cache_free(p.completed);
    covey_i_optimal_worker_clear(&w);
    return status;
}
