/* Hierarchies without memory: requests fail one by one, and nothing leaks, crashes or is half done. */
#include "test.h"

#include <string.h>

#include "support/failing.h"
#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"

/* Builds, aligns and writes. */
static covey_status go_through(const covey_hierarchy_spec *spec, const covey_column *column, const char *path,
                               covey_error *err)
{
    covey_hierarchy *h = NULL;
    covey_column *aligned = NULL;
    bool used[200] = {true, true, true};
    covey_status status = covey_hierarchy_build(&h, spec, column, NULL, err);

    if (status == COVEY_OK)
        status = covey_i_hierarchy_align(&aligned, column, h, err);
    if (status == COVEY_OK)
        status = covey_hierarchy_write(h, path, used, err);
    remove(path);
    if (status == COVEY_OK)
        status = covey_hierarchy_write(h, path, NULL, err);
    if (status != COVEY_OK)
        assert_int_not_equal(access(path, F_OK), 0); /* no file is left */
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    return status;
}

static void fail_each_request(const covey_hierarchy_spec *spec, covey_type type, const char *cells)
{
    covey_column *column = trees_column(type, cells);
    const char *path =
        trees_path(); /* one for all rounds: paths are handed out in turn, and the file that is read has one too */
    failing f = {.least = 10};

    while (failing_next(&f))
        failing_ends(&f, go_through(spec, column, path, &f.err));
    covey_i_column_free(column);
}

static void files(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .missing_leaf_root = true};

    for (int i = 0; i < 150; i++) /* so many that arrays grow */
        covey_i_text_add_format(&text, "value %d;%d;*\n", i, i / 10);
    spec.path = trees_file(text.bytes);
    covey_i_text_free(&text);
    fail_each_request(&spec, COVEY_TYPE_TEXT, "value 7|value 9||new|value 149");
    spec.path = trees_file("3;odd;*\n1;odd;*\n2;even;*\n");
    fail_each_request(&spec, COVEY_TYPE_INTEGER, "1|2||3|9");
}

static void builders(void **state)
{
    const char *const widths[] = {"5", "10"}, *const cuts[] = {"5", "8"}, *const units[] = {"month", "year"},
                      *const areas[] = {"036"};
    const char *const *const levels[] = {cuts};
    const size_t n_cuts[] = {2};
    const covey_hierarchy_spec numbers[] = {
        {.kind = COVEY_HIERARCHY_SUPPRESSION},
        {.kind = COVEY_HIERARCHY_BALANCED, .n = 2},
        {.kind = COVEY_HIERARCHY_INTERVAL, .from = "0", .to = "20", .widths = widths, .n_widths = 2, .clamp = true},
        {.kind = COVEY_HIERARCHY_CUTS, .cuts = levels, .n_cuts = n_cuts, .n_levels = 1},
        {.kind = COVEY_HIERARCHY_TOP, .n = 9, .widths = widths, .n_widths = 1},
    };
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_DATE, .units = units, .n_units = 2};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fail_each_request(&numbers[i], COVEY_TYPE_INTEGER, "1|2|3||7|8|9|33");
    fail_each_request(&spec, COVEY_TYPE_DATE, "2020-01-01|2020-02-01|2021-01-01|");
    spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_MASK, .n = 2};
    fail_each_request(&spec, COVEY_TYPE_TEXT, "abc|abd|acc|");
    spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_ZIP3, .path = trees_file("059\n")};
    fail_each_request(&spec, COVEY_TYPE_TEXT, "12345|05911|20001|20101");
    spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_ZIP3, .areas = areas, .n_areas = 1};
    fail_each_request(&spec, COVEY_TYPE_TEXT, "12345|03611|20001|20101");
}

static int remove_files(void **state)
{
    trees_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(builders),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
