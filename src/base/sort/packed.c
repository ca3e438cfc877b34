/* Packed keys alone, without the numbers of their rows.  The same radix sort as that of keys.c with half
 * the bytes, and a third of the memory. */
#include "base/sort/keys.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

enum { BLOCK = 1024 };

struct sorting {
    const covey_sort_key *key; /* [n_keys] */
    size_t n_keys, n;
    const uint32_t *from; /* NULL: the first pass, which packs the keys where it needs them */
    uint32_t *to;
    int shift; /* of the current digit */
    uint32_t mask;
    size_t n_chunks;
    uint32_t (*place)[1 << COVEY_KEY_DIGIT]; /* [n_chunks] keys per digit, then where the chunk's next one of that digit
                                                goes */
};

/* Keys start .. start + *n - 1 of a chunk that ends at `end`; room: [BLOCK]. */
static const uint32_t *block_of(size_t *n, uint32_t *room, const struct sorting *s, size_t start, size_t end)
{
    *n = end - start < BLOCK ? end - start : BLOCK;
    if (s->from)
        return s->from + start;
    covey_i_pack_keys(room, NULL, start, *n, s->key, s->n_keys);
    return room;
}

static size_t chunk_start(const struct sorting *s, size_t chunk)
{
    return s->n * chunk / s->n_chunks;
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    const uint32_t mask = s->mask;
    const int shift = s->shift;
    uint32_t *count = s->place[chunk], room[BLOCK];

    (void)err;
    memset(count, 0, ((size_t)mask + 1) * sizeof *count);
    for (size_t start = chunk_start(s, chunk), n; start < end; start += n) {
        const uint32_t *key = block_of(&n, room, s, start, end);

        for (size_t i = 0; i < n; i++)
            count[key[i] >> shift & mask]++;
    }
    return COVEY_OK;
}

static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    const uint32_t mask = s->mask;
    const int shift = s->shift;
    uint32_t *place = s->place[chunk], *to = s->to, room[BLOCK];

    (void)err;
    for (size_t start = chunk_start(s, chunk), n; start < end; start += n) {
        const uint32_t *key = block_of(&n, room, s, start, end);

        for (size_t i = 0; i < n; i++)
            to[place[key[i] >> shift & mask]++] = key[i];
    }
    return COVEY_OK;
}

covey_status covey_i_sort_packed_keys(uint32_t *packed, size_t n, const covey_sort_key *key, size_t n_keys,
                                      const covey_run *run, covey_error *err)
{
    struct sorting s = {.key = key, .n_keys = n_keys, .n = n};
    const int n_threads = covey_run_threads(run);
    covey_status status = COVEY_OK;
    uint32_t *other = NULL;
    uint64_t n_values = 1;
    int bits, n_passes;

    assert(covey_i_keys_fit(key, n_keys));
    for (size_t k = 0; k < n_keys; k++)
        n_values *= key[k].n_values;
    bits = covey_i_key_bits(n_values);
    n_passes = covey_i_key_passes(n_values, n);
    s.n_chunks = covey_i_key_chunks(n, n_threads);
    if (!(s.place = covey_i_array(s.n_chunks, sizeof *s.place)) ||
        (n_passes > 1 && !(other = covey_i_array_full(n, sizeof *other))))
        status = covey_i_no_memory(err);
    if (n_passes == 0)
        memset(packed, 0, n * sizeof *packed);
    for (int pass = 0; pass < n_passes && status == COVEY_OK; pass++) {
        const int low = bits * pass / n_passes, high = bits * (pass + 1) / n_passes;

        s.shift = low;
        s.mask = ((uint32_t)1 << (high - low)) - 1;
        s.to = (n_passes - pass) % 2 ? packed : other; /* the last one to where keys are wanted */
        if ((status = covey_i_parallel(n_threads, s.n_chunks, count_chunk, &s, err)) == COVEY_OK) {
            covey_i_keys_digit_places(s.place, s.n_chunks, s.mask);
            status = covey_i_parallel(n_threads, s.n_chunks, move_chunk, &s, err);
        }
        s.from = s.to;
    }
    covey_i_free(other);
    covey_i_free(s.place);
    return status;
}
