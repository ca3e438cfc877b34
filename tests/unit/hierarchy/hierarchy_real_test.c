/* All hierarchy files of the large tables: they are read, sound, and come back when written.  Skipped where the tables
 * are not there. */
#include "test.h"

#include <glob.h>
#include <string.h>

#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"

static void round_trip(const char *path)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = path};
    covey_hierarchy *h = trees_build(&spec, NULL), *again;

    spec.path = trees_path();
    assert_int_equal(covey_hierarchy_write(h, spec.path, NULL, NULL), COVEY_OK);
    again = trees_build(&spec, NULL);
    trees_assert_same(h, again);
    covey_hierarchy_free(again);
    covey_hierarchy_free(h);
    remove(spec.path);
}

static void every_file_is_read_and_comes_back(void **state)
{
    char folder[512], pattern[600];
    glob_t found;

    if (!test_data(folder, sizeof folder, "adult"))
        skip();
    snprintf(pattern, sizeof pattern, "%s/../*/hierarchies*/*.csv", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 50);
    for (size_t i = 0; i < found.gl_pathc; i++)
        round_trip(found.gl_pathv[i]);
    globfree(&found);
}

static covey_hierarchy *read_adult(const char *name)
{
    char path[600];
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = path};

    return test_data(path, sizeof path, name) ? trees_build(&spec, NULL) : NULL;
}

/* The heights of the nine ARX files are 4,3,2,2,2,1,1,2,1. */
static void the_adult_lattice_has_12960_nodes(void **state)
{
    static const char *const names[] = {"age",        "education", "marital-status", "native-country",
                                        "occupation", "race",      "salary-class",   "sex",
                                        "workclass"};
    int64_t n_nodes = 1;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[100];
        covey_hierarchy *h;

        snprintf(name, sizeof name, "adult/hierarchies-arx/adult_hierarchy_%s.csv", names[i]);
        if (!(h = read_adult(name)))
            skip();
        n_nodes *= covey_hierarchy_n_levels(h);
        covey_hierarchy_free(h);
    }
    assert_int_equal(n_nodes, 12960);
}

/* A real file has its quirks: the class called 15-19 is 16 to 20. */
static void ages_go_up_by_5_10_20(void **state)
{
    covey_hierarchy *h = read_adult("adult/hierarchies-arx/adult_hierarchy_age.csv");

    if (!h)
        skip();
    assert_int_equal(covey_hierarchy_n_leaves(h), 100);
    assert_string_equal(trees_line(h, 16), "17;15-19;10-19;0-19;*");
    assert_string_equal(trees_line(h, 19), "20;15-19;10-19;0-19;*");
    assert_string_equal(covey_hierarchy_label(h, covey_hierarchy_lca(h, 20, 39)), "20-39");
    covey_hierarchy_free(h);
}

static int remove_files(void **state)
{
    trees_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_read_and_comes_back),
        cmocka_unit_test(the_adult_lattice_has_12960_nodes),
        cmocka_unit_test(ages_go_up_by_5_10_20),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
