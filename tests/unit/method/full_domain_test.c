#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/random_problem.h"
#include "method/full_domain/full_domain.h"
#include "table/table_impl.h"

/* --- the worked example of Samarati's kind: nine patients, ZIP code and age --- */

enum { PATIENTS = 9 };

static char *write_tree(const char *name, const char *text)
{
    static char path[2][64];
    char *out = path[name[0] == 'z'];
    FILE *file;

    snprintf(out, sizeof path[0], "/tmp/covey-full-domain-%s-XXXXXX", name);
    file = fdopen(mkstemp(out), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return out;
}

static const char zip_tree[] = "v00000;4760*;476**;47***;*\nv00001;4760*;476**;47***;*\nv00002;4760*;476**;47***;*\n"
                               "v00003;4767*;476**;47***;*\nv00004;4767*;476**;47***;*\nv00005;4767*;476**;47***;*\n"
                               "v00006;4790*;479**;47***;*\nv00007;4790*;479**;47***;*\nv00008;4790*;479**;47***;*\n";
static const char age_tree[] =
    "v00000;20-29;20-39;*\nv00001;20-29;20-39;*\nv00002;20-29;20-39;*\nv00003;30-39;20-39;*\n"
    "v00004;30-39;20-39;*\nv00005;30-39;20-39;*\nv00006;40-49;40-59;*\nv00007;40-49;40-59;*\nv00008;50-59;40-59;*\n";

/* Cancer 0, flu 1, heart disease 2. */
static void make_patients(problem_maker *m)
{
    static const uint32_t zip[PATIENTS] = {4, 0, 5, 6, 8, 7, 1, 3, 2}, age[PATIENTS] = {2, 0, 1, 6, 8, 7, 3, 5, 4},
                          disease[PATIENTS] = {2, 2, 2, 1, 2, 0, 2, 0, 0};
    char *path;

    maker_init(m, PATIENTS);
    maker_add_tree_file(m, "zip", zip, 9, path = write_tree("zip", zip_tree));
    unlink(path);
    maker_add_tree_file(m, "age", age, 9, path = write_tree("age", age_tree));
    unlink(path);
    assert_int_equal(maker_add_sensitive(m, "disease", disease, 3), 0);
}

/* Runs the method; its status. */
static covey_status solve(covey_release **out, problem_maker *m, int64_t max_suppressed, const char *params,
                          covey_error *err)
{
    const covey_method *method = covey_method_find("full-domain");

    assert_int_equal(maker_finish(m, err), COVEY_OK);
    m->problem.max_suppressed = max_suppressed;
    *out = NULL;
    return method->run(out, &m->problem, maker_method_params(m, method, params), NULL, err);
}

static void expect_patients(int64_t k, const char *model, const char *model_params, int64_t max_suppressed,
                            const char *params, double value, int zip, int age, const char *note)
{
    problem_maker m;
    covey_release *release;
    covey_error err;
    char text[32];

    make_patients(&m);
    snprintf(text, sizeof text, "k=%d", (int)k);
    maker_promise(&m, "k-anonymity", text, -1);
    if (model)
        maker_promise(&m, model, model_params, 0);
    assert_int_equal(solve(&release, &m, max_suppressed, params, &err), COVEY_OK);
    assert_true(fabs(release->objective.value - value) < 1e-12);
    assert_true(release->objective.optimal);
    assert_int_equal(release->objective.level[0], zip);
    assert_int_equal(release->objective.level[1], age);
    assert_non_null(strstr(release->remark, note));
    assert_string_equal(release->note, "");
    covey_release_free(release);
    maker_clear(&m);
}

static void the_worked_example_has_one_minimal_node(void **state)
{
    const char *all = "20 nodes in the lattice, 8 keep the policy, 1 minimal (levels by attribute): 1 2";

    expect_patients(3, NULL, NULL, 0, "metric=discernibility", 27, 1, 2, all);
    expect_patients(3, NULL, NULL, 0, "metric=loss", 3.0 / 8, 1, 2, all);
    expect_patients(3, NULL, NULL, 0, "metric=prec", 13.0 / 24, 1, 2, all);
    expect_patients(3, NULL, NULL, 0, "metric=height", 3, 1, 2, all);
    expect_patients(3, NULL, NULL, 0, "metric=cavg", 1, 1, 2, all);
    expect_patients(3, NULL, NULL, 1, "metric=loss", 3.0 / 8, 1, 2, all);
    expect_patients(3, "distinct-l-diversity", "l=2", 0, "metric=loss", 3.0 / 8, 1, 2, all);
    expect_patients(2, NULL, NULL, 2, "metric=height", 3, 1, 2,
                    "11 keep the policy, 2 minimal (levels by attribute): 1 2; 2 1");
}

/* The release itself shows none of the minimal nodes; who publishes gets all. */
static void all_minimal_nodes_are_listed(void **state)
{
    static const uint8_t expected[] = {1, 2, 2, 1};
    problem_maker m;
    covey_release *release;
    covey_error err;

    make_patients(&m);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(solve(&release, &m, 2, "metric=loss", &err), COVEY_OK);
    assert_int_equal(release->objective.n_minimal, 2);
    assert_memory_equal(release->objective.minimal, expected, sizeof expected);
    covey_release_free(release);
    maker_clear(&m);
}

static bool has_enough(void *context)
{
    (void)context;
    return true;
}

static void who_has_enough_gets_a_release_without_proof(void **state)
{
    const covey_method *method = covey_method_find("full-domain");
    const covey_run run = {.n_threads = 2, .enough = has_enough};
    problem_maker m;
    covey_release *release;
    covey_error err;

    make_patients(&m);
    maker_promise(&m, "k-anonymity", "k=3", -1);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    assert_int_equal(method->run(&release, &m.problem, maker_method_params(&m, method, "metric=loss"), &run, &err),
                     COVEY_OK);
    assert_false(release->objective.optimal);
    assert_string_equal(release->note, "the search was ended before its time: not proven to be optimal");
    assert_non_null(strstr(release->remark, "20 nodes in the lattice, "));
    assert_int_equal(release->objective.n_minimal, 0);
    assert_int_equal(release->n_published, PATIENTS);
    covey_release_free(release);
    maker_clear(&m);
}

static void expect_infeasible(int64_t k, const char *model, const char *model_params, int64_t max_suppressed)
{
    problem_maker m;
    covey_release *release;
    covey_error err;
    char text[32];

    make_patients(&m);
    snprintf(text, sizeof text, "k=%d", (int)k);
    maker_promise(&m, "k-anonymity", text, -1);
    if (model)
        maker_promise(&m, model, model_params, 0);
    assert_int_equal(solve(&release, &m, max_suppressed, "", &err), COVEY_EINFEASIBLE);
    assert_null(release);
    maker_clear(&m);
}

static void what_no_node_keeps_is_infeasible(void **state)
{
    expect_infeasible(10, NULL, NULL, 0);
    expect_infeasible(2, "probabilistic-l-diversity", "l=2",
                      3); /* 5 of 9 have heart disease: not even the top keeps it */
}

/* With suppression a union of a good class and a bad one can be bad. */
static void with_suppression_a_node_above_a_good_one_can_be_bad(void **state)
{
    static const uint32_t quasi[] = {0, 0, 1, 1, 1}, sensitive[] = {0, 1, 0, 0, 0};
    const char *params[] = {"search=auto", "search=datafly", "search=samarati"};
    problem_maker m;
    covey_release *release;
    covey_error err;

    for (size_t i = 0; i < 3; i++) {
        maker_init(&m, 5);
        maker_add_flat(&m, "q", quasi, 2, false);
        maker_promise(&m, "probabilistic-l-diversity", "l=2", maker_add_sensitive(&m, "s", sensitive, 2));
        assert_int_equal(solve(&release, &m, 3, params[i], &err), COVEY_OK);
        assert_int_equal(release->objective.level[0], 0);
        assert_int_equal(release->n_published, 2);
        covey_release_free(release);
        maker_clear(&m);
    }
}

static void samarati_finds_the_least_height(void **state)
{
    problem_maker m;
    covey_release *release;
    covey_error err;

    make_patients(&m);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(solve(&release, &m, 2, "search=samarati,metric=loss", &err), COVEY_OK);
    assert_int_equal(release->objective.level[0] + release->objective.level[1], 3);
    assert_string_equal(release->note, "");
    assert_non_null(strstr(release->remark, "least height 3: 2 of its nodes"));
    covey_release_free(release);
    maker_clear(&m);
}

/* --- against trying every node, row by row --- */

static uint32_t label(const covey_lattice *lattice, const uint8_t *level, size_t a, uint32_t row)
{
    return lattice->attribute[a].level[level[a]].label[covey_column_code(lattice->attribute[a].axis->column, row)];
}

static bool same_class(const covey_lattice *lattice, const uint8_t *level, uint32_t r, uint32_t s)
{
    for (size_t a = 0; a < lattice->n_attributes; a++)
        if (label(lattice, level, a, r) != label(lattice, level, a, s))
            return false;
    return true;
}

static double cost_by_cells(const covey_lattice *lattice, const uint8_t *level, const bool *kept,
                            covey_lattice_metric metric)
{
    const uint32_t n = lattice->problem->n_rows;
    double cells = 0, squares = 0, gone = 0, classes = 0, height = 0, entropy = 0, prec = 0;

    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &lattice->attribute[a];

        height += level[a];
        for (uint32_t r = 0; r < n; r++) {
            uint32_t with_value = 0, with_label = 0;

            for (uint32_t s = 0; s < n; s++) {
                with_value +=
                    covey_column_code(attribute->axis->column, s) == covey_column_code(attribute->axis->column, r);
                with_label += label(lattice, level, a, s) == label(lattice, level, a, r);
            }
            cells += kept[r] ? attribute->level[level[a]].loss[label(lattice, level, a, r)] : 1;
            entropy += log2((kept[r] ? with_label : n) / (double)with_value);
            prec += kept[r] ? (attribute->n_levels > 1 ? level[a] / (double)(attribute->n_levels - 1) : 0)
                            : attribute->n_levels > 1;
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        uint32_t size = 0, before = 0;

        gone += !kept[r];
        for (uint32_t s = 0; s < n && kept[r]; s++) {
            size += same_class(lattice, level, r, s);
            before += s < r && same_class(lattice, level, r, s);
        }
        squares += size;
        classes += kept[r] && before == 0;
    }
    switch (metric) {
    case COVEY_METRIC_LOSS:
        return cells / (n * (double)lattice->n_attributes);
    case COVEY_METRIC_HEIGHT:
        return height;
    case COVEY_METRIC_PREC:
        return prec / (n * (double)lattice->n_attributes);
    case COVEY_METRIC_DISCERNIBILITY:
        return squares + n * gone;
    case COVEY_METRIC_ENTROPY:
        return entropy;
    case COVEY_METRIC_CAVG:
        return (n - gone) / classes / (double)lattice->least_k;
    }
    return 0;
}

/* Is the node good, and what does it cost? */
static bool try_node(double *cost, const covey_lattice *lattice, const uint8_t *level, covey_lattice_metric metric,
                     covey_arena *arena)
{
    const covey_problem *problem = lattice->problem;
    const uint32_t n = problem->n_rows;
    bool kept[64], any = false;
    covey_tally class, gone;

    assert_true(n <= 64);
    assert_int_equal(covey_i_tally_new(&class, &problem->promises, arena, NULL), COVEY_OK);
    assert_int_equal(covey_i_tally_new(&gone, &problem->promises, arena, NULL), COVEY_OK);
    gone.has_ranges = false;
    for (uint32_t r = 0; r < n; r++) {
        covey_i_tally_clear(&class);
        for (uint32_t s = 0; s < n; s++)
            if (same_class(lattice, level, r, s))
                covey_i_tally_add(&class, &problem->promises, s);
        kept[r] = covey_i_promises_admit(&problem->promises, &class);
        any |= kept[r];
        if (!kept[r])
            covey_i_tally_add(&gone, &problem->promises, r);
    }
    *cost = any ? cost_by_cells(lattice, level, kept, metric) : 0;
    return any && gone.size <= problem->max_suppressed &&
           (gone.size == 0 || !(covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR) ||
            covey_i_promises_admit(&problem->promises, &gone));
}

/* The labels of every level, made by the method itself; the worked example above checks those. */
static double best_cost(bool *found, const covey_problem *problem, int64_t least_k, covey_lattice_metric metric)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_lattice lattice = {.problem = problem, .least_k = least_k};
    double best = 0;

    *found = false;
    assert_int_equal(covey_i_full_domain_levels_new(&lattice, &arena, NULL), COVEY_OK);
    for (uint64_t node = 0; node < lattice.n_nodes; node++) {
        const covey_arena_mark mark = covey_arena_save(&arena);
        uint8_t level[16];
        double cost;

        for (size_t a = 0; a < lattice.n_attributes; a++)
            level[a] = (uint8_t)(node / lattice.attribute[a].stride % (uint64_t)lattice.attribute[a].n_levels);
        if (try_node(&cost, &lattice, level, metric, &arena) && (!*found || cost < best)) {
            *found = true;
            best = cost;
        }
        covey_arena_rewind(&arena, mark);
    }
    covey_arena_free(&arena);
    return best;
}

