#include "test.h"

#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "io/dictionary.h"
#include "io/text_sort.h"

static int compare(const void *a, const void *b)
{
    const covey_label *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->size < y->size ? x->size : y->size);

    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Sorts and compares with the C library. */
static void check(covey_label *text, size_t n)
{
    uint32_t *order = covey_i_array(n, sizeof *order), *scratch = covey_i_array(n, sizeof *scratch);
    uint64_t *key = covey_i_array(n, sizeof *key);
    covey_label *expected = covey_i_array(n, sizeof *expected);

    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        expected[i] = text[i];
    }
    covey_i_sort_texts(order, scratch, key, n, text);
    qsort(expected, n, sizeof *expected, compare);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(compare(&text[order[i]], &expected[i]), 0);
    covey_i_free(order);
    covey_i_free(scratch);
    covey_i_free(key);
    covey_i_free(expected);
}

/* n texts of up to most_size bytes among n_letters from first on, behind a common beginning. */
static void check_random(uint64_t seed, size_t n, size_t most_size, unsigned char first, int n_letters, size_t common)
{
    unsigned char key[32] = {(unsigned char)seed};
    char *bytes = covey_i_malloc(n * (most_size + common));
    covey_label *text = covey_i_array(n, sizeof *text);
    covey_rng rng;

    covey_i_rng_init(&rng, key, seed);
    for (size_t i = 0; i < n; i++) {
        char *start = bytes + i * (most_size + common);
        const size_t size = common + covey_i_rng_below(&rng, most_size + 1);

        memset(start, 'c', common);
        for (size_t k = common; k < size; k++)
            start[k] = (char)(first + covey_i_rng_below(&rng, (uint64_t)n_letters));
        text[i] = (covey_label){start, size};
    }
    check(text, n);
    covey_i_free(bytes);
    covey_i_free(text);
}

static void texts_are_sorted_by_bytes(void **unused)
{
    covey_label text[] = {{"b", 1}, {"a", 1},        {"", 0},          {"ab", 2},     {"\xC3\xA4", 2},
                          {"Z", 1}, {"abcdefgh", 8}, {"abcdefghi", 9}, {"abcdefg", 7}};

    check(text, sizeof text / sizeof *text);
    check(text, 1);
    check(text, 0);
}

static void random_texts_of_all_shapes_are_sorted(void **unused)
{
    uint64_t seed = 1;

    for (size_t n = 10; n <= 5000; n *= 8) {
        check_random(seed++, n, 7, 'a', 26, 0);
        check_random(seed++, n, 30, 'a', 26, 0);
        check_random(seed++, n, 30, 'a', 2, 0);   /* many doubles and common beginnings */
        check_random(seed++, n, 12, 'a', 3, 100); /* behind a long common beginning */
        check_random(seed++, n, 12, 0x7E, 4, 3);  /* around the sign bit */
        check_random(seed++, n, 20, 0, 2, 0);     /* NUL bytes */
        check_random(seed++, n, 0, 'a', 1, 5);    /* all equal */
    }
}

static void a_ladder_of_ever_longer_texts_does_not_exhaust_the_stack(void **unused)
{
    enum { N = 6000 };
    char *bytes = covey_i_malloc(N);
    covey_label *text = covey_i_array(N, sizeof *text);

    memset(bytes, 'a', N);
    for (size_t i = 0; i < N; i++)
        text[i] = (covey_label){bytes, (i * 7919) % N};
    check(text, N);
    covey_i_free(bytes);
    covey_i_free(text);
}

static void a_dictionary_gives_codes_in_order_of_first_appearance(void **unused)
{
    static const char cells[][16] = {"b", "a",          "",          "eight by", "nine byte",
                                     "b", "nine bytes", "nine byte", "",         "eight by"};
    static const uint32_t codes[] = {0, 1, 2, 3, 4, 0, 5, 4, 2, 3};
    covey_dictionary d;

    assert_true(covey_i_dictionary_init(&d));
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(covey_i_dictionary_code(&d, cells[i], (uint32_t)strlen(cells[i])), codes[i]);
    assert_int_equal(d.n, 6);
    assert_memory_equal(covey_i_dictionary_text(&d, 4), "nine byte", 9);
    assert_int_equal(covey_i_dictionary_size(&d, 2), 0);
    covey_i_dictionary_free(&d);
}

static void nul_bytes_make_a_difference_although_short_cells_are_padded_with_them(void **unused)
{
    covey_dictionary d;

    assert_true(covey_i_dictionary_init(&d));
    assert_int_equal(covey_i_dictionary_code(&d, "a\0\0\0\0\0\0\0", 1), 0);
    assert_int_equal(covey_i_dictionary_code(&d, "a\0\0\0\0\0\0\0", 2), 1);
    assert_int_equal(covey_i_dictionary_code(&d, "\0\0\0\0\0\0\0\0", 0), 2);
    assert_int_equal(covey_i_dictionary_code(&d, "\0\0\0\0\0\0\0\0", 1), 3);
    covey_i_dictionary_free(&d);
}

static void a_dictionary_keeps_hundreds_of_thousands_of_values_apart(void **unused)
{
    covey_dictionary d;

    assert_true(covey_i_dictionary_init(&d));
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 300000; i++) {
            char cell[32] = "";
            const int size = snprintf(cell, sizeof cell, i % 2 ? "%u" : "a longer cell %u", (unsigned)i);

            if (covey_i_dictionary_code(&d, cell, (uint32_t)size) != i)
                fail_msg("value %u", (unsigned)i);
        }
    covey_i_dictionary_free(&d);
}

static void a_dictionary_without_memory_is_broken_and_stays_so(void **unused)
{
    covey_dictionary d;
    bool broken = false;

    assert_true(covey_i_dictionary_init(&d));
    covey_i_alloc_fail_at(1);
    for (uint32_t i = 0; i < 1000; i++) {
        char cell[32] = "";
        const int size = snprintf(cell, sizeof cell, "%u", (unsigned)i);

        covey_i_dictionary_code(&d, cell, (uint32_t)size);
        assert_true(!broken || d.broken);
        broken = d.broken;
    }
    covey_i_alloc_fail_at(0);
    assert_true(broken);
    covey_i_dictionary_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_sorted_by_bytes),
        cmocka_unit_test(random_texts_of_all_shapes_are_sorted),
        cmocka_unit_test(a_ladder_of_ever_longer_texts_does_not_exhaust_the_stack),
        cmocka_unit_test(a_dictionary_gives_codes_in_order_of_first_appearance),
        cmocka_unit_test(nul_bytes_make_a_difference_although_short_cells_are_padded_with_them),
        cmocka_unit_test(a_dictionary_keeps_hundreds_of_thousands_of_values_apart),
        cmocka_unit_test(a_dictionary_without_memory_is_broken_and_stays_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
