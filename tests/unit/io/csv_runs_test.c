/* Runs of records with one number in front; and files that are read in pieces of whole runs. */
#include "test.h"

#include "support/csvs.h"
#include "io/csv/runs.h"
#include "io/csv/stream.h"

#include <covey/table.h>

#include <string.h>

/* How many bytes the first run has. */
static size_t run_of(const char *text)
{
    return (size_t)(covey_i_csv_end_of_run(text, text + strlen(text)) - text);
}

static void a_run_ends_where_the_number_changes(void **state)
{
    assert_int_equal(run_of(""), 0);
    assert_int_equal(run_of("1,a"), 3);
    assert_int_equal(run_of("1,a\n1,b\n2,c\n"), 8);
    assert_int_equal(run_of("1,a\r\n1,b\r\n12,c\r\n"), 10);
    assert_int_equal(run_of("7\n7\n"), 4);
}

static void quotes_neither_hide_a_number_nor_end_a_record(void **state)
{
    assert_int_equal(run_of("\"1\",a\n1,b\n2,c\n"), 10);
    assert_int_equal(run_of("1,\"a\n2,b\"\n1,c\n2,d\n"), 14);
    assert_int_equal(run_of("1,\"\"\"\n2\"\n2,d\n"), 9);
    assert_int_equal(run_of("1,\"a\n2"), 6); /* never closed */
}

/* The first cells of each piece: "1 1 2|2 2 3|..." */
static void read_pieces(char *out, size_t size, const char *text, size_t piece_size, bool is_sorted)
{
    static const char *const nothing[] = {NULL};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_csv_stream *stream = NULL;
    covey_table *table;
    covey_run run = {.n_threads = 2};
    size_t n = 0;
    covey_error err;

    options.delimiter = ',';
    options.null = nothing;
    csv_folder();
    csv_put_file(csv_path("in.csv"), text, strlen(text));
    if (covey_i_csv_stream_open(&stream, csv_path("in.csv"), &options, piece_size, NULL, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    if (is_sorted)
        covey_i_csv_stream_expect_sorted(stream);
    out[0] = '\0';
    while (true) {
        if (covey_i_csv_stream_next_runs(&table, stream, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        if (!table)
            break;
        n += (size_t)snprintf(out + n, size - n, "%s", n ? "|" : "");
        for (int64_t row = 0; row < covey_table_n_rows(table); row++)
            n += (size_t)snprintf(out + n, size - n, "%s%s:%d", row ? " " : "", csv_cell(table, 0, row),
                                  (int)covey_column_line(covey_table_column(table, 0), row));
        covey_table_free(table);
    }
    assert_true(covey_i_csv_stream_is_at_end(stream));
    covey_i_csv_stream_close(stream);
    csv_folder_remove();
}

static void the_last_run_of_a_piece_is_the_first_of_the_next(void **state)
{
    static const char text[] = "class,a\n1,x\n1,y\n2,x\n3,\"u\nv\"\n3,x\n4,x\n";
    char found[256];

    read_pieces(found, sizeof found, text, 1, false);
    assert_string_equal(found, "1:2 1:3 2:4|2:4 3:5 3:7 4:8");
    read_pieces(found, sizeof found, text, 9, false);
    assert_string_equal(found, "1:2 1:3 2:4 3:5 3:7 4:8");
    read_pieces(found, sizeof found, text, 1000, false);
    assert_string_equal(found, "1:2 1:3 2:4 3:5 3:7 4:8");
    read_pieces(found, sizeof found, "class\n", 1, false);
    assert_string_equal(found, "");
}

/* Whatever stands at the places where they are cut. */
static void pieces_of_sorted_rows_are_those_of_any(void **state)
{
    static const char *const texts[] = {
        "class,a\n1,x\n1,y\n2,x\n3,\"u\nv\"\n3,x\n4,x\n4,\"1,\n\n4,\"\n4,y\n5,x\n5,\"y\"\n6,x\n",
        "class,a\n1,x\n1,y\n1,x\n2,x\n3,y\n3,y\n3,y\n4,y\n5,x\n6,\"u, v\"\n6,x\n7,y\n",
        "class,a\r\n1,x\r\n1,y\r\n2,x\r\n2,x\r\n3,x",
        "\"cl\nass\",a\n1,x\n1,y\n2,x\n2,x\n3,x\n3,x\n",
    };
    char found[512], wanted[512];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t piece_size = 1; piece_size < strlen(texts[i]); piece_size++) {
            read_pieces(wanted, sizeof wanted, texts[i], piece_size, false);
            read_pieces(found, sizeof found, texts[i], piece_size, true);
            assert_string_equal(found, wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_where_the_number_changes),
        cmocka_unit_test(quotes_neither_hide_a_number_nor_end_a_record),
        cmocka_unit_test(the_last_run_of_a_piece_is_the_first_of_the_next),
        cmocka_unit_test(pieces_of_sorted_rows_are_those_of_any),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
