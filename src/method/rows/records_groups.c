/* Moving records eight at a time.  With AVX2 both halves of a group are put together by one shuffle each and stored
 * whole; what is stored too much is overwritten by the next group.  Where that could be somebody else's, the halves of
 * a block are put together apart.  It saves elastic 4 % under bounds on values, and mondrian nothing
 * (docs/design/speed.md). */
#include "method/rows/records_groups.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

enum { GROUP = 8 };

/* The numbers of the bits that are set in m, ascending, a byte each. */
#define IS_SET(m, b) ((uint64_t)(m) >> (b)&1)
#define N_BELOW(m, b) __builtin_popcount((m) & ((1 << (b)) - 1))
#define NUMBER(m, b) (IS_SET(m, b) * (b) << 8 * (N_BELOW(m, b)))
#define NUMBERS(m)                                                                                                     \
    (NUMBER(m, 0) | NUMBER(m, 1) | NUMBER(m, 2) | NUMBER(m, 3) | NUMBER(m, 4) | NUMBER(m, 5) | NUMBER(m, 6) |          \
     NUMBER(m, 7))
#define NUMBERS_4(m) NUMBERS(m), NUMBERS((m) + 1), NUMBERS((m) + 2), NUMBERS((m) + 3)
#define NUMBERS_16(m) NUMBERS_4(m), NUMBERS_4((m) + 4), NUMBERS_4((m) + 8), NUMBERS_4((m) + 12)
#define NUMBERS_64(m) NUMBERS_16(m), NUMBERS_16((m) + 16), NUMBERS_16((m) + 32), NUMBERS_16((m) + 48)

static const uint64_t numbers[256] = {NUMBERS_64(0), NUMBERS_64(64), NUMBERS_64(128), NUMBERS_64(192)};

#define AVX2 __attribute__((target("avx2,popcnt")))

AVX2 static inline __m128i numbers_of(uint8_t mask)
{
    return _mm_loadl_epi64((const __m128i *)&numbers[mask]);
}

AVX2 static inline void group_u8(uint8_t *left, uint8_t *right, const uint8_t *from, uint8_t mask)
{
    const __m128i codes = _mm_loadl_epi64((const __m128i *)from);

    _mm_storel_epi64((__m128i *)left, _mm_shuffle_epi8(codes, numbers_of(mask)));
    _mm_storel_epi64((__m128i *)right, _mm_shuffle_epi8(codes, numbers_of((uint8_t)~mask)));
}

/* From numbers of codes to those of their two bytes. */
AVX2 static inline __m128i bytes_of(__m128i codes)
{
    const __m128i first = _mm_add_epi8(codes, codes);

    return _mm_add_epi8(_mm_unpacklo_epi8(first, first), _mm_set1_epi16(0x0100));
}

AVX2 static inline void group_u16(uint16_t *left, uint16_t *right, const uint16_t *from, uint8_t mask)
{
    const __m128i codes = _mm_loadu_si128((const __m128i *)from);

    _mm_storeu_si128((__m128i *)left, _mm_shuffle_epi8(codes, bytes_of(numbers_of(mask))));
    _mm_storeu_si128((__m128i *)right, _mm_shuffle_epi8(codes, bytes_of(numbers_of((uint8_t)~mask))));
}

AVX2 static inline void group_u32(uint32_t *left, uint32_t *right, const uint32_t *from, uint8_t mask)
{
    const __m256i codes = _mm256_loadu_si256((const __m256i *)from);

    _mm256_storeu_si256((__m256i *)left, _mm256_permutevar8x32_epi32(codes, _mm256_cvtepu8_epi32(numbers_of(mask))));
    _mm256_storeu_si256((__m256i *)right,
                        _mm256_permutevar8x32_epi32(codes, _mm256_cvtepu8_epi32(numbers_of((uint8_t)~mask))));
}

/* Where the records of a block go. */
struct places {
    uint32_t n;
    const uint8_t *goes_left;                          /* [n] */
    uint8_t mask[COVEY_RECORD_BLOCK / GROUP];          /* a group's records that go left */
    uint16_t n_before[COVEY_RECORD_BLOCK / GROUP + 1]; /* records that go left before a group, or behind the last one */
    bool fits;                                         /* both halves end so late that a group may be stored whole */
};

/* Returns how many records go left. */
AVX2 static uint32_t find_places(struct places *p)
{
    uint32_t n_left = 0, i = 0;

    for (uint32_t g = 0; g < p->n / GROUP; g++, i += GROUP) {
        const int mask = _mm_movemask_epi8(_mm_loadl_epi64((const __m128i *)(p->goes_left + i))) & 255;

        p->mask[g] = (uint8_t)mask;
        p->n_before[g] = (uint16_t)n_left;
        n_left += (uint32_t)_mm_popcnt_u32((unsigned)mask);
    }
    p->n_before[p->n / GROUP] = (uint16_t)n_left;
    for (; i < p->n; i++)
        n_left += p->goes_left[i] & 1;
    return n_left;
}

#define move_group(left, ...)                                                                                          \
    _Generic(*(left), uint8_t : group_u8, uint16_t : group_u16, uint32_t : group_u32)(left, __VA_ARGS__)

AVX2 static void move(const covey_record_halves *to, const covey_record_column *column, int side, uint32_t start,
                      const struct places *p)
{
    COVEY_CODES_TYPED(column->width, {
        const covey_code *from = (const covey_code *)column->side[side] + start;
        covey_code *halves = column->side[!side], room[2][COVEY_RECORD_BLOCK + GROUP];
        covey_code *left = p->fits ? halves + to->left : room[0], *right = p->fits ? halves + to->right : room[1];
        uint32_t l = 0, r = 0, i = 0;

        for (uint32_t g = 0; g < p->n / GROUP; g++, i += GROUP) {
            l = p->n_before[g];
            r = i - l;
            move_group(left + l, right + r, from + i, p->mask[g]);
        }
        l = p->n_before[p->n / GROUP];
        r = i - l;
        for (; i < p->n; i++)
            if (p->goes_left[i])
                left[l++] = from[i];
            else
                right[r++] = from[i];
        if (!p->fits) {
            memcpy(halves + to->left, left, l * sizeof *left);
            memcpy(halves + to->right, right, r * sizeof *right);
        }
    });
}

bool covey_i_records_has_groups(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

void covey_i_records_split_groups(covey_record_halves *to, const covey_records *records, int side, uint32_t start,
                                  uint32_t n, const uint8_t *goes_left)
{
    struct places p = {.n = n, .goes_left = goes_left};
    const uint32_t n_left = find_places(&p);

    p.fits = to->left_end - to->left >= n_left + GROUP && to->right_end - to->right >= n - n_left + GROUP;
    for (size_t c = 0; c < covey_i_records_n_arrays(records); c++)
        move(to, &records->column[c], side, start, &p);
    to->left += n_left;
    to->right += n - n_left;
}

#else

bool covey_i_records_has_groups(void)
{
    return false;
}

void covey_i_records_split_groups(covey_record_halves *to, const covey_records *records, int side, uint32_t start,
                                  uint32_t n, const uint8_t *goes_left)
{
    covey_i_records_split_block(to, records, side, start, n, goes_left);
}

#endif
