/* What is written is read again as it was, and every way to read a file gives the same table. */
#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/rng.h"
#include "io/csv/read.h"

enum { N_TABLES = 160 };

/* Cells are made of these. */
static const char *const pieces[] = {
    "",  "\"", ",",    ";", "\t", "|",        "\n",       "\r\n",         "\r",
    " ", "ä",  "日本", "a", "7",  "nullable", "\"\"\"\"", "\xEF\xBB\xBF", "a text that is longer than a word"};

static covey_rng seeded(uint64_t seed)
{
    unsigned char key[32] = {0};
    covey_rng rng;

    memcpy(key, &seed, sizeof seed);
    covey_i_rng_init(&rng, key, 0);
    return rng;
}

static void random_cell(covey_text *cell, covey_rng *rng)
{
    const uint64_t n = covey_i_rng_below(rng, 4);

    covey_i_text_clear(cell);
    covey_i_text_add(cell, "", 0);
    for (uint64_t i = 0; i < n; i++)
        covey_i_text_add_string(cell, pieces[covey_i_rng_below(rng, sizeof pieces / sizeof *pieces)]);
}

/* A random table: its cells one after another, a NUL behind each, and the CSV text that holds them. */
struct sample {
    size_t n_columns;
    int64_t n_rows;
    char delimiter;
    covey_text cells, csv;
};

static struct sample random_sample(uint64_t seed)
{
    covey_rng rng = seeded(seed);
    struct sample s = {.n_columns = 1 + covey_i_rng_below(&rng, 4), .delimiter = ",;\t|:"[covey_i_rng_below(&rng, 5)]};
    const bool crlf = covey_i_rng_below(&rng, 2), force_quotes = covey_i_rng_below(&rng, 3) == 0;
    const char *line_end = crlf ? "\r\n" : "\n";
    covey_text cell = COVEY_TEXT_INIT;

    s.n_rows = (int64_t)covey_i_rng_below(&rng, 40);
    for (size_t c = 0; c < s.n_columns; c++)
        covey_i_text_add_format(&s.csv, "column %zu%s", c,
                                c + 1 < s.n_columns ? (char[]){s.delimiter, '\0'} : line_end);
    for (int64_t row = 0; row < s.n_rows; row++)
        for (size_t c = 0; c < s.n_columns; c++) {
            random_cell(&cell, &rng);
            covey_i_text_add(&s.cells, cell.bytes, cell.size + 1);
            if (cell.size == 0 && s.n_columns == 1)
                covey_i_text_add_string(&s.csv, "\"\"");
            else if (force_quotes && !covey_i_csv_needs_quotes(cell.bytes, cell.size, s.delimiter))
                covey_i_text_add_format(&s.csv, "\"%s\"", cell.bytes);
            else
                covey_i_csv_add_cell(&s.csv, cell.bytes, cell.size, s.delimiter);
            covey_i_text_add_string(&s.csv, c + 1 < s.n_columns ? (char[]){s.delimiter, '\0'} : line_end);
        }
    covey_i_text_free(&cell);
    return s;
}

static void free_sample(struct sample *s)
{
    covey_i_text_free(&s->cells);
    covey_i_text_free(&s->csv);
}

static covey_table *read_sample(const struct sample *s, size_t chunk_size, int n_threads)
{
    const covey_csv_options options = {.delimiter = s->delimiter};
    const covey_run run = {.n_threads = n_threads};
    covey_infile file = csv_of_bytes(s->csv.bytes, s->csv.size);
    covey_table *table = NULL;
    covey_error err;

    if (covey_i_csv_read_file(&table, &file, "t.csv", &options, chunk_size, &run, &err) != COVEY_OK)
        fail_msg("%s in\n%s", err.message, s->csv.bytes);
    covey_i_infile_close(&file);
    return table;
}

static void tables_hold_the_cells_that_were_written(void **unused)
{
    for (uint64_t seed = 0; seed < N_TABLES; seed++) {
        struct sample s = random_sample(seed);
        covey_table *table = read_sample(&s, 0, 1);
        const char *cell = s.cells.bytes;

        assert_int_equal(covey_table_n_rows(table), s.n_rows);
        assert_int_equal(covey_table_n_columns(table), s.n_columns);
        for (int64_t row = 0; row < s.n_rows; row++)
            for (size_t c = 0; c < s.n_columns; c++, cell += strlen(cell) + 1)
                assert_string_equal(csv_cell(table, c, row), *cell ? cell : "null");
        covey_table_free(table);
        free_sample(&s);
    }
}

