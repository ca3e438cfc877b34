/* What was found out about numbers of classes.
 *
 * A partitioning of a box cuts every larger box into as many classes, which only grow.  So whatever is refuted of a box
 * is refuted of all boxes in it, and whatever is shown is shown of all around it.  The table therefore holds, for all
 * boxes that differ on one axis alone, the largest spans of that axis that were refuted.  See
 * docs/design/optimal-partition.md. */
#include "method/optimal/count.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum { SPANS = 3, WAYS = 4, FIRST_BUCKETS = 256, AXES = 2, CACHE_LINE = 64 };

struct span {
    uint16_t low, high; /* cells; low > high: none */
};

/* What is known of boxes that differ on one axis, and one number of classes. */
struct entry {
    struct span refuted[SPANS], shown;
    uint64_t key[]; /* classes << 32 | axis + 1 (0: no entry), then the box without the axis */
};

struct covey_optimal_counter {
    uint32_t key_words;          /* with the first */
    uint32_t axis[AXES], n_axes; /* on which boxes are compared */
    bool is_exact;               /* what may be cut depends on the box: it says nothing of others */
    uint64_t mask, most_mask;    /* buckets - 1, now and at the end */
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

static uint32_t longest_axis(const covey_optimal_grid *g, uint32_t but)
{
    uint32_t best = but == 0 && g->d > 1 ? 1 : 0;

    for (uint32_t a = best + 1; a < g->d; a++)
        if (a != but && g->axis[a].n_cells > g->axis[best].n_cells)
            best = a;
    return best;
}

/* Two axes say nearly all that more would, and the table holds so many more boxes.  Of two cells, one is all that is
 * smaller. */
static void choose_axes(covey_optimal_counter *c, const covey_optimal_grid *g)
{
    for (uint32_t a = 0; a < g->d; a++)
        c->is_exact = c->is_exact || g->axis[a].splits->siblings;
    c->axis[0] = longest_axis(g, UINT32_MAX);
    c->axis[1] = longest_axis(g, c->axis[0]);
    c->n_axes = c->is_exact || g->d == 1 || g->axis[c->axis[1]].n_cells <= 2 ? 1 : AXES;
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
    choose_axes(c, g);
    c->key = covey_i_array((size_t)c->n_axes * c->key_words, sizeof *c->key);
    c->tight = covey_i_array(g->stride, sizeof *c->tight);
    c->entry = covey_i_array_zero((size_t)FIRST_BUCKETS * WAYS, c->entry_size);
    if (!c->key || !c->tight || !c->entry) {
        covey_i_optimal_counter_free(c);
        return covey_i_no_memory(err);
    }
    *out = c;
    return COVEY_OK;
}

void covey_i_optimal_counter_free(covey_optimal_counter *c)
{
    if (!c)
        return;
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

covey_optimal_answer covey_i_optimal_counter_recall(covey_optimal_counter *c, const covey_optimal_grid *g,
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

void covey_i_optimal_counter_remember(covey_optimal_counter *c, const covey_optimal_grid *g,
                                      const covey_optimal_block *block, int64_t q, covey_optimal_answer answer)
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
