/* Anatomy's groups, by hand: the worked examples of [XiaoTao06], and what always holds. */
#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"
#include "support/problem/problem_maker.h"
#include "base/alloc.h"
#include "method/anatomy/anatomy.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 400, OC = 2, PC = 3, FLU = 0, HD = 1 };

/* Table 1.4; values in byte order: Flu, HD, OC, PC. */
static const uint32_t disease[] = {OC, OC, PC, FLU, HD, HD, HD, FLU, FLU};

struct grouped {
    covey_arena arena;
    covey_column *column;
    covey_anatomy groups;
    uint32_t group_of_row[MOST_ROWS];
};

static void group(struct grouped *g, const uint32_t *code, uint32_t n, uint32_t n_values, uint32_t l, covey_rng *rng)
{
    covey_label label[MOST_ROWS];
    char name[MOST_ROWS][16];
    uint32_t rows[MOST_ROWS];
    void *codes;

    *g = (struct grouped){.arena = COVEY_ARENA_INIT};
    for (uint32_t v = 0; v < n_values; v++) {
        snprintf(name[v], sizeof name[v], "v%05u", v);
        label[v] = (covey_label){name[v], 6};
    }
    assert_non_null(codes = covey_i_array(n, (size_t)covey_i_table_code_width(n_values)));
    for (uint32_t i = 0; i < n; i++) {
        rows[i] = i;
        if (covey_i_table_code_width(n_values) == 1)
            ((uint8_t *)codes)[i] = (uint8_t)code[i];
        else
            ((uint16_t *)codes)[i] = (uint16_t)code[i];
    }
    assert_int_equal(
        covey_i_column_new(&g->column, "s", COVEY_TYPE_TEXT, n, n_values, false, 0, label, NULL, codes, NULL),
        COVEY_OK);
    assert_int_equal(covey_i_anatomy_start(&g->groups, g->column, l, g->group_of_row, n, &g->arena, NULL), COVEY_OK);
    covey_i_anatomy_group(&g->groups, rows, n, rng);
}

static void clear(struct grouped *g)
{
    covey_i_column_free(g->column);
    covey_arena_free(&g->arena);
}

static void assert_groups(uint32_t l, const uint32_t *expected, uint32_t n_groups, uint32_t n_residues)
{
    struct grouped g;

    group(&g, disease, 9, 4, l, NULL);
    assert_int_equal(g.groups.n_groups, n_groups);
    assert_int_equal(g.groups.n_residues, n_residues);
    assert_memory_equal(g.group_of_row, expected, 9 * sizeof *expected);
    clear(&g);
}

static void the_examples_of_the_source_come_out(void **state)
{
    /* l = 3: {4,5,1}, {8,6,2}, {9,7,3}; l = 2: {4,5,3}, {8,6}, {1,9}, {7,2}, row 3 being the rest */
    assert_groups(3, (const uint32_t[]){0, 1, 2, 0, 0, 1, 2, 1, 2}, 3, 0);
    assert_groups(2, (const uint32_t[]){2, 3, 0, 0, 0, 1, 3, 1, 2}, 4, 1);
    assert_groups(1, (const uint32_t[]){4, 7, 8, 0, 1, 3, 6, 2, 5}, 9, 0);
}

static void five_and_five_and_one_leave_one_over(void **state)
{
    static const uint32_t code[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2};
    struct grouped g;

    group(&g, code, 11, 3, 2, NULL);
    assert_int_equal(g.groups.n_groups, 5);
    assert_int_equal(g.groups.n_residues, 1);
    clear(&g);
}

static void what_would_have_to_go_is_counted(void **state)
{
    assert_int_equal(covey_i_anatomy_excess((const int64_t[]){3, 3, 2, 1}, 4, 3), 0);
    assert_int_equal(covey_i_anatomy_excess((const int64_t[]){3, 3, 2, 1}, 4, 4),
                     5); /* one of each stays: two of each would need 2, 2, 2, 1 >= 8 */
    assert_int_equal(covey_i_anatomy_excess((const int64_t[]){2, 1}, 2, 2), 1);
    assert_int_equal(covey_i_anatomy_excess((const int64_t[]){7}, 1, 2), INT64_MAX);
    assert_int_equal(covey_i_anatomy_excess((const int64_t[]){10, 4, 3}, 3, 2), 3);
    assert_int_equal(covey_i_anatomy_excess((const int64_t[]){0, 5, 0, 5}, 4, 2), 0);
}

/* Groups of l to 2l - 1 rows with different values, floor(n/l) of them, n mod l rows of the rest; whatever chance says.
 */
