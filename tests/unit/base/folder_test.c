#include "test.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "base/file/folder.h"
#include "base/file/newfile.h"
#include "base/file/outfile.h"

static const covey_folder_options plain = {.product = &covey_i_product_release},
                                  force = {.force = true, .product = &covey_i_product_release};

static covey_folder *must_begin(const char *target, const covey_folder_options *options)
{
    covey_folder *folder = NULL;
    covey_error err;

    if (covey_i_folder_begin(&folder, target, options, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return folder;
}

static void put_in(const covey_folder *folder, const char *name, const char *text)
{
    covey_outfile *file = NULL;
    char path[512];

    snprintf(path, sizeof path, "%s/%s", covey_i_folder_path(folder), name);
    assert_int_equal(covey_i_outfile_open(&file, path, NULL), COVEY_OK);
    covey_i_outfile_string(file, text);
    assert_int_equal(covey_i_outfile_close(file, NULL), COVEY_OK);
}

#define MANIFEST                                                                                                       \
    "{\"format_version\": 1, \"form\": \"generalized\", \"files\": [{\"name\": \"file\"}, {\"name\": "                 \
    "\"inner/file\"}]}"

/* A release with its manifest, a file, and one in a folder below. */
static covey_folder *filled(const char *target, const covey_folder_options *options, const char *text)
{
    covey_folder *folder = must_begin(target, options);
    char path[512];

    snprintf(path, sizeof path, "%s/inner", covey_i_folder_path(folder));
    assert_int_equal(mkdir(path, 0700), 0);
    put_in(folder, "manifest.json", MANIFEST);
    put_in(folder, "file", text);
    put_in(folder, "inner/file", text);
    return folder;
}

static void expect_text(const char *path, const char *text)
{
    size_t size;
    char *bytes = csv_get_file(&size, path);

    assert_non_null(bytes);
    assert_string_equal(bytes, text);
    free(bytes);
}

static int mode_of(const char *path)
{
    struct stat facts;

    assert_int_equal(lstat(path, &facts), 0);
    return facts.st_mode & 07777;
}

/* Things in the test's folder. */
static int n_entries(void)
{
    DIR *dir = opendir(csv_path(""));
    int n = -2; /* . and .. */

    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void a_folder_appears_complete(void **unused)
{
    covey_folder *folder;
    char temporary[512];

    csv_folder();
    folder = filled(csv_path("out"), &plain, "new");
    snprintf(temporary, sizeof temporary, "%s", covey_i_folder_path(folder));
    assert_int_equal(mode_of(temporary), 0700);
    assert_int_equal(access(csv_path("out"), F_OK), -1);
    assert_int_equal(covey_i_folder_commit(folder, NULL), COVEY_OK);
    expect_text(csv_path("out/inner/file"), "new");
    assert_int_equal(access(temporary, F_OK), -1);
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static void its_files_get_the_modes_that_the_umask_leaves(void **unused)
{
    static const struct {
        mode_t mask, folder, file;
    } cases[] = {{022, 0755, 0644}, {077, 0700, 0600}, {002, 0775, 0664}};

    for (int i = 0; i < 3; i++) {
        const mode_t old = umask(cases[i].mask);

        csv_folder();
        assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &plain, "new"), NULL), COVEY_OK);
        assert_int_equal(mode_of(csv_path("out")), cases[i].folder);
        assert_int_equal(mode_of(csv_path("out/inner")), cases[i].folder);
        assert_int_equal(mode_of(csv_path("out/manifest.json")), cases[i].file);
        assert_int_equal(mode_of(csv_path("out/inner/file")), cases[i].file);
        csv_folder_remove();
        umask(old);
    }
}

static void an_aborted_folder_leaves_nothing(void **unused)
{
    csv_folder();
    covey_i_folder_abort(filled(csv_path("out"), &plain, "new"));
    assert_int_equal(n_entries(), 0);
    covey_i_folder_abort(NULL);
    csv_folder_remove();
}

static void expect_refusal(const char *target, const covey_folder_options *options, covey_status status,
                           const char *message)
{
    covey_folder *folder = NULL;
    covey_error err;

    assert_int_equal(covey_i_folder_begin(&folder, target, options, &err), status);
    assert_non_null(strstr(err.message, message));
    assert_null(folder);
}

static void what_exists_is_not_replaced_without_force(void **unused)
{
    csv_folder();
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &plain, "old"), NULL), COVEY_OK);
    expect_refusal(csv_path("out"), &plain, COVEY_EEXIST, "/out: exists already");
    expect_refusal(csv_path("out/"), &plain, COVEY_EEXIST, "/out: exists already");
    expect_text(csv_path("out/file"), "old");
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static void nothing_is_made_in_a_release(void **unused)
{
    const char *const inside[] = {"out/more", "out/more/", "out/inner/more", "link/more"};
    const char *const other = "{\"format_version\": 2, \"header\": {\"name\": \"of another program\"}}";
    covey_newfile *file = NULL;

    csv_folder();
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &plain, "old"), NULL), COVEY_OK);
    assert_int_equal(symlink("out/inner", csv_path("link")), 0);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        expect_refusal(csv_path(inside[i]), &force, COVEY_EINVAL, "is in the folder of a release");
    assert_int_equal(covey_i_newfile_begin(&file, csv_path("out/more"), NULL, NULL), COVEY_EINVAL);
    assert_int_equal(covey_i_newfile_begin(&file, csv_path("link/more"), NULL, NULL), COVEY_EINVAL);
    assert_null(file);
    covey_i_folder_abort(filled(csv_path("out//"), &force, "new")); /* a release is in no other one */
    csv_put_file(csv_path("out/manifest.json"), other, strlen(other));
    covey_i_folder_abort(filled(csv_path("out/more"), &plain, "new"));
    assert_int_equal(unlink(csv_path("out/manifest.json")), 0); /* a pipe that nobody writes to is not waited for */
    assert_int_equal(mkfifo(csv_path("out/manifest.json"), 0600), 0);
    covey_i_folder_abort(filled(csv_path("out/more"), &plain, "new"));
    csv_folder_remove();
}

