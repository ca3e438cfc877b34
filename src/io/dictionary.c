/* A dictionary by open addressing. */
#include "io/dictionary.h"

#include <string.h>

#include "base/alloc.h"

enum { FIRST_SLOTS_LOG2 = 6, FIRST_VALUES = 32, TEXT_PADDING = 8, FEW = 1 << 12, LARGE = 1 << 16 /* slots */ };

bool covey_i_dictionary_init(covey_dictionary *d)
{
    *d = (covey_dictionary){.shift = 64 - FIRST_SLOTS_LOG2};
    d->slot = covey_i_array_zero((size_t)1 << FIRST_SLOTS_LOG2, sizeof *d->slot);
    d->start = covey_i_array_zero(FIRST_VALUES + 1, sizeof *d->start);
    d->text = covey_i_array_zero(256 + TEXT_PADDING, 1);
    d->start_capacity = FIRST_VALUES;
    d->text_capacity = 256;
    return d->slot && d->start && d->text;
}

void covey_i_dictionary_free_slots(covey_dictionary *d)
{
    covey_i_free(d->slot);
    d->slot = NULL;
}

void covey_i_dictionary_free(covey_dictionary *d)
{
    covey_i_free(d->slot);
    covey_i_free(d->start);
    covey_i_free(d->text);
    *d = (covey_dictionary){0};
}

static void place(covey_dictionary *d, covey_dictionary_slot entry)
{
    const size_t mask = ((size_t)1 << (64 - d->shift)) - 1;
    size_t i = covey_i_dictionary_place(d, entry.key, entry.size);

    while (d->slot[i].code_1)
        i = (i + 1) & mask;
    d->slot[i] = entry;
}

/* Small tables are kept half empty, for speed; large ones a quarter, for memory.  Those that are near to the processor
 * anyway are kept nearly empty: whether a cell stands beside its own place would be a question for each, and its answer
 * is not foretold. */
static bool is_full(const covey_dictionary *d)
{
    const size_t n_slots = (size_t)1 << (64 - d->shift);

    return d->n >= (n_slots < FEW ? n_slots / 16 : n_slots < LARGE ? n_slots / 2 : n_slots / 4 * 3);
}

static bool grow_slots(covey_dictionary *d)
{
    const size_t n_old = (size_t)1 << (64 - d->shift);
    const int doublings = n_old < LARGE ? 2 : 1;
    covey_dictionary_slot *old = d->slot, *slot = covey_i_array_full(n_old << doublings, sizeof *slot);

    /* Slots are visited at random: with pages of 4 KiB a large table would miss the processor's page table cache at
     * nearly each.  They are read before they are written, which would have the kernel map its page of zeros first and
     * a page of their own later. */
    if (!slot)
        return false;
    memset(slot, 0, (n_old << doublings) * sizeof *slot);
    d->slot = slot;
    d->shift -= doublings;
    for (size_t i = 0; i < n_old; i++)
        if (old[i].code_1)
            place(d, old[i]);
    covey_i_free(old);
    return true;
}

static bool grow_texts(covey_dictionary *d, size_t size)
{
    if (d->n == d->start_capacity) {
        const size_t capacity = 2 * d->start_capacity;
        uint64_t *start = covey_i_realloc(d->start, capacity + 1, sizeof *start);

        if (!start)
            return false;
        d->start = start;
        d->start_capacity = capacity;
    }
    if (d->start[d->n] + size > d->text_capacity) {
        const size_t capacity = (d->start[d->n] + size) / 2 * 3;
        char *text = covey_i_realloc(d->text, capacity + TEXT_PADDING, 1);

        if (!text)
            return false;
        d->text = text;
        d->text_capacity = capacity;
    }
    return true;
}

uint32_t covey_i_dictionary_add(covey_dictionary *d, uint64_t key, const char *bytes, uint32_t size)
{
    if (d->broken || d->n == UINT32_MAX || (is_full(d) && !grow_slots(d)) || !grow_texts(d, size)) {
        d->broken = true;
        return 0;
    }
    if (size)
        memcpy(d->text + d->start[d->n], bytes, size);
    memset(d->text + d->start[d->n] + size, 0, TEXT_PADDING);
    d->start[d->n + 1] = d->start[d->n] + size;
    place(d, (covey_dictionary_slot){key, size, d->n + 1});
    return d->n++;
}

static uint64_t hash_long(const char *bytes, uint32_t size)
{
    uint64_t h = size;

    for (; size > 8; bytes += 8, size -= 8)
        h = covey_i_mix(h, covey_i_load_word(bytes));
    return covey_i_mix(h, covey_i_first_bytes(covey_i_load_word(bytes), size));
}

uint32_t covey_i_dictionary_code(covey_dictionary *d, const char *bytes, uint32_t size)
{
    const size_t mask = ((size_t)1 << (64 - d->shift)) - 1;
    uint64_t key;

    if (size <= COVEY_DICTIONARY_PACKED)
        return covey_i_dictionary_packed(d, covey_i_first_bytes(covey_i_load_word(bytes), size), size, bytes);
    key = hash_long(bytes, size);
    for (size_t i = covey_i_dictionary_place(d, key, size);; i = (i + 1) & mask) {
        const covey_dictionary_slot *slot = &d->slot[i];

        if (slot->code_1 == 0)
            return covey_i_dictionary_add(d, key, bytes, size);
        if (slot->key == key && slot->size == size &&
            memcmp(covey_i_dictionary_text(d, slot->code_1 - 1), bytes, size) == 0)
            return slot->code_1 - 1;
    }
}

void covey_i_dictionary_fetch(const covey_dictionary *d, const char *bytes, uint32_t size)
{
    const uint64_t key =
        size <= COVEY_DICTIONARY_PACKED ? covey_i_first_bytes(covey_i_load_word(bytes), size) : hash_long(bytes, size);

    __builtin_prefetch(&d->slot[covey_i_dictionary_place(d, key, size)]);
}
