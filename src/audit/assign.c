/* See assign.h.  Source: [AzadBulucPothen15], augmenting paths from many sources in one search; here with capacities and without grafting. */
#include "audit/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/point_tree.h"

/* Rows of one point that one entry holds. */
struct share {
    uint32_t entry, amount;
};

struct flow {
    covey_assignment *a;
    covey_point_tree tree;
    uint32_t *first_share;   /* [n_points + 1] a point has as many shares as it had rows: that always suffices */
    uint32_t *n_shares;      /* [n_points] used ones */
    struct share *share;
    /* One search: which entry wants the point, which point an entry would give away, whose tree it belongs to. */
    uint32_t *wanted_by;     /* [n_points] */
    uint32_t *gives;         /* [n_entries] */
    uint32_t *root;          /* [n_entries] UINT32_MAX: not reached */
    bool *closed;            /* [n_entries] of roots: their trees have changed, or need no more */
    uint32_t *queue;         /* [n_entries] */
    uint32_t n_queue;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory to compare with the original");
}

static covey_status start(struct flow *f, covey_assignment *a, covey_arena *arena, covey_error *err)
{
    uint64_t n_rows = 0;

    *f = (struct flow){
        .a = a,
        .first_share = covey_arena_array(arena, uint32_t, (size_t)a->n_points + 1),
        .n_shares = covey_arena_array_zero(arena, uint32_t, a->n_points),
        .wanted_by = covey_arena_array(arena, uint32_t, a->n_points),
        .gives = covey_arena_array(arena, uint32_t, a->n_entries),
        .root = covey_arena_array(arena, uint32_t, a->n_entries),
        .closed = covey_arena_array(arena, bool, a->n_entries),
        .queue = covey_arena_array(arena, uint32_t, a->n_entries),
    };
    if (!f->first_share || !f->n_shares || !f->wanted_by || !f->gives || !f->root || !f->closed || !f->queue)
        return no_memory(err);
    for (uint32_t p = 0; p < a->n_points; p++) {
        f->first_share[p] = (uint32_t)n_rows;
        n_rows += a->supply[p];
    }
    f->first_share[a->n_points] = (uint32_t)n_rows;
    if (!(f->share = covey_arena_array(arena, struct share, n_rows)))
        return no_memory(err);
    return covey_i_point_tree_build(&f->tree, a->coordinate, a->n_points, a->n_dims, arena, err);
}

static const covey_cover *const *box_of(const struct flow *f, uint32_t entry)
{
    return f->a->box + (size_t)entry * f->a->n_dims;
}

/* --- shares --- */

static struct share *find_share(const struct flow *f, uint32_t point, uint32_t entry)
{
    struct share *share = f->share + f->first_share[point];

    for (uint32_t i = 0; i < f->n_shares[point]; i++)
        if (share[i].entry == entry)
            return &share[i];
    return NULL;
}

static void add_share(struct flow *f, uint32_t point, uint32_t entry, uint32_t amount)
{
    f->share[f->first_share[point] + f->n_shares[point]++] = (struct share){entry, amount};
}

static void give(struct flow *f, uint32_t point, uint32_t entry, uint32_t amount)
{
    struct share *share = find_share(f, point, entry);

    if (share)
        share->amount += amount;
    else
        add_share(f, point, entry, amount);
}

/* Shares of no rows are removed at once, so that there are never more than rows. */
static void take(struct flow *f, uint32_t point, uint32_t entry, uint32_t amount)
{
    struct share *share = find_share(f, point, entry);

    share->amount -= amount;
    if (share->amount == 0)
        *share = f->share[f->first_share[point] + --f->n_shares[point]];
}

/* --- greedy --- */

struct place {
    double volume;
    uint32_t entry;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->volume < y->volume || x->volume > y->volume)
        return x->volume < y->volume ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static double volume_of(const struct flow *f, uint32_t entry)
{
    const covey_cover *const *box = box_of(f, entry);
    double sum = 0;

    for (size_t d = 0; d < f->a->n_dims; d++) {
        uint32_t low = f->tree.low[d], high = f->tree.high[d]; /* of all points: what lies outside does not count */

        low = box[d]->low > low ? box[d]->low : low;
        high = box[d]->high < high ? box[d]->high : high;
        if (low > high)
            return 0;
        sum += log2(box[d]->code ? (double)box[d]->n_codes : (double)(high - low) + 1);
    }
    return sum;
}

