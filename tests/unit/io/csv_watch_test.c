/* How often the values of a column repeat that is not kept. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include <covey/io.h>

#include "base/text.h"
#include "io/value_sample.h"
#include "support/csvs.h"

struct seen {
    int n_told;
    covey_repeats repeats;
};

static bool is_not_id(void *context, const char *name)
{
    return strcmp(name, "id") != 0;
}

static bool is_id(void *context, const char *name)
{
    return strcmp(name, "id") == 0;
}

static void see(void *context, const char *name, const covey_repeats *repeats)
{
    struct seen *seen = context;

    assert_string_equal(name, "id");
    seen->n_told++;
    seen->repeats = *repeats;
}

/* Reads the text with the column id left out and watched. */
static covey_repeats watch(const char *text, bool trim, size_t chunk_size)
{
    struct seen seen = {0};
    covey_csv_options options = {.keep = is_not_id, .watch = is_id, .watched = see, .context = &seen, .trim = trim};
    covey_table *table;
    covey_error err;

    if (csv_read_text(&table, text, &options, chunk_size, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_int_equal(covey_table_find(table, "id"), -1);
    assert_int_equal(seen.n_told, 1);
    covey_table_free(table);
    return seen.repeats;
}

static void expect(covey_repeats r, int64_t n_values, int64_t n_rows, int64_t n_repeated)
{
    assert_int_equal(r.n_values, n_values);
    assert_int_equal(r.n_rows, n_rows);
    assert_int_equal(r.n_repeated, n_repeated);
}

static void it_counts_cells_however_they_are_written(void **state)
{
    expect(watch("id,a\np1,x\np2,y\np1,z\n,x\n\"p1\",x\n", false, 0), 2, 4, 3);
    expect(watch("a,id\r\nx,p1\r\ny,p2\r\nz,p1\r\nx,\r\nx,\"p1\"\r\n", false, 0), 2, 4, 3);
    expect(watch("a,id\nx, p1\ny,p2 \nz,p1\n", true, 0), 2, 3, 2);
    expect(watch("id,a\n\"a very long, \"\"quoted\"\" key\",x\n\"a very long, \"\"quoted\"\" key\",y\nb,z\n", false, 0),
           2, 3, 2);
}

/* Keys 0 .. n-1, of which those divisible by 4 have two rows, far from each other. */
static void many_keys(covey_text *text, int n)
{
    covey_i_text_add_string(text, "id,a\n");
    for (int i = 0; i < n; i++)
        covey_i_text_add_format(text, "person-%d,%d\n", i, i % 7);
    for (int i = 0; i < n; i += 4)
        covey_i_text_add_format(text, "person-%d,%d\n", i, i % 5);
}

static void of_many_values_a_sample_is_counted_exactly_in_pieces_of_any_size(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_repeats whole, pieces;

    many_keys(&text, 20000);
    whole = watch(text.bytes, false, 1 << 22);
    pieces = watch(text.bytes, false, 997);
    expect(pieces, whole.n_values, whole.n_rows, whole.n_repeated);
    assert_true(whole.n_values <= COVEY_VALUE_SAMPLE_MOST);
    assert_true(whole.n_values > COVEY_VALUE_SAMPLE_MOST / 3);
    assert_int_equal(whole.n_rows - whole.n_values, whole.n_repeated / 2);         /* both rows of a key, or none */
    assert_in_range(8 * whole.n_repeated, 3 * whole.n_values, 5 * whole.n_values); /* half: 1/4 have two */
    covey_i_text_free(&text);
}

static void few_values_are_all_counted(void **state)
{
    covey_text text = COVEY_TEXT_INIT;

    many_keys(&text, 1000);
    expect(watch(text.bytes, false, 501), 1000, 1250, 500);
    covey_i_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_counts_cells_however_they_are_written),
        cmocka_unit_test(of_many_values_a_sample_is_counted_exactly_in_pieces_of_any_size),
        cmocka_unit_test(few_values_are_all_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
