/* m-invariance over random sequences of releases of a table in which people come, go and return: classes of different
 * values, everybody's the same each time; whatever the order of rows and the number of threads. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "release/made_up.h"
#include "support/problem/moving_table.h"

enum { N_SEQUENCES = 60, N_RELEASES = 5 };

static covey_status run_method(covey_release **out, problem_maker *m, int n_threads, covey_error *err)
{
    const covey_method *method = covey_method_find("m-invariance");
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = 11};
    void *params = maker_method_params(m, method, "");

    *out = NULL;
    assert_int_equal(method->accepts(&m->problem.promises, params, err), COVEY_OK);
    return method->run(out, &m->problem, params, &run, err);
}

static uint32_t n_values_of(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

/* Every class: at least least rows, its range attained by somebody's rows alone. */
static void check_classes(const covey_release *release, const problem_maker *m, uint32_t n_own, uint32_t least)
{
    const covey_problem *problem = covey_i_release_problem(release, &m->problem);

    for (uint32_t c = 0; c < release->n_classes; c++) {
        uint32_t n_real = 0;

        if (n_values_of(moving_values_of(release, problem, c)) < least)
            fail_msg("class %u has fewer than %u values", c, least);
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            n_real += release->row_order[i] < n_own;
        if (n_real == 0)
            fail_msg("all rows of class %u are made up", c);
        for (size_t a = 0; a < problem->n_axes; a++) {
            uint32_t low = UINT32_MAX, high = 0;

            for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
                const uint32_t code = covey_column_code(problem->axis[a].column, release->row_order[i]);

                if (release->row_order[i] >= n_own)
                    continue;
                low = code < low ? code : low;
                high = code > high ? code : high;
            }
            assert_int_equal(release->low[c * problem->n_axes + a], low);
            assert_int_equal(release->high[c * problem->n_axes + a], high);
        }
    }
}

/* The same problem with rows in another order, on more threads, is published the same. */
static void check_independence(const char *published, covey_status status, const moving_table *t,
                               const char *const (*promise)[2], int64_t max_suppressed, uint64_t seed)
{
    uint32_t order[MOVING_MOST_PEOPLE];
    covey_release *release;
    problem_maker m;

    for (uint32_t i = 0; i < t->n_rows; i++)
        order[i] = i;
    for (uint32_t i = t->n_rows; i > 1; i--) {
        const uint32_t j = maker_below(&seed, i), other = order[i - 1];

        order[i - 1] = order[j];
        order[j] = other;
    }
    moving_problem(&m, t, order, promise);
    m.problem.max_suppressed = max_suppressed;
    assert_int_equal(run_method(&release, &m, 3, NULL), status);
    if (status == COVEY_OK) {
        char *again = maker_published(release, covey_i_release_problem(release, &m.problem));

        assert_string_equal(again, published);
        free(again);
    }
    covey_release_free(release);
    maker_clear(&m);
}

/* Can the new rows be put into classes by themselves?  Then there is a release. */
static bool are_eligible(const moving_table *t, uint32_t m)
{
    uint32_t count[MOVING_MOST_VALUES] = {0}, n = 0, largest = 0;

    for (uint32_t i = 0; i < t->n_rows; i++) {
        const moving_person *p = &t->person[t->row[i]];

        if (p->signature && n_values_of(p->signature) < m)
            return false;
        if (p->signature)
            continue;
        n++;
        if (++count[p->value] > largest)
            largest = count[p->value];
    }
    return largest * m <= n;
}

struct tried {
    int n_releases, n_infeasible, n_made_up, n_suppressed;
};

