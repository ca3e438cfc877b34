/* CSV files from strangers: the fast reader, cut into chunks of any size, agrees with the careful parser on every cell
 * and on what is wrong.  The first byte of the input chooses the options. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "io/csv/read.h"
#include "table/table_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static covey_status read_in_chunks(covey_table **out, const covey_infile *file, const covey_csv_options *options,
                                   size_t chunk_size, int n_threads, covey_error *err)
{
    const covey_run run = {.n_threads = n_threads};

    return covey_i_csv_read_file(out, file, "f.csv", options, chunk_size, &run, err);
}

/* Every cell of a table that was read must be what the careful parser says. */
static void compare_with_parser(const covey_table *table, const covey_infile *file, const covey_csv_options *options,
                                char delimiter)
{
    covey_csv_parser parser;
    bool more;

    covey_i_csv_parser_init(&parser, file->bytes, file->size, delimiter);
    parser.trim = options->trim;
    require(covey_i_csv_parser_next(&more, &parser, "f.csv", NULL) == COVEY_OK && more);
    require(parser.n_fields == covey_table_n_columns(table));
    for (int64_t row = 0; row < covey_table_n_rows(table); row++) {
        if (row > 0 || !options->no_header)
            require(covey_i_csv_parser_next(&more, &parser, "f.csv", NULL) == COVEY_OK && more);
        require(parser.n_fields == covey_table_n_columns(table));
        for (size_t c = 0; c < parser.n_fields; c++) {
            const covey_column *column = covey_table_column(table, c);
            const uint32_t code = covey_column_code(column, row);
            const size_t n = covey_i_csv_field_size(&parser, c);

            require(code < column->n_values);
            require((n == 0) == (column->has_null && code == 0));
            require(n == 0 || (n == covey_column_label_size(column, code) &&
                               memcmp(covey_i_csv_field(&parser, c), covey_column_label(column, code), n) == 0));
            require(covey_column_line(column, row) == parser.record_line);
        }
    }
    if (covey_table_n_rows(table) > 0 || !options->no_header)
        require(covey_i_csv_parser_next(&more, &parser, "f.csv", NULL) == COVEY_OK && !more);
    covey_i_csv_parser_clear(&parser);
}

/* The reader of sorted files must say the same; of a numbered one the numbers are those of the first column. */
static void compare_with_sorted(const covey_table *table, const covey_infile *file, const covey_csv_options *options,
                                size_t chunk_size, covey_status status, const covey_error *err)
{
    const covey_run run = {.n_threads = 2};

    for (int is_numbered = 0; is_numbered < 2; is_numbered++) {
        covey_csv_numbers numbers = {0};
        covey_table *sorted = NULL;
        covey_error err_sorted = {0};

        require(covey_i_csv_read_sorted_file(&sorted, is_numbered ? &numbers : NULL, file, "f.csv", options, chunk_size,
                                             &run, &err_sorted) == status);
        if (status != COVEY_OK) {
            require(strcmp(err->message, err_sorted.message) == 0 && err->row == err_sorted.row &&
                    strcmp(err->column, err_sorted.column) == 0);
            continue;
        }
        require(covey_table_n_rows(sorted) == covey_table_n_rows(table) &&
                covey_table_n_columns(sorted) == covey_table_n_columns(table));
        for (uint32_t n = 1; numbers.start && n <= numbers.n; n++)
            for (uint32_t row = numbers.start[n - 1]; row < numbers.start[n]; row++)
                require(strtoul(covey_column_label(covey_table_column(table, 0),
                                                   covey_column_code(covey_table_column(table, 0), row)),
                                NULL, 10) == n);
        require(!numbers.start || numbers.start[numbers.n] == covey_table_n_rows(table));
        for (size_t c = numbers.start != NULL; c < covey_table_n_columns(table); c++)
            for (int64_t row = 0; row < covey_table_n_rows(table); row++)
                require(covey_column_code(covey_table_column(table, c), row) ==
                        covey_column_code(covey_table_column(sorted, c), row));
        covey_i_free(numbers.start);
        covey_table_free(sorted);
    }
}

static void check_types(const covey_table *table)
{
    for (size_t c = 0; c < covey_table_n_columns(table); c++) {
        const covey_column *raw = covey_table_column(table, c);
        covey_column *typed = NULL;

        require(covey_i_typing_column_type(&typed, raw, COVEY_TYPE_GUESS, NULL, 0, "f.csv", NULL) == COVEY_OK);
        for (uint32_t v = 1 + typed->has_null; typed->number && v < typed->n_values; v++)
            require(typed->number[v - 1] < typed->number[v]);
        for (uint32_t v = 1 + raw->has_null; v < raw->n_values; v++)
            require(strcmp(covey_column_label(raw, v - 1), covey_column_label(raw, v)) < 0);
        covey_i_column_free(typed);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_infile file = COVEY_INFILE_INIT;
    covey_table *table = NULL, *again = NULL;
    covey_error err = {0}, err_again = {0};
    covey_status status;
    char *bytes;

    if (size == 0)
        return 0;
    options.trim = data[0] & 1;
    options.no_header = data[0] & 2;
    options.delimiter = data[0] & 4 ? ';' : '\0';
    if (!(bytes = covey_i_array_zero(size - 1 + COVEY_INFILE_PADDING, 1)))
        return 0;
    memcpy(bytes, data + 1, size - 1);
    file.bytes = file.owned = bytes;
    file.size = size - 1;
    status = read_in_chunks(&table, &file, &options, 0, 1, &err);
    require(status == COVEY_OK || status == COVEY_EPARSE);
    require(read_in_chunks(&again, &file, &options, 1 + (data[0] >> 3), 2, &err_again) == status);
    if (status == COVEY_OK) {
        compare_with_parser(table, &file, &options,
                            options.delimiter ? options.delimiter : covey_i_csv_guess(file.bytes, file.size));
        compare_with_parser(again, &file, &options,
                            options.delimiter ? options.delimiter : covey_i_csv_guess(file.bytes, file.size));
        check_types(table);
    } else {
        require(strcmp(err.message, err_again.message) == 0 && err.row == err_again.row &&
                strcmp(err.column, err_again.column) == 0);
    }
    compare_with_sorted(table, &file, &options, 1 + (data[0] >> 3), status, &err);
    covey_table_free(table);
    covey_table_free(again);
    covey_i_infile_close(&file);
    return 0;
}
