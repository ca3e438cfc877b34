#include "test.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "support/csvs.h"
#include "base/alloc.h"

static const char words[] = "name,number\nalpha,1\nbeta,2\n";

static void expect_bytes(const char *path, const char *bytes, size_t size)
{
    static const char zeros[COVEY_INFILE_PADDING];
    covey_infile file = COVEY_INFILE_INIT;
    covey_error err;

    if (covey_i_infile_open(&file, path, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.bytes, bytes, size);
    assert_memory_equal(file.bytes + size, zeros, sizeof zeros);
    covey_i_infile_drop(&file, 0, size);
    assert_memory_equal(file.bytes, bytes, size); /* dropped bytes can be read again */
    covey_i_infile_close(&file);
}

static void expect_refusal(const char *path, covey_status status, const char *message)
{
    covey_infile file = COVEY_INFILE_INIT;
    covey_error err;

    assert_int_equal(covey_i_infile_open(&file, path, &err), status);
    assert_string_equal(err.message + strlen(path), message);
    assert_string_equal(err.file, path);
    assert_null(file.bytes);
}

/* Compresses with gzip; free with covey_i_free. */
static char *gzip(size_t *size, const char *bytes, size_t n)
{
    z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (unsigned)n};
    char *packed = covey_i_malloc(2 * n + 1000);

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = (unsigned char *)packed;
    z.avail_out = (unsigned)(2 * n + 1000);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *size = z.total_out;
    deflateEnd(&z);
    return packed;
}

static char *zstd(size_t *size, const char *bytes, size_t n)
{
    const size_t room = ZSTD_compressBound(n);
    char *packed = covey_i_malloc(room);

    *size = ZSTD_compress(packed, room, bytes, n, 3);
    assert_false(ZSTD_isError(*size));
    return packed;
}

/* Text that compresses to some kilobytes, several times the size of a first guess. */
static char *long_text(size_t *size)
{
    char *text = covey_i_malloc(3000000);

    *size = 0;
    for (int i = 0; *size < 2900000; i++)
        *size += (size_t)snprintf(text + *size, 64, "%d,%d,always the same\n", i, i % 10);
    return text;
}

static void plain_files_are_there_as_they_are(void **unused)
{
    char page[8192];

    memset(page, 'x', sizeof page);
    csv_folder();
    csv_put_file(csv_path("t"), words, strlen(words));
    expect_bytes(csv_path("t"), words, strlen(words));
    csv_put_file(csv_path("t"), "", 0);
    expect_bytes(csv_path("t"), "", 0);
    for (size_t size = 4090; size <= 8192; size += size < 4100 ? 1 : 4092) { /* ends around the ends of pages */
        csv_put_file(csv_path("t"), page, size);
        expect_bytes(csv_path("t"), page, size);
    }
    csv_folder_remove();
}

static void compressed_files_are_known_by_their_first_bytes(void **unused)
{
    size_t size, text_size;
    char *text = long_text(&text_size), *packed;

    csv_folder();
    packed = gzip(&size, text, text_size);
    csv_put_file(csv_path("t.csv"), packed, size);
    expect_bytes(csv_path("t.csv"), text, text_size);
    covey_i_free(packed);
    packed = zstd(&size, text, text_size);
    csv_put_file(csv_path("t.gz"), packed, size);
    expect_bytes(csv_path("t.gz"), text, text_size);
    covey_i_free(packed);
    csv_put_file(csv_path("t.zst"), words, strlen(words));
    expect_bytes(csv_path("t.zst"), words, strlen(words));
    covey_i_free(text);
    csv_folder_remove();
}

static void members_and_frames_one_after_another_are_one_file(void **unused)
{
    static char *(*const pack[])(size_t *, const char *, size_t) = {gzip, zstd};

    csv_folder();
    for (int i = 0; i < 2; i++) {
        size_t size, more_size;
        char *packed = pack[i](&size, "alpha", 5), *more = pack[i](&more_size, "beta", 4), both[4000];

        memcpy(both, packed, size);
        memcpy(both + size, more, more_size);
        csv_put_file(csv_path("t"), both, size + more_size);
        expect_bytes(csv_path("t"), "alphabeta", 9);
        if (i == 0) { /* tapes pad with zeros */
            memset(both + size + more_size, 0, 512);
            csv_put_file(csv_path("t"), both, size + more_size + 512);
            expect_bytes(csv_path("t"), "alphabeta", 9);
        }
        covey_i_free(packed);
        covey_i_free(more);
    }
    csv_folder_remove();
}

static void truncated_streams_are_refused_wherever_they_end(void **unused)
{
    static char *(*const pack[])(size_t *, const char *, size_t) = {gzip, zstd};
    static const char *const messages[] = {": the gzip data is cut off; get the file again",
                                           ": the zstd data is cut off; get the file again"};

    csv_folder();
    for (int i = 0; i < 2; i++) {
        size_t size;
        char *packed = pack[i](&size, words, strlen(words));

        for (size_t cut = 4; cut < size; cut++) {
            csv_put_file(csv_path("t"), packed, cut);
            expect_refusal(csv_path("t"), COVEY_EPARSE, messages[i]);
        }
        covey_i_free(packed);
    }
    csv_folder_remove();
}

