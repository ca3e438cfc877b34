/* Very many different units, parted as a sample of them is cut.
 *
 * Boundaries of many units lie where those of a share of them do, and all units find their way through the tree of
 * cuts at once, instead of being looked at level by level.  A unit is in the sample or not by a hash of its ends, so
 * that nothing depends on names or on the order of the input.  No promise rests on it: a cut is undone where a half
 * fails. */
#include "method/units/leaves.h"

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
    LEAF = 32,              /* different hulls of the sample that are not cut */
    TASK = 1 << 16,         /* units that a thread sends through the tree at a time */
    DEEPEST = 64            /* spans that are open at a time, as the smaller half is always cut first */
};

/* A cut: units whose end is `last` at most go to the node `child`, others to the next one.  A leaf is its own child,
 * and all go there. */
struct node {
    uint16_t end;
    covey_unit_end last;
    uint32_t child;
};

struct tree {
    struct node *node;
    uint32_t *class; /* of leaves */
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

struct picking {
    const covey_units_run *r;
    uint32_t *unit; /* [n_units] */
    uint32_t *n;    /* [tasks] */
};

static size_t n_tasks(const covey_units_run *r)
{
    return ((size_t)r->n_units + TASK - 1) / TASK;
}

static uint32_t end_of(const covey_units_run *r, size_t task)
{
    const uint64_t end = (uint64_t)(task + 1) * TASK;

    return end < r->n_units ? (uint32_t)end : r->n_units;
}

static covey_status pick_share(void *context, size_t task, covey_error *err)
{
    const struct picking *p = context;
    uint32_t *out = p->unit + task * TASK;
    const uint32_t end = end_of(p->r, task);

    (void)err;
    for (uint32_t unit = (uint32_t)(task * TASK), n; unit < end; unit += n) {
        n = end - unit < COVEY_UNIT_BLOCK ? end - unit : COVEY_UNIT_BLOCK;
        out += pick_block(out, p->r, unit, n);
    }
    p->n[task] = (uint32_t)(out - (p->unit + task * TASK));
    return COVEY_OK;
}

static covey_status pick(uint32_t **out, uint32_t *n, const covey_units_run *r, covey_arena *arena, covey_error *err)
{
    struct picking p = {r, *out = covey_arena_array(arena, uint32_t, r->n_units),
                        covey_arena_array(arena, uint32_t, n_tasks(r))};

    if (!p.unit || !p.n)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(r->run), n_tasks(r), pick_share, &p, err));
    *n = 0;
    for (size_t task = 0; task < n_tasks(r); *n += p.n[task++])
        memmove(p.unit + *n, p.unit + task * TASK, p.n[task] * sizeof *p.unit);
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
    tree->node[tree->n] = (struct node){.last = COVEY_LAST_END, .child = tree->n};
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
            COVEY_TRY(covey_i_unit_cutter_cut(&n_left, w, span, NULL, err));
        if (n_left == 0) {
            tree->class[own] = tree->n_leaves++;
            tree->depth = depth > tree->depth ? depth : tree->depth;
            continue;
        }
        node->end = (uint16_t)w->cut.end;
        node->last = w->cut.last;
        node->child = add_node(tree);
        add_node(tree);
        for (int i = 0; i < 2; i++) { /* the larger half waits */
            const bool left = (i == 0) == (2 * (uint64_t)n_left >= span.n);

            open[n_open].span =
                left ? (covey_span){span.start, n_left} : (covey_span){span.start + n_left, span.n - n_left};
            open[n_open].depth = depth + 1;
            open[n_open++].node = node->child + !left;
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
    tree->node = covey_arena_array(arena, struct node, 2 * (size_t)p.items.n);
    tree->class = covey_arena_array(arena, uint32_t, 2 * (size_t)p.items.n);
    if (!tree->node || !tree->class)
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
    uint32_t n_classes;     /* leaves of the tree, and units that are in no class */
    uint32_t *class;        /* [n_units] a leaf of the tree */
    covey_unit_sizes *size; /* [tasks][n_classes] */
    uint32_t *number;       /* [n_classes] of the leaf that it became part of */
    uint32_t *next;         /* [tasks][n_classes] places in unit */
    covey_unit_leaves *leaves;
};

