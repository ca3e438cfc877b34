/* How many classes there can be at most, where sizes say all.  That a block has no partitioning into q classes is far
 * cheaper to prove than what its best one costs, and bounds the cost of the whole.
 *
 * A partitioning of a box cuts every larger box into as many classes, which only grow.  So whatever is refuted of a box
 * is refuted of all boxes in it, and whatever is shown is shown of all around it.  The table therefore holds, for all
 * boxes that differ on one axis alone, the largest spans of that axis that were refuted.  See
 * docs/design/optimal-partition.md. */
#include "method/optimal/optimal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum { SPANS = 3, WAYS = 4, FIRST_BUCKETS = 256, MOST_DEPTH = 8000, CACHE_LINE = 64 };

struct span {
    uint16_t low, high; /* cells; low > high: none */
};

/* What is known of boxes that differ on one axis, and one number of classes. */
struct entry {
    struct span refuted[SPANS], shown;
    uint64_t key[]; /* classes << 32 | axis + 1 (0: no entry), then the box without the axis */
};

struct covey_optimal_counter {
    uint32_t key_words;       /* with the first */
    uint32_t *axis, n_axes;   /* on which boxes are compared */
    bool is_exact;            /* what may be cut depends on the box: it says nothing of others */
    uint64_t mask, most_mask; /* buckets - 1, now and at the end */
    uint64_t n_used;
    size_t entry_size;
    unsigned char *entry; /* [buckets][WAYS][entry_size] */
    uint64_t *key;        /* scratch, [n_axes][key_words] */
    int16_t *tight;       /* scratch, [stride] */
};

static struct entry *entry_at(const covey_optimal_counter *c, uint64_t i)
{
    return (struct entry *)(c->entry + i * c->entry_size);
}

covey_status covey_i_optimal_counter_new(covey_optimal_counter **out, const covey_optimal_grid *g, size_t most_bytes,
                                         covey_error *err)
{
    covey_optimal_counter *c = covey_i_array_zero(1, sizeof *c);
    uint64_t buckets = FIRST_BUCKETS;

    if (!c)
        return covey_i_no_memory(err);
    c->key_words = g->key_words + 1;
    c->entry_size = sizeof(struct entry) + c->key_words * sizeof(uint64_t);
    while (buckets * 2 * WAYS * c->entry_size <= most_bytes)
        buckets *= 2;
    c->mask = FIRST_BUCKETS - 1;
    c->most_mask = buckets - 1;
    c->axis = covey_i_array(g->d, sizeof *c->axis);
    c->key = covey_i_array(g->d * c->key_words, sizeof *c->key);
    c->tight = covey_i_array(g->stride, sizeof *c->tight);
    c->entry = covey_i_array_zero((size_t)FIRST_BUCKETS * WAYS, c->entry_size);
    if (!c->axis || !c->key || !c->tight || !c->entry) {
        covey_i_optimal_counter_free(c);
        return covey_i_no_memory(err);
    }
    for (uint32_t a = 0; a < g->d; a++) {
        c->is_exact = c->is_exact || g->axis[a].splits->siblings;
        if (g->axis[a].n_cells > 2) /* of two cells, one is all that is smaller */
            c->axis[c->n_axes++] = a;
    }
    if (c->n_axes == 0 || c->is_exact) {
        c->axis[0] = 0;
        c->n_axes = 1;
    }
    *out = c;
    return COVEY_OK;
}

void covey_i_optimal_counter_free(covey_optimal_counter *c)
{
    if (!c)
        return;
    covey_i_free(c->axis);
    covey_i_free(c->key);
    covey_i_free(c->tight);
    covey_i_free(c->entry);
    covey_i_free(c);
}

/* ---- What is known ---- */

static struct entry *bucket_of(const covey_optimal_counter *c, const uint64_t *key)
{
    uint64_t h = 0x9E3779B97F4A7C15u;

