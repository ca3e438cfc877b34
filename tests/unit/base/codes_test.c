/* Arrays of codes of each width: the same numbers, however wide. */
#include "test.h"

#include "base/codes.h"

enum { N = 100 };

static const uint32_t most[] = {0, UINT8_MAX, UINT16_MAX, 0, UINT32_MAX};
static const int widths[] = {1, 2, 4};

/* Codes that begin with the largest and the smallest of their width. */
static void fill(uint32_t *code, int width)
{
    for (uint32_t i = 0; i < N; i++)
        code[i] = i < 2 ? most[width] * (1 - i) : (uint32_t)(i * 2654435761u) & most[width];
}

static void test_codes__packed_codes_are_those_that_were_put(void **unused)
{
    for (size_t w = 0; w < 3; w++) {
        const int width = widths[w];
        uint32_t code[N], packed[N], put[N], unpacked[N];

        fill(code, width);
        covey_i_codes_pack(packed, width, code, N);
        for (uint32_t i = 0; i < N; i++)
            covey_i_codes_put(put, width, i, code[i]);
        assert_memory_equal(packed, put, N * (size_t)width);
        covey_i_codes_unpack(unpacked, packed, width, N);
        assert_memory_equal(unpacked, code, sizeof code);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(covey_i_codes_get(packed, width, i), code[i]);
            assert_int_equal(covey_i_codes_get(covey_i_codes_from(packed, width, i), width, 0), code[i]);
        }
    }
}

static void test_codes__are_fetched_by_row(void **unused)
{
    const uint32_t row[] = {99, 0, 7, 7};

    for (size_t w = 0; w < 3; w++) {
        uint32_t code[N], packed[N], got[4];

        fill(code, widths[w]);
        covey_i_codes_pack(packed, widths[w], code, N);
        covey_i_codes_at(got, packed, widths[w], row, 4);
        for (int i = 0; i < 4; i++)
            assert_int_equal(got[i], code[row[i]]);
    }
}

static void test_codes__are_mapped_from_any_width_to_any(void **unused)
{
    const uint32_t code[] = {3, 0, 2}, map[] = {200, 0, 255, 7};

    for (size_t from = 0; from < 3; from++)
        for (size_t to = 0; to < 3; to++) {
            uint32_t packed[3], mapped[3];

            covey_i_codes_pack(packed, widths[from], code, 3);
            covey_i_codes_map(mapped, widths[to], packed, widths[from], 3, map);
            for (uint32_t i = 0; i < 3; i++)
                assert_int_equal(covey_i_codes_get(mapped, widths[to], i), map[code[i]]);
        }
}

static void test_codes__have_a_smallest_and_a_largest(void **unused)
{
    for (size_t w = 0; w < 3; w++) {
        uint32_t code[N], packed[N], low, high;

        fill(code, widths[w]);
        covey_i_codes_pack(packed, widths[w], code, N);
        covey_i_codes_range(&low, &high, packed, widths[w], N);
        assert_int_equal(low, 0);
        assert_int_equal(high, most[widths[w]]);
        covey_i_codes_range(&low, &high, packed, widths[w], 1);
        assert_int_equal(low, most[widths[w]]);
        assert_int_equal(high, most[widths[w]]);
    }
}

static void test_codes__are_counted_beside_what_was_counted_before(void **unused)
{
    for (size_t w = 0; w < 3; w++)
        for (uint32_t n = 0; n < 12; n++) {
            const uint32_t code[] = {2, 2, 2, 0, 2, 3, 3, 0, 0, 2, 2};
            uint32_t packed[11], count[] = {5, 6, 7, 8}, expected[] = {5, 6, 7, 8};

            covey_i_codes_pack(packed, widths[w], code, 11);
            for (uint32_t i = 0; i < n; i++)
                expected[code[i]]++;
            covey_i_codes_count(count, packed, widths[w], n);
            assert_memory_equal(count, expected, sizeof count);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes__packed_codes_are_those_that_were_put),
        cmocka_unit_test(test_codes__are_fetched_by_row),
        cmocka_unit_test(test_codes__are_mapped_from_any_width_to_any),
        cmocka_unit_test(test_codes__have_a_smallest_and_a_largest),
        cmocka_unit_test(test_codes__are_counted_beside_what_was_counted_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