static void with_force_a_release_is_replaced(void **unused)
{
    csv_folder();
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &force, "old"), NULL), COVEY_OK);
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &force, "new"), NULL), COVEY_OK);
    expect_text(csv_path("out/inner/file"), "new");
    assert_int_equal(n_entries(), 1);
    covey_i_folder_abort(filled(csv_path("out"), &force, "newer"));
    expect_text(csv_path("out/inner/file"), "new");
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static void with_force_nothing_is_replaced_that_does_not_look_like_a_release(void **unused)
{
    csv_folder();
    assert_int_equal(mkdir(csv_path("home"), 0755), 0);
    csv_put_file(csv_path("home/thesis"), "x", 1);
    expect_refusal(csv_path("home"), &force, COVEY_EEXIST, "holds no manifest.json");
    expect_refusal(csv_path("home/thesis"), &force, COVEY_EEXIST, "is a file");
    assert_int_equal(symlink("home", csv_path("link")), 0);
    expect_refusal(csv_path("link"), &force, COVEY_EEXIST, "is a symbolic link");
    expect_text(csv_path("home/thesis"), "x");
    assert_int_equal(mkdir(csv_path("empty"), 0751), 0); /* it may be there for somebody else */
    expect_refusal(csv_path("empty"), &force, COVEY_EEXIST, "holds no manifest.json");
    assert_int_equal(mode_of(csv_path("empty")), 0751);
    csv_folder_remove();
}

static void put_release(void)
{
    covey_i_folder_remove(csv_path("out"), NULL);
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &plain, "old"), NULL), COVEY_OK);
}

static void with_force_nothing_is_replaced_that_holds_more_than_its_manifest_lists(void **unused)
{
    static const char *const foreign[] = {"thesis.docx", ".hidden", "inner/notes", "hierarchies"};

    csv_folder();
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        char path[64], message[64];

        put_release();
        snprintf(path, sizeof path, "out/%s", foreign[i]);
        snprintf(message, sizeof message, "holds \"%s\", which is not listed in its manifest.json", foreign[i]);
        csv_put_file(csv_path(path), "x", 1);
        expect_refusal(csv_path("out"), &force, COVEY_EEXIST, message);
        expect_text(csv_path(path), "x");
        expect_text(csv_path("out/file"), "old");
    }
    put_release();
    assert_int_equal(mkdir(csv_path("out/photos"), 0755), 0);
    expect_refusal(csv_path("out"), &force, COVEY_EEXIST, "holds \"photos\"");
    put_release(); /* a listed name that is something else by now */
    assert_int_equal(unlink(csv_path("out/file")), 0);
    assert_int_equal(mkdir(csv_path("out/file"), 0755), 0);
    expect_refusal(csv_path("out"), &force, COVEY_EEXIST, "holds \"file\"");
    put_release();
    assert_int_equal(unlink(csv_path("out/file")), 0);
    assert_int_equal(symlink("/etc/passwd", csv_path("out/file")), 0);
    expect_refusal(csv_path("out"), &force, COVEY_EEXIST, "holds \"file\"");
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static void a_manifest_must_be_one(void **unused)
{
    static const char *const texts[] = {"",
                                        "{}",
                                        "precious",
                                        "[1]",
                                        "{\"files\": [{\"name\": \"file\"}]}",
                                        "{\"format_version\": 1, \"form\": \"generalized\", \"files\": 7}"};

    csv_folder();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put_release();
        csv_put_file(csv_path("out/manifest.json"), texts[i], strlen(texts[i]));
        expect_refusal(csv_path("out"), &force, COVEY_EEXIST, "its manifest.json is not that of a release");
    }
    put_release(); /* a pipe that nobody writes to is not waited for */
    assert_int_equal(unlink(csv_path("out/manifest.json")), 0);
    assert_int_equal(mkfifo(csv_path("out/manifest.json"), 0600), 0);
    expect_refusal(csv_path("out"), &force, COVEY_EEXIST, "its manifest.json is not that of a release");
    csv_folder_remove();
}

