#include "test.h"

#include <string.h>
#include <sys/stat.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "base/text.h"
#include "table/table_impl.h"

/* Reads a text, writes it again to NAME, and gives back what is there then. */
static char *rewritten(const char *text, const char *name, char delimiter, int n_threads)
{
    const covey_run run = {.n_threads = n_threads};
    covey_table *table = csv_table(text);
    covey_infile file = COVEY_INFILE_INIT;
    covey_error err;
    char *copy;

    csv_folder();
    if (covey_csv_write(table, csv_path(name), delimiter, &run, &err) != COVEY_OK ||
        covey_i_infile_open(&file, csv_path(name), &err) != COVEY_OK)
        fail_msg("%s", err.message);
    copy = covey_i_strndup(file.bytes, file.size);
    covey_i_infile_close(&file);
    csv_folder_remove();
    covey_table_free(table);
    return copy;
}

static void expect(const char *text, char delimiter, const char *expected)
{
    char *got = rewritten(text, "t.csv", delimiter, 2);

    assert_string_equal(got, expected);
    covey_i_free(got);
}

static void cells_are_quoted_only_where_they_must_be(void **unused)
{
    expect("\"a\",b\r\n\"x\",\"y,z\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n\"a\rb\",\" blanks \"\r\n", ',',
           "a,b\nx,\"y,z\"\n\"say \"\"hi\"\"\",\"two\nlines\"\n\"a\rb\", blanks \n");
}

static void missing_cells_are_empty(void **unused)
{
    expect("a,b\n,x\ny,\n,\n", ',', "a,b\n,x\ny,\n,\n");
}

static void an_empty_cell_that_is_a_whole_line_is_quoted(void **unused)
{
    expect("a\n1\n\n\"\"\n", ',', "a\n1\n\"\"\n\"\"\n");
}

static void what_looks_like_a_byte_order_mark_is_quoted(void **unused)
{
    expect("\"\xEF\xBB\xBF"
           "a\",b\n1,2\n",
           ',',
           "\"\xEF\xBB\xBF"
           "a\",b\n1,2\n");
}

static void the_delimiter_can_be_chosen(void **unused)
{
    expect("a,b\nx;y,\"1,5\"\n", ';', "a;b\n\"x;y\";1,5\n");
    expect("a,b\nx,y\n", '\0', "a,b\nx,y\n");
}

static void a_table_without_rows_is_its_header(void **unused)
{
    expect("a,\"b c\"\n", ',', "a,b c\n");
}

static void long_and_short_cells_mix(void **unused)
{
    /* 15 bytes fit behind the delimiter into a step of 16, 16 do not */
    const char *text =
        "a,b,c\n123456789012345,1234567890123456,\"1234567890,2345\"\n1,123456789012345678901234567890,\n";

    expect(text, ',', text);
}

static covey_text large_table(void)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, "id,group,text\n");
    for (int row = 0; row < 70000; row++)
        covey_i_text_add_format(&text, "%06d,%d,\"a longer text, number %d\"\n", row, row % 7, row % 1000);
    assert_false(text.broken);
    return text;
}

static void large_tables_come_out_as_they_went_in_for_any_number_of_threads(void **unused)
{
    covey_text text = large_table();

    for (int n_threads = 1; n_threads <= 4; n_threads++) {
        char *got = rewritten(text.bytes, "t.csv", ',', n_threads);

        assert_string_equal(got, text.bytes);
        covey_i_free(got);
    }
    covey_i_text_free(&text);
}

static void cells_of_any_length_find_room(void **unused)
{
    static const int lengths[] = {4090, 4094, 4095, 4096, 5000, 1 << 20, 3 << 20}; /* of one of 600 */

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        covey_text text = COVEY_TEXT_INIT;
        char *got;

        covey_i_text_add_string(&text, "a\n");
        for (int row = 0; row < 600; row++)
            covey_i_text_add_format(&text, "%0*d\n", row == 300 ? lengths[i] : 1, row % 10);
        assert_false(text.broken);
        got = rewritten(text.bytes, "t.csv", ',', 2);
        assert_string_equal(got, text.bytes);
        covey_i_free(got);
        covey_i_text_free(&text);
    }
}

