/* ChaCha20 as a source of random numbers. */
#include "base/rng.h"

#include <sodium.h>
#include <string.h>

covey_status covey_i_rng_key(unsigned char key[32], const covey_run *run, covey_error *err)
{
    if (sodium_init() < 0)
        return covey_fail(err, COVEY_EIO, "the system gives no random numbers");
    if (run && run->has_seed) {
        unsigned char seed[8];

        for (int i = 0; i < 8; i++)
            seed[i] = (unsigned char)(run->seed >> (8 * i));
        crypto_generichash(key, 32, seed, sizeof seed, NULL, 0);
    } else if (run && run->secret) {
        crypto_generichash(key, 32, run->secret, 32, NULL, 0);
    } else {
        randombytes_buf(key, 32);
    }
    return COVEY_OK;
}

void covey_i_rng_init(covey_rng *rng, const unsigned char key[32], uint64_t stream)
{
    memcpy(rng->key, key, 32);
    rng->stream = stream;
    rng->block = 0;
    rng->next = COVEY_RNG_WORDS;
}

void covey_i_rng_refill(covey_rng *rng)
{
    unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];

    memcpy(nonce, &rng->stream, 8);
    memset(rng->words, 0, sizeof rng->words);
    crypto_stream_chacha20_xor_ic((unsigned char *)rng->words, (unsigned char *)rng->words, sizeof rng->words, nonce,
                                  rng->block, rng->key);
    rng->block += sizeof rng->words / 64;
    rng->next = 0;
}

void covey_i_rng_words(covey_rng *rng, uint64_t *words, size_t n)
{
    for (size_t done = 0, some; done < n; done += some, rng->next += some) {
        if (rng->next == COVEY_RNG_WORDS)
            covey_i_rng_refill(rng);
        some = COVEY_RNG_WORDS - rng->next < n - done ? COVEY_RNG_WORDS - rng->next : n - done;
        memcpy(words + done, rng->words + rng->next, some * sizeof *words);
    }
}

/* As many bits of a word as numbers are drawn from: what is drawn again is one in 2^16 at most, unless a number takes
 * more by itself. */
enum { DRAWN_BITS = 48 };

/* Some numbers of one word, the next below n - step * i: the digits of the word's place among so many equal parts of
 * all words as there are sequences.  Returns how many.  Source: [BrackettRozinskyLemire24]. */
static inline size_t draw_some(covey_rng *rng, uint32_t *out, size_t count, uint32_t n, uint32_t step)
{
    const int n_bits = n > 1 ? 32 - __builtin_clz(n - 1) : 1;
    const size_t some = (size_t)(DRAWN_BITS / n_bits) < count ? (size_t)(DRAWN_BITS / n_bits) : count;
    uint64_t rest, sequences;

    do {
        rest = covey_i_rng_word(rng);
        sequences = 1;
        for (size_t i = 0; i < some; i++) {
            const uint32_t below = n - step * (uint32_t)i;
            const unsigned __int128 product = (unsigned __int128)rest * below;

            out[i] = (uint32_t)(product >> 64);
            rest = (uint64_t)product;
            sequences *= below;
        }
    } while (rest < sequences && rest < -sequences % sequences);
    return some;
}

void covey_i_rng_below_each(covey_rng *rng, uint32_t *out, size_t count, uint32_t n)
{
    for (size_t i = 0; i < count;)
        i += draw_some(rng, out + i, count - i, n, 0);
}

void covey_i_rng_below_falling(covey_rng *rng, uint32_t *out, size_t count, uint32_t n)
{
    for (size_t i = 0; i < count;)
        i += draw_some(rng, out + i, count - i, n - (uint32_t)i, 1);
}

void covey_i_rng_shuffle(covey_rng *rng, uint64_t *item, size_t n)
{
    for (size_t left = n; left > 1; left--) {
        const size_t with = (size_t)covey_i_rng_below(rng, left);
        const uint64_t swap = item[left - 1];

        item[left - 1] = item[with];
        item[with] = swap;
    }
}

void covey_i_rng_wipe(covey_rng *rng)
{
    sodium_memzero(rng, sizeof *rng);
}
