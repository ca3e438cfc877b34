/* The form "bucketized": quasi-identifiers and sensitive values stand in tables of their own, linked by groups alone.
 *
 *     quasi.csv      group, quasi-identifiers, insensitive columns: as they are, sorted by group, then by content
 *     sensitive.csv  group, the sensitive column, count
 *     help.csv       what follows about SUM, MIN and MAX of any 1, 2, ... rows of a group; where the sensitive column is a number
 *
 * Source: [XiaoTao06] section 3 (two tables); [Zhang07] section 4 (help tables; ke-permutation.md 4.6). */
#include "release/bucketized.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fraction.h"
#include "release/sheet.h"
#include "table/table_impl.h"

enum { NUMBER_SIZE = 16, LONGEST_NUMBER = 64 };

/* --- quasi.csv --- */

struct rows {
    const covey_release *release;
    covey_ready_cells *cells; /* [n_cells] */
    size_t n_cells;
    size_t longest;           /* bytes of a line at most */
};

/* "17" with room for a copy in fixed steps; returns its size. */
static size_t print_group(char text[NUMBER_SIZE + COVEY_SHEET_SLACK], uint32_t g)
{
    return (size_t)snprintf(text, NUMBER_SIZE, "%" PRIu32, g + 1);
}

static covey_status add_rows(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct rows *r = context;
    const covey_release *release = r->release;
    const size_t n_rows = release->class_start[end] - release->class_start[begin];
    char *to;

    if (!covey_i_text_reserve(out, n_rows * r->longest + COVEY_SHEET_SLACK))
        return covey_fail(err, COVEY_ENOMEM, "lines of quasi.csv");
    to = out->bytes + out->size;
    for (uint32_t g = begin; g < end; g++) {
        char number[NUMBER_SIZE + COVEY_SHEET_SLACK] = "";
        const size_t n_number = print_group(number, release->first_class + g);

        to = covey_i_sheet_copy_rows(to, r->cells, r->n_cells, release->row_order + release->class_start[g],
                                     release->class_start[g + 1] - release->class_start[g], number, n_number);
    }
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status make_row_cells(struct rows *r, covey_text *header, const covey_problem *problem, covey_error *err)
{
    static const covey_role order[] = {COVEY_ROLE_QUASI, COVEY_ROLE_INSENSITIVE};

    if (!(r->cells = covey_i_array_zero(problem->n_fields, sizeof *r->cells)))
        return covey_fail(err, COVEY_ENOMEM, "columns of quasi.csv");
    covey_i_sheet_add_name(header, "group");
    r->longest = NUMBER_SIZE;
    for (size_t o = 0; o < 2; o++)
        for (size_t f = 0; f < problem->n_fields; f++) {
            if (problem->field[f].role != order[o])
                continue;
            covey_i_sheet_add_name(header, problem->field[f].column->name);
            r->n_cells++;
            COVEY_TRY(covey_i_ready_cells_make(&r->cells[r->n_cells - 1], problem->field[f].column, err));
            r->longest += r->cells[r->n_cells - 1].longest;
        }
    covey_i_text_add_char(header, '\n');
    return header->broken ? covey_fail(err, COVEY_ENOMEM, "header of quasi.csv") : COVEY_OK;
}

covey_status covey_i_bucketized_write_rows(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                                           const covey_run *run, covey_error *err)
{
    struct rows r = {.release = release};
    covey_text header = COVEY_TEXT_INIT;
    covey_status status = make_row_cells(&r, &header, problem, err);
    const covey_sheet sheet = {.name = "quasi.csv", .header = header.bytes, .n_groups = release->n_classes, .start = release->class_start,
                               .lines = add_rows, .context = &r};

    if (status == COVEY_OK)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    for (size_t c = 0; c < r.n_cells; c++)
        covey_i_ready_cells_free(&r.cells[c]);
    covey_i_free(r.cells);
    covey_i_text_free(&header);
    return status;
}

/* --- sensitive.csv --- */

struct values {
    const covey_bucketized *data;
    uint32_t first_class;
    covey_ready_cells cells;
};

static covey_status add_values(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct values *v = context;
    const covey_bucketized *data = v->data;
    const size_t n_lines = data->line_start[end] - data->line_start[begin];
    char *to;

    if (!covey_i_text_reserve(out, n_lines * (v->cells.longest + 2 * NUMBER_SIZE) + COVEY_SHEET_SLACK))
        return covey_fail(err, COVEY_ENOMEM, "lines of sensitive.csv");
    to = out->bytes + out->size;
    for (uint32_t g = begin; g < end; g++) {
        char number[NUMBER_SIZE + COVEY_SHEET_SLACK] = "";
        const size_t n_number = print_group(number, v->first_class + g);

        for (uint32_t i = data->line_start[g]; i < data->line_start[g + 1]; i++) {
            to = covey_i_sheet_copy(to, number, n_number);
            to = covey_i_sheet_copy_cell(to, &v->cells, data->code[i]);
            to += snprintf(to, NUMBER_SIZE, ",%" PRIu32 "\n", data->count[i]);
        }
    }
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status write_values(const covey_release *release, const covey_column *column, const char *folder, covey_files *files,
                                 const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    struct values v = {.data = data, .first_class = release->first_class};
    covey_text header = COVEY_TEXT_INIT;
    covey_sheet sheet = {.name = "sensitive.csv", .n_groups = release->n_classes, .start = data->line_start, .lines = add_values, .context = &v};
    covey_status status;

    covey_i_sheet_add_name(&header, "group");
    covey_i_sheet_add_name(&header, column->name);
    covey_i_text_add_string(&header, ",count\n");
    sheet.header = header.bytes;
    if (header.broken)
        status = covey_fail(err, COVEY_ENOMEM, "header of sensitive.csv");
    else if ((status = covey_i_ready_cells_make(&v.cells, column, err)) == COVEY_OK)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    covey_i_ready_cells_free(&v.cells);
    covey_i_text_free(&header);
    return status;
}

/* --- help.csv --- */

struct help {
    const covey_release *release;
    const covey_bucketized *data;
    const covey_column *column;
};

static int compare_values(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The numbers of a group, ascending: the codes of a hierarchy need not follow them. */
static void list_numbers(int64_t *value, const struct help *h, uint32_t g)
{
    uint32_t n = 0;
    bool ascends = true;

    for (uint32_t i = h->data->line_start[g]; i < h->data->line_start[g + 1]; i++)
        for (uint32_t c = 0; c < h->data->count[i]; c++) {
            value[n] = h->column->number[h->data->code[i]];
            ascends &= n == 0 || value[n - 1] <= value[n];
            n++;
        }
    if (!ascends)
        qsort(value, n, sizeof *value, compare_values);
}

/* Digits from the right; returns where they begin. */
static char *print_digits(char *end, covey_u128 magnitude, int scale)
{
    char *at = end;

    for (int digits = 0; magnitude > 0 || digits <= scale; digits++) {
        if (digits == scale && scale > 0)
            *--at = '.';
        if (magnitude <= UINT64_MAX) { /* 64-bit division is many times faster */
            uint64_t low = (uint64_t)magnitude;

            *--at = (char)('0' + low % 10);
            magnitude = low / 10;
        } else {
            *--at = (char)('0' + (int)(magnitude % 10));
            magnitude /= 10;
        }
    }
    return at;
}

/* Appends a comma and number / 10^scale with all its digits. */
static char *add_number(char *to, covey_i128 number, int scale)
{
    char text[LONGEST_NUMBER], *end = text + sizeof text, *at = print_digits(end, number < 0 ? -(covey_u128)number : (covey_u128)number, scale);

    *to++ = ',';
    if (number < 0)
        *to++ = '-';
    memcpy(to, at, (size_t)(end - at));
    return to + (end - at);
}

char *covey_i_help_line(char *to, uint32_t group, uint32_t hits, int scale, const covey_i128 figure[6])
{
    to += snprintf(to, 2 * NUMBER_SIZE, "%" PRIu32 ",%" PRIu32, group + 1, hits);
    for (size_t i = 0; i < 6; i++)
        to = add_number(to, figure[i], scale);
    *to++ = '\n';
    return to;
}

/* What 1, 2, ... hits of a group can add up to, and between which values their smallest and largest lie: hits take the first values, or
 * the last. */
static char *add_group(char *to, const int64_t *value, uint32_t n, int scale, uint32_t g)
{
    covey_i128 lower = 0, upper = 0;

    for (uint32_t hits = 1; hits <= n; hits++) {
        lower += value[hits - 1];
        upper += value[n - hits];
        to = covey_i_help_line(to, g, hits, scale, (const covey_i128[]){lower, upper, value[0], value[n - hits], value[hits - 1], value[n - 1]});
    }
    return to;
}

static covey_status add_help(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct help *h = context;
    const uint32_t *start = h->release->class_start;
    uint32_t largest = 0;
    int64_t *value;

    for (uint32_t g = begin; g < end; g++)
        largest = start[g + 1] - start[g] > largest ? start[g + 1] - start[g] : largest;
    if (!(value = covey_i_array(largest, sizeof *value)))
        return covey_fail(err, COVEY_ENOMEM, "lines of help.csv");
    for (uint32_t g = begin; g < end; g++) {
        const uint32_t n = start[g + 1] - start[g];

        if (!covey_i_text_reserve(out, (size_t)n * COVEY_HELP_LINE + COVEY_SHEET_SLACK))
            break;
        list_numbers(value, h, g);
        out->size = (size_t)(add_group(out->bytes + out->size, value, n, h->column->scale, h->release->first_class + g) - out->bytes);
    }
    covey_i_free(value);
    return out->broken ? covey_fail(err, COVEY_ENOMEM, "lines of help.csv") : COVEY_OK;
}

/* Sums need numbers; a date is none, and a missing value has none. */
static bool has_help(const covey_column *column)
{
    return (column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL) && column->number && !column->has_null;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                                 const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    const covey_column *column = problem->field[data->field].column;
    struct help h = {release, data, column};
    const covey_sheet sheet = {.name = "help.csv", .header = COVEY_HELP_HEADER,
                               .n_groups = release->n_classes, .start = release->class_start, .lines = add_help, .context = &h};

    COVEY_TRY(covey_i_bucketized_write_rows(release, problem, folder, files, run, err));
    COVEY_TRY(write_values(release, column, folder, files, run, err));
    return has_help(column) ? covey_i_sheet_write(&sheet, folder, files, run, err) : COVEY_OK;
}

void covey_i_bucketized_ranges(covey_i128 *sum, covey_i128 *largest, const covey_release *release, const covey_column *column)
{
    const covey_bucketized *data = release->form_data;

    *sum = *largest = 0;
    for (uint32_t g = 0; g < release->n_classes; g++) {
        int64_t low = column->number[data->code[data->line_start[g]]], high = low;
        covey_i128 range;

        for (uint32_t i = data->line_start[g] + 1; i < data->line_start[g + 1]; i++) {
            low = column->number[data->code[i]] < low ? column->number[data->code[i]] : low;
            high = column->number[data->code[i]] > high ? column->number[data->code[i]] : high;
        }
        range = (covey_i128)high - low;
        *sum += range;
        *largest = range > *largest ? range : *largest;
    }
}

static void free_data(void *form_data)
{
    covey_bucketized *data = form_data;

    if (!data)
        return;
    covey_i_free(data->line_start);
    covey_i_free(data->code);
    covey_i_free(data->count);
    covey_i_free(data);
}

/* "hits" and the bounds stand in help.csv, where no column of the input does. */
static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "group") == 0 || (role == COVEY_ROLE_SENSITIVE && strcmp(name, "count") == 0);
}

const covey_form covey_form_bucketized = {
    .name = "bucketized",
    .summary = "quasi-identifiers and sensitive values as they are, in two tables that only groups of rows link",
    .unit = "group",
    .faithful = "Every group is made of rows of the original, one to one.",
    .write = write_tables,
    .free_data = free_data,
    .is_exact = true,
    .reserves = reserves,
};
