/* The first classes, where very many units are different: as a sample of them is cut.
 *
 * Boundaries of many units lie where those of a share of them do, and all units find their way through the tree of
 * cuts at once, instead of being looked at level by level.  A unit is in the sample or not by a hash of its ends, so
 * that nothing depends on names or on the order of the input.  No promise rests on it: classes are judged afterwards,
 * joined where they fail, and cut on. */
#include "method/units/sample.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "method/units/cutter.h"

enum {
    SHARE_BITS = 5,         /* one in 2^SHARE_BITS of the different hulls */
    FEWEST_UNITS = 1 << 15, /* in all, */
    FEWEST_HULLS = 1 << 10, /* and different ones in the sample, for which a tree is worth while */
    LEAF = 128,             /* different hulls of the sample that are not cut */
    TASK = 1 << 16,         /* units that a thread sends through the tree at a time */
    DEEPEST = 64            /* spans that are open at a time, as the smaller half is always cut first */
};

/* A cut, or a leaf, which is its own child. */
struct node {
    size_t end;
    covey_unit_end last;
    uint32_t child[2];
    uint32_t class; /* of a leaf */
};

struct tree {
    struct node *node;
    uint32_t n, depth, n_leaves;
};

/* --- the sample --- */

/* Adds the units from `unit` on whose ends have a hash of the share; those that are too large are in no class. */
static uint32_t pick_block(uint32_t *out, const covey_units_run *r, uint32_t unit, uint32_t n)
{
    uint32_t hash[COVEY_UNIT_BLOCK] = {0}, code[COVEY_UNIT_BLOCK], n_out = 0;

    for (size_t a = 0; a < r->problem->n_axes; a++) {
        const covey_column *ends[] = {r->axis[a].low, r->axis[a].high};

        for (int e = 0; e < 2; e++) {
            covey_i_codes_unpack(code, covey_i_codes_from(ends[e]->codes, ends[e]->width, unit), ends[e]->width, n);
            for (uint32_t i = 0; i < n; i++) {
                hash[i] = (hash[i] + code[i] + 1) * UINT32_C(0x9e3779b1);
                hash[i] ^= hash[i] >> 15;
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        out[n_out] = unit + i;
        n_out += (hash[i] * UINT32_C(0x85ebca6b)) >> (32 - SHARE_BITS) == 0 && r->n_rows[unit + i] <= r->most_rows;
    }
    return n_out;
}

static covey_status pick(uint32_t **out, uint32_t *n, const covey_units_run *r, covey_arena *arena, covey_error *err)
{
    if (!(*out = covey_arena_array(arena, uint32_t, r->n_units)))
        return covey_i_no_memory(err);
    *n = 0;
    for (uint32_t unit = 0, size; unit < r->n_units; unit += size) {
        size = r->n_units - unit < COVEY_UNIT_BLOCK ? r->n_units - unit : COVEY_UNIT_BLOCK;
        *n += pick_block(*out + *n, r, unit, size);
    }
    return COVEY_OK;
}

static covey_column *column_of(const uint32_t *unit, uint32_t n, const covey_column *column, covey_arena *arena)
{
    covey_column *copy = covey_arena_array(arena, covey_column, 1);
    void *codes = covey_arena_alloc(arena, n, (size_t)column->width);

    if (!copy || !codes)
        return NULL;
    COVEY_CODES_TYPED(column->width, {
        for (uint32_t i = 0; i < n; i++)
            ((covey_code *)codes)[i] = ((const covey_code *)column->codes)[unit[i]];
    });
    *copy = *column;
    copy->n_rows = n;
    copy->codes = codes;
    return copy;
}

/* A run of the sample's units alone, in the arena of that run. */
static covey_status make_sample(covey_units_run *sample, const covey_units_run *r, covey_error *err)
{
    covey_arena *arena = &sample->arena;
    uint32_t *unit, *n_rows, n = 0;

    COVEY_TRY(pick(&unit, &n, r, arena, err));
    sample->problem = r->problem;
    sample->run = r->run;
    sample->n_units = n;
    sample->sizes_suffice = true;
    sample->n_rows = n_rows = covey_arena_array(arena, uint32_t, n);
    sample->axis = covey_arena_array(arena, covey_unit_axis, r->problem->n_axes);
    if (!n_rows || !sample->axis)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        n_rows[i] = r->n_rows[unit[i]];
    for (size_t a = 0; a < r->problem->n_axes; a++) {
        covey_unit_axis *axis = &sample->axis[a];

        axis->low = column_of(unit, n, r->axis[a].low, arena);
        axis->high = column_of(unit, n, r->axis[a].high, arena);
        if (!axis->low || !axis->high)
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

/* --- the tree --- */

static uint32_t add_node(struct tree *tree)
{
    tree->node[tree->n] = (struct node){.child = {tree->n, tree->n}};
    return tree->n++;
}

/* Halves keep what is promised by the rows of the sample, so that in whole they have far more than that. */
static covey_status grow(struct tree *tree, covey_unit_cutter *w, uint32_t n_items, covey_error *err)
{
    struct {
        covey_span span;
        uint32_t node, depth;
    } open[DEEPEST + 1];
    int n_open = 0;

    open[n_open].span = (covey_span){0, n_items};
    open[n_open].depth = 0;
    open[n_open++].node = add_node(tree);
    while (n_open > 0) {
        const covey_span span = open[--n_open].span;
        const uint32_t own = open[n_open].node, depth = open[n_open].depth;
        struct node *node = &tree->node[own];
        uint32_t n_left = 0;

        if (span.n > LEAF)
            COVEY_TRY(covey_i_unit_cutter_cut(&n_left, w, span, err));
        if (n_left == 0) {
            node->class = tree->n_leaves++;
            tree->depth = depth > tree->depth ? depth : tree->depth;
            continue;
        }
        node->end = w->cut.end;
        node->last = w->cut.last;
        node->child[0] = add_node(tree);
        node->child[1] = add_node(tree);
        for (int i = 0; i < 2; i++) { /* the larger half waits */
            const bool left = (i == 0) == (2 * (uint64_t)n_left >= span.n);

            open[n_open].span =
                left ? (covey_span){span.start, n_left} : (covey_span){span.start + n_left, span.n - n_left};
            open[n_open].depth = depth + 1;
            open[n_open++].node = node->child[!left];
        }
    }
    return COVEY_OK;
}

/* The tree of a sample; without a node if its units are too much alike. */
static covey_status cut_sample(struct tree *tree, covey_units_run *sample, covey_arena *arena, covey_error *err)
{
    covey_unit_classes p = {.r = sample};
    uint32_t *class_of_unit = covey_arena_array_zero(&sample->arena, uint32_t, sample->n_units);
    covey_unit_cutting c;
    covey_unit_cutter w;
    covey_status status;

    *tree = (struct tree){0};
    if (!class_of_unit)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_unit_items_new(&p.items, sample, class_of_unit, 1, err));
    if (p.items.n < FEWEST_HULLS || p.items.n < sample->n_units / 2) /* joined, they take less memory */
        return COVEY_OK;
    COVEY_TRY(covey_i_unit_cutting_new(&c, &p, err));
    if (!(tree->node = covey_arena_array(arena, struct node, 2 * (size_t)p.items.n)))
        return covey_i_no_memory(err);
    if ((status = covey_i_unit_cutter_new(&w, &c, err)) == COVEY_OK)
        status = grow(tree, &w, p.items.n, err);
    covey_arena_free(&w.arena);
    return status;
}

/* --- all units --- */

struct routing {
    const covey_units_run *r;
    const covey_unit_items *items;
    const struct tree *tree;
    uint32_t *class_of_unit;
};

/* A block level by level, so that its units do not wait for each other. */
static void route_block(const struct routing *g, covey_unit_items *block, uint32_t unit, uint32_t n)
{
    uint32_t at[COVEY_UNIT_BLOCK] = {0};

    covey_i_unit_items_enter(block, 0, unit, n);
    for (uint32_t level = 0; level < g->tree->depth; level++)
        for (uint32_t i = 0; i < n; i++) {
            const struct node *node = &g->tree->node[at[i]];

            at[i] = node->child[covey_i_unit_item_at(block, i)->end[node->end] > node->last];
        }
    for (uint32_t i = 0; i < n; i++)
        g->class_of_unit[unit + i] =
            g->r->n_rows[unit + i] > g->r->most_rows ? g->tree->n_leaves : g->tree->node[at[i]].class;
}

static covey_status route(void *context, size_t task, covey_error *err)
{
    const struct routing *g = context;
    const uint64_t first = (uint64_t)task * TASK, end = first + TASK < g->r->n_units ? first + TASK : g->r->n_units;
    covey_unit_items block = *g->items;

    if (!(block.item = covey_i_array(COVEY_UNIT_BLOCK, block.size)))
        return covey_i_no_memory(err);
    for (uint64_t unit = first; unit < end; unit += COVEY_UNIT_BLOCK)
        route_block(g, &block, (uint32_t)unit,
                    end - unit < COVEY_UNIT_BLOCK ? (uint32_t)(end - unit) : COVEY_UNIT_BLOCK);
    covey_i_free(block.item);
    return COVEY_OK;
}

static covey_status route_all(uint32_t *class_of_unit, const struct tree *tree, covey_units_run *r, covey_error *err)
{
    covey_unit_items items;
    struct routing g = {.r = r, .items = &items, .tree = tree, .class_of_unit = class_of_unit};

    COVEY_TRY(covey_i_unit_items_open(&items, r, err));
    return covey_i_parallel(covey_run_threads(r->run), ((size_t)r->n_units + TASK - 1) / TASK, route, &g, err);
}

/* Units of one code on each axis are mostly alike. */
static bool are_spread(const covey_units_run *r)
{
    for (size_t a = 0; a < r->problem->n_axes; a++)
        if (r->axis[a].low != r->axis[a].high)
            return true;
    return false;
}

covey_status covey_i_unit_classes_begin(uint32_t *class_of_unit, uint32_t *n_classes, covey_units_run *r,
                                        covey_error *err)
{
    covey_units_run sample = {.arena = COVEY_ARENA_INIT};
    covey_arena arena = COVEY_ARENA_INIT;
    struct tree tree = {0};
    covey_status status = COVEY_OK;

    if (r->sizes_suffice && r->n_units >= FEWEST_UNITS && are_spread(r))
        if ((status = make_sample(&sample, r, err)) == COVEY_OK)
            status = cut_sample(&tree, &sample, &arena, err);
    covey_arena_free(&sample.arena);
    if (status == COVEY_OK && tree.n > 0)
        status = route_all(class_of_unit, &tree, r, err);
    for (uint32_t u = 0; tree.n == 0 && u < r->n_units; u++)
        class_of_unit[u] = r->n_rows[u] > r->most_rows;
    *n_classes = tree.n > 0 ? tree.n_leaves + 1 : 2;
    covey_arena_free(&arena);
    return status;
}