/* A block level by level, so that its units do not wait for each other. */
static void route_block(const struct routing *g, covey_unit_sizes *size, covey_unit_items *block, uint32_t unit,
                        uint32_t n)
{
    uint32_t at[COVEY_UNIT_BLOCK] = {0};

    covey_i_unit_items_enter(block, 0, unit, n);
    for (uint32_t level = 0; level < g->tree->depth; level++)
        for (uint32_t i = 0; i < n; i++) {
            const struct node *node = &g->tree->node[at[i]];

            at[i] = node->child + (covey_i_unit_item_at(block, i)->end[node->end] > node->last);
        }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t n_rows = g->r->n_rows[unit + i],
                       class = n_rows > g->r->most_rows ? g->n_classes - 1 : g->tree->class[at[i]];

        g->class[unit + i] = class;
        covey_i_unit_sizes_add(&size[class], 1, n_rows, n_rows);
    }
}

static covey_status route(void *context, size_t task, covey_error *err)
{
    const struct routing *g = context;
    const uint32_t end = end_of(g->r, task);
    covey_unit_items block = *g->items;

    if (!(block.item = covey_i_array(COVEY_UNIT_BLOCK, block.size)))
        return covey_i_no_memory(err);
    for (uint32_t unit = (uint32_t)(task * TASK), n; unit < end; unit += n) {
        n = end - unit < COVEY_UNIT_BLOCK ? end - unit : COVEY_UNIT_BLOCK;
        route_block(g, g->size + task * g->n_classes, &block, unit, n);
    }
    covey_i_free(block.item);
    return COVEY_OK;
}

/* Leaves that keep what is promised, and unions of those that do not; how many, 0: all units together do not. */
static covey_status number_leaves(uint32_t *n, struct routing *g, covey_arena *arena, covey_error *err)
{
    const struct tree *tree = g->tree;
    covey_unit_sizes *size = covey_arena_array_zero(arena, covey_unit_sizes, tree->n);
    uint32_t *number = covey_arena_array(arena, uint32_t, tree->n); /* of what the node is part of */
    bool *is_cut = covey_arena_array_zero(arena, bool, tree->n), *is_kept = covey_arena_array(arena, bool, tree->n);

    if (!size || !number || !is_cut || !is_kept)
        return covey_i_no_memory(err);
    for (uint32_t i = tree->n; i-- > 0;) { /* halves have larger numbers */
        const uint32_t child = tree->node[i].child;

        if (child == i) {
            for (size_t t = 0; t < n_tasks(g->r); t++)
                covey_i_unit_sizes_join(&size[i], &g->size[t * g->n_classes + tree->class[i]]);
        } else {
            is_cut[i] = is_kept[child] && is_kept[child + 1];
            for (uint32_t c = 0; c < 2; c++)
                covey_i_unit_sizes_join(&size[i], &size[child + c]);
        }
        is_kept[i] = is_cut[i] || covey_i_unit_sizes_broken(&g->r->problem->promises, &size[i]) < 0;
    }
    *n = 0;
    memset(number, 0xff, tree->n * sizeof *number);
    for (uint32_t i = 0; i < tree->n && is_kept[0]; i++) {
        const uint32_t child = tree->node[i].child;

        if (number[i] == UINT32_MAX && !is_cut[i])
            number[i] = (*n)++;
        if (child == i)
            g->number[tree->class[i]] = number[i];
        else
            number[child] = number[child + 1] = number[i];
    }
    g->number[g->n_classes - 1] = *n;
    return COVEY_OK;
}

