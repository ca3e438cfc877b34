#include "test.h"

#include <covey/arrow.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"

/* A table of up to four columns in as many batches; its structs lie in the test and are released by nobody. */
enum { MOST_COLUMNS = 4, MOST_BATCHES = 3 };

struct table {
    struct ArrowSchema schema, column[MOST_COLUMNS], values, *columns[MOST_COLUMNS];
    struct ArrowArray batch[MOST_BATCHES], part[MOST_BATCHES][MOST_COLUMNS], *parts[MOST_BATCHES][MOST_COLUMNS];
    int64_t n_batches, n_given, n_released;
    const char *failure; /* what the stream says behind its last batch, NULL: nothing */
};

static void release_nothing(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void count_release(struct ArrowArray *array)
{
    ++*(int64_t *)array->private_data;
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    *out = ((struct table *)stream->private_data)->schema;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct table *table = stream->private_data;

    if (table->n_given < table->n_batches)
        *out = table->batch[table->n_given++];
    else if (table->failure)
        return 5;
    else
        out->release = NULL;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((struct table *)stream->private_data)->failure;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* A column of one batch; buffers: validity, values, and what the type has more. */
static void add_column(struct table *t, const char *name, const char *format, int64_t n_rows, const void **buffers)
{
    const int64_t c = t->schema.n_children++;

    t->column[c] = (struct ArrowSchema){.format = format, .name = name, .release = release_nothing};
    t->columns[c] = &t->column[c];
    t->schema.format = "+s";
    t->schema.children = t->columns;
    t->schema.release = release_nothing;
    t->n_batches = 1;
    t->part[0][c] = (struct ArrowArray){.length = n_rows, .null_count = -1, .n_buffers = 3, .buffers = buffers};
    t->parts[0][c] = &t->part[0][c];
    t->batch[0] = (struct ArrowArray){.length = n_rows,
                                      .n_children = t->schema.n_children,
                                      .children = t->parts[0],
                                      .release = count_release,
                                      .private_data = &t->n_released};
}

static covey_status hand_over(covey_arrow_data **out, struct table *t, covey_error *err)
{
    struct ArrowArrayStream stream = {.get_schema = get_schema,
                                      .get_next = get_next,
                                      .get_last_error = get_last_error,
                                      .release = release_stream,
                                      .private_data = t};
    const covey_status status = covey_arrow_data_new(out, &stream, NULL, err);

    assert_null(stream.release);
    return status;
}

static covey_status read_with(covey_table **out, struct table *t, const covey_csv_options *options, covey_error *err)
{
    covey_arrow_data *data = NULL;
    covey_status status = hand_over(&data, t, err);

    if (status == COVEY_OK) {
        status = covey_table_read(out, covey_arrow_data_source(data), options, NULL, err);
        covey_arrow_data_free(data);
        assert_int_equal(t->n_released, t->n_batches);
    }
    return status;
}

/* It is the table that a CSV file with this text gives. */
static void expect_table(struct table *t, const char *csv)
{
    covey_table *table = NULL, *expected = csv_table(csv);
    covey_error err = {.message = ""};

    if (read_with(&table, t, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_true(csv_tables_agree(table, expected));
    assert_int_equal(covey_column_line(covey_table_column(table, 0), 0), 1);
    covey_table_free(table);
    covey_table_free(expected);
}

static void expect_error(struct table *t, covey_status status, const char *column, const char *part)
{
    covey_table *table = NULL;
    covey_error err;

    assert_int_equal(read_with(&table, t, NULL, &err), status);
    assert_string_equal(err.column, column);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" is not in: %s", part, err.message);
}

#define BUFFERS(...)                                                                                                   \
    (const void *[3])                                                                                                  \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void integers_of_all_widths_are_written_as_they_are(void **unused)
{
    const int8_t small[] = {-128, 0, 127};
    const uint16_t wide[] = {65535, 7, 7};
    const uint64_t largest[] = {UINT64_MAX, 0, 1};
    const int64_t least[] = {INT64_MIN, 5, -5};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "c", 3, BUFFERS(NULL, small));
    add_column(&t, "b", "S", 3, BUFFERS(NULL, wide));
    add_column(&t, "c", "L", 3, BUFFERS(NULL, largest));
    add_column(&t, "d", "l", 3, BUFFERS(NULL, least));
    expect_table(&t, "a,b,c,d\n-128,65535,18446744073709551615,-9223372036854775808\n0,7,0,5\n127,7,1,-5\n");
}

static void floats_have_the_fewest_digits_that_give_them_back(void **unused)
{
    const double wide[] = {0.1, 1e16, 1.0 / 3, -0.0, 5e-324, 1e-7, 123456789.125, 2.5};
    const float narrow[] = {0.1f, 16777216.0f, 1.0f / 3, 3.0f, 1e-7f, 1e30f, -2.5f, 0.0f};
    const uint16_t half[] = {0x3C00, 0x3555, 0x7C00, 0x0001, 0xC000, 0x7E00, 0x0000, 0x3800};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "g", 8, BUFFERS(NULL, wide));
    add_column(&t, "b", "f", 8, BUFFERS(NULL, narrow));
    add_column(&t, "c", "e", 8, BUFFERS(NULL, half));
    expect_table(&t,
                 "a,b,c\n0.1,0.1,1.0\n10000000000000000.0,16777216.0,0.3333\n0.3333333333333333,0.33333334,inf\n"
                 "-0.0,3.0,0.00000006\n5e-324,0.0000001,-2.0\n0.0000001,1e+30,\n123456789.125,-2.5,0.0\n2.5,0.0,0.5\n");
}

static void not_a_number_is_missing(void **unused)
{
    const double values[] = {1.5, __builtin_nan(""), 2.5};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "g", 3, BUFFERS(NULL, values));
    add_column(&t, "b", "n", 3, NULL);
    t.part[0][1].n_buffers = 0;
    expect_table(&t, "a,b\n1.5,\n,\n2.5,\n");
}