static int64_t promised_k(const covey_problem *problem)
{
    for (size_t i = 0; i < problem->promises.n; i++)
        if (strcmp(problem->promises.promise[i].model->name, "k-anonymity") == 0)
            return problem->promises.promise[i].model->min_size(problem->promises.promise[i].state);
    return 1;
}

static void the_best_node_is_the_best_of_all_nodes(void **state)
{
    static const char *const metric[] = {"loss", "height", "prec", "discernibility", "entropy", "cavg"};
    const covey_method *method = covey_method_find("full-domain");
    unsigned tried = 0, n_found = 0, n_claimed = 0;

    for (uint64_t number = 0; tried < 120; number++) {
        problem_maker m;
        covey_release *release = NULL;
        char params[64];
        covey_error err;
        bool found;
        double best, value;

        if (random_problem_rows(number) > 24)
            continue;
        random_problem(&m, number, NULL);
        m.problem.max_suppressed = (int64_t)(number % 3) * m.problem.n_rows / 6;
        snprintf(params, sizeof params, "publish-boxes=tight,metric=%s",
                 metric[number % 6]); /* best_cost judges ranges of rows */
        best = best_cost(&found, &m.problem, promised_k(&m.problem), (covey_lattice_metric)(number % 6));
        if (found) {
            assert_int_equal(method->run(&release, &m.problem, maker_method_params(&m, method, params), NULL, &err),
                             COVEY_OK);
            value = release->objective.is_maximised ? 1 - release->objective.value : release->objective.value;
            /* What is said of a release without some rows refers to the others; it is no claim to be the least then. */
            if (release->objective.optimal)
                assert_true(fabs(value - best) <= 1e-9 * (1 + fabs(best)));
            else
                assert_true(release->n_published < release->n_rows && number % 6 != 3 && number % 6 != 5);
            n_claimed += release->objective.optimal;
            covey_release_free(release);
            n_found++;
        } else {
            assert_int_equal(method->run(&release, &m.problem, maker_method_params(&m, method, params), NULL, &err),
                             COVEY_EINFEASIBLE);
        }
        maker_clear(&m);
        tried++;
    }
    assert_true(n_found > 40 && n_claimed > 30);
}

