/* Node after node, the rows that are still there are grouped by the labels that the node would give them.  A group that
 * keeps the promises is taken as a class, or the largest part of it that does -- but only if those who remain still
 * could be a class, too: otherwise they would pay for it in the end.  Once they need everybody, no further node is
 * visited. */
#include "method/peel/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "method/peel/labels.h"

enum {
    HOPELESS_BITS = 16,
    BLOCK = 128, /* heaps whose slots are fetched together */
    LOOK_UP_WORK = 1 << 20,
    LEAST_TAKEN = 2,       /* a single row that is enough is hardly ever what trimming should leave */
    TRIM_WORK = 16,        /* trimming, per kind, is like looking at so many heaps */
    MOST_WORK = 100000000, /* half a second; less for fewer rows, but not below the least */
    LEAST_WORK = 40000000,
    WORK_PER_ROW = 2200,
    DEAR_TO_JUDGE = 1 << 9, /* covey_peel_table.judge_work */
    MANY_LEFT = 1 << 12,    /* rows; fewer are judged each time */
    HELD_SHARE = 64,
    MOST_REFUSED = 64, /* groups one after the other that the rest needs: it will hardly do without any other */
    FEW_KINDS = 64,
    MOST_BALANCED = 256 /* kinds that trimming weighs against each other: more than few cost extra */
};

/* Rows of one cell and kind that are still there: they stand behind one another. */
struct heap {
    uint32_t lot, n; /* one lot of n rows, or n lots of one row each from this one on */
    uint64_t hash;   /* of the first row and n */
};

/* Heaps with equal labels at a node. */
struct group {
    uint64_t hash;  /* sum over its heaps */
    uint64_t kinds; /* that it has, as bits, as far as there are not too many */
    int64_t rows;
    uint32_t first, last; /* heaps, linked by next */
};

/* Of the hash table from labels to groups. */
struct slot {
    uint64_t key;
    uint32_t group, node; /* of other nodes: free */
};

struct taker {
    covey_peel *p;
    const covey_peel_take *wish;
    covey_arena arena;
    covey_peel_trimmer trimmer;
    covey_tally rest; /* all who are still there, without exact ranges */
    struct heap *heap;
    uint32_t n_heaps;
    uint32_t *next;      /* [n_heaps] of its group at this node, or COVEY_PEEL_NONE */
    struct group *group; /* [n_groups] */
    uint64_t *hopeless;  /* hashes of groups of which no part keeps the promises */
    covey_peel_labels labels;
    struct slot *slot; /* [n_slots] a power of 2 */
    uint32_t n_slots;
    int64_t held;             /* rows that were still there when they were judged last: then they could be left */
    int64_t least;            /* rows of a class */
    int64_t work;             /* heaps and kinds looked at */
    int64_t reported;         /* work when the caller was asked last */
    uint32_t n_refused;       /* groups, since one was taken, that the rest needs */
    int64_t bounds_work;      /* of asking for the bounds of all values */
    int64_t *take;            /* [n_kinds] */
    uint32_t *kinds, n_kinds; /* of a group */
};

static uint64_t hash_heap(const covey_peel_table *t, const struct heap *heap)
{
    return covey_i_mix(covey_i_peel_first(t, heap->lot), heap->n);
}

/* Everybody who is in no class and may be touched. */
static void collect(struct taker *k)
{
    const covey_peel_table *t = k->p->t;

    for (uint32_t lot = 0; lot < t->n_lots; lot++) {
        struct heap *last = k->n_heaps > 0 ? &k->heap[k->n_heaps - 1] : NULL;

        if (k->p->class_of[lot] != COVEY_PEEL_NONE || (k->wish->leave && k->wish->leave[t->kind[lot]]))
            continue;
        if (!t->size && last && last->lot + last->n == lot && t->alike[lot] == t->alike[last->lot])
            last->n++;
        else
            k->heap[k->n_heaps++] = (struct heap){lot, covey_i_peel_size(t, lot), 0};
    }
    for (uint32_t h = 0; h < k->n_heaps; h++) {
        k->heap[h].hash = hash_heap(t, &k->heap[h]);
        covey_i_peel_tally_kind(t, &k->rest, t->kind[k->heap[h].lot], k->heap[h].n);
    }
}

static uint32_t slots_for(uint32_t n_heaps)
{
    uint32_t n = 64;

    while (n < 2 * (uint64_t)n_heaps && n < 1u << 31)
        n *= 2;
    return n;
}

