/* Proves the promises of a release folder once more, from its tables and the manifest's claims alone, by the
 * definitions: nothing of src/audit, src/method or src/model is used.  Meant for small releases; where a promise cannot
 * be judged that way the answer is PROOF_OPEN. */
#ifndef COVEY_TESTS_PROVER_H
#define COVEY_TESTS_PROVER_H

#include <stddef.h>

typedef enum proof { PROOF_HOLDS, PROOF_OPEN, PROOF_BROKEN } proof;

/* why[0 .. size_bytes-1] says what is broken, or why it stays open. */
proof prove_release(char *why, size_t size_bytes, const char *folder);

#endif
