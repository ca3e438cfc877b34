/* Files that appear complete or not at all. */
#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/folder.h"
#include "base/alloc.h"
#include "base/file/newfile.h"

static char folder[256], target[300];

static int make_folder(void **state)
{
    if (!test_folder(folder, sizeof folder, "newfile"))
        return 1;
    snprintf(target, sizeof target, "%s/out.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    remove(target);
    return rmdir(folder); /* fails if something was left behind */
}

static void assert_holds(const char *expected)
{
    char content[100] = "";
    FILE *file = fopen(target, "rb");

    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(content, expected);
}

static const covey_beginning beginnings[] = {{"one", NULL}, {"three", NULL}};
static const covey_product product = {.noun = "number", COVEY_BEGINNINGS(beginnings)};

static covey_status write_file(const char *content, bool force, covey_error *err)
{
    covey_newfile *file;

    COVEY_TRY(covey_i_newfile_begin(&file, target, force ? &product : NULL, err));
    covey_i_outfile_string(covey_i_newfile_stream(file), content);
    return covey_i_newfile_commit(file, err);
}

static void a_file_appears_at_the_end(void **state)
{
    covey_newfile *file;
    struct stat facts;

    assert_int_equal(covey_i_newfile_begin(&file, target, NULL, NULL), COVEY_OK);
    covey_i_outfile_string(covey_i_newfile_stream(file), "hello\n");
    assert_int_not_equal(access(target, F_OK), 0);
    umask(022);
    assert_int_equal(covey_i_newfile_commit(file, NULL), COVEY_OK);
    assert_holds("hello\n");
    assert_int_equal(stat(target, &facts), 0);
    assert_int_equal(facts.st_mode & 0400, 0400);
    assert_int_equal(folder_entries(folder), 1);
}

static void what_is_given_up_leaves_nothing(void **state)
{
    covey_newfile *file;

    assert_int_equal(covey_i_newfile_begin(&file, target, NULL, NULL), COVEY_OK);
    covey_i_outfile_string(covey_i_newfile_stream(file), "hello\n");
    covey_i_newfile_abort(file);
    covey_i_newfile_abort(NULL);
    assert_int_equal(folder_entries(folder), 0);
}

static void an_existing_file_needs_force(void **state)
{
    covey_error err;

    assert_int_equal(write_file("one", false, NULL), COVEY_OK);
    assert_int_equal(write_file("two", false, &err), COVEY_EEXIST);
    assert_string_equal(err.file, target);
    assert_holds("one");
    assert_int_equal(write_file("three", true, NULL), COVEY_OK);
    assert_holds("three");
    assert_int_equal(folder_entries(folder), 1);
    remove(target);
    assert_int_equal(write_file("four", true, NULL), COVEY_OK);
    assert_holds("four");
}

static void force_spares_what_is_not_of_the_same_kind(void **state)
{
    covey_error err;

    file_put(target, "my thesis");
    assert_int_equal(write_file("three", true, &err), COVEY_EEXIST);
    assert_non_null(strstr(err.message, "is no number, so it is not replaced"));
    assert_holds("my thesis");
    file_put(target, "");
    assert_int_equal(write_file("three", true, NULL), COVEY_OK); /* what is empty is no loss */
    assert_holds("three");
}

static void links_are_not_replaced(void **state)
{
    char there[310];
    covey_error err;

    snprintf(there, sizeof there, "%s.there", target);
    file_put(there, "one");
    assert_int_equal(symlink(there, target), 0);
    assert_int_equal(write_file("three", true, &err), COVEY_EEXIST);
    assert_non_null(strstr(err.message, "is a symbolic link"));
    assert_holds("one");
    assert_int_equal(remove(there), 0); /* now it leads nowhere */
    assert_int_equal(write_file("three", true, NULL), COVEY_EEXIST);
    assert_int_equal(write_file("three", false, NULL), COVEY_EEXIST);
    assert_int_equal(folder_entries(folder), 1);
    assert_int_equal(remove(target), 0);
}

static void what_comes_to_stand_there_meanwhile_is_spared_too(void **state)
{
    covey_newfile *file;

    assert_int_equal(covey_i_newfile_begin(&file, target, &product, NULL), COVEY_OK);
    file_put(target, "my thesis");
    covey_i_outfile_string(covey_i_newfile_stream(file), "three");
    assert_int_equal(covey_i_newfile_commit(file, NULL), COVEY_EEXIST);
    assert_holds("my thesis");
    assert_int_equal(folder_entries(folder), 1);
}

static void a_file_that_appears_meanwhile_is_left_alone(void **state)
{
    covey_newfile *file;
    covey_error err;

    assert_int_equal(covey_i_newfile_begin(&file, target, NULL, NULL), COVEY_OK);
    assert_int_equal(write_file("other", false, NULL), COVEY_OK);
    assert_int_equal(covey_i_newfile_commit(file, &err), COVEY_EEXIST);
    assert_holds("other");
    assert_int_equal(folder_entries(folder), 1);
}

static void what_is_finished_is_complete_before_it_has_its_name(void **state)
{
    covey_newfile *file;

    assert_int_equal(covey_i_newfile_begin(&file, target, NULL, NULL), COVEY_OK);
    covey_i_outfile_string(covey_i_newfile_stream(file), "one");
    assert_int_equal(covey_i_newfile_finish(file, NULL), COVEY_OK);
    assert_int_not_equal(access(target, F_OK), 0);
    assert_int_equal(covey_i_newfile_commit(file, NULL), COVEY_OK);
    assert_holds("one");
    assert_int_equal(covey_i_newfile_begin(&file, "/dev/full", NULL, NULL), COVEY_OK);
    covey_i_outfile_string(covey_i_newfile_stream(file), "one");
    assert_int_equal(covey_i_newfile_finish(file, NULL), COVEY_EIO);
    covey_i_newfile_abort(file);
}

static void impossible_names_are_refused(void **state)
{
    covey_newfile *file;
    covey_error err;

    assert_int_equal(covey_i_newfile_begin(&file, "", NULL, &err), COVEY_EINVAL);
    assert_int_equal(covey_i_newfile_begin(&file, folder, &product, &err), COVEY_EEXIST);
    assert_int_equal(covey_i_newfile_begin(&file, "/nowhere/at/all/x.csv", &product, &err), COVEY_ENOTFOUND);
    assert_string_equal(err.message, "/nowhere/at/all: there is no such folder; make it first");
    assert_int_equal(covey_i_newfile_begin(&file, "/tmp/", &product, &err), COVEY_EINVAL);
}

static void devices_are_written_to(void **state)
{
    covey_newfile *file;
    covey_error err;

    assert_int_equal(covey_i_newfile_begin(&file, "/dev/null", NULL, NULL), COVEY_OK);
    covey_i_outfile_string(covey_i_newfile_stream(file), "hello\n");
    assert_int_equal(covey_i_newfile_commit(file, NULL), COVEY_OK);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(covey_i_newfile_begin(&file, "/dev/full", NULL, NULL), COVEY_OK);
        covey_i_outfile_string(covey_i_newfile_stream(file), "hello\n");
        assert_int_equal(covey_i_newfile_commit(file, &err), COVEY_EIO);
    }
}

static void without_memory_nothing_is_left(void **state)
{
    covey_status status = COVEY_ENOMEM;

    for (int64_t n = 1; n < 20 && status != COVEY_OK; n++) {
        covey_i_alloc_fail_at(n);
        status = write_file("hello", true, NULL);
        covey_i_alloc_fail_at(0);
        assert_int_equal(folder_entries(folder), status == COVEY_OK);
    }
    assert_int_equal(status, COVEY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_appears_at_the_end, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_given_up_leaves_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(an_existing_file_needs_force, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(force_spares_what_is_not_of_the_same_kind, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(links_are_not_replaced, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_comes_to_stand_there_meanwhile_is_spared_too, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_file_that_appears_meanwhile_is_left_alone, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_finished_is_complete_before_it_has_its_name, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(impossible_names_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(devices_are_written_to, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(without_memory_nothing_is_left, make_folder, remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