static covey_status set_up(struct taker *k, covey_error *err)
{
    const covey_peel_table *t = k->p->t;
    uint32_t n_heaps = 0;

    for (uint32_t lot = 0; lot < t->n_lots; lot++) /* a heap may be broken up by those who are gone */
        n_heaps += k->p->class_of[lot] == COVEY_PEEL_NONE &&
                   (lot == 0 || t->size || t->alike[lot] == lot || k->p->class_of[lot - 1] != COVEY_PEEL_NONE);
    k->n_slots = slots_for(n_heaps);
    k->heap = covey_arena_array(&k->arena, struct heap, n_heaps);
    k->next = covey_arena_array(&k->arena, uint32_t, n_heaps);
    k->group = covey_arena_array(&k->arena, struct group, n_heaps);
    k->hopeless = covey_arena_array_zero(&k->arena, uint64_t, (size_t)1 << HOPELESS_BITS);
    k->slot = covey_arena_array_zero(&k->arena, struct slot, k->n_slots);
    k->take = covey_arena_array_zero(&k->arena, int64_t, t->n_kinds);
    k->kinds = covey_arena_array(&k->arena, uint32_t, t->n_kinds);
    if (!k->heap || !k->next || !k->group || !k->hopeless || !k->slot || !k->take || !k->kinds)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_peel_labels_new(&k->labels, t, &k->arena, err));
    COVEY_TRY(covey_i_tally_new(&k->rest, &t->problem->promises, &k->arena, err));
    COVEY_TRY(covey_i_peel_trimmer_new(&k->trimmer, t, &k->arena, err));
    k->rest.has_ranges = false; /* they are judged in the end */
    if (t->bounded_view >= 0)
        k->bounds_work = t->problem->promises.view[t->bounded_view].prior->n_values;
    k->least = t->size_only || t->min_size > LEAST_TAKEN ? t->min_size : LEAST_TAKEN;
    collect(k);
    k->held = k->rest.size;
    return COVEY_OK;
}

static inline struct slot *first_slot(const struct taker *k, uint64_t key)
{
    return &k->slot[key & (k->n_slots - 1)];
}

/* The slot of a key, or the free one where it belongs. */
static inline struct slot *find_slot(const struct taker *k, uint64_t key, uint32_t node)
{
    struct slot *slot = first_slot(k, key);

    while (slot->node == node + 1 && slot->key != key)
        slot = slot + 1 < k->slot + k->n_slots ? slot + 1 : k->slot;
    return slot;
}

/* Keys of a block's heaps that begin another cell.  Their slots lie all over a table that no cache holds: they are
 * fetched together, without which 700,000 different rows take 1.2 to 1.4 times as long (docs/design/speed.md). */
static void find_keys(uint64_t *key, const struct taker *k, uint32_t first, uint32_t n, uint32_t last_cell)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t cell = k->p->t->cell[k->heap[first + i].lot];

        if (cell != last_cell) {
            key[i] = covey_i_peel_labels_key(&k->labels, cell);
            __builtin_prefetch(first_slot(k, key[i]), 1);
        }
        last_cell = cell;
    }
}

static void join_group(struct taker *k, struct group *group, uint32_t h)
{
    const struct heap *heap = &k->heap[h];

    k->next[h] = COVEY_PEEL_NONE;
    if (group->first == COVEY_PEEL_NONE)
        group->first = h;
    else
        k->next[group->last] = h;
    group->last = h;
    group->rows += heap->n;
    group->hash += heap->hash;
    group->kinds |= covey_i_peel_kind_bit(k->p->t->kind[heap->lot]);
}

/* Groups the heaps at a node; groups are numbered in the order of their first rows. */
static uint32_t group_heaps(struct taker *k, uint32_t node)
{
    const covey_peel_table *t = k->p->t;
    uint32_t n_groups = 0, last_cell = COVEY_PEEL_NONE, n;
    struct group *group = k->group;
    uint64_t key[BLOCK];

    covey_i_peel_labels_set(&k->labels, t->level + (size_t)t->node[node].number * t->n_axes);
    for (uint32_t first = 0; first < k->n_heaps; first += n) {
        n = k->n_heaps - first < BLOCK ? k->n_heaps - first : BLOCK;
        find_keys(key, k, first, n, last_cell);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t cell = t->cell[k->heap[first + i].lot];

            if (cell != last_cell) {
                struct slot *slot = find_slot(k, key[i], node);

                if (slot->node != node + 1) {
                    *slot = (struct slot){key[i], n_groups, node + 1};
                    k->group[n_groups++] = (struct group){.first = COVEY_PEEL_NONE};
                }
                group = &k->group[slot->group];
                last_cell = cell;
            }
            join_group(k, group, first + i);
        }
    }
    k->work += k->n_heaps;
    return n_groups;
}

