/* The reader of sorted files says what the ordinary one says, of files that are sorted and numbered, and of what
 * becomes of them when bytes are changed: the same table, or the same complaint. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "base/text.h"
#include "io/csv/read.h"

enum { MOST_COLUMNS = 5 };

static int n_files(void)
{
    return test_share(120);
}

/* Cells with and without quotes, shorter and longer than a word, many and few. */
static void add_cell(covey_text *text, uint32_t kind, uint32_t value)
{
    switch (kind) {
    case 0:
        covey_i_text_add_format(text, "%u", value);
        break;
    case 1:
        covey_i_text_add_format(text, "\"[%u, %u]\"", value, value + 3);
        break;
    case 2:
        covey_i_text_add_format(text, "a longer value %u", value);
        break;
    case 3:
        covey_i_text_add_string(text, value % 3 == 0 ? "" : value % 3 == 1 ? "\"\"" : "é");
        break;
    default:
        covey_i_text_add_format(text, "%c", 'a' + (int)(value % 26));
        break;
    }
}

/* Rows of classes: all columns but the last, or the last two, change with the class, some of them seldom; or all change
 * from row to row. */
static covey_text random_file(covey_rng *rng, bool is_numbered)
{
    const uint32_t n_columns = 1 + (uint32_t)covey_i_rng_below(rng, MOST_COLUMNS),
                   n_classes = (uint32_t)covey_i_rng_below(rng, 40);
    const uint32_t most_values = covey_i_rng_below(rng, 4) == 0 ? 70000 : 1 + (uint32_t)covey_i_rng_below(rng, 400);
    const bool two_change = n_columns > 1 && covey_i_rng_below(rng, 2) == 0; /* from row to row */
    const bool all_change = covey_i_rng_below(rng, 3) == 0;
    const uint32_t seldom = covey_i_rng_below(rng, 2) ? 2 : 20; /* does the last column change */
    const bool is_small = covey_i_rng_below(rng, 2) == 0;       /* classes and cells */
    uint32_t kind[MOST_COLUMNS], value[MOST_COLUMNS] = {0};
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, is_numbered ? "class" : "");
    for (uint32_t c = 0; c < n_columns; c++) {
        kind[c] = (uint32_t)covey_i_rng_below(rng, 5);
        if (is_small && (kind[c] == 1 || kind[c] == 2))
            kind[c] = 4;
        covey_i_text_add_format(&text, "%sc%u", c > 0 || is_numbered ? "," : "", c);
    }
    covey_i_text_add_char(&text, '\n');
    for (uint32_t class = 1; class <= n_classes; class ++) {
        const uint32_t n_rows = 1 + (uint32_t)covey_i_rng_below(rng, is_small                         ? 4
                                                                     : covey_i_rng_below(rng, 3) == 0 ? 90
                                                                                                      : 6);

        for (uint32_t c = 0; c < n_columns; c++)
            if (covey_i_rng_below(rng, 3) == 0)
                value[c] = (uint32_t)covey_i_rng_below(rng, most_values);
        for (uint32_t row = 0; row < n_rows; row++) {
            if (is_numbered)
                covey_i_text_add_format(&text, "%u", class);
            if (covey_i_rng_below(rng, seldom) == 0)
                value[n_columns - 1] = (uint32_t)covey_i_rng_below(rng, most_values);
            if (two_change && covey_i_rng_below(rng, 3) == 0)
                value[n_columns - 2] = (uint32_t)covey_i_rng_below(rng, most_values);
            for (uint32_t c = 0; all_change && c < n_columns; c++)
                if (covey_i_rng_below(rng, 4) != 0)
                    value[c] = (uint32_t)covey_i_rng_below(rng, most_values);
            for (uint32_t c = 0; c < n_columns; c++) {
                covey_i_text_add_string(&text, c > 0 || is_numbered ? "," : "");
                add_cell(&text, kind[c], value[c]);
            }
            covey_i_text_add_char(&text, '\n');
        }
    }
    assert_false(text.broken);
    return text;
}

