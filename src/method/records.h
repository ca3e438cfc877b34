/* Records: the rows a method works on, copied out of the table into narrow arrays that move along with the partition, so that
 * every part's data lies in one piece.  Each array exists twice: cutting a part writes it, cut, to the same place on the other
 * side, where the two halves are parts again. */
#ifndef COVEY_RECORDS_H
#define COVEY_RECORDS_H

#include <covey/table.h>

enum { COVEY_RECORD_BLOCK = 1024 }; /* rows that loops handle at a time, so that what they note per row stays in the cache */

typedef struct covey_record_column {
    int width;     /* bytes per code: 1, 2 or 4 */
    void *side[2]; /* [n] codes */
} covey_record_column;

typedef struct covey_records {
    uint32_t n;
    size_t n_columns;
    covey_record_column *column; /* [n_columns + 1]: the last one holds the numbers of the rows */
} covey_records;

/* Copies the codes of rows[0 .. n-1] of columns[0 .. n_columns-1] to side 0.  A NULL column reads as code 0 everywhere. */
covey_status covey_i_records_new(covey_records *records, const covey_column *const *columns, size_t n_columns, const uint32_t *rows,
                                 uint32_t n, const covey_run *run, covey_error *err);
void covey_i_records_clear(covey_records *records); /* all zeros allowed */

/* Where the row numbers of a part are. */
static inline uint32_t *covey_i_records_rows(const covey_records *records, int side)
{
    return records->column[records->n_columns].side[side];
}

/* Codes start .. start+n-1 of a column as 32-bit numbers. */
void covey_i_records_unpack(uint32_t *out, const covey_record_column *column, int side, uint32_t start, uint32_t n);

/* Smallest and largest of the codes start .. start+n-1; n > 0. */
void covey_i_records_range(uint32_t *low, uint32_t *high, const covey_record_column *column, int side, uint32_t start, uint32_t n);

/* goes_left[i] = 255 if code start+i <= threshold, else 0; returns how many are. */
uint32_t covey_i_records_compare(uint8_t *goes_left, const covey_record_column *column, int side, uint32_t start, uint32_t n,
                                 uint32_t threshold);

/* Smallest and largest code of the rows that go left (goes_left 255) and of those that do not (0). */
typedef struct covey_record_ranges {
    uint32_t left_low, left_high, right_low, right_high; /* low > high: no row */
} covey_record_ranges;

#define COVEY_RECORD_RANGES_INIT {UINT32_MAX, 0, UINT32_MAX, 0}

/* Widens ranges by the rows start .. start+n-1; n at most COVEY_RECORD_BLOCK. */
void covey_i_records_ranges(covey_record_ranges *ranges, const covey_record_column *column, int side, uint32_t start, uint32_t n,
                            const uint8_t *goes_left);

/* Copies rows start .. start+n-1 of all columns to the other side: those that go left to *left and onwards, the others to *right and
 * onwards, in their order; moves *left and *right on.  n at most COVEY_RECORD_BLOCK. */
void covey_i_records_split(const covey_records *records, int side, uint32_t start, uint32_t n, const uint8_t *goes_left, uint32_t *left,
                           uint32_t *right);

#endif
