/* A few codes side by side, one of each column: compilers make one instruction of what is done to all. */
#ifndef COVEY_TABLE_CODE_LANES_H
#define COVEY_TABLE_CODE_LANES_H

#include "table/table_impl.h"

enum { COVEY_LANES = 8 };

typedef struct covey_lanes {
    int16_t code[COVEY_LANES];
} covey_lanes;

/* Can all codes of a column with so many values stand in a lane? */
static inline bool covey_i_lane_fits(uint32_t n_values)
{
    return n_values <= INT16_MAX;
}

/* Widens ranges by the codes. */
static inline void covey_i_lanes_widen(covey_lanes *restrict low, covey_lanes *restrict high,
                                       const covey_lanes *restrict codes)
{
    for (int lane = 0; lane < COVEY_LANES; lane++) {
        low->code[lane] = codes->code[lane] < low->code[lane] ? codes->code[lane] : low->code[lane];
        high->code[lane] = codes->code[lane] > high->code[lane] ? codes->code[lane] : high->code[lane];
    }
}

/* Rows start .. start+n-1 of a column into a lane of theirs. */
static inline void covey_i_lanes_fill(covey_lanes *lanes, size_t lane, const covey_column *column, size_t start,
                                      size_t n)
{
    const void *codes = column->codes;
    const int width = column->width;

    for (size_t i = 0; i < n; i++)
        lanes[i].code[lane] = (int16_t)covey_i_codes_get(codes, width, start + i);
}

#endif