/* Some bytes replaced, left out or put in. */
static void damage(covey_text *text, covey_rng *rng)
{
    static const char strange[] = "\"\"\n\r,,09 1a\xC3";
    const uint32_t n = (uint32_t)covey_i_rng_below(rng, 4);

    for (uint32_t i = 0; i < n && text->size > 2; i++) {
        const size_t at = covey_i_rng_below(rng, (uint32_t)text->size);
        const char byte = strange[covey_i_rng_below(rng, sizeof strange)]; /* or NUL */

        switch (covey_i_rng_below(rng, 4)) {
        case 0:
            text->bytes[at] = byte;
            break;
        case 1:
            memmove(text->bytes + at, text->bytes + at + 1, --text->size - at);
            break;
        case 2:
            covey_i_text_add_char(text, ' ');
            memmove(text->bytes + at + 1, text->bytes + at, text->size - 1 - at);
            text->bytes[at] = byte;
            break;
        default:
            text->size = at + 1; /* the file ends here */
            break;
        }
    }
}

static bool columns_agree(const covey_column *a, const covey_column *b)
{
    bool agree = strcmp(a->name, b->name) == 0 && a->n_rows == b->n_rows && a->n_values == b->n_values &&
                 a->has_null == b->has_null;

    for (uint32_t v = 0; agree && v < a->n_values; v++)
        agree = strcmp(covey_column_label(a, v), covey_column_label(b, v)) == 0;
    for (int64_t row = 0; agree && row < a->n_rows; row++)
        agree = covey_column_code(a, row) == covey_column_code(b, row) &&
                covey_column_line(a, row) == covey_column_line(b, row);
    return agree;
}

/* The first column of the ordinary table is 1, 2, ... as the numbers say. */
static bool numbers_agree(const covey_csv_numbers *numbers, const covey_column *text)
{
    bool agree = numbers->start[0] == 0 && numbers->start[numbers->n] == text->n_rows;

    for (uint32_t n = 1; agree && n <= numbers->n; n++) {
        char expected[16];

        snprintf(expected, sizeof expected, "%u", n);
        agree = numbers->start[n - 1] < numbers->start[n];
        for (uint32_t row = numbers->start[n - 1]; agree && row < numbers->start[n]; row++)
            agree = strcmp(covey_column_label(text, covey_column_code(text, row)), expected) == 0;
    }
    return agree;
}

/* Was the file taken for a numbered one? */
static bool compare_readers(const covey_infile *file, bool wants_numbers, size_t chunk_size, int n_threads)
{
    static const char *const nothing[] = {NULL};
    const covey_csv_options options = {.delimiter = ',', .null = nothing};
    const covey_run run = {.n_threads = n_threads};
    covey_table *ordinary = NULL, *sorted = NULL;
    covey_csv_numbers numbers = {0};
    covey_error err = {0}, err_sorted = {0};
    const covey_status status = covey_i_csv_read_file(&ordinary, file, "t.csv", &options, 0, NULL, &err);
    bool is_numbered;

    assert_int_equal(covey_i_csv_read_sorted_file(&sorted, wants_numbers ? &numbers : NULL, file, "t.csv", &options,
                                                  chunk_size, &run, &err_sorted),
                     status);
    is_numbered = numbers.start != NULL;
    if (status == COVEY_OK) {
        assert_int_equal(covey_table_n_rows(sorted), covey_table_n_rows(ordinary));
        assert_int_equal(covey_table_n_columns(sorted), covey_table_n_columns(ordinary));
        for (size_t c = is_numbered; c < covey_table_n_columns(ordinary); c++)
            assert_true(columns_agree(covey_table_column(sorted, c), covey_table_column(ordinary, c)));
        if (is_numbered) {
            assert_string_equal(covey_table_column(sorted, 0)->name, covey_table_column(ordinary, 0)->name);
            assert_true(numbers_agree(&numbers, covey_table_column(ordinary, 0)));
        }
    } else {
        assert_string_equal(err_sorted.message, err.message);
        assert_int_equal(err_sorted.row, err.row);
        assert_false(is_numbered);
    }
    covey_i_free(numbers.start);
    covey_table_free(ordinary);
    covey_table_free(sorted);
    return is_numbered;
}

