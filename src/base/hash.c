/* SHA-256 by the processor's instructions where it has them, and fast hashes. */
#include "base/hash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/sha256_blocks.h"

enum { PIECE = 1 << 18 };

/* In a virtual machine asking the processor takes as long as hashing 40 KB. */
void covey_i_sha256_begin(covey_sha256 *sum)
{
    crypto_hash_sha256_init(&sum->state);
    sum->has_blocks = covey_i_sha256_has_blocks();
    sum->size = 0;
}

/* Whole blocks by the processor's instructions, where it has them; what is left of a block is libsodium's, which ends
 * every hash. */
void covey_i_sha256_add(covey_sha256 *sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    const size_t begun = sum->size % 64, wanted = begun > 0 ? 64 - begun : 0, head = size < wanted ? size : wanted;
    const size_t n_blocks = sum->has_blocks ? (size - head) / 64 : 0;

    sum->size += size;
    crypto_hash_sha256_update(&sum->state, at, head);
    at += head;
    if (n_blocks > 0) {
        covey_i_sha256_blocks(sum->state.state, at, n_blocks);
        sum->state.count += (uint64_t)n_blocks * 64 * 8; /* bits */
        at += n_blocks * 64;
    }
    crypto_hash_sha256_update(&sum->state, at, size - head - n_blocks * 64);
}

void covey_i_sha256_end(unsigned char out[32], covey_sha256 *sum)
{
    crypto_hash_sha256_final(&sum->state, out);
}

covey_status covey_i_hash_sha256_file(unsigned char out[32], uint64_t *size_bytes, const char *path, covey_error *err)
{
    covey_status status = COVEY_OK;
    covey_sha256 sum;
    unsigned char *piece = NULL;
    ssize_t n = 0;
    struct stat facts;
    int fd;

    COVEY_TRY(covey_i_infile_open_regular(&fd, &facts, path, err));
    if (!(piece = covey_i_malloc(PIECE))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    covey_i_sha256_begin(&sum);
    while ((n = read(fd, piece, PIECE)) > 0)
        covey_i_sha256_add(&sum, piece, (size_t)n);
    if (n < 0) {
        status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
        goto done;
    }
    *size_bytes = sum.size;
    covey_i_sha256_end(out, &sum);
done:
    covey_i_free(piece);
    close(fd);
    return status;
}

void covey_i_hash_sha256(unsigned char out[32], const void *bytes, size_t size)
{
    covey_sha256 sum;

    covey_i_sha256_begin(&sum);
    covey_i_sha256_add(&sum, bytes, size);
    covey_i_sha256_end(out, &sum);
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
