/* Tables of a release as Arrow streams, with the types that all exports give them. */
#include <covey/export.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "export/sheets.h"
#include "export/stream.h"
#include "table/table_impl.h"

/* A column and what its codes mean. */
struct source {
    const covey_export_column *column;
    const covey_column *text;
    int64_t n_rows;
    uint32_t n_skipped; /* codes below it are missing cells */
};

static bool is_null(const struct source *s, uint32_t code)
{
    return (code == 0 && s->text->has_null) ||
           (s->column->empty_is_null && covey_column_label_size(s->text, code) == 0);
}

static struct source open_column(const covey_export_column *column, int64_t n_rows)
{
    struct source s = {.column = column, .text = column->text, .n_rows = n_rows};

    while (s.n_skipped < s.text->n_values && is_null(&s, s.n_skipped)) /* they sort first: null, then the empty text */
        s.n_skipped++;
    return s;
}

static bool make_validity(covey_stream_column *out, const struct source *s)
{
    uint8_t *bits;

    out->n_null = 0;
    if (s->n_skipped == 0)
        return true;
    if (!(bits = covey_i_array_zero(((size_t)s->n_rows + 7) / 8, 1)))
        return false;
    for (int64_t row = 0; row < s->n_rows; row++) {
        const bool valid = covey_i_code(s->text, row) >= s->n_skipped;

        bits[row >> 3] |= (uint8_t)((int)valid << (row & 7));
        out->n_null += !valid;
    }
    out->validity = bits;
    return true;
}

/* ---- texts ---- */

static covey_status make_labels(covey_stream_column *out, const struct source *s, covey_error *err)
{
    const uint32_t n = s->text->n_values - s->n_skipped;
    size_t size = 0;

    for (uint32_t v = s->n_skipped; v < s->text->n_values; v++)
        size += covey_column_label_size(s->text, v);
    if (size > INT32_MAX || n > INT32_MAX)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": its different texts have more than 2 GiB",
                          s->column->name);
    out->n_labels = n;
    out->offsets = covey_i_array_zero((size_t)n + 1, sizeof *out->offsets);
    out->labels = covey_i_array(size + 1, 1);
    if (!out->offsets || !out->labels)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const size_t one = covey_column_label_size(s->text, i + s->n_skipped);

        memcpy(out->labels + out->offsets[i], covey_column_label(s->text, i + s->n_skipped), one);
        out->offsets[i + 1] = out->offsets[i] + (int32_t)one;
    }
    return COVEY_OK;
}

static covey_status make_texts(covey_stream_column *out, const struct source *s, covey_error *err)
{
    int32_t *index = covey_i_array((size_t)s->n_rows, sizeof *index);

    out->values = index;
    if (!index)
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < s->n_rows; row++) {
        const uint32_t code = covey_i_code(s->text, row);

        index[row] = code < s->n_skipped ? 0 : (int32_t)(code - s->n_skipped);
    }
    snprintf(out->format, sizeof out->format, "i");
    return make_labels(out, s, err);
}

/* ---- numbers ---- */

/* A value per code, so that rows are given theirs by a table. */
static covey_status spread(covey_stream_column *out, const struct source *s, const void *value, size_t width,
                           covey_error *err)
{
    char *to = covey_i_array((size_t)s->n_rows, width);

    if (!(out->values = to))
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < s->n_rows; row++)
        memcpy(to + (size_t)row * width, (const char *)value + covey_i_code(s->text, row) * width, width);
    return COVEY_OK;
}

static covey_status make_reals(covey_stream_column *out, const struct source *s, covey_error *err)
{
    double *value = covey_i_array_zero(s->text->n_values, sizeof *value);
    covey_status status;

    for (uint32_t v = s->n_skipped; value && v < s->text->n_values; v++)
        value[v] = strtod(covey_column_label(s->text, v), NULL);
    snprintf(out->format, sizeof out->format, "g");
    status = value ? spread(out, s, value, sizeof *value, err) : covey_i_no_memory(err);
    covey_i_free(value);
    return status;
}