static void test_sorted__files_that_are_numbered_are_taken_for_such(void **state)
{
    covey_rng rng;

    (void)state;
    covey_i_rng_init(&rng, (const unsigned char[32]){1}, 0);
    for (int i = 0; i < n_files(); i++) {
        const bool is_numbered = i % 4 != 0;
        covey_text text = random_file(&rng, is_numbered);
        covey_infile file = csv_of_bytes(text.bytes, text.size);

        for (size_t chunk_size = 1; chunk_size < 40000; chunk_size = chunk_size * 7 + 30)
            assert_int_equal(compare_readers(&file, is_numbered, chunk_size, 1 + i % 3), is_numbered);
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

static void test_sorted__damaged_files_are_what_they_are_to_the_ordinary_reader(void **state)
{
    covey_rng rng;
    int n_numbered = 0;

    (void)state;
    covey_i_rng_init(&rng, (const unsigned char[32]){2}, 0);
    for (int i = 0; i < 4 * n_files(); i++) {
        covey_text text = random_file(&rng, true);
        covey_infile file;

        damage(&text, &rng);
        file = csv_of_bytes(text.bytes, text.size);
        n_numbered += compare_readers(&file, true, 1 + covey_i_rng_below(&rng, i % 2 ? 300 : 30000), 2);
        compare_readers(&file, false, 1 + covey_i_rng_below(&rng, i % 2 ? 300 : 30000), 2);
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
    assert_true(n_numbered > n_files() && n_numbered < 4 * n_files()); /* both ways were gone */
}

static void test_sorted__what_is_unusual_is_left_to_the_ordinary_reader(void **state)
{
    static const struct {
        const char *text;
        bool is_numbered;
    } cases[] = {
        {"class,a\n", true},
        {"class,a\n1,x\n1,x\n2,y\n", true},
        {"class,a\r\n1,x\n2,x\n", true},
        {"class,a\n1,x\n2,x", false},
        {"class,a\n1,x\r\n2,x\r\n", false},
        {"class,a\n\"1\",x\n2,x\n", false},
        {"class,a\n1,\"x \"\"y\"\"\"\n2,x\n", false},
        {"class,a\n1,\"x\ny\"\n2,x\n", false},
        {"class,a\n01,x\n2,x\n", false},
        {"class,a\n0,x\n1,x\n", false},
        {"class,a\n2,x\n3,x\n", false},
        {"class,a\n1,x\n3,x\n", false},
        {"class,a\n1,x\n2,x\n1,x\n", false},
        {"class,a\n1,x\n12,x\n", false},
        {"class,a\n9,x\n10,x\n", false},
        {"class,a\n1,\"x,y\"\n2,x,y\n", false},
        {"class,a,b\n1,\"x,y\",z\n2,x,y,z\n", false},
        {"class,a\n1,\"x\r\"\n2,x\r\n", false},
        {"class,a,b\n1,x,y\n1,x\n", false},
        {"class,a,b\n1,,\n1,,\n2,,\n", true},
        {"class,a,b\n1,\"\",\n1,,\n2,,\"\"\n", true},
        {"class\n1\n2\n", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_infile file = csv_of_bytes(cases[i].text, strlen(cases[i].text));

        assert_int_equal(compare_readers(&file, true, 1, 2), cases[i].is_numbered);
        compare_readers(&file, false, 3, 2);
        covey_i_infile_close(&file);
    }
}

/* Rows of small groups, in batches: what stands behind their numbers comes again and again, or does not, is longer and
 * shorter than what is looked up as one, differs in its last byte, in NULs or in quotes only, and has more values than
 * a byte holds from some row on. */
static covey_text file_of_tails(covey_rng *rng, uint32_t n_rows)
{
    static const char *const last[] = {"",
                                       "x",
                                       "y",
                                       "abcdefgh",
                                       "abcdefgi",
                                       "abcdefghijkl",
                                       "abcdefghijklm",
                                       "abcdefghijklmn",
                                       "\"x\"",
                                       "\"abcdefgh\"",
                                       "x\"",
                                       "x\r",
                                       "\"x,\""};
    const uint32_t rare = covey_i_rng_below(rng, 2) ? 0 : 1 + (uint32_t)covey_i_rng_below(rng, n_rows),
                   largest = 2 + (uint32_t)covey_i_rng_below(rng, 5), usual = covey_i_rng_below(rng, 3) ? 8 : 10,
                   later = 1 + (uint32_t)covey_i_rng_below(rng, n_rows), n_last = sizeof last / sizeof *last,
                   most = covey_i_rng_below(rng, 3) ? 1000 : 100000000;
    uint32_t number = 1;
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, "class,a,b,c\n");
    for (uint32_t row = 0; row < n_rows; row++) {
        const uint32_t a = (uint32_t)covey_i_rng_below(rng, row < later ? 12 : most);

        covey_i_text_add_format(&text, "%u,%u,%s,", number, a % 7, a % 3 ? "p" : "");
        covey_i_text_add_format(&text, "%s",
                                last[row + 1 == rare ? covey_i_rng_below(rng, n_last) : covey_i_rng_below(rng, usual)]);
        if (row >= later)
            covey_i_text_add_format(&text, "%u", a);
        covey_i_text_add_char(&text, '\n');
        if (row == n_rows / 2) {
            covey_i_text_add_format(&text, "%u,1,p,x", number);
            covey_i_text_add(&text, "\0\n", 2);
        }
        number += covey_i_rng_below(rng, largest) == 0 || covey_i_rng_below(rng, 3) == 0;
        number += row + 2 == rare && covey_i_rng_below(rng, 4) == 0; /* or the next but one */
    }
    return text;
}

static void test_sorted__what_stands_behind_numbers_comes_again(void **state)
{
    covey_rng rng;
    int n_numbered = 0;

    (void)state;
    covey_i_rng_init(&rng, (const unsigned char[32]){3}, 0);
    for (int i = 0; i < n_files(); i++) {
        covey_text text = file_of_tails(&rng, 200 + (uint32_t)covey_i_rng_below(&rng, 3000));
        covey_infile file;

        if (i % 5 != 0)
            for (size_t k = 0; k < text.size; k++)
                text.bytes[k] = text.bytes[k] == '\0' ? 'z' : text.bytes[k];
        file = csv_of_bytes(text.bytes, text.size - (i % 11 == 0));
        n_numbered += compare_readers(&file, true, i % 3 ? 0 : 5000, 1 + i % 2);
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
    assert_true(n_numbered > n_files() / 4 && n_numbered < n_files());
}

/* Nothing is compared with what is behind the file, however much of the row before it could be. */
static void test_sorted__the_last_row_ends_early(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_infile file;

    (void)state;
    covey_i_text_add_string(&text, "a,b\n");
    for (int row = 0; row < 3; row++)
        covey_i_text_add_format(&text, "%0*d,%d\n", 8 * COVEY_INFILE_PADDING, 0, row);
    covey_i_text_add_format(&text, "%0*d\n", COVEY_INFILE_PADDING, 0);
    file = csv_of_bytes(text.bytes, text.size);
    assert_false(compare_readers(&file, false, 0, 1));
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
}

/* Nor is anything read there, where the rows' cells are looked up together and the last row is shorter than a number.
 */
static void test_sorted__the_last_row_is_no_row(void **state)
{
    (void)state;
    for (uint32_t size = 1; size < 5; size++) {
        covey_text text = COVEY_TEXT_INIT;
        covey_infile file;

        covey_i_text_add_string(&text, "class,a,b,c,d,e,f,g\n");
        for (uint32_t row = 0; row < 3000; row++)
            covey_i_text_add_format(&text, "%u,%u,%u,%u,%u,%u,%u,%u\n", 1 + row / 2, 1000000 + row % 7,
                                    2000000 + row % 5, 3000000 + row % 3, 4000000 + row % 2, 5000000 + row % 11,
                                    6000000 + row % 13, 7000000 + row % 17);
        covey_i_text_add(&text, "1500", size);
        covey_i_text_add_char(&text, '\n');
        file = csv_of_bytes(text.bytes, text.size);
        assert_false(compare_readers(&file, true, 0, 1));
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

/* A row that is longer than all behind it: what is compared with it ends with the file, whatever stands there.  NULs
 * are what the padding has, too. */
static void test_sorted__a_long_row_is_followed_by_short_ones(void **state)
{
    static const struct {
        char filler;
        const char *rest;
    } cases[] = {{'\0', "b,1,u\n1,a"},
                 {'x', "b,1,u\n1,a,1,u\n2,b,1,v\n2,b,2,u\n"},
                 {'\0', "b,1,u\n1,a,1,u\n2,b,1,v\n2,b,2,u\n"}};
    enum { LENGTH = 3000000 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_text text = COVEY_TEXT_INIT;
        covey_infile file;

        covey_i_text_add_string(&text, "class,w,q,s\n1,a");
        for (int k = 0; k < LENGTH; k++)
            covey_i_text_add_char(&text, cases[i].filler);
        covey_i_text_add_string(&text, cases[i].rest);
        file = csv_of_bytes(text.bytes, text.size);
        compare_readers(&file, true, 0, 1);
        compare_readers(&file, false, 0, 2);
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

/* A cell of the second chunk, which is tried, ends like a line of the first one; but for it, and were both chunks of
 * few texts, both could be read. */
static void test_sorted__cells_that_end_like_lines(void **state)
{
    enum { SIZE = 600000, PERIOD = SIZE / 32 };
    bool has_line_end = false, has_cell = false;
    covey_text text = COVEY_TEXT_INIT;
    covey_infile file;

    (void)state;
    covey_i_text_add_string(&text, "class,a,b\n");
    for (uint32_t row = 0; text.size < SIZE; row++) {
        const bool is_usual =
            text.size < SIZE / 2 || text.size % PERIOD < PERIOD / 16 || text.size % PERIOD >= PERIOD / 16 * 15;

        covey_i_text_add_format(&text, "%u,%u,", 1 + row / 2, is_usual ? row % 1009 : 1000000 + row);
        if (!has_line_end && text.size > PERIOD * 11 / 2) {
            covey_i_text_add_string(&text, "unknown\r\n");
            has_line_end = true;
        } else if (!has_cell && text.size > PERIOD * 24 + 100) {
            covey_i_text_add_string(&text, "\"unknown\r\"\n");
            has_cell = true;
        } else {
            covey_i_text_add_string(&text, row % 3 ? "unknown\n" : row % 2 ? "no\n" : "yes\n");
        }
    }
    file = csv_of_bytes(text.bytes, text.size);
    assert_false(compare_readers(&file, true, SIZE / 2, 1));
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
}

/* Cells that are looked up together, as far as the rows tell that are tried; rows in between are of more kinds, or
 * longer. */
static void test_sorted__other_rows_are_of_other_kinds(void **state)
{
    enum { SIZE = 1600000, PERIOD = SIZE / 32 };
    static const struct {
        uint32_t factor, n_values[2];
    } cases[] = {{1, {50, 40}}, {1000, {50, 40}}, {1, {300, 250}}, {1000000, {300, 250}}, {100000000, {3, 70000}}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_text text = COVEY_TEXT_INIT;
        covey_infile file;
        covey_rng rng;

        covey_i_rng_init(&rng, (const unsigned char[32]){3}, i);
        covey_i_text_add_string(&text, "class,a,b,c\n");
        for (uint32_t row = 0; text.size < SIZE; row++) {
            const bool is_usual = text.size % PERIOD < PERIOD / 16 || text.size % PERIOD >= PERIOD / 16 * 15;
            const uint32_t a = (uint32_t)covey_i_rng_below(&rng, cases[i].n_values[0]),
                           b = (uint32_t)covey_i_rng_below(&rng, cases[i].n_values[1]);

            covey_i_text_add_format(&text, "%u,%u,%u,%u\n", 1 + row / 2, is_usual ? a % 9 : a * cases[i].factor,
                                    is_usual ? b % 7 : b, row % 5);
        }
        file = csv_of_bytes(text.bytes, text.size);
        assert_true(compare_readers(&file, true, 0, 2));
        assert_true(compare_readers(&file, true, 300000, 1));
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

static void test_sorted__numbers_become_longer(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_infile file;

    (void)state;
    covey_i_text_add_string(&text, "class,a,b\n");
    for (int n = 1; n <= 120000; n++)
        covey_i_text_add_format(&text, "%d,%d,%d\n", n, n / 1000, n % 7);
    file = csv_of_bytes(text.bytes, text.size);
    assert_true(compare_readers(&file, true, 0, 2));
    assert_true(compare_readers(&file, true, 70000, 3));
    assert_false(compare_readers(&file, false, 70000, 3)); /* as one column more */
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
}

/* A chunk whose numbers begin anywhere, twice each, with few tails; of one row, if that is not -1, another digit. */
static bool chunk_is_numbered(uint32_t first, uint32_t n, int64_t damaged)
{
    static const bool kept[] = {true, true, true};
    covey_csv_scanner scanner;
    covey_csv_chunk chunk = {0};
    covey_text text = COVEY_TEXT_INIT;
    covey_infile file;
    bool is_numbered;

    for (uint32_t row = 0; row < 2 * n; row++) {
        const size_t at = text.size;

        covey_i_text_add_format(&text, "%u,%u,%s\n", first + row / 2, row % 5, row % 3 ? "yes" : "no");
        if (row == damaged)
            text.bytes[at + row % 2] ^= 1;
    }
    file = csv_of_bytes(text.bytes, text.size);
    chunk.start = file.bytes;
    chunk.end = file.bytes + file.size;
    assert_true(covey_i_csv_scanner_init(&scanner, 3, ',', false, kept));
    covey_i_csv_scan_sorted(&chunk, &scanner, true);
    assert_false(scanner.out_of_memory);
    is_numbered = !chunk.wrong;
    if (is_numbered) {
        assert_int_equal(chunk.first_number, first);
        assert_int_equal(chunk.n_numbers, n);
        assert_int_equal(chunk.n_rows, 2 * n);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(chunk.number_start[i], 2 * i);
        for (uint32_t row = 0; row < 2 * n; row++)
            assert_int_equal(covey_i_codes_get(chunk.codes[1], chunk.width[1], row), row % 5);
    }
    covey_i_csv_chunk_clear(&chunk, 3);
    covey_i_csv_scanner_free(&scanner);
    covey_i_infile_close(&file);
    covey_i_text_free(&text);
    return is_numbered;
}

static void test_sorted__numbers_of_every_length_are_followed_by_the_next(void **state)
{
    enum { N = 700 };

    (void)state;
    for (uint32_t power = 100; power <= 100000000; power *= 10)
        for (uint32_t before = 3; before < N + N / 4; before += N / 4) {
            const uint32_t first = power > before ? power - before : 1;

            assert_true(chunk_is_numbered(first, N, -1));
            for (int64_t row = 400 + before % 7; row < 2 * N; row += 101)
                assert_false(chunk_is_numbered(first, N, row));
        }
}

/* Rows of one cell after another that nothing has been seen of: codes become wider in the middle of them, and what is
 * unusual comes and goes. */
static void test_sorted__rows_are_unlike_each_other(void **state)
{
    for (int unusual = 0; unusual < 5; unusual++) {
        covey_text text = COVEY_TEXT_INIT;
        covey_infile file;

        (void)state;
        covey_i_text_add_string(&text, "group,a,b,c\n");
        for (int row = 0; row < 70000; row++)
            covey_i_text_add_format(&text, "%d,%d,%s%d,%s\n", 1 + row / 5, row * 7919 % 70001,
                                    row % 3 ? "" : "something long ", row % 300,
                                    unusual == 1 && row == 60000   ? "\"x\""
                                    : unusual == 2 && row > 60000  ? "\"x\""
                                    : unusual == 3 && row == 60000 ? "x\r"
                                    : unusual == 4 && row == 60000 ? "\"x\ny\""
                                                                   : "y");
        file = csv_of_bytes(text.bytes, text.size);
        assert_int_equal(compare_readers(&file, true, 0, 2), unusual < 3);
        covey_i_infile_close(&file);
        covey_i_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted__files_that_are_numbered_are_taken_for_such),
        cmocka_unit_test(test_sorted__damaged_files_are_what_they_are_to_the_ordinary_reader),
        cmocka_unit_test(test_sorted__what_is_unusual_is_left_to_the_ordinary_reader),
        cmocka_unit_test(test_sorted__what_stands_behind_numbers_comes_again),
        cmocka_unit_test(test_sorted__the_last_row_ends_early),
        cmocka_unit_test(test_sorted__the_last_row_is_no_row),
        cmocka_unit_test(test_sorted__a_long_row_is_followed_by_short_ones),
        cmocka_unit_test(test_sorted__cells_that_end_like_lines),
        cmocka_unit_test(test_sorted__other_rows_are_of_other_kinds),
        cmocka_unit_test(test_sorted__numbers_become_longer),
        cmocka_unit_test(test_sorted__numbers_of_every_length_are_followed_by_the_next),
        cmocka_unit_test(test_sorted__rows_are_unlike_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
