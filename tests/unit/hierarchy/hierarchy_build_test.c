/* Hierarchies that are built without a file. */
#include "test.h"

#include <string.h>

#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"

#define LIST(...)                                                                                                      \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define N(list) (sizeof(list) / sizeof *(list))

static covey_hierarchy_spec interval(const char *from, const char *to, const char *const *widths, size_t n)
{
    return (covey_hierarchy_spec){
        .kind = COVEY_HIERARCHY_INTERVAL, .from = from, .to = to, .widths = widths, .n_widths = n};
}

static void assert_builds(const covey_hierarchy_spec *spec, covey_type type, const char *cells, const char *expected)
{
    covey_column *column = trees_column(type, cells), *aligned = NULL;
    covey_hierarchy *h = trees_build(spec, column);

    assert_string_equal(trees_text(h), expected);
    assert_int_equal(covey_hierarchy_get_kind(h), spec->kind);
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK); /* every value has a leaf */
    assert_int_equal(aligned->n_values, covey_hierarchy_n_leaves(h));
    assert_int_equal(aligned->has_null, column->has_null);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

/* The labels of one value on all levels. */
static void assert_line(const covey_hierarchy_spec *spec, covey_type type, const char *cells, const char *label,
                        const char *expected)
{
    covey_column *column = trees_column(type, cells);
    covey_hierarchy *h = trees_build(spec, column);
    const uint32_t node = covey_hierarchy_find(h, label);

    assert_int_not_equal(node, UINT32_MAX);
    assert_string_equal(trees_line(h, covey_hierarchy_nodes(h)[node].leaf), expected);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void assert_refused(const covey_hierarchy_spec *spec, covey_type type, const char *cells, const char *expected)
{
    covey_column *column = trees_column(type, cells);

    assert_string_equal(trees_build_refusal(spec, column), expected);
    covey_i_column_free(column);
}

static void suppression_puts_every_value_under_the_root(void **state)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_SUPPRESSION};

    assert_builds(&spec, COVEY_TYPE_TEXT, "b|a|c|a", "*(a b c)");
    assert_builds(&spec, COVEY_TYPE_TEXT, "b||c|a", "*(null a b c)");
    assert_builds(&spec, COVEY_TYPE_TEXT, "a", "a");
    assert_builds(&spec, COVEY_TYPE_TEXT, "|", "null");
    assert_refused(&spec, COVEY_TYPE_TEXT, "", "column \"x\" has no values to build a hierarchy from");
    assert_string_equal(trees_build_refusal(&spec, NULL),
                        "a hierarchy of this kind is built from data: it needs a column");
}

static void no_kind_is_refused(void **state)
{
    const covey_hierarchy_spec none = COVEY_HIERARCHY_SPEC_INIT, file = {.kind = COVEY_HIERARCHY_FILE};

    assert_string_equal(trees_build_refusal(&none, NULL), "no kind of hierarchy is chosen");
    assert_string_equal(trees_build_refusal(&file, NULL), "a hierarchy from a file needs the file's path");
}

static void balanced_divides_runs_from_the_root_down(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_BALANCED, .n = 2};

    assert_builds(&spec, COVEY_TYPE_INTEGER, "30|40|50|60", "*(30..40(30 40) 50..60(50 60))");
    assert_builds(&spec, COVEY_TYPE_INTEGER, "5|1|2|4|3", "*(1..3(1..2(1 2) 3) 4..5(4 5))");
    assert_builds(&spec, COVEY_TYPE_INTEGER, "-10|9|100", "*(-10..9(-10 9) 100)");
    assert_builds(&spec, COVEY_TYPE_TEXT, "c|a|b|", "*(null a..b(a b) c)");
    assert_builds(&spec, COVEY_TYPE_TEXT, "a|b", "*(a b)");
    assert_builds(&spec, COVEY_TYPE_TEXT, "a", "a");
    spec.n = 3;
    assert_builds(&spec, COVEY_TYPE_INTEGER, "1|2|3|4|5|6|7|8|9|10",
                  "*(1..4(1..2(1 2) 3 4) 5..7(5 6 7) 8..10(8 9 10))"); /* height ceil(log3 10) = 3 */
    assert_builds(&spec, COVEY_TYPE_INTEGER, "1|2|3|4|5", "*(1..2(1 2) 3..4(3 4) 5)");
    spec.n = 1000000000000;
    assert_builds(&spec, COVEY_TYPE_INTEGER, "1|2|3", "*(1 2 3)");
    spec.n = 1;
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1|2",
                   "column \"x\": balanced needs at least 2 children per node, not 1");
}

