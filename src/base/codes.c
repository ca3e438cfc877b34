/* What is done to whole arrays of codes. */
#include "base/codes.h"

void covey_i_codes_unpack(uint32_t *restrict out, const void *codes, int width, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = covey_i_codes_get(codes, width, i);
}

void covey_i_codes_pack(void *codes, int width, const uint32_t *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        covey_i_codes_put(codes, width, i, from[i]);
}

void covey_i_codes_at(uint32_t *restrict out, const void *codes, int width, const uint32_t *restrict rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = covey_i_codes_get(codes, width, rows[i]);
}

void covey_i_codes_map(void *to, int to_width, const void *from, int from_width, size_t n, const uint32_t *map)
{
    COVEY_CODES_TYPED(to_width, {
        covey_code *restrict codes = to;

        for (size_t i = 0; i < n; i++)
            codes[i] = (covey_code)map[covey_i_codes_get(from, from_width, i)];
    });
}

void covey_i_codes_range(uint32_t *low, uint32_t *high, const void *codes, int width, size_t n)
{
    COVEY_CODES_TYPED(width, {
        const covey_code *code = codes;
        covey_code lo = code[0], hi = code[0];

        for (size_t i = 1; i < n; i++) {
            lo = code[i] < lo ? code[i] : lo;
            hi = code[i] > hi ? code[i] : hi;
        }
        *low = lo;
        *high = hi;
    });
}

void covey_i_codes_count(uint32_t *count, const void *codes, int width, size_t n)
{
    enum { PARTS = 4, BYTES = 256 }; /* equal neighbours would wait for each other's sum */
    uint32_t part[PARTS][BYTES] = {{0}};
    const uint8_t *code = codes;
    size_t i = 0;

    for (; width == 1 && i + PARTS <= n; i += PARTS)
        for (size_t k = 0; k < PARTS; k++)
            part[k][code[i + k]]++;
    for (size_t k = 0; k < PARTS; k++)
        for (size_t v = 0; v < BYTES; v++)
            if (part[k][v] > 0)
                count[v] += part[k][v];
    for (; i < n; i++)
        count[covey_i_codes_get(codes, width, i)]++;
}
