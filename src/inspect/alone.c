/* Keys of rows in a hash table.  The values of a row are one number as long as 64 bits do; then the rows so far are
 * numbered by their keys, which are fewer than 2^32, and go on as one column. */
#include "inspect/alone.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "table/table_impl.h"

covey_status covey_i_alone_init(covey_alone *alone, covey_column *const *typed, size_t n_rows, covey_error *err)
{
    uint64_t size = 16;

    while (size < 2 * (uint64_t)n_rows)
        size *= 2;
    *alone = (covey_alone){.typed = typed, .n_rows = n_rows, .mask = size - 1};
    alone->slot = covey_i_array(size, sizeof *alone->slot);
    alone->seen = covey_i_array(size, sizeof *alone->seen);
    return alone->slot && alone->seen ? COVEY_OK : covey_i_no_memory(err);
}

void covey_i_alone_clear(covey_alone *alone)
{
    covey_i_free(alone->slot);
    covey_i_free(alone->seen);
    covey_i_free(alone->number);
    covey_i_free(alone->id);
    *alone = (covey_alone){0};
}

/* Where rows are numbered. */
static covey_status allocate_numbers(covey_alone *alone, covey_error *err)
{
    if (!alone->number)
        alone->number = covey_i_array(alone->mask + 1, sizeof *alone->number);
    if (!alone->id)
        alone->id = covey_i_array(alone->n_rows, sizeof *alone->id);
    return alone->number && alone->id ? COVEY_OK : covey_i_no_memory(err);
}

/* Where the key stands, which is seen once more.  Few keys stand one behind the other. */
static uint64_t enter(covey_alone *alone, uint64_t key, bool are_few)
{
    uint64_t at = are_few ? key : covey_i_mix(key, 0x9e3779b97f4a7c15) & alone->mask;

    while (alone->slot[at] && alone->slot[at] != key + 1)
        at = (at + 1) & alone->mask;
    alone->seen[at] = alone->slot[at] ? 2 : 1;
    alone->slot[at] = key + 1;
    return at;
}

/* Enters all rows by column [n], and by their ids if there are some; numbers them if that is wanted.  How many are
 * alone. */
static int64_t enter_rows(covey_alone *alone, const size_t *column, size_t n, uint64_t n_keys, bool has_ids,
                          bool numbers)
{
    const bool are_few = n_keys <= alone->mask + 1;
    const uint64_t n_slots = are_few ? n_keys : alone->mask + 1;
    int64_t n_alone = 0;
    uint32_t next = 0;

    memset(alone->slot, 0, n_slots * sizeof *alone->slot);
    for (size_t row = 0; row < alone->n_rows; row++) {
        uint64_t key = has_ids ? alone->id[row] : 0, at;

        for (size_t i = 0; i < n; i++)
            key = key * alone->typed[column[i]]->n_values + covey_i_code(alone->typed[column[i]], (int64_t)row);
        at = enter(alone, key, are_few);
        if (numbers && alone->seen[at] == 1)
            alone->number[at] = next++;
        if (numbers)
            alone->id[row] = alone->number[at];
    }
    for (uint64_t at = 0; at < n_slots; at++)
        n_alone += alone->slot[at] && alone->seen[at] == 1;
    return n_alone;
}

covey_status covey_i_alone_count(int64_t *out, covey_alone *alone, const size_t *column, size_t n, covey_error *err)
{
    for (size_t begin = 0, end; begin < n; begin = end) {
        unsigned __int128 n_keys = begin ? alone->n_rows : 1;

        for (end = begin; end < n && n_keys * alone->typed[column[end]]->n_values < UINT64_MAX; end++)
            n_keys *= alone->typed[column[end]]->n_values;
        if (end < n)
            COVEY_TRY(allocate_numbers(alone, err));
        *out = enter_rows(alone, column + begin, end - begin, (uint64_t)n_keys, begin > 0, end < n);
    }
    return COVEY_OK;
}

int covey_i_alone_compare(const covey_inspected_set *x, const covey_inspected_set *y)
{
    if (x->n_unique != y->n_unique)
        return x->n_unique < y->n_unique ? 1 : -1;
    for (size_t i = 0; i < x->n; i++)
        if (x->column[i] != y->column[i])
            return x->column[i] < y->column[i] ? -1 : 1;
    return 0;
}
