/* The form "bucketized": quasi-identifiers and sensitive values stand in tables of their own, linked by groups alone.
 *
 *     quasi.csv      group, quasi-identifiers, insensitive columns: as they are, sorted by group, then by content
 *     sensitive.csv  group, the sensitive column, count
 *     help.csv       what follows about SUM, MIN and MAX of any 1, 2, ... rows of a group; where the sensitive column
 * is a number
 *
 * Source: [XiaoTao06] section 3 (two tables); [Zhang07] section 4 (help tables). */
#include "release/bucketized/bucketized.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/digits.h"
#include "base/sort/find.h"
#include "release/sheet/help_sheet.h"
#include "release/sheet/quasi_sheet.h"
#include "release/sheet/sheet.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { NUMBER_SIZE = 16 };

/* --- sensitive.csv --- */

struct values {
    const covey_bucketized *data;
    uint32_t n_groups, first_class;
    covey_ready_cells cells;
};

/* "17" and what comes before it; returns its size. */
static inline size_t print_number(char text[NUMBER_SIZE + COVEY_SHEET_SLACK], uint64_t number)
{
    char room[COVEY_DIGITS + NUMBER_SIZE], *end = room + COVEY_DIGITS, *at = covey_i_digits(end, number);

    memcpy(text, at, NUMBER_SIZE);
    return (size_t)(end - at);
}

