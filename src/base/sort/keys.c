/* Sorting rows by packed keys.  A least-significant-digit radix sort of (packed key, row) pairs: the pairs move
 * together, so that every pass reads and writes memory in order; sorting bare row numbers would fetch each key from a
 * random place in each pass.  Keys of rows that stand in their order are packed where they are needed, twice, which
 * takes less time than writing them down, and half the memory.  Many rows that stand in their order are sorted
 * otherwise: see parts.c. */
#include "base/sort/keys.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

enum { BLOCK = 1024, FEW_ROWS = 48 /* below this an insertion sort beats clearing the counters */ };

struct sorting {
    uint32_t *rows, *packed; /* packed: NULL: not wanted */
    uint64_t *out;           /* [n] instead of both: pairs; NULL: not wanted */
    size_t n;
    const covey_sort_key *key; /* [n_keys] of the group that is being sorted by */
    size_t n_keys;
    bool in_order;       /* the rows are 0 .. n-1, and not written down yet */
    bool has_pairs;      /* from holds this group's */
    uint64_t *from, *to; /* [n] packed key << 32 | row */
    int shift;           /* of the current digit */
    uint32_t mask;
    size_t n_chunks;
    uint32_t (*place)[1 << COVEY_KEY_DIGIT]; /* [n_chunks] rows per digit, then where the chunk's next row of that digit
                                                goes */
};

static size_t chunk_start(const struct sorting *s, size_t chunk)
{
    return s->n * chunk / s->n_chunks;
}

static bool are_neighbours(const uint32_t *rows, size_t n)
{
    uint32_t differences = 0;

    for (size_t i = 0; i < n; i++)
        differences |= rows[i] ^ (rows[0] + (uint32_t)i);
    return differences == 0;
}

/* The pairs of n rows from place start on; n is BLOCK at most. */
static void pack_block(uint64_t *pair, const struct sorting *s, size_t start, size_t n)
{
    const uint32_t *rows = s->in_order || are_neighbours(s->rows + start, n) ? NULL : s->rows + start;
    const size_t first = s->in_order ? start : s->rows[start];
    uint32_t packed[BLOCK];

    covey_i_pack_keys(packed, rows, first, n, s->key, s->n_keys);
    if (rows)
        for (size_t i = 0; i < n; i++)
            pair[i] = (uint64_t)packed[i] << 32 | rows[i];
    else
        for (size_t i = 0; i < n; i++)
            pair[i] = (uint64_t)packed[i] << 32 | (first + i);
}

static size_t block_end(size_t start, size_t end)
{
    return end - start < BLOCK ? end : start + BLOCK;
}

/* Keys of rows that do not stand in their order lie in random places: their pairs are kept. */
static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    const uint32_t mask = s->mask;
    const int shift = s->shift;
    uint32_t *count = s->place[chunk];
    uint64_t room[BLOCK];

    memset(count, 0, ((size_t)mask + 1) * sizeof *count);
    for (size_t start = chunk_start(s, chunk); start < end; start = block_end(start, end)) {
        const size_t n = block_end(start, end) - start;
        uint64_t *pair = s->in_order && !s->has_pairs ? room : s->from + start;

        if (!s->has_pairs)
            pack_block(pair, s, start, n);
        for (size_t i = 0; i < n; i++)
            count[(pair[i] >> shift) & mask]++;
    }
    return COVEY_OK;
}

/* Where rows go: to the other pairs; in the last pass to their numbers, and to their keys if those are wanted. */
static void move_to_pairs(uint64_t *to, uint32_t *place, const uint64_t *pair, size_t n, int shift, uint32_t mask)
{
    for (size_t i = 0; i < n; i++)
        to[place[(pair[i] >> shift) & mask]++] = pair[i];
}

static void move_to_rows(uint32_t *to, uint32_t *place, const uint64_t *pair, size_t n, int shift, uint32_t mask)
{
    for (size_t i = 0; i < n; i++)
        to[place[(pair[i] >> shift) & mask]++] = (uint32_t)pair[i];
}

