/* Moving records to the two halves of a part, a block at a time: first where each goes, then array by array. */
#include "method/rows/records.h"

#include "method/rows/records_groups.h"

enum { FEW_RECORDS = 16 }; /* not worth a group */

#define DEFINE_SCATTER(name, type)                                                                                     \
    static void name(type *restrict to, const type *restrict from, uint32_t n, const uint32_t *restrict place)         \
    {                                                                                                                  \
        for (uint32_t i = 0; i < n; i++)                                                                               \
            to[place[i]] = from[i];                                                                                    \
    }

DEFINE_SCATTER(scatter_u8, uint8_t)
DEFINE_SCATTER(scatter_u16, uint16_t)
DEFINE_SCATTER(scatter_u32, uint32_t)

void covey_i_records_split_block(covey_record_halves *to, const covey_records *records, int side, uint32_t start,
                                 uint32_t n, const uint8_t *goes_left)
{
    uint32_t place[COVEY_RECORD_BLOCK], l = to->left, r = to->right;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t is_left = goes_left[i] & 1;

        place[i] = is_left ? l : r;
        l += is_left;
        r += 1 - is_left;
    }
    to->left = l;
    to->right = r;
    for (size_t c = 0; c < covey_i_records_n_arrays(records); c++) {
        const covey_record_column *column = &records->column[c];

        if (column->width == 1)
            scatter_u8(column->side[!side], (const uint8_t *)column->side[side] + start, n, place);
        else if (column->width == 2)
            scatter_u16(column->side[!side], (const uint16_t *)column->side[side] + start, n, place);
        else
            scatter_u32(column->side[!side], (const uint32_t *)column->side[side] + start, n, place);
    }
}

/* Where no run is divided. */
static void split_whole(covey_record_halves *to, const covey_records *records, int side, uint32_t start, uint32_t n,
                        const uint8_t *goes_left)
{
    const bool in_groups = n >= FEW_RECORDS && covey_i_records_has_groups();

    for (uint32_t at = 0, size; at < n; at += size) {
        size = n - at < COVEY_RECORD_BLOCK ? n - at : COVEY_RECORD_BLOCK;
        if (in_groups)
            covey_i_records_split_groups(to, records, side, start + at, size, goes_left + at);
        else
            covey_i_records_split_block(to, records, side, start + at, size, goes_left + at);
    }
}

void covey_i_records_split(covey_record_halves *to, const covey_records *records, int side, uint32_t start, uint32_t n,
                           const uint8_t *goes_left, const covey_record_divided *divided, uint32_t n_divided)
{
    static const uint8_t no_left[1] = {0};
    uint32_t done = 0;

    for (uint32_t d = 0; d < n_divided;
         d++) { /* what is before it and itself to the left, once more to the right, then the sizes */
        const uint32_t at = divided[d].at, size = covey_i_records_size(records, side, start + at);

        split_whole(to, records, side, start + done, at + 1 - done, goes_left + done);
        split_whole(to, records, side, start + at, 1, no_left);
        covey_i_records_set_size(records, !side, to->left - 1, divided[d].n_left);
        covey_i_records_set_size(records, !side, to->right - 1, size - divided[d].n_left);
        covey_i_records_rows(records, !side)[to->right - 1] += divided[d].n_left;
        done = at + 1;
    }
    split_whole(to, records, side, start + done, n - done, goes_left + done);
}
