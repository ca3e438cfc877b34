/* Keys that are numbers, perhaps with the same text or digits in front of each ("p123", "2024000123"): told apart by
 * their values, without a dictionary.  For columns of which only matters which rows have the same key. */
#ifndef COVEY_IO_KEY_NUMBERS_H
#define COVEY_IO_KEY_NUMBERS_H

#include "base/codes.h"
#include "io/dictionary.h"

/* What the keys that somebody has read are like. */
typedef struct covey_key_numbers {
    bool has_keys;
    bool wrong;           /* some key is not of this kind */
    uint32_t prefix_size; /* of each, 8 bytes at most */
    uint64_t prefix;
    uint32_t least_size, most_size; /* of keys; different ones are not told apart if some begin with a zero */
    bool has_zeros;
    uint32_t most; /* the largest number, of 9 digits at most */
} covey_key_numbers;

enum { COVEY_KEY_MOST_PREFIX = 8, COVEY_KEY_DIGITS_AT_ONCE = 8, COVEY_KEY_MOST_DIGITS = 9 };

static inline bool covey_i_key_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Learns from the first key what stands in front of each. */
void covey_i_key_numbers_begin(covey_key_numbers *keys, const char *bytes, uint32_t size);

/* The same of a key when the first one was seen, for loops that keep `keys` at hand.  Eight digits at once as in
 * [LangdaleLemire19]. */
static inline uint32_t covey_i_key_number_next(covey_key_numbers *keys, const char *bytes, uint32_t size)
{
    const uint64_t zeros = 0x3030303030303030u;
    uint32_t n_digits = size - keys->prefix_size; /* wraps around to a large number where the key is too short */
    uint32_t number, first = 0;
    const char *digits = bytes + keys->prefix_size;
    uint64_t word;

    if (n_digits - 1 >= COVEY_KEY_MOST_DIGITS ||
        covey_i_first_bytes(covey_i_load_word(bytes), keys->prefix_size) != keys->prefix) {
        keys->wrong = true;
        return 0;
    }
    keys->has_zeros |= n_digits > 1 && *digits == '0';
    if (n_digits > COVEY_KEY_DIGITS_AT_ONCE) {
        keys->wrong |= !covey_i_key_is_digit(*digits);
        first = (uint32_t)(*digits++ - '0');
        n_digits = COVEY_KEY_DIGITS_AT_ONCE;
    }
    word =
        covey_i_load_word(digits) << 8 * (COVEY_KEY_DIGITS_AT_ONCE - n_digits) | zeros >> 4 * n_digits >> 4 * n_digits;
    keys->wrong |= (((word + 0x4646464646464646u) | (word - zeros)) & 0x8080808080808080u) != 0;
    keys->least_size = size < keys->least_size ? size : keys->least_size;
    keys->most_size = size > keys->most_size ? size : keys->most_size;
    word -= zeros;
    word = word * 10 + (word >> 8);
    number = (uint32_t)(((word & 0x000000ff000000ffu) * 0x000f424000000064u +
                         (word >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >>
                        32) +
             first * 100000000u;
    keys->most = number > keys->most ? number : keys->most;
    return number;
}

/* The number of a key; 0 and `wrong` if it is not of this kind.  Up to 7 bytes behind the key are read. */
uint32_t covey_i_key_number(covey_key_numbers *keys, const char *bytes, uint32_t size);
/* Takes over what others have read; `wrong` if keys of both with the same number may be different. */
void covey_i_key_numbers_join(covey_key_numbers *keys, const covey_key_numbers *other);

#endif
