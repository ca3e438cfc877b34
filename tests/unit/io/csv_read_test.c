#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/text.h"
#include "io/csv/read.h"

/* Reads a text, in chunks of a few bytes and as a whole; the messages must be the same. */
static void expect_error(const char *text, const covey_csv_options *options, int64_t row, const char *column,
                         const char *message)
{
    for (size_t chunk_size = 0; chunk_size <= 9; chunk_size += 3) {
        covey_table *table = NULL;
        covey_error err;

        assert_int_equal(csv_read_text(&table, text, options, chunk_size, &err), COVEY_EPARSE);
        assert_null(table);
        assert_string_equal(err.message, message);
        assert_int_equal(err.row, row);
        assert_string_equal(err.column, column);
        assert_string_equal(err.file, "t.csv");
    }
}

/* The same for tables that can be read: the cells of column c, one after another with | between them. */
static void expect_cells(const char *text, const covey_csv_options *options, size_t column, const char *cells)
{
    for (size_t chunk_size = 0; chunk_size <= 9; chunk_size += 3) {
        covey_text got = COVEY_TEXT_INIT;
        covey_table *table = NULL;
        covey_error err;

        if (csv_read_text(&table, text, options, chunk_size, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        for (int64_t row = 0; row < covey_table_n_rows(table); row++) {
            covey_i_text_add_string(&got, row ? "|" : "");
            covey_i_text_add_string(&got, csv_cell(table, column, row));
        }
        assert_string_equal(got.bytes ? got.bytes : "", cells);
        covey_i_text_free(&got);
        covey_table_free(table);
    }
}

static void cells_become_codes_in_byte_order_of_their_texts(void **unused)
{
    covey_table *table = csv_table("age,city\n39,Ulm\n7,Bonn\n39,ulm\n100,Ulm\n");
    const covey_column *age = covey_table_column(table, 0), *city = covey_table_column(table, 1);

    assert_int_equal(covey_table_n_rows(table), 4);
    assert_int_equal(age->n_values, 3); /* "100" < "39" < "7" by bytes */
    assert_string_equal(covey_column_label(age, 0), "100");
    assert_string_equal(covey_column_label(age, 1), "39");
    assert_string_equal(covey_column_label(age, 2), "7");
    assert_string_equal(covey_column_label(city, 0), "Bonn");
    assert_string_equal(covey_column_label(city, 2), "ulm");
    assert_int_equal(age->type, COVEY_TYPE_TEXT);
    assert_false(age->has_null);
    covey_table_free(table);
    expect_cells("age,city\n39,Ulm\n7,Bonn\n39,ulm\n100,Ulm\n", NULL, 1, "Ulm|Bonn|ulm|Ulm");
}

static void line_ends_may_be_lf_or_crlf_and_the_last_may_be_missing(void **unused)
{
    expect_cells("a,b\r\n1,2\r\n3,4\r\n", NULL, 1, "2|4");
    expect_cells("a,b\n1,2\r\n3,4", NULL, 1, "2|4");
    expect_cells("a,b\n1,2\n3,", NULL, 1, "2|null");
    expect_cells("a,b\n1,a longer cell\r\n3,\"quoted\"\r\n", NULL, 1, "a longer cell|quoted");
    expect_cells("a\r\n1\r\n\r\n2\r\n", NULL, 0, "1|null|2");
}

static void a_cr_within_a_line_is_part_of_its_cell(void **unused)
{
    expect_cells("a,b\n1\r,2\r\r\n", NULL, 0, "1\r");
    expect_cells("a,b\n1\r,2\r\r\n", NULL, 1, "2\r");
}

static void a_byte_order_mark_is_not_part_of_the_first_name(void **unused)
{
    covey_table *table = csv_table("\xEF\xBB\xBF"
                                   "age,zip\n1,2\n");

    assert_int_equal(covey_table_find(table, "age"), 0);
    covey_table_free(table);
}

static void quoted_cells_hold_delimiters_quotes_and_line_breaks(void **unused)
{
    expect_cells("a,b\n\"x,y\",1\n\"say \"\"hi\"\"\",2\n\"two\nlines\",3\n\"\",4\n\"\"\"\",5\n", NULL, 0,
                 "x,y|say \"hi\"|two\nlines|null|\"");
    expect_cells("a,b\n\"x,y\",1\n\"say \"\"hi\"\"\",2\n\"two\nlines\",3\n\"\",4\n\"\"\"\",5\n", NULL, 1, "1|2|3|4|5");
}

static void quotes_make_no_difference_to_a_value(void **unused)
{
    covey_table *table = csv_table("a,b\nabc,1\n\"abc\",1\n\"a longer text\",1\na longer text,1\n");

    assert_int_equal(covey_table_column(table, 0)->n_values, 2);
    covey_table_free(table);
}

static void cells_of_every_length_around_a_word_keep_apart(void **unused)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    covey_text text = COVEY_TEXT_INIT;
    covey_table *table;

    covey_i_text_add_string(&text, "a,b\n");
    for (int size = 0; size <= 26; size++)
        covey_i_text_add_format(&text, "%.*s,%.*s\n", size, letters, 26 - size, letters);
    table = csv_table(text.bytes);
    for (int size = 1; size <= 26; size++)
        assert_int_equal(strlen(csv_cell(table, 0, size)), size);
    assert_int_equal(covey_table_column(table, 0)->n_values, 27);
    assert_int_equal(covey_table_column(table, 1)->n_values, 27);
    assert_string_equal(csv_cell(table, 1, 26), "null");
    covey_i_text_free(&text);
    covey_table_free(table);
}

static void the_empty_cell_is_missing_and_has_code_0(void **unused)
{
    covey_table *table = csv_table("a,b\n,x\n!,x\n");
    const covey_column *a = covey_table_column(table, 0);

    assert_true(a->has_null);
    assert_int_equal(covey_column_code(a, 0), 0);
    assert_string_equal(covey_column_label(a, 0), "null");
    assert_string_equal(covey_column_label(a, 1), "!");
    assert_false(covey_table_column(table, 1)->has_null);
    covey_table_free(table);
}

static void other_texts_can_mean_missing(void **unused)
{
    static const char *const null[] = {"", "?", "not available"};
    const covey_csv_options options = {.null = null, .n_null = 3}, none = {.null = null, .n_null = 0};
    covey_table *table = NULL;

    expect_cells("a,b\n?,1\nx,2\n,3\nnot available,4\n", &options, 0, "null|x|null|null");
    assert_int_equal(csv_read_text(&table, "a,b\n,?\n", &none, 0, NULL), COVEY_OK);
    assert_false(covey_table_column(table, 0)->has_null);
    assert_string_equal(csv_cell(table, 0, 0), "");
    covey_table_free(table);
}

static void the_text_null_beside_missing_cells_is_refused(void **unused)
{
    static const char *const null[] = {"", "null"};
    const covey_csv_options options = {.null = null, .n_null = 2};

    expect_error("a,b\n1,x\n,null\nnull,x\n", NULL, 4, "a",
                 "t.csv:4: column \"a\": has both missing cells and the text \"null\", which would look the same in a "
                 "release; add \"null\" to "
                 "input.null");
    expect_cells("a,b\n1,x\n,null\nnull,x\n", &options, 0, "1|null|null");
    expect_cells("a,b\n1,x\n2,null\n", NULL, 1, "x|null"); /* no missing cell: a text like any other */
}

static void blanks_stay_unless_they_are_trimmed(void **unused)
{
    const covey_csv_options trim = {.trim = true};

    expect_cells("a,b\n x ,1\n", NULL, 0, " x ");
    expect_cells("a, b\n x ,1\n\t a longer text \t,2\n \" in quotes \" ,3\n  ,4\n", &trim, 0,
                 "x|a longer text| in quotes |null");
    expect_cells("a, b\n x , 1 \n y,\t2", &trim, 1, "1|2");
    expect_cells("a, b \r\n x , 1 \r\n", &trim, 1, "1");
}

static void a_tab_that_separates_is_no_blank(void **unused)
{
    const covey_csv_options options = {.delimiter = '\t', .trim = true};

    expect_cells("a\tb\n\t x\n", &options, 1, "x");
    expect_cells("a\tb\n\t x\n", &options, 0, "null");
}

static void blank_lines_at_the_end_are_nothing(void **unused)
{
    expect_cells("a,b\n1,2\n\n\r\n\n", NULL, 0, "1");
    expect_cells("a\n1\n\n\n", NULL, 0, "1");
    expect_cells("a\n1\n\"\"\n", NULL, 0, "1|null");
}

static void a_blank_line_elsewhere_is_a_cell_only_in_a_table_of_one_column(void **unused)
{
    expect_cells("a\n1\n\n2\n", NULL, 0, "1|null|2");
    expect_error("a,b\n1,2\n\n3,4\n", NULL, 3, "a",
                 "t.csv:3: a blank line, where a row of 2 cells was expected; delete it");
}

static void a_header_without_rows_is_a_table(void **unused)
{
    covey_table *table = csv_table("a,b");

    assert_int_equal(covey_table_n_rows(table), 0);
    assert_int_equal(covey_table_n_columns(table), 2);
    assert_int_equal(covey_table_column(table, 0)->n_values, 0);
    covey_table_free(table);
}

static void an_empty_file_is_no_table(void **unused)
{
    expect_error("", NULL, 0, "", "t.csv: the file is empty; a header line was expected");
    expect_error("\n\r\n\n", NULL, 0, "", "t.csv: the file is empty; a header line was expected");
    expect_error("\xEF\xBB\xBF", NULL, 0, "", "t.csv: the file is empty; a header line was expected");
}

static void names_must_be_there_and_differ(void **unused)
{
    expect_error("a,,b\n1,2,3\n", NULL, 1, "",
                 "t.csv:1: column 2 has no name; the first line must name every column, or say header: false "
                 "(--header=false) if it is a row");
    expect_error("a,b,a\n1,2,3\n", NULL, 1, "a",
                 "t.csv:1: column \"a\": two columns have this name; rename one, or say header: false (--header=false) "
                 "if the first line is a row");
    expect_error("\na,b\n1,2\n", NULL, 1, "",
                 "t.csv:1: column 1 has no name; the first line must name every column, or say header: false "
                 "(--header=false) if it is a row");
}

static void rows_must_have_as_many_cells_as_the_header(void **unused)
{
    expect_error("a,b,c\n1,2,3\n1,2\n1,2,3,4\n", NULL, 3, "c",
                 "t.csv:3: column \"c\": the row has 2 cells instead of 3, this one is missing");
    expect_error("a,b\n1,2\n1,2\n1,2,3\n", NULL, 4, "b",
                 "t.csv:4: the row has 3 cells instead of 2; quote cells that contain the delimiter ','");
    expect_error("a,b\n1,2\n1,a longer last cell,\n", NULL, 3, "b",
                 "t.csv:3: the row has 3 cells instead of 2; quote cells that contain the delimiter ','");
    expect_error("a,b\n1", NULL, 2, "b", "t.csv:2: column \"b\": the row has 1 cell instead of 2, this one is missing");
}

static void quotes_must_stand_around_whole_cells(void **unused)
{
    expect_error("a,b\n1,2\n5'11\",x\n", NULL, 3, "a",
                 "t.csv:3: column \"a\": a quote inside an unquoted cell; quote the whole cell and write the quote "
                 "twice (\"\")");
    expect_error(
        "a,b\n1,2\nx,\"y\"z\n", NULL, 3, "b",
        "t.csv:3: column \"b\": text behind the closing quote; a quote inside a quoted cell is written twice (\"\")");
    expect_error("a,b\n1,2\nx,\"y \n\n\n", NULL, 3, "b",
                 "t.csv:3: column \"b\": the quote that opens this cell is never closed");
    expect_error(
        "a,b\n\"1\n2\n\",2\nx,\"y\"z\n", NULL, 5, "b",
        "t.csv:5: column \"b\": text behind the closing quote; a quote inside a quoted cell is written twice (\"\")");
    expect_error("a,\"b\nx,y\n", NULL, 1, "", "t.csv:1: cell 2: the quote that opens this cell is never closed");
}

static void the_first_of_several_errors_is_reported(void **unused)
{
    expect_error("a,b\n1,2\n1\n1,\"\n1,2,3\n", NULL, 3, "b",
                 "t.csv:3: column \"b\": the row has 1 cell instead of 2, this one is missing");
    expect_error("a,b\n1,2\n1,\"\n1\n1,2,3\n", NULL, 3, "b",
                 "t.csv:3: column \"b\": the quote that opens this cell is never closed");
}

static void texts_must_be_utf8(void **unused)
{
    expect_cells("a,b\nä,1\nZürich am See,2\n日本,3\n", NULL, 0, "ä|Zürich am See|日本");
    expect_error(
        "a,b\n1,x\n2,Z\xFCrich\n3,Z\xFCrich\n", NULL, 3, "b",
        "t.csv:3: column \"b\": \"Z?rich\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)");
    expect_error("a,b\xFC\n1,x\n", NULL, 1, "", "t.csv:1: cell 2: not valid UTF-8; convert the file (iconv -t UTF-8)");
    /* halves of a character in two cells do not make a whole */
    expect_error("a,b\n\xC3,1\n\xA4,1\n", NULL, 2, "a",
                 "t.csv:2: column \"a\": \"?\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)");
}

static void the_first_row_of_a_wrong_text_counts_whatever_the_column(void **unused)
{
    expect_error("a,b\n1,x\n2,\xFC\n\xFC,x\n", NULL, 3, "b",
                 "t.csv:3: column \"b\": \"?\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)");
}

static void nul_bytes_are_refused_wherever_they_hide(void **unused)
{
    static const struct {
        const char *bytes;
        size_t size;
    } files[] = {{"a,b\nx,1\nx\0,1\n", 13},
                 {"a,b\nx,1\nx\0y,1\n", 14},
                 {"a,b\nx,1\nlong text\0\0,1\n", 22},
                 {"a,b\nx,1\n\0,1\n", 12}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        covey_infile file = csv_of_bytes(files[i].bytes, files[i].size);
        covey_table *table = NULL;
        covey_error err;

        assert_int_equal(covey_i_csv_read_file(&table, &file, "t.csv", NULL, 0, NULL, &err), COVEY_EPARSE);
        assert_int_equal(err.row, 3);
        assert_non_null(strstr(err.message, "NUL byte"));
        covey_i_infile_close(&file);
    }
}

static bool keep_a(void *context, const char *name)
{
    return strcmp(name, "a") == 0;
}

static void bad_bytes_are_refused_in_columns_that_are_dropped(void **unused)
{
    static const char nul[] = "a,b\nx,1\ny,a long \0 text\n";
    const covey_csv_options options = {.keep = keep_a};
    covey_infile file = csv_of_bytes(nul, sizeof nul - 1);
    covey_table *table = NULL;
    covey_error err;

    expect_cells("a,b\nä,ü\n\"x\",日本\n", &options, 0, "ä|x");
    expect_error(
        "a,b\n1,x\n2,Z\xFCrich\n3,Z\xFCrich\n", &options, 3, "b",
        "t.csv:3: column \"b\": \"Z?rich\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)");
    expect_error(
        "a,b\n\"1\n\",\"ä\n\"\n2,Z\xFCrich\n\xFF,x\n", &options, 5, "b",
        "t.csv:5: column \"b\": \"Z?rich\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)");
    expect_error("a,b\n1,x\n\xC3,\xA4\n", &options, 3, "a",
                 "t.csv:3: column \"a\": \"?\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)");
    assert_int_equal(covey_i_csv_read_file(&table, &file, "t.csv", &options, 0, NULL, &err), COVEY_EPARSE);
    assert_int_equal(err.row, 3);
    assert_string_equal(err.column, "b");
    assert_non_null(strstr(err.message, "NUL byte"));
    covey_i_infile_close(&file);
}

static void utf16_and_old_macintosh_files_are_recognised(void **unused)
{
    expect_error("\xFF\xFE"
                 "a",
                 NULL, 1, "", "t.csv:1: the file is UTF-16; convert it (iconv -f UTF-16 -t UTF-8)");
    expect_error("a,b\r1,2\r", NULL, 1, "", "t.csv:1: lines end in CR alone; convert them to LF (tr '\\r' '\\n')");
}

static void a_wrong_cell_is_shown_up_to_forty_characters(void **unused)
{
    expect_error(
        "a,b\n1,0123456789012345678901234567890123456789ABC\xFF\n", NULL, 2, "b",
        "t.csv:2: column \"b\": \"0123456789012345678901234567890123456789...\" is not valid UTF-8; convert the file "
        "(iconv -f LATIN1 -t UTF-8, say)");
}

static char guess(const char *text)
{
    return covey_i_csv_guess(text, strlen(text));
}

static void the_delimiter_is_the_one_that_occurs_equally_often_in_all_lines(void **unused)
{
    assert_int_equal(guess("a,b\n1,2\n"), ',');
    assert_int_equal(guess("a;b;c\n1,5;2,5;3,5\n"), ';');
    assert_int_equal(guess("a\tb\n1,2\t3\n"), '\t');
    assert_int_equal(guess("a|b\n1|2\n"), '|');
    assert_int_equal(guess("a\n1\n2\n"), ',');
    assert_int_equal(guess("\"a,b,c\";d\n\"1,2\";3\n"), ';');
    assert_int_equal(guess("a,b;c\nx,y;z\n"), ',');      /* a tie goes to the comma */
    assert_int_equal(guess("a;b,c;d\n1;2,3;4\n"), ';');  /* else to the more frequent */
    assert_int_equal(guess("a;b;c\n1;2;3\n4;5\n"), ';'); /* ragged: so that the error names the row */
    assert_int_equal(guess("a,b\n\"x\ny;z\",2\n"), ',');
    assert_int_equal(guess("\"a"), ',');
}

static void a_given_delimiter_is_used(void **unused)
{
    const covey_csv_options options = {.delimiter = ':'}, quote = {.delimiter = '"'};
    covey_table *table = NULL;
    covey_error err;

    expect_cells("a:b\n1,5:2\n", &options, 0, "1,5");
    assert_int_equal(csv_read_text(&table, "a\n1\n", &quote, 0, &err), COVEY_EINVAL);
    assert_string_equal(err.message, "the delimiter of a CSV file cannot be a quote or a line end; use , ; | or a tab");
}

static void without_a_header_columns_are_numbered_and_the_first_line_is_data(void **unused)
{
    const covey_csv_options options = {.no_header = true};
    covey_table *table = NULL;

    assert_int_equal(csv_read_text(&table, "x,y\nz,w\n", &options, 0, NULL), COVEY_OK);
    assert_int_equal(covey_table_n_rows(table), 2);
    assert_string_equal(covey_table_column(table, 1)->name, "2");
    assert_string_equal(csv_cell(table, 0, 0), "x");
    assert_int_equal(covey_column_line(covey_table_column(table, 0), 1), 2);
    covey_table_free(table);
    expect_error("x,y\nz\n", &options, 2, "2",
                 "t.csv:2: column \"2\": the row has 1 cell instead of 2, this one is missing");
}

static bool is_not_b(void *context, const char *name)
{
    ++*(int *)context;
    return strcmp(name, "b") != 0;
}

static void columns_that_are_not_kept_are_checked_but_not_in_the_table(void **unused)
{
    int n_calls = 0;
    const covey_csv_options options = {.keep = is_not_b, .context = &n_calls};
    covey_table *table = NULL;

    assert_int_equal(csv_read_text(&table, "a,b,c\n1,\"2 and more\",3\n4,5,6\n", &options, 0, NULL), COVEY_OK);
    assert_int_equal(n_calls, 3);
    assert_int_equal(covey_table_n_columns(table), 2);
    assert_string_equal(covey_table_column(table, 1)->name, "c");
    assert_string_equal(csv_cell(table, 1, 1), "6");
    covey_table_free(table);
    expect_error("a,b,c\n1,x\"y,3\n", &options, 2, "b",
                 "t.csv:2: column \"b\": a quote inside an unquoted cell; quote the whole cell and write the quote "
                 "twice (\"\")");
}

static void a_cell_of_a_megabyte_is_a_cell(void **unused)
{
    const size_t size = 1 << 20;
    covey_text text = COVEY_TEXT_INIT;
    covey_table *table;
    char *long_cell = covey_i_malloc(size);

    memset(long_cell, 'x', size);
    covey_i_text_add_string(&text, "a,b\n1,");
    covey_i_text_add(&text, long_cell, size);
    covey_i_text_add_string(&text, "\n2,\"");
    covey_i_text_add(&text, long_cell, size);
    covey_i_text_add_string(&text, "\"\n");
    table = csv_table(text.bytes);
    assert_int_equal(covey_table_column(table, 1)->n_values, 1);
    assert_int_equal(covey_column_label_size(covey_table_column(table, 1), 0), size);
    covey_table_free(table);
    covey_i_text_free(&text);
    covey_i_free(long_cell);
}

/* 100,000 rows of n distinct values */
static void read_many(uint32_t n, int width)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_table *table = NULL;
    covey_error err;

    covey_i_text_add_string(&text, "a,b\n");
    for (uint32_t row = 0; row < 100000; row++)
        covey_i_text_add_format(&text, "v%06u,constant text\n", (unsigned)(row * 7919u % n));
    if (csv_read_text(&table, text.bytes, NULL, 100000, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_int_equal(covey_table_n_rows(table), 100000);
    assert_int_equal(covey_table_column(table, 0)->n_values, n);
    assert_int_equal(covey_table_column(table, 0)->width, width);
    for (uint32_t row = 0; row < 100000; row += 997) {
        char expected[16];

        snprintf(expected, sizeof expected, "v%06u", (unsigned)(row * 7919u % n));
        assert_string_equal(csv_cell(table, 0, row), expected);
    }
    covey_table_free(table);
    covey_i_text_free(&text);
}

static void codes_widen_as_values_come(void **unused)
{
    read_many(256, 1);
    read_many(257, 2);
    read_many(65536, 2);
    read_many(65537, 4);
    read_many(100000, 4);
}

static void tables_may_have_thousands_of_columns(void **unused)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_table *table;

    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3000; c++)
            covey_i_text_add_format(&text, "%s%d%c", row ? "" : "c", c, c < 2999 ? ',' : '\n');
    table = csv_table(text.bytes);
    assert_int_equal(covey_table_n_columns(table), 3000);
    assert_string_equal(csv_cell(table, 2999, 1), "2999");
    covey_table_free(table);
    covey_i_text_free(&text);
}

