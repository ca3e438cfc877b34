/* What is known of blocks, by their tight boxes.  The table grows up to a limit; where it is full then, what is known
 * of small blocks goes first, because it is cheap to find again.  Locks are striped; who makes it grow holds them all.
 */
#include "method/optimal/optimal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum {
    WAYS = 4,
    STRIPES = 1024,
    FIRST_BUCKETS = STRIPES, /* powers of two; entries of one bucket share a lock, however large the table is */
    MOST_TURNS = 64          /* so many times may all that is known be lost */
};

struct covey_optimal_cache {
    uint32_t key_words, entry_size; /* bytes */
    uint64_t mask;                  /* buckets - 1 */
    _Atomic uint64_t most_mask;     /* at the end */
    _Atomic uint64_t n_used, n_replaced;
    _Atomic bool is_growing;
    unsigned char *entry; /* [buckets][WAYS][entry_size]: covey_optimal_known (n 0: none), then the key */
    atomic_flag lock[STRIPES];
};

covey_status covey_i_optimal_cache_new(covey_optimal_cache **out, uint32_t key_words, size_t most_bytes,
                                       covey_error *err)
{
    covey_optimal_cache *cache = covey_i_array_zero(1, sizeof *cache);
    uint64_t buckets = FIRST_BUCKETS;

    if (!cache)
        return covey_i_no_memory(err);
    cache->key_words = key_words;
    cache->entry_size = (uint32_t)(sizeof(covey_optimal_known) + key_words * sizeof(uint64_t));
    cache->mask = buckets - 1;
    while (buckets * 2 * WAYS * cache->entry_size <= most_bytes)
        buckets *= 2;
    cache->most_mask = buckets - 1;
    for (size_t i = 0; i < STRIPES; i++)
        atomic_flag_clear(&cache->lock[i]);
    if (!(cache->entry = covey_i_array_zero((size_t)FIRST_BUCKETS * WAYS, cache->entry_size))) {
        covey_i_free(cache);
        return covey_i_no_memory(err);
    }
    *out = cache;
    return COVEY_OK;
}

void covey_i_optimal_cache_free(covey_optimal_cache *cache)
{
    if (!cache)
        return;
    covey_i_free(cache->entry);
    covey_i_free(cache);
}

static uint64_t hash_key(const uint64_t *key, uint32_t n)
{
    uint64_t h = 0x9E3779B97F4A7C15u;

    for (uint32_t i = 0; i < n; i++)
        h = covey_i_mix(h, key[i]);
    return h;
}

/* Which lock does not depend on the table's size, so it may grow between two looks. */
static atomic_flag *lock_for(covey_optimal_cache *cache, uint64_t hash)
{
    atomic_flag *lock = &cache->lock[hash % STRIPES];

    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        ; /* held for some hundred nanoseconds, but while the table grows */
    return lock;
}

static void unlock(atomic_flag *lock)
{
    atomic_flag_clear_explicit(lock, memory_order_release);
}

static unsigned char *bucket_of(const covey_optimal_cache *cache, uint64_t hash)
{
    return cache->entry + (hash & cache->mask) * WAYS * cache->entry_size;
}

/* The entry of that key in a bucket, NULL if there is none. */
static unsigned char *find(const covey_optimal_cache *cache, unsigned char *bucket, const uint64_t *key)
{
    for (int way = 0; way < WAYS; way++, bucket += cache->entry_size) {
        const covey_optimal_known *known = (const covey_optimal_known *)bucket;

        if (known->n > 0 && memcmp(bucket + sizeof *known, key, cache->key_words * sizeof *key) == 0)
            return bucket;
    }
    return NULL;
}

/* The way that a new entry takes: an empty one, else that of fewest rows; the last is for whoever comes. */
static unsigned char *place(const covey_optimal_cache *cache, unsigned char *bucket, uint32_t n)
{
    unsigned char *least = bucket;

    for (int way = 0; way < WAYS; way++) {
        unsigned char *entry = bucket + (size_t)way * cache->entry_size;

        if (((covey_optimal_known *)entry)->n == 0)
            return entry;
        if (way + 1 < WAYS && ((covey_optimal_known *)entry)->n < ((covey_optimal_known *)least)->n)
            least = entry;
    }
    return ((covey_optimal_known *)least)->n <= n ? least : bucket + (size_t)(WAYS - 1) * cache->entry_size;
}