static void balanced_height_is_the_logarithm_rounded_up(void **state)
{
    const struct {
        const char *cells;
        int64_t n;
        int n_levels;
    } cases[] = {
        {"1|2", 2, 2}, {"1|2|3", 2, 3}, {"1|2|3|4", 2, 3}, {"1|2|3|4|5", 2, 4}, {"1|2|3|4|5|6|7|8|9", 3, 3},
        {"1", 2, 2},
    };

    for (size_t i = 0; i < N(cases); i++) {
        const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_BALANCED, .n = cases[i].n};
        covey_column *column = trees_column(COVEY_TYPE_INTEGER, cases[i].cells);
        covey_hierarchy *h = trees_build(&spec, column);

        assert_int_equal(covey_hierarchy_n_levels(h), cases[i].n_levels);
        covey_hierarchy_free(h);
        covey_i_column_free(column);
    }
}

static void an_interval_of_integers_lists_them_all(void **state)
{
    const char *const widths[] = {"2", "4"};
    covey_hierarchy_spec spec = interval("0", "7", widths, 2);
    covey_column *column = trees_column(COVEY_TYPE_INTEGER, "3");
    covey_hierarchy *h = trees_build(&spec, column);

    assert_string_equal(trees_text(h), "*(0-3(0-1(0 1) 2-3(2 3)) 4-7(4-5(4 5) 6-7(6 7)))");
    assert_int_equal(covey_hierarchy_n_levels(h), 4);
    assert_false(covey_hierarchy_is_from_data(h));
    covey_hierarchy_free(h);
    covey_i_column_free(column);
    assert_builds(&spec, COVEY_TYPE_INTEGER, "3|", "*(null 0-3(0-1(0 1) 2-3(2 3)) 4-7(4-5(4 5) 6-7(6 7)))");
}

static void both_ends_belong_to_an_interval(void **state)
{
    const covey_hierarchy_spec spec = interval("0", "100", LIST("5", "10", "20"), 3);

    assert_line(&spec, COVEY_TYPE_INTEGER, "0|100", "99", "99;95-99;90-99;80-99;*");
    assert_line(&spec, COVEY_TYPE_INTEGER, "0|100", "100", "100;100;100;100;*"); /* alone in its class: a chain */
    assert_refused(&spec, COVEY_TYPE_INTEGER, "0|101",
                   "column \"x\": the value 101 lies outside the interval from 0 to 100; widen it, or say `clamp: "
                   "true` for classes beyond its ends");
}

static void negative_bounds_are_joined_by_two_dots(void **state)
{
    const covey_hierarchy_spec spec = interval("-20", "19", LIST("10", "20"), 2);

    assert_line(&spec, COVEY_TYPE_INTEGER, "-20", "-11", "-11;-20..-11;-20..-1;*");
    assert_line(&spec, COVEY_TYPE_INTEGER, "-20", "0", "0;0-9;0-19;*");
}

