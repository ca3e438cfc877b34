/* Dealing rows of the original to published classes.  Source: [HopcroftKarp73], with capacities as in [Dinic70]:
 * searches in breadth find how far the nearest free rows are, walks in depth then use up all ways of that length at
 * once. */
#include "reader/points/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/points/bits.h"

struct flow {
    covey_assignment *a;
    covey_point_bits bits; /* points are numbered as they are there */
    uint32_t *supply;      /* [n_points] rows that are left */
    uint32_t *first_share; /* [n_points + 1] a point has as many shares as it had rows: that always suffices */
    uint32_t *n_shares;    /* [n_points] used ones */
    covey_assigned_share *share;
    uint64_t *free; /* [n_words] points with rows left */
    uint64_t *rest; /* [n_words] scratch */
    /* One phase: entries that need rows are in layer 0, what they reach is in the points' layer 0, who holds it in
     * layer 1, ... */
    uint32_t n_layers;
    uint64_t **in_layer; /* [n_entries] up to n_layers: points of each layer that still may lead to free ones */
    uint32_t *layer;     /* [n_entries] NOWHERE: not reached, or leads nowhere any more */
    uint32_t *word;      /* [n_entries] points before it lead nowhere */
    uint32_t *holder;    /* [n_points] shares before it lead nowhere */
    uint32_t n_roots;
    uint32_t *queue;         /* [n_entries] entries, layer by layer: the n_roots of layer 0 first */
    uint32_t *entry, *point; /* [n_entries] the way from an entry of layer 0 */
};

#define NOWHERE UINT32_MAX

static covey_status make_shares(struct flow *f, covey_arena *arena, covey_error *err)
{
    uint64_t n_rows = 0;

    for (uint32_t p = 0; p < f->a->n_points; p++) {
        f->first_share[p] = (uint32_t)n_rows;
        n_rows += f->supply[p];
    }
    f->first_share[f->a->n_points] = (uint32_t)n_rows;
    f->share = covey_arena_array(arena, covey_assigned_share, n_rows);
    return f->share ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status start(struct flow *f, covey_assignment *a, covey_arena *arena, covey_error *err)
{
    *f = (struct flow){
        .a = a,
        .supply = covey_arena_array(arena, uint32_t, a->n_points),
        .first_share = covey_arena_array(arena, uint32_t, (size_t)a->n_points + 1),
        .n_shares = covey_arena_array_zero(arena, uint32_t, a->n_points),
        .free = covey_arena_array(arena, uint64_t, a->n_points / 64 + 1),
        .rest = covey_arena_array(arena, uint64_t, a->n_points / 64 + 1),
    };
    if (!f->supply || !f->first_share || !f->n_shares || !f->free || !f->rest)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_point_bits_build(&f->bits, a->coordinate, a->n_points, a->n_dims, arena, err));
    for (uint32_t p = 0; p < a->n_points; p++)
        f->supply[p] = a->supply[f->bits.point[p]];
    covey_i_bits_fill(f->free, &f->bits);
    return make_shares(f, arena, err);
}

/* By the caller's numbers. */
static covey_status hand_over(const struct flow *f, covey_arena *arena, covey_error *err)
{
    covey_assignment *a = f->a;

    a->first_share = covey_arena_array(arena, uint32_t, a->n_points);
    a->n_shares = covey_arena_array(arena, uint32_t, a->n_points);
    if (!a->first_share || !a->n_shares)
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p < a->n_points; p++) {
        const uint32_t point = f->bits.point[p];

        a->supply[point] = f->supply[p];
        a->first_share[point] = f->first_share[p];
        a->n_shares[point] = f->n_shares[p];
    }
    a->share = f->share;
    return COVEY_OK;
}

static const covey_cover *const *box_of(const struct flow *f, uint32_t entry)
{
    return f->a->box + (size_t)entry * f->a->n_dims;
}

/* --- shares --- */