static bool say_stop(void *context, const char *phase, int64_t done, int64_t to_do)
{
    assert_string_equal(phase, "reading");
    assert_true(done >= 0 && done <= to_do);
    return false;
}

static void reading_can_be_cancelled(void **unused)
{
    const covey_run run = {.n_threads = 1, .progress = say_stop};
    covey_infile file = csv_of_bytes("a\n1\n", 4);
    covey_table *table = NULL;

    assert_int_equal(covey_i_csv_read_file(&table, &file, "t.csv", NULL, 0, &run, NULL), COVEY_ECANCELLED);
    assert_null(table);
    covey_i_infile_close(&file);
}

/* Somebody adds to the file, or puts another in its place, while it is read. */
struct writer {
    char path[64];
    const char *text; /* NULL: another file comes in its place */
    bool has_written;
};

static bool write_meanwhile(void *context, const char *phase, int64_t done, int64_t to_do)
{
    struct writer *w = context;
    FILE *file;

    if (w->has_written)
        return true;
    if (!w->text)
        assert_int_equal(unlink(w->path), 0);
    assert_non_null(file = fopen(w->path, w->text ? "r+" : "w"));
    fputs(w->text ? w->text : "b\n3\n4\n", file);
    fclose(file);
    w->has_written = true;
    return true;
}