static void clamp_makes_classes_beyond_the_ends(void **state)
{
    covey_hierarchy_spec spec = interval("20", "26", LIST("2", "4"), 2);
    covey_column *column;
    covey_hierarchy *h;

    spec.clamp = true;
    assert_builds(&spec, COVEY_TYPE_INTEGER, "3|17|22|26|90",
                  "*(<20(3 17) 20-23(20-21(20 21) 22-23(22 23)) 24-25(24 25) >=26(26 90))");
    assert_line(&spec, COVEY_TYPE_INTEGER, "3|17|22|26|90", "90", "90;>=26;>=26;*");
    assert_line(&spec, COVEY_TYPE_INTEGER, "22", "24",
                "24;24-25;24-25;*"); /* what begins inside ends at the interval's end */
    column = trees_column(COVEY_TYPE_INTEGER, "22|30");
    h = trees_build(&spec, column);
    assert_true(covey_hierarchy_is_from_data(h)); /* 30 is a leaf because it occurs */
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void an_interval_of_decimals_has_the_values_that_occur(void **state)
{
    covey_hierarchy_spec spec = interval("0", "10", LIST("2.5", "5"), 2);

    assert_builds(&spec, COVEY_TYPE_DECIMAL, "0.1|0.30|2.5|4.99|9", "*([0,5)([0,2.5)(0.1 0.30) [2.5,5)(2.5 4.99)) 9)");
    assert_line(&spec, COVEY_TYPE_DECIMAL, "1|7.25|7.5|7.4|9.0", "7.25", "7.25;[5,7.5);[5,10);*");
    spec.clamp = true;
    assert_builds(&spec, COVEY_TYPE_DECIMAL, "-0.5|-1|10.0|99.5|5.5|6.5",
                  "*(<0(-1 -0.5) [5,7.5)(5.5 6.5) >=10(10.0 99.5))");
    spec = interval("-1", "1", LIST("0.5"), 1);
    assert_line(&spec, COVEY_TYPE_DECIMAL, "-0.75|-0.8|0.2|0.3", "-0.75", "-0.75;[-1,-0.5);*");
}

static void a_wide_interval_of_integers_has_the_values_that_occur(void **state)
{
    const covey_hierarchy_spec spec = interval("0", "10000000", LIST("1000"), 1);

    assert_builds(&spec, COVEY_TYPE_INTEGER, "5|6|5000|1000000|1000001",
                  "*(0-999(5 6) 5000 1000000-1000999(1000000 1000001))");
}

static void impossible_intervals_are_refused(void **state)
{
    covey_hierarchy_spec spec = interval("0", "100", LIST("5", "12"), 2);

    assert_refused(
        &spec, COVEY_TYPE_INTEGER, "1",
        "column \"x\": the width 12 is no multiple of 5, the one before, so that levels would not be nested");
    spec = interval("0", "100", LIST("0"), 1);
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": the width 0 is not positive");
    spec = interval("0", "100", LIST("-5"), 1);
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": the width -5 is not positive");
    spec = interval("0", "100", LIST("2.5"), 1);
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1",
                   "column \"x\": interval: width \"2.5\" is not an integer of at most 18 digits");
    spec = interval("0", "100", LIST("five"), 1);
    assert_refused(&spec, COVEY_TYPE_DECIMAL, "1",
                   "column \"x\": interval: width \"five\" is not a decimal number of at most 18 digits");
    spec = interval("100", "100", LIST("5"), 1);
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": interval: from 100 is not below to 100");
    spec = interval("0", NULL, LIST("5"), 1);
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": interval needs `to`");
    spec = interval("0", "100", NULL, 0);
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": interval needs `widths`, such as [5, 10, 20]");
    spec = interval("0", "100", LIST("5"), 1);
    assert_refused(&spec, COVEY_TYPE_TEXT, "1", "column \"x\": interval needs numbers, but the column's type is text");
    assert_refused(&spec, COVEY_TYPE_DATE, "2020-01-01",
                   "column \"x\": interval needs numbers, but the column's type is date; use date: [month, year]");
    spec = interval("0", "100000000000000000", LIST("0.001"), 1);
    assert_refused(&spec, COVEY_TYPE_DECIMAL, "1",
                   "column \"x\": the interval from 0 to 100000000000000000, its widths and the column's values need "
                   "more than 18 digits where all "
                   "have 3 places behind the point: give ends and widths with fewer digits, or round the column");
}

static void cuts_are_classes_with_open_ends(void **state)
{
    const char *const one[] = {"10", "20", "30"}, *const two[] = {"20"};
    const char *const *const levels[] = {one, two};
    const size_t n_cuts[] = {3, 1};
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_CUTS, .cuts = levels, .n_cuts = n_cuts, .n_levels = 2};

    assert_builds(&spec, COVEY_TYPE_INTEGER, "1|2|10|19|20|29|30|99",
                  "*(<20(<10(1 2) 10-19(10 19)) >=20(20-29(20 29) >=30(30 99)))");
    assert_builds(&spec, COVEY_TYPE_DECIMAL, "9.9|10|19.5|20", "*(<20(9.9 [10,20)(10 19.5)) 20)");
    assert_refused(&spec, COVEY_TYPE_TEXT, "a",
                   "column \"x\": cuts need numbers or dates, but the column's type is text");
}