    for (uint32_t i = 0; i < c->key_words; i++)
        h = covey_i_mix(h, key[i]);
    return entry_at(c, (h & c->mask) * WAYS);
}

/* The keys of a block, one for each axis.  The table is large: all of its buckets are called for at once, so that the
 * processor waits for them once. */
static void make_keys(covey_optimal_counter *c, const covey_optimal_grid *g, const covey_optimal_block *block,
                      int64_t q)
{
    const size_t bucket_size = WAYS * c->entry_size;

    memcpy(c->tight, block->tight, g->stride * sizeof *c->tight);
    for (uint32_t i = 0; i < c->n_axes; i++) {
        const uint32_t a = c->axis[i];
        uint64_t *const key = c->key + (size_t)i * c->key_words;
        const char *bucket;

        c->tight[a] = c->tight[g->d + a] = 0;
        key[0] = (uint64_t)q << 32 | (a + 1);
        covey_i_optimal_key(key + 1, g, c->tight, NULL, NULL);
        c->tight[a] = block->tight[a];
        c->tight[g->d + a] = block->tight[g->d + a];
        bucket = (const char *)bucket_of(c, key);
        for (size_t line = 0; line < bucket_size; line += CACHE_LINE)
            __builtin_prefetch(bucket + line);
    }
}

static struct entry *way_of(const covey_optimal_counter *c, struct entry *bucket, int way)
{
    return (struct entry *)((unsigned char *)bucket + (size_t)way * c->entry_size);
}

static struct entry *find(const covey_optimal_counter *c, const uint64_t *key)
{
    struct entry *const bucket = bucket_of(c, key);

    for (int way = 0; way < WAYS; way++) {
        struct entry *e = way_of(c, bucket, way);

        if (memcmp(e->key, key, c->key_words * sizeof *key) == 0)
            return e;
    }
    return NULL;
}

/* The way for a new entry: an empty one, else that of fewest classes, which is cheap to find again; the last is for
 * whoever comes. */
static struct entry *place(const covey_optimal_counter *c, const uint64_t *key)
{
    struct entry *const bucket = bucket_of(c, key), *least = bucket;

    for (int way = 0; way < WAYS; way++) {
        struct entry *e = way_of(c, bucket, way);

        if (e->key[0] == 0)
            return e;
        if (way + 1 < WAYS && e->key[0] < least->key[0])
            least = e;
    }
    return least->key[0] <= key[0] ? least : way_of(c, bucket, WAYS - 1);
}

/* A table that is more than half full doubles; where there is no memory for it, it does not. */
static void grow(covey_optimal_counter *c)
{
    const uint64_t n_old = (c->mask + 1) * WAYS;
    unsigned char *const old = c->entry;
    unsigned char *entry;

    if (c->mask >= c->most_mask || c->n_used <= n_old / 2)
        return;
    if (!(entry = covey_i_array_zero((size_t)n_old * 2, c->entry_size))) {
        c->most_mask = c->mask;
        return;
    }
    c->entry = entry;
    c->mask = 2 * c->mask + 1;
    for (uint64_t i = 0; i < n_old; i++) {
        const struct entry *e = (const struct entry *)(old + i * c->entry_size);

        if (e->key[0] != 0)
            memcpy(place(c, e->key), e, c->entry_size);
    }
    covey_i_free(old);
}

static bool is_in(struct span s, struct span whole)
{
    return s.low >= whole.low && s.high <= whole.high;
}

static struct span span_of(const covey_optimal_grid *g, const covey_optimal_block *block, uint32_t a)
{
    return (struct span){(uint16_t)COVEY_OPT_LOW(block, g, a), (uint16_t)COVEY_OPT_HIGH(block, g, a)};
}

/* Does what is known of one span say the same of the other: it lies in that, or is the same? */
static bool holds(const covey_optimal_counter *c, struct span inner, struct span outer)
{
    return inner.low <= inner.high && is_in(inner, outer) && (!c->is_exact || is_in(outer, inner));
}