static covey_status read_meanwhile(covey_table **out, const char *text, covey_error *err)
{
    struct writer w = {.path = "/tmp/covey_csv_read_XXXXXX", .text = text};
    const covey_run run = {.n_threads = 1, .progress = write_meanwhile, .context = &w};
    const int fd = mkstemp(w.path);
    covey_status status;

    assert_true(fd >= 0 && write(fd, "a\n1\n2\n", 6) == 6);
    close(fd);
    usleep(20000); /* the system's clock for files does not tell times apart that are nearer */
    status = covey_csv_read(out, w.path, NULL, &run, err);
    assert_true(w.has_written);
    unlink(w.path);
    return status;
}

static void a_file_that_is_written_to_while_it_is_read_is_refused(void **unused)
{
    covey_table *table = NULL;
    covey_error err;

    assert_int_equal(read_meanwhile(&table, "a\n7\n", &err), COVEY_EIO); /* as long as before */
    assert_non_null(strstr(err.message, "was written to while it was read"));
    assert_int_equal(read_meanwhile(&table, "a\n1\n2\n3\n", &err), COVEY_EIO);
    assert_null(table);
    assert_int_equal(read_meanwhile(&table, NULL, &err), COVEY_OK); /* another file: ours is as it was */
    assert_int_equal(covey_table_n_rows(table), 2);
    assert_string_equal(csv_cell(table, 0, 1), "2");
    covey_table_free(table);
}