/* One step of the search that looks at few nodes: nothing to beat, so that it finds what looking at all finds; then
 * what that loses, which nothing that is found may do. */
static void expect_same_best(problem_maker *m, const char *params, unsigned *n_found, unsigned *n_beaten)
{
    const covey_method *method = covey_method_find("full-domain");
    const void *values = maker_method_params(m, method, params);
    covey_release *all = NULL, *few = NULL;
    covey_error err;
    const covey_status status = method->run(&all, &m->problem, values, NULL, &err);

    m->problem.loss_to_beat = 2;
    assert_int_equal(method->run(&few, &m->problem, values, NULL, &err), status);
    if (status != COVEY_OK)
        return;
    ++*n_found;
    assert_true(all->objective.value == few->objective.value);
    assert_int_equal(all->objective.optimal, few->objective.optimal);
    for (size_t a = 0; a < m->problem.n_axes; a++)
        assert_int_equal(all->objective.level[a], few->objective.level[a]);
    assert_int_equal(few->n_published, all->n_published);
    covey_release_free(few);
    m->problem.loss_to_beat = all->ail;
    few = NULL;
    if (all->ail > 0 && method->run(&few, &m->problem, values, NULL, &err) == COVEY_OK) {
        *n_beaten += few->ail < all->ail;
        assert_true(strstr(params, "metric=loss") == NULL || few->ail >= all->ail);
    }
    covey_release_free(few);
    covey_release_free(all);
}

