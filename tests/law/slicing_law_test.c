/* What every sliced release owes: nothing of a row is lost or added, nothing tells how pieces go together, and nobody's sensitive value
 * follows with a probability above 1/l -- found by putting pieces together in every way, by code that shares nothing with the method. */
#include "../test.h"

#include <string.h>

#include "../support/problem_maker.h"
#include "method/method_impl.h"
#include "release/sliced.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 24, MOST_VALUES = 4, ROUNDS = 400, MOST_DIMS = 3 };

typedef struct table {
    uint32_t n, n_dims;
    uint32_t code[MOST_DIMS + 1][MOST_ROWS]; /* the last one is sensitive */
} table;

static void random_table(table *t, uint64_t *seed)
{
    t->n = 1 + maker_below(seed, MOST_ROWS);
    t->n_dims = 1 + maker_below(seed, MOST_DIMS);
    for (uint32_t d = 0; d <= t->n_dims; d++)
        for (uint32_t r = 0; r < t->n; r++)
            t->code[d][r] = maker_below(seed, MOST_VALUES);
}

static void make(problem_maker *m, const table *t, const char *l, const uint32_t *order)
{
    static const char *const name[] = {"a", "b", "c"};
    char params[32];
    covey_error err;

    maker_init(m, t->n);
    m->order = order;
    for (uint32_t d = 0; d < t->n_dims; d++)
        if (d == 1)
            maker_add_flat(m, name[d], t->code[d], MOST_VALUES, false);
        else
            maker_add_range(m, name[d], t->code[d], MOST_VALUES, false, NULL);
    snprintf(params, sizeof params, "l=%s", l);
    maker_promise(m, "sliced-l-diversity", params, maker_add_sensitive(m, "s", t->code[t->n_dims], MOST_VALUES));
    assert_int_equal(maker_finish(m, &err), COVEY_OK);
}

/* --- what an observer concludes --- */

/* Rows of a line range whose values on the slice's fields are those of the tuple; fields beyond `only` do not count. */
static uint32_t count_lines(const covey_release *release, const covey_problem *problem, size_t s, uint32_t b, const uint32_t *tuple, bool with_sensitive)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
        bool same = true;

        for (size_t f = 0; f < data->slice[s].n_fields && same; f++) {
            const size_t field = data->slice[s].field[f];

            if (with_sensitive || problem->field[field].role != COVEY_ROLE_SENSITIVE)
                same = covey_i_code(problem->field[field].column, data->row[s][i]) == tuple[field];
        }
        n += same;
    }
    return n;
}

/* Rows of a bucket with the tuple's values on the fields that two slices share. */
static uint32_t count_shared(const covey_release *release, const covey_problem *problem, uint32_t b, const uint32_t *tuple, size_t s, size_t other)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
        bool same = true;

        for (size_t f = 0; f < data->slice[s].n_fields && same; f++)
            for (size_t g = 0; g < data->slice[other].n_fields; g++)
                if (data->slice[s].field[f] == data->slice[other].field[g])
                    same = same && covey_i_code(problem->field[data->slice[s].field[f]].column, data->row[s][i]) == tuple[data->slice[s].field[f]];
        n += same;
    }
    return n;
}

/* Expected number of rows of bucket b that are the tuple; slices beyond the second share attributes with the one before at most, so that the tree
 * is a path in these tests. */
static long double expected(const covey_release *release, const covey_problem *problem, uint32_t b, const uint32_t *tuple)
{
    const covey_sliced *data = release->form_data;
    long double e = 1;

    for (size_t s = 0; s < data->n_slices; s++) {
        e *= count_lines(release, problem, s, b, tuple, true);
        if (s > 0 && e > 0)
            e /= count_shared(release, problem, b, tuple, s, s - 1);
    }
    return e;
}

static void check_posteriors(const covey_release *release, const covey_problem *problem, uint32_t n_dims, double l)
{
    uint32_t tuple[MOST_DIMS + 1] = {0}, n = 1;

    for (uint32_t d = 0; d < n_dims; d++)
        n *= MOST_VALUES;
    for (uint32_t q = 0; q < n; q++) {
        long double sum = 0, most = 0;

        for (uint32_t d = 0, rest = q; d < n_dims; d++, rest /= MOST_VALUES)
            tuple[d] = rest % MOST_VALUES;
        for (uint32_t v = 0; v < MOST_VALUES; v++) {
            long double e = 0;

            tuple[n_dims] = v;
            for (uint32_t b = 0; b < release->n_classes; b++)
                e += expected(release, problem, b, tuple);
            sum += e;
            most = e > most ? e : most;
        }
        assert_true(sum == 0 || most / sum <= 1 / l + 1e-12);
    }
}

/* --- structure --- */

