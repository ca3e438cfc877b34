/* Dictionaries of cells: open addressing from a cell's bytes to codes in order of first appearance.
 *
 * A cell of up to 8 bytes is its own key, packed into a word (padded with zeros, its size beside it); a longer one is
 * looked up by its hash and compared with the kept text.  So the usual cell costs one multiplication and one cache
 * line, and no call. */
#ifndef COVEY_IO_DICTIONARY_H
#define COVEY_IO_DICTIONARY_H

#include <string.h>

#include <covey/base.h>

#include "base/hash.h"

enum {
    COVEY_DICTIONARY_PACKED = 8,     /* bytes of a cell that is its own key */
    COVEY_DICTIONARY_LARGE_LOG2 = 14 /* slots of 16 bytes: more than a processor's nearest cache holds */
};

typedef struct covey_dictionary_slot {
    uint64_t key;    /* the packed cell, or the hash of a longer one */
    uint32_t size;   /* of the cell */
    uint32_t code_1; /* code + 1; 0: the slot is free */
} covey_dictionary_slot;

typedef struct covey_dictionary {
    covey_dictionary_slot *slot; /* [1 << (64 - shift)] never full */
    int shift;
    bool broken;     /* memory ran out; codes mean nothing any more */
    uint32_t n;      /* values */
    uint64_t *start; /* [n + 1] offsets into text */
    size_t start_capacity;
    char *text; /* all values one after another, with 8 readable bytes behind the last */
    size_t text_capacity;
} covey_dictionary;

bool covey_i_dictionary_init(covey_dictionary *d);       /* false without memory */
void covey_i_dictionary_free(covey_dictionary *d);       /* may be all zeros */
void covey_i_dictionary_free_slots(covey_dictionary *d); /* no look-up any more, texts stay */

/* Adds a value that is not there; its code, or 0 and `broken` without memory. */
uint32_t covey_i_dictionary_add(covey_dictionary *d, uint64_t key, const char *bytes, uint32_t size);

/* Eight bytes as a little-endian number, whatever the machine. */
static inline uint64_t covey_i_load_word(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The low `size` bytes of a word, size <= 8. */
static inline uint64_t covey_i_first_bytes(uint64_t word, uint32_t size)
{
    static const uint64_t mask[COVEY_DICTIONARY_PACKED + 1] = {
        0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff};

    return word & mask[size];
}

static inline size_t covey_i_dictionary_place(const covey_dictionary *d, uint64_t key, uint32_t size)
{
    return (size_t)(covey_i_mix(key, size) >> d->shift);
}

/* Code + 1 of a cell of at most 8 bytes, packed into key, if it stands in the slot that is its own; 0: it may stand
 * behind, or be new.  Nearly all cells are found so.  It takes the slots alone, for loops that keep them at hand: to a
 * compiler a code that is written could be any field of the dictionary. */
static inline uint32_t covey_i_dictionary_in_place(const covey_dictionary_slot *slots, int shift, uint64_t key,
                                                   uint32_t size)
{
    const covey_dictionary_slot *slot = &slots[covey_i_mix(key, size) >> shift];

    return slot->key == key && slot->size == size ? slot->code_1 : 0;
}

/* Code of a cell of at most 8 bytes, packed into key; it is added if it is new. */
static inline uint32_t covey_i_dictionary_packed(covey_dictionary *d, uint64_t key, uint32_t size, const char *bytes)
{
    const size_t mask = ((size_t)1 << (64 - d->shift)) - 1;

    for (size_t i = covey_i_dictionary_place(d, key, size);; i = (i + 1) & mask) {
        const covey_dictionary_slot *slot = &d->slot[i];

        if (slot->code_1 == 0)
            return covey_i_dictionary_add(d, key, bytes, size);
        if (slot->key == key && slot->size == size)
            return slot->code_1 - 1;
    }
}

/* Code of any cell.  Up to 7 bytes behind the cell are read. */
uint32_t covey_i_dictionary_code(covey_dictionary *d, const char *bytes, uint32_t size);

/* Whether its slots are so many that most are far from the processor. */
static inline bool covey_i_dictionary_is_large(const covey_dictionary *d)
{
    return d->shift <= 64 - COVEY_DICTIONARY_LARGE_LOG2;
}

/* Fetches the slot of a cell that is looked up soon; a guess that only costs time if it is wrong.  Up to 7 bytes behind
 * the cell are read. */
void covey_i_dictionary_fetch(const covey_dictionary *d, const char *bytes, uint32_t size);

static inline const char *covey_i_dictionary_text(const covey_dictionary *d, uint32_t code)
{
    return d->text + d->start[code];
}

static inline size_t covey_i_dictionary_size(const covey_dictionary *d, uint32_t code)
{
    return (size_t)(d->start[code + 1] - d->start[code]);
}

#endif
