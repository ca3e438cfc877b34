/* Numbers of keys.  Eight digits at once as in [LangdaleLemire19]. */
#include "io/key_numbers.h"

enum { MOST_PREFIX = 8, AT_ONCE = 8, MOST_DIGITS = 9 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What stands in front of the first key's number is what has to stand in front of each; so do the first digits of
 * numbers that are too long. */
static void learn_prefix(covey_key_numbers *keys, const char *bytes, uint32_t size)
{
    uint32_t n = size;

    while (n > 0 && is_digit(bytes[n - 1]))
        n--;
    if (size - n > MOST_DIGITS)
        n = size - MOST_DIGITS;
    keys->has_keys = true;
    keys->prefix_size = n <= MOST_PREFIX ? n : 0;
    keys->prefix = covey_i_first_bytes(covey_i_load_word(bytes), keys->prefix_size);
    keys->least_size = keys->most_size = size;
    for (uint32_t i = 0; i < keys->prefix_size; i++)
        keys->wrong |= (signed char)bytes[i] <= 0; /* whether it is UTF-8 is not asked here */
}

uint32_t covey_i_key_number(covey_key_numbers *keys, const char *bytes, uint32_t size)
{
    const uint64_t zeros = 0x3030303030303030u;
    uint32_t n_digits, number, first = 0;
    const char *digits;
    uint64_t word;

    if (!keys->has_keys)
        learn_prefix(keys, bytes, size);
    n_digits = size - keys->prefix_size; /* wraps around to a large number where the key is too short */
    if (n_digits - 1 >= MOST_DIGITS ||
        covey_i_first_bytes(covey_i_load_word(bytes), keys->prefix_size) != keys->prefix) {
        keys->wrong = true;
        return 0;
    }
    digits = bytes + keys->prefix_size;
    keys->has_zeros |= n_digits > 1 && *digits == '0';
    if (n_digits > AT_ONCE) {
        keys->wrong |= !is_digit(*digits);
        first = (uint32_t)(*digits++ - '0');
        n_digits = AT_ONCE;
    }
    word = covey_i_load_word(digits) << 8 * (AT_ONCE - n_digits) | zeros >> 4 * n_digits >> 4 * n_digits;
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

void covey_i_key_numbers_join(covey_key_numbers *keys, const covey_key_numbers *other)
{
    if (!keys->has_keys)
        *keys = *other;
    if (!other->has_keys)
        return;
    keys->has_zeros |= other->has_zeros;
    keys->least_size = other->least_size < keys->least_size ? other->least_size : keys->least_size;
    keys->most_size = other->most_size > keys->most_size ? other->most_size : keys->most_size;
    keys->most = other->most > keys->most ? other->most : keys->most;
    keys->wrong |= other->wrong || keys->prefix_size != other->prefix_size || keys->prefix != other->prefix ||
                   (keys->has_zeros && keys->least_size != keys->most_size);
}