static covey_assigned_share *find_share(const struct flow *f, uint32_t point, uint32_t entry)
{
    covey_assigned_share *share = f->share + f->first_share[point];

    for (uint32_t i = 0; i < f->n_shares[point]; i++)
        if (share[i].entry == entry)
            return &share[i];
    return NULL;
}

static void add_share(struct flow *f, uint32_t point, uint32_t entry, uint32_t amount)
{
    f->share[f->first_share[point] + f->n_shares[point]++] = (covey_assigned_share){entry, amount};
}

static void give(struct flow *f, uint32_t point, uint32_t entry, uint32_t amount)
{
    covey_assigned_share *share = find_share(f, point, entry);

    if (share)
        share->amount += amount;
    else
        add_share(f, point, entry, amount);
}

/* Shares of no rows are removed at once, so that there are never more than rows. */
static void take(struct flow *f, uint32_t point, uint32_t entry, uint32_t amount)
{
    covey_assigned_share *share = find_share(f, point, entry);

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
        uint32_t low = f->bits.axis[d].low,
                 high = f->bits.axis[d].high; /* of all points: what lies outside does not count */

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
        return covey_i_no_memory(err);
    for (uint32_t e = 0; e < a->n_entries; e++)
        place[e] = (struct place){volume_of(f, e), e};
    qsort(place, a->n_entries, sizeof *place, compare_places);
    for (uint32_t i = 0; i < a->n_entries; i++) {
        uint32_t e = place[i].entry, point, word = 0;

        while (a->need[e] > 0 && covey_i_point_bits_next(&point, &word, &f->bits, f->free, box_of(f, e))) {
            uint32_t amount = a->need[e] < f->supply[point] ? a->need[e] : f->supply[point];

            add_share(f, point, e, amount); /* an entry meets a point once */
            a->need[e] -= amount;
            f->supply[point] -= amount;
            if (f->supply[point] == 0)
                covey_i_bit_remove(f->free, point);
        }
    }
    return COVEY_OK;
}

/* --- layers --- */

static covey_status prepare_phases(struct flow *f, covey_arena *arena, covey_error *err)
{
    uint32_t n = f->a->n_entries;

    f->in_layer = covey_arena_array(arena, uint64_t *, n);
    f->layer = covey_arena_array(arena, uint32_t, n);
    f->word = covey_arena_array(arena, uint32_t, n);
    f->holder = covey_arena_array(arena, uint32_t, f->a->n_points);
    f->queue = covey_arena_array(arena, uint32_t, n);
    f->entry = covey_arena_array(arena, uint32_t, n);
    f->point = covey_arena_array(arena, uint32_t, n);
    if (!f->in_layer || !f->layer || !f->word || !f->holder || !f->queue || !f->entry || !f->point)
        return covey_i_no_memory(err);
    return COVEY_OK;
}

static uint32_t queue_roots(struct flow *f)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < f->a->n_entries; e++) {
        f->layer[e] = f->a->need[e] > 0 ? 0 : NOWHERE;
        if (f->a->need[e] > 0)
            f->queue[n++] = e;
    }
    return n;
}

/* The holders of a point could give it away, if they find another. */
static uint32_t queue_holders(struct flow *f, uint32_t n, uint32_t point, uint32_t layer)
{
    const covey_assigned_share *share = f->share + f->first_share[point];

    for (uint32_t i = 0; i < f->n_shares[point]; i++)
        if (f->layer[share[i].entry] == NOWHERE) {
            f->layer[share[i].entry] = layer;
            f->queue[n++] = share[i].entry;
        }
    return n;
}

/* The last layer is that of the nearest free points, and holds only these.  Not found: no further row can be dealt
 * out, ever. */