static void cuts_work_on_dates_and_negative_numbers(void **state)
{
    const char *const dates[] = {"2020-01-01", "2021-01-01"}, *const numbers[] = {"-10", "0.5"};
    const char *const *const date_levels[] = {dates}, *const *const number_levels[] = {numbers};
    const size_t n_cuts[] = {2};
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_CUTS, .cuts = date_levels, .n_cuts = n_cuts, .n_levels = 1};

    assert_builds(&spec, COVEY_TYPE_DATE, "2019-12-31|2019-12-30|2020-01-01|2020-12-31|2021-05-05",
                  "*(<2020-01-01(2019-12-30 2019-12-31) 2020-01-01..2020-12-31(2020-01-01 2020-12-31) 2021-05-05)");
    spec.cuts = number_levels;
    assert_builds(&spec, COVEY_TYPE_DECIMAL, "-11|-10.5|-10|0.25|0.5|7",
                  "*(<-10(-11 -10.5) [-10,0.5)(-10 0.25) >=0.5(0.5 7))");
    assert_refused(&spec, COVEY_TYPE_INTEGER, "7",
                   "column \"x\": cuts: \"0.5\" on level 1 is not of the column's type integer");
}

static void impossible_cuts_are_refused(void **state)
{
    const char *const one[] = {"10", "20"}, *const other[] = {"15"}, *const down[] = {"20", "10"},
                      *const twice[] = {"10", "10.0"};
    const char *const *const unrelated[] = {one, other}, *const *const descending[] = {down},
                             *const *const repeated[] = {twice};
    const size_t two_one[] = {2, 1}, two[] = {2}, none[] = {0};
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_CUTS, .cuts = unrelated, .n_cuts = two_one, .n_levels = 2};

    assert_refused(
        &spec, COVEY_TYPE_INTEGER, "1",
        "column \"x\": cuts: 15 of level 2 is not among the cut points of level 1, so that levels would not be nested");
    spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_CUTS, .cuts = descending, .n_cuts = two, .n_levels = 1};
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1",
                   "column \"x\": cuts: level 1: 10 does not come after 20; list them ascending");
    spec.cuts = repeated;
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1",
                   "column \"x\": cuts: level 1: 10.0 does not come after 10; list them ascending");
    spec.n_cuts = none;
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": cuts: level 1 has no cut points");
    spec.n_levels = 0;
    assert_refused(&spec, COVEY_TYPE_INTEGER, "1", "column \"x\": cuts need 1 to 62 lists of cut points, not 0");
}

/* ZIP codes by masking 1..3 then *, height 4. */
static void masking_hides_characters_from_the_right(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_MASK, .n = 3};
    const char *zips = "47677|47602|47678|47905|47909|47906|47605|47673|47607";
    covey_column *column = trees_column(COVEY_TYPE_TEXT, zips);
    covey_hierarchy *h = trees_build(&spec, column);

    assert_int_equal(covey_hierarchy_n_levels(h), 5);
    assert_string_equal(trees_text(h),
                        "47***(476**(4760*(47602 47605 47607) 4767*(47673 47677 47678)) 4790*(47905 47906 47909))");
    assert_string_equal(trees_line(h, 0),
                        "47602;4760*;476**;47***;47***"); /* all ZIP codes begin with 47: the root's only child */
    assert_int_equal(covey_hierarchy_find(h, "*"), 0);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
    assert_builds(&spec, COVEY_TYPE_INTEGER, zips,
                  "47***(476**(4760*(47602 47605 47607) 4767*(47673 47677 47678)) 4790*(47905 47906 47909))");
    assert_line(&spec, COVEY_TYPE_TEXT, "äöü|äöß|äxx|bbb", "äöü", "äöü;äö*;ä**;*"); /* characters, not bytes */
    assert_builds(&spec, COVEY_TYPE_TEXT, "ab|ac||bb", "*(null a*(ab ac) bb)");
}

static void masking_everything_is_the_root(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_MASK, .n = 5};

    assert_line(&spec, COVEY_TYPE_TEXT, "11111|11112|11222|22222", "11111", "11111;1111*;1111*;11***;11***;*");
    spec.n = INT64_MAX;
    assert_line(&spec, COVEY_TYPE_TEXT, "aa|ab|bb", "aa", "aa;a*;*");
    assert_builds(&spec, COVEY_TYPE_TEXT, "a|b", "*(a b)");
}

static void masking_needs_equal_lengths(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_MASK, .n = 2};

    assert_refused(&spec, COVEY_TYPE_TEXT, "01234|123",
                   "column \"x\": mask needs values of equal length, but \"01234\" has length 5 and \"123\" has length "
                   "3; pad them, "
                   "or use another hierarchy");
    spec.n = 0;
    assert_refused(&spec, COVEY_TYPE_TEXT, "a", "column \"x\": mask needs at least 1 character, not 0");
}

