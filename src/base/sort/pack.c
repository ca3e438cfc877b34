/* Keys of a row as one number, and how many digits it is sorted by. */
#include <string.h>

#include "base/codes.h"
#include "base/sort/keys.h"

enum { LEAST_DIGIT_BITS = 8, MOST_CHUNKS = 16, SMALL_CHUNK = 1 << 15 /* rows that are not worth a thread */ };

/* Neighbouring rows, as they are before the first sort, are read without looking their numbers up; rows: NULL. */
static void append_codes(uint32_t *restrict packed, const uint32_t *restrict rows, size_t first, size_t n,
                         const void *codes, int width, uint32_t n_values)
{
    if (rows)
        for (size_t i = 0; i < n; i++)
            packed[i] = packed[i] * n_values + covey_i_codes_get(codes, width, rows[i]);
    else
        for (size_t i = 0; i < n; i++)
            packed[i] = packed[i] * n_values + covey_i_codes_get(codes, width, first + i);
}

static void append_mapped(uint32_t *packed, const uint32_t *rows, size_t first, size_t n, const covey_sort_key *key)
{
    const uint32_t *codes = key->codes;

    for (size_t i = 0; i < n; i++)
        packed[i] = packed[i] * key->n_values + key->map[codes[rows ? rows[i] : first + i]];
}

static void append_key(uint32_t *packed, const uint32_t *rows, size_t first, size_t n, const covey_sort_key *key)
{
    if (key->map)
        append_mapped(packed, rows, first, n, key);
    else
        append_codes(packed, rows, first, n, key->codes, key->width, key->n_values);
}

void covey_i_pack_keys(uint32_t *packed, const uint32_t *rows, size_t first, size_t n, const covey_sort_key *key,
                       size_t n_keys)
{
    memset(packed, 0, n * sizeof *packed);
    for (size_t k = 0; k < n_keys; k++)
        append_key(packed, rows, first, n, &key[k]);
}

int covey_i_key_bits(uint64_t n_values)
{
    int bits = 0;

    while (bits < 32 && (uint64_t)1 << bits < n_values)
        bits++;
    return bits;
}

int covey_i_key_passes(uint64_t n_values, size_t n)
{
    int most = LEAST_DIGIT_BITS;

    while (most < COVEY_KEY_DIGIT && n >> most > 0)
        most++;
    return (covey_i_key_bits(n_values) + most - 1) / most;
}

size_t covey_i_key_chunks(size_t n, int n_threads)
{
    const size_t most = n / SMALL_CHUNK + 1, wanted = n_threads > MOST_CHUNKS ? MOST_CHUNKS : (size_t)n_threads;

    return wanted < most ? wanted : most;
}

size_t covey_i_keys_last(uint64_t *n_values, const covey_sort_key *key, size_t n)
{
    size_t first = n - 1;

    *n_values = key[first].n_values;
    while (first > 0 && *n_values * key[first - 1].n_values <= (uint64_t)1 << 32)
        *n_values *= key[--first].n_values;
    return first;
}

bool covey_i_keys_fit(const covey_sort_key *key, size_t n_keys)
{
    uint64_t n_values;

    return n_keys == 0 || covey_i_keys_last(&n_values, key, n_keys) == 0;
}

void covey_i_keys_digit_places(uint32_t (*place)[1 << COVEY_KEY_DIGIT], size_t n_chunks, uint32_t mask)
{
    uint32_t sum = 0;

    for (uint32_t digit = 0; digit <= mask; digit++)
        for (size_t c = 0; c < n_chunks; c++) {
            const uint32_t count = place[c][digit];

            place[c][digit] = sum;
            sum += count;
        }
}
