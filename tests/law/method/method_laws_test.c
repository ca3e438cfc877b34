/* What every method that publishes classes owes, whatever the table and the promises: every class keeps them, every row
 * is in one class or suppressed, and neither the order of the input's rows nor the number of threads shows. */
#include "test.h"

#include <string.h>

#include "examples/examples.h"
#include "support/problem/random_problem.h"
#include "table/table_impl.h"

enum { N_PROBLEMS = 150, MOST_ROWS = 500 };

static char what[1024]; /* is being tested, for messages */

#define require(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: not %s", what, #condition);                                                                  \
    } while (0)

static covey_status run_method(covey_release **out, const covey_method *method, problem_maker *m, const void *params,
                               int n_threads, covey_error *err)
{
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = 7};

    *out = NULL;
    m->problem.promises.min_size =
        ((const covey_class_params *)params)->min_size > 1 ? ((const covey_class_params *)params)->min_size : 1;
    return method->run(out, &m->problem, params, &run, err);
}

/* Does a published row have the value?  Of suppressed ones nothing may show, not even as the end of a region.  A table
 * without suppressed rows may name values of its domain that no row has. */
static bool is_published(const covey_release *release, const covey_problem *problem, size_t a, uint32_t code)
{
    for (uint32_t i = 0; i < release->n_published; i++)
        if (covey_i_code(problem->axis[a].column, release->row_order[i]) == code)
            return true;
    return release->n_published == release->n_rows;
}

/* Do the classes hold each published row once, with exact ranges, and nothing else? */
static void check_structure(const covey_release *release, const covey_problem *problem)
{
    const size_t d = problem->n_axes;
    bool seen[MOST_ROWS] = {false};

    require(release->n_rows == problem->n_rows);
    require(release->n_published + problem->max_suppressed >= problem->n_rows);
    require(release->class_start[0] == 0);
    require(release->class_start[release->n_classes] == release->n_published);
    for (uint32_t c = 0; c < release->n_classes; c++) {
        require(release->class_start[c] < release->class_start[c + 1]);
        for (size_t a = 0; a < d; a++) {
            uint32_t low = UINT32_MAX, high = 0;

            for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
                const uint32_t code = covey_i_code(problem->axis[a].column, release->row_order[i]);

                low = code < low ? code : low;
                high = code > high ? code : high;
            }
            if (release->has_regions) {
                require(release->low[c * d + a] <= low && high <= release->high[c * d + a] &&
                        release->high[c * d + a] < problem->axis[a].n_values);
                require(problem->axis[a].kind == COVEY_AXIS_TREE ||
                        (is_published(release, problem, a, release->low[c * d + a]) &&
                         is_published(release, problem, a, release->high[c * d + a])));
            } else {
                require(release->low[c * d + a] == low && release->high[c * d + a] == high);
            }
        }
    }
    for (uint32_t i = 0; i < release->n_published; i++) {
        require(release->row_order[i] < problem->n_rows && !seen[release->row_order[i]]);
        seen[release->row_order[i]] = true;
    }
}

static void check_promises(const covey_release *release, problem_maker *m)
{
    const covey_promises *promises = &m->problem.promises;
    covey_tally tally, gone;
    bool seen[MOST_ROWS] = {false};

    assert_int_equal(covey_i_tally_new(&tally, promises, &m->arena, NULL), COVEY_OK);
    assert_int_equal(covey_i_tally_new(&gone, promises, &m->arena, NULL), COVEY_OK);
    for (uint32_t c = 0; c < release->n_classes; c++) {
        covey_i_release_tally(&tally, release, &m->problem, c);
        require(covey_i_promises_admit(promises, &tally));
    }
    for (uint32_t i = 0; i < release->n_published; i++)
        seen[release->row_order[i]] = true;
    for (uint32_t row = 0; row < m->problem.n_rows; row++)
        if (!seen[row])
            covey_i_tally_add(&gone, promises, row);
    if (gone.size > 0 &&
        covey_i_promises_any_traits(promises) & COVEY_MODEL_PRIOR) { /* they follow from the prior by subtraction */
        const int broken = covey_i_promises_broken(promises, &gone);

        require(broken < 0 || (size_t)broken == promises->n);
    }
}

