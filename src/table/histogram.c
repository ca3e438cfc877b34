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

covey_status covey_i_histogram_of(covey_histogram *h, const covey_column *column, covey_arena *arena, covey_error *err)
{
    const int width = column->width;
    covey_histogram made;

    COVEY_TRY(covey_i_histogram_new(&made, column->n_values, arena, err));
    for (int64_t row = 0; row < column->n_rows; row++)
        made.count[covey_i_codes_get(column->codes, width, (size_t)row)]++;
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
