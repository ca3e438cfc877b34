/* See sort_keys.h.  A least-significant-digit radix sort of (packed key, row) pairs: the pairs move together, so that every pass reads
 * and writes memory in order; sorting bare row numbers would fetch each key from a random place in each pass. */
#include "base/sort_keys.h"

#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

enum {
    MOST_DIGIT_BITS = 12, /* 24 bits in two passes; more streams would no longer fit the caches */
    MOST_CHUNKS = 16,
    SMALL_CHUNK = 1 << 15, /* rows that are not worth a thread */
    BLOCK = 1024
};

struct sorting {
    uint32_t *rows;
    size_t n;
    const covey_sort_key *key; /* [n_keys] of the group that is being sorted by */
    size_t n_keys;
    uint64_t *from, *to;       /* [n] packed key << 32 | row */
    int shift;                 /* of the current digit */
    uint32_t mask;
    size_t n_chunks;
    size_t (*place)[1 << MOST_DIGIT_BITS]; /* [n_chunks] rows per digit, then where the chunk's next row of that digit goes */
};

static size_t chunk_start(const struct sorting *s, size_t chunk)
{
    return s->n * chunk / s->n_chunks;
}

/* Neighbouring rows, as they are before the first sort, are read without looking their numbers up. */
#define DEFINE_APPEND(name, type)                                                                                                          \
    static void name(uint32_t *restrict packed, const uint32_t *restrict rows, size_t n, bool neighbours, const type *restrict codes,      \
                     uint32_t n_values)                                                                                                    \
    {                                                                                                                                      \
        if (neighbours)                                                                                                                    \
            for (size_t i = 0; i < n; i++)                                                                                                 \
                packed[i] = packed[i] * n_values + codes[rows[0] + i];                                                                     \
        else                                                                                                                               \
            for (size_t i = 0; i < n; i++)                                                                                                 \
                packed[i] = packed[i] * n_values + codes[rows[i]];                                                                         \
    }

DEFINE_APPEND(append_u8, uint8_t)
DEFINE_APPEND(append_u16, uint16_t)
DEFINE_APPEND(append_u32, uint32_t)

static void append_mapped(uint32_t *packed, const uint32_t *rows, size_t n, const covey_sort_key *key)
{
    const uint32_t *codes = key->codes;

    for (size_t i = 0; i < n; i++)
        packed[i] = packed[i] * key->n_values + key->map[codes[rows[i]]];
}

static void append_key(uint32_t *packed, const uint32_t *rows, size_t n, bool neighbours, const covey_sort_key *key)
{
    if (key->map)
        append_mapped(packed, rows, n, key);
    else if (key->width == 1)
        append_u8(packed, rows, n, neighbours, key->codes, key->n_values);
    else if (key->width == 2)
        append_u16(packed, rows, n, neighbours, key->codes, key->n_values);
    else
        append_u32(packed, rows, n, neighbours, key->codes, key->n_values);
}

static bool are_neighbours(const uint32_t *rows, size_t n)
{
    uint32_t differences = 0;

    for (size_t i = 0; i < n; i++)
        differences |= rows[i] ^ (rows[0] + (uint32_t)i);
    return differences == 0;
}

static covey_status pack_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);

    for (size_t start = chunk_start(s, chunk); start < end; start += BLOCK) {
        const size_t n = end - start < BLOCK ? end - start : BLOCK;
        const bool neighbours = are_neighbours(s->rows + start, n);
        uint32_t packed[BLOCK] = {0};

        for (size_t k = 0; k < s->n_keys; k++)
            append_key(packed, s->rows + start, n, neighbours, &s->key[k]);
        for (size_t i = 0; i < n; i++)
            s->from[start + i] = (uint64_t)packed[i] << 32 | s->rows[start + i];
    }
    return COVEY_OK;
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    size_t *count = s->place[chunk];

    memset(count, 0, ((size_t)s->mask + 1) * sizeof *count);
    for (size_t i = chunk_start(s, chunk); i < end; i++)
        count[(s->from[i] >> s->shift) & s->mask]++;
    return COVEY_OK;
}

static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    size_t *place = s->place[chunk];
    uint64_t *to = s->to;

    for (size_t i = chunk_start(s, chunk); i < end; i++)
        to[place[(s->from[i] >> s->shift) & s->mask]++] = s->from[i];
    return COVEY_OK;
}

/* The last pass: the keys are not needed any more. */
static covey_status write_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    size_t *place = s->place[chunk];
    uint32_t *to = s->rows;

    for (size_t i = chunk_start(s, chunk); i < end; i++)
        to[place[(s->from[i] >> s->shift) & s->mask]++] = (uint32_t)s->from[i];
    return COVEY_OK;
}

/* Turns counts into places, digit by digit and in a digit chunk by chunk, so that the sort is stable. */
static void find_places(const struct sorting *s)
{
    size_t sum = 0;

    for (uint32_t digit = 0; digit <= s->mask; digit++)
        for (size_t c = 0; c < s->n_chunks; c++) {
            const size_t count = s->place[c][digit];

            s->place[c][digit] = sum;
            sum += count;
        }
}

static int bits_of(uint64_t n_values)
{
    int bits = 0;

    while (bits < 32 && (uint64_t)1 << bits < n_values)
        bits++;
    return bits;
}

/* Sorts by the keys of one group, whose packed values are below n_values. */
static covey_status sort_group(struct sorting *s, uint64_t n_values, int n_threads, covey_error *err)
{
    const int bits = bits_of(n_values), n_passes = (bits + MOST_DIGIT_BITS - 1) / MOST_DIGIT_BITS;

    if (n_passes == 0)
        return COVEY_OK;
    COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, pack_chunk, s, err));
    for (int pass = 0; pass < n_passes; pass++) {
        const int low = bits * pass / n_passes, high = bits * (pass + 1) / n_passes;
        uint64_t *swap = s->from;

        s->shift = 32 + low;
        s->mask = ((uint32_t)1 << (high - low)) - 1;
        COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, count_chunk, s, err));
        find_places(s);
        COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, pass + 1 < n_passes ? move_chunk : write_chunk, s, err));
        s->from = s->to;
        s->to = swap;
    }
    return COVEY_OK;
}

covey_status covey_i_sort_rows_by_keys(uint32_t *rows, size_t n, const covey_sort_key *key, size_t n_keys, const covey_run *run,
                                       covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    struct sorting s = {.rows = rows, .n = n, .n_chunks = (size_t)n_threads};
    uint64_t *pairs;
    covey_status status = COVEY_OK;

    if (s.n_chunks > MOST_CHUNKS)
        s.n_chunks = MOST_CHUNKS;
    if (s.n_chunks > n / SMALL_CHUNK)
        s.n_chunks = n / SMALL_CHUNK + 1;
    pairs = covey_i_array_full(n, 2 * sizeof *pairs);
    s.place = covey_i_array(s.n_chunks, sizeof *s.place);
    if (!pairs || !s.place) {
        status = covey_fail(err, COVEY_ENOMEM, "order of %zu rows", n);
        goto done;
    }
    s.from = pairs;
    s.to = pairs + n;
    while (n_keys > 0 && status == COVEY_OK) { /* the last keys first */
        size_t first = n_keys - 1;
        uint64_t n_values = key[first].n_values;

        while (first > 0 && n_values * key[first - 1].n_values <= (uint64_t)1 << 32)
            n_values *= key[--first].n_values;
        s.key = key + first;
        s.n_keys = n_keys - first;
        n_keys = first;
        status = sort_group(&s, n_values, n_threads, err);
    }
done:
    covey_i_free(pairs);
    covey_i_free(s.place);
    return status;
}