static uint64_t *hopeless_slot(const struct taker *k, uint64_t hash)
{
    return &k->hopeless[hash >> (64 - HOPELESS_BITS)];
}

/* Are the ranges of a group wide enough? */
static bool ranges_hold(struct taker *k, const struct group *group)
{
    const covey_peel_table *t = k->p->t;

    for (size_t i = 0; i < t->n_judged; i++) {
        const size_t a = t->judged[i].axis;
        uint32_t low = UINT32_MAX, high = 0;

        for (uint32_t h = group->first; h != COVEY_PEEL_NONE; h = k->next[h]) {
            const uint32_t code = covey_i_peel_codes(t, k->heap[h].lot)[a];

            low = code < low ? code : low;
            high = code > high ? code : high;
            k->work++;
        }
        if (high < t->judged[i].reach[low])
            return false;
    }
    return true;
}

/* Large enough, with kinds that could make a class, and not known to be hopeless? */
static bool is_candidate(struct taker *k, const struct group *group)
{
    return group->rows >= k->least && covey_i_peel_trim_can_hold(&k->trimmer, group->kinds) &&
           *hopeless_slot(k, group->hash) != group->hash && ranges_hold(k, group);
}

/* Rows of each kind in a group. */
static void count_kinds(struct taker *k, const struct group *group)
{
    const covey_peel_table *t = k->p->t;

    k->n_kinds = 0;
    for (uint32_t h = group->first; h != COVEY_PEEL_NONE; h = k->next[h]) {
        const struct heap *heap = &k->heap[h];
        const uint32_t kind = t->kind[heap->lot];

        k->work++;

        if (k->take[kind] == 0)
            k->kinds[k->n_kinds++] = kind;
        k->take[kind] += heap->n;
    }
    qsort(k->kinds, k->n_kinds, sizeof *k->kinds, covey_i_compare_u32);
}

static void change_rest(struct taker *k, int sign)
{
    for (uint32_t i = 0; i < k->n_kinds; i++)
        if (k->take[k->kinds[i]] > 0)
            covey_i_peel_tally_kind(k->p->t, &k->rest, k->kinds[i], sign * k->take[k->kinds[i]]);
}

/* Adds the first n rows of a heap to a class. */
static covey_status take_of_heap(struct taker *k, uint32_t c, struct heap *heap, uint32_t n, covey_error *err)
{
    covey_peel *p = k->p;
    uint32_t part = heap->lot;

    if (!p->splits) {
        for (uint32_t i = 0; i < n; i++)
            covey_i_peel_add(p, c, heap->lot++);
    } else {
        if (n < heap->n)
            COVEY_TRY(covey_i_peel_split(&part, p, heap->lot, n, err));
        covey_i_peel_add(p, c, part);
    }
    heap->n -= n;
    heap->hash = heap->n > 0 ? hash_heap(p->t, heap) : 0;
    return COVEY_OK;
}

