/* The best of two partitions: where they differ, they do so in many places that have nothing to do with each other, so
 * in each place the cheaper of both is kept.  A place is a set of classes of the one and of classes of the other that
 * hold the same rows.
 *
 * Crowds, classes of one cell that give rows away here and there, would join places that otherwise have nothing in
 * common; what they can do without in both partitions does not matter to them. */
#include "method/peel/search/search.h"

#include <string.h>

#include "base/error.h"

struct crossing {
    uint32_t *parent; /* [n_old + n_new] union-find */
    int64_t *cost;    /* [n_old + n_new] new less old, at the roots */
    uint32_t *twin;   /* [n_old + n_new] of a crowd, NONE: no crowd */
};

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(uint32_t *parent, uint32_t i, uint32_t j)
{
    i = find(parent, i);
    j = find(parent, j);
    if (i < j)
        parent[j] = i;
    else
        parent[i] = j;
}

/* A class without loss and the class of the other partition that has enough of its rows on its own. */
static void find_twins(struct crossing *x, covey_peel *p, const covey_peel_saved *old, uint32_t *scratch)
{
    uint32_t *core = scratch; /* [n_new] rows that are in the same old class as the first */

    for (uint32_t i = 0; i < old->n_classes + p->n_classes; i++)
        x->twin[i] = COVEY_PEEL_NONE;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        uint32_t from = COVEY_PEEL_NONE, n = 0;

        if (p->class[c].n == 0 || p->class[c].loss > 0)
            continue;
        for (uint32_t r = p->class[c].first; r != COVEY_PEEL_NONE; r = p->next[r])
            if (old->loss[old->class_of[r]] == 0) {
                if (from == COVEY_PEEL_NONE)
                    from = old->class_of[r];
                if (from == old->class_of[r])
                    core[n++] = r;
            }
        if (n > 0 && x->twin[from] == COVEY_PEEL_NONE && covey_i_peel_admits_lots(p, core, n)) {
            x->twin[from] = old->n_classes + c;
            x->twin[old->n_classes + c] = from;
        }
    }
}

covey_status covey_i_peel_save(covey_peel_saved *saved, const covey_peel *p, covey_arena *arena, covey_error *err)
{
    saved->n_classes = p->n_classes;
    saved->class_of = covey_arena_array(arena, uint32_t, p->t->n_rows);
    saved->n = covey_arena_array(arena, uint32_t, p->n_classes);
    saved->loss = covey_arena_array(arena, int64_t, p->n_classes);
    if (!saved->class_of || !saved->n || !saved->loss)
        return covey_i_no_memory(err);
    memcpy(saved->class_of, p->class_of, p->t->n_rows * sizeof *saved->class_of);
    for (uint32_t c = 0; c < p->n_classes; c++) {
        saved->n[c] = p->class[c].n;
        saved->loss[c] = p->class[c].loss;
    }
    return COVEY_OK;
}

static covey_status restore(covey_peel *p, const uint32_t *class_of, uint32_t n_classes, covey_error *err)
{
    covey_i_peel_reset(p);
    while (p->n_classes < n_classes)
        if (covey_i_peel_class_new(p) == COVEY_PEEL_NONE)
            return covey_i_no_memory(err);
    for (uint32_t r = p->t->n_rows; r-- > 0;)
        if (class_of[r] != COVEY_PEEL_NONE)
            covey_i_peel_add(p, class_of[r], r);
    covey_i_peel_drop_empty(p);
    return COVEY_OK;
}

covey_status covey_i_peel_restore(covey_peel *p, const covey_peel_saved *saved, covey_error *err)
{
    return restore(p, saved->class_of, saved->n_classes, err);
}

static covey_status mix(covey_peel *p, const covey_peel_saved *old, struct crossing *x, covey_arena *arena,
                        covey_error *err)
{
    const covey_peel_table *t = p->t;
    const uint32_t n_old = old->n_classes, n = n_old + p->n_classes;
    uint32_t *scratch = covey_arena_array(arena, uint32_t, t->n_rows),
             *class_of = covey_arena_array(arena, uint32_t, t->n_rows);
    int64_t before = 0, now = covey_i_peel_total(p);

    x->parent = covey_arena_array(arena, uint32_t, n);
    x->cost = covey_arena_array_zero(arena, int64_t, n);
    x->twin = covey_arena_array(arena, uint32_t, n);
    if (!scratch || !class_of || !x->parent || !x->cost || !x->twin)
        return covey_i_no_memory(err);
    find_twins(x, p, old, scratch);
    for (uint32_t i = 0; i < n; i++)
        x->parent[i] = i;
    for (uint32_t r = 0; r < t->n_rows; r++) { /* a crowd joins nothing */
        const uint32_t i = old->class_of[r], j = n_old + p->class_of[r];

        if (x->twin[i] == COVEY_PEEL_NONE && x->twin[j] == COVEY_PEEL_NONE)
            join(x->parent, i, j);
    }
    for (uint32_t i = 0; i < n; i++) {
        const int64_t cost = i < n_old ? old->n[i] * old->loss[i] : covey_i_peel_cost(p, i - n_old);

        x->cost[find(x->parent, i)] += i < n_old ? -cost : cost;
        before += i < n_old ? cost : 0;
    }
    /* A row goes with its old or new class that is no crowd; if both are, nobody cares. */
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const uint32_t i = old->class_of[r], j = n_old + p->class_of[r];
        const uint32_t root = find(x->parent, x->twin[i] == COVEY_PEEL_NONE ? i : j);
        const bool is_crowd = x->twin[i] != COVEY_PEEL_NONE && x->twin[j] != COVEY_PEEL_NONE;
        const uint32_t to = is_crowd || x->cost[root] < 0 ? j : i;

        class_of[r] = to < n_old && x->twin[to] != COVEY_PEEL_NONE ? x->twin[to] : to;
    }
    memcpy(scratch, p->class_of, t->n_rows * sizeof *scratch);
    COVEY_TRY(restore(p, class_of, n, err));
    if (covey_i_peel_all_admitted(p))
        return COVEY_OK;
    return before < now ? restore(p, old->class_of, n_old, err) : restore(p, scratch, n - n_old, err);
}

covey_status covey_i_peel_cross(covey_peel *p, const covey_peel_saved *old, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct crossing x = {0};
    const covey_status status = mix(p, old, &x, &arena, err);

    covey_arena_free(&arena);
    return status;
}
