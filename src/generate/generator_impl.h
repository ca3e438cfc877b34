/* What a generator of synthetic tables is made of. */
#ifndef COVEY_GENERATE_GENERATOR_IMPL_H
#define COVEY_GENERATE_GENERATOR_IMPL_H

#include <covey/generate.h>

#include "base/file/outfile.h"
#include "base/run.h"

/* A hierarchy that belongs to the table: hierarchies/<column>.csv beside it. */
typedef struct covey_companion {
    const char *column;
    const char *lines; /* the file's content */
} covey_companion;

struct covey_generator {
    const char *name;    /* in the command line; never changes */
    const char *summary; /* one line */
    const char *source;  /* where the recipe stands, and the paper it serves */
    const char *header;  /* the first line of its tables, with its LF */
    const covey_companion *companions;
    size_t n_companions;

    const covey_param *params;
    size_t n_params, params_size;
    /* Do the parameters make sense together?  COVEY_EINVAL if not.  NULL: always. */
    covey_status (*check)(const void *params, covey_error *err);

    /* Writes header and rows.  Integers only: the bytes are the same on every machine.  Looks at
     * covey_i_generate_goes_on and at covey_i_outfile_is_broken now and then, and leaves at once if something is wrong:
     * whoever closes the file says what. */
    covey_status (*write)(covey_outfile *out, const void *params, int64_t n_rows, uint64_t seed, const covey_run *run,
                          covey_error *err);
};

/* Tells the progress; false if the caller asked to stop. */
static inline bool covey_i_generate_goes_on(const covey_run *run, int64_t done, int64_t to_do)
{
    return covey_i_run_goes_on(run, "generate", done, to_do, NULL) == COVEY_OK;
}

/* SplitMix64 (Steele, Lea, Flood 2014): a counter put through a mixer, so that any word of the sequence can be reached
 * at once. */
typedef struct covey_splitmix {
    uint64_t state;
} covey_splitmix;

static inline uint64_t covey_i_splitmix_word(covey_splitmix *rng)
{
    uint64_t z = rng->state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 0 .. n-1; the bias of at most n / 2^64 is part of the recipes. */
static inline uint64_t covey_i_splitmix_below(covey_splitmix *rng, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)covey_i_splitmix_word(rng) * n) >> 64);
}

#endif