static void check_objective(const covey_release *release, const covey_problem *problem)
{
    const size_t d = problem->n_axes;
    covey_i128 numerator[MAKER_MOST_COLUMNS] = {0};

    for (uint32_t c = 0; c < release->n_classes; c++)
        for (size_t a = 0; a < d; a++)
            numerator[a] +=
                (covey_i128)covey_i_axis_loss(&problem->axis[a], release->low[c * d + a], release->high[c * d + a]) *
                (release->class_start[c + 1] - release->class_start[c]);
    if (strcmp(release->objective.name, "ail") == 0)
        require(release->objective.value ==
                covey_i_problem_ail(problem, numerator, problem->n_rows - release->n_published));
}

/* Could the whole table be published as one class? */
static bool whole_is_admitted(problem_maker *m)
{
    covey_tally tally;

    assert_int_equal(covey_i_tally_new(&tally, &m->problem.promises, &m->arena, NULL), COVEY_OK);
    for (uint32_t row = 0; row < m->problem.n_rows; row++)
        covey_i_tally_add(&tally, &m->problem.promises, row);
    return covey_i_promises_admit(&m->problem.promises, &tally);
}

/* The same problem with its rows in another order, on more threads, must be published the same. */
static void check_independence(const char *published, covey_status status, const covey_method *method, uint64_t number)
{
    uint32_t order[MOST_ROWS];
    problem_maker m;
    covey_release *release;
    char text[256], *again;

    maker_shuffle(order, random_problem_rows(number), &(uint64_t){number});
    random_problem(&m, number, order);
    require(run_method(&release, method, &m, random_method_params(&m, method, number, text, sizeof text), 3, NULL) ==
            status);
    if (status == COVEY_OK) {
        again = maker_published(release, &m.problem);
        require(strcmp(again, published) == 0);
        free(again);
    }
    covey_release_free(release);
    maker_clear(&m);
}

/* Returns whether the method took the problem. */
static bool check(const covey_method *method, uint64_t number)
{
    problem_maker m;
    covey_release *release;
    covey_error err = {0};
    char text[256], *published = NULL;
    covey_status status;
    void *params;

    random_problem(&m, number, NULL);
    params = random_method_params(&m, method, number, text, sizeof text);
    snprintf(what, sizeof what, "%s{%s} on problem %llu (%s)", method->name, text, (unsigned long long)number,
             random_problem_text(&m));
    if (method->accepts(&m.problem.promises, params, &err) != COVEY_OK) {
        require(err.message[0] != '\0');
        maker_clear(&m);
        return false;
    }
    status = run_method(&release, method, &m, params, 1, &err);
    if (status != COVEY_OK) {
        require(status == COVEY_EINFEASIBLE && !release && !whole_is_admitted(&m));
    } else {
        check_structure(release, &m.problem);
        require(release->has_regions == (((const covey_class_params *)params)->publish_boxes == 1));
        check_promises(release, &m);
        check_objective(release, &m.problem);
        published = maker_published(release, &m.problem);
    }
    check_independence(published, status, method, number);
    free(published);
    covey_release_free(release);
    maker_clear(&m);
    return true;
}

static void check_problems(const covey_method *method)
{
    const uint64_t n_problems = (uint64_t)test_share(N_PROBLEMS);
    int n_taken = 0;

    for (uint64_t number = 0; number < n_problems; number++)
        n_taken += check(method, number);
    if (!test_is_enough(n_taken >= N_PROBLEMS / 20))
        fail_msg("%s took %d of %d problems: too few to say anything", method->name, n_taken, N_PROBLEMS);
}

static void every_class_keeps_every_promise_in_any_order_on_any_number_of_threads(void **state)
{
    for (size_t i = 0; i < covey_method_count(); i++)
        if (strcmp(covey_method_at(i)->form, "generalized") == 0 &&
            strcmp(covey_method_name(covey_method_at(i)), "m-invariance") != 0) /* m_invariance_law_test.c */
            check_problems(covey_method_at(i));
}

static void the_example_of_how_to_add_a_method_owes_the_same(void **state)
{
    check_problems(&covey_method_in_order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_keeps_every_promise_in_any_order_on_any_number_of_threads),
        cmocka_unit_test(the_example_of_how_to_add_a_method_owes_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
