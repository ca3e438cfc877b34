/* Making records of rows or runs, and what is asked of many at a time. */
#include "method/rows/records.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"

enum { SMALL_CHUNK = 1 << 15, SPARE_SHARE = 8 };

struct copying {
    covey_records *records;
    const covey_column *const *columns;
    const covey_problem *problem;
    const covey_sorted_rows *sorted;
    const covey_row_runs *runs; /* NULL: rows */
    size_t n_chunks;
};

static covey_status copy_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct copying *c = context;
    const uint32_t first = (uint32_t)((uint64_t)c->records->n * chunk / c->n_chunks),
                   n = (uint32_t)((uint64_t)c->records->n * (chunk + 1) / c->n_chunks) - first;
    const uint32_t *start = c->runs ? c->runs->start + first : NULL;

    for (size_t i = 0; i < c->records->n_columns; i++) {
        const covey_record_column *to = &c->records->column[i];
        if (c->columns[i]) {
            const covey_row_codes from = covey_i_row_codes(c->problem, c->sorted, c->columns[i]);

            covey_i_row_codes_copy(to->side[0], first, &from, start, n);
        } else {
            memset((uint8_t *)to->side[0] + first, 0, n);
        }
    }
    memcpy(covey_i_records_rows(c->records, 0) + first, start ? start : c->sorted->rows + first, n * sizeof *start);
    for (uint32_t i = 0; start && i < n; i++)
        covey_i_records_set_size(c->records, 0, first + i, start[i + 1] - start[i]);
    return COVEY_OK;
}

static int width_of_sizes(const covey_row_runs *runs)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < runs->n; i++)
        most |= runs->start[i + 1] - runs->start[i];
    return most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : 4;
}

/* Runs there can be more of when all are divided. */
static uint32_t room_for(const covey_row_runs *runs)
{
    const uint32_t n_more = runs->start[runs->n] - runs->n;

    return runs->n + (n_more < runs->n ? n_more : runs->n) / SPARE_SHARE;
}

covey_status covey_i_records_new(covey_records *records, const covey_column *const *columns, size_t n_columns,
                                 const covey_problem *problem, const covey_sorted_rows *sorted,
                                 const covey_row_runs *runs, const covey_run *run, covey_error *err)
{
    const uint32_t n = runs ? runs->n : sorted->n;
    covey_records made = {n, runs ? room_for(runs) : n, n_columns, runs != NULL,
                          covey_i_array_zero(n_columns + 2, sizeof *made.column)};
    struct copying copying = {&made, columns, problem, sorted, runs, n / SMALL_CHUNK + 1};

    if (!made.column)
        goto no_memory;
    for (size_t i = 0; i < covey_i_records_n_arrays(&made); i++) {
        covey_record_column *column = &made.column[i];

        if (i < n_columns)
            column->width = columns[i] ? columns[i]->width : 1;
        else
            column->width = i == n_columns ? (int)sizeof *sorted->rows : width_of_sizes(runs);
        for (int side = 0; side < 2; side++)
            if (!(column->side[side] = covey_i_array(made.room, (size_t)column->width)))
                goto no_memory;
    }
    *records = made;
    return covey_i_parallel(covey_run_threads(run), copying.n_chunks, copy_chunk, &copying, err);
no_memory:
    covey_i_records_clear(&made);
    return covey_i_no_memory(err);
}

void covey_i_records_clear(covey_records *records)
{
    for (size_t i = 0; records->column && i < covey_i_records_n_arrays(records); i++) {
        covey_i_free(records->column[i].side[0]);
        covey_i_free(records->column[i].side[1]);
    }
    covey_i_free(records->column);
    *records = (covey_records){0};
}

covey_status covey_i_records_reserve(covey_records *records, const covey_records *like, uint32_t room, covey_error *err)
{
    if (!records->column) {
        if (!(records->column = covey_i_array_zero(covey_i_records_n_arrays(like), sizeof *records->column)))
            return covey_i_no_memory(err);
        records->n_columns = like->n_columns;
        records->are_runs = like->are_runs;
        for (size_t i = 0; i < covey_i_records_n_arrays(like); i++)
            records->column[i].width = like->column[i].width;
    }
    if (room <= records->room)
        return COVEY_OK;
    for (size_t i = 0; i < covey_i_records_n_arrays(records); i++)
        for (int side = 0; side < 2; side++) {
            void *more = covey_i_realloc(records->column[i].side[side], room, (size_t)records->column[i].width);

            if (!more)
                return covey_i_no_memory(err);
            records->column[i].side[side] = more;
        }
    records->room = room;
    return COVEY_OK;
}

void covey_i_records_copy(covey_records *to, const covey_records *from, int side, uint32_t start, uint32_t n)
{
    for (size_t i = 0; i < covey_i_records_n_arrays(from); i++) {
        const size_t width = (size_t)from->column[i].width;

        memcpy(to->column[i].side[0], (const char *)from->column[i].side[side] + start * width, n * width);
    }
}

uint32_t covey_i_records_compare(uint8_t *restrict goes_left, const covey_record_column *column, int side,
                                 uint32_t start, uint32_t n, uint32_t threshold)
{
    uint32_t n_left = 0;

    COVEY_CODES_TYPED(column->width, {
        const covey_code *codes = (const covey_code *)column->side[side] + start;
        const covey_code most = (covey_code)threshold;

        for (uint32_t i = 0; i < n; i++)
            goes_left[i] = codes[i] <= most ? 255 : 0;
    });
    for (uint32_t i = 0; i < n; i++)
        n_left += goes_left[i] & 1;
    return n_left;
}

/* No branch per row: a row that does not go there counts as the neutral element. */
void covey_i_records_ranges(covey_record_ranges *ranges, const covey_record_column *column, int side, uint32_t start,
                            uint32_t n, const uint8_t *goes_left, const uint8_t *goes_right)
{
    COVEY_CODES_TYPED(column->width, {
        const covey_code *codes = (const covey_code *)column->side[side] + start;
        covey_code left_low = (covey_code)-1, left_high = 0, right_low = left_low, right_high = 0;

        for (uint32_t i = 0; i < n; i++) {
            const covey_code code = codes[i], left = (covey_code)(int8_t)goes_left[i],
                             right = (covey_code)(int8_t)goes_right[i];
            const covey_code a = code | (covey_code)~left, b = code & left, c = code | (covey_code)~right,
                             d = code & right;

            left_low = a < left_low ? a : left_low;
            left_high = b > left_high ? b : left_high;
            right_low = c < right_low ? c : right_low;
            right_high = d > right_high ? d : right_high;
        }
        if (left_low <= left_high) {
            ranges->left_low = left_low < ranges->left_low ? left_low : ranges->left_low;
            ranges->left_high = left_high > ranges->left_high ? left_high : ranges->left_high;
        }
        if (right_low <= right_high) {
            ranges->right_low = right_low < ranges->right_low ? right_low : ranges->right_low;
            ranges->right_high = right_high > ranges->right_high ? right_high : ranges->right_high;
        }
    });
}