static void move_to_both(uint32_t *rows, uint32_t *packed, uint32_t *place, const uint64_t *pair, size_t n, int shift,
                         uint32_t mask)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = place[(pair[i] >> shift) & mask]++;

        rows[at] = (uint32_t)pair[i];
        packed[at] = (uint32_t)(pair[i] >> 32);
    }
}

static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    uint64_t room[BLOCK];

    for (size_t start = chunk_start(s, chunk); start < end; start = block_end(start, end)) {
        const size_t n = block_end(start, end) - start;
        const uint64_t *pair = s->has_pairs ? s->from + start : room;

        if (!s->has_pairs)
            pack_block(room, s, start, n);
        if (s->to)
            move_to_pairs(s->to, s->place[chunk], pair, n, s->shift, s->mask);
        else if (s->packed)
            move_to_both(s->rows, s->packed, s->place[chunk], pair, n, s->shift, s->mask);
        else
            move_to_rows(s->rows, s->place[chunk], pair, n, s->shift, s->mask);
    }
    return COVEY_OK;
}

/* --- groups of keys --- */

/* One pass after another.  next: which of pairs the first one writes to; the last one writes what is wanted. */
static covey_status sort_digits(struct sorting *s, int bits, int n_passes, size_t next, uint64_t *const pairs[2],
                                int n_threads, covey_error *err)
{
    for (int pass = 0; pass < n_passes; pass++) {
        const int low = bits * pass / n_passes, high = bits * (pass + 1) / n_passes;

        s->shift = 32 + low;
        s->mask = ((uint32_t)1 << (high - low)) - 1;
        COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, count_chunk, s, err));
        s->has_pairs = s->has_pairs || !s->in_order;
        covey_i_keys_digit_places(s->place, s->n_chunks, s->mask);
        s->to = pass + 1 < n_passes || s->out ? pairs[next] : NULL;
        COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, move_chunk, s, err));
        s->has_pairs = true;
        s->from = s->to;
        next = 1 - next;
    }
    s->in_order = s->in_order && n_passes == 0;
    return COVEY_OK;
}

/* False without memory. */
static bool make_chunks(struct sorting *s, const covey_run *run)
{
    s->n_chunks = covey_i_key_chunks(s->n, covey_run_threads(run));
    return (s->place = covey_i_array(s->n_chunks, sizeof *s->place)) != NULL;
}

/* Sorts by the keys of one group, whose packed values are below n_values.  pairs: NULL as long as no group has needed
 * them. */
static covey_status sort_group(struct sorting *s, uint64_t n_values, uint64_t *pairs[2], const covey_run *run,
                               covey_error *err)
{
    const int n_passes = covey_i_key_passes(n_values, s->n);
    bool done = false;

    if (s->in_order)
        COVEY_TRY(covey_i_keys_sort_by_parts(&done, &(covey_ordered){s->rows, s->packed, NULL}, s->n, s->key, s->n_keys,
                                             n_values, run, err));
    if (done) {
        s->in_order = false;
        return COVEY_OK;
    }
    if (!s->place && !make_chunks(s, run))
        return covey_i_no_memory(err);
    for (int i = 0; i < 2 && i < (s->in_order ? n_passes - 1 : n_passes); i++) /* written; then two take turns */
        if (!pairs[i] && !(pairs[i] = covey_i_array_full(s->n, sizeof *pairs[i])))
            return covey_i_no_memory(err);
    s->has_pairs = false;
    s->from = pairs[0];
    return sort_digits(s, covey_i_key_bits(n_values), n_passes, s->in_order ? 0 : 1, pairs, covey_run_threads(run),
                       err);
}

/* So few rows that no memory is needed. */
static void sort_few(struct sorting *s, const covey_sort_key *key, size_t n_keys)
{
    uint64_t pair[FEW_ROWS], n_values;

    while (n_keys > 0) {
        const size_t first = covey_i_keys_last(&n_values, key, n_keys);

        s->key = key + first;
        s->n_keys = n_keys - first;
        n_keys = first;
        pack_block(pair, s, 0, s->n);
        for (size_t i = 1; i < s->n; i++) {
            const uint64_t moved = pair[i];
            size_t at = i;

            for (; at > 0 && pair[at - 1] >> 32 > moved >> 32; at--)
                pair[at] = pair[at - 1];
            pair[at] = moved;
        }
        for (size_t i = 0; i < s->n; i++) {
            s->rows[i] = (uint32_t)pair[i];
            if (s->packed)
                s->packed[i] = (uint32_t)(pair[i] >> 32);
        }
        s->in_order = false;
    }
}

