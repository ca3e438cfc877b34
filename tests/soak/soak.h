/* Random cases of the soak test: what a seed makes, and what must hold for it.  See soak.c. */
#ifndef COVEY_TESTS_SOAK_H
#define COVEY_TESTS_SOAK_H

#include "test.h"

#include <covey/covey.h>

#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "support/job/random_job.h"
#include "support/release/release_folder.h"

typedef struct soak_case {
    uint64_t seed, state; /* of the case; of its random numbers */
    random_job job;       /* its files are csv_path("in/policy.yaml") and csv_path("in/quokka.csv") */
    release_folder r;     /* csv_path("release"), if there is one */
    char what[400];       /* how the release was made */
} soak_case;

static inline uint32_t soak_below(soak_case *c, uint32_t n)
{
    return n > 0 ? maker_below(&c->state, n) : 0;
}

/* Makes a table, a policy and, with a random promise and parameters, a release by one of the methods, which take turns;
 * false if none of a few tables allowed it. */
bool soak_release(soak_case *c);

/* Fails the test with the case's description. */
#define soak_fail(c, ...)                                                                                              \
    do {                                                                                                               \
        print_error("%s\n", (c)->what);                                                                                \
        fail_msg(__VA_ARGS__);                                                                                         \
    } while (0)

/* How often something happened, for the last line. */
void soak_count(const char *what);

/* The kinds of case. */
void soak_releases(soak_case *c);
void soak_forgeries(soak_case *c);
void soak_mutations(soak_case *c);

#endif
