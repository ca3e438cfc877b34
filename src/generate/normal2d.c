/* SimpleNormal: points of the plane, both coordinates normal around 50, rounded, within 0 .. 100.
 *
 * They are those that CPython's random.Random(seed) gives: the Mersenne Twister, gauss() by Box and Muller with the
 * second value kept for the next call, and round(), which goes to the even number.  Logarithm, sine and cosine are the
 * C library's: a difference in their last bit would have to meet a coordinate within 10^-13 of a half to show. Source:
 * [LeFevre06] section 5.1, as far as the paper says; the Mersenne Twister is [MatsumotoNishimura98]. */
#include "generate/generator_impl.h"

#include <math.h>

static const char HEADER[] = "x,y\n";

enum { N_STATE = 624, SHIFT = 397 };
/* "100,100\n" */
enum { ROW_BYTES = 8, BLOCK_ROWS = COVEY_OUTFILE_ROOM / ROW_BYTES };

typedef struct twister {
    uint32_t state[N_STATE];
    int next; /* N_STATE: make new ones */
    bool has_kept;
    double kept;
} twister;

/* init_genrand, then init_by_array with the seed's 32-bit words. */
static void start(twister *t, uint64_t seed)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t n_key = key[1] ? 2 : 1;
    uint32_t i = 1, j = 0, *s = t->state;

    s[0] = 19650218;
    for (uint32_t k = 1; k < N_STATE; k++)
        s[k] = 1812433253u * (s[k - 1] ^ s[k - 1] >> 30) + k;
    for (int k = 0; k < N_STATE; k++) {
        s[i] = (s[i] ^ (s[i - 1] ^ s[i - 1] >> 30) * 1664525u) + key[j] + j;
        j = (j + 1) % n_key;
        if (++i == N_STATE) {
            s[0] = s[N_STATE - 1];
            i = 1;
        }
    }
    for (int k = 0; k < N_STATE - 1; k++) {
        s[i] = (s[i] ^ (s[i - 1] ^ s[i - 1] >> 30) * 1566083941u) - i;
        if (++i == N_STATE) {
            s[0] = s[N_STATE - 1];
            i = 1;
        }
    }
    s[0] = 0x80000000u;
    t->next = N_STATE;
    t->has_kept = false;
}

static uint32_t word(twister *t)
{
    uint32_t *s = t->state, y;

    if (t->next == N_STATE) {
        for (int k = 0; k < N_STATE; k++) {
            y = (s[k] & 0x80000000u) | (s[(k + 1) % N_STATE] & 0x7fffffffu);
            s[k] = s[(k + SHIFT) % N_STATE] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        t->next = 0;
    }
    y = s[t->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* 53 bits, 0 <= x < 1. */
static double uniform(twister *t)
{
    const uint32_t a = word(t) >> 5, b = word(t) >> 6;

    return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
}

static double gauss(twister *t, double mean, double deviation)
{
    double z = t->kept;

    if (!t->has_kept) {
        const double angle = uniform(t) * (2.0 * M_PI), radius = sqrt(-2.0 * log(1.0 - uniform(t)));

        z = cos(angle) * radius;
        t->kept = sin(angle) * radius;
    }
    t->has_kept = !t->has_kept;
    return mean + z * deviation;
}

static int draw_coordinate(twister *t)
{
    return (int)nearbyint(gauss(t, 50, 50.0 / 3));
}

static char *add_number(char *to, int number)
{
    if (number >= 100)
        *to++ = '1';
    if (number >= 10)
        *to++ = (char)('0' + number / 10 % 10);
    *to++ = (char)('0' + number % 10);
    return to;
}

static covey_status write(covey_outfile *out, const void *params, int64_t n_rows, uint64_t seed, const covey_run *run,
                          covey_error *err)
{
    twister t;

    start(&t, seed);
    covey_i_outfile_string(out, HEADER);
    for (int64_t done = 0; done < n_rows && !covey_i_outfile_is_broken(out); done += BLOCK_ROWS) {
        const int64_t n = n_rows - done < BLOCK_ROWS ? n_rows - done : BLOCK_ROWS;
        char *room = covey_i_outfile_room(out, (size_t)n * ROW_BYTES), *to = room;

        if (!covey_i_generate_goes_on(run, done, n_rows))
            return covey_fail(err, COVEY_ECANCELLED, "stopped on request");
        for (int64_t i = 0; i < n; i++) {
            int x, y;

            do {
                x = draw_coordinate(&t);
                y = draw_coordinate(&t);
            } while (x < 0 || x > 100 || y < 0 || y > 100);
            to = add_number(to, x);
            *to++ = ',';
            to = add_number(to, y);
            *to++ = '\n';
        }
        covey_i_outfile_used(out, (size_t)(to - room));
    }
    return COVEY_OK;
}

const covey_generator covey_generator_normal2d = {
    .name = "normal2d",
    .summary = "points whose coordinates x and y are normal around 50 with deviation 50/3, whole numbers from 0 to 100",
    .header = HEADER,
    .source = "LeFevre06, section 5.1",
    .write = write,
};
