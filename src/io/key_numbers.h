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

/* The number of a key; 0 and `wrong` if it is not of this kind.  Up to 7 bytes behind the key are read. */
uint32_t covey_i_key_number(covey_key_numbers *keys, const char *bytes, uint32_t size);
/* Takes over what others have read; `wrong` if keys of both with the same number may be different. */
void covey_i_key_numbers_join(covey_key_numbers *keys, const covey_key_numbers *other);

#endif
