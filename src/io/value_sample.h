/* A sample of the values of a column that is not kept: how many rows has each?
 *
 * Values are taken by their hash, all that lie below a limit, and every row of a taken value is counted; where too many
 * are taken, the limit is halved.  So the counts of what is in the sample are exact, memory is bounded, and what is in
 * it depends on the values alone, in whatever pieces they are read.  Source: adaptive sampling, [Flajolet90]. */
#ifndef COVEY_IO_VALUE_SAMPLE_H
#define COVEY_IO_VALUE_SAMPLE_H

#include "base/hash.h"
#include "table/repeats.h"

enum { COVEY_VALUE_SAMPLE_MOST = 1024, COVEY_VALUE_SAMPLE_SLOTS = 4 * COVEY_VALUE_SAMPLE_MOST };

typedef struct covey_value_sample {
    uint64_t limit;  /* hashes up to it are taken */
    size_t n;        /* values, at most COVEY_VALUE_SAMPLE_MOST */
    uint64_t *hash;  /* [COVEY_VALUE_SAMPLE_SLOTS] 0: free */
    int64_t *n_rows; /* [COVEY_VALUE_SAMPLE_SLOTS] */
} covey_value_sample;

bool covey_i_value_sample_init(covey_value_sample *s); /* false without memory */
void covey_i_value_sample_free(covey_value_sample *s); /* may be all zeros */

/* Counts n more rows of a value whose hash is not above the limit; not 0. */
void covey_i_value_sample_count(covey_value_sample *s, uint64_t hash, int64_t n);
/* Adds what another sample has counted. */
void covey_i_value_sample_join(covey_value_sample *s, const covey_value_sample *other);
/* Figures of the sample, without the rows of the texts that mean "missing". */
void covey_i_value_sample_repeats(covey_repeats *out, const covey_value_sample *s, const char *const *null,
                                  size_t n_null);

static inline uint64_t covey_i_value_sample_hash(const char *bytes, size_t size)
{
    return covey_i_hash_bytes(bytes, size) | 1; /* 0 means something else */
}

static inline void covey_i_value_sample_add(covey_value_sample *s, const char *bytes, size_t size)
{
    const uint64_t hash = covey_i_value_sample_hash(bytes, size);

    if (hash <= s->limit)
        covey_i_value_sample_count(s, hash, 1);
}

#endif
