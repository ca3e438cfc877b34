/* Slicing with generalized columns: every piece of them is frequent, and what every sliced release owes is kept. */
#include "test.h"

#include "support/release/sliced_check.h"
#include "support/release/sliced_table.h"
#include "release/sliced/sliced.h"
#include "table/table_impl.h"

enum { ROUNDS = 400 };

/* Lines of a slice with the same piece as one of them. */
static uint32_t count_alike(const covey_release *release, size_t s, uint32_t line)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = 0; i < release->n_published; i++)
        n += covey_i_sliced_piece(data, s, i) == covey_i_sliced_piece(data, s, line);
    return n;
}

/* Every cell covers the values that it stands for, and no two of them overlap. */
static void check_cells(const covey_release *release, const covey_problem *problem)
{
    for (size_t f = 0; f < problem->n_fields; f++) {
        const covey_recoded *recoded = covey_i_release_recoded(release, &problem->field[f]);
        uint32_t n_rows = 0;

        for (uint32_t r = 0; recoded && r < problem->n_rows; r++) {
            const uint32_t code = covey_i_code(problem->field[f].column, r), group = covey_i_code(recoded->column, r);

            if (recoded->group_of_code[code] == UINT32_MAX) /* its rows were suppressed */
                continue;
            assert_in_range(code, recoded->low[group], recoded->high[group]);
            assert_int_equal(recoded->group_of_code[code], group);
            assert_true(covey_column_label_size(recoded->column, group) > 0);
            assert_true(recoded->n_rows[group] > 0);
        }
        for (uint32_t g = 0; recoded && g < recoded->column->n_values; g++)
            n_rows += recoded->n_rows[g];
        assert_true(!recoded || n_rows == release->n_published);
        for (uint32_t g = 1; recoded && g < recoded->column->n_values; g++)
            for (uint32_t h = 0; h < g; h++)
                assert_true(recoded->low[g] > recoded->high[g] || recoded->low[h] > recoded->high[h] ||
                            recoded->low[g] > recoded->high[h]);
    }
}

/* Can every piece of the table be so frequent if all quasi-identifiers of its columns show nothing?  Then some levels
 * do. */
static bool is_possible(const sliced_table *t, uint32_t k)
{
    uint32_t count[SLICED_MOST_VALUES] = {0};

    for (uint32_t r = 0; r < t->n; r++)
        count[t->code[t->n_dims][r]]++;
    for (uint32_t v = 0; v < SLICED_MOST_VALUES; v++)
        if (count[v] > 0 && count[v] < k)
            return false;
    return t->n >= k;
}

static void generalized_columns_have_frequent_pieces_only(void **state)
{
    static const char *const columns[] = {NULL, "[[a, b], [b, s]]", "[[a, b], [b, c], [c, s]]"};
    static char one[1 << 16], two[1 << 16];
    unsigned n_made = 0, n_recoded = 0, n_suppressed = 0;
    uint64_t seed = 67;

    for (int round = 0; round < 2 * ROUNDS; round++) {
        const uint32_t which = round % 5 < 3 ? 0 : round % 5 - 2, k = 2 + maker_below(&seed, 4);
        covey_release *release = NULL, *again = NULL;
        problem_maker m, shuffled;
        uint32_t order[SLICED_MOST_ROWS];
        covey_status status;
        char params[96];
        sliced_table t;

        do
            sliced_random(&t, &seed);
        while (which > 0 && t.n_dims != which + 1);
        for (uint32_t r = 0; r < t.n; r++) { /* few sensitive values, or they are too rare */
            order[r] = t.n - 1 - r;
            t.code[t.n_dims][r] %= 2;
        }
        snprintf(params, sizeof params, "column-k=%u%s%s", k,
                 which == 0 && *sliced_options[(size_t)round % 10] ? "," : "",
                 which == 0 ? sliced_options[(size_t)round % 10] : "");
        sliced_make(&m, &t, "1.25", NULL);
        sliced_make(&shuffled, &t, "1.25", order);
        m.problem.max_suppressed = shuffled.problem.max_suppressed = round % 3 == 2 ? t.n / 4 : 0;
        status = sliced_solve(&release, &m, params, columns[which], 1, 7);
        assert_int_equal(sliced_solve(&again, &shuffled, params, columns[which], 2, 7), status);
        if (!is_possible(&t, k) && round % 3 < 2)
            assert_int_equal(status, COVEY_EINFEASIBLE);
        if (status == COVEY_OK) {
            const covey_sliced *data = release->form_data;
            covey_problem shown[2] = {m.problem, shuffled.problem};
            covey_field field[2][SLICED_MOST_DIMS + 1];

            for (int i = 0; i < 2; i++) {
                const covey_release *made = i ? again : release;

                for (size_t f = 0; f < m.problem.n_fields; f++) {
                    field[i][f] = shown[i].field[f];
                    field[i][f].column = covey_i_release_shown(made, &shown[i].field[f]);
                    n_recoded += field[i][f].column != shown[i].field[f].column;
                }
                shown[i].field = field[i];
            }
            n_made++;
            assert_true(release->n_published + m.problem.max_suppressed >= t.n);
            n_suppressed += release->n_published < t.n;
            check_cells(release, &m.problem);
            sliced_check_structure(release, &shown[0]);
            sliced_check_posteriors(release, &shown[0], t.n_dims, 1.25);
            for (size_t s = 0; s < data->n_slices; s++)
                for (uint32_t r = 0; r < release->n_published; r++)
                    assert_true(count_alike(release, s, r) >= k);
            sliced_print(one, sizeof one, release, &shown[0]);
            sliced_print(two, sizeof two, again, &shown[1]);
            assert_string_equal(one, two);
        }
        covey_release_free(release);
        covey_release_free(again);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    if (n_made < 200 || n_recoded < 200 || n_suppressed < 50)
        fail_msg("%u made, %u attributes recoded, %u with suppressed rows", n_made, n_recoded, n_suppressed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generalized_columns_have_frequent_pieces_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
