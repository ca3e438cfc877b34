/* Bounds on loss against the best of all releases of tiny random tables: every partition into classes is looked at, by
 * code of its own, for every model that judges classes, every kind of axis, with and without suppression. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "bound/bound.h"
#include "hierarchy/hierarchy_impl.h"
#include "method/units/units.h"
#include "support/problem/problem_maker.h"

enum { CASES = 2400, MOST_ROWS = 9, TABLES = 8, ROWS = 48 };

static const struct {
    const char *model, *params;
    bool sensitive;
} wishes[] = {
    {"k-anonymity", "k=2", false},
    {"k-anonymity", "k=3", false},
    {"k-anonymity", "k=1", false},
    {"distinct-l-diversity", "l=2", true},
    {"distinct-l-diversity", "l=3", true},
    {"probabilistic-l-diversity", "l=2", true},
    {"probabilistic-l-diversity", "l=5/2", true},
    {"entropy-l-diversity", "l=2", true},
    {"recursive-cl-diversity", "c=2,l=2", true},
    {"alpha-k-anonymity", "alpha=1/2,k=2", true},
    {"p-sensitive-k-anonymity", "p=2,k=3", true},
    {"t-closeness", "t=0.4,distance=equal", true},
    {"t-closeness", "t=0.2,distance=ordered", true},
    {"delta-disclosure", "delta=1.2", true},
    {"basic-beta-likeness", "beta=1", true},
    {"basic-beta-likeness", "beta=3", true},
    {"enhanced-beta-likeness", "beta=2", true},
};
enum { WISHES = sizeof wishes / sizeof *wishes };

/* A table of few rows, most of them near each other. */
struct tiny {
    problem_maker m;
    uint32_t code[4][MOST_ROWS];
    uint32_t sensitive[MOST_ROWS];
};

static void add_axis(struct tiny *t, size_t a, uint32_t n_rows, uint64_t *random)
{
    static const int64_t numbers[] = {0, 1, 3, 4, 9, 15, 40, 41, 90};
    static const char *const names[] = {"a", "b", "c", "d"};
    const uint32_t n_values = 1 + maker_below(random, 9);
    const bool has_null = maker_below(random, 3) == 0;

    for (uint32_t i = 0; i < n_rows; i++)
        t->code[a][i] = maker_below(random, 1 + maker_below(random, n_values));
    switch (maker_below(random, 4)) {
    case 0:
        maker_add_flat(&t->m, names[a], t->code[a], n_values, has_null);
        break;
    case 1:
        maker_add_tree(&t->m, names[a], t->code[a], n_values < 2 ? 2 : n_values, has_null,
                       2 + (int)maker_below(random, 2));
        break;
    default:
        maker_add_range(&t->m, names[a], t->code[a], n_values, has_null, numbers);
        break;
    }
}

static bool make(struct tiny *t, uint64_t *random)
{
    const uint32_t n_rows = 1 + maker_below(random, MOST_ROWS), n_axes = maker_below(random, 4),
                   n_values = 1 + maker_below(random, 4);
    const size_t n_promises = 1 + maker_below(random, 2);
    int view;

    maker_init(&t->m, n_rows);
    for (uint32_t a = 0; a < n_axes; a++)
        add_axis(t, a, n_rows, random);
    for (uint32_t i = 0; i < n_rows; i++)
        t->sensitive[i] = maker_below(random, 1 + maker_below(random, n_values));
    view = maker_add_sensitive(&t->m, "s", t->sensitive, n_values);
    for (size_t p = 0; p < n_promises; p++) {
        const size_t w = maker_below(random, WISHES);

        maker_promise(&t->m, wishes[w].model, wishes[w].params, wishes[w].sensitive ? view : -1);
    }
    if (maker_finish(&t->m, NULL) != COVEY_OK)
        return false;
    t->m.problem.max_suppressed = maker_below(random, 2) ? 0 : maker_below(random, n_rows + 1);
    return true;
}

/* What a class of these rows loses for each of them; INFINITY: it breaks a promise. */
static double class_loss(const covey_problem *problem, uint32_t rows, covey_tally *tally)
{
    double sum = 0;

    covey_i_tally_clear(tally);
    for (uint32_t i = 0; i < problem->n_rows; i++)
        if (rows >> i & 1)
            covey_i_tally_add(tally, &problem->promises, i);
    if (!covey_i_promises_admit(&problem->promises, tally))
        return INFINITY;
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];
        uint32_t low = UINT32_MAX, high = 0;

        for (uint32_t i = 0; i < problem->n_rows; i++) {
            const uint32_t code = covey_column_code(axis->column, i);

            if (!(rows >> i & 1))
                continue;
            low = code < low ? code : low;
            high = code > high ? code : high;
        }
        sum += (double)covey_i_axis_loss(axis, low, high) / (double)axis->loss_den * covey_ratio_value(axis->weight);
    }
    return sum;
}

