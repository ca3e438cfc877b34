/* Folders in the making that go at once. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/unfinished.h"

static void make_file(const char *folder, const char *name)
{
    char path[256];
    int fd;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    assert_int_equal(close(fd), 0);
}

static void make_folder(char path[256])
{
    char inner[300];

    assert_true(test_folder(path, 256, "unfinished"));
    make_file(path, "table.csv");
    snprintf(inner, sizeof inner, "%s/hierarchies", path);
    assert_int_equal(mkdir(inner, 0700), 0);
    make_file(inner, "age.csv");
}

static bool exists(const char *path)
{
    struct stat facts;

    return lstat(path, &facts) == 0;
}

static void test_a_folder_goes_with_all_it_holds(void **state)
{
    char folder[256];

    make_folder(folder);
    for (int i = 0; i < 200; i++) { /* more than one system call returns */
        char name[64];

        snprintf(name, sizeof name, "a-name-that-takes-some-room-%d", i);
        make_file(folder, name);
    }
    covey_i_unfinished_add(folder);
    covey_discard_unfinished();
    assert_false(exists(folder));
    covey_discard_unfinished(); /* what is gone is no trouble */
    covey_i_unfinished_remove(folder);
}

static void test_what_a_link_points_to_stays(void **state)
{
    char folder[256], other[256], link[300];

    make_folder(folder);
    make_folder(other);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink(other, link), 0);
    covey_i_unfinished_add(folder);
    covey_discard_unfinished();
    assert_false(exists(folder));
    snprintf(link, sizeof link, "%s/table.csv", other);
    assert_true(exists(link));
    covey_i_unfinished_remove(folder);
    covey_i_unfinished_add(other);
    covey_discard_unfinished();
    covey_i_unfinished_remove(other);
}

static void test_a_finished_folder_stays(void **state)
{
    char folder[256];

    make_folder(folder);
    covey_i_unfinished_add(folder);
    covey_i_unfinished_remove(folder);
    covey_discard_unfinished();
    assert_true(exists(folder));
    covey_i_unfinished_add(folder);
    covey_discard_unfinished();
    covey_i_unfinished_remove(folder);
}

static void test_more_folders_than_places_are_no_trouble(void **state)
{
    char folder[12][256];

    for (size_t i = 0; i < 12; i++) {
        make_folder(folder[i]);
        covey_i_unfinished_add(folder[i]);
    }
    covey_discard_unfinished();
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(exists(folder[i]), i >= 8);
        covey_i_unfinished_remove(folder[i]);
    }
    for (size_t i = 8; i < 12; i++)
        covey_i_unfinished_add(folder[i]);
    covey_discard_unfinished();
    for (size_t i = 8; i < 12; i++) {
        assert_false(exists(folder[i]));
        covey_i_unfinished_remove(folder[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_folder_goes_with_all_it_holds),
        cmocka_unit_test(test_what_a_link_points_to_stays),
        cmocka_unit_test(test_a_finished_folder_stays),
        cmocka_unit_test(test_more_folders_than_places_are_no_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
