/* Records: the rows a method works on, copied out of the table into narrow arrays that move along with the partition,
 * so that every part's data lies in one piece.  Each array exists twice: cutting a part writes it, cut, to the other
 * side, where the two halves are parts again.
 *
 * A record is a row, or a run of equal rows with its size, where that makes them much fewer.  A run can be divided
 * between the halves. */
#ifndef COVEY_METHOD_ROWS_RECORDS_H
#define COVEY_METHOD_ROWS_RECORDS_H

#include <covey/table.h>

#include "base/codes.h"
#include "method/rows/row_runs.h"

enum {
    COVEY_RECORD_BLOCK = 1024
}; /* records that loops handle at a time, so that what they note per record stays in the cache */

typedef struct covey_record_column {
    int width;     /* bytes per code: 1, 2 or 4 */
    void *side[2]; /* [room] codes */
} covey_record_column;

typedef struct covey_records {
    uint32_t n, room; /* records there are, and fit in */
    size_t n_columns;
    bool are_runs;
    covey_record_column *column; /* [n_columns + 1]: the last one holds the numbers of the rows; of runs [n_columns +
                                    2]: where their rows begin, and how many they are */
} covey_records;

/**
 * Copies codes to side 0.
 *
 * @param columns  [n_columns]; a NULL column reads as code 0 everywhere
 * @param runs     of the rows, which are equal in all columns: they are the records, with some room for those that are
 * divided; NULL: the rows are
 */
covey_status covey_i_records_new(covey_records *records, const covey_column *const *columns, size_t n_columns,
                                 const covey_problem *problem, const covey_sorted_rows *sorted,
                                 const covey_row_runs *runs, const covey_run *run, covey_error *err);
void covey_i_records_clear(covey_records *records); /* all zeros allowed */

/* Makes room for so many records of such columns; what is there stays.  All zeros allowed. */
covey_status covey_i_records_reserve(covey_records *records, const covey_records *like, uint32_t room,
                                     covey_error *err);
/* Copies records start .. start+n-1 of one side to the beginning of side 0 of others like them. */
void covey_i_records_copy(covey_records *to, const covey_records *from, int side, uint32_t start, uint32_t n);

/* Where the row numbers of a part are; of runs where their rows begin. */
static inline uint32_t *covey_i_records_rows(const covey_records *records, int side)
{
    return records->column[records->n_columns].side[side];
}

/* Codes start .. start+n-1 of a column as 32-bit numbers. */
static inline void covey_i_records_unpack(uint32_t *out, const covey_record_column *column, int side, uint32_t start,
                                          uint32_t n)
{
    covey_i_codes_unpack(out, covey_i_codes_from(column->side[side], column->width, start), column->width, n);
}

/* Rows of records start .. start+n-1, which are runs. */
static inline void covey_i_records_sizes(uint32_t *out, const covey_records *records, int side, uint32_t start,
                                         uint32_t n)
{
    covey_i_records_unpack(out, &records->column[records->n_columns + 1], side, start, n);
}

/* How many rows a record is. */
static inline uint32_t covey_i_records_size(const covey_records *records, int side, uint32_t at)
{
    uint32_t size = 1;

    if (records->are_runs)
        covey_i_records_sizes(&size, records, side, at, 1);
    return size;
}

/* Arrays of records: their columns and what stands behind these. */
static inline size_t covey_i_records_n_arrays(const covey_records *records)
{
    return records->n_columns + 1 + records->are_runs;
}

static inline void covey_i_records_set_size(const covey_records *records, int side, uint32_t at, uint32_t size)
{
    const covey_record_column *column = &records->column[records->n_columns + 1];

    covey_i_codes_put(column->side[side], column->width, at, size);
}

/* Smallest and largest of the codes start .. start+n-1; n > 0. */
static inline void covey_i_records_range(uint32_t *low, uint32_t *high, const covey_record_column *column, int side,
                                         uint32_t start, uint32_t n)
{
    covey_i_codes_range(low, high, covey_i_codes_from(column->side[side], column->width, start), column->width, n);
}

/* goes_left[i] = 255 if code start+i <= threshold, else 0; returns how many are. */
uint32_t covey_i_records_compare(uint8_t *goes_left, const covey_record_column *column, int side, uint32_t start,
                                 uint32_t n, uint32_t threshold);

/* Smallest and largest code of the rows that go left and of those that go right. */
typedef struct covey_record_ranges {
    uint32_t left_low, left_high, right_low, right_high; /* low > high: no row */
} covey_record_ranges;

#define COVEY_RECORD_RANGES_INIT                                                                                       \
    {                                                                                                                  \
        UINT32_MAX, 0, UINT32_MAX, 0                                                                                   \
    }

/* Widens ranges by the rows start .. start+n-1: by row start+i where left[i] or right[i] is 255, not 0. */
void covey_i_records_ranges(covey_record_ranges *ranges, const covey_record_column *column, int side, uint32_t start,
                            uint32_t n, const uint8_t *left, const uint8_t *right);

/* A run whose first rows go left and whose others do not. */
typedef struct covey_record_divided {
    uint32_t at; /* among the records that are split; they count as going left */
    uint32_t n_left;
} covey_record_divided;

/* Where the next records go, and where those that go there end. */
typedef struct covey_record_halves {
    uint32_t left, left_end, right, right_end;
} covey_record_halves;

/* records_split.c: copies records start .. start+n-1 of all columns to the other side: those that go left (goes_left
 * 255, not 0) and the others, in their order; moves *to on.  What is there up to the two ends is overwritten.  divided:
 * in ascending order. */
void covey_i_records_split(covey_record_halves *to, const covey_records *records, int side, uint32_t start, uint32_t n,
                           const uint8_t *goes_left, const covey_record_divided *divided, uint32_t n_divided);

#endif
