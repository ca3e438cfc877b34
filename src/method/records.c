/* See records.h.  One plain loop per width of codes, for the compiler to vectorize. */
#include "method/records.h"

#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

enum { SMALL_CHUNK = 1 << 15 };

struct copying {
    covey_records *records;
    const covey_column *const *columns;
    const uint32_t *rows;
    size_t n_chunks;
};

#define DEFINE_GATHER(name, type)                                                                                                          \
    static void name(type *to, const type *from, const uint32_t *rows, uint32_t n)                                                         \
    {                                                                                                                                      \
        for (uint32_t i = 0; i < n; i++)                                                                                                   \
            to[i] = from[rows[i]];                                                                                                         \
    }

DEFINE_GATHER(gather_u8, uint8_t)
DEFINE_GATHER(gather_u16, uint16_t)
DEFINE_GATHER(gather_u32, uint32_t)

static covey_status copy_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct copying *c = context;
    const uint32_t start = (uint32_t)((uint64_t)c->records->n * chunk / c->n_chunks);
    const uint32_t n = (uint32_t)((uint64_t)c->records->n * (chunk + 1) / c->n_chunks) - start;

    for (size_t i = 0; i < c->records->n_columns; i++) {
        const covey_column *from = c->columns[i];
        void *to = c->records->column[i].side[0];

        if (!from)
            memset((uint8_t *)to + start, 0, n);
        else if (from->width == 1)
            gather_u8((uint8_t *)to + start, from->codes, c->rows + start, n);
        else if (from->width == 2)
            gather_u16((uint16_t *)to + start, from->codes, c->rows + start, n);
        else
            gather_u32((uint32_t *)to + start, from->codes, c->rows + start, n);
    }
    memcpy(covey_i_records_rows(c->records, 0) + start, c->rows + start, n * sizeof *c->rows);
    return COVEY_OK;
}

covey_status covey_i_records_new(covey_records *records, const covey_column *const *columns, size_t n_columns, const uint32_t *rows,
                                 uint32_t n, const covey_run *run, covey_error *err)
{
    covey_records made = {n, n_columns, covey_i_array_zero(n_columns + 1, sizeof *made.column)};
    struct copying copying = {&made, columns, rows, n / SMALL_CHUNK + 1};

    if (!made.column)
        goto no_memory;
    for (size_t i = 0; i <= n_columns; i++) {
        covey_record_column *column = &made.column[i];

        column->width = i == n_columns ? (int)sizeof *rows : columns[i] ? columns[i]->width : 1;
        for (int side = 0; side < 2; side++)
            if (!(column->side[side] = covey_i_array(n, (size_t)column->width)))
                goto no_memory;
    }
    *records = made;
    return covey_i_parallel(covey_run_threads(run), copying.n_chunks, copy_chunk, &copying, err);
no_memory:
    covey_i_records_clear(&made);
    return covey_fail(err, COVEY_ENOMEM, "working copies of %u rows", n);
}

void covey_i_records_clear(covey_records *records)
{
    for (size_t i = 0; records->column && i <= records->n_columns; i++) {
        covey_i_free(records->column[i].side[0]);
        covey_i_free(records->column[i].side[1]);
    }
    covey_i_free(records->column);
    *records = (covey_records){0};
}

void covey_i_records_unpack(uint32_t *restrict out, const covey_record_column *column, int side, uint32_t start, uint32_t n)
{
    if (column->width == 1) {
        const uint8_t *codes = (const uint8_t *)column->side[side] + start;

        for (uint32_t i = 0; i < n; i++)
            out[i] = codes[i];
    } else if (column->width == 2) {
        const uint16_t *codes = (const uint16_t *)column->side[side] + start;

        for (uint32_t i = 0; i < n; i++)
            out[i] = codes[i];
    } else {
        memcpy(out, (const uint32_t *)column->side[side] + start, n * sizeof *out);
    }
}

#define DEFINE_RANGE(name, type)                                                                                                           \
    static void name(uint32_t *low, uint32_t *high, const type *codes, uint32_t n)                                                         \
    {                                                                                                                                      \
        type lo = codes[0], hi = codes[0];                                                                                                 \
                                                                                                                                           \
        for (uint32_t i = 1; i < n; i++) {                                                                                                 \
            lo = codes[i] < lo ? codes[i] : lo;                                                                                            \
            hi = codes[i] > hi ? codes[i] : hi;                                                                                            \
        }                                                                                                                                  \
        *low = lo;                                                                                                                         \
        *high = hi;                                                                                                                        \
    }

DEFINE_RANGE(range_u8, uint8_t)
DEFINE_RANGE(range_u16, uint16_t)
DEFINE_RANGE(range_u32, uint32_t)

void covey_i_records_range(uint32_t *low, uint32_t *high, const covey_record_column *column, int side, uint32_t start, uint32_t n)
{
    if (column->width == 1)
        range_u8(low, high, (const uint8_t *)column->side[side] + start, n);
    else if (column->width == 2)
        range_u16(low, high, (const uint16_t *)column->side[side] + start, n);
    else
        range_u32(low, high, (const uint32_t *)column->side[side] + start, n);
}