static void check_release(struct tried *tried, moving_table *t, const char *const (*promise)[2], uint32_t least,
                          int64_t max_suppressed)
{
    covey_release *release;
    covey_error err = {0};
    char *published = NULL;
    problem_maker m;
    covey_status status;

    moving_problem(&m, t, NULL, promise);
    m.problem.max_suppressed = max_suppressed;
    status = run_method(&release, &m, 1, &err);
    if (status == COVEY_OK) {
        const covey_problem *problem = covey_i_release_problem(release, &m.problem);

        check_classes(release, &m, t->n_rows, least);
        published = maker_published(release, problem);
        tried->n_made_up += (int)covey_i_release_n_made_up(release);
        tried->n_suppressed += (int)(release->n_rows - release->n_published);
    } else if (status != COVEY_EINFEASIBLE || are_eligible(t, least)) {
        fail_msg("%s", err.message);
    }
    check_independence(published, status, t, promise, max_suppressed, t->random);
    if (status == COVEY_OK)
        moving_publish(t, release, covey_i_release_problem(release, &m.problem));
    tried->n_releases += status == COVEY_OK;
    tried->n_infeasible += status != COVEY_OK;
    free(published);
    covey_release_free(release);
    maker_clear(&m);
}

static void everybody_keeps_a_signature_of_m_values(void **state)
{
    static const char *const cases[][4][2] = {
        {{"m-invariance", "m=2"}, {NULL}},
        {{"m-invariance", "m=3"}, {NULL}},
        {{"m-invariance", "m=2"}, {"k-anonymity", "k=4"}, {NULL}},
        {{"m-invariance", "m=2"}, {"distinct-l-diversity", "l=3"}, {"probabilistic-l-diversity", "l=5/2"}, {NULL}},
    };
    static const uint32_t least[] = {2, 3, 4, 3};
    struct tried tried = {0};

    for (int i = 0; i < test_share(N_SEQUENCES); i++) {
        static moving_table t;
        const size_t c = (size_t)i % (sizeof cases / sizeof *cases);

        moving_begin(&t, (uint64_t)i + 1, MOVING_AXES, 4 + (uint32_t)i % 9);
        moving_change(&t, i % 3 ? 20 + (uint32_t)i : 8, 0, 0);
        for (int r = 0; r < N_RELEASES; r++) {
            check_release(&tried, &t, cases[c], least[c], i % 2 ? t.n_rows / 8 : 0);
            moving_change(&t, maker_below(&t.random, 30), maker_below(&t.random, 1 + t.n_rows / 2),
                          maker_below(&t.random, 6));
            if (t.n_rows == 0)
                break;
        }
    }
    if (!test_is_enough(tried.n_releases > 100 && tried.n_infeasible > 10 && tried.n_made_up > 100 &&
                        tried.n_suppressed > 10))
        fail_msg("%d releases, %d infeasible, %d rows made up, %d suppressed: too few to say anything",
                 tried.n_releases, tried.n_infeasible, tried.n_made_up, tried.n_suppressed);
}

/* The nearest m that a refusal names can be kept; one more cannot. */
static void the_m_that_a_refusal_names_can_be_kept(void **state)
{
    int n_refused = 0;

    for (uint32_t i = 0; i < 200; i++) {
        static moving_table t;
        const char *const five[][2] = {{"m-invariance", "m=5"}, {NULL}};
        char text[16];
        const char *const again[][2] = {{"m-invariance", text}, {NULL}};
        covey_release *release;
        covey_error err = {0};
        problem_maker m;
        const char *named;

        moving_begin(&t, 1000 + i, MOVING_AXES, 6);
        moving_change(&t, 6 + i % 40, 0, 0);
        moving_problem(&m, &t, NULL, five);
        if (run_method(&release, &m, 1, &err) == COVEY_EINFEASIBLE && (named = strstr(err.nearest, "\"m\""))) {
            const int nearest = (int)strtol(named + strcspn(named, "0123456789"), NULL, 10);

            for (int k = nearest; k <= nearest + 1; k++) {
                covey_release *other;
                problem_maker n;

                snprintf(text, sizeof text, "m=%d", k);
                moving_problem(&n, &t, NULL, again);
                assert_int_equal(run_method(&other, &n, 1, NULL), k == nearest ? COVEY_OK : COVEY_EINFEASIBLE);
                covey_release_free(other);
                maker_clear(&n);
            }
            n_refused++;
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(n_refused > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_keeps_a_signature_of_m_values),
        cmocka_unit_test(the_m_that_a_refusal_names_can_be_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
