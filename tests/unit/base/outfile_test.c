#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/csvs.h"
#include "base/alloc.h"
#include "base/file/outfile.h"

static covey_outfile *must_open(const char *path)
{
    covey_outfile *file = NULL;
    covey_error err;

    if (covey_i_outfile_open(&file, path, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return file;
}

/* Writes n numbered lines in all the ways there are. */
static void write_lines(covey_outfile *file, int n)
{
    char line[64], large[400000];

    for (int i = 0; i < n; i++) {
        const size_t size = (size_t)snprintf(line, sizeof line, "line %d\n", i);

        if (i % 3 == 0) {
            covey_i_outfile_write(file, line, size);
        } else if (i % 3 == 1) {
            covey_i_outfile_string(file, line);
        } else {
            memcpy(covey_i_outfile_room(file, size), line, size);
            covey_i_outfile_used(file, size);
        }
    }
    memset(large, '.', sizeof large); /* more than the buffer holds */
    covey_i_outfile_write(file, large, sizeof large);
    memset(covey_i_outfile_room(file, sizeof large), ':', sizeof large);
    covey_i_outfile_used(file, sizeof large);
    covey_i_outfile_string(file, "end\n");
}

static void check_lines(const char *bytes, size_t size, int n)
{
    const char *at = bytes;
    char line[64];

    for (int i = 0; i < n; i++) {
        const size_t length = (size_t)snprintf(line, sizeof line, "line %d\n", i);

        assert_memory_equal(at, line, length);
        at += length;
    }
    assert_int_equal(size, (size_t)(at - bytes) + 2 * 400000 + 4);
    assert_int_equal(at[0], '.');
    assert_int_equal(at[400000], ':');
    assert_string_equal(at + 800000, "end\n");
}

static void what_is_written_is_read_back_whatever_the_compression(void **unused)
{
    static const char *const names[] = {"t.csv", "t.csv.gz", "t.csv.zst"};

    csv_folder();
    for (int i = 0; i < 3; i++) {
        covey_outfile *file = must_open(csv_path(names[i]));
        covey_infile back = COVEY_INFILE_INIT;
        char *copy;

        write_lines(file, 50000);
        assert_int_equal(covey_i_outfile_close(file, NULL), COVEY_OK);
        assert_int_equal(covey_i_infile_open(&back, csv_path(names[i]), NULL), COVEY_OK);
        copy = covey_i_strndup(back.bytes, back.size);
        check_lines(copy, back.size, 50000);
        covey_i_free(copy);
        covey_i_infile_close(&back);
    }
    csv_folder_remove();
}

static void an_empty_file_is_a_valid_one(void **unused)
{
    static const char *const names[] = {"t.csv", "t.csv.gz", "t.csv.zst"};

    csv_folder();
    for (int i = 0; i < 3; i++) {
        covey_infile back = COVEY_INFILE_INIT;

        assert_int_equal(covey_i_outfile_close(must_open(csv_path(names[i])), NULL), COVEY_OK);
        assert_int_equal(covey_i_infile_open(&back, csv_path(names[i]), NULL), COVEY_OK);
        assert_int_equal(back.size, 0);
        covey_i_infile_close(&back);
    }
    csv_folder_remove();
}

static void the_size_counts_before_compression(void **unused)
{
    covey_outfile *file;

    csv_folder();
    file = must_open(csv_path("t.gz"));
    covey_i_outfile_string(file, "12345");
    assert_int_equal(covey_i_outfile_size(file), 5);
    write_lines(file, 1);
    assert_int_equal(covey_i_outfile_size(file), 5 + 7 + 800000 + 4);
    covey_i_outfile_abort(file);
    csv_folder_remove();
}

static void a_file_belongs_to_its_owner_alone_and_replaces_nothing(void **unused)
{
    covey_outfile *file = NULL;
    struct stat facts;
    covey_error err;

    csv_folder();
    assert_int_equal(covey_i_outfile_close(must_open(csv_path("t")), NULL), COVEY_OK);
    assert_int_equal(stat(csv_path("t"), &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0600);
    assert_int_equal(covey_i_outfile_open(&file, csv_path("t"), &err), COVEY_EEXIST);
    assert_int_equal(symlink("elsewhere", csv_path("link")), 0);
    assert_int_equal(covey_i_outfile_open(&file, csv_path("link"), &err), COVEY_EEXIST);
    assert_int_equal(access(csv_path("elsewhere"), F_OK), -1);
    assert_int_equal(covey_i_outfile_open(&file, csv_path("nowhere/t"), &err), COVEY_EIO);
    assert_non_null(strstr(err.message, "nowhere/t: cannot be made: No such file or directory"));
    assert_null(file);
    csv_folder_remove();
}

static void an_aborted_file_is_gone(void **unused)
{
    covey_outfile *file;

    csv_folder();
    file = must_open(csv_path("t"));
    write_lines(file, 10);
    covey_i_outfile_abort(file);
    assert_int_equal(access(csv_path("t"), F_OK), -1);
    covey_i_outfile_abort(NULL);
    csv_folder_remove();
}

static void a_full_device_is_noticed_at_the_latest_when_closing(void **unused)
{
    static const char *const names[] = {"out", "out.gz", "out.zst"};

    for (int i = 0; i < 3; i++) {
        const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
        covey_outfile *file = NULL;
        covey_error err;

        if (fd < 0)
            return;
        assert_int_equal(covey_i_outfile_over(&file, fd, names[i], NULL), COVEY_OK);
        covey_i_outfile_string(file, "a few bytes");
        assert_false(covey_i_outfile_is_broken(file));
        assert_int_equal(covey_i_outfile_close(file, &err), COVEY_EIO);
        assert_string_equal(err.message + strlen(names[i]), ": cannot be written: No space left on device");
        close(fd);
    }
}

static void a_broken_file_takes_further_writes_for_nothing(void **unused)
{
    covey_outfile *file = NULL;

    if (covey_i_outfile_open(&file, "/dev/full", NULL) != COVEY_OK)
        return;
    write_lines(file, 100000);
    assert_true(covey_i_outfile_is_broken(file));
    assert_non_null(covey_i_outfile_room(file, COVEY_OUTFILE_ROOM));
    assert_int_equal(covey_i_outfile_close(file, NULL), COVEY_EIO);
    assert_int_equal(access("/dev/full", F_OK), 0); /* a device is not removed */
}

/* In a process of its own, because the limit cannot be lifted again. */
static void a_file_that_may_not_grow_further_is_removed(void **unused)
{
    pid_t child;
    int result = -1;

    csv_folder();
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {100000, 100000};
        covey_outfile *file = must_open(csv_path("t"));
        covey_error err;

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        write_lines(file, 1000);
        _exit(covey_i_outfile_close(file, &err) == COVEY_EIO && strstr(err.message, "File too large") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    assert_int_equal(access(csv_path("t"), F_OK), -1);
    csv_folder_remove();
}

static void a_descriptor_of_others_stays_open(void **unused)
{
    covey_outfile *file = NULL;
    int fd;

    csv_folder();
    fd = open(csv_path("t"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(covey_i_outfile_over(&file, fd, "standard output", NULL), COVEY_OK);
    covey_i_outfile_string(file, "hello");
    assert_int_equal(covey_i_outfile_close(file, NULL), COVEY_OK);
    assert_int_equal(write(fd, "!", 1), 1);
    close(fd);
    csv_folder_remove();
}

static void failing_allocations_leave_no_file(void **unused)
{
    static const char *const names[] = {"t", "t.gz", "t.zst"};

    csv_folder();
    for (int i = 0; i < 3; i++)
        for (int64_t n = 1;; n++) {
            covey_outfile *file = NULL;
            covey_status status;

            covey_i_alloc_fail_at(n);
            status = covey_i_outfile_open(&file, csv_path(names[i]), NULL);
            if (status == COVEY_OK) {
                char *room = covey_i_outfile_room(file, 1 << 20);

                if (room)
                    covey_i_outfile_used(file, 0);
                status = covey_i_outfile_close(file, NULL);
            }
            covey_i_alloc_fail_at(0);
            if (status == COVEY_OK)
                break;
            assert_int_equal(status, COVEY_ENOMEM);
            assert_int_equal(access(csv_path(names[i]), F_OK), -1);
        }
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_whatever_the_compression),
        cmocka_unit_test(an_empty_file_is_a_valid_one),
        cmocka_unit_test(the_size_counts_before_compression),
        cmocka_unit_test(a_file_belongs_to_its_owner_alone_and_replaces_nothing),
        cmocka_unit_test(an_aborted_file_is_gone),
        cmocka_unit_test(a_full_device_is_noticed_at_the_latest_when_closing),
        cmocka_unit_test(a_broken_file_takes_further_writes_for_nothing),
        cmocka_unit_test(a_file_that_may_not_grow_further_is_removed),
        cmocka_unit_test(a_descriptor_of_others_stays_open),
        cmocka_unit_test(failing_allocations_leave_no_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