static void decimals_are_exact_at_every_width(void **unused)
{
    const int32_t narrow[] = {-105, 0};
    const uint64_t wide[] = {(uint64_t)-5, UINT64_MAX, 0, 1};           /* -5; 2^64 */
    const uint64_t widest[] = {7, 0, 0, 0, 0, 0, 0, (uint64_t)1 << 62}; /* 7; 2^254 */
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "d:9,2,32", 2, BUFFERS(NULL, narrow));
    add_column(&t, "b", "d:30,3", 2, BUFFERS(NULL, wide));
    add_column(&t, "c", "d:76,-2,256", 2, BUFFERS(NULL, widest));
    expect_table(&t, "a,b,c\n-1.05,-0.005,700\n0.00,18446744073709551.616,"
                     "2894802230932904885589274625217197696331749616641014100986439600197828240998400\n");
}

static void days_and_times_are_written_as_dates_and_clocks(void **unused)
{
    const int32_t days[] = {0, -719162, 18321};
    const int64_t midnights[] = {0, 86400000, -86400000};
    const int64_t moments[] = {-1, 1600000000123456, 0};
    const int32_t clocks[] = {3599, 86399, 0};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "tdD", 3, BUFFERS(NULL, days));
    add_column(&t, "b", "tsm:", 3, BUFFERS(NULL, midnights));
    add_column(&t, "c", "tsu:Europe/Berlin", 3, BUFFERS(NULL, moments));
    add_column(&t, "d", "tts", 3, BUFFERS(NULL, clocks));
    expect_table(&t, "a,b,c,d\n1970-01-01,1970-01-01,1969-12-31 23:59:59.999999+00:00,00:59:59\n"
                     "0001-01-01,1970-01-02,2020-09-13 12:26:40.123456+00:00,23:59:59\n"
                     "2020-02-29,1969-12-31,1970-01-01 00:00:00.000000+00:00,00:00:00\n");
}

static void texts_come_with_short_and_long_offsets_and_as_views(void **unused)
{
    const int32_t shorts[] = {0, 2, 2, 7};
    const int64_t longs[] = {1, 3, 5, 6};
    const char bytes[] = "abcdefgh", beyond[] = "...a text of more than twelve bytes";
    struct {
        int32_t size;
        union {
            char text[12];
            struct {
                char prefix[4];
                int32_t buffer, place;
            };
        };
    } views[3] = {
        {.size = 3, .text = "xyz"}, {.size = 32, .prefix = "a te", .place = 3}, {.size = 12, .text = "123456789abc"}};
    const int64_t sizes[] = {35};
    const void *buffers[] = {NULL, views, beyond, sizes};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "u", 3, BUFFERS(NULL, shorts, bytes));
    add_column(&t, "b", "U", 3, BUFFERS(NULL, longs, bytes));
    add_column(&t, "c", "vu", 3, buffers);
    t.part[0][2].n_buffers = 4;
    expect_table(&t, "a,b,c\nab,bc,xyz\n,de,a text of more than twelve bytes\ncdefg,f,123456789abc\n");
}

static void of_a_dictionary_the_values_that_occur_are_in_the_table(void **unused)
{
    const int8_t index[] = {2, 0, 2, 1};
    const int32_t offsets[] = {0, 1, 2, 3, 4};
    const uint8_t valid = 0x0B, bits = 0x05;
    struct ArrowArray values = {
        .length = 4, .null_count = 1, .n_buffers = 3, .buffers = BUFFERS(&valid, offsets, "cbau")};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "c", 4, BUFFERS(NULL, index));
    add_column(&t, "b", "b", 4, BUFFERS(NULL, &bits));
    t.values = (struct ArrowSchema){.format = "u", .name = "", .release = release_nothing};
    t.column[0].dictionary = &t.values;
    t.part[0][0].dictionary = &values;
    expect_table(&t, "a,b\n,true\nc,false\n,true\nb,false\n");
}

