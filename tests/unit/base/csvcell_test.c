#include "test.h"

#include <string.h>

#include "base/csv_cell.h"

/* "cell|cell" of the next record; "END" at the end, the message if it is wrong. */
static const char *next(covey_csv_parser *parser)
{
    static char out[1024];
    covey_error err;
    size_t used = 0;
    bool more;

    if (covey_i_csv_parser_next(&more, parser, "h.csv", &err) != COVEY_OK) {
        snprintf(out, sizeof out, "%s", err.message);
        return out;
    }
    if (!more)
        return "END";
    for (size_t i = 0; i < parser->n_fields; i++) {
        assert_int_equal(strlen(covey_i_csv_field(parser, i)), covey_i_csv_field_size(parser, i));
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", i ? "|" : "", covey_i_csv_field(parser, i));
    }
    return out;
}

static covey_csv_parser parser_of(const char *text)
{
    covey_csv_parser parser;

    covey_i_csv_parser_init(&parser, text, strlen(text), ';');
    return parser;
}

static void records_come_one_by_one_with_their_lines(void **unused)
{
    covey_csv_parser parser = parser_of("\xEF\xBB\xBF"
                                        "a;b\n\"x\ny\";\"say \"\"hi\"\"\"\r\n;\nlast\n\n");

    assert_string_equal(next(&parser), "a|b");
    assert_string_equal(next(&parser), "x\ny|say \"hi\"");
    assert_int_equal(parser.record_line, 2);
    assert_string_equal(next(&parser), "|");
    assert_int_equal(parser.record_line, 4);
    assert_string_equal(next(&parser), "last");
    assert_int_equal(parser.n_fields, 1);
    assert_string_equal(next(&parser), "END");
    assert_string_equal(next(&parser), "END");
    covey_i_csv_parser_clear(&parser);
}

static void a_blank_line_is_one_empty_field_and_says_so(void **unused)
{
    covey_csv_parser parser = parser_of("a\n\nb\n\"\"\nc");

    assert_string_equal(next(&parser), "a");
    assert_false(parser.blank);
    assert_string_equal(next(&parser), "");
    assert_true(parser.blank);
    assert_string_equal(next(&parser), "b");
    assert_string_equal(next(&parser), "");
    assert_false(parser.blank);
    assert_string_equal(next(&parser), "c");
    assert_string_equal(next(&parser), "END");
    covey_i_csv_parser_clear(&parser);
}

static void faults_name_line_and_cell(void **unused)
{
    static const struct {
        const char *text, *message;
    } faults[] = {
        {"a;b\"c\n",
         "h.csv:1: cell 2: a quote inside an unquoted cell; quote the whole cell and write the quote twice (\"\")"},
        {"a;\"b\"c\n",
         "h.csv:1: cell 2: text behind the closing quote; a quote inside a quoted cell is written twice (\"\")"},
        {"\"a\n\n;", "h.csv:1: cell 1: the quote that opens this cell is never closed"},
        {"a;\xE4\n", "h.csv:1: cell 2: not valid UTF-8; convert the file (iconv -t UTF-8)"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        covey_csv_parser parser = parser_of(faults[i].text);

        assert_string_equal(next(&parser), faults[i].message);
        covey_i_csv_parser_clear(&parser);
    }
}

static void records_may_have_many_fields(void **unused)
{
    char text[2001];
    covey_csv_parser parser;
    bool more;

    memset(text, ';', 2000);
    text[2000] = '\0';
    parser = parser_of(text);
    assert_int_equal(covey_i_csv_parser_next(&more, &parser, "h.csv", NULL), COVEY_OK);
    assert_int_equal(parser.n_fields, 2001);
    assert_string_equal(covey_i_csv_field(&parser, 2000), "");
    covey_i_csv_parser_clear(&parser);
}

static void written_cells_are_read_back(void **unused)
{
    static const char *const cells[] = {"",           "plain", "with;delimiter", "with \"quotes\"", "\"",
                                        "two\nlines", "cr\r",  " blanks ",       "\xEF\xBB\xBF"};
    const size_t n = sizeof cells / sizeof *cells;
    covey_text text = COVEY_TEXT_INIT;
    covey_csv_parser parser;
    bool more;

    for (size_t i = n; i-- > 0;) {
        covey_i_csv_add_cell(&text, cells[i], strlen(cells[i]), ';');
        covey_i_text_add_char(&text, i ? ';' : '\n');
    }
    parser = parser_of(text.bytes);
    assert_int_equal(covey_i_csv_parser_next(&more, &parser, "h.csv", NULL), COVEY_OK);
    assert_int_equal(parser.n_fields, n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(covey_i_csv_field(&parser, n - 1 - i), cells[i]);
    covey_i_csv_parser_clear(&parser);
    covey_i_text_free(&text);
}

static void cells_are_shown_up_to_forty_characters(void **unused)
{
    char shown[COVEY_CSV_SHOWN];

    assert_string_equal(covey_i_csv_shown(shown, "abc", 3), "abc");
    assert_string_equal(covey_i_csv_shown(shown, "1234567890123456789012345678901234567890", 40),
                        "1234567890123456789012345678901234567890");
    assert_string_equal(covey_i_csv_shown(shown, "12345678901234567890123456789012345678901", 41),
                        "1234567890123456789012345678901234567890...");
    assert_string_equal(covey_i_csv_shown(shown, "a\0\xFF\xC3", 4), "a???");
    assert_string_equal(covey_i_csv_shown(shown, "\xF0\x9F\x98\x80!", 5), "\xF0\x9F\x98\x80!");
    assert_string_equal(covey_i_csv_shown(shown, "", 0), "");
}

static void blank_lines_at_the_end_are_cut_off(void **unused)
{
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {{"", 0},    {"\n", 0},          {"\r\n\n", 0}, {"a", 1},
                 {"a\n", 2}, {"a\r\n\r\n\n", 3}, {"a\n\r", 3},  {"a\r\n", 3}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(covey_i_csv_size_without_blank_end(cases[i].text, strlen(cases[i].text)), cases[i].size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_one_by_one_with_their_lines),
        cmocka_unit_test(a_blank_line_is_one_empty_field_and_says_so),
        cmocka_unit_test(faults_name_line_and_cell),
        cmocka_unit_test(records_may_have_many_fields),
        cmocka_unit_test(written_cells_are_read_back),
        cmocka_unit_test(cells_are_shown_up_to_forty_characters),
        cmocka_unit_test(blank_lines_at_the_end_are_cut_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
