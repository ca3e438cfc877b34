/* Groups of rows with several sensitive values each: rows with the same values are as likely to come to each other's
 * groups as to their own, whatever the order they stand in, so that nothing speaks for one of them. */
#include "test.h"

#include <string.h>

#include "method/slicing/several_groups.h"
#include "table/table_impl.h"

enum { N_ATTRIBUTES = 2, MOST_ROWS = 8, MOST_PARTITIONS = 4096, ROUNDS = 200000 };

/* Values of each row: of both attributes; those with the same ones stand next to each other. */
struct block {
    uint32_t n, l;
    uint8_t code[N_ATTRIBUTES][MOST_ROWS];
};

static const struct block blocks[] = {
    {6, 2, {{0, 0, 1, 1, 2, 2}, {0, 0, 1, 1, 2, 2}}},
    {8, 2, {{0, 0, 0, 1, 1, 1, 2, 3}, {0, 0, 0, 1, 1, 1, 2, 2}}},
    {7, 3, {{0, 0, 1, 1, 2, 2, 3}, {0, 0, 1, 1, 2, 2, 3}}},
};

/* The first row of each row's group. */
typedef struct partition {
    uint8_t first[MOST_ROWS];
} partition;

struct seen {
    uint32_t n, count[MOST_PARTITIONS];
    partition partition[MOST_PARTITIONS];
};

static uint32_t number_of(struct seen *seen, const partition *p)
{
    uint32_t i = 0;

    while (i < seen->n && memcmp(&seen->partition[i], p, sizeof *p) != 0)
        i++;
    assert_true(i < MOST_PARTITIONS);
    if (i == seen->n) {
        seen->partition[i] = *p;
        seen->count[i] = 0;
        seen->n++;
    }
    return i;
}

static void count_partition(struct seen *seen, const uint32_t *row, const uint8_t *begins, uint32_t n)
{
    partition p = {{0}};

    for (uint32_t i = 0, end; i < n; i = end) {
        uint32_t least = row[i];

        for (end = i + 1; end < n && !begins[end]; end++)
            least = row[end] < least ? row[end] : least;
        for (uint32_t k = i; k < end; k++)
            p.first[row[k]] = (uint8_t)least;
    }
    seen->count[number_of(seen, &p)]++;
}

static bool are_alike(const struct block *b, uint32_t x, uint32_t y)
{
    return b->code[0][x] == b->code[0][y] && b->code[1][x] == b->code[1][y];
}

static partition exchanged(const partition *p, uint32_t x, uint32_t y, uint32_t n)
{
    partition q = *p, out = {{0}};

    q.first[x] = p->first[y];
    q.first[y] = p->first[x];
    for (uint32_t r = 0; r < n; r++) {
        uint32_t first = 0;

        while (q.first[first] != q.first[r])
            first++;
        out.first[r] = (uint8_t)first;
    }
    return out;
}

/* Partitions that exchanges of rows with the same values make of each other have come as often, but for chance. */
static void check_alike(struct seen *seen, const struct block *b)
{
    static uint32_t queue[MOST_PARTITIONS];
    static bool done[MOST_PARTITIONS];
    uint32_t n_compared = 0;
    double chi2 = 0;

    memset(done, 0, sizeof done);
    for (uint32_t begin = 0; begin < seen->n; begin++) {
        uint32_t n = 0;
        double expected = 0;

        if (done[begin])
            continue;
        queue[n++] = begin;
        done[begin] = true;
        for (uint32_t at = 0; at < n; at++)
            for (uint32_t x = 0; x < b->n; x++)
                for (uint32_t y = x + 1; y < b->n && are_alike(b, x, y); y++) {
                    const partition p = exchanged(&seen->partition[queue[at]], x, y, b->n);
                    const uint32_t number = number_of(seen, &p);

                    if (!done[number])
                        queue[n++] = number;
                    done[number] = true;
                }
        for (uint32_t i = 0; i < n; i++)
            expected += (double)seen->count[queue[i]] / n;
        for (uint32_t i = 0; i < n && expected >= 20; i++)
            chi2 += (seen->count[queue[i]] - expected) * (seen->count[queue[i]] - expected) / expected;
        n_compared += expected >= 20 ? n - 1 : 0;
    }
    assert_true(n_compared > 5);
    if (chi2 > n_compared + 6 * __builtin_sqrt(2.0 * n_compared)) /* six standard deviations */
        fail_msg("partitions that are as likely as each other came %.0f standard deviations apart",
                 (chi2 - n_compared) / __builtin_sqrt(2.0 * n_compared));
}

/* How often there were as many groups as can be. */
static uint32_t count_full(const struct seen *seen, const struct block *b)
{
    uint32_t n_full = 0;

    for (uint32_t i = 0; i < seen->n; i++) {
        uint32_t n_groups = 0;

        for (uint32_t r = 0; r < b->n; r++)
            n_groups += seen->partition[i].first[r] == r;
        n_full += n_groups == b->n / b->l ? seen->count[i] : 0;
    }
    return n_full;
}

static void rows_with_the_same_values_are_as_likely_in_each_place(void **state)
{
    static struct seen seen;
    static const unsigned char key[32] = {9};
    covey_rng rng;

    covey_i_rng_init(&rng, key, 1);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const struct block *b = &blocks[k];
        uint32_t set[MOST_ROWS] = {0}, pair[N_ATTRIBUTES][MOST_ROWS], row[MOST_ROWS], out[MOST_ROWS];
        covey_column column[N_ATTRIBUTES];
        covey_field field[N_ATTRIBUTES];
        const covey_problem problem = {.n_rows = b->n, .n_fields = N_ATTRIBUTES, .field = field};
        covey_slicing slicing[N_ATTRIBUTES];
        covey_slicing_several_groups *groups;
        covey_arena arena = COVEY_ARENA_INIT;
        uint8_t begins[MOST_ROWS];

        for (size_t f = 0; f < N_ATTRIBUTES; f++) {
            column[f] = (covey_column){.n_values = MOST_ROWS, .width = 1, .codes = (void *)b->code[f]};
            field[f] = (covey_field){.column = &column[f], .role = COVEY_ROLE_SENSITIVE};
            for (uint32_t r = 0; r < b->n; r++)
                pair[f][r] = b->code[f][r];
            slicing[f] = (covey_slicing){.problem = &problem,
                                         .l = {b->l, 1},
                                         .sensitive = f,
                                         .set = set,
                                         .pair = pair[f],
                                         .n_sets = 1,
                                         .n_pairs = MOST_ROWS};
        }
        slicing[0].n_others = 1;
        slicing[0].other = &slicing[1];
        seen.n = 0;
        assert_int_equal(covey_i_slicing_several_groups_new(&groups, &slicing[0], &arena, NULL), COVEY_OK);
        for (int round = 0; round < ROUNDS; round++) {
            for (uint32_t r = 0; r < b->n; r++)
                row[r] = r;
            assert_int_equal(covey_i_slicing_several_groups_part(groups, &rng, out, begins, row, b->n, NULL), COVEY_OK);
            count_partition(&seen, out, begins, b->n);
        }
        check_alike(&seen, b);
        assert_true(count_full(&seen, b) > ROUNDS / 10 * 7); /* 67 % of the first block's in the order they stand in */
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_with_the_same_values_are_as_likely_in_each_place)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