/* Makes a class of the rows that take[] says. */
static covey_status take_rows(struct taker *k, const struct group *group, covey_error *err)
{
    const uint32_t c = covey_i_peel_class_new(k->p);

    if (c == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    for (uint32_t h = group->first; h != COVEY_PEEL_NONE; h = k->next[h]) {
        struct heap *heap = &k->heap[h];
        int64_t *left = &k->take[k->p->t->kind[heap->lot]];
        const uint32_t n = *left < heap->n ? (uint32_t)*left : heap->n;

        if (n > 0)
            COVEY_TRY(take_of_heap(k, c, heap, n, err));
        *left -= n;
    }
    return COVEY_OK;
}

/* Asks the caller now and then. */
static covey_status report(struct taker *k, covey_error *err)
{
    if (k->work <= k->reported + LOOK_UP_WORK)
        return COVEY_OK;
    k->reported = k->work;
    return covey_i_peel_report(k->p, 0, 1, err);
}

/* Of a group that breaks a promise, beyond its kinds. */
static int64_t trim_work(const struct taker *k)
{
    const covey_peel_table *t = k->p->t;
    const int64_t n = k->n_kinds <= FEW_KINDS ? 0 : k->n_kinds < MOST_BALANCED ? k->n_kinds : MOST_BALANCED;

    return t->is_bounded || !t->has_prior ? k->bounds_work : k->bounds_work + n * n / 4;
}

/* May those who are still there be left behind?  Of many different values that is asked when there are noticeably fewer
 * of them: it takes as long as the rows are many, for each class. */
static bool rest_holds(struct taker *k)
{
    if (k->wish->any_rest || k->rest.size == 0)
        return true;
    if (k->p->t->judge_work > DEAR_TO_JUDGE && k->rest.size > MANY_LEFT &&
        k->rest.size > k->held - k->held / HELD_SHARE)
        return true;
    if (!covey_i_peel_admits_tally(k->p->t, &k->rest))
        return false;
    k->held = k->rest.size;
    return true;
}

/* Groups come back, node after node, as long as nothing near them is merged with them. */
static covey_status consider_group(struct taker *k, const struct group *group, bool *any, covey_error *err)
{
    covey_status status = COVEY_OK;

    count_kinds(k, group);
    k->work += k->n_kinds * TRIM_WORK + trim_work(k);
    COVEY_TRY(report(k, err));
    if (covey_i_peel_trim(&k->trimmer, k->take, k->kinds, k->n_kinds) >= k->least) {
        change_rest(k, -1);
        if (rest_holds(k)) {
            status = take_rows(k, group, err);
            *any = true;
            k->n_refused = 0;
        } else {
            change_rest(k, 1);
            k->n_refused++;
        }
    } else {
        *hopeless_slot(k, group->hash) = group->hash;
    }
    for (uint32_t i = 0; i < k->n_kinds; i++)
        k->take[k->kinds[i]] = 0;
    return status;
}

static void drop_empty_heaps(struct taker *k)
{
    uint32_t n = 0;

    for (uint32_t h = 0; h < k->n_heaps; h++)
        if (k->heap[h].n > 0)
            k->heap[n++] = k->heap[h];
    k->n_heaps = n;
    k->n_slots = slots_for(n); /* those that are used lie closer together */
}

static int64_t most_work(const covey_peel_table *t)
{
    const int64_t work = (int64_t)WORK_PER_ROW * t->n_rows;

    return work < LEAST_WORK ? LEAST_WORK : work < MOST_WORK ? work : MOST_WORK;
}

/* Nodes in their order get their share of the work; those that come too early for it are left out. */
static bool is_skipped(const struct taker *k, uint32_t node)
{
    const uint32_t n_nodes = k->p->t->n_nodes;
    const int64_t most = most_work(k->p->t) / k->wish->roughness;

    return node > 0 && node + 1 < n_nodes && k->work > most / 8 && k->work > most / n_nodes * node;
}

/* The caller wants what there is: only the last node is left, which takes whoever is still there. */
static bool is_over(const struct taker *k, uint32_t node)
{
    return node + 1 < k->p->t->n_nodes && covey_i_peel_is_enough(k->p);
}

covey_status covey_i_peel_take(covey_peel *p, const covey_peel_take *take, covey_error *err)
{
    struct taker k = {.p = p, .wish = take, .arena = COVEY_ARENA_INIT};
    covey_status status = set_up(&k, err);

    for (uint32_t node = 0;
         status == COVEY_OK && node < p->t->n_nodes && k.n_heaps > 0 && p->t->node[node].loss <= take->until; node++) {
        uint32_t n_groups;
        bool any = false;

        if (k.n_refused >= MOST_REFUSED || is_skipped(&k, node) || is_over(&k, node)) {
            p->n_skipped++;
            continue;
        }
        n_groups = group_heaps(&k, node);
        status = report(&k, err);
        for (uint32_t g = 0;
             g < n_groups && status == COVEY_OK && k.work <= 2 * (int64_t)MOST_WORK && !is_over(&k, node); g++)
            if (is_candidate(&k, &k.group[g]))
                status = consider_group(&k, &k.group[g], &any, err);
        if (any)
            drop_empty_heaps(&k);
    }
    covey_arena_free(&k.arena);
    return status;
}