static void check_facts(const struct grouped *g, const uint32_t *code, uint32_t n, uint32_t l)
{
    static uint8_t seen[MOST_ROWS][MOST_ROWS];
    uint32_t size[MOST_ROWS] = {0};

    memset(seen, 0, sizeof seen);
    assert_int_equal(g->groups.n_groups, n / l);
    assert_int_equal(g->groups.n_residues, n % l);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(g->group_of_row[i] < n / l);
        assert_int_equal(seen[g->group_of_row[i]][code[i]]++, 0);
        size[g->group_of_row[i]]++;
    }
    for (uint32_t j = 0; j < n / l; j++)
        assert_true(size[j] >= l && size[j] < 2 * l);
}

/* Lists of all rows give the groups that rows give, and the values that go with them. */
static void check_lists(const struct grouped *g, const uint32_t *code, uint32_t n, uint32_t n_values, uint32_t l,
                        covey_rng *rng)
{
    const uint64_t stride = 7;
    int64_t count[MOST_ROWS] = {0};
    uint64_t row[MOST_ROWS];
    covey_members members;
    uint32_t at = 0, n_residues;

    for (uint32_t v = 0; v < n_values; v++)
        for (uint32_t i = 0; i < n; i++)
            if (code[i] == v) {
                row[at++] = (v * stride + i % stride) << 32 | i;
                count[v]++;
            }
    assert_int_equal(covey_i_anatomy_group_lists(&members, &n_residues, g->column, l, row, stride, count, rng, NULL),
                     COVEY_OK);
    assert_int_equal(members.n, n);
    assert_int_equal(members.n_groups, g->groups.n_groups);
    assert_int_equal(n_residues, g->groups.n_residues);
    assert_int_equal(members.start[members.n_groups], n);
    for (uint32_t j = 0; j < members.n_groups; j++)
        for (uint32_t i = members.start[j]; i < members.start[j + 1]; i++) {
            const uint32_t own = (uint32_t)members.row[i];

            assert_int_equal(g->group_of_row[own], j);
            assert_int_equal(covey_i_members_content(&members, i), own % stride);
            assert_int_equal(covey_i_members_code(&members, g->column->width, i), code[own]);
        }
    covey_i_members_clear(&members);
}

static void the_facts_hold_for_random_tables(void **state)
{
    static const unsigned char key[32] = "a key of the tests";
    uint64_t random = 1;
    int n_done = 0;

    for (uint64_t i = 0; i < 600; i++) {
        uint32_t n = 1 + maker_below(&random, MOST_ROWS / 2), n_values = 1 + maker_below(&random, 12),
                 l = 1 + maker_below(&random, 5);
        uint32_t code[MOST_ROWS], count[MOST_ROWS] = {0}, most = 0;
        struct grouped g;
        covey_rng rng;

        for (uint32_t j = 0; j < n; j++) {
            code[j] = maker_below(&random, 1 + maker_below(&random, n_values));
            most = ++count[code[j]] > most ? count[code[j]] : most;
        }
        if (most * l > n)
            continue;
        covey_i_rng_init(&rng, key, i);
        group(&g, code, n, n_values, l, i % 4 ? &rng : NULL);
        check_facts(&g, code, n, l);
        covey_i_rng_init(&rng, key, i);
        check_lists(&g, code, n, n_values, l, i % 4 ? &rng : NULL);
        clear(&g);
        n_done++;
    }
    assert_true(n_done > 100);
}

/* Two values of equal length, one group left to make: either row of the longer lists comes first equally often. */
static void ties_are_left_to_chance(void **state)
{
    static const unsigned char key[32] = "another key of the tests";
    static const uint32_t code[] = {0, 0, 1, 1, 2, 2};
    uint32_t together[6][6] = {{0}};

    for (uint64_t i = 0; i < 3000; i++) {
        struct grouped g;
        covey_rng rng;

        covey_i_rng_init(&rng, key, i);
        group(&g, code, 6, 3, 2, &rng);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < a; b++)
                together[a][b] += g.group_of_row[a] == g.group_of_row[b];
        clear(&g);
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < a; b++)
            if (code[a] == code[b])
                assert_int_equal(together[a][b], 0);
            else /* each row has one partner of four */
                assert_in_range(together[a][b], 650, 850);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_source_come_out),
        cmocka_unit_test(five_and_five_and_one_leave_one_over),
        cmocka_unit_test(what_would_have_to_go_is_counted),
        cmocka_unit_test(the_facts_hold_for_random_tables),
        cmocka_unit_test(ties_are_left_to_chance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
