/* Tables without memory: requests fail one by one, and nothing leaks, crashes or is half done. */
#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "support/failing.h"
#include "base/alloc.h"
#include "base/text.h"
#include "io/csv/read.h"
#include "table/table_impl.h"

/* Reads, types and writes. */
static covey_status go_through(const covey_infile *file, int n_threads, covey_error *err)
{
    static const char *const order[] = {"x", "y", "z"};
    const covey_run run = {.n_threads = n_threads};
    covey_table *table = NULL;
    covey_column *typed = NULL, *ordered = NULL, *picked = NULL;
    covey_status status = covey_i_csv_read_file(&table, file, "t.csv", NULL, 500, &run, err);

    if (status == COVEY_OK)
        status =
            covey_i_typing_column_type(&typed, covey_table_column(table, 0), COVEY_TYPE_GUESS, NULL, 0, "t.csv", err);
    if (status == COVEY_OK)
        status =
            covey_i_typing_column_type(&ordered, covey_table_column(table, 1), COVEY_TYPE_TEXT, order, 3, "t.csv", err);
    if (status == COVEY_OK)
        status = covey_i_column_pick(&picked, ordered, (const int64_t[]){1, 0}, 2, err);
    if (status == COVEY_OK)
        status = covey_csv_write(table, csv_path("t.csv.gz"), ',', &run, err);
    if (status != COVEY_OK)
        assert_int_not_equal(access(csv_path("t.csv.gz"), F_OK), 0);
    covey_i_column_free(typed);
    covey_i_column_free(ordered);
    covey_i_column_free(picked);
    covey_table_free(table);
    return status;
}

/* The same of the reader of sorted files, which goes the ordinary way where one is not. */
static covey_status sorted_go_through(const covey_infile *file, size_t chunk_size, int n_threads, covey_error *err)
{
    const covey_run run = {.n_threads = n_threads};
    covey_csv_numbers numbers = {0};
    covey_table *table = NULL;
    covey_status status = covey_i_csv_read_sorted_file(&table, &numbers, file, "t.csv", NULL, chunk_size, &run, err);

    if (status != COVEY_OK)
        assert_null(numbers.start);
    covey_i_free(numbers.start);
    covey_table_free(table);
    return status;
}

static void test_sorted_files_without_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* sorted or not; sorted in one chunk, with so many rows of so many numbers
                                              that all grows in the middle */
        const bool is_sorted = kind > 0;
        covey_text text = COVEY_TEXT_INIT;
        failing f = {.least = 30};
        covey_infile file;

        covey_i_text_add_string(&text, "class,letter,text\n");
        for (int row = 0; row < 1500; row++)
            covey_i_text_add_format(&text, "%d,%c,a text of row %d\n", (kind == 2 ? row : row / 3) + 1, "xyz"[row % 3],
                                    row);
        covey_i_text_add_string(&text, is_sorted ? "" : "7,x,y\n");
        file = csv_of_bytes(text.bytes, text.size);
        while (failing_next(&f))
            failing_ends(&f, sorted_go_through(&file, kind == 2 ? 1 << 20 : 500, 2, &f.err));
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

static void fail_each_request(int n_threads)
{
    covey_text text = COVEY_TEXT_INIT;
    failing f = {.least = 50};
    covey_infile file;

    covey_i_text_add_string(&text, "number,letter,text\n");
    for (int row = 0; row < 300; row++) /* so many values that codes widen and tables grow */
        covey_i_text_add_format(&text, "%d.%d,%c,\"a text with \"\"quotes\"\",\nand lines: %d\"\n", row, row % 2 * 10,
                                "xyz"[row % 3], row);
    file = csv_of_bytes(text.bytes, text.size);
    csv_folder();
    while (failing_next(&f))
        failing_ends(&f, go_through(&file, n_threads, &f.err));
    csv_folder_remove();
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
}

static void one_thread(void **unused)
{
    fail_each_request(1);
}

static void three_threads(void **unused)
{
    fail_each_request(3);
}

static bool is_number(void *context, const char *name)
{
    (void)context;
    return strcmp(name, "number") == 0;
}

/* Keys beside each other, which have an array, and far apart, which are looked up: so many that the table grows. */
static void keys_without_memory(void **state)
{
    const covey_csv_options options = {.tell_apart = is_number};
    const covey_run run = {.n_threads = 2};

    (void)state;
    for (int apart = 1; apart <= 60000; apart += 59999) {
        covey_text text = COVEY_TEXT_INIT;
        failing f = {.least = 20};
        covey_infile file;

        covey_i_text_add_string(&text, "number,letter\n");
        for (int row = 0; row < 9000; row++)
            covey_i_text_add_format(&text, "%d,%c\n", row % 5000 * apart, "xyz"[row % 3]);
        file = csv_of_bytes(text.bytes, text.size);
        while (failing_next(&f)) {
            covey_table *table = NULL;

            failing_ends(&f, covey_i_csv_read_file(&table, &file, "t.csv", &options, 20000, &run, &f.err));
            assert_true(f.is_done == (table != NULL));
            if (table)
                assert_int_equal(covey_column_code(covey_table_column(table, 0), 5001), 1);
            covey_table_free(table);
        }
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

/* The careful parser has the last word on a file that is wrong, and needs memory for it. */
static void a_file_that_is_wrong_is_that_or_out_of_memory(void **unused)
{
    static const char text[] = "a,b\n1,2\n3,\"4\n\"\"5\"x\n";
    const covey_run run = {.n_threads = 1};
    covey_infile file = csv_of_bytes(text, strlen(text));

    for (int64_t n = 1;; n++) {
        covey_table *table = NULL;
        covey_status status;

        covey_i_alloc_fail_at(n);
        status = covey_i_csv_read_file(&table, &file, "t.csv", NULL, 1, &run, NULL);
        covey_i_alloc_fail_at(0);
        assert_null(table);
        if (status == COVEY_EPARSE)
            break;
        assert_int_equal(status, COVEY_ENOMEM);
    }
    covey_i_infile_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted_files_without_memory),
        cmocka_unit_test(one_thread),
        cmocka_unit_test(three_threads),
        cmocka_unit_test(keys_without_memory),
        cmocka_unit_test(a_file_that_is_wrong_is_that_or_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