/* In every bucket all slices are about the same rows, sorted by content, so that they say nothing about each other. */
static void check_structure(const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    uint32_t seen[MOST_ROWS] = {0};

    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++)
            for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
                int order = 0;

                if (s == 0)
                    seen[data->row[s][i]] = b + 1;
                assert_int_equal(seen[data->row[s][i]], b + 1);
                for (size_t f = 0; i > release->class_start[b] && f < data->slice[s].n_fields && order == 0; f++) {
                    const covey_column *column = problem->field[data->slice[s].field[f]].column;

                    order = (int)covey_i_code(column, data->row[s][i - 1]) - (int)covey_i_code(column, data->row[s][i]);
                }
                assert_true(order <= 0);
            }
    assert_int_equal(data->slice[data->n_slices - 1].field[data->slice[data->n_slices - 1].n_fields - 1], problem->n_fields - 1);
}

static const char *const options[] = {
    "", "anatomize=false", "cut=relaxed", "cut=relaxed,anatomize=false", "one-per-column=true", "buckets=random,bucket-size=5",
    "buckets=random,bucket-size=3,one-per-column=true", "first-dimension-only=true", "sensitive-size=1", "number-of-columns=3",
};

/* columns: NULL for found ones. */
static covey_status solve(covey_release **out, problem_maker *m, const char *params, const char *columns, int n_threads, uint64_t seed)
{
    const covey_method *method = covey_method_find("slicing");
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = seed};
    void *made = maker_method_params(m, method, params);
    covey_error err;
    size_t n;
    const covey_param *list = covey_method_params(method, &n);

    *out = NULL;
    if (columns)
        assert_int_equal(covey_param_set(made, list, n, "slicing", "columns", columns, &err), COVEY_OK);
    return method->run(out, &m->problem, made, &run, &err);
}

/* The columns' lines as text. */
static void print(char *out, size_t size, const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    size_t used = 0;

    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++)
            for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
                used += (size_t)snprintf(out + used, size - used, "\n%zu:%u", s, b);
                for (size_t f = 0; f < data->slice[s].n_fields; f++)
                    used += (size_t)snprintf(out + used, size - used, ",%u",
                                             covey_i_code(problem->field[data->slice[s].field[f]].column, data->row[s][i]));
            }
}

static void no_value_follows_with_more_than_one_in_l(void **state)
{
    static const char *const ls[] = {"1", "1.5", "2", "5/2", "3"};
    static const double l_value[] = {1, 1.5, 2, 2.5, 3};
    static char one[1 << 16], two[1 << 16];
    uint64_t seed = 11;
    unsigned n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const char *params = options[round % (sizeof options / sizeof *options)];
        const uint32_t which = maker_below(&seed, 5);
        uint32_t order[MOST_ROWS];
        covey_release *release, *again;
        problem_maker m, shuffled;
        table t;

        random_table(&t, &seed);
        for (uint32_t i = 0; i < t.n; i++)
            order[i] = t.n - 1 - i;
        make(&m, &t, ls[which], NULL);
        make(&shuffled, &t, ls[which], order);
        if (solve(&release, &m, params, NULL, 1, 7) == COVEY_OK) {
            n_made++;
            check_structure(release, &m.problem);
            check_posteriors(release, &m.problem, t.n_dims, l_value[which]);
            assert_int_equal(solve(&again, &shuffled, params, NULL, 2, 7), COVEY_OK);
            print(one, sizeof one, release, &m.problem);
            print(two, sizeof two, again, &shuffled.problem);
            assert_string_equal(one, two); /* neither order of rows nor threads show */
            covey_release_free(again);
        }
        covey_release_free(release);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    assert_true(n_made > ROUNDS / 4);
}

static void overlapping_columns_are_joined_where_copies_agree(void **state)
{
    static const char *const columns[] = {"[[a, b], [b, s]]", "[[a, b], [b, c], [c, s]]", "[[a, b, c], [b, c, s]]"};
    uint64_t seed = 23;
    unsigned n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t which = round % 3;
        covey_release *release;
        problem_maker m;
        table t;

        do
            random_table(&t, &seed);
        while (t.n_dims != (which == 0 ? 2 : 3));
        if (round % 2) /* else hardly any is feasible */
            for (uint32_t r = 0; r < t.n; r++)
                t.code[1][r] = t.code[t.n_dims - 1][r] = 0;
        make(&m, &t, "1.5", NULL);
        if (solve(&release, &m, "", columns[which], 1, 7) == COVEY_OK) {
            n_made++;
            check_structure(release, &m.problem);
            check_posteriors(release, &m.problem, t.n_dims, 1.5);
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(n_made > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_follows_with_more_than_one_in_l),
        cmocka_unit_test(overlapping_columns_are_joined_where_copies_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