static covey_status sort(struct sorting *s, const covey_sort_key *key, size_t n_keys, const covey_run *run,
                         covey_error *err)
{
    uint64_t *pairs[2] = {NULL, NULL};
    covey_status status = COVEY_OK;

    while (n_keys > 0 && status == COVEY_OK) { /* the last keys first */
        uint64_t n_values;
        const size_t first = covey_i_keys_last(&n_values, key, n_keys);

        s->key = key + first;
        s->n_keys = n_keys - first;
        n_keys = first;
        status = sort_group(s, n_values, pairs, run, err);
    }
    for (size_t i = 0; s->in_order && i < s->n && status == COVEY_OK; i++) {
        s->rows[i] = (uint32_t)i;
        if (s->packed)
            s->packed[i] = 0;
    }
    covey_i_free(pairs[0]);
    covey_i_free(pairs[1]);
    covey_i_free(s->place);
    return status;
}

covey_status covey_i_sort_rows_by_keys(uint32_t *rows, size_t n, const covey_sort_key *key, size_t n_keys,
                                       const covey_run *run, covey_error *err)
{
    struct sorting s = {.rows = rows, .n = n};

    if (n > FEW_ROWS)
        return sort(&s, key, n_keys, run, err);
    if (n > 0)
        sort_few(&s, key, n_keys);
    return COVEY_OK;
}

covey_status covey_i_keys_sort_rows(uint32_t *rows, uint32_t *packed, size_t n, const covey_sort_key *key,
                                    size_t n_keys, const covey_run *run, covey_error *err)
{
    struct sorting s = {.rows = rows, .packed = packed, .n = n, .in_order = true};

    assert(!packed || covey_i_keys_fit(key, n_keys));
    return sort(&s, key, n_keys, run, err);
}

/* n_passes: the pairs are where the last one writes. */
static covey_status sort_into_pairs(struct sorting *s, int bits, int n_passes, const covey_run *run, covey_error *err)
{
    uint64_t *const pairs[2] = {n_passes > 1 ? covey_i_array_full(s->n, sizeof **pairs) : NULL, s->out};
    covey_status status;

    if (!make_chunks(s, run) || (n_passes > 1 && !pairs[0]))
        status = covey_i_no_memory(err);
    else
        status = sort_digits(s, bits, n_passes, (size_t)n_passes % 2, pairs, covey_run_threads(run), err);
    covey_i_free(pairs[0]);
    covey_i_free(s->place);
    return status;
}

covey_status covey_i_keys_sort_pairs(uint64_t *pairs, size_t n, const covey_sort_key *key, size_t n_keys,
                                     const covey_run *run, covey_error *err)
{
    struct sorting s = {.out = pairs, .n = n, .key = key, .n_keys = n_keys, .in_order = true};
    uint64_t n_values = 1;
    bool done;

    assert(covey_i_keys_fit(key, n_keys));
    if (n_keys > 0)
        covey_i_keys_last(&n_values, key, n_keys);
    COVEY_TRY(covey_i_keys_sort_by_parts(&done, &(covey_ordered){.pairs = pairs}, n, key, n_keys, n_values, run, err));
    if (done)
        return COVEY_OK;
    COVEY_TRY(sort_into_pairs(&s, covey_i_key_bits(n_values), covey_i_key_passes(n_values, n), run, err));
    for (size_t i = 0; s.in_order && i < n; i++)
        pairs[i] = i;
    return COVEY_OK;
}

covey_status covey_i_sort_pairs(uint64_t *pairs, size_t n, uint64_t n_values, const covey_run *run, covey_error *err)
{
    struct sorting s = {.out = pairs, .n = n, .from = pairs, .has_pairs = true};

    return sort_into_pairs(&s, covey_i_key_bits(n_values), (covey_i_key_passes(n_values, n) + 1) / 2 * 2, run, err);
}