static void dates_go_up_to_decades(void **state)
{
    const char *const all[] = {"day", "month", "quarter", "year", "decade"};
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_DATE, .units = all, .n_units = 5};
    const char *days = "2020-03-05|2020-03-06|2020-02-01|2020-11-01|2021-01-01|1999-12-31|1998-01-01";

    assert_line(&spec, COVEY_TYPE_DATE, days, "2020-03-05", "2020-03-05;2020-03-05;2020-03;2020-Q1;2020;2020s;*");
    spec.units = all + 1;
    spec.n_units = 3;
    assert_builds(
        &spec, COVEY_TYPE_DATE, days,
        "*(1998-01-01 1999-12-31 2020(2020-Q1(2020-02-01 2020-03(2020-03-05 2020-03-06)) 2020-11-01) 2021-01-01)");
    spec.n_units = 0;
    assert_refused(&spec, COVEY_TYPE_DATE, days, "column \"x\": date needs units of day, month, quarter, year, decade");
}

static void wrong_units_of_dates_are_refused(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_DATE, .units = LIST("moth", "year"), .n_units = 2};

    assert_refused(
        &spec, COVEY_TYPE_DATE, "2020-01-01",
        "column \"x\": date: there is no unit \"moth\" (\"month\"?); units are day, month, quarter, year, decade");
    spec.units = LIST("year", "month");
    assert_refused(&spec, COVEY_TYPE_DATE, "2020-01-01",
                   "column \"x\": date: month does not come after year; list units from fine to coarse, each once");
    assert_refused(&spec, COVEY_TYPE_TEXT, "2020-01-01",
                   "column \"x\": date needs dates (YYYY-MM-DD), but the column's type is text");
}

static void zip3_publishes_areas_of_three_digits(void **state)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_ZIP3, .path = trees_file("036\n\n 059 \r\n102\n")};
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "12345|12399-1234|05911|03600|12411|20001||123"),
                 *aligned = NULL;
    covey_hierarchy *h = trees_build(&spec, column);

    assert_string_equal(trees_text(h), "*(null 000 12*(123 124) 200)");
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->type, COVEY_TYPE_TEXT);
    assert_string_equal(covey_column_label(aligned, covey_column_code(aligned, 0)), "123");
    assert_string_equal(covey_column_label(aligned, covey_column_code(aligned, 1)), "123");
    assert_string_equal(covey_column_label(aligned, covey_column_code(aligned, 2)), "000");
    assert_string_equal(covey_column_label(aligned, covey_column_code(aligned, 3)), "000");
    assert_string_equal(covey_column_label(aligned, covey_column_code(aligned, 6)), "null");
    assert_int_equal(aligned->n_values, 5);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void zip3_gives_numbers_their_zeros_back(void **state)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_ZIP3, .areas = LIST("036"), .n_areas = 1};

    assert_builds(&spec, COVEY_TYPE_INTEGER, "3601|501|12345|123451234|36000000", "*(000 005 123)");
}

static void the_areas_of_zip3_can_be_listed(void **state)
{
    const char *const *areas;
    size_t n;
    covey_arena arena = COVEY_ARENA_INIT;

    assert_int_equal(covey_i_hierarchy_read_zip3_areas(&areas, &n, trees_file("102\n036\n102\n"), &arena, NULL),
                     COVEY_OK);
    assert_int_equal(n, 2);
    assert_string_equal(areas[0], "036");
    assert_string_equal(areas[1], "102");
    covey_arena_free(&arena);
}

static void zip3_refuses_what_is_no_zip_code(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_ZIP3, .path = trees_file("036\n0590\n")};

    assert_refused(
        &spec, COVEY_TYPE_TEXT, "12345",
        "2: \"0590\" is not the first three digits of a ZIP code; the list has one prefix a line, such as 036");
    spec.path = trees_file("036,059\n");
    assert_refused(&spec, COVEY_TYPE_TEXT, "12345", "1: 2 fields; the list has one prefix of three digits a line");
    spec.path = trees_file("036\n");
    assert_refused(&spec, COVEY_TYPE_TEXT, "12345|1234",
                   "column \"x\": \"1234\" is not a ZIP code (12345, 12345-6789 or its first three digits); correct "
                   "it, or make it missing");
    spec.path = NULL;
    assert_refused(&spec, COVEY_TYPE_TEXT, "12345", "column \"x\": zip3 needs the list of the areas that become 000");
}

