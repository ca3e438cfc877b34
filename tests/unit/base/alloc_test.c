#include "test.h"

#include <string.h>

#include "base/alloc.h"

enum { LARGE_PAGE = 1 << 21 };

/* Every byte can be written, and it goes back where it came from: the sanitizers watch both. */
static void fill_and_free(size_t n, size_t size)
{
    unsigned char *array = covey_i_array_full(n, size);

    assert_non_null(array);
    if (n * size > 0) {
        memset(array, 0xA5, n * size);
        assert_int_equal(array[0], 0xA5);
        assert_int_equal(array[n * size - 1], 0xA5);
    }
    covey_i_free(array);
}

static void test_alloc__full_arrays_of_any_size(void **state)
{
    static const size_t sizes[] = {
        0, 1, 4096, LARGE_PAGE / 4 * 3 - 1, LARGE_PAGE / 4 * 3, LARGE_PAGE, LARGE_PAGE + 1, 3 * LARGE_PAGE};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill_and_free(sizes[i], 1);
        fill_and_free(sizes[i] / 8, 8);
    }
    fill_and_free(0, 16);
    fill_and_free(16, 0);
}

static void test_alloc__large_full_arrays_begin_with_a_large_page(void **state)
{
    for (size_t bytes = LARGE_PAGE / 4 * 3; bytes < 3 * LARGE_PAGE; bytes += LARGE_PAGE / 2 + 7) {
        void *array = covey_i_array_full(bytes, 1);

        assert_non_null(array);
        assert_int_equal((uintptr_t)array % LARGE_PAGE, 0);
        covey_i_free(array);
    }
}

/* Sizes that overflow, that overflow when they are rounded up to pages, and that no system has.  Volatile: a compiler
 * complains of what it can see. */
static void test_alloc__full_arrays_that_cannot_be(void **state)
{
    static volatile const size_t sizes[][2] = {{SIZE_MAX, 2},
                                               {SIZE_MAX / 2 + 1, 2},
                                               {SIZE_MAX, SIZE_MAX},
                                               {SIZE_MAX, 1},
                                               {SIZE_MAX - LARGE_PAGE + 1, 1},
                                               {SIZE_MAX - LARGE_PAGE, 1},
                                               {SIZE_MAX / 8, 8},
                                               {SIZE_MAX / 2, 1}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_null(covey_i_array_full(sizes[i][0], sizes[i][1]));
}

static void test_alloc__full_arrays_fail_when_they_shall(void **state)
{
    static const size_t sizes[] = {0, 100, LARGE_PAGE, 5 * LARGE_PAGE};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *first;

        covey_i_alloc_fail_at(2);
        first = covey_i_array_full(sizes[i], 1);
        assert_non_null(first);
        assert_null(covey_i_array_full(sizes[i], 1)); /* one request each, whatever their size */
        assert_null(covey_i_array_full(sizes[i], 1)); /* and all after it */
        covey_i_alloc_fail_at(0);
        covey_i_free(first);
        fill_and_free(sizes[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc__full_arrays_of_any_size),
        cmocka_unit_test(test_alloc__large_full_arrays_begin_with_a_large_page),
        cmocka_unit_test(test_alloc__full_arrays_that_cannot_be),
        cmocka_unit_test(test_alloc__full_arrays_fail_when_they_shall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
