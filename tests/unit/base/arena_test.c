/* Arenas: what is given back is taken again, and what an arena keeps is kept for it alone. */
#include "test.h"

#include <string.h>

#include "base/arena.h"

static void fill(covey_arena *arena, size_t n, int byte)
{
    unsigned char *p = covey_arena_array(arena, unsigned char, n);

    assert_non_null(p);
    memset(p, byte, n);
}

static void test_rewind__leaves_what_was_before(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    char *first = covey_arena_strdup(&arena, "first");

    for (int i = 0; i < 50; i++) {
        const covey_arena_mark mark = covey_arena_save(&arena);

        fill(&arena, (size_t)1 << (i % 20), i);
        covey_arena_rewind(&arena, mark);
        assert_string_equal(first, "first");
    }
    covey_arena_free(&arena);
    assert_null(arena.block);
    assert_null(arena.spare);
}

/* Blocks that a loop keeps are clean where it asks for that, and none of them is handed out twice at a time. */
static void test_keeps__gives_each_block_to_one_at_a_time(void **state)
{
    covey_arena arena = {.keeps = true};

    for (int round = 0; round < 5; round++) {
        const covey_arena_mark mark = covey_arena_save(&arena);
        unsigned char *part[40];

        for (size_t i = 0; i < 40; i++) {
            const size_t n = (i * 37 + (size_t)round * 11) % 40 * 50000 + 1;

            assert_non_null(part[i] = covey_arena_array_zero(&arena, unsigned char, n));
            assert_int_equal(part[i][0] | part[i][n - 1], 0);
            memset(part[i], (int)i + 1, n);
        }
        for (size_t i = 0; i < 40; i++) {
            const size_t n = (i * 37 + (size_t)round * 11) % 40 * 50000 + 1;

            for (size_t k = 0; k < n; k++)
                if (part[i][k] != i + 1)
                    fail_msg("round %d: byte %zu of part %zu was overwritten", round, k, i);
        }
        covey_arena_rewind(&arena, mark);
        assert_null(arena.block);
    }
    covey_arena_free(&arena);
    assert_null(arena.spare);
    fill(&arena, 10, 1); /* it can be used again */
    covey_arena_free(&arena);
}

#ifndef COVEY_ARENA_MALLOCS
static void test_keeps__hands_out_the_same_block_again(void **state)
{
    covey_arena arena = {.keeps = true};
    unsigned char *first = NULL;

    for (int round = 0; round < 5; round++) {
        const covey_arena_mark mark = covey_arena_save(&arena);
        unsigned char *part = covey_arena_array(&arena, unsigned char, 300000);

        assert_non_null(part);
        first = round == 0 ? part : first;
        assert_ptr_equal(part, first);
        covey_arena_rewind(&arena, mark);
    }
    covey_arena_free(&arena);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rewind__leaves_what_was_before),
        cmocka_unit_test(test_keeps__gives_each_block_to_one_at_a_time),
#ifndef COVEY_ARENA_MALLOCS
        cmocka_unit_test(test_keeps__hands_out_the_same_block_again),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