static void few_looks_find_what_all_find(void **state)
{
    static const char *const metric[] = {"loss", "height", "prec", "discernibility", "entropy", "cavg"};
    const uint64_t n = (uint64_t)test_share(400);
    unsigned n_found = 0, n_beaten = 0;

    for (uint64_t number = 0; number < n; number++) {
        problem_maker m;
        char params[64];

        random_problem(&m, number, NULL);
        m.problem.max_suppressed = (int64_t)(number % 4) * m.problem.n_rows / 8;
        snprintf(params, sizeof params, "%smetric=%s", number % 5 == 0 ? "publish-boxes=tight," : "",
                 metric[number % 6]);
        expect_same_best(&m, params, &n_found, &n_beaten);
        maker_clear(&m);
    }
    assert_true(n_found > n / 4 && n_beaten > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_has_one_minimal_node),
        cmocka_unit_test(all_minimal_nodes_are_listed),
        cmocka_unit_test(who_has_enough_gets_a_release_without_proof),
        cmocka_unit_test(what_no_node_keeps_is_infeasible),
        cmocka_unit_test(with_suppression_a_node_above_a_good_one_can_be_bad),
        cmocka_unit_test(samarati_finds_the_least_height),
        cmocka_unit_test(the_best_node_is_the_best_of_all_nodes),
        cmocka_unit_test(few_looks_find_what_all_find),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
