/* Columns: codes per row and a dictionary. */
#include <covey/table.h>

#include "base/error.h"
#include "table/table_impl.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

enum { TEXT_PADDING = 16 };

int covey_i_table_code_width(uint32_t n_values)
{
    return n_values <= 256 ? 1 : n_values <= 65536 ? 2 : 4;
}

uint32_t covey_column_code(const covey_column *column, int64_t row)
{
    if (row < 0 || row >= column->n_rows)
        return UINT32_MAX;
    return covey_i_code(column, row);
}

const char *covey_column_label(const covey_column *column, uint32_t code)
{
    return code < column->n_values && column->text ? column->text + column->text_start[code] : NULL;
}

size_t covey_column_label_size(const covey_column *column, uint32_t code)
{
    return code < column->n_values && column->text
               ? (size_t)(column->text_start[code + 1] - column->text_start[code] - 1)
               : 0;
}

bool covey_column_is_number(const covey_column *column)
{
    return column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL || column->type == COVEY_TYPE_DATE;
}

int64_t covey_i_column_find(const covey_column *column, const char *text, size_t size)
{
    uint32_t low = column->has_null, high = column->n_values;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const size_t other = covey_column_label_size(column, middle);
        int order = memcmp(covey_column_label(column, middle), text, other < size ? other : size);

        if (order == 0)
            order = other < size ? -1 : other > size;
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int64_t covey_i_lines_at(const covey_lines *lines, int64_t row)
{
    size_t low = 0, high;

    if (!lines)
        return row + 2;
    for (high = lines->n; low < high;) { /* entries before low lie above the row */
        size_t middle = low + (high - low) / 2;

        if (lines->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return lines->first_line + row + (low ? lines->extra[low - 1] : 0);
}

const char *covey_i_lines_word(const covey_column *column)
{
    return column->lines && column->lines->are_rows ? "row" : "line";
}

int64_t covey_column_line(const covey_column *column, int64_t row)
{
    return row >= 0 && row < column->n_rows ? covey_i_lines_at(column->lines, row) : 0;
}

void covey_i_lines_free(covey_lines *lines)
{
    if (!lines || __atomic_sub_fetch(&lines->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    covey_i_free(lines->row);
    covey_i_free(lines->extra);
    covey_i_free(lines);
}

covey_column *covey_i_column_share(covey_column *column)
{
    __atomic_add_fetch(&column->references, 1, __ATOMIC_RELAXED);
    return column;
}

void covey_i_column_free(covey_column *column)
{
    if (!column || __atomic_sub_fetch(&column->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    covey_i_lines_free(column->lines);
    covey_i_free(column->name);
    covey_i_free((void *)column->codes);
    covey_i_free((void *)column->number);
    covey_i_free((void *)column->text);
    covey_i_free((void *)column->text_start);
    covey_i_free(column);
}

/* Copies the labels into one run of bytes, a NUL behind each. */
static bool set_dictionary(covey_column *column, const covey_label *labels, const int64_t *number)
{
    const uint32_t n = column->n_values;
    size_t size = 0;
    uint64_t *start;
    char *text;

    for (uint32_t v = 0; v < n; v++)
        size += labels[v].size + 1;
    column->text_start = start = covey_i_array((size_t)n + 1, sizeof *start);
    column->text = text = covey_i_malloc(size + TEXT_PADDING);
    if (!start || !text)
        return false;
    size = 0;
    for (uint32_t v = 0; v < n; v++) {
        start[v] = size;
        if (labels[v].size)
            memcpy(text + size, labels[v].text, labels[v].size);
        text[size + labels[v].size] = '\0';
        size += labels[v].size + 1;
    }
    start[n] = size;
    memset(text + size, 0, TEXT_PADDING);
    if (number) {
        int64_t *copy = covey_i_array(n, sizeof *copy);

        column->number = copy;
        if (!copy)
            return false;
        if (n)
            memcpy(copy, number, n * sizeof *copy);
    }
    return true;
}

covey_status covey_i_column_new(covey_column **out, const char *name, covey_type type, int64_t n_rows,
                                uint32_t n_values, bool has_null, int scale, const covey_label *labels,
                                const int64_t *number, void *codes, covey_error *err)
{
    covey_column *column = covey_i_array_zero(1, sizeof *column);

    assert(type != COVEY_TYPE_GUESS && (number != NULL) == (type != COVEY_TYPE_TEXT));
    if (!column) {
        covey_i_free(codes);
        return covey_i_no_memory(err);
    }
    column->references = 1;
    column->type = type;
    column->n_rows = n_rows;
    column->n_values = n_values;
    column->width = covey_i_table_code_width(n_values);
    column->codes = codes;
    column->has_null = has_null;
    column->scale = scale;
    column->name = covey_i_strdup(name);
    if (!column->name || (labels && !set_dictionary(column, labels, number))) {
        covey_i_column_free(column);
        return covey_i_no_memory(err);
    }
    *out = column;
    return COVEY_OK;
}

/* to[row] = map[from[row]], one loop per pair of widths: this runs over every cell of a table. */
covey_status covey_i_column_recode(covey_column **out, const covey_column *column, covey_type type, const uint32_t *map,
                                   uint32_t n_values, bool has_null, int scale, const covey_label *labels,
                                   const int64_t *number, covey_error *err)
{
    const int width = covey_i_table_code_width(n_values);
    void *codes = covey_i_array((size_t)column->n_rows, (size_t)width);
    covey_status status;

    if (!codes)
        return covey_i_no_memory(err);
    covey_i_codes_map(codes, width, column->codes, column->width, (size_t)column->n_rows, map);
    status = covey_i_column_new(out, column->name, type, column->n_rows, n_values, has_null, scale, labels, number,
                                codes, err);
    if (status == COVEY_OK)
        (*out)->is_typed = column->is_typed;
    if (status == COVEY_OK && column->lines) {
        (*out)->lines = column->lines;
        __atomic_add_fetch(&column->lines->references, 1, __ATOMIC_RELAXED);
    }
    return status;
}

covey_status covey_i_column_rescale(covey_column **out, uint32_t *misfit, const covey_column *column, int scale,
                                    covey_error *err)
{
    const uint32_t n = column->n_values;
    const covey_type type = column->type == COVEY_TYPE_INTEGER && scale > 0 ? COVEY_TYPE_DECIMAL : column->type;
    covey_label *labels = covey_i_array(n, sizeof *labels);
    uint32_t *identity = covey_i_array(n, sizeof *identity);
    int64_t *number = covey_i_array(n, sizeof *number);
    covey_status status = COVEY_OK;
    uint32_t v = 0;

    if (!labels || !identity || !number) {
        status = covey_fail(err, COVEY_ENOMEM, "column \"%s\": its %u values", column->name, (unsigned)n);
        goto done;
    }
    for (; v < n; v++) {
        labels[v] = (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
        identity[v] = v;
        number[v] = column->number[v];
        if (!covey_i_typing_rescale_number(&number[v], column->scale, scale))
            break;
    }
    if (v == n) {
        status = covey_i_column_recode(out, column, type, identity, n, column->has_null, scale, labels, number, err);
    } else {
        *out = NULL;
        *misfit = v;
    }
done:
    covey_i_free(labels);
    covey_i_free(identity);
    covey_i_free(number);
    return status;
}

int64_t covey_i_column_unit(const covey_column *column)
{
    int64_t unit = 1;

    for (int digit = 0; digit < column->scale; digit++)
        unit *= 10;
    for (uint32_t v = 0; v < column->n_values; v++)
        while (column->number[v] % unit != 0)
            unit /= 10;
    return unit;
}

covey_status covey_i_column_values(covey_column **out, const covey_column *column, covey_error *err)
{
    const uint32_t n = column->n_values;
    const int width = covey_i_table_code_width(n);
    covey_label *labels = covey_i_array(n, sizeof *labels);
    uint32_t *identity = covey_i_array(n, sizeof *identity);
    void *codes = covey_i_array(n, (size_t)width);
    covey_status status = COVEY_ENOMEM;

    if (labels && identity && codes) {
        for (uint32_t v = 0; v < n; v++) {
            labels[v] = (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
            identity[v] = v;
        }
        covey_i_codes_map(codes, width, identity, sizeof *identity, n, identity);
        status = covey_i_column_new(out, column->name, column->type, n, n, column->has_null, column->scale, labels,
                                    column->number, codes, err);
        codes = NULL; /* taken over */
        if (status == COVEY_OK)
            (*out)->is_typed = column->is_typed;
    } else {
        covey_fail(err, status, "column \"%s\": its %u values", column->name, (unsigned)n);
    }
    covey_i_free(labels);
    covey_i_free(identity);
    covey_i_free(codes);
    return status;
}

static bool is_identity(const uint32_t *map, int64_t n)
{
    int64_t v = 0;

    while (v < n && map[v] == v)
        v++;
    return v == n;
}

covey_status covey_i_column_spread(covey_column *values, covey_column *of, covey_error *err)
{
    const bool may_move = of->references == 1 && of->width == values->width;
    uint32_t *map = covey_i_array((size_t)values->n_rows, sizeof *map);
    void *codes = may_move ? (void *)of->codes : covey_i_array((size_t)of->n_rows, (size_t)values->width);

    assert(values->references == 1 && values->n_rows == of->n_values);
    if (!map || !codes) {
        covey_i_free(map);
        covey_i_free(may_move ? NULL : codes);
        return covey_i_no_memory(err);
    }
    covey_i_column_unpack(map, values, 0, values->n_rows);
    if (!may_move || !is_identity(map, values->n_rows))
        covey_i_codes_map(codes, values->width, of->codes, of->width, (size_t)of->n_rows, map);
    covey_i_free(map);
    covey_i_free((void *)values->codes);
    values->codes = codes;
    values->n_rows = of->n_rows;
    if (may_move)
        of->codes = NULL;
    covey_i_lines_free(values->lines);
    if ((values->lines = of->lines))
        __atomic_add_fetch(&of->lines->references, 1, __ATOMIC_RELAXED);
    return COVEY_OK;
}

static void gather(void *to, const void *from, int width, const int64_t *rows, int64_t n)
{
    COVEY_CODES_TYPED(width, {
        covey_code *restrict code = to;

        for (int64_t i = 0; i < n; i++)
            code[i] = ((const covey_code *)from)[rows[i]];
    });
}

/* Numbers the values that occur among the picked codes: map[old code]; the new codes keep their order.  Returns how
 * many there are. */
static uint32_t number_picked(uint32_t *map, covey_label *labels, int64_t *number, const covey_column *column,
                              const void *codes, int64_t n)
{
    const covey_column picked = {.codes = codes, .width = column->width};
    uint32_t n_values = 0;

    for (int64_t row = 0; row < n; row++)
        map[covey_i_code(&picked, row)] = 1;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (map[v]) {
            labels[n_values] = (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
            number[n_values] = column->number ? column->number[v] : 0;
            map[v] = n_values++;
        }
    return n_values;
}

/* Where the picked rows stand in their file: an entry wherever the next one does not stand in the next line. */
static bool pick_lines(covey_column *picked, const covey_column *column, const int64_t *rows, int64_t n)
{
    covey_lines *lines;
    size_t n_jumps = 0;

    for (int64_t i = 1; i < n; i++)
        n_jumps += covey_column_line(column, rows[i]) != covey_column_line(column, rows[i - 1]) + 1;
    if (n == 0 || (n_jumps == 0 && covey_column_line(column, rows[0]) == 2))
        return true;
    if (!(picked->lines = lines = covey_i_array_zero(1, sizeof *lines)))
        return false;
    lines->references = 1;
    lines->first_line = covey_column_line(column, rows[0]);
    lines->are_rows = column->lines && column->lines->are_rows;
    lines->row = covey_i_array(n_jumps, sizeof *lines->row);
    lines->extra = covey_i_array(n_jumps, sizeof *lines->extra);
    if (!lines->row || !lines->extra)
        return false;
    for (int64_t i = 1; i < n; i++) {
        const int64_t line = covey_column_line(column, rows[i]);

        if (line == covey_column_line(column, rows[i - 1]) + 1)
            continue;
        lines->row[lines->n] = i - 1;
        lines->extra[lines->n++] = line - i - lines->first_line;
    }
    return true;
}

covey_status covey_i_column_pick(covey_column **out, const covey_column *column, const int64_t *rows, int64_t n,
                                 covey_error *err)
{
    covey_label *labels = covey_i_array(column->n_values, sizeof *labels);
    int64_t *number = covey_i_array(column->n_values, sizeof *number);
    uint32_t *map = covey_i_array_zero(column->n_values, sizeof *map), n_values;
    void *gathered = covey_i_array((size_t)n, (size_t)column->width), *codes = NULL;
    covey_column *picked = NULL;
    covey_status status = COVEY_ENOMEM;
    bool has_null;

    if (!labels || !number || !map || !gathered)
        goto done;
    gather(gathered, column->codes, column->width, rows, n);
    n_values = number_picked(map, labels, number, column, gathered, n);
    has_null = column->has_null && n_values > 0 && labels[0].text == covey_column_label(column, 0);
    if (!(codes = covey_i_array((size_t)n, (size_t)covey_i_table_code_width(n_values))))
        goto done;
    covey_i_codes_map(codes, covey_i_table_code_width(n_values), gathered, column->width, (size_t)n, map);
    status = covey_i_column_new(&picked, column->name, column->type, n, n_values, has_null, column->scale,
                                column->text ? labels : NULL, column->number ? number : NULL, codes, err);
    if (status == COVEY_OK && !pick_lines(picked, column, rows, n)) {
        covey_i_column_free(picked);
        status = COVEY_ENOMEM;
    }
    if (status == COVEY_OK) {
        picked->is_typed = column->is_typed;
        *out = picked;
    }
done:
    if (status == COVEY_ENOMEM)
        covey_fail(err, status, "column \"%s\": %lld picked rows", column->name, (long long)n);
    covey_i_free(labels);
    covey_i_free(number);
    covey_i_free(map);
    covey_i_free(gathered);
    return status;
}