/* Moves everything into a larger table; all locks are held. */
static void move_to(covey_optimal_cache *cache, unsigned char *entry, uint64_t mask)
{
    unsigned char *const old = cache->entry;
    const uint64_t n_old = (cache->mask + 1) * WAYS;

    cache->entry = entry;
    cache->mask = mask;
    for (uint64_t i = 0; i < n_old; i++) {
        const unsigned char *from = old + i * cache->entry_size;
        const covey_optimal_known *known = (const covey_optimal_known *)from;
        uint64_t key[COVEY_OPT_MOST_KEY_WORDS];

        if (known->n == 0)
            continue;
        memcpy(key, from + sizeof *known, cache->key_words * sizeof *key);
        memcpy(place(cache, bucket_of(cache, hash_key(key, cache->key_words)), known->n), from, cache->entry_size);
    }
    covey_i_free(old);
}

static bool should_grow(covey_optimal_cache *cache)
{
    return cache->mask < cache->most_mask && atomic_load(&cache->n_used) > (cache->mask + 1) * WAYS / 2;
}

/* A table that is more than half full grows, once however many threads have seen it; where there is no memory for it,
 * it does not. */
static void grow(covey_optimal_cache *cache)
{
    if (!should_grow(cache)) /* it has grown meanwhile */
        return;

    const uint64_t mask = cache->mask * 4 + 3 < cache->most_mask ? cache->mask * 4 + 3 : cache->most_mask;
    unsigned char *entry = covey_i_array_zero((mask + 1) * WAYS, cache->entry_size);

    if (entry) {
        for (size_t i = 0; i < STRIPES; i++)
            lock_for(cache, i);
        move_to(cache, entry, mask);
        for (size_t i = 0; i < STRIPES; i++)
            unlock(&cache->lock[i]);
    } else {
        cache->most_mask = cache->mask;
    }
}

bool covey_i_optimal_cache_get(covey_optimal_known *out, covey_optimal_cache *cache, const uint64_t *key)
{
    const uint64_t hash = hash_key(key, cache->key_words);
    atomic_flag *lock = lock_for(cache, hash);
    const unsigned char *entry = find(cache, bucket_of(cache, hash), key);
    const bool found = entry != NULL;

    if (found)
        memcpy(out, entry, sizeof *out);
    unlock(lock);
    return found;
}

void covey_i_optimal_cache_put(covey_optimal_cache *cache, const uint64_t *key, const covey_optimal_known *known)
{
    const uint64_t hash = hash_key(key, cache->key_words);
    atomic_flag *lock = lock_for(cache, hash);
    unsigned char *const ways = bucket_of(cache, hash);
    unsigned char *entry = find(cache, ways, key);
    covey_optimal_known *old = (covey_optimal_known *)entry;
    bool is_crowded;

    if (!old) {
        entry = place(cache, ways, known->n);
        atomic_fetch_add(((covey_optimal_known *)entry)->n == 0 ? &cache->n_used : &cache->n_replaced, 1);
        memcpy(entry, known, sizeof *known);
        memcpy(entry + sizeof *known, key, cache->key_words * sizeof *key);
    } else {
        if (known->upper < old->upper) {
            old->upper = known->upper;
            old->cut = known->cut;
        }
        old->lower = known->lower > old->lower ? known->lower : old->lower;
        old->level = known->level > old->level ? known->level : old->level;
        old->n_failures = known->n_failures > old->n_failures ? known->n_failures : old->n_failures;
    }
    is_crowded = should_grow(cache);
    unlock(lock);
    if (is_crowded && !atomic_exchange(&cache->is_growing, true)) {
        grow(cache);
        atomic_store(&cache->is_growing, false);
    }
}

bool covey_i_optimal_cache_is_spent(const covey_optimal_cache *cache)
{
    return cache->n_replaced / MOST_TURNS > (cache->most_mask + 1) * WAYS;
}