/* Exact numbers by code, at one scale; false if they are not. */
static bool read_numbers(int64_t *number, int *scale, const struct source *s)
{
    int *own = covey_i_array_zero(s->text->n_values, sizeof *own);
    bool ok = own != NULL;

    *scale = 0;
    for (uint32_t v = s->n_skipped; ok && v < s->text->n_values; v++) {
        const char *label = covey_column_label(s->text, v);
        const size_t size = covey_column_label_size(s->text, v);

        ok = s->column->type == COVEY_TYPE_DATE ? covey_i_typing_parse_date(&number[v], label, size)
                                                : covey_i_typing_parse_decimal(&number[v], &own[v], label, size);
        *scale = own[v] > *scale ? own[v] : *scale;
    }
    for (uint32_t v = s->n_skipped; ok && v < s->text->n_values; v++)
        ok = covey_i_typing_rescale_number(&number[v], own[v], *scale);
    covey_i_free(own);
    return ok;
}

static covey_status make_dates(covey_stream_column *out, const struct source *s, const int64_t *number,
                               covey_error *err)
{
    int32_t *days = covey_i_array_zero(s->text->n_values, sizeof *days);
    covey_status status;

    for (uint32_t v = 0; days && v < s->text->n_values; v++)
        days[v] = (int32_t)number[v];
    snprintf(out->format, sizeof out->format, "tdD");
    status = days ? spread(out, s, days, sizeof *days, err) : covey_i_no_memory(err);
    covey_i_free(days);
    return status;
}

static covey_status make_decimals(covey_stream_column *out, const struct source *s, const int64_t *number, int scale,
                                  covey_error *err)
{
    int64_t(*wide)[2] = covey_i_array_zero(s->text->n_values, sizeof *wide);
    covey_status status;

    for (uint32_t v = 0; wide && v < s->text->n_values; v++) {
        wide[v][0] = number[v];
        wide[v][1] = number[v] < 0 ? -1 : 0;
    }
    snprintf(out->format, sizeof out->format, "d:18,%d", scale);
    status = wide ? spread(out, s, wide, sizeof *wide, err) : covey_i_no_memory(err);
    covey_i_free(wide);
    return status;
}

static covey_status make_numbers(covey_stream_column *out, const struct source *s, covey_error *err)
{
    int64_t *number = covey_i_array_zero(s->text->n_values, sizeof *number);
    covey_status status;
    int scale;

    if (!number)
        return covey_i_no_memory(err);
    if (!read_numbers(number, &scale, s)) {
        status = make_texts(out, s, err);
    } else if (s->column->type == COVEY_TYPE_DATE) {
        status = make_dates(out, s, number, err);
    } else if (scale > 0) {
        status = make_decimals(out, s, number, scale, err);
    } else {
        snprintf(out->format, sizeof out->format, "l");
        status = spread(out, s, number, sizeof *number, err);
    }
    covey_i_free(number);
    return status;
}

/* ---- tables ---- */

static covey_status make_column(covey_stream_column *out, const covey_export_column *column, int64_t n_rows,
                                covey_error *err)
{
    const struct source s = open_column(column, n_rows);

    if (!(out->name = covey_i_strdup(column->name)) || !make_validity(out, &s))
        return covey_i_no_memory(err);
    if (column->is_real)
        return make_reals(out, &s, err);
    return column->type == COVEY_TYPE_TEXT ? make_texts(out, &s, err) : make_numbers(out, &s, err);
}

covey_status covey_i_arrow_of_table(struct ArrowArrayStream *out, covey_export_table *table, const covey_stated *stated,
                                    covey_error *err)
{
    covey_stream_column *column = covey_i_array_zero(table->n_columns, sizeof *column);
    covey_status status = column ? COVEY_OK : covey_i_no_memory(err);

    for (size_t c = 0; c < table->n_columns && status == COVEY_OK; c++)
        if ((status = covey_i_sheets_guess(&table->column[c], stated, err)) == COVEY_OK)
            status = make_column(&column[c], &table->column[c], table->n_rows, err);
    if (status == COVEY_OK)
        return covey_i_stream_make(out, column, table->n_columns, table->n_rows, err);
    covey_i_stream_columns_free(column, table->n_columns);
    return status;
}

covey_status covey_export_stream(struct ArrowArrayStream *out, const char *release, const char *table,
                                 const covey_run *run, covey_error *err)
{
    covey_stated *stated = NULL;
    covey_sheets sheets = {0};
    covey_export_table *found = NULL;
    covey_status status;

    COVEY_TRY(covey_i_stated_read(&stated, release, err));
    status = covey_i_sheets_read_one(&found, &sheets, stated, release, table, run, err);
    if (status == COVEY_OK)
        status = covey_i_arrow_of_table(out, found, stated, err);
    covey_i_sheets_clear(&sheets);
    covey_i_stated_free(stated);
    return status;
}
