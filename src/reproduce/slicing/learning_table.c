/* The original rows that classifiers are tried on. */
#include <covey/io.h>

#include <string.h>

#include "base/error.h"
#include "reproduce/slicing/learning.h"
#include "table/table_impl.h"

/* Numbers of more values are cut into that many intervals of about as many rows. */
enum { MOST_AS_THEY_ARE = 100, INTERVALS = 10 };

/* --- reading --- */

/* Rows that miss nothing in any column, also in those that are not used: published experiments agree on these. */
static covey_status find_complete(int64_t **row, int64_t *n, const covey_table *table, covey_arena *arena,
                                  covey_error *err)
{
    const int64_t n_rows = covey_table_n_rows(table);

    *n = 0;
    if (!(*row = covey_arena_array(arena, int64_t, (size_t)n_rows)))
        return covey_i_no_memory(err);
    for (int64_t r = 0; r < n_rows; r++) {
        bool is_complete = true;

        for (size_t c = 0; c < covey_table_n_columns(table) && is_complete; c++) {
            const covey_column *text = covey_table_column(table, c);

            is_complete = strcmp(covey_column_label(text, covey_i_code(text, r)), "?") != 0;
        }
        if (is_complete)
            (*row)[(*n)++] = r;
    }
    return COVEY_OK;
}

/* A number's values in intervals, every other value for itself. */
static void cut(uint32_t *code, uint32_t *n_codes, const covey_column *column, uint32_t *count)
{
    const bool cuts = covey_column_is_number(column) && column->n_values > MOST_AS_THEY_ARE;
    uint64_t below = 0;

    for (int64_t r = 0; r < column->n_rows; r++)
        count[covey_i_code(column, r)]++;
    for (uint32_t v = 0; v < column->n_values; v++) {
        code[v] = cuts ? (uint32_t)(below * INTERVALS / (uint64_t)column->n_rows) : v;
        below += count[v];
    }
    *n_codes = cuts ? INTERVALS : column->n_values;
}

static covey_status take_column(covey_learning_table *out, size_t c, const covey_column *text, const int64_t *row,
                                int64_t n, covey_arena *arena, covey_error *err)
{
    covey_column *picked;
    covey_status status;
    uint32_t *count;

    COVEY_TRY(covey_i_column_pick(&picked, text, row, n, err));
    status = covey_i_typing_column_type(&out->column[c], picked, COVEY_TYPE_GUESS, NULL, 0, text->name, err);
    covey_i_column_free(picked);
    if (status != COVEY_OK)
        return status;
    count = covey_arena_array_zero(arena, uint32_t, out->column[c]->n_values);
    out->code[c] = covey_arena_array(arena, uint32_t, out->column[c]->n_values);
    if (!count || !out->code[c])
        return covey_i_no_memory(err);
    cut(out->code[c], &out->rows.n_codes[c], out->column[c], count);
    out->rows.is_ordered[c] = covey_column_is_number(out->column[c]);
    return COVEY_OK;
}

covey_status covey_i_learning_read(covey_learning_table *out, const char *path, const char *const *name, size_t n,
                                   covey_arena *arena, covey_error *err)
{
    static const covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    int column[COVEY_LESSON_ATTRIBUTES];
    int64_t *row = NULL, n_rows = 0;
    covey_table *table;
    covey_status status = COVEY_OK;

    *out = (covey_learning_table){.rows.n_attributes = n};
    COVEY_TRY(covey_csv_read(&table, path, &options, NULL, err));
    for (size_t c = 0; c < n && status == COVEY_OK; c++)
        if ((column[c] = covey_table_find(table, name[c])) < 0)
            status = covey_fail(err, COVEY_ENOTFOUND, "%s: there is no column \"%s\"", path, name[c]);
    if (status == COVEY_OK)
        status = find_complete(&row, &n_rows, table, arena, err);
    for (size_t c = 0; c < n && status == COVEY_OK; c++)
        status = take_column(out, c, covey_table_column(table, (size_t)column[c]), row, n_rows, arena, err);
    covey_table_free(table);
    for (int64_t r = 0; r < n_rows && status == COVEY_OK; r++)
        row[r] = r;
    if (status == COVEY_OK)
        status = covey_i_learning_pick(&out->rows, out, row, n_rows, arena, err);
    if (status != COVEY_OK)
        covey_i_learning_clear(out);
    return status;
}

void covey_i_learning_clear(covey_learning_table *table)
{
    for (size_t c = 0; c < COVEY_LESSON_ATTRIBUTES; c++) {
        covey_i_column_free(table->column[c]);
        table->column[c] = NULL;
    }
}

/* --- parts --- */

covey_status covey_i_learning_write(const covey_learning_table *t, const int64_t *row, int64_t n, const char *path,
                                    covey_error *err)
{
    covey_table *part;
    covey_status status;

    COVEY_TRY(covey_i_table_new(&part, n, t->rows.n_attributes, err));
    status = COVEY_OK;
    for (size_t c = 0; c < t->rows.n_attributes && status == COVEY_OK; c++)
        status = covey_i_column_pick(&part->columns[c], t->column[c], row, n, err);
    if (status == COVEY_OK)
        status = covey_csv_write(part, path, ',', NULL, err);
    covey_table_free(part);
    return status;
}

covey_status covey_i_learning_pick(covey_lesson *out, const covey_learning_table *t, const int64_t *row, int64_t n,
                                   covey_arena *arena, covey_error *err)
{
    covey_lesson lesson = t->rows;

    lesson.n = (uint32_t)n;
    for (size_t c = 0; c < lesson.n_attributes; c++) {
        if (!(lesson.code[c] = covey_arena_array(arena, uint32_t, (size_t)n)))
            return covey_i_no_memory(err);
        for (int64_t i = 0; i < n; i++)
            lesson.code[c][i] = t->code[c][covey_i_code(t->column[c], row[i])];
    }
    *out = lesson;
    return COVEY_OK;
}