#define DEFINE_COMPARE(name, type)                                                                                                         \
    static uint32_t name(uint8_t *restrict goes_left, const type *restrict codes, uint32_t n, type threshold)                              \
    {                                                                                                                                      \
        uint32_t n_left = 0;                                                                                                               \
                                                                                                                                           \
        for (uint32_t i = 0; i < n; i++)                                                                                                   \
            goes_left[i] = codes[i] <= threshold ? 255 : 0;                                                                                \
        for (uint32_t i = 0; i < n; i++)                                                                                                   \
            n_left += goes_left[i] & 1;                                                                                                    \
        return n_left;                                                                                                                     \
    }

DEFINE_COMPARE(compare_u8, uint8_t)
DEFINE_COMPARE(compare_u16, uint16_t)
DEFINE_COMPARE(compare_u32, uint32_t)

uint32_t covey_i_records_compare(uint8_t *goes_left, const covey_record_column *column, int side, uint32_t start, uint32_t n,
                                 uint32_t threshold)
{
    if (column->width == 1)
        return compare_u8(goes_left, (const uint8_t *)column->side[side] + start, n, (uint8_t)threshold);
    if (column->width == 2)
        return compare_u16(goes_left, (const uint16_t *)column->side[side] + start, n, (uint16_t)threshold);
    return compare_u32(goes_left, (const uint32_t *)column->side[side] + start, n, threshold);
}

/* No branch per row: a row of the other half counts as the neutral element. */
#define DEFINE_RANGES(name, type, most)                                                                                                    \
    static void name(covey_record_ranges *ranges, const type *restrict codes, uint32_t n, const uint8_t *restrict goes_left)               \
    {                                                                                                                                      \
        type left_low = most, left_high = 0, right_low = most, right_high = 0;                                                             \
                                                                                                                                           \
        for (uint32_t i = 0; i < n; i++) {                                                                                                 \
            const type code = codes[i], left = (type)(int8_t)goes_left[i], right = (type)~left;                                            \
            const type a = code | right, b = code & left, c = code | left, d = code & right;                                               \
                                                                                                                                           \
            left_low = a < left_low ? a : left_low;                                                                                        \
            left_high = b > left_high ? b : left_high;                                                                                     \
            right_low = c < right_low ? c : right_low;                                                                                     \
            right_high = d > right_high ? d : right_high;                                                                                  \
        }                                                                                                                                  \
        if (left_low <= left_high) {                                                                                                       \
            ranges->left_low = left_low < ranges->left_low ? left_low : ranges->left_low;                                                  \
            ranges->left_high = left_high > ranges->left_high ? left_high : ranges->left_high;                                             \
        }                                                                                                                                  \
        if (right_low <= right_high) {                                                                                                     \
            ranges->right_low = right_low < ranges->right_low ? right_low : ranges->right_low;                                             \
            ranges->right_high = right_high > ranges->right_high ? right_high : ranges->right_high;                                        \
        }                                                                                                                                  \
    }

DEFINE_RANGES(ranges_u8, uint8_t, UINT8_MAX)
DEFINE_RANGES(ranges_u16, uint16_t, UINT16_MAX)
DEFINE_RANGES(ranges_u32, uint32_t, UINT32_MAX)

void covey_i_records_ranges(covey_record_ranges *ranges, const covey_record_column *column, int side, uint32_t start, uint32_t n,
                            const uint8_t *goes_left)
{
    if (column->width == 1)
        ranges_u8(ranges, (const uint8_t *)column->side[side] + start, n, goes_left);
    else if (column->width == 2)
        ranges_u16(ranges, (const uint16_t *)column->side[side] + start, n, goes_left);
    else
        ranges_u32(ranges, (const uint32_t *)column->side[side] + start, n, goes_left);
}

#define DEFINE_SCATTER(name, type)                                                                                                         \
    static void name(type *restrict to, const type *restrict from, uint32_t n, const uint32_t *restrict place)                             \
    {                                                                                                                                      \
        for (uint32_t i = 0; i < n; i++)                                                                                                   \
            to[place[i]] = from[i];                                                                                                        \
    }

DEFINE_SCATTER(scatter_u8, uint8_t)
DEFINE_SCATTER(scatter_u16, uint16_t)
DEFINE_SCATTER(scatter_u32, uint32_t)

void covey_i_records_split(const covey_records *records, int side, uint32_t start, uint32_t n, const uint8_t *goes_left, uint32_t *left,
                           uint32_t *right)
{
    uint32_t place[COVEY_RECORD_BLOCK], l = *left, r = *right;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t is_left = goes_left[i] & 1;

        place[i] = is_left ? l : r;
        l += is_left;
        r += 1 - is_left;
    }
    *left = l;
    *right = r;
    for (size_t c = 0; c <= records->n_columns; c++) {
        const covey_record_column *column = &records->column[c];

        if (column->width == 1)
            scatter_u8(column->side[!side], (const uint8_t *)column->side[side] + start, n, place);
        else if (column->width == 2)
            scatter_u16(column->side[!side], (const uint16_t *)column->side[side] + start, n, place);
        else
            scatter_u32(column->side[!side], (const uint32_t *)column->side[side] + start, n, place);
    }
}
