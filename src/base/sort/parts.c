/* Many rows that stand in their order, sorted by the most significant digit of their keys first.  The other
 * digit is then sorted by within parts, which fit the caches: keys and rows are moved to their part in the very memory
 * that they are wanted in, and the order inside a part takes a copy of that part alone.  New pages cost more than all
 * the rest. */
#include "base/sort/keys.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

enum {
    BLOCK = 1024,
    PLACES_PER_ROW = 2, /* with more, counters of parts take longer than the rows */
    LARGE_PART = 4,     /* of that many */
    TASKS_PER_CHUNK = 8
};

struct sorting {
    const covey_sort_key *key; /* [n_keys] */
    size_t n_keys, n;
    uint32_t *rows, *packed; /* [n] */
    bool wants_packed;
    uint64_t *pairs; /* [n] instead of both; NULL: both */
    int shift;       /* of the digit of parts */
    uint32_t last;   /* part */
    size_t n_chunks, n_tasks;
    uint32_t (
        *place)[1 << COVEY_KEY_DIGIT]; /* [n_chunks] rows per part, then where the chunk's next row of that part goes */
};

static size_t chunk_start(const struct sorting *s, size_t chunk)
{
    return s->n * chunk / s->n_chunks;
}

static size_t block_at(const struct sorting *s, size_t start, size_t end)
{
    return end - start < BLOCK ? end - start : BLOCK;
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    const int shift = s->shift;
    uint32_t *count = s->place[chunk], key[BLOCK];

    memset(count, 0, ((size_t)s->last + 1) * sizeof *count);
    for (size_t start = chunk_start(s, chunk), n; start < end; start += n) {
        n = block_at(s, start, end);
        covey_i_pack_keys(key, NULL, start, n, s->key, s->n_keys);
        for (size_t i = 0; i < n; i++)
            count[key[i] >> shift]++;
    }
    return COVEY_OK;
}

static void move_both(uint32_t *rows, uint32_t *packed, uint32_t *place, const uint32_t *key, size_t first, size_t n,
                      int shift)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = place[key[i] >> shift]++;

        rows[at] = (uint32_t)(first + i);
        packed[at] = key[i];
    }
}

static void move_pairs(uint64_t *pairs, uint32_t *place, const uint32_t *key, size_t first, size_t n, int shift)
{
    for (size_t i = 0; i < n; i++)
        pairs[place[key[i] >> shift]++] = (uint64_t)key[i] << 32 | (first + i);
}

static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sorting *s = context;
    const size_t end = chunk_start(s, chunk + 1);
    uint32_t key[BLOCK];

    for (size_t start = chunk_start(s, chunk), n; start < end; start += n) {
        n = block_at(s, start, end);
        covey_i_pack_keys(key, NULL, start, n, s->key, s->n_keys);
        if (s->pairs)
            move_pairs(s->pairs, s->place[chunk], key, start, n, s->shift);
        else
            move_both(s->rows, s->packed, s->place[chunk], key, start, n, s->shift);
    }
    return COVEY_OK;
}

/* Where the rows of a part end once they have been moved, those of the next begin. */
static size_t part_start(const struct sorting *s, uint32_t part)
{
    return part > 0 ? s->place[s->n_chunks - 1][part - 1] : 0;
}

/* From counts to where the rows of each digit begin. */
static void sum_up(uint32_t *place, uint32_t n_places)
{
    uint32_t sum = 0;

    for (uint32_t digit = 0; digit < n_places; digit++) {
        const uint32_t count = place[digit];

        place[digit] = sum;
        sum += count;
    }
}