static void neither_chunks_nor_threads_make_a_difference(void **unused)
{
    for (uint64_t seed = 0; seed < N_TABLES; seed++) {
        struct sample s = random_sample(seed);
        covey_table *whole = read_sample(&s, 0, 1);

        for (size_t chunk_size = 1; chunk_size < 200; chunk_size = chunk_size * 3 + 1)
            for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
                covey_table *table = read_sample(&s, chunk_size, n_threads);

                assert_true(csv_tables_agree(table, whole));
                for (int64_t row = 0; row < s.n_rows; row++)
                    assert_int_equal(covey_column_line(covey_table_column(table, 0), row),
                                     covey_column_line(covey_table_column(whole, 0), row));
                covey_table_free(table);
            }
        covey_table_free(whole);
        free_sample(&s);
    }
}

static void dictionaries_are_sorted_complete_and_without_doubles(void **unused)
{
    for (uint64_t seed = 0; seed < N_TABLES; seed++) {
        struct sample s = random_sample(seed);
        covey_table *table = read_sample(&s, 7, 2);

        for (size_t c = 0; c < s.n_columns; c++) {
            const covey_column *column = covey_table_column(table, c);
            bool seen[200] = {false};

            for (int64_t row = 0; row < s.n_rows; row++)
                seen[covey_column_code(column, row)] = true;
            for (uint32_t v = 0; v < column->n_values; v++) {
                assert_true(seen[v]);
                if (v > column->has_null)
                    assert_true(strcmp(covey_column_label(column, v - 1), covey_column_label(column, v)) < 0);
            }
        }
        covey_table_free(table);
        free_sample(&s);
    }
}

static void writing_and_reading_is_identity(void **unused)
{
    static const char *const names[] = {"t.csv", "t.csv.gz", "t.csv.zst"};

    csv_folder();
    for (uint64_t seed = 0; seed < N_TABLES; seed++) {
        struct sample s = random_sample(seed);
        const covey_csv_options options = {.delimiter = s.delimiter};
        const char *path = csv_path(names[seed % 3]);
        covey_table *table = read_sample(&s, 0, 1), *again = NULL;
        covey_error err;

        if (covey_csv_write(table, path, s.delimiter, NULL, &err) != COVEY_OK ||
            covey_csv_read(&again, path, &options, NULL, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        assert_true(csv_tables_agree(table, again));
        assert_int_equal(remove(path), 0);
        covey_table_free(table);
        covey_table_free(again);
        free_sample(&s);
    }
    csv_folder_remove();
}

static void errors_are_the_same_for_all_chunks_and_threads(void **unused)
{
    for (uint64_t seed = 0; seed < N_TABLES; seed++) {
        struct sample s = random_sample(seed);
        covey_rng rng = seeded(seed + N_TABLES);
        const covey_csv_options options = {.delimiter = s.delimiter};
        covey_status first_status = COVEY_OK;
        covey_error first = {0};

        for (int i = 0; i < 3 && s.csv.size > 0; i++) /* some bytes go wrong */
            s.csv.bytes[covey_i_rng_below(&rng, s.csv.size)] = "\",;\n\xFFx\r"[covey_i_rng_below(&rng, 7)];
        for (size_t chunk_size = 0; chunk_size < 100; chunk_size = chunk_size * 3 + 1) {
            const covey_run run = {.n_threads = 1 + (int)(chunk_size % 3)};
            covey_infile file = csv_of_bytes(s.csv.bytes, s.csv.size);
            covey_table *table = NULL;
            covey_error err = {0};
            const covey_status status = covey_i_csv_read_file(&table, &file, "t.csv", &options, chunk_size, &run, &err);

            assert_int_not_equal(status, COVEY_EINTERNAL);
            if (chunk_size == 0) {
                first_status = status;
                first = err;
            }
            assert_int_equal(status, first_status);
            if (status != COVEY_OK) {
                assert_string_equal(err.message, first.message);
                assert_string_equal(err.column, first.column);
                assert_int_equal(err.row, first.row);
            }
            covey_table_free(table);
            covey_i_infile_close(&file);
        }
        free_sample(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_the_cells_that_were_written),
        cmocka_unit_test(neither_chunks_nor_threads_make_a_difference),
        cmocka_unit_test(dictionaries_are_sorted_complete_and_without_doubles),
        cmocka_unit_test(writing_and_reading_is_identity),
        cmocka_unit_test(errors_are_the_same_for_all_chunks_and_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
