/* SHA-256 by the processor's instructions where it has them, and fast hashes. */
#include "base/hash.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/sha256_blocks.h"

enum { PIECE = 1 << 18 };

/* Whole blocks by the processor's instructions, where it has them; what is left is libsodium's, which ends every hash.
 * has_blocks is asked once for all pieces: in a virtual machine the question takes as long as hashing 40 KB. */
static void add(crypto_hash_sha256_state *state, bool has_blocks, const unsigned char *bytes, size_t size)
{
    const size_t n_blocks = has_blocks && state->count % (64 * 8) == 0 ? size / 64 : 0; /* count: bits */

    if (n_blocks > 0) {
        covey_i_sha256_blocks(state->state, bytes, n_blocks);
        state->count += (uint64_t)n_blocks * 64 * 8;
    }
    crypto_hash_sha256_update(state, bytes + n_blocks * 64, size - n_blocks * 64);
}

covey_status covey_i_hash_sha256_file(unsigned char out[32], uint64_t *size_bytes, const char *path, covey_error *err)
{
    const bool has_blocks = covey_i_sha256_has_blocks();
    covey_status status = COVEY_OK;
    crypto_hash_sha256_state state;
    unsigned char *piece = NULL;
    uint64_t total = 0;
    ssize_t n = 0;
    struct stat facts;
    int fd;

    COVEY_TRY(covey_i_infile_open_regular(&fd, &facts, path, err));
    if (!(piece = covey_i_malloc(PIECE))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    crypto_hash_sha256_init(&state);
    while ((n = read(fd, piece, PIECE)) > 0) {
        add(&state, has_blocks, piece, (size_t)n);
        total += (uint64_t)n;
    }
    if (n < 0) {
        status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
        goto done;
    }
    crypto_hash_sha256_final(&state, out);
    *size_bytes = total;
done:
    covey_i_free(piece);
    close(fd);
    return status;
}

void covey_i_hash_sha256(unsigned char out[32], const void *bytes, size_t size)
{
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    add(&state, covey_i_sha256_has_blocks(), bytes, size);
    crypto_hash_sha256_final(&state, out);
}

void covey_i_hash_hex(char out[65], const unsigned char hash[32])
{
    static const char digit[] = "0123456789abcdef";

    for (int i = 0; i < 32; i++) {
        out[2 * i] = digit[hash[i] >> 4];
        out[2 * i + 1] = digit[hash[i] & 15];
    }
    out[64] = '\0';
}

uint64_t covey_i_hash_bytes(const char *bytes, size_t size)
{
    uint64_t h = size, word;

    for (; size >= 8; bytes += 8, size -= 8) {
        memcpy(&word, bytes, 8);
        h = covey_i_mix(h, word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    return covey_i_mix(h ^ 0x9E3779B97F4A7C15u, word);
}
