/* Sampling values by their hashes. */
#include "io/value_sample.h"

#include <string.h>

#include "base/alloc.h"

bool covey_i_value_sample_init(covey_value_sample *s)
{
    *s = (covey_value_sample){.limit = UINT64_MAX,
                              .hash = covey_i_array_zero(COVEY_VALUE_SAMPLE_SLOTS, sizeof *s->hash),
                              .n_rows = covey_i_array_zero(COVEY_VALUE_SAMPLE_SLOTS, sizeof *s->n_rows)};
    return s->hash && s->n_rows;
}

void covey_i_value_sample_free(covey_value_sample *s)
{
    covey_i_free(s->hash);
    covey_i_free(s->n_rows);
    *s = (covey_value_sample){0};
}

/* Where a value is, or where it would be. */
static size_t find_slot(const covey_value_sample *s, uint64_t hash)
{
    size_t i = (size_t)(hash >> 1) % COVEY_VALUE_SAMPLE_SLOTS; /* the low bits: the high ones are alike below a limit */

    while (s->hash[i] && s->hash[i] != hash)
        i = (i + 1) % COVEY_VALUE_SAMPLE_SLOTS;
    return i;
}

static void put(covey_value_sample *s, uint64_t hash, int64_t n)
{
    const size_t i = find_slot(s, hash);

    s->n += s->hash[i] == 0;
    s->hash[i] = hash;
    s->n_rows[i] += n;
}

/* Takes those above a limit out again.  Values move towards their place only, so that one round over the slots, begun
 * at a free one, finds each of them again. */
static void lower_limit(covey_value_sample *s, uint64_t limit)
{
    size_t first = 0;

    if (limit >= s->limit)
        return;
    s->limit = limit;
    while (s->hash[first])
        first++;
    s->n = 0;
    for (size_t k = 1; k <= COVEY_VALUE_SAMPLE_SLOTS; k++) {
        const size_t i = (first + k) % COVEY_VALUE_SAMPLE_SLOTS;
        const uint64_t hash = s->hash[i];
        const int64_t n = s->n_rows[i];

        s->hash[i] = 0;
        s->n_rows[i] = 0;
        if (hash && hash <= limit)
            put(s, hash, n);
    }
}

void covey_i_value_sample_count(covey_value_sample *s, uint64_t hash, int64_t n)
{
    put(s, hash, n);
    while (s->n > COVEY_VALUE_SAMPLE_MOST)
        lower_limit(s, s->limit / 2);
}

void covey_i_value_sample_join(covey_value_sample *s, const covey_value_sample *other)
{
    lower_limit(s, other->limit);
    for (size_t i = 0; i < COVEY_VALUE_SAMPLE_SLOTS; i++)
        if (other->hash[i] && other->hash[i] <= s->limit)
            covey_i_value_sample_count(s, other->hash[i], other->n_rows[i]);
}

void covey_i_value_sample_repeats(covey_repeats *out, const covey_value_sample *s, const char *const *null,
                                  size_t n_null)
{
    *out = (covey_repeats){0};
    for (size_t i = 0; i < COVEY_VALUE_SAMPLE_SLOTS; i++) {
        bool is_null = s->hash[i] == 0;

        for (size_t t = 0; t < n_null && !is_null; t++)
            is_null = s->hash[i] == covey_i_value_sample_hash(null[t], strlen(null[t]));
        if (is_null)
            continue;
        out->n_values++;
        out->n_rows += s->n_rows[i];
        out->n_repeated += s->n_rows[i] > 1 ? s->n_rows[i] : 0;
    }
}