static covey_optimal_answer recall(covey_optimal_counter *c, const covey_optimal_grid *g,
                                   const covey_optimal_block *block, int64_t q)
{
    make_keys(c, g, block, q);
    for (uint32_t i = 0; i < c->n_axes; i++) {
        const struct span own = span_of(g, block, c->axis[i]);
        const struct entry *e = find(c, c->key + (size_t)i * c->key_words);

        if (!e)
            continue;
        if (holds(c, e->shown, own))
            return COVEY_OPT_YES;
        for (int s = 0; s < SPANS; s++)
            if (holds(c, own, e->refuted[s]))
                return COVEY_OPT_NO;
    }
    return COVEY_OPT_OPEN;
}

/* Takes the place of a span that lies in it, of none, or of the shortest. */
static void add_refuted(struct entry *e, struct span own)
{
    struct span *into = &e->refuted[0];

    for (int s = 0; s < SPANS; s++) {
        struct span *const one = &e->refuted[s];

        if (one->low > one->high || is_in(*one, own)) {
            into = one;
            break;
        }
        if (one->high - one->low < into->high - into->low)
            into = one;
    }
    *into = own;
}

static void remember(covey_optimal_counter *c, const covey_optimal_grid *g, const covey_optimal_block *block, int64_t q,
                     covey_optimal_answer answer)
{
    static const struct span none = {1, 0};

    make_keys(c, g, block, q);
    for (uint32_t i = 0; i < c->n_axes; i++) {
        const struct span own = span_of(g, block, c->axis[i]);
        const uint64_t *key = c->key + (size_t)i * c->key_words;
        struct entry *e = find(c, key);

        if (!e) {
            e = place(c, key);
            c->n_used += e->key[0] == 0;
            memcpy(e->key, key, c->key_words * sizeof *key);
            e->shown = none;
            for (int s = 0; s < SPANS; s++)
                e->refuted[s] = none;
        }
        if (answer == COVEY_OPT_NO)
            add_refuted(e, own);
        else
            e->shown = own;
    }
    grow(c);
}

/* ---- The search ---- */

static covey_optimal_answer look(covey_optimal_counter *c, const covey_optimal_worker *w,
                                 const covey_optimal_block *block, int64_t q)
{
    const int64_t k = w->g->k;

    if (q * k > block->n || q > block->n_items)
        return COVEY_OPT_NO;
    if (q == 1)
        return COVEY_OPT_YES;
    if (covey_i_optimal_classes_ahead(w->g, block) < q)
        return COVEY_OPT_NO;
    return q == 2 ? COVEY_OPT_YES : recall(c, w->g, block, q);
}

static covey_optimal_answer search(covey_optimal_counter *c, covey_optimal_worker *w, const covey_optimal_block *block,
                                   int64_t q);

/* The side with fewer rows to spare goes first: it is the likelier one to be refuted, and the sooner. */
static covey_optimal_answer search_sides(covey_optimal_counter *c, covey_optimal_worker *w,
                                         const covey_optimal_block *left, int64_t q_left,
                                         const covey_optimal_block *right, int64_t q_right)
{
    const int64_t k = w->g->k;
    const bool is_left = left->n - q_left * k < right->n - q_right * k;
    const covey_optimal_block *first = is_left ? left : right, *second = is_left ? right : left;
    const int64_t q_first = is_left ? q_left : q_right, q_second = is_left ? q_right : q_left;
    covey_optimal_answer of_first = look(c, w, first, q_first), of_second;

    if (of_first == COVEY_OPT_NO || (of_second = look(c, w, second, q_second)) == COVEY_OPT_NO)
        return COVEY_OPT_NO;
    if (of_first == COVEY_OPT_OPEN && (of_first = search(c, w, first, q_first)) != COVEY_OPT_YES)
        return of_first;
    return of_second == COVEY_OPT_OPEN ? search(c, w, second, q_second) : of_second;
}

