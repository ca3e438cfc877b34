/* Moving records to the two halves of a part, a block at a time: first where each goes, then array by array. */
#include "method/rows/records.h"

#include "method/rows/records_groups.h"

enum { FEW_RECORDS = 16 }; /* not worth a group */

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

        COVEY_CODES_TYPED(column->width, {
            const covey_code *restrict from = (const covey_code *)column->side[side] + start;
            covey_code *restrict half = column->side[!side];

            for (uint32_t i = 0; i < n; i++)
                half[place[i]] = from[i];
        });
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
