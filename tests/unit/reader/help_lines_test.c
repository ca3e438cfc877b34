/* help.csv as text: the one that follows from the groups is written, is recognized, and no other is. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "support/csvs.h"
#include "reader/bucketized/help_lines.h"
#include "base/alloc.h"
#include "base/exact/fraction.h"
#include "base/text.h"
#include "release/sheet/help_sheet.h"

/* Groups of values that ascend by a step: group g has sizes[g] of them, from first on. */
struct groups {
    uint32_t n, start[2000];
    int64_t first, step;
    int scale;
};

static size_t list(int64_t *low, int64_t *high, const void *context, uint32_t g)
{
    const struct groups *groups = context;
    const uint32_t n = groups->start[g + 1] - groups->start[g];

    for (uint32_t i = 0; i < n; i++) {
        low[i] = groups->first + groups->step * (i / 3) + g;
        high[i] = low[i] + 5;
    }
    return n;
}

static void add_number(covey_text *text, covey_i128 number, int scale)
{
    char digits[64];
    const bool is_negative = number < 0;
    covey_u128 unit = 1;

    for (int i = 0; i < scale; i++)
        unit *= 10;
    covey_i_i128_text(digits, sizeof digits,
                      (covey_i128)((is_negative ? -(covey_u128)number : (covey_u128)number) / unit));
    covey_i_text_add_format(text, ",%s%s", is_negative ? "-" : "", digits);
    if (scale > 0)
        covey_i_text_add_format(text, ".%0*d", scale,
                                (int)((is_negative ? -(covey_u128)number : (covey_u128)number) % unit));
}

/* [Zhang07] section 4, one line after another. */
static covey_text help_of(const struct groups *groups)
{
    covey_text text = COVEY_TEXT_INIT;
    int64_t *low = covey_i_array(groups->start[groups->n], sizeof *low),
            *high = covey_i_array(groups->start[groups->n], sizeof *high);

    covey_i_text_add_string(&text, "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n");
    for (uint32_t g = 0; g < groups->n; g++) {
        const size_t n = list(low, high, groups, g);
        covey_i128 lower = 0, upper = 0;

        for (size_t hits = 1; hits <= n; hits++) {
            lower += low[hits - 1];
            upper += high[n - hits];
            covey_i_text_add_format(&text, "%u,%zu", g + 1, hits);
            add_number(&text, lower, groups->scale);
            add_number(&text, upper, groups->scale);
            add_number(&text, low[0], groups->scale);
            add_number(&text, high[n - hits], groups->scale);
            add_number(&text, low[hits - 1], groups->scale);
            add_number(&text, high[n - 1], groups->scale);
            covey_i_text_add_char(&text, '\n');
        }
    }
    assert_false(text.broken);
    covey_i_free(low);
    covey_i_free(high);
    return text;
}

/* The same as runs, which need not be as long as they can be. */
static uint32_t list_runs(covey_help_run *low, covey_help_run *high, const void *context, uint32_t g)
{
    const struct groups *groups = context;
    const uint32_t n = groups->start[g + 1] - groups->start[g];
    uint32_t n_runs = 0;

    for (uint32_t i = 0; i < n; i += low[n_runs++].n) {
        const int64_t value = groups->first + groups->step * (i / 3) + g;

        low[n_runs] = (covey_help_run){value, n - i < 3 ? n - i : 3};
        high[n_runs] = (covey_help_run){value + 5, low[n_runs].n};
    }
    return n_runs;
}

static void assert_is_written(const struct groups *groups, const covey_text *text, int n_threads)
{
    const covey_run run = {.n_threads = n_threads};
    const covey_release release = {
        .n_classes = groups->n, .class_start = (uint32_t *)groups->start, .n_published = groups->start[groups->n]};
    const covey_help help = {.release = &release,
                             .scale = groups->scale,
                             .most_runs = groups->start[groups->n] / 3 + 1,
                             .list = list_runs,
                             .context = groups};
    covey_files files = {0};
    covey_error err;
    size_t size;
    char *bytes;

    remove(csv_path("help.csv"));
    assert_int_equal(covey_i_help_write(&help, csv_path("."), &files, &run, &err), COVEY_OK);
    bytes = csv_get_file(&size, csv_path("help.csv"));
    assert_int_equal(size, text->size);
    assert_memory_equal(bytes, text->bytes, size);
    assert_int_equal(files.file[0].size_bytes, size);
    assert_int_equal(files.file[0].n_rows, release.n_published);
    free(bytes);
    covey_i_files_clear(&files);
}

static bool follows(const struct groups *groups, const char *bytes, size_t size, int n_threads)
{
    const covey_run run = {.n_threads = n_threads};
    const covey_help_groups in = {.n = groups->n,
                                  .row_start = groups->start,
                                  .most = groups->start[groups->n],
                                  .scale = groups->scale,
                                  .list = list,
                                  .context = groups};
    covey_infile text = COVEY_INFILE_INIT;
    bool follow = !bytes;
    covey_error err;

    csv_put_file(csv_path("help.csv"), bytes, size);
    assert_int_equal(covey_i_infile_open(&text, csv_path("help.csv"), &err), COVEY_OK);
    assert_int_equal(covey_i_help_lines_follow(&follow, &in, &text, csv_path("help.csv"), &run, &err), COVEY_OK);
    return follow;
}

