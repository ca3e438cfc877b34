/* The census table of beta-likeness appendix A, and what generating does with files. */
#include "test.h"

#include <string.h>
#include <sys/stat.h>

#include "support/folder.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "generate/generator_impl.h"

static char folder[256], target[300];

static int make_folder(void **state)
{
    if (!test_folder(folder, sizeof folder, "census"))
        return 1;
    snprintf(target, sizeof target, "%s/census.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char path[400];
    const char *const names[] = {"census.csv", "hierarchies/gender.csv", "hierarchies/marital.csv",
                                 "hierarchies/workclass.csv", "hierarchies"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder); /* fails if something else was left behind */
}

static FILE *generate(int64_t n_rows, uint64_t seed)
{
    covey_error err = {0};
    FILE *file;

    if (covey_generate("census", n_rows, seed, target, true, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    file = fopen(target, "rb");
    assert_non_null(file);
    return file;
}

static void assert_line(FILE *file, const char *expected)
{
    char line[100] = "";

    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, expected);
}

static void the_table_is_that_of_the_recipe(void **state)
{
    unsigned char hash[32];
    char hex[65];
    uint64_t size;
    FILE *file = generate(2000, 1);

    assert_line(file, "age,gender,education,marital,workclass,salary\n");
    assert_line(file, "37,1,15,0,1,33\n");
    assert_line(file, "55,1,13,0,0,13\n");
    fclose(file);
    /* the file whose md5 is 79e251463ed7da7b730d1784d760a788 */
    assert_int_equal(covey_i_hash_sha256_file(hash, &size, target, NULL), COVEY_OK);
    covey_i_hash_hex(hex, hash);
    assert_string_equal(hex, "dbd6e9da38a1edb405283c83bf0350b7bd0fe08b4c33623d87fc4422e2d6417e");
}

static void salaries_have_exact_counts(void **state)
{
    static const int64_t first[] = {3073,  4882,  6693,  8502,  10313, 12122, 13932, 15742,
                                    17552, 19362, 21172, 22982, 24201, 23525, 22293};
    static const int64_t last[] = {1102, 1050, 1009};
    int64_t count[50] = {0}, n = 0;
    int age, gender, education, marital, work, salary;
    FILE *file = generate(500000, 1);

    assert_line(file, "age,gender,education,marital,workclass,salary\n");
    while (fscanf(file, "%d,%d,%d,%d,%d,%d", &age, &gender, &education, &marital, &work, &salary) == 6) {
        assert_in_range(age, 0, 78);
        assert_in_range(gender, 0, 1);
        assert_in_range(education, 0, 16);
        assert_in_range(marital, 0, 5);
        assert_in_range(work, 0, 9);
        assert_in_range(salary, 0, 49);
        count[salary]++;
        n++;
    }
    fclose(file);
    assert_int_equal(n, 500000);
    for (int i = 0; i < 15; i++)
        assert_int_equal(count[i], first[i]);
    for (int i = 0; i < 3; i++)
        assert_int_equal(count[47 + i], last[i]);
}

static void any_number_of_rows_is_possible(void **state)
{
    static const int64_t sizes[] = {1, 2, 19, 20, 21, 1000, 4095, 4096, 4097};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        FILE *file = generate(sizes[i], 42);
        int64_t n = 0;
        int c;

        while ((c = getc(file)) != EOF)
            n += c == '\n';
        assert_int_equal(n, sizes[i] + 1);
        fclose(file);
    }
}

static void another_seed_is_another_table(void **state)
{
    char one[100], other[100];
    FILE *file = generate(100, 1);

    assert_line(file, "age,gender,education,marital,workclass,salary\n");
    assert_non_null(fgets(one, sizeof one, file));
    fclose(file);
    file = generate(100, 2);
    assert_line(file, "age,gender,education,marital,workclass,salary\n");
    assert_non_null(fgets(other, sizeof other, file));
    fclose(file);
    assert_string_not_equal(one, other);
}

static void hierarchies_lie_beside_the_table(void **state)
{
    char path[400];
    FILE *file;

    fclose(generate(10, 1));
    snprintf(path, sizeof path, "%s/hierarchies/workclass.csv", folder);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_line(file, "0;0-2;0-5;*\n");
    fclose(file);
}

static void what_is_there_needs_force(void **state)
{
    char path[400];
    covey_error err;

    fclose(generate(10, 1));
    assert_int_equal(covey_generate("census", 10, 1, target, false, NULL, &err), COVEY_EEXIST);
    assert_string_equal(err.file, target);
    remove(target);
    assert_int_equal(covey_generate("census", 10, 1, target, false, NULL, &err),
                     COVEY_OK); /* the same hierarchies do not matter */
    remove(target);
    snprintf(path, sizeof path, "%s/hierarchies/gender.csv", folder);
    file_put(path, "0;any\n1;any\n");
    assert_int_equal(covey_generate("census", 10, 1, target, false, NULL, &err), COVEY_EEXIST);
    assert_string_equal(err.file, path);
    assert_int_not_equal(access(target, F_OK), 0);
    assert_int_equal(covey_generate("census", 10, 1, target, true, NULL, &err), COVEY_OK);
}

static void impossible_wishes_are_refused(void **state)
{
    covey_error err;

    assert_int_equal(covey_generate("censsus", 10, 1, target, false, NULL, &err), COVEY_ENOTFOUND);
    assert_string_equal(err.message, "there is no kind of table \"censsus\"; did you mean \"census\"?");
    assert_int_equal(covey_generate("x", 10, 1, target, false, NULL, &err), COVEY_ENOTFOUND);
    assert_string_equal(err.message, "there is no kind of table \"x\"; `covey generate --help` lists them");
    assert_int_equal(covey_generate("census", 0, 1, target, false, NULL, &err), COVEY_EINVAL);
    assert_string_equal(err.message, "a table has 1 to 10^12 rows, not 0");
    assert_int_equal(covey_generate("census", INT64_MAX, 1, target, false, NULL, &err), COVEY_EINVAL);
    assert_int_not_equal(access(target, F_OK), 0);
}

static bool stop(void *context, const char *phase, int64_t done, int64_t to_do)
{
    int *calls_left = context;

    assert_string_equal(phase, "generate");
    assert_true(done >= 0 && done <= to_do);
    return --*calls_left > 0;
}

static void a_caller_may_stop_it(void **state)
{
    for (int calls = 1; calls < 6; calls++) {
        int left = calls;
        const covey_run run = {.progress = stop, .context = &left};

        assert_int_equal(covey_generate("census", 10000, 1, target, false, &run, NULL), COVEY_ECANCELLED);
        assert_int_not_equal(access(target, F_OK), 0);
    }
}

static void without_memory_nothing_is_left(void **state)
{
    covey_status status = COVEY_ENOMEM;

    for (int64_t n = 1; n < 60 && status != COVEY_OK; n++) {
        covey_i_alloc_fail_at(n);
        status = covey_generate("census", 10, 1, target, false, NULL, NULL);
        covey_i_alloc_fail_at(0);
        assert_true(status == COVEY_OK || (status == COVEY_ENOMEM && access(target, F_OK) != 0));
    }
    assert_int_equal(status, COVEY_OK);
}

static void generators_are_listed(void **state)
{
    assert_true(covey_generator_count() >= 1);
    for (size_t i = 0; i < covey_generator_count(); i++) {
        const covey_generator *generator = covey_generator_at(i);

        assert_ptr_equal(covey_generator_find(covey_generator_name(generator)), generator);
        assert_true(covey_generator_summary(generator)[0] && covey_generator_source(generator)[0]);
    }
    assert_null(covey_generator_at(covey_generator_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_table_is_that_of_the_recipe, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(salaries_have_exact_counts, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(any_number_of_rows_is_possible, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(another_seed_is_another_table, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(hierarchies_lie_beside_the_table, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_there_needs_force, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(impossible_wishes_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_caller_may_stop_it, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(without_memory_nothing_is_left, make_folder, remove_folder),
        cmocka_unit_test(generators_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