static void the_ending_of_the_name_chooses_the_compression(void **unused)
{
    static const char *const names[] = {"t.csv.gz", "t.csv.zst"};
    static const char *const magic[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd"};
    covey_text text = large_table();
    covey_table *table = csv_table(text.bytes);

    for (int i = 0; i < 2; i++) {
        char *got = rewritten(text.bytes, names[i], ',', 2);
        size_t size;

        assert_string_equal(got, text.bytes);
        covey_i_free(got);
        csv_folder();
        assert_int_equal(covey_csv_write(table, csv_path(names[i]), ',', NULL, NULL), COVEY_OK);
        got = csv_get_file(&size, csv_path(names[i]));
        assert_memory_equal(got, magic[i], strlen(magic[i]));
        assert_true(size < text.size / 3);
        free(got);
        csv_folder_remove();
    }
    covey_table_free(table);
    covey_i_text_free(&text);
}

static void the_file_is_new_and_its_owners_only(void **unused)
{
    covey_table *table = csv_table("a\n1\n");
    struct stat facts;
    covey_error err;

    csv_folder();
    assert_int_equal(covey_csv_write(table, csv_path("t.csv"), ',', NULL, &err), COVEY_OK);
    assert_int_equal(stat(csv_path("t.csv"), &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0600);
    assert_int_equal(covey_csv_write(table, csv_path("t.csv"), ',', NULL, &err), COVEY_EEXIST);
    assert_non_null(strstr(err.message, "t.csv: exists already"));
    assert_int_equal(covey_csv_write(table, csv_path("nowhere/t.csv"), ',', NULL, &err), COVEY_EIO);
    assert_int_equal(covey_csv_write(table, csv_path("u.csv"), '"', NULL, &err), COVEY_EINVAL);
    csv_folder_remove();
    covey_table_free(table);
}

static void a_full_disk_is_an_error(void **unused)
{
    covey_text text = large_table();
    covey_table *table = csv_table(text.bytes);
    covey_error err;

    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(covey_csv_write(table, "/dev/full", ',', NULL, &err), COVEY_EIO);
        assert_string_equal(err.message, "/dev/full: cannot be written: No space left on device");
    }
    covey_table_free(table);
    covey_i_text_free(&text);
}

static bool stop_at_the_second_piece(void *context, const char *phase, int64_t done, int64_t to_do)
{
    assert_string_equal(phase, "writing");
    assert_int_equal(to_do, 70000);
    return done == 0;
}

static void writing_can_be_cancelled_and_leaves_nothing(void **unused)
{
    const covey_run run = {.n_threads = 1, .progress = stop_at_the_second_piece};
    covey_text text = large_table();
    covey_table *table = csv_table(text.bytes);

    csv_folder();
    assert_int_equal(covey_csv_write(table, csv_path("t.csv"), ',', &run, NULL), COVEY_ECANCELLED);
    assert_int_equal(access(csv_path("t.csv"), F_OK), -1);
    csv_folder_remove();
    covey_table_free(table);
    covey_i_text_free(&text);
}

static void a_table_without_columns_cannot_be_written(void **unused)
{
    covey_table *table = NULL;

    assert_int_equal(covey_i_table_new(&table, 0, 0, NULL), COVEY_OK);
    assert_int_equal(covey_csv_write(table, "/nowhere/t.csv", ',', NULL, NULL), COVEY_EINVAL);
    covey_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_quoted_only_where_they_must_be),
        cmocka_unit_test(missing_cells_are_empty),
        cmocka_unit_test(an_empty_cell_that_is_a_whole_line_is_quoted),
        cmocka_unit_test(what_looks_like_a_byte_order_mark_is_quoted),
        cmocka_unit_test(the_delimiter_can_be_chosen),
        cmocka_unit_test(a_table_without_rows_is_its_header),
        cmocka_unit_test(long_and_short_cells_mix),
        cmocka_unit_test(large_tables_come_out_as_they_went_in_for_any_number_of_threads),
        cmocka_unit_test(cells_of_any_length_find_room),
        cmocka_unit_test(the_ending_of_the_name_chooses_the_compression),
        cmocka_unit_test(the_file_is_new_and_its_owners_only),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(writing_can_be_cancelled_and_leaves_nothing),
        cmocka_unit_test(a_table_without_columns_cannot_be_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
