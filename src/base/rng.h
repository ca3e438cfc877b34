/* Random numbers: ChaCha20 keyed once by the kernel (or by a seed, for tests), one stream per use.  A stream's output
 * depends on the key and its number alone, so that results do not depend on threads. */
#ifndef COVEY_BASE_RNG_H
#define COVEY_BASE_RNG_H

#include <covey/base.h>

typedef struct covey_rng {
    unsigned char key[32];
    uint64_t stream, block; /* nonce and counter */
    uint64_t words[512];    /* 4 KiB at a time */
    size_t next;            /* first unused word; 512: refill */
} covey_rng;

/* A key for a whole run: from the kernel, or from run->seed.  COVEY_EIO if the kernel gives none. */
covey_status covey_i_rng_key(unsigned char key[32], const covey_run *run, covey_error *err);
void covey_i_rng_init(covey_rng *rng, const unsigned char key[32], uint64_t stream);
uint64_t covey_i_rng_word(covey_rng *rng);
/* The next n words. */
void covey_i_rng_words(covey_rng *rng, uint64_t *words, size_t n);
/* Uniform in 0 .. n-1, n > 0, without bias (Lemire 2019). */
uint64_t covey_i_rng_below(covey_rng *rng, uint64_t n);

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
