/* Whom of a population a release cannot hold.
 *
 * A column is tried as a whole, as an original's is.  If it does not fit, its values are halved until those remain that
 * do not fit by themselves: so nothing needs to be known of types and kinds of hierarchies, and few strangers cost few
 * attempts. */
#include "reader/original.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/table_impl.h"

struct trying {
    covey_opened_column *column;
    const covey_column *raw;
    const char *path;
    const int64_t *row; /* [n values that occur] a row of each */
    bool *stranger;     /* [raw->n_values] */
};

struct looking {
    covey_opened *opened;
    const covey_column *const *raw;
    const char *path;
    bool **stranger; /* [n_columns] of values; NULL: not looked at */
};

/* --- values that do not fit --- */

static covey_status try_values(const struct trying *t, size_t begin, size_t end, covey_error *err)
{
    covey_column *picked = NULL, *prepared = NULL;
    covey_status status;

    COVEY_TRY(covey_i_column_pick(&picked, t->raw, t->row + begin, (int64_t)(end - begin), err));
    status = covey_i_original_prepare(&prepared, t->column, picked, t->path, err);
    covey_i_column_free(prepared);
    covey_i_column_free(picked);
    return status;
}

static covey_status find_strangers(const struct trying *t, size_t begin, size_t end, covey_error *err)
{
    const size_t middle = begin + (end - begin) / 2;
    const covey_status status = try_values(t, begin, end, err);

    if (status != COVEY_EINVAL && status != COVEY_EPARSE)
        return status;
    if (end - begin == 1) {
        t->stranger[covey_column_code(t->raw, t->row[begin])] = true;
        return COVEY_OK;
    }
    COVEY_TRY(find_strangers(t, begin, middle, err));
    return find_strangers(t, middle, end, err);
}

/* A row of each value that occurs. */
static size_t find_rows(int64_t *row, bool *seen, const covey_column *raw)
{
    size_t n = 0;

    for (int64_t i = 0; i < raw->n_rows; i++) {
        const uint32_t code = covey_column_code(raw, i);

        if (!seen[code])
            row[n++] = i;
        seen[code] = true;
    }
    return n;
}

/* --- numbers outside the domain --- */

static __int128 scaled(int64_t number, int by)
{
    __int128 value = number;

    for (; by > 0; by--)
        value *= 10;
    return value;
}

static bool lies_outside(const covey_opened_column *column, const char *text, size_t size)
{
    const bool is_date = column->stated->type == COVEY_TYPE_DATE;
    int64_t number;
    int scale = 0;

    if (!(is_date ? covey_i_typing_parse_date(&number, text, size)
                  : covey_i_typing_parse_decimal(&number, &scale, text, size)))
        return true;
    return scaled(number, column->scale) < scaled(column->domain_low, scale) ||
           scaled(number, column->scale) > scaled(column->domain_high, scale);
}

static void mark_outside_domain(bool *stranger, const covey_opened_column *column, const covey_column *raw)
{
    if (column->stated->publish != COVEY_PUBLISH_RANGE)
        return;
    for (uint32_t code = raw->has_null; code < raw->n_values; code++)
        stranger[code] |= lies_outside(column, covey_column_label(raw, code), covey_column_label_size(raw, code));
}

/* --- columns, then rows --- */

static covey_status look_at_column(void *context, size_t task, covey_error *err)
{
    struct looking *l = context;
    const covey_column *raw = l->raw[task];
    struct trying t = {.column = &l->opened->column[task], .raw = raw, .path = l->path, .stranger = l->stranger[task]};
    covey_status status = COVEY_OK;
    bool *seen;
    int64_t *row;
    size_t n;

    if (!raw || raw->n_rows == 0)
        return COVEY_OK;
    seen = covey_i_array_zero(raw->n_values, sizeof *seen);
    row = covey_i_array(raw->n_values, sizeof *row);
    if (!seen || !row) {
        status = covey_i_no_memory(err);
    } else {
        n = find_rows(row, seen, raw);
        t.row = row;
        status = find_strangers(&t, 0, n, err);
        mark_outside_domain(t.stranger, t.column, raw);
    }
    covey_i_free(seen);
    covey_i_free(row);
    return status;
}

covey_status covey_i_population_outside(bool *outside, covey_opened *opened, const covey_column *const *raw,
                                        const char *path, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct looking l = {opened, raw, path, covey_arena_array_zero(&arena, bool *, opened->n_columns)};
    covey_status status = l.stranger ? COVEY_OK : covey_i_no_memory(err);

    for (size_t i = 0; i < opened->n_columns && status == COVEY_OK; i++)
        if (raw[i] && !(l.stranger[i] = covey_arena_array_zero(&arena, bool, raw[i]->n_values)))
            status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(run), opened->n_columns, look_at_column, &l, err);
    for (size_t i = 0; i < opened->n_columns && status == COVEY_OK; i++)
        for (int64_t row = 0; raw[i] && row < raw[i]->n_rows; row++)
            outside[row] |= l.stranger[i][covey_column_code(raw[i], row)];
    covey_arena_free(&arena);
    return status;
}