/* Ends move along, as those of a leaf's units lie anywhere. */
static covey_status place(void *context, size_t task, covey_error *err)
{
    const struct routing *g = context;
    const size_t size = covey_i_unit_entry_size(g->items->d);
    const uint32_t end = end_of(g->r, task);
    uint32_t *next = g->next + task * g->n_classes;
    covey_unit_items block = *g->items;

    if (!(block.item = covey_i_array(COVEY_UNIT_BLOCK, block.size)))
        return covey_i_no_memory(err);
    for (uint32_t unit = (uint32_t)(task * TASK), n; unit < end; unit += n) {
        n = end - unit < COVEY_UNIT_BLOCK ? end - unit : COVEY_UNIT_BLOCK;
        covey_i_unit_items_enter(&block, 0, unit, n);
        for (uint32_t i = 0; i < n; i++) {
            const covey_unit_item *item = covey_i_unit_item_at(&block, i);
            covey_unit_entry *entry = covey_i_unit_leaves_at(g->leaves, next[g->number[g->class[unit + i]]]++, size);

            entry->unit = unit + i;
            entry->n_rows = item->n_rows;
            covey_i_unit_ends_copy(entry->end, item->end, 2 * g->items->d);
        }
    }
    covey_i_free(block.item);
    return COVEY_OK;
}

/* Where each task puts the units of each leaf. */
static void find_places(const struct routing *g, covey_unit_leaves *leaves)
{
    uint32_t at = 0;

    for (uint32_t c = 0; c < g->n_classes; c++)
        for (size_t t = 0; t < n_tasks(g->r); t++)
            g->next[t * g->n_classes + g->number[c]] += g->size[t * g->n_classes + c].n_units;
    for (uint32_t leaf = 0; leaf <= leaves->n; leaf++) {
        leaves->start[leaf] = at;
        for (size_t t = 0; t < n_tasks(g->r); t++) {
            const uint32_t n = g->next[t * g->n_classes + leaf];

            g->next[t * g->n_classes + leaf] = at;
            at += n;
        }
    }
}

static covey_status route_all(covey_unit_leaves *leaves, const struct tree *tree, covey_units_run *r,
                              covey_arena *scratch, covey_error *err)
{
    const int n_threads = covey_run_threads(r->run);
    covey_unit_items items;
    struct routing g = {.r = r, .items = &items, .tree = tree, .n_classes = tree->n_leaves + 1, .leaves = leaves};

    g.class = covey_arena_array(scratch, uint32_t, r->n_units);
    g.size = covey_arena_array_zero(scratch, covey_unit_sizes, n_tasks(r) * g.n_classes);
    g.next = covey_arena_array_zero(scratch, uint32_t, n_tasks(r) * g.n_classes);
    g.number = covey_arena_array(scratch, uint32_t, g.n_classes);
    if (!g.class || !g.size || !g.next || !g.number)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_unit_items_open(&items, r, err));
    COVEY_TRY(covey_i_parallel(n_threads, n_tasks(r), route, &g, err));
    COVEY_TRY(number_leaves(&leaves->n, &g, scratch, err));
    if (leaves->n == 0)
        return COVEY_OK;
    leaves->start = covey_arena_array(&r->arena, uint32_t, (size_t)leaves->n + 1);
    leaves->entry = covey_arena_alloc(&r->arena, r->n_units, covey_i_unit_entry_size(items.d));
    if (!leaves->start || !leaves->entry)
        return covey_i_no_memory(err);
    find_places(&g, leaves);
    return covey_i_parallel(n_threads, n_tasks(r), place, &g, err);
}

/* Units of one code on each axis are mostly alike. */
static bool are_spread(const covey_units_run *r)
{
    for (size_t a = 0; a < r->problem->n_axes; a++)
        if (r->axis[a].low != r->axis[a].high)
            return true;
    return false;
}

covey_status covey_i_unit_leaves_new(covey_unit_leaves *leaves, covey_units_run *r, covey_error *err)
{
    covey_units_run sample = {.arena = COVEY_ARENA_INIT};
    covey_arena arena = COVEY_ARENA_INIT;
    struct tree tree = {0};
    covey_status status = COVEY_OK;

    *leaves = (covey_unit_leaves){0};
    if (r->sizes_suffice && r->n_units >= FEWEST_UNITS && are_spread(r))
        if ((status = make_sample(&sample, r, err)) == COVEY_OK)
            status = cut_sample(&tree, &sample, &arena, err);
    covey_arena_free(&sample.arena);
    if (status == COVEY_OK && tree.n > 0)
        status = route_all(leaves, &tree, r, &arena, err);
    covey_arena_free(&arena);
    return status;
}