static struct groups make_groups(uint32_t n, uint32_t largest, int64_t first, int64_t step, int scale)
{
    struct groups groups = {.n = n, .first = first, .step = step, .scale = scale};

    for (uint32_t g = 0; g < n; g++)
        groups.start[g + 1] = groups.start[g] + (g % 2 ? 1 + g % 4 : largest);
    return groups;
}

static void test_help_lines__what_follows_is_written_and_recognized(void **state)
{
    static const struct {
        uint32_t n, largest;
        int64_t first, step;
        int scale;
    } cases[] = {
        {0, 0, 0, 0, 0},
        {1, 1, 0, 0, 0},
        {3, 12, -20, 7, 0},
        {3, 12, -199, 150, 2},
        {2, 8000, 9223372036854000000, 3, 0},
        {1500, 9, 95, 4, 3},
        {2, 9000, -9223372036854775807, 1, 5},
        {1, 20000, 0, 0, 0},
        {3, 70000, -30000, 1, 1},
    };

    (void)state;
    csv_folder();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct groups groups;
        covey_text text;

        groups = make_groups(cases[i].n, cases[i].largest, cases[i].first, cases[i].step, cases[i].scale);
        text = help_of(&groups);
        assert_is_written(&groups, &text, 1);
        assert_is_written(&groups, &text, 3);
        assert_true(follows(&groups, text.bytes, text.size, 1));
        assert_true(follows(&groups, text.bytes, text.size, 3));
        assert_false(follows(&groups, text.bytes, text.size - 1, 3));
        covey_i_text_add_string(&text, "1,1,0,0,0,0,0,0\n");
        assert_false(follows(&groups, text.bytes, text.size, 3));
        covey_i_text_free(&text);
    }
    csv_folder_remove();
}

/* Small groups, and a large one. */
static void test_help_lines__any_other_byte_shows(void **state)
{
    (void)state;
    csv_folder();
    for (int is_large = 0; is_large < 2; is_large++) {
        static struct groups groups;
        covey_text text;

        groups = is_large ? make_groups(1, 80, -4, 9, 1) : make_groups(4, 6, -4, 9, 1);
        text = help_of(&groups);
        for (size_t i = 0; i < text.size; i++) {
            const char before = text.bytes[i];

            text.bytes[i] = before == '1' ? '2' : '1';
            assert_false(follows(&groups, text.bytes, text.size, 2));
            text.bytes[i] = before;
        }
        covey_i_text_free(&text);
    }
    csv_folder_remove();
}

/* Where a piece begins, its first line must say where: with numbers that are there, and not 0. */
static void test_help_lines__pieces_begin_with_numbers(void **state)
{
    static const char *const starts[] = {"1,,",           ",1,",   ",,",    "1,0,",  "0,1,",
                                         "1,01,",         "+1,1,", "1,+1,", "1,-1,", "1,4294967296,",
                                         "4294967297,1,", "1,2,",  "2,1,",  "1",     ""};
    static struct groups groups;
    covey_text text;

    (void)state;
    csv_folder();
    groups = make_groups(4, 6, -4, 9, 1);
    text = help_of(&groups);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *line = strchr(text.bytes, '\n') + 1;
        covey_text other = COVEY_TEXT_INIT;

        covey_i_text_add(&other, text.bytes, (size_t)(line - text.bytes));
        covey_i_text_add_string(&other, starts[i]);
        covey_i_text_add(&other, line + strlen("1,1,"), text.size - (size_t)(line + strlen("1,1,") - text.bytes));
        assert_false(other.broken);
        assert_false(follows(&groups, other.bytes, other.size, 2));
        covey_i_text_free(&other);
    }
    covey_i_text_free(&text);
    csv_folder_remove();
}

/* Lines that are there twice, or missing, at places where a piece of a large file may begin. */
static void test_help_lines__lines_may_not_be_repeated_or_left_out(void **state)
{
    static struct groups groups;
    covey_text text;

    (void)state;
    csv_folder();
    groups = make_groups(3, 10000, 5, 1, 0);
    text = help_of(&groups);
    assert_true(text.size > 600000);
    for (size_t part = 1; part < 16; part++) {
        const char *line = memchr(text.bytes + text.size / 16 * part, '\n', text.size / 16),
                   *next = line ? memchr(line + 1, '\n', 400) : NULL;
        covey_text other = COVEY_TEXT_INIT;

        assert_non_null(next);
        covey_i_text_add(&other, text.bytes, (size_t)(next + 1 - text.bytes));
        covey_i_text_add(&other, line + 1, text.size - (size_t)(line + 1 - text.bytes));
        assert_false(follows(&groups, other.bytes, other.size, 2));
        covey_i_text_clear(&other);
        covey_i_text_add(&other, text.bytes, (size_t)(line + 1 - text.bytes));
        covey_i_text_add(&other, next + 1, text.size - (size_t)(next + 1 - text.bytes));
        assert_false(follows(&groups, other.bytes, other.size, 2));
        covey_i_text_free(&other);
    }
    covey_i_text_free(&text);
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_lines__what_follows_is_written_and_recognized),
        cmocka_unit_test(test_help_lines__any_other_byte_shows),
        cmocka_unit_test(test_help_lines__pieces_begin_with_numbers),
        cmocka_unit_test(test_help_lines__lines_may_not_be_repeated_or_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
