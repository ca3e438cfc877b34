/* Looking for columns that name persons. */
#include "table/repeats.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/column_words.h"
#include "table/table_impl.h"

enum {
    REPEATED = 100, /* one row in so many shares its key: fewer may be mistakes, or two of one name */
    MOST_ROWS = 10, /* of a key, on average, where its name alone says what it is */
    MOST_ROWS_OF_IDENTIFIER = 1000,
};

bool covey_i_repeats_are_keys(const covey_repeats *r, const char *name, bool is_identifier)
{
    const int64_t most = is_identifier ? MOST_ROWS_OF_IDENTIFIER : MOST_ROWS;

    if (r->n_values < 2 || r->n_repeated == 0 || r->n_repeated < r->n_rows / REPEATED)
        return false;
    if (covey_i_column_is_shared_name(name) || (!is_identifier && !covey_i_column_key_word(name)))
        return false;
    return r->n_rows / most < r->n_values;
}

void covey_i_repeats_warn(const covey_repeats *r, const char *name, const covey_run *run)
{
    char message[512];

    snprintf(
        message, sizeof message,
        "column \"%.120s\" looks like the key of persons, households or firms, each with %.3g rows on average: "
        "promises count rows, and the k rows of a class may all be one person's; give it the role entity, so that they "
        "hold over persons, too",
        name, (double)r->n_rows / (double)r->n_values);
    run->warn(run->context, message);
}

covey_status covey_i_repeats_of_column(covey_repeats *out, const covey_column *column, covey_error *err)
{
    uint8_t *seen = covey_i_array_zero(column->n_values, 1); /* 2: twice or more */

    if (!seen)
        return covey_i_no_memory(err);
    *out = (covey_repeats){0};
    for (int64_t row = 0; row < column->n_rows; row++) {
        uint8_t *n = &seen[covey_i_code(column, row)];

        *n += *n < 2;
    }
    out->n_rows = column->n_rows;
    for (int64_t row = 0; column->has_null && row < column->n_rows; row++)
        out->n_rows -= covey_i_code(column, row) == 0;
    out->n_repeated = out->n_rows;
    for (uint32_t v = column->has_null; v < column->n_values; v++) {
        out->n_values += seen[v] > 0;
        out->n_repeated -= seen[v] == 1;
    }
    covey_i_free(seen);
    return COVEY_OK;
}
