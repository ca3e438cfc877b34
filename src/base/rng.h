/* Random numbers: ChaCha20 keyed once by the kernel (or by a seed, for tests), one stream per use.  A stream's output depends
 * on the key and its number alone, so that results do not depend on threads. */
#ifndef COVEY_RNG_H
#define COVEY_RNG_H

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
/* Uniform in 0 .. n-1, n > 0, without bias (Lemire 2019). */
uint64_t covey_i_rng_below(covey_rng *rng, uint64_t n);
void covey_i_rng_wipe(covey_rng *rng);

#endif
