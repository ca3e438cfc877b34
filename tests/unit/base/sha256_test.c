/* SHA-256 with and without the processor's own instructions: the examples of FIPS 180, and libsodium's word on
 * everything else. */
#include "test.h"

#include "support/csvs.h"
#include "base/hash.h"
#include "base/sha256_blocks.h"

#include <sodium.h>
#include <string.h>

enum { MOST = 1000 };

static unsigned char bytes[MOST];

static void fill(void)
{
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < MOST; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        bytes[i] = (unsigned char)x;
    }
}

static void assert_hex(const char *text, const char *expected)
{
    unsigned char hash[32];
    char hex[65];

    covey_i_hash_sha256(hash, text, strlen(text));
    covey_i_hash_hex(hex, hash);
    assert_string_equal(hex, expected);
}

static void examples_of_the_standard(void **state)
{
    assert_hex("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hex("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrs"
               "tnopqrstu",
               "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

static void any_length_is_as_libsodium_has_it(void **state)
{
    unsigned char own[32], expected[32];

    fill();
    for (size_t n = 0; n <= MOST; n++) {
        covey_i_hash_sha256(own, bytes, n);
        crypto_hash_sha256(expected, bytes, n);
        assert_memory_equal(own, expected, sizeof own);
    }
}

/* The state of libsodium after whole blocks is that of the instructions. */
static void blocks_are_as_libsodium_has_them(void **state)
{
    crypto_hash_sha256_state expected;

    if (!covey_i_sha256_has_blocks())
        skip();
    fill();
    for (size_t n = 0; n * 64 + 7 <= MOST; n++) {
        uint32_t own[8];

        crypto_hash_sha256_init(&expected);
        memcpy(own, expected.state, sizeof own);
        covey_i_sha256_blocks(own, bytes + 7, n); /* not aligned */
        crypto_hash_sha256_update(&expected, bytes + 7, n * 64);
        assert_memory_equal(own, expected.state, sizeof own);
    }
}

/* Whatever is left of a block when the next piece comes. */
static void pieces_of_any_size_add_up(void **state)
{
    unsigned char own[32], expected[32];

    fill();
    crypto_hash_sha256(expected, bytes, MOST);
    for (size_t first = 0; first <= 130; first++)
        for (size_t size = 1; size <= 200; size += 7) {
            covey_sha256 sum;

            covey_i_sha256_begin(&sum);
            covey_i_sha256_add(&sum, bytes, first);
            for (size_t at = first; at < MOST; at += size)
                covey_i_sha256_add(&sum, bytes + at, MOST - at < size ? MOST - at : size);
            assert_int_equal(sum.size, MOST);
            covey_i_sha256_end(own, &sum);
            assert_memory_equal(own, expected, sizeof own);
        }
}

static void files_are_hashed_piece_by_piece(void **state)
{
    const size_t sizes[] = {0, 1, 64, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3 * (1 << 18) + 100};
    char *content = calloc(1, 1 << 20);

    assert_non_null(content);
    csv_folder();
    for (size_t i = 0; i < 1 << 20; i++)
        content[i] = (char)(i * 7 + (i >> 9));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char own[32], expected[32];
        uint64_t size;

        csv_put_file(csv_path("hashed"), content, sizes[i]);
        assert_int_equal(covey_i_hash_sha256_file(own, &size, csv_path("hashed"), NULL), COVEY_OK);
        crypto_hash_sha256(expected, (const unsigned char *)content, sizes[i]);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(own, expected, sizeof own);
    }
    csv_folder_remove();
    free(content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_standard),         cmocka_unit_test(any_length_is_as_libsodium_has_it),
        cmocka_unit_test(blocks_are_as_libsodium_has_them), cmocka_unit_test(pieces_of_any_size_add_up),
        cmocka_unit_test(files_are_hashed_piece_by_piece),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
