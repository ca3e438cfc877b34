/* SHA-256's compression by the processor's instructions.  Source: FIPS 180-4, 6.2.2; Intel, SHA Extensions (2013), for
 * how its instructions split the state. */
#include "base/sha256_blocks.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

static const uint32_t K[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

bool covey_i_sha256_has_blocks(void)
{
    unsigned a, b, c, d;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3))
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29); /* SHA */
}

__attribute__((target("sha,sse4.1,ssse3"))) void covey_i_sha256_blocks(uint32_t state[8], const unsigned char *bytes,
                                                                       size_t n)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i dcba = _mm_loadu_si128((const __m128i *)state), hgfe = _mm_loadu_si128((const __m128i *)(state + 4)), abef,
            cdgh;

    dcba = _mm_shuffle_epi32(dcba, 0xb1);
    hgfe = _mm_shuffle_epi32(hgfe, 0x1b);
    abef = _mm_alignr_epi8(dcba, hgfe, 8);
    cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);
    for (; n > 0; n--, bytes += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4]; /* the last 16 words of the message schedule */

        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), big_endian);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            __m128i k;

            if (i >= 4) {
                const __m128i last = w[(i + 3) % 4], sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                                                                         _mm_alignr_epi8(last, w[(i + 2) % 4], 4));

                w[i % 4] = _mm_sha256msg2_epu32(sum, last);
            }
            k = _mm_add_epi32(w[i % 4], _mm_load_si128((const __m128i *)(K + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    dcba = _mm_shuffle_epi32(abef, 0x1b);
    hgfe = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(dcba, hgfe, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(hgfe, dcba, 8));
}

#else

bool covey_i_sha256_has_blocks(void)
{
    return false;
}

void covey_i_sha256_blocks(uint32_t state[8], const unsigned char *bytes, size_t n)
{
    (void)state;
    (void)bytes;
    (void)n;
}

#endif
