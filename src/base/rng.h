/* Random numbers: ChaCha20 keyed once by the kernel (or by a seed, for tests), one stream per use.  A stream's output
 * depends on the key and its number alone, so that results do not depend on threads. */
#ifndef COVEY_BASE_RNG_H
#define COVEY_BASE_RNG_H

#include <covey/base.h>

enum { COVEY_RNG_WORDS = 512 /* 4 KiB at a time */ };

typedef struct covey_rng {
    unsigned char key[32];
    uint64_t stream, block; /* nonce and counter */
    uint64_t words[COVEY_RNG_WORDS];
    size_t next; /* first unused word; COVEY_RNG_WORDS: refill */
} covey_rng;

/* A key for a whole run: from the kernel, or from run->seed.  COVEY_EIO if the kernel gives none. */
covey_status covey_i_rng_key(unsigned char key[32], const covey_run *run, covey_error *err);
void covey_i_rng_init(covey_rng *rng, const unsigned char key[32], uint64_t stream);
void covey_i_rng_refill(covey_rng *rng);
static inline uint64_t covey_i_rng_word(covey_rng *rng)
{
    if (rng->next == COVEY_RNG_WORDS)
        covey_i_rng_refill(rng);
    return rng->words[rng->next++];
}
/* The next n words. */
void covey_i_rng_words(covey_rng *rng, uint64_t *words, size_t n);
/* Uniform in 0 .. n-1, n > 0, without bias (Lemire 2019). */
static inline uint64_t covey_i_rng_below(covey_rng *rng, uint64_t n)
{
    unsigned __int128 product = (unsigned __int128)covey_i_rng_word(rng) * n;

    if ((uint64_t)product < n) {
        const uint64_t threshold = -n % n;

        while ((uint64_t)product < threshold)
            product = (unsigned __int128)covey_i_rng_word(rng) * n;
    }
    return (uint64_t)(product >> 64);
}

/* Many numbers, several from each word: out[i] is uniform in 0 .. n-1, n > 0, or 0 .. n-i-1, count <= n, each
 * independent of all others. */
void covey_i_rng_below_each(covey_rng *rng, uint32_t *out, size_t count, uint32_t n);
void covey_i_rng_below_falling(covey_rng *rng, uint32_t *out, size_t count, uint32_t n);

/* Puts items into random order (Fisher and Yates): for i = n .. 2, number i changes places with one of the first i. */
void covey_i_rng_shuffle(covey_rng *rng, uint64_t *item, size_t n);

/* A number below n from COVEY_RNG_SHORT random bits that were drawn before: words are drawn only where those would
 * favour a value, which is where the low bits of their product with n are below `unfair`, 2^COVEY_RNG_SHORT modulo n
 * (for larger n all). */
enum { COVEY_RNG_SHORT = 16 };
static inline uint32_t covey_i_rng_unfair(uint32_t n)
{
    return n > (uint32_t)1 << COVEY_RNG_SHORT ? (uint32_t)1 << COVEY_RNG_SHORT : ((uint32_t)1 << COVEY_RNG_SHORT) % n;
}
static inline uint32_t covey_i_rng_below_short(covey_rng *rng, uint32_t bits, uint32_t n, uint32_t unfair)
{
    const uint64_t product = (uint64_t)bits * n;

    return (product & (((uint32_t)1 << COVEY_RNG_SHORT) - 1)) < unfair ? (uint32_t)covey_i_rng_below(rng, n)
                                                                       : (uint32_t)(product >> COVEY_RNG_SHORT);
}
void covey_i_rng_wipe(covey_rng *rng);

#endif
