#include "test.h"

#include <string.h>

#include "base/rng.h"

static void start(covey_rng *rng)
{
    static const unsigned char key[32] = {7};

    covey_i_rng_init(rng, key, 3);
}

static void words_come_in_the_same_order_one_by_one_and_many_at_once(void **unused)
{
    static const size_t some[] = {1, 511, 2, 0, 700, 1024, 5};
    uint64_t words[1024];
    covey_rng one, many;

    start(&one);
    start(&many);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        covey_i_rng_words(&many, words, some[i]);
        for (size_t k = 0; k < some[i]; k++)
            assert_true(words[k] == covey_i_rng_word(&one));
    }
}

/* All short numbers there are: each value comes equally often without more words, and the others ask for more. */
static void short_numbers_favour_no_value(void **unused)
{
    static const uint32_t n_values[] = {1, 2, 3, 7, 50, 64, 1000, 40000, 65535, 65536, 65537, 1000000};
    static uint32_t seen[1 << COVEY_RNG_SHORT];
    covey_rng rng;

    start(&rng);
    covey_i_rng_word(&rng);
    for (size_t i = 0; i < sizeof n_values / sizeof *n_values; i++) {
        const uint32_t n = n_values[i], unfair = covey_i_rng_unfair(n), all = (uint32_t)1 << COVEY_RNG_SHORT;
        uint32_t n_more = 0;

        memset(seen, 0, sizeof seen);
        for (uint32_t bits = 0; bits < all; bits++) {
            const size_t next = rng.next;
            const uint64_t block = rng.block;
            const uint32_t value = covey_i_rng_below_short(&rng, bits, n, unfair);

            assert_true(value < n);
            if (rng.next == next && rng.block == block)
                seen[value]++;
            else
                n_more++;
        }
        for (uint32_t v = 0; v < n && v < all; v++)
            assert_int_equal(seen[v], n <= all ? all / n : 0);
        assert_int_equal(n_more, n <= all ? all % n : all);
    }
}

/* A word's numbers are the digits of its place among as many equal parts of all words as there are sequences; what is
 * left over at the ends of parts is drawn again. */
static void expect_digits(const uint32_t *drawn, size_t n_drawn, uint32_t n, uint32_t step, covey_rng *words,
                          unsigned *n_again)
{
    uint64_t sequences = 1, word, fair;

    for (size_t i = 0; i < n_drawn; i++)
        sequences *= n - step * (uint32_t)i;
    fair = (uint64_t)(((unsigned __int128)1 << 64) % sequences);
    while ((uint64_t)(word = covey_i_rng_word(words)) * sequences < fair)
        ++*n_again;
    word = (uint64_t)((unsigned __int128)word * sequences >> 64);
    for (size_t i = n_drawn; i-- > 0; word /= n - step * (uint32_t)i)
        assert_int_equal(drawn[i], word % (n - step * (uint32_t)i));
}

static void many_numbers_from_a_word_favour_no_sequence(void **unused)
{
    static const uint32_t n_values[] = {1, 2, 3, 20, 255, 65535, 65536, 65537, 1000003, UINT32_MAX, 65303};
    uint32_t drawn[3];
    unsigned n_again = 0;
    covey_rng rng, words;

    start(&rng);
    start(&words);
    for (size_t i = 0; i < sizeof n_values / sizeof *n_values; i++) {
        const uint32_t n = n_values[i];
        const size_t n_of_word = n > 65536 ? n > 1 << 24 ? 1 : 2 : 3;

        for (int round = 0; round < (n == 65303 ? 400000 : 10000); round++) {
            const size_t some = 1 + (size_t)round % 3 < n_of_word ? 1 + (size_t)round % 3 : n_of_word;

            covey_i_rng_below_each(&rng, drawn, some, n);
            expect_digits(drawn, some, n, 0, &words, &n_again);
            if (n <= some)
                continue;
            covey_i_rng_below_falling(&rng, drawn, some, n);
            expect_digits(drawn, some, n, 1, &words, &n_again);
        }
    }
    assert_true(n_again > 0); /* a word in 66,000 of the last, where three numbers are drawn */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_in_the_same_order_one_by_one_and_many_at_once),
        cmocka_unit_test(short_numbers_favour_no_value),
        cmocka_unit_test(many_numbers_from_a_word_favour_no_sequence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
