/* Work that is done again and again while its first, its second, ... allocation fails, and ever fewer later ones, until
 * none is left to fail; with COVEY_LAW_SHARE=100 each of them:
 *
 *     failing f = {.least = 100};
 *
 *     while (failing_next(&f))
 *         failing_ends(&f, work(..., &f.err));
 *
 * With one thread the n-th allocation is the same each time.  That nothing leaks, the sanitizers watch. */
#ifndef COVEY_TESTS_FAILING_H
#define COVEY_TESTS_FAILING_H

#include <covey/base.h>

typedef struct failing {
    int64_t least;      /* so many can fail at least, or the hook does not work */
    int64_t all_of;     /* each of the first so many, then ever fewer: the next after n is n + n/thin; 0: 250 */
    int64_t thin;       /* 0: 50 */
    const char *what;   /* for messages; NULL: nothing */
    const char *folder; /* in which a failure leaves nothing behind; NULL: none */
    int64_t n;
    int n_entries;
    bool is_done;
    covey_error err;
} failing;

bool failing_next(failing *f);
/* The status of the work; the test fails unless it is COVEY_OK or, told as well, COVEY_ENOMEM. */
void failing_ends(failing *f, covey_status status);

/* For json_set_alloc_funcs: jansson asks us for memory too, so its failures are tested as well. */
void *failing_json(size_t size);

#endif