static void of_runs_each_row_has_the_value(void **unused)
{
    const int16_t ends[] = {9, 2, 3, 6}; /* a slice: runs of 2, 1 and 3 rows */
    const double numbers[] = {7, 1, __builtin_nan(""), 4};
    struct ArrowSchema fields[] = {{.format = "s", .name = "run_ends", .release = release_nothing},
                                   {.format = "g", .name = "values", .release = release_nothing}},
                       *of_field[] = {&fields[0], &fields[1]};
    struct ArrowArray parts[] = {{.length = 3, .offset = 1, .n_buffers = 2, .buffers = BUFFERS(NULL, ends)},
                                 {.length = 3, .offset = 1, .n_buffers = 2, .buffers = BUFFERS(NULL, numbers)}},
                      *of_part[] = {&parts[0], &parts[1]};
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "+r", 5, NULL);
    t.column[0].n_children = t.part[0][0].n_children = 2;
    t.column[0].children = of_field;
    t.part[0][0].children = of_part;
    t.part[0][0].n_buffers = 0;
    t.part[0][0].offset = 1; /* the first row is none of it */
    expect_table(&t, "a\n1.0\n\"\"\n4.0\n4.0\n4.0\n");
    t.n_given = t.n_released = 0;
    t.part[0][0].length = t.batch[0].length = 6; /* one row more than there are */
    expect_error(&t, COVEY_EINVAL, "a", "not as its schema says");
    fields[1].format = "+l";
    t.n_given = t.n_released = 0;
    expect_error(&t, COVEY_EINVAL, "a", "values of type list");
}

static void slices_and_several_batches_are_one_table(void **unused)
{
    const int32_t first[] = {9, 1, 2, 3}, second[] = {3, 4};
    const uint8_t valid = 0x0B; /* not the third */
    struct table t = {0};

    (void)unused;
    add_column(&t, "a", "i", 2, BUFFERS(&valid, first));
    t.part[0][0].offset = 1;
    t.part[0][0].length = 3;
    t.batch[0].offset = 1; /* both shift: rows are first[2], first[3] */
    t.part[1][0] = (struct ArrowArray){.length = 2, .n_buffers = 2, .buffers = BUFFERS(NULL, second)};
    t.parts[1][0] = &t.part[1][0];
    t.batch[1] = t.batch[0];
    t.batch[1].children = t.parts[1];
    t.batch[1].offset = 0;
    t.n_batches = 2;
    expect_table(&t, "a\n\"\"\n3\n3\n4\n");
}

static void a_policy_says_what_is_missing_there_too(void **unused)
{
    static const char *const null[] = {"-9", "?"};
    const covey_csv_options options = {.null = null, .n_null = 2, .trim = true};
    const int32_t numbers[] = {-9, 5}, offsets[] = {0, 3, 4};
    covey_table *table = NULL;
    struct table t = {0};
    covey_error err;

    (void)unused;
    add_column(&t, "a", "i", 2, BUFFERS(NULL, numbers));
    add_column(&t, "b", "u", 2, BUFFERS(NULL, offsets, " ? x"));
    assert_int_equal(read_with(&table, &t, &options, &err), COVEY_OK);
    assert_true(covey_table_column(table, 0)->has_null && covey_table_column(table, 1)->has_null);
    assert_string_equal(csv_cell(table, 1, 1), "x");
    covey_table_free(table);
}

static bool is_not_b(void *context, const char *name)
{
    (void)context;
    return strcmp(name, "b") != 0;
}

static void a_type_that_is_no_cell_is_an_error_of_its_column_if_it_is_kept(void **unused)
{
    static const char *const formats[] = {"+s", "+l", "+m", "z", "tDm", "w:4", "d:5", "tsx:", "?"};
    const covey_csv_options options = {.keep = is_not_b};
    const int32_t numbers[] = {1};

    (void)unused;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct table t = {0}, again;
        covey_table *table = NULL;
        covey_error err;

        add_column(&t, "a", "i", 1, BUFFERS(NULL, numbers));
        add_column(&t, "b", formats[i], 1, BUFFERS(NULL, numbers));
        again = t;
        again.schema.children = again.columns;
        again.batch[0].private_data = &again.n_released;
        expect_error(&t, COVEY_EINVAL, "b", formats[i]);
        assert_int_equal(read_with(&table, &again, &options, &err), COVEY_OK);
        assert_int_equal(covey_table_n_columns(table), 1);
        covey_table_free(table);
    }
}