/* The least average loss of all releases; INFINITY: there is none. */
static double best_of_all(const covey_problem *problem)
{
    static double loss[1 << MOST_ROWS], best[1 << MOST_ROWS];
    const uint32_t all = (1u << problem->n_rows) - 1;
    const bool prior = (covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR) != 0;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_tally tally;
    double least = INFINITY;

    assert_int_equal(covey_i_tally_new(&tally, &problem->promises, &arena, NULL), COVEY_OK);
    best[0] = 0;
    for (uint32_t set = 1; set <= all; set++) {
        const uint32_t first = set & -set;

        loss[set] = class_loss(problem, set, &tally);
        best[set] = INFINITY;
        for (uint32_t part = set; part; part = (part - 1) & set)
            if (part & first)
                best[set] = fmin(best[set], loss[part] * __builtin_popcount(part) + best[set & ~part]);
    }
    for (uint32_t gone = 0; gone < all; gone++) /* something is published */
        if (__builtin_popcount(gone) <= problem->max_suppressed && (!prior || !gone || isfinite(loss[gone])))
            least = fmin(least, best[all & ~gone] + __builtin_popcount(gone));
    covey_arena_free(&arena);
    return least / problem->n_rows;
}

static covey_loss_bound bound_of(const covey_problem *problem, double seconds)
{
    covey_loss_bound bound;
    covey_error err;

    if (covey_i_bound_loss(&bound, problem, seconds, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return bound;
}

static void no_release_of_a_tiny_table_loses_less(void **state)
{
    uint64_t random = test_seed(20190405);
    int n_feasible = 0, n_equal = 0;
    double sum = 0, of = 0;

    for (int i = 0; i < test_share(CASES); i++) {
        struct tiny t;
        double best;

        if (make(&t, &random) && isfinite(best = best_of_all(&t.m.problem))) {
            const covey_loss_bound bound = bound_of(&t.m.problem, 1e9),
                                   hurried = bound_of(&t.m.problem, maker_below(&random, 100) * 1e-6);

            if (bound.value > best + 1e-12 || hurried.value > best + 1e-12 || !bound.is_complete)
                fail_msg("case %d: bound %.17g, hurried %.17g, best %.17g", i, bound.value, hurried.value, best);
            n_feasible++;
            n_equal += bound.value > best - 1e-9;
            sum += bound.value;
            of += best;
        }
        maker_clear(&t.m);
    }
    print_message("%d cases: %d bounds are the best, all bounds %.3f of the best\n", n_feasible, n_equal, sum / of);
    assert_true(test_is_enough(n_feasible > CASES / 3));
    assert_true(n_equal > n_feasible / 4); /* a bound of nothing would be a bound, too */
    assert_true(sum > of / 2);
}

/* Three quasi-identifiers of each kind, rows in crowds. */
static void make_larger(problem_maker *m, uint64_t *random)
{
    uint32_t code[4][ROWS];
    const size_t w = maker_below(random, WISHES);
    int view;

    for (uint32_t i = 0; i < ROWS; i++)
        for (size_t a = 0; a < 4; a++)
            code[a][i] = maker_below(random, 1 + maker_below(random, a == 3 ? 6 : 16));
    maker_init(m, ROWS);
    maker_add_range(m, "a", code[0], 16, maker_below(random, 2), NULL);
    maker_add_tree(m, "b", code[1], 16, false, 2 + (int)maker_below(random, 3));
    if (maker_below(random, 2))
        maker_add_flat(m, "c", code[2], 16, false);
    else
        maker_add_range(m, "c", code[2], 16, maker_below(random, 2), NULL);
    view = maker_add_sensitive(m, "s", code[3], 6);
    maker_promise(m, "k-anonymity", "k=4", -1);
    maker_promise(m, wishes[w].model, wishes[w].params, wishes[w].sensitive ? view : -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    m->problem.max_suppressed = maker_below(random, 3) * 8;
}

static double loss_of(const covey_release *release, const covey_problem *problem)
{
    double sum = problem->n_rows - release->n_published;

    for (uint32_t c = 0; c < release->n_classes; c++)
        for (size_t a = 0; a < problem->n_axes; a++) {
            const covey_axis *axis = &problem->axis[a];
            const int64_t loss =
                covey_i_axis_loss(axis, release->low[c * problem->n_axes + a], release->high[c * problem->n_axes + a]);

            sum += (release->class_start[c + 1] - release->class_start[c]) * covey_ratio_value(axis->weight) *
                   (double)loss / (double)axis->loss_den;
        }
    return sum / problem->n_rows;
}

/* Returns whether there is a release. */
static bool judge_method(const covey_method *method, problem_maker *m, double bound)
{
    void *params = maker_method_params(m, method, "");
    covey_release *release = NULL;

    if (method->accepts(&m->problem.promises, params, NULL) != COVEY_OK ||
        covey_i_units_run_method(&release, &m->problem, method, params, NULL, NULL) != COVEY_OK)
        return false;
    if (bound > loss_of(release, &m->problem) + 1e-12)
        fail_msg("%s loses %.17g, no more than %.17g is said to be possible", method->name,
                 loss_of(release, &m->problem), bound);
    covey_release_free(release);
    return true;
}

static void no_method_loses_less(void **state)
{
    uint64_t random = test_seed(20190406);
    int n_releases = 0;

    for (int i = 0; i < test_share(TABLES); i++) {
        problem_maker m;
        double bound;

        make_larger(&m, &random);
        bound = bound_of(&m.problem, 1e9).value;
        for (size_t k = 0; k < covey_method_count(); k++)
            if (strcmp(covey_method_at(k)->form, "generalized") == 0)
                n_releases += judge_method(covey_method_at(k), &m, bound);
        maker_clear(&m);
    }
    assert_true(test_is_enough(n_releases > TABLES));
}

/* Numbers in pairs a unit apart, pairs far from each other: classes of two lose 1/100 and no less. */
static void pairs_that_are_far_apart_are_bounded_exactly(void **state)
{
    static const uint32_t code[] = {0, 1, 2, 3, 4, 5};
    static const int64_t number[] = {0, 1, 50, 51, 99, 100};
    problem_maker m;

    maker_init(&m, 6);
    maker_add_range(&m, "a", code, 6, false, number);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_true(fabs(bound_of(&m.problem, 1e9).value - 0.01) < 1e-9);
    maker_clear(&m);
}

/* Five of a kind and one apart: it has to take one of the five along, for whom that is as dear. */
static void a_row_apart_pays_for_the_row_that_it_needs(void **state)
{
    static const uint32_t code[] = {0, 0, 0, 0, 0, 1};
    problem_maker m;

    maker_init(&m, 6);
    maker_add_flat(&m, "a", code, 2, false);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_true(fabs(bound_of(&m.problem, 1e9).value - 2.0 / 6) < 1e-9);
    m.problem.max_suppressed = 1;
    assert_true(fabs(bound_of(&m.problem, 1e9).value - 1.0 / 6) < 1e-9);
    maker_clear(&m);
}

/* Three rare rows need a frequent one each, and only two of these are near: one more would save them much, so that
 * those pay less than nothing, and the rare ones what the third one's class loses. */
static void rows_that_rare_ones_lack_pay_less_than_nothing(void **state)
{
    static const uint32_t code[] = {0, 0, 0, 1, 1, 2, 2, 2, 2}, value[] = {1, 1, 1, 0, 0, 0, 0, 0, 0};
    static const int64_t number[] = {0, 10, 100};
    problem_maker m;
    double bound;

    maker_init(&m, 9);
    maker_add_range(&m, "a", code, 3, false, number);
    maker_promise(&m, "basic-beta-likeness", "beta=1/2", maker_add_sensitive(&m, "s", value, 2));
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    bound = bound_of(&m.problem, 1e9).value;
    assert_true(bound <= 2.4 / 9 + 1e-12); /* two pairs at 0 and 10, one at 0 and 100 */
    assert_true(bound > 2.3 / 9);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_release_of_a_tiny_table_loses_less),
        cmocka_unit_test(no_method_loses_less),
        cmocka_unit_test(pairs_that_are_far_apart_are_bounded_exactly),
        cmocka_unit_test(rows_that_rare_ones_lack_pay_less_than_nothing),
        cmocka_unit_test(a_row_apart_pays_for_the_row_that_it_needs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