/* Sorts n rows of a part.  copy: [n] scratch; place: [n_places] zeros. */
static void sort_both(const struct sorting *s, uint32_t part, size_t start, size_t n, uint32_t *copy, uint32_t *place,
                      uint32_t n_places)
{
    const uint32_t mask = n_places - 1;
    uint32_t *rows = s->rows + start, *packed = s->packed + start, at = 0;

    memcpy(copy, rows, n * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        place[packed[i] & mask]++;
    sum_up(place, n_places);
    for (size_t i = 0; i < n; i++)
        rows[place[packed[i] & mask]++] = copy[i];
    for (uint32_t digit = 0; s->wants_packed && digit < n_places; digit++)
        while (at < place[digit])
            packed[at++] = part << s->shift | digit;
}

static void sort_pairs(const struct sorting *s, size_t start, size_t n, uint64_t *copy, uint32_t *place,
                       uint32_t n_places)
{
    const uint32_t mask = n_places - 1;
    uint64_t *pairs = s->pairs + start;

    memcpy(copy, pairs, n * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        place[copy[i] >> 32 & mask]++;
    sum_up(place, n_places);
    for (size_t i = 0; i < n; i++)
        pairs[place[copy[i] >> 32 & mask]++] = copy[i];
}

/* The parts that begin in a task's share of the rows: *first to *end - 1; returns how many rows the largest has. */
static size_t parts_of(uint32_t *first, uint32_t *end, const struct sorting *s, size_t task)
{
    const size_t share = s->n * task / s->n_tasks, end_of_share = s->n * (task + 1) / s->n_tasks;
    size_t most = 0;

    *first = 0;
    while (*first <= s->last && part_start(s, *first) < share)
        ++*first;
    for (*end = *first; *end <= s->last && part_start(s, *end) < end_of_share; ++*end) {
        const size_t n = part_start(s, *end + 1) - part_start(s, *end);

        most = n > most ? n : most;
    }
    return most;
}

static covey_status sort_parts(void *context, size_t task, covey_error *err)
{
    const struct sorting *s = context;
    const uint32_t n_places = (uint32_t)1 << s->shift;
    uint32_t place[1 << COVEY_KEY_DIGIT], first, end;
    const size_t most = parts_of(&first, &end, s, task);
    void *copy = covey_i_array_full(most, s->pairs ? sizeof *s->pairs : sizeof *s->rows);

    if (!copy)
        return covey_i_no_memory(err);
    for (uint32_t part = first; part < end; part++) {
        const size_t start = part_start(s, part), n = part_start(s, part + 1) - start;

        if (n == 0)
            continue;
        memset(place, 0, n_places * sizeof *place);
        if (s->pairs)
            sort_pairs(s, start, n, copy, place, n_places);
        else
            sort_both(s, part, start, n, copy, place, n_places);
    }
    covey_i_free(copy);
    return COVEY_OK;
}

/* Are most rows in one part, which one thread would have to sort?  Once they are counted. */
static bool has_large_part(const struct sorting *s)
{
    for (uint32_t part = 0; part <= s->last; part++) {
        size_t n = 0;

        for (size_t c = 0; c < s->n_chunks; c++)
            n += s->place[c][part];
        if (n > s->n / LARGE_PART)
            return true;
    }
    return false;
}

static covey_status sort(bool *done, struct sorting *s, int n_threads, covey_error *err)
{
    COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, count_chunk, s, err));
    if (has_large_part(s))
        return COVEY_OK;
    if (!s->pairs && !s->wants_packed && !(s->packed = covey_i_array_full(s->n, sizeof *s->packed)))
        return covey_i_no_memory(err);
    covey_i_keys_digit_places(s->place, s->n_chunks, s->last);
    COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, move_chunk, s, err));
    s->n_tasks = TASKS_PER_CHUNK * s->n_chunks;
    COVEY_TRY(covey_i_parallel(n_threads, s->n_tasks, sort_parts, s, err));
    *done = true;
    return COVEY_OK;
}

covey_status covey_i_keys_sort_by_parts(bool *done, const covey_ordered *to, size_t n, const covey_sort_key *key,
                                        size_t n_keys, uint64_t n_values, const covey_run *run, covey_error *err)
{
    const int bits = covey_i_key_bits(n_values), n_threads = covey_run_threads(run);
    struct sorting s = {.key = key,
                        .n_keys = n_keys,
                        .n = n,
                        .rows = to->rows,
                        .packed = to->packed,
                        .wants_packed = to->packed != NULL,
                        .pairs = to->pairs,
                        .shift = bits - bits / 2,
                        .last = ((uint32_t)1 << bits / 2) - 1,
                        .n_chunks = covey_i_key_chunks(n, n_threads)};
    covey_status status;

    *done = false;
    if (covey_i_key_passes(n_values, n) != 2 || (uint64_t)1 << bits > PLACES_PER_ROW * (uint64_t)n)
        return COVEY_OK;
    if ((s.place = covey_i_array(s.n_chunks, sizeof *s.place)))
        status = sort(done, &s, n_threads, err);
    else
        status = covey_i_no_memory(err);
    if (!s.wants_packed)
        covey_i_free(s.packed);
    covey_i_free(s.place);
    return status;
}