static void names_must_be_there_and_differ(void **unused)
{
    const int32_t numbers[] = {1};
    struct table same = {0}, none = {0};

    (void)unused;
    add_column(&same, "a", "i", 1, BUFFERS(NULL, numbers));
    add_column(&same, "a", "i", 1, BUFFERS(NULL, numbers));
    expect_error(&same, COVEY_EPARSE, "a", "both called \"a\"");
    add_column(&none, "", "i", 1, BUFFERS(NULL, numbers));
    expect_error(&none, COVEY_EPARSE, "", "column 1 has no name");
}

static void texts_must_be_utf8_without_nul(void **unused)
{
    const int32_t offsets[] = {0, 1, 2};
    struct table t = {0}, nul = {0};

    (void)unused;
    add_column(&t, "a", "u", 2, BUFFERS(NULL, offsets, "a\xFF"));
    expect_error(&t, COVEY_EPARSE, "a", ":2:");
    add_column(&nul, "a", "u", 2, BUFFERS(NULL, offsets, "\0b"));
    covey_table *table = NULL;
    covey_error err;

    /* One NUL alone is how NULL is kept; no text that a program means. */
    assert_int_equal(read_with(&table, &nul, NULL, &err), COVEY_OK);
    covey_table_free(table);
}

static void what_is_no_table_is_refused(void **unused)
{
    const int32_t numbers[] = {1};
    covey_arrow_data *data = NULL;
    struct table lone = {0}, few = {0}, failing = {0}, torn = {0};
    covey_error err;

    (void)unused;
    add_column(&lone, "a", "i", 1, BUFFERS(NULL, numbers));
    lone.schema.format = "i";
    assert_int_equal(hand_over(&data, &lone, &err), COVEY_EINVAL);
    add_column(&few, "a", "i", 1, BUFFERS(NULL, numbers));
    few.batch[0].n_children = 0;
    assert_int_equal(hand_over(&data, &few, &err), COVEY_EINVAL);
    assert_int_equal(few.n_released, 1);
    add_column(&failing, "a", "i", 1, BUFFERS(NULL, numbers));
    failing.failure = "the wire was cut";
    assert_int_equal(hand_over(&data, &failing, &err), COVEY_EIO);
    assert_non_null(strstr(err.message, "the wire was cut"));
    add_column(&torn, "a", "i", 2, BUFFERS(NULL, NULL));
    expect_error(&torn, COVEY_EINVAL, "a", "not as its schema says");
    assert_null(data);
}

static void the_name_of_data_that_are_gone_names_nothing(void **unused)
{
    const int32_t numbers[] = {1};
    covey_arrow_data *data = NULL;
    covey_table *table = NULL;
    struct table t = {0};
    char source[32];
    covey_error err;

    (void)unused;
    add_column(&t, "a", "i", 1, BUFFERS(NULL, numbers));
    assert_int_equal(hand_over(&data, &t, &err), COVEY_OK);
    assert_int_equal(covey_arrow_data_n_rows(data), 1);
    assert_int_equal(covey_arrow_data_n_columns(data), 1);
    snprintf(source, sizeof source, "%s", covey_arrow_data_source(data));
    covey_arrow_data_free(data);
    assert_int_equal(covey_table_read(&table, source, NULL, NULL, &err), COVEY_ENOTFOUND);
    assert_int_equal(covey_table_read(&table, "arrow:x", NULL, NULL, &err), COVEY_ENOTFOUND); /* a file of that name */
    assert_string_equal(err.file, "arrow:x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_all_widths_are_written_as_they_are),
        cmocka_unit_test(floats_have_the_fewest_digits_that_give_them_back),
        cmocka_unit_test(not_a_number_is_missing),
        cmocka_unit_test(decimals_are_exact_at_every_width),
        cmocka_unit_test(days_and_times_are_written_as_dates_and_clocks),
        cmocka_unit_test(texts_come_with_short_and_long_offsets_and_as_views),
        cmocka_unit_test(of_a_dictionary_the_values_that_occur_are_in_the_table),
        cmocka_unit_test(of_runs_each_row_has_the_value),
        cmocka_unit_test(slices_and_several_batches_are_one_table),
        cmocka_unit_test(a_policy_says_what_is_missing_there_too),
        cmocka_unit_test(a_type_that_is_no_cell_is_an_error_of_its_column_if_it_is_kept),
        cmocka_unit_test(names_must_be_there_and_differ),
        cmocka_unit_test(texts_must_be_utf8_without_nul),
        cmocka_unit_test(what_is_no_table_is_refused),
        cmocka_unit_test(the_name_of_data_that_are_gone_names_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