/* Who has the least choice chooses first. */
static covey_status deal_greedily(struct flow *f, covey_arena *arena, covey_error *err)
{
    covey_assignment *a = f->a;
    struct place *place = covey_arena_array(arena, struct place, a->n_entries);

    if (!place)
        return no_memory(err);
    for (uint32_t e = 0; e < a->n_entries; e++)
        place[e] = (struct place){volume_of(f, e), e};
    qsort(place, a->n_entries, sizeof *place, compare_places);
    for (uint32_t i = 0; i < a->n_entries; i++) {
        uint32_t e = place[i].entry, point;
        covey_point_walk walk;

        covey_i_point_walk_start(&walk, &f->tree, box_of(f, e));
        while (a->need[e] > 0 && covey_i_point_walk_next(&point, &walk)) {
            uint32_t amount = a->need[e] < a->supply[point] ? a->need[e] : a->supply[point];

            add_share(f, point, e, amount); /* an entry meets a point once */
            a->need[e] -= amount;
            a->supply[point] -= amount;
            if (a->supply[point] == 0)
                covey_i_point_tree_remove(&f->tree, point);
        }
    }
    return COVEY_OK;
}

/* --- augmenting paths --- */

/* How many rows can move along the path from a free point back to its root. */
static uint32_t bottleneck(const struct flow *f, uint32_t point)
{
    uint32_t entry = f->wanted_by[point], root = f->root[entry], least = f->a->supply[point];

    if (f->a->need[root] < least)
        least = f->a->need[root];
    while (entry != root) {
        uint32_t amount = find_share(f, f->gives[entry], entry)->amount;

        least = amount < least ? amount : least;
        entry = f->wanted_by[f->gives[entry]];
    }
    return least;
}

/* Every entry of the path takes the point it wants and leaves the one it had.  The root's tree is closed if a link of it is used up. */
static void augment(struct flow *f, uint32_t point)
{
    uint32_t amount = bottleneck(f, point), entry = f->wanted_by[point], root = f->root[entry];

    f->a->supply[point] -= amount;
    f->a->need[root] -= amount;
    f->closed[root] = f->a->need[root] == 0;
    while (entry != root) {
        uint32_t left = f->gives[entry];

        if (find_share(f, left, entry)->amount == amount)
            f->closed[root] = true;
        take(f, left, entry, amount);
        give(f, point, entry, amount);
        point = left;
        entry = f->wanted_by[point];
    }
    give(f, point, root, amount);
}

/* The holders of a point could give it away, if they find another. */
static void reach_holders(struct flow *f, uint32_t point, uint32_t root)
{
    const struct share *share = f->share + f->first_share[point];

    for (uint32_t i = 0; i < f->n_shares[point]; i++) {
        uint32_t holder = share[i].entry;

        if (f->root[holder] != UINT32_MAX)
            continue;
        f->root[holder] = root;
        f->gives[holder] = point;
        f->queue[f->n_queue++] = holder;
    }
}

static void begin_search(struct flow *f)
{
    covey_i_point_tree_revive(&f->tree);
    memset(f->closed, 0, f->a->n_entries * sizeof *f->closed);
    f->n_queue = 0;
    for (uint32_t e = 0; e < f->a->n_entries; e++) {
        f->root[e] = f->a->need[e] > 0 ? e : UINT32_MAX;
        if (f->a->need[e] > 0)
            f->queue[f->n_queue++] = e;
    }
}

/* One search from all entries that still need rows.  Each point and each entry is reached once; false if no row could be moved: then
 * none ever can. */
static bool search(struct flow *f)
{
    bool moved = false;

    begin_search(f);
    for (uint32_t i = 0; i < f->n_queue; i++) {
        uint32_t entry = f->queue[i], root = f->root[entry], point;
        covey_point_walk walk;

        if (f->closed[root])
            continue;
        covey_i_point_walk_start(&walk, &f->tree, box_of(f, entry));
        while (!f->closed[root] && covey_i_point_walk_next(&point, &walk)) {
            covey_i_point_tree_remove(&f->tree, point);
            f->wanted_by[point] = entry;
            if (f->a->supply[point] > 0) {
                augment(f, point);
                moved = true;
            }
            if (!f->closed[root])
                reach_holders(f, point, root);
        }
    }
    return moved;
}

static bool is_done(const covey_assignment *a)
{
    for (uint32_t e = 0; e < a->n_entries; e++)
        if (a->need[e] > 0)
            return false;
    return true;
}

covey_status covey_i_assign(covey_assignment *assignment, covey_arena *arena, covey_error *err)
{
    struct flow flow;

    if (assignment->n_points == 0 || assignment->n_entries == 0)
        return COVEY_OK;
    COVEY_TRY(start(&flow, assignment, arena, err));
    COVEY_TRY(deal_greedily(&flow, arena, err));
    while (!is_done(assignment) && search(&flow))
        ;
    return COVEY_OK;
}