/* Every way to give the classes to both sides of a cut. */
static covey_optimal_answer try_cut(covey_optimal_counter *c, covey_optimal_worker *w, const covey_optimal_block *block,
                                    const covey_optimal_cut *cut, int64_t q)
{
    const int64_t k = w->g->k, most_left = cut->n_left / k, most_right = (block->n - cut->n_left) / k;
    covey_optimal_answer answer = COVEY_OPT_NO;
    covey_optimal_block left, right;

    if (most_left + most_right < q)
        return COVEY_OPT_NO;
    if (!covey_i_optimal_divide_counted(&left, &right, w, block, cut)) {
        w->stopped = w->is_full = true;
        return COVEY_OPT_OPEN;
    }
    for (int64_t i = most_left < q ? most_left : q - 1; i >= 1 && q - i <= most_right && !w->stopped; i--) {
        const covey_optimal_answer one = search_sides(c, w, &left, i, &right, q - i);

        if (one == COVEY_OPT_YES)
            return COVEY_OPT_YES;
        answer = one == COVEY_OPT_OPEN ? one : answer;
    }
    return w->stopped ? COVEY_OPT_OPEN : answer;
}

/* The order of the cuts is the grid's own: it leads to boxes that lie in one another. */
static covey_optimal_answer search(covey_optimal_counter *c, covey_optimal_worker *w, const covey_optimal_block *block,
                                   int64_t q)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_answer answer = COVEY_OPT_NO;
    covey_optimal_units least;
    covey_optimal_cut *cut;
    covey_arena_mark sides;
    uint32_t n;

    if (w->depth >= MOST_DEPTH || !covey_i_optimal_goes_on(w))
        return COVEY_OPT_OPEN;
    if (!(cut = covey_i_optimal_cuts_by_size(&n, &least, w, block, INT64_MAX))) {
        w->stopped = w->is_full = true;
        return COVEY_OPT_OPEN;
    }
    sides = covey_arena_save(&w->arena);
    w->depth++;
    for (uint32_t i = 0; i < n && answer != COVEY_OPT_YES && !w->stopped; i++) {
        const covey_optimal_answer one = try_cut(c, w, block, &cut[i], q);

        answer = one == COVEY_OPT_NO ? answer : one;
        covey_arena_rewind(&w->arena, sides);
    }
    w->depth--;
    covey_arena_rewind(&w->arena, mark);
    if (answer != COVEY_OPT_OPEN)
        remember(c, w->g, block, q, answer);
    return answer;
}

covey_optimal_answer covey_i_optimal_can_have(covey_optimal_counter *c, covey_optimal_worker *w,
                                              const covey_optimal_block *block, int64_t n_classes)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_block counted = *block;
    covey_optimal_answer answer;

    if (!covey_i_optimal_count_block(&counted, w)) {
        w->stopped = w->is_full = true;
        return COVEY_OPT_OPEN;
    }
    answer = look(c, w, &counted, n_classes);
    if (answer == COVEY_OPT_OPEN)
        answer = search(c, w, &counted, n_classes);
    covey_arena_rewind(&w->arena, mark);
    return answer;
}

/* ---- What numbers of classes say of costs ---- */

static void keep(covey_optimal_worker *w, const covey_optimal_block *block, covey_optimal_units lower,
                 covey_optimal_units upper, uint32_t cut)
{
    const covey_optimal_units bound = covey_i_optimal_block_bound(w->g, block);

    covey_i_optimal_remember(w, block,
                             (covey_optimal_known){.lower = lower > bound ? lower : bound, .upper = upper, .cut = cut});
}

/* The first cut of a partitioning into q classes or more, which there is, and the classes of its left side; false if
 * the search is over. */