/* A frame without content whose header asks for a window of 2 GiB: zstd takes it at once. */
static void windows_beyond_the_limit_are_refused(void **unused)
{
    static const char frame[] = {0x28, (char)0xB5, 0x2F, (char)0xFD, 0, (char)((31 - 10) << 3), 1, 0, 0};

    csv_folder();
    csv_put_file(csv_path("t"), frame, sizeof frame);
    expect_refusal(csv_path("t"), COVEY_EINVAL,
                   ": takes more than 128 MiB of memory to unpack (it was made with zstd --long or --ultra); "
                   "unpack it into a file first");
    csv_folder_remove();
}

static void corrupt_streams_are_refused(void **unused)
{
    size_t size;
    char *packed = gzip(&size, words, strlen(words));

    csv_folder();
    packed[size - 6] ^= 1; /* its checksum */
    csv_put_file(csv_path("t"), packed, size);
    expect_refusal(csv_path("t"), COVEY_EPARSE, ": the gzip data is corrupt; get the file again");
    covey_i_free(packed);
    packed = gzip(&size, words, strlen(words));
    memcpy(packed + size, "garbage", 7);
    csv_put_file(csv_path("t"), packed, size + 7);
    expect_refusal(csv_path("t"), COVEY_EPARSE,
                   ": the gzip data is followed by bytes that are none of it; get the file again");
    covey_i_free(packed);
    packed = zstd(&size, words, strlen(words));
    memset(packed + 4, 0xFF, size - 4);
    csv_put_file(csv_path("t"), packed, size);
    expect_refusal(csv_path("t"), COVEY_EPARSE, ": the zstd data is corrupt; get the file again");
    covey_i_free(packed);
    csv_folder_remove();
}

static void other_compressions_are_named(void **unused)
{
    csv_folder();
    csv_put_file(csv_path("t"),
                 "\xFD"
                 "7zXZ\0\0",
                 8);
    expect_refusal(csv_path("t"), COVEY_EPARSE,
                   ": is a xz file; unpack it first (plain, gzip and zstd files are read)");
    csv_put_file(csv_path("t"), "PK\x03\x04....", 8);
    expect_refusal(csv_path("t"), COVEY_EPARSE,
                   ": is a zip file; unpack it first (plain, gzip and zstd files are read)");
    csv_folder_remove();
}

static void *feed(void *path)
{
    FILE *pipe = fopen(path, "wb");

    for (int i = 0; pipe && i < 20000; i++)
        fputs("a line of a pipe\n", pipe);
    if (pipe)
        fclose(pipe);
    return NULL;
}

static void pipes_are_read_to_their_end_where_they_are_expected(void **unused)
{
    covey_infile file = COVEY_INFILE_INIT;
    pthread_t thread;
    char path[512];

    csv_folder();
    snprintf(path, sizeof path, "%s", csv_path("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refusal(path, COVEY_EINVAL,
                   ": is a pipe, not a regular file; write what it gives into a file first"); /* nobody feeds it */
    expect_refusal("/dev/null", COVEY_EINVAL,
                   ": is a device, not a regular file; write what it gives into a file first");
    assert_int_equal(pthread_create(&thread, NULL, feed, path), 0);
    assert_int_equal(covey_i_infile_open_input(&file, path, NULL, NULL), COVEY_OK);
    pthread_join(thread, NULL);
    assert_int_equal(file.size, 20000 * 17);
    covey_i_infile_close(&file);
    csv_folder_remove();
}

static void what_is_no_file_is_refused(void **unused)
{
    csv_folder();
    expect_refusal(csv_path("t"), COVEY_ENOTFOUND, ": there is no such file");
    expect_refusal(csv_path("t/u"), COVEY_ENOTFOUND, ": there is no such file, nor its folder");
    expect_refusal(csv_path(""), COVEY_EINVAL, ": is a folder, not a file");
    csv_put_file(csv_path("t"), words, strlen(words));
    expect_refusal(csv_path("t/u"), COVEY_ENOTFOUND, ": Not a directory");
    if (geteuid() != 0) {
        chmod(csv_path("t"), 0);
        expect_refusal(csv_path("t"), COVEY_EIO, ": Permission denied");
    }
    csv_folder_remove();
}

static void failing_allocations_leave_nothing_behind(void **unused)
{
    size_t size;
    char *packed = gzip(&size, words, strlen(words));

    csv_folder();
    csv_put_file(csv_path("t"), packed, size);
    for (int64_t n = 1;; n++) {
        covey_infile file = COVEY_INFILE_INIT;
        covey_status status;

        covey_i_alloc_fail_at(n);
        status = covey_i_infile_open(&file, csv_path("t"), NULL);
        covey_i_alloc_fail_at(0);
        if (status == COVEY_OK) {
            covey_i_infile_close(&file);
            assert_true(n > 2);
            break;
        }
        assert_int_equal(status, COVEY_ENOMEM);
    }
    covey_i_free(packed);
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_are_there_as_they_are),
        cmocka_unit_test(compressed_files_are_known_by_their_first_bytes),
        cmocka_unit_test(members_and_frames_one_after_another_are_one_file),
        cmocka_unit_test(truncated_streams_are_refused_wherever_they_end),
        cmocka_unit_test(windows_beyond_the_limit_are_refused),
        cmocka_unit_test(corrupt_streams_are_refused),
        cmocka_unit_test(other_compressions_are_named),
        cmocka_unit_test(pipes_are_read_to_their_end_where_they_are_expected),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(failing_allocations_leave_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