static void top_joins_all_numbers_from_n_on(void **state)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_TOP, .n = 90};
    covey_column *column = trees_column(COVEY_TYPE_INTEGER, "5|89|90|91|104|5|"), *aligned = NULL;
    covey_hierarchy *h = trees_build(&spec, column);

    assert_string_equal(trees_text(h), "*(null 5 89 90+)");
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->type, COVEY_TYPE_INTEGER);
    assert_int_equal(aligned->number[3], 90);
    for (int64_t row = 2; row < 5; row++)
        assert_int_equal(covey_column_code(aligned, row), 3);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
    assert_builds(&spec, COVEY_TYPE_INTEGER, "5|89", "*(5 89)");
    assert_builds(&spec, COVEY_TYPE_INTEGER, "90|95", "90+");
    assert_builds(&spec, COVEY_TYPE_DECIMAL, "5.5|89.9|90.0|95", "*(5.5 89.9 90+)");
    assert_refused(&spec, COVEY_TYPE_TEXT, "5", "column \"x\": top needs numbers, but the column's type is text");
}

static void top_may_have_steps_below(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_TOP, .n = 90, .widths = LIST("5", "20"), .n_widths = 2};

    assert_builds(&spec, COVEY_TYPE_INTEGER, "20|21|29|33|81|85|86|99|120",
                  "*(20-39(20-24(20 21) 29 33) 80-89(81 85-89(85 86)) 90+)");
    assert_refused(&spec, COVEY_TYPE_INTEGER, "-1|5",
                   "column \"x\": the value -1 lies below 0, where the widths begin; give a lower `from`");
    spec.from = "-5";
    assert_builds(&spec, COVEY_TYPE_INTEGER, "-1|-3|5|6", "-5..14(-5..-1(-3 -1) 5-9(5 6))");
}

static void a_text_called_null_is_the_missing_value_where_there_is_one(void **state)
{
    const covey_hierarchy_spec suppression = {.kind = COVEY_HIERARCHY_SUPPRESSION},
                               mask = {.kind = COVEY_HIERARCHY_MASK, .n = 1};

    covey_label labels[] = {{"null", 4}, {"a", 1}, {"null", 4}};
    uint8_t *codes = NULL;
    covey_column *column = NULL, *aligned = NULL;
    covey_hierarchy *h;

    assert_int_equal(covey_i_column_new(&column, "x", COVEY_TYPE_TEXT, 0, 3, true, 0, labels, NULL, codes, NULL),
                     COVEY_OK);
    h = trees_build(&suppression, column);
    assert_string_equal(trees_text(h), "*(null a)");
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    h = trees_build(&mask, column);
    assert_string_equal(trees_text(h), "*(null a)");
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static int remove_files(void **state)
{
    trees_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppression_puts_every_value_under_the_root),
        cmocka_unit_test(no_kind_is_refused),
        cmocka_unit_test(balanced_divides_runs_from_the_root_down),
        cmocka_unit_test(balanced_height_is_the_logarithm_rounded_up),
        cmocka_unit_test(an_interval_of_integers_lists_them_all),
        cmocka_unit_test(both_ends_belong_to_an_interval),
        cmocka_unit_test(negative_bounds_are_joined_by_two_dots),
        cmocka_unit_test(clamp_makes_classes_beyond_the_ends),
        cmocka_unit_test(an_interval_of_decimals_has_the_values_that_occur),
        cmocka_unit_test(a_wide_interval_of_integers_has_the_values_that_occur),
        cmocka_unit_test(impossible_intervals_are_refused),
        cmocka_unit_test(cuts_are_classes_with_open_ends),
        cmocka_unit_test(cuts_work_on_dates_and_negative_numbers),
        cmocka_unit_test(impossible_cuts_are_refused),
        cmocka_unit_test(masking_hides_characters_from_the_right),
        cmocka_unit_test(masking_everything_is_the_root),
        cmocka_unit_test(masking_needs_equal_lengths),
        cmocka_unit_test(dates_go_up_to_decades),
        cmocka_unit_test(wrong_units_of_dates_are_refused),
        cmocka_unit_test(zip3_publishes_areas_of_three_digits),
        cmocka_unit_test(zip3_gives_numbers_their_zeros_back),
        cmocka_unit_test(the_areas_of_zip3_can_be_listed),
        cmocka_unit_test(zip3_refuses_what_is_no_zip_code),
        cmocka_unit_test(top_joins_all_numbers_from_n_on),
        cmocka_unit_test(top_may_have_steps_below),
        cmocka_unit_test(a_text_called_null_is_the_missing_value_where_there_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
