/* Counting values. */
#include "table/histogram.h"

#include "base/codes.h"
#include "base/error.h"

covey_status covey_i_histogram_new(covey_histogram *h, uint32_t n_values, covey_arena *arena, covey_error *err)
{
    int64_t *count = covey_arena_array_zero(arena, int64_t, n_values);
    uint32_t *present = covey_arena_array(arena, uint32_t, n_values);
    uint8_t *listed = covey_arena_array_zero(arena, uint8_t, n_values);

    if (!count || !present || !listed)
        return covey_i_no_memory(err);
    *h = (covey_histogram){.n_values = n_values, .count = count, .present = present, .listed = listed};
    return COVEY_OK;
}

/* By turns in four tables: one that was just added to cannot be added to at once, and neighbours are often equal. */
static void count_u8(int64_t *count, const uint8_t *codes, int64_t n, uint32_t n_values)
{
    uint32_t table[4][UINT8_MAX + 1] = {{0}}; /* a column has fewer rows than 2^32 */
    int64_t row = 0;

    for (; n - row >= 4; row += 4)
        for (int i = 0; i < 4; i++)
            table[i][codes[row + i]]++;
    for (; row < n; row++)
        table[0][codes[row]]++;
    for (uint32_t v = 0; v < n_values; v++)
        count[v] += (int64_t)table[0][v] + table[1][v] + table[2][v] + table[3][v];
}

static void count_wide(int64_t *count, const void *codes, int width, int64_t n)
{
    for (int64_t row = 0; row < n; row++)
        count[covey_i_codes_get(codes, width, (size_t)row)]++;
}

covey_status covey_i_histogram_of(covey_histogram *h, const covey_column *column, covey_arena *arena, covey_error *err)
{
    covey_histogram made;

    COVEY_TRY(covey_i_histogram_new(&made, column->n_values, arena, err));
    if (column->width == 1)
        count_u8(made.count, column->codes, column->n_rows, column->n_values);
    else
        count_wide(made.count, column->codes, column->width, column->n_rows);
    for (uint32_t v = 0; v < made.n_values; v++)
        if (made.count[v] > 0) {
            made.listed[v] = 1;
            made.present[made.n_present++] = v;
        }
    made.n_distinct = made.n_present;
    made.total = column->n_rows;
    *h = made;
    return COVEY_OK;
}

void covey_i_histogram_clear(covey_histogram *h)
{
    for (uint32_t i = 0; i < h->n_present; i++) {
        h->count[h->present[i]] = 0;
        h->listed[h->present[i]] = 0;
    }
    h->total = 0;
    h->n_distinct = h->n_present = 0;
}