static covey_status find_layers(bool *found, struct flow *f, covey_arena *arena, covey_error *err)
{
    uint32_t begin = 0, end = f->n_roots = queue_roots(f), n = end, point;

    *found = false;
    covey_i_bits_fill(f->rest, &f->bits);
    memset(f->word, 0, f->a->n_entries * sizeof *f->word);
    memset(f->holder, 0, f->a->n_points * sizeof *f->holder);
    for (f->n_layers = 0; begin < end && !*found; begin = end, end = n) {
        uint64_t *points = covey_arena_array_zero(arena, uint64_t, f->bits.n_words);

        if (!points)
            return covey_i_no_memory(err);
        f->in_layer[f->n_layers++] = points;
        for (uint32_t i = begin; i < end; i++)
            for (uint32_t word = 0;
                 covey_i_point_bits_next(&point, &word, &f->bits, f->rest, box_of(f, f->queue[i]));) {
                covey_i_bit_remove(f->rest, point);
                covey_i_bit_add(points, point);
                *found |= f->supply[point] > 0;
                n = queue_holders(f, n, point, f->n_layers);
            }
        for (uint32_t w = 0; *found && w < f->bits.n_words; w++)
            points[w] &= f->free[w];
    }
    return COVEY_OK;
}

/* --- augmenting paths --- */

/* Every entry of the way takes the point it wants and leaves the one it had, for as many rows as all of them can. */
static void augment(struct flow *f, uint32_t depth)
{
    uint32_t root = f->entry[0], free = f->point[depth], amount = f->supply[free];

    amount = f->a->need[root] < amount ? f->a->need[root] : amount;
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t held = find_share(f, f->point[i], f->entry[i + 1])->amount;

        amount = held < amount ? held : amount;
    }
    f->a->need[root] -= amount;
    f->supply[free] -= amount;
    for (uint32_t i = 0; i < depth; i++) {
        take(f, f->point[i], f->entry[i + 1], amount);
        give(f, f->point[i], f->entry[i], amount);
    }
    give(f, free, f->entry[depth], amount);
    if (f->supply[free] == 0) {
        covey_i_bit_remove(f->free, free);
        covey_i_bit_remove(f->in_layer[depth], free);
    }
}

/* The next holder of a point who may lead on; shares that are taken up in this phase belong to earlier layers and do
 * not. */
static bool find_holder(uint32_t *out, struct flow *f, uint32_t point, uint32_t layer)
{
    const covey_assigned_share *share = f->share + f->first_share[point];

    for (; f->holder[point] < f->n_shares[point]; f->holder[point]++)
        if (f->layer[share[f->holder[point]].entry] == layer) {
            *out = share[f->holder[point]].entry;
            return true;
        }
    return false;
}

/* Uses up the ways from an entry of layer 0: in depth, and what led nowhere once is not tried again. */
static void satisfy(struct flow *f, uint32_t root)
{
    uint32_t depth = 0;

    f->entry[0] = root;
    while (f->a->need[root] > 0) {
        uint32_t entry = f->entry[depth], point;

        if (!covey_i_point_bits_next(&point, &f->word[entry], &f->bits, f->in_layer[depth], box_of(f, entry))) {
            f->layer[entry] = NOWHERE;
            if (depth-- == 0)
                return;
            continue;
        }
        f->point[depth] = point;
        if (depth + 1 == f->n_layers) {
            augment(f, depth);
            depth = 0;
        } else if (find_holder(&f->entry[depth + 1], f, point, depth + 1)) {
            depth++;
        } else {
            covey_i_bit_remove(f->in_layer[depth], point);
        }
    }
}

static covey_status run_phase(bool *found, struct flow *f, covey_arena *arena, covey_error *err)
{
    covey_arena_mark mark = covey_arena_save(arena);

    COVEY_TRY(find_layers(found, f, arena, err));
    for (uint32_t i = 0; *found && i < f->n_roots; i++)
        satisfy(f, f->queue[i]);
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
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
    bool found = true;

    if (assignment->n_points == 0 || assignment->n_entries == 0)
        return COVEY_OK;
    COVEY_TRY(start(&flow, assignment, arena, err));
    COVEY_TRY(deal_greedily(&flow, arena, err));
    if (!is_done(assignment))
        COVEY_TRY(prepare_phases(&flow, arena, err));
    while (found && !is_done(assignment))
        COVEY_TRY(run_phase(&found, &flow, arena, err));
    return hand_over(&flow, arena, err);
}
