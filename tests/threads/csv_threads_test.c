/* Reading and writing with many threads, for the thread sanitizer. */
#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "base/text.h"
#include "io/csv/read.h"

static covey_text table_text(const char *last_line)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, "id,group,text\n");
    for (int row = 0; row < 40000; row++)
        covey_i_text_add_format(&text, "%d,%d,\"text, %d\"\n", row, row % 7, row % 1000);
    covey_i_text_add_string(&text, last_line);
    return text;
}

static bool go_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    ++*(int *)context; /* from the caller's thread alone: no lock */
    return true;
}

static void tables_are_read_and_written_by_many_threads(void **unused)
{
    covey_text text = table_text("");
    covey_infile file = csv_of_bytes(text.bytes, text.size);
    covey_table *table = NULL, *again = NULL;
    int n_calls = 0;
    const covey_run run = {.n_threads = 8, .progress = go_on, .context = &n_calls};

    csv_folder();
    assert_int_equal(covey_i_csv_read_file(&table, &file, "t.csv", NULL, 10000, &run, NULL), COVEY_OK);
    assert_int_equal(covey_csv_write(table, csv_path("t.csv"), ',', &run, NULL), COVEY_OK);
    assert_int_equal(covey_csv_read(&again, csv_path("t.csv"), NULL, &run, NULL), COVEY_OK);
    assert_true(csv_tables_agree(table, again));
    csv_folder_remove();
    covey_table_free(table);
    covey_table_free(again);
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
}

static void an_error_stops_all_threads(void **unused)
{
    covey_text text = table_text("1,2\n");
    covey_infile file = csv_of_bytes(text.bytes, text.size);
    const covey_run run = {.n_threads = 8};
    covey_table *table = NULL;
    covey_error err;

    assert_int_equal(covey_i_csv_read_file(&table, &file, "t.csv", NULL, 1000, &run, &err), COVEY_EPARSE);
    assert_int_equal(err.row, 40002);
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read_and_written_by_many_threads),
        cmocka_unit_test(an_error_stops_all_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
