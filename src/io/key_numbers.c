/* Numbers of keys. */
#include "io/key_numbers.h"

/* What stands in front of the first key's number is what has to stand in front of each; so do the first digits of
 * numbers that are too long. */
void covey_i_key_numbers_begin(covey_key_numbers *keys, const char *bytes, uint32_t size)
{
    uint32_t n = size;

    while (n > 0 && covey_i_key_is_digit(bytes[n - 1]))
        n--;
    if (size - n > COVEY_KEY_MOST_DIGITS)
        n = size - COVEY_KEY_MOST_DIGITS;
    keys->has_keys = true;
    keys->prefix_size = n <= COVEY_KEY_MOST_PREFIX ? n : 0;
    keys->prefix = covey_i_first_bytes(covey_i_load_word(bytes), keys->prefix_size);
    keys->least_size = keys->most_size = size;
    for (uint32_t i = 0; i < keys->prefix_size; i++)
        keys->wrong |= (signed char)bytes[i] <= 0; /* whether it is UTF-8 is not asked here */
}

uint32_t covey_i_key_number(covey_key_numbers *keys, const char *bytes, uint32_t size)
{
    if (!keys->has_keys)
        covey_i_key_numbers_begin(keys, bytes, size);
    return covey_i_key_number_next(keys, bytes, size);
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