/* The lines begin .. end-1 of the table. */
static covey_status add_values(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct values *v = context;
    const covey_bucketized *data = v->data;
    char number[NUMBER_SIZE + COVEY_SHEET_SLACK] = "", *to;
    uint32_t g = covey_i_find_span(data->line_start, v->n_groups, begin);
    size_t n_number = print_number(number, (uint64_t)v->first_class + g + 1);

    if (!covey_i_text_reserve(out,
                              (size_t)(end - begin) * (v->cells.longest + 3 * NUMBER_SIZE) + 2 * COVEY_SHEET_SLACK))
        return covey_i_no_memory(err);
    to = out->bytes + out->size;
    for (uint32_t i = begin; i < end; i++) {
        if (i == data->line_start[g + 1])
            n_number = print_number(number, (uint64_t)v->first_class + ++g + 1);
        to = covey_i_sheet_copy(to, number, n_number);
        to = covey_i_sheet_copy_cell(to, &v->cells, covey_i_bucketized_code(data, i));
        *to++ = ',';
        to += print_number(to, covey_i_bucketized_count(data, i));
        *to++ = '\n';
    }
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status write_values(const covey_release *release, const covey_column *column, const char *folder,
                                 covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    struct values v = {.data = data, .n_groups = release->n_classes, .first_class = release->first_class};
    covey_text header = COVEY_TEXT_INIT;
    covey_sheet sheet = {
        .name = "sensitive.csv", .n_groups = data->line_start[release->n_classes], .lines = add_values, .context = &v};
    covey_status status;

    covey_i_sheet_add_name(&header, "group");
    covey_i_sheet_add_name(&header, column->name);
    covey_i_text_add_string(&header, ",count\n");
    sheet.header = header.bytes;
    if (header.broken)
        status = covey_i_no_memory(err);
    else if ((status = covey_i_ready_cells_make(&v.cells, column, ',', "", err)) == COVEY_OK)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    covey_i_ready_cells_free(&v.cells);
    covey_i_text_free(&header);
    return status;
}

/* --- help.csv --- */

struct help {
    const covey_bucketized *data;
    const covey_column *column;
};

static int compare_runs(const void *a, const void *b)
{
    const covey_help_run *x = a, *y = b;

    return (x->end > y->end) - (x->end < y->end);
}

/* The numbers of a group, ascending: the codes of a hierarchy need not follow them. */
static uint32_t list_numbers(covey_help_run *low, covey_help_run *high, const void *context, uint32_t g)
{
    const struct help *h = context;
    uint32_t n = 0;
    bool ascends = true;

    for (uint32_t i = h->data->line_start[g]; i < h->data->line_start[g + 1]; i++) {
        low[n] = (covey_help_run){h->column->number[covey_i_bucketized_code(h->data, i)],
                                  covey_i_bucketized_count(h->data, i)};
        ascends &= n == 0 || low[n - 1].end <= low[n].end;
        n++;
    }
    if (!ascends)
        qsort(low, n, sizeof *low, compare_runs);
    memcpy(high, low, n * sizeof *low);
    return n;
}

static covey_status write_help(const covey_release *release, const covey_column *column, const char *folder,
                               covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    const struct help h = {data, column};
    covey_help help = {.release = release, .scale = column->scale, .list = list_numbers, .context = &h};

    for (uint32_t g = 0; g < release->n_classes; g++)
        if (data->line_start[g + 1] - data->line_start[g] > help.most_runs)
            help.most_runs = data->line_start[g + 1] - data->line_start[g];
    return covey_i_help_write(&help, folder, files, run, err);
}

/* Sums need numbers; a date is none, and a missing value has none. */
static bool has_help(const covey_column *column)
{
    return (column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL) && column->number &&
           !column->has_null;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder,
                                 covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    const covey_column *column = problem->field[data->field].column;

    COVEY_TRY(covey_i_quasi_write(release, problem, data->content, folder, files, run, err));
    COVEY_TRY(write_values(release, column, folder, files, run, err));
    return has_help(column) ? write_help(release, column, folder, files, run, err) : COVEY_OK;
}

void covey_i_bucketized_ranges(covey_i128 *sum, covey_i128 *largest, const covey_release *release,
                               const covey_column *column)
{
    const covey_bucketized *data = release->form_data;

    *sum = *largest = 0;
    for (uint32_t g = 0; g < release->n_classes; g++) {
        int64_t low = column->number[covey_i_bucketized_code(data, data->line_start[g])], high = low;
        covey_i128 range;

        for (uint32_t i = data->line_start[g] + 1; i < data->line_start[g + 1]; i++) {
            low = column->number[covey_i_bucketized_code(data, i)] < low
                      ? column->number[covey_i_bucketized_code(data, i)]
                      : low;
            high = column->number[covey_i_bucketized_code(data, i)] > high
                       ? column->number[covey_i_bucketized_code(data, i)]
                       : high;
        }
        range = (covey_i128)high - low;
        *sum += range;
        *largest = range > *largest ? range : *largest;
    }
}

/* Of the sensitive column the lines tell; of others, as promises on several together have them, the rows. */
static void add_counts(covey_histogram *counts, const covey_release *release, const covey_problem *problem,
                       const covey_column *column, uint32_t g)
{
    const covey_bucketized *data = release->form_data;
    const bool has_lines = column == problem->field[data->field].column;

    for (uint32_t i = data->line_start[g]; has_lines && i < data->line_start[g + 1]; i++)
        covey_i_histogram_add(counts, covey_i_bucketized_code(data, i), covey_i_bucketized_count(data, i));
    for (uint32_t i = release->class_start[g]; !has_lines && i < release->class_start[g + 1]; i++)
        covey_i_histogram_add(counts, covey_i_code(column, release->row_order[i]), 1);
}

/* Without contents the lines are made of the columns' cells. */
static void map_codes(covey_release *release, size_t field, const uint32_t *map, uint32_t n_values)
{
    covey_bucketized *data = release->form_data;

    covey_i_free(data->content);
    data->content = NULL;
}

static void free_data(void *form_data)
{
    covey_bucketized *data = form_data;

    if (!data)
        return;
    covey_i_free(data->line_start);
    covey_i_free(data->code);
    covey_i_free(data->count);
    covey_i_free(data->content);
    covey_i_free(data);
}

/* "hits" and the bounds stand in help.csv, where no column of the input does. */
static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "group") == 0 || (role == COVEY_ROLE_SENSITIVE && strcmp(name, "count") == 0);
}

const covey_form covey_form_bucketized = {
    .name = "bucketized",
    .unit = "group",
    .faithful = "Every group is made of rows of the original, one to one.",
    .write = write_tables,
    .free_data = free_data,
    .map_codes = map_codes,
    .is_exact = true,
    .units_alike = true,
    .reserves = reserves,
    .add_counts = add_counts,
};
