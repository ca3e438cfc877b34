/* Places on the Hilbert curve.  [Skilling04], AxestoTranspose, for many points at a time: the choices it makes per
 * point and axis become masks, so that each step is one loop over points that the compiler vectorizes. */
#include "base/sort/hilbert.h"

#include <string.h>

enum { BLOCK = 512 }; /* points: all axes' coordinates stay in the first-level cache */

/* Undoes the rotation that the curve has at the cell of this bit: inverts or exchanges the bits below it. */
static void undo_rotation(uint16_t *restrict first, uint16_t *restrict x, uint16_t bit, size_t n)
{
    const uint16_t below = (uint16_t)(bit - 1);

    for (size_t i = 0; i < n; i++) {
        const uint16_t is_set = (uint16_t) - ((x[i] & bit) != 0);
        const uint16_t exchanged = (uint16_t)((first[i] ^ x[i]) & below & (uint16_t)~is_set);

        first[i] = (uint16_t)(first[i] ^ exchanged ^ (below & is_set));
        x[i] = (uint16_t)(x[i] ^ exchanged);
    }
}

/* The same for the first axis itself, where nothing is exchanged. */
static void undo_inversion(uint16_t *x, uint16_t bit, size_t n)
{
    const uint16_t below = (uint16_t)(bit - 1);

    for (size_t i = 0; i < n; i++)
        x[i] = (uint16_t)(x[i] ^ (below & (uint16_t) - ((x[i] & bit) != 0)));
}

static void xor_into(uint16_t *restrict x, const uint16_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] ^= y[i];
}

/* From coordinates to the key's bits, still apart: bit b of axis a is bit b * n_axes + (n_axes - 1 - a) of the key. */
static void transpose(uint16_t *const *x, size_t n_axes, int n_bits, size_t start, size_t n)
{
    const uint16_t highest = (uint16_t)(1u << (n_bits - 1));
    uint16_t flips[BLOCK] = {0};

    for (uint16_t bit = highest; bit > 1; bit >>= 1) {
        undo_inversion(x[0] + start, bit, n);
        for (size_t a = 1; a < n_axes; a++)
            undo_rotation(x[0] + start, x[a] + start, bit, n);
    }
    for (size_t a = 1; a < n_axes; a++) /* Gray code */
        xor_into(x[a] + start, x[a - 1] + start, n);
    for (uint16_t bit = highest; bit > 1; bit >>= 1)
        for (size_t i = 0; i < n; i++)
            flips[i] ^= (uint16_t)((bit - 1) & -((x[n_axes - 1][start + i] & bit) != 0));
    for (size_t a = 0; a < n_axes; a++)
        xor_into(x[a] + start, flips, n);
}

/* Puts the bits together, highest first; 64 of them at a time. */
static void interleave(covey_u128 *key, uint16_t *const *x, size_t n_axes, int n_bits, size_t start, size_t n)
{
    uint64_t word[BLOCK] = {0};
    int n_in_word = 0;

    memset(key + start, 0, n * sizeof *key);
    for (int bit = n_bits - 1; bit >= 0; bit--)
        for (size_t a = 0; a < n_axes; a++) {
            const uint16_t *coordinate = x[a] + start;

            for (size_t i = 0; i < n; i++)
                word[i] = word[i] << 1 | (coordinate[i] >> bit & 1u);
            if (++n_in_word < 64 && (bit > 0 || a + 1 < n_axes))
                continue;
            for (size_t i = 0; i < n; i++) {
                key[start + i] = key[start + i] << n_in_word | word[i];
                word[i] = 0;
            }
            n_in_word = 0;
        }
}

void covey_i_hilbert_keys(covey_u128 *key, uint16_t *const *coordinate, size_t n_axes, int n_bits, size_t n)
{
    for (size_t start = 0; start < n; start += BLOCK) {
        const size_t n_points = n - start < BLOCK ? n - start : BLOCK;

        transpose(coordinate, n_axes, n_bits, start, n_points);
        interleave(key, coordinate, n_axes, n_bits, start, n_points);
    }
}
