/* What every method owes that publishes groups in two tables, whatever the table: every group keeps the promises, every
 * row is in one group or suppressed, groups are counted right and numbered by what is published, and neither the order
 * of the input's rows nor the number of threads shows. */
#include "test.h"

#include <string.h>

#include "support/problem/random_problem.h"
#include "release/bucketized/bucketized.h"
#include "table/table_impl.h"

enum { N_PROBLEMS = 150, MOST_ROWS = 500 };

/* What such methods can keep. */
static const char *const promise[][2][2] = {
    {{"probabilistic-l-diversity", "l=2"}, {NULL, NULL}},
    {{"probabilistic-l-diversity", "l=3/2"}, {"distinct-l-diversity", "l=3"}},
    {{"distinct-l-diversity", "l=1"}, {NULL, NULL}},
    {{"probabilistic-l-diversity", "l=4"}, {NULL, NULL}},
    {{"ke-anonymity", "k=2,e=1"}, {NULL, NULL}},
    {{"ke-anonymity", "k=3,e=4"}, {NULL, NULL}},
};

enum { N_KINDS = sizeof promise / sizeof *promise };

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
    m->problem.promises.min_size = 1;
    return method->run(out, &m->problem, params, &run, err);
}

static const covey_column *sensitive_of(const covey_problem *problem)
{
    return problem
        ->field[((size_t)problem->n_fields - 1) - (problem->field[problem->n_fields - 1].role != COVEY_ROLE_SENSITIVE)]
        .column;
}

/* Each row once, each group's values as its rows have them, in their order. */
static void check_structure(const covey_release *release, const covey_problem *problem)
{
    const covey_bucketized *data = release->form_data;
    const covey_column *sensitive = sensitive_of(problem);
    bool seen[MOST_ROWS] = {false};

    require(release->n_rows == problem->n_rows && release->n_published + problem->max_suppressed >= problem->n_rows);
    require(release->class_start[0] == 0 && release->class_start[release->n_classes] == release->n_published);
    require(problem->field[data->field].column == sensitive);
    for (uint32_t g = 0; g < release->n_classes; g++) {
        uint32_t count[MOST_ROWS] = {0};

        require(release->class_start[g] < release->class_start[g + 1]);
        for (uint32_t i = release->class_start[g]; i < release->class_start[g + 1]; i++)
            count[covey_i_code(sensitive, release->row_order[i])]++;
        for (uint32_t i = data->line_start[g]; i < data->line_start[g + 1]; i++) {
            require(i == data->line_start[g] ||
                    covey_i_bucketized_code(data, i - 1) < covey_i_bucketized_code(data, i));
            require(covey_i_bucketized_count(data, i) > 0 &&
                    covey_i_bucketized_count(data, i) == count[covey_i_bucketized_code(data, i)]);
            count[covey_i_bucketized_code(data, i)] = 0;
        }
        for (uint32_t v = 0; v < sensitive->n_values; v++)
            require(count[v] == 0);
    }
    for (uint32_t i = 0; i < release->n_published; i++) {
        require(release->row_order[i] < problem->n_rows && !seen[release->row_order[i]]);
        seen[release->row_order[i]] = true;
    }
}

static void check_promises(const covey_release *release, problem_maker *m)
{
    covey_tally tally;

    assert_int_equal(covey_i_tally_new(&tally, &m->problem.promises, &m->arena, NULL), COVEY_OK);
    for (uint32_t g = 0; g < release->n_classes; g++) {
        covey_i_release_tally(&tally, release, &m->problem, g);
        require(covey_i_promises_admit(&m->problem.promises, &tally));
    }
}

/* The same problem with its rows in another order, on more threads, must be published the same. */
static void check_independence(const char *published, covey_status status, const covey_method *method, uint64_t number)
{
    uint32_t order[MOST_ROWS];
    problem_maker m;
    covey_release *release;
    char text[256], *again;

    maker_shuffle(order, random_problem_rows(number), &(uint64_t){number});
    random_grouped_problem(&m, number, order, promise[number % N_KINDS]);
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

/* Returns whether the method made a release. */
static bool check(const covey_method *method, uint64_t number)
{
    problem_maker m;
    covey_release *release;
    covey_error err = {0};
    char text[256], *published = NULL;
    covey_status status;
    void *params;

    random_grouped_problem(&m, number, NULL, promise[number % N_KINDS]);
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
        require(status == COVEY_EINFEASIBLE && !release && err.message[0] != '\0');
    } else {
        check_structure(release, &m.problem);
        check_promises(release, &m);
        published = maker_published(release, &m.problem);
    }
    check_independence(published, status, method, number);
    free(published);
    covey_release_free(release);
    maker_clear(&m);
    return status == COVEY_OK;
}

static void every_group_keeps_every_promise_in_any_order_on_any_number_of_threads(void **state)
{
    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);
        int n_made = 0;

        if (strcmp(method->form, "bucketized") != 0)
            continue;
        for (uint64_t number = 0; number < N_PROBLEMS; number++)
            n_made += check(method, number);
        if (n_made < N_PROBLEMS / 10)
            fail_msg("%s made %d releases of %d problems: too few to say anything", method->name, n_made, N_PROBLEMS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_group_keeps_every_promise_in_any_order_on_any_number_of_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
