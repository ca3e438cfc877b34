/* Several CSV files as one text: what each holds, and what cannot be joined. */
#include "test.h"

#include "support/csvs.h"
#include "io/csv/join.h"

#include <string.h>

static covey_csv_part part_of(const char *text)
{
    covey_infile file = csv_of_bytes(text, strlen(text));
    covey_csv_part part;

    covey_i_csv_part_read(&part, &file);
    covey_i_infile_close(&file);
    return part;
}

static void rows_and_numbers_of_a_file_are_counted(void **state)
{
    const covey_csv_part part = part_of("class,a\n7,x\n7,\"y\n8,z\"\n\"9\",x\n9,x\n12,x\n");

    assert_null(part.fault);
    assert_int_equal(part.header_size, 8);
    assert_int_equal(part.n_rows, 5);
    assert_int_equal(part.n_numbers, 3);
    assert_int_equal(part.first, 7);
    assert_int_equal(part.last, 12);
}

static void a_file_ends_behind_a_record(void **state)
{
    assert_non_null(part_of("").fault);
    assert_non_null(part_of("a").fault);
    assert_null(part_of("a\n").fault);
    assert_int_equal(part_of("a\n").n_rows, 0);
    assert_non_null(part_of("a\n1").fault);
    assert_non_null(part_of("a\n\"1\n").fault);
    assert_non_null(part_of("a\n1\n\"2\"\"\n").fault);
    assert_null(part_of("a\n1\n\"2\"\"\"\n").fault);
}

/* The text of two files, or the message; free with free. */
static char *join(covey_status *status, const char *one, const char *two, size_t most_bytes)
{
    covey_infile text = COVEY_INFILE_INIT;
    const char *path[2];
    covey_error err;
    char *out;

    csv_folder();
    csv_put_file(csv_path("1.csv"), one, strlen(one));
    csv_put_file(csv_path("2.csv"), two, strlen(two));
    path[0] = csv_path("1.csv");
    path[1] = csv_path("2.csv");
    *status = covey_i_csv_join(&text, path, 2, most_bytes, &err);
    out = *status == COVEY_OK ? strndup(text.bytes, text.size) : strdup(err.message);
    for (size_t i = 0; *status == COVEY_OK && i < COVEY_INFILE_PADDING; i++)
        assert_int_equal(text.bytes[text.size + i], 0);
    covey_i_infile_close(&text);
    csv_folder_remove();
    return out;
}

static void files_are_one_text_with_one_header(void **state)
{
    for (size_t most_bytes = 0; most_bytes <= 100; most_bytes += 100) { /* on disk, in memory */
        covey_status status;
        char *text = join(&status, "\"a\nb\",c\n1,2\n", "\"a\nb\",c\n3,4\n", most_bytes);

        assert_int_equal(status, COVEY_OK);
        assert_string_equal(text, "\"a\nb\",c\n1,2\n3,4\n");
        free(text);
    }
}

static void what_is_no_file_of_the_table_is_refused(void **state)
{
    covey_status status;
    char *text = join(&status, "a,b\n1,2\n", "a,B\n3,4\n", 100);

    assert_int_equal(status, COVEY_EPARSE);
    assert_non_null(strstr(text, "its header is not that of"));
    free(text);
    text = join(&status, "a,b\n1,2", "a,b\n3,4\n", 100);
    assert_int_equal(status, COVEY_EPARSE);
    assert_non_null(strstr(text, "middle of a line"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_numbers_of_a_file_are_counted),
        cmocka_unit_test(a_file_ends_behind_a_record),
        cmocka_unit_test(files_are_one_text_with_one_header),
        cmocka_unit_test(what_is_no_file_of_the_table_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
