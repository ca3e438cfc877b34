/* SHA-256's compression by the processor's own instructions, where it has them: hashing is most of what a small release
 * costs, and libsodium computes it in plain C. */
#ifndef COVEY_BASE_SHA256_BLOCKS_H
#define COVEY_BASE_SHA256_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does this processor have them? */
bool covey_i_sha256_has_blocks(void);

/* Takes n whole blocks of 64 bytes into the eight words of the state; only where covey_i_sha256_has_blocks. */
void covey_i_sha256_blocks(uint32_t state[8], const unsigned char *bytes, size_t n);

#endif