static void a_release_that_was_changed_by_hand_is_still_one(void **unused)
{
    csv_folder();
    put_release();
    csv_put_file(csv_path("out/file"), "changed", 7);
    assert_int_equal(unlink(csv_path("out/inner/file")), 0);
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &force, "new"), NULL), COVEY_OK);
    expect_text(csv_path("out/file"), "new");
    csv_folder_remove();
}

static void what_is_put_into_a_release_while_the_next_is_made_is_not_lost(void **unused)
{
    covey_folder *folder;
    covey_error err;

    csv_folder();
    put_release();
    folder = filled(csv_path("out"), &force, "new");
    csv_put_file(csv_path("out/thesis"), "x", 1);
    assert_int_equal(covey_i_folder_commit(folder, &err), COVEY_EEXIST);
    assert_non_null(strstr(err.message, "holds \"thesis\""));
    expect_text(csv_path("out/thesis"), "x");
    expect_text(csv_path("out/file"), "old");
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static const covey_product photos = {.noun = "album", .listing = "covey.json", .kind = "photos"};
static const covey_product songs = {.noun = "record", .listing = "covey.json", .kind = "songs"};

static void what_has_no_manifest_gets_a_listing(void **unused)
{
    const covey_folder_options album = {.force = true, .product = &photos}, record = {.force = true, .product = &songs};
    covey_folder *folder;
    char listing[256];

    csv_folder();
    for (int i = 0; i < 2; i++) {
        folder = must_begin(csv_path("out"), &album);
        put_in(folder, "b", "1");
        put_in(folder, "a", "1");
        assert_int_equal(covey_i_folder_commit(folder, NULL), COVEY_OK);
    }
    snprintf(listing, sizeof listing,
             "{\n \"tool\": \"covey %s\",\n \"kind\": \"photos\",\n \"files\": [\n  {\n   \"name\": \"a\"\n  },\n  {\n"
             "   \"name\": \"b\"\n  }\n ]\n}\n",
             covey_version());
    expect_text(csv_path("out/covey.json"), listing);
    expect_refusal(csv_path("out"), &record, COVEY_EEXIST, "its covey.json is not that of a record");
    expect_refusal(csv_path("out"), &force, COVEY_EEXIST, "holds no manifest.json");
    csv_folder_remove();
}

static void a_target_that_comes_into_being_meanwhile_is_not_replaced(void **unused)
{
    covey_folder *folder;
    covey_error err;

    csv_folder();
    folder = filled(csv_path("out"), &plain, "new");
    assert_int_equal(mkdir(csv_path("out"), 0755), 0);
    assert_int_equal(covey_i_folder_commit(folder, &err), COVEY_EEXIST);
    assert_non_null(strstr(err.message, "has come into being meanwhile"));
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static void an_old_release_that_vanishes_meanwhile_is_no_obstacle(void **unused)
{
    covey_folder *folder;

    csv_folder();
    assert_int_equal(covey_i_folder_commit(filled(csv_path("out"), &force, "old"), NULL), COVEY_OK);
    folder = filled(csv_path("out"), &force, "new");
    assert_int_equal(covey_i_folder_remove(csv_path("out"), NULL), COVEY_OK);
    assert_int_equal(covey_i_folder_commit(folder, NULL), COVEY_OK);
    expect_text(csv_path("out/file"), "new");
    csv_folder_remove();
}

static void the_parent_must_be_there_and_writable(void **unused)
{
    char parent[512];

    csv_folder();
    snprintf(parent, sizeof parent, "%s", csv_path("nowhere"));
    expect_refusal(csv_path("nowhere/out"), &plain, COVEY_ENOTFOUND, parent);
    if (geteuid() != 0) {
        assert_int_equal(mkdir(csv_path("closed"), 0500), 0);
        expect_refusal(csv_path("closed/out"), &plain, COVEY_EIO, "Permission denied");
    }
    csv_folder_remove();
}

static void some_names_cannot_be_targets(void **unused)
{
    static const char *const names[] = {"", ".", "..", "/", "a/..", "a/."};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_refusal(names[i], &plain, COVEY_EINVAL, "cannot be the name of a new folder");
}

static void a_relative_target_lies_in_the_current_folder(void **unused)
{
    char before[512];

    assert_non_null(getcwd(before, sizeof before));
    csv_folder();
    assert_int_equal(chdir(csv_path("")), 0);
    assert_int_equal(covey_i_folder_commit(filled("out", &plain, "new"), NULL), COVEY_OK);
    assert_int_equal(chdir(before), 0);
    expect_text(csv_path("out/file"), "new");
    csv_folder_remove();
}

static void leavings_of_a_killed_run_are_removed_by_the_next(void **unused)
{
    pid_t child;

    csv_folder();
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        filled(csv_path("out"), &plain, "dead");
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(n_entries(), 1);
    covey_i_folder_abort(must_begin(csv_path("other"), &plain)); /* another target's leavings stay */
    assert_int_equal(n_entries(), 1);
    covey_i_folder_abort(must_begin(csv_path("out"), &plain));
    assert_int_equal(n_entries(), 0);
    csv_folder_remove();
}

static void a_living_run_keeps_its_folder(void **unused)
{
    covey_folder *first, *second;

    csv_folder();
    first = filled(csv_path("out"), &plain, "first");
    second = filled(csv_path("out"), &plain, "second");
    assert_int_equal(n_entries(), 2);
    assert_int_equal(covey_i_folder_commit(second, NULL), COVEY_OK);
    assert_int_equal(covey_i_folder_commit(first, NULL), COVEY_EEXIST);
    expect_text(csv_path("out/file"), "second");
    assert_int_equal(n_entries(), 1);
    csv_folder_remove();
}

static void removal_does_not_follow_links(void **unused)
{
    csv_folder();
    assert_int_equal(mkdir(csv_path("kept"), 0755), 0);
    csv_put_file(csv_path("kept/file"), "x", 1);
    assert_int_equal(mkdir(csv_path("gone"), 0755), 0);
    assert_int_equal(symlink("../kept", csv_path("gone/link")), 0);
    assert_int_equal(covey_i_folder_remove(csv_path("gone"), NULL), COVEY_OK);
    expect_text(csv_path("kept/file"), "x");
    assert_int_equal(covey_i_folder_remove(csv_path("gone"), NULL), COVEY_ENOTFOUND);
    csv_folder_remove();
}

static void failing_allocations_leave_no_folder(void **unused)
{
    csv_folder();
    for (int64_t n = 1;; n++) {
        covey_folder *folder = NULL;
        covey_status status;

        covey_i_alloc_fail_at(n);
        status = covey_i_folder_begin(&folder, csv_path("out"), &plain, NULL);
        if (status == COVEY_OK)
            covey_i_folder_abort(folder);
        covey_i_alloc_fail_at(0);
        assert_int_equal(n_entries(), 0);
        if (status == COVEY_OK)
            break;
        assert_int_equal(status, COVEY_ENOMEM);
    }
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_appears_complete),
        cmocka_unit_test(its_files_get_the_modes_that_the_umask_leaves),
        cmocka_unit_test(an_aborted_folder_leaves_nothing),
        cmocka_unit_test(what_exists_is_not_replaced_without_force),
        cmocka_unit_test(nothing_is_made_in_a_release),
        cmocka_unit_test(with_force_a_release_is_replaced),
        cmocka_unit_test(with_force_nothing_is_replaced_that_does_not_look_like_a_release),
        cmocka_unit_test(with_force_nothing_is_replaced_that_holds_more_than_its_manifest_lists),
        cmocka_unit_test(a_manifest_must_be_one),
        cmocka_unit_test(a_release_that_was_changed_by_hand_is_still_one),
        cmocka_unit_test(what_is_put_into_a_release_while_the_next_is_made_is_not_lost),
        cmocka_unit_test(what_has_no_manifest_gets_a_listing),
        cmocka_unit_test(a_target_that_comes_into_being_meanwhile_is_not_replaced),
        cmocka_unit_test(an_old_release_that_vanishes_meanwhile_is_no_obstacle),
        cmocka_unit_test(the_parent_must_be_there_and_writable),
        cmocka_unit_test(some_names_cannot_be_targets),
        cmocka_unit_test(a_relative_target_lies_in_the_current_folder),
        cmocka_unit_test(leavings_of_a_killed_run_are_removed_by_the_next),
        cmocka_unit_test(a_living_run_keeps_its_folder),
        cmocka_unit_test(removal_does_not_follow_links),
        cmocka_unit_test(failing_allocations_leave_no_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