static bool find_cut(covey_optimal_cut *out, int64_t *q_left, covey_optimal_counter *c, covey_optimal_worker *w,
                     const covey_optimal_block *block, int64_t q)
{
    const int64_t k = w->g->k;
    covey_optimal_block left, right;
    covey_optimal_units least;
    covey_arena_mark mark;
    uint32_t n;
    covey_optimal_cut *cut = covey_i_optimal_cuts_by_size(&n, &least, w, block, INT64_MAX);

    mark = covey_arena_save(&w->arena);
    for (uint32_t i = 0; cut && i < n && !w->stopped; i++) {
        const int64_t most_left = cut[i].n_left / k, most_right = (block->n - cut[i].n_left) / k;

        if (most_left + most_right < q)
            continue;
        if (!covey_i_optimal_divide_counted(&left, &right, w, block, &cut[i]))
            break;
        for (int64_t j = most_left < q ? most_left : q - 1; j >= 1 && q - j <= most_right && !w->stopped; j--)
            if (search_sides(c, w, &left, j, &right, q - j) == COVEY_OPT_YES) {
                *out = cut[i];
                *q_left = j;
                return true;
            }
        covey_arena_rewind(&w->arena, mark);
    }
    w->is_full = w->is_full || !w->stopped;
    w->stopped = true;
    return false;
}

/* The cost of a partitioning into q classes or more, which there is: it goes into the cache, cut by cut. */
static covey_optimal_units build(covey_optimal_counter *c, covey_optimal_worker *w, const covey_optimal_block *block,
                                 int64_t q)
{
    const covey_optimal_grid *g = w->g;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_known known = {.upper = covey_i_optimal_class_of(g, block->n)};
    covey_optimal_block left, right;
    covey_optimal_units sum = COVEY_OPT_INFINITE;
    covey_optimal_cut cut;
    int64_t q_left;

    if (block->n < 3 * g->k)
        return block->ahead;
    if (q == 1 || (covey_i_optimal_recall(&known, w, block) && known.upper < covey_i_optimal_floor(g, block->n, q - 1)))
        return known.upper; /* it has as many */
    if (find_cut(&cut, &q_left, c, w, block, q) && !covey_i_optimal_divide_counted(&left, &right, w, block, &cut))
        w->stopped = w->is_full = true;
    if (!w->stopped) {
        w->depth++;
        sum = build(c, w, &left, q_left);
        sum = w->stopped ? sum : sum + build(c, w, &right, q - q_left);
        w->depth--;
    }
    covey_arena_rewind(&w->arena, mark);
    if (w->stopped)
        return COVEY_OPT_INFINITE;
    keep(w, block, -COVEY_OPT_INFINITE, sum, cut.axis << 16 | cut.cell);
    return sum;
}

void covey_i_optimal_count_down(covey_optimal_worker *w, const covey_optimal_block *block, int64_t nodes)
{
    const covey_optimal_grid *g = w->g;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_known known = {.upper = covey_i_optimal_class_of(g, block->n)};
    covey_optimal_block counted = *block;
    covey_optimal_answer answer = COVEY_OPT_NO;
    bool all_refuted = true;

    if (!covey_i_optimal_count_block(&counted, w)) {
        w->stopped = w->is_full = true;
        return;
    }
    covey_i_optimal_recall(&known, w, block);
    for (int64_t q = block->n / g->k; q > 1 && answer != COVEY_OPT_YES && !w->stopped; q--) {
        const covey_optimal_units fewer = covey_i_optimal_floor(g, block->n, q - 1);
        int64_t end;

        if (known.upper < fewer) /* that has as many */
            break;
        if (known.lower >= fewer) /* known */
            continue;
        end = covey_i_optimal_give_nodes(w, nodes);
        answer = covey_i_optimal_can_have(w->counter, w, &counted, q);
        covey_i_optimal_take_back(w, end);
        all_refuted = all_refuted && answer == COVEY_OPT_NO;
        if (answer == COVEY_OPT_YES)
            build(w->counter, w, &counted, q);
        else if (all_refuted)
            keep(w, block, fewer, COVEY_OPT_INFINITE, COVEY_OPT_LEAF);
    }
    covey_arena_rewind(&w->arena, mark);
}
