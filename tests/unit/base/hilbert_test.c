#include "test.h"

#include "base/sort/hilbert.h"

static covey_u128 key_of(const uint16_t *point, size_t n_axes, int n_bits)
{
    uint16_t copy[128], *axes[128];
    covey_u128 key;

    for (size_t a = 0; a < n_axes; a++) {
        copy[a] = point[a];
        axes[a] = &copy[a];
    }
    covey_i_hilbert_keys(&key, axes, n_axes, n_bits, 1);
    return key;
}

static void the_curve_of_two_dimensions_and_two_bits_is_the_published_one(void **state)
{
    static const char *const order[] = {"00", "10", "11", "01", "02", "03", "13", "12",
                                        "22", "23", "33", "32", "31", "21", "20", "30"};

    for (size_t i = 0; i < 16; i++) {
        const uint16_t point[2] = {(uint16_t)(order[i][0] - '0'), (uint16_t)(order[i][1] - '0')};

        assert_int_equal((uint64_t)key_of(point, 2, 2), i);
    }
}

static void the_curve_of_three_dimensions_and_one_bit_is_the_published_one(void **state)
{
    static const char *const order[] = {"000", "001", "011", "010", "110", "111", "101", "100"};

    for (size_t i = 0; i < 8; i++) {
        const uint16_t point[3] = {(uint16_t)(order[i][0] - '0'), (uint16_t)(order[i][1] - '0'),
                                   (uint16_t)(order[i][2] - '0')};

        assert_int_equal((uint64_t)key_of(point, 3, 1), i);
    }
}

/* Every key below the number of cells occurs once, and the next cell on the curve is a neighbour in space. */
static void check_curve(size_t n_axes, int n_bits)
{
    const size_t n = (size_t)1 << (n_axes * (size_t)n_bits);
    uint16_t *given[8], *used[8];
    covey_u128 *key = malloc(n * sizeof *key);
    size_t *cell_at = malloc(n * sizeof *cell_at);

    for (size_t a = 0; a < n_axes; a++) {
        given[a] = malloc(n * sizeof **given);
        used[a] = malloc(n * sizeof **used);
        for (size_t i = 0; i < n; i++)
            used[a][i] = given[a][i] = (uint16_t)(i >> (a * (size_t)n_bits) & ((1u << n_bits) - 1));
    }
    covey_i_hilbert_keys(key, used, n_axes, n_bits, n);
    for (size_t i = 0; i < n; i++)
        cell_at[i] = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        assert_true(key[i] < n);
        assert_true(cell_at[(size_t)key[i]] == SIZE_MAX);
        cell_at[(size_t)key[i]] = i;
    }
    for (size_t k = 1; k < n; k++) {
        int distance = 0;

        for (size_t a = 0; a < n_axes; a++)
            distance += abs((int)given[a][cell_at[k]] - (int)given[a][cell_at[k - 1]]);
        assert_int_equal(distance, 1);
    }
    for (size_t a = 0; a < n_axes; a++) {
        free(given[a]);
        free(used[a]);
    }
    free(cell_at);
    free(key);
}

static void every_step_on_the_curve_leads_to_a_neighbour(void **state)
{
    check_curve(1, 5);
    check_curve(2, 1);
    check_curve(2, 5);
    check_curve(3, 4);
    check_curve(4, 3);
    check_curve(5, 2);
}

static void keys_may_have_128_bits(void **state)
{
    uint16_t point[128] = {0};

    assert_true(key_of(point, 8, 16) == 0);
    point[0] = 0xffff; /* in any dimension the curve ends on the far end of its first axis */
    assert_true(key_of(point, 8, 16) == ~(covey_u128)0);
    assert_true(key_of(point, 5, 16) == ((covey_u128)1 << 80) - 1);
    point[0] = 1;
    assert_true(key_of(point, 128, 1) == ~(covey_u128)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_of_two_dimensions_and_two_bits_is_the_published_one),
        cmocka_unit_test(the_curve_of_three_dimensions_and_one_bit_is_the_published_one),
        cmocka_unit_test(every_step_on_the_curve_leads_to_a_neighbour),
        cmocka_unit_test(keys_may_have_128_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