static void files_that_are_not_there_or_are_folders_are_named(void **unused)
{
    covey_table *table = NULL;
    covey_error err;

    assert_int_equal(covey_csv_read(&table, "/nowhere/t.csv", NULL, NULL, &err), COVEY_ENOTFOUND);
    assert_string_equal(err.message, "/nowhere/t.csv: there is no such file, nor its folder");
    assert_int_equal(covey_csv_read(&table, "/", NULL, NULL, &err), COVEY_EINVAL);
    assert_string_equal(err.message, "/: is a folder, not a file");
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_become_codes_in_byte_order_of_their_texts),
        cmocka_unit_test(line_ends_may_be_lf_or_crlf_and_the_last_may_be_missing),
        cmocka_unit_test(a_cr_within_a_line_is_part_of_its_cell),
        cmocka_unit_test(a_byte_order_mark_is_not_part_of_the_first_name),
        cmocka_unit_test(quoted_cells_hold_delimiters_quotes_and_line_breaks),
        cmocka_unit_test(quotes_make_no_difference_to_a_value),
        cmocka_unit_test(cells_of_every_length_around_a_word_keep_apart),
        cmocka_unit_test(the_empty_cell_is_missing_and_has_code_0),
        cmocka_unit_test(other_texts_can_mean_missing),
        cmocka_unit_test(the_text_null_beside_missing_cells_is_refused),
        cmocka_unit_test(blanks_stay_unless_they_are_trimmed),
        cmocka_unit_test(a_tab_that_separates_is_no_blank),
        cmocka_unit_test(blank_lines_at_the_end_are_nothing),
        cmocka_unit_test(a_blank_line_elsewhere_is_a_cell_only_in_a_table_of_one_column),
        cmocka_unit_test(a_header_without_rows_is_a_table),
        cmocka_unit_test(an_empty_file_is_no_table),
        cmocka_unit_test(names_must_be_there_and_differ),
        cmocka_unit_test(rows_must_have_as_many_cells_as_the_header),
        cmocka_unit_test(quotes_must_stand_around_whole_cells),
        cmocka_unit_test(the_first_of_several_errors_is_reported),
        cmocka_unit_test(texts_must_be_utf8),
        cmocka_unit_test(the_first_row_of_a_wrong_text_counts_whatever_the_column),
        cmocka_unit_test(nul_bytes_are_refused_wherever_they_hide),
        cmocka_unit_test(bad_bytes_are_refused_in_columns_that_are_dropped),
        cmocka_unit_test(utf16_and_old_macintosh_files_are_recognised),
        cmocka_unit_test(a_wrong_cell_is_shown_up_to_forty_characters),
        cmocka_unit_test(the_delimiter_is_the_one_that_occurs_equally_often_in_all_lines),
        cmocka_unit_test(a_given_delimiter_is_used),
        cmocka_unit_test(without_a_header_columns_are_numbered_and_the_first_line_is_data),
        cmocka_unit_test(columns_that_are_not_kept_are_checked_but_not_in_the_table),
        cmocka_unit_test(a_cell_of_a_megabyte_is_a_cell),
        cmocka_unit_test(codes_widen_as_values_come),
        cmocka_unit_test(tables_may_have_thousands_of_columns),
        cmocka_unit_test(reading_can_be_cancelled),
        cmocka_unit_test(a_file_that_is_written_to_while_it_is_read_is_refused),
        cmocka_unit_test(files_that_are_not_there_or_are_folders_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
