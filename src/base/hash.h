/* SHA-256 of files, and fast hashes for tables. */
#ifndef COVEY_BASE_HASH_H
#define COVEY_BASE_HASH_H

#include <covey/base.h>

#include <sodium/crypto_hash_sha256.h>

/* SHA-256 of bytes that come one after another, in pieces of any size. */
typedef struct covey_sha256 {
    crypto_hash_sha256_state state;
    bool has_blocks; /* covey_i_sha256_has_blocks */
    uint64_t size;   /* bytes so far */
} covey_sha256;

void covey_i_sha256_begin(covey_sha256 *sum);
void covey_i_sha256_add(covey_sha256 *sum, const void *bytes, size_t size);
void covey_i_sha256_end(unsigned char out[32], covey_sha256 *sum);

/* SHA-256 of a file's bytes; COVEY_ENOTFOUND or COVEY_EIO. */
covey_status covey_i_hash_sha256_file(unsigned char out[32], uint64_t *size_bytes, const char *path, covey_error *err);
void covey_i_hash_sha256(unsigned char out[32], const void *bytes, size_t size);
void covey_i_hash_hex(char out[65], const unsigned char hash[32]);

/* A good 64-bit mix of short byte strings (wyhash's multiply-fold); not cryptographic. */
static inline uint64_t covey_i_mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)(a ^ 0xa0761d6478bd642fu) * (b ^ 0xe7037ed1a0b428dbu);

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}
uint64_t covey_i_hash_bytes(const char *bytes, size_t size);

#endif
