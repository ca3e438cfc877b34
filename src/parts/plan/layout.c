/* How rows lie in parts: which part a key belongs to, what a row takes, and a column that has a row for each of its
 * values, which is what is known of a column of a table that memory does not hold. */
#include "base/alloc.h"
#include "base/error.h"
#include "parts/plan/plan.h"
#include "table/table_impl.h"

uint32_t covey_i_plan_part(const covey_plan *plan, covey_u128 key)
{
    uint32_t low = 0, high = plan->n_parts - 1; /* splitters below low are at most the key */

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (plan->splitter[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t covey_i_plan_row_size(const covey_plan *plan)
{
    size_t size = 0;

    for (size_t c = 0; c < plan->n_columns; c++)
        size += (size_t)plan->prepared.column[c]->width;
    return size;
}

/* Where each value stands first, as the lines of a column that has a row for each. */
static bool set_lines(covey_column *column, const int64_t *line)
{
    covey_lines *lines = covey_i_array_zero(1, sizeof *lines);

    if (!lines)
        return false;
    column->lines = lines;
    lines->references = 1;
    lines->first_line = column->n_rows ? line[0] : 2;
    lines->row = covey_i_array((size_t)column->n_rows, sizeof *lines->row);
    lines->extra = covey_i_array((size_t)column->n_rows, sizeof *lines->extra);
    if (!lines->row || !lines->extra)
        return false;
    for (int64_t i = 1; i < column->n_rows; i++) {
        lines->row[lines->n] = i - 1;
        lines->extra[lines->n++] = line[i] - i - lines->first_line;
    }
    return true;
}

covey_status covey_i_plan_value_column(covey_column **out, const char *name, const covey_label *label, uint32_t n,
                                       bool has_null, const int64_t *line, covey_error *err)
{
    const int width = covey_i_table_code_width(n);
    uint32_t *identity = covey_i_array(n, sizeof *identity);
    void *codes = covey_i_array(n, (size_t)width);
    covey_column *column = NULL;
    covey_status status;

    if (!identity || !codes) {
        covey_i_free(identity);
        covey_i_free(codes);
        return covey_i_no_memory(err);
    }
    for (uint32_t i = 0; i < n; i++)
        identity[i] = i;
    covey_i_codes_map(codes, width, identity, sizeof *identity, n, identity);
    covey_i_free(identity);
    COVEY_TRY(covey_i_column_new(&column, name, COVEY_TYPE_TEXT, n, n, has_null, 0, label, NULL, codes, err));
    status = !line || set_lines(column, line) ? COVEY_OK : covey_i_no_memory(err);
    if (status == COVEY_OK)
        *out = column;
    else
        covey_i_column_free(column);
    return status;
}
