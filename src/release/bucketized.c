/* The form "bucketized": quasi-identifiers and sensitive values stand in tables of their own, linked by groups alone.
 *
 *     quasi.csv      group, quasi-identifiers, insensitive columns: as they are, sorted by group, then by content
 *     sensitive.csv  group, the sensitive column, count
 *     help.csv       what follows about SUM, MIN and MAX of any 1, 2, ... rows of a group; where the sensitive column is a number
 *
 * Source: [XiaoTao06] section 3 (two tables); [Zhang07] section 4 (help tables; ke-permutation.md 4.6). */
#include "release/bucketized.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digits.h"
#include "release/help_sheet.h"
#include "release/sheet.h"
#include "table/table_impl.h"

enum { NUMBER_SIZE = 16 };

/* --- quasi.csv --- */

struct rows {
    const covey_release *release;
    covey_ready_cells *cells; /* [n_cells] */
    size_t n_cells;
    size_t longest;           /* bytes of a line at most */
};

/* "17"; returns its size. */
static size_t print_group(char text[NUMBER_SIZE + COVEY_SHEET_SLACK], uint32_t g)
{
    char room[COVEY_DIGITS + NUMBER_SIZE], *end = room + COVEY_DIGITS, *at = covey_i_digits(end, (uint64_t)g + 1);

    memcpy(text, at, NUMBER_SIZE);
    return (size_t)(end - at);
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

static inline char *add_count(char *to, uint32_t count)
{
    char room[COVEY_DIGITS], *end = room + sizeof room, *at = end;

    *--at = '\n';
    at = covey_i_digits(at, count);
    *--at = ',';
    memcpy(to, at, (size_t)(end - at));
    return to + (end - at);
}

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
            to = add_count(to, data->count[i]);
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
        low[n] = (covey_help_run){h->column->number[h->data->code[i]], h->data->count[i]};
        ascends &= n == 0 || low[n - 1].end <= low[n].end;
        n++;
    }
    if (!ascends)
        qsort(low, n, sizeof *low, compare_runs);
    memcpy(high, low, n * sizeof *low);
    return n;
}

static covey_status write_help(const covey_release *release, const covey_column *column, const char *folder, covey_files *files,
                               const covey_run *run, covey_error *err)
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
    return (column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL) && column->number && !column->has_null;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                                 const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    const covey_column *column = problem->field[data->field].column;

    COVEY_TRY(covey_i_bucketized_write_rows(release, problem, folder, files, run, err));
    COVEY_TRY(write_values(release, column, folder, files, run, err));
    return has_help(column) ? write_help(release, column, folder, files, run, err) : COVEY_OK;
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
