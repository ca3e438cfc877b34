/* What is published as regions (publish-boxes: cut) says nothing of rows that were suppressed: no region ends with a
 * value that only those have, and no set lists one. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "table/table_impl.h"

enum { N_TABLES = 300, MOST_ROWS = 16, N_AXES = 3, N_VALUES = 6 };

/* A table of few rows, half of them with the same sensitive value, so that some have to go. */
static void make_table(problem_maker *m, uint64_t number)
{
    uint64_t random = number;
    const uint32_t n = 6 + maker_below(&random, MOST_ROWS - 5);
    uint32_t code[N_AXES][MOST_ROWS], sensitive[MOST_ROWS];
    char l[16];

    maker_init(m, n);
    for (uint32_t i = 0; i < n; i++) {
        for (size_t a = 0; a < N_AXES; a++)
            code[a][i] = maker_below(&random, N_VALUES);
        sensitive[i] = maker_below(&random, 5) < 3 ? 0 : maker_below(&random, 3);
    }
    maker_add_range(m, "x", code[0], N_VALUES, false, NULL);
    maker_add_flat(m, "city", code[1], N_VALUES, false);
    maker_add_tree(m, "zip", code[2], N_VALUES, false, 2);
    snprintf(l, sizeof l, "l=%d", 2 + (int)maker_below(&random, 2));
    maker_promise(m, "probabilistic-l-diversity", l, maker_add_sensitive(m, "s", sensitive, 3));
    maker_promise(m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    m->problem.max_suppressed = n - 2;
}

static bool is_published(const covey_release *release, const covey_column *column, uint32_t code)
{
    for (uint32_t i = 0; i < release->n_published; i++)
        if (covey_i_code(column, release->row_order[i]) == code)
            return true;
    return false;
}

/* Returns whether rows were suppressed. */
static bool check(const covey_method *method, uint64_t number)
{
    problem_maker m;
    covey_release *release = NULL;
    bool any;

    make_table(&m, number);
    if (method->run(&release, &m.problem, maker_method_params(&m, method, "publish-boxes=cut"), NULL, NULL) !=
        COVEY_OK) {
        maker_clear(&m);
        return false;
    }
    any = release->n_published < release->n_rows;
    for (uint32_t c = 0; any && c < release->n_classes; c++)
        for (size_t a = 0; a < N_AXES; a++) {
            const covey_axis *axis = &m.problem.axis[a];
            const uint32_t low = release->low[c * N_AXES + a], high = release->high[c * N_AXES + a];

            if (axis->kind == COVEY_AXIS_TREE)
                continue;
            if (!is_published(release, axis->column, low) || !is_published(release, axis->column, high))
                fail_msg("%s, table %llu: class %u ends with a value of suppressed rows in column %zu", method->name,
                         (unsigned long long)number, c, a);
            for (uint32_t v = low; v <= high; v++)
                if (covey_i_code_may_show(&release->shown, a, v) != is_published(release, axis->column, v))
                    fail_msg("%s, table %llu: column %zu names the wrong values", method->name,
                             (unsigned long long)number, a);
        }
    covey_release_free(release);
    maker_clear(&m);
    return any;
}

static void regions_end_with_published_values(void **state)
{
    static const char *const methods[] = {"mondrian", "elastic", "peel", "optimal-partition", "full-domain"};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        int n_suppressed = 0;

        for (uint64_t number = 0; number < N_TABLES; number++)
            n_suppressed += check(covey_method_find(methods[i]), number);
        if (n_suppressed < N_TABLES / 4)
            fail_msg("%s suppressed rows of %d tables only", methods[i], n_suppressed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(regions_end_with_published_values)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
