#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "method/elastic/elastic.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 1510 };

static covey_release *run_elastic(problem_maker *m, const char *params, int n_threads)
{
    const covey_method *elastic = covey_method_find("elastic");
    const covey_run run = {.n_threads = n_threads};
    covey_release *release = NULL;
    covey_error err = {0};

    if (elastic->run(&release, &m->problem, maker_method_params(m, elastic, params), &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return release;
}

/* "1-5:0 1 | 2-6:0 1": per class the range on the first axis and the codes of the sensitive attribute; overwritten by
 * the next call. */
static const char *classes_text(const covey_release *release, const problem_maker *m)
{
    static char text[512];
    size_t used = 0;

    for (uint32_t c = 0; c < release->n_classes; c++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u-%u:", c ? " | " : "",
                                 release->low[c * m->problem.n_axes], release->high[c * m->problem.n_axes]);
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i == release->class_start[c] ? "" : " ",
                                     covey_i_code(m->problem.promises.view[0].column, release->row_order[i]));
    }
    return text;
}

/* age      1 2 3 4 5 6 7 8
 * disease  a a a a b b b b
 * No class may be more than half a or half b: no cut at an age is possible, but each is after moving rows. */
static void rows_are_moved_where_a_cut_would_break_a_bound(void **state)
{
    static const uint32_t age[] = {0, 1, 2, 3, 4, 5, 6, 7}, disease[] = {0, 0, 0, 0, 1, 1, 1, 1};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 8);
    maker_add_range(&m, "age", age, 8, false, NULL);
    maker_add_sensitive(&m, "disease", disease, 2);
    maker_promise(&m, "probabilistic-l-diversity", "l=2", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_elastic(&m, "", 1);
    assert_string_equal(classes_text(release, &m), "0-4:0 1 | 1-5:0 1 | 2-6:0 1 | 3-7:0 1");
    covey_release_free(release);
    release = run_elastic(&m, "min-size=3", 1);
    assert_string_equal(classes_text(release, &m), "0-5:0 0 1 1 | 2-7:0 0 1 1");
    covey_release_free(release);
    maker_clear(&m);
}

/* The same for a distance: with t = 0 both diseases must have the same share everywhere. */
static void rows_are_moved_where_a_cut_would_go_too_far_from_the_table(void **state)
{
    static const uint32_t age[] = {0, 1, 2, 3, 4, 5, 6, 7}, disease[] = {0, 0, 0, 0, 1, 1, 1, 1};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 8);
    maker_add_range(&m, "age", age, 8, false, NULL);
    maker_promise(&m, "t-closeness", "t=0,distance=ordered", maker_add_sensitive(&m, "disease", disease, 2));
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_elastic(&m, "", 1);
    assert_string_equal(classes_text(release, &m), "0-4:0 1 | 1-5:0 1 | 2-6:0 1 | 3-7:0 1");
    covey_release_free(release);
    release = run_elastic(&m, "publish-boxes=cut", 1); /* no row may be moved */
    assert_int_equal(release->n_classes, 1);
    covey_release_free(release);
    maker_clear(&m);
}

static void promises_without_bounds_are_kept_by_cutting_where_they_hold(void **state)
{
    static const uint32_t age[] = {0, 1, 2, 3, 4, 5}, disease[] = {0, 1, 0, 1, 2, 2};
    problem_maker m;
    covey_release *release;

    maker_init(&m, 6);
    maker_add_range(&m, "age", age, 6, false, NULL);
    maker_add_sensitive(&m, "disease", disease, 3);
    maker_promise(&m, "distinct-l-diversity", "l=2", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_elastic(&m, "", 1);
    assert_string_equal(classes_text(release, &m), "0-2:0 0 1 | 3-5:1 2 2");
    covey_release_free(release);
    maker_clear(&m);
}

/* 100 ages, a missing one is code 0: quantiles alone would not separate it. */
static void missing_cells_can_be_cut_off(void **state)
{
    uint32_t age[400];
    problem_maker m;
    covey_release *release;

    for (uint32_t i = 0; i < 400; i++)
        age[i] = i < 4 ? 0 : 1 + i % 99;
    maker_init(&m, 400);
    maker_add_range(&m, "age", age, 100, true, NULL);
    maker_promise(&m, "k-anonymity", "k=4", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    release = run_elastic(&m, "cuts=1", 1);
    assert_int_equal(release->low[0], 0);
    assert_int_equal(release->high[0], 0);
    assert_int_equal(release->class_start[1], 4);
    covey_release_free(release);
    maker_clear(&m);
}

/* A random table of that many rows with axes of every kind. */
static void random_problem(problem_maker *m, uint64_t seed, uint32_t n_rows, uint32_t n_values, const char *model,
                           const char *params)
{
    uint32_t *codes = malloc(n_rows * sizeof *codes), *values = malloc(n_rows * sizeof *values);
    int view;

    maker_init(m, n_rows);
    for (int a = 0; a < 3; a++) {
        const uint32_t n_codes = 2 + maker_below(&seed, a == 0 ? 300 : 30);

        for (uint32_t i = 0; i < n_rows; i++)
            codes[i] = maker_below(&seed, n_codes);
        if (a == 0)
            maker_add_range(m, "range", codes, n_codes, true, NULL);
        else if (a == 1)
            maker_add_tree(m, "tree", codes, n_codes, false, 3);
        else
            maker_add_flat(m, "flat", codes, n_codes, false);
    }
    for (uint32_t i = 0; i < n_rows; i++)
        values[i] = (maker_below(&seed, n_values) + maker_below(&seed, n_values)) / 2;
    view = maker_add_sensitive(m, "sensitive", values, n_values);
    maker_promise(m, model, params, covey_model_find(model)->traits & COVEY_MODEL_SENSITIVE ? view : -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    free(codes);
    free(values);
}

/* What cutting needs, as the method sets it up, with all rows in their order; by runs of equal rows or row by row. */
static void set_up_cutting(covey_elastic *e, uint32_t *ranges, problem_maker *m, uint64_t most_cells, bool by_runs)
{
    const covey_problem *problem = &m->problem;
    const covey_column *column[8];
    covey_sorted_rows sorted = {.n = problem->n_rows, .rows = covey_arena_array(&m->arena, uint32_t, problem->n_rows)};
    covey_closeness closeness;
    covey_row_runs runs;

    *e = (covey_elastic){.problem = problem,
                         .view = 0,
                         .n_values = problem->promises.view[0].column->n_values,
                         .bounded = covey_i_promises_have_bounds(&problem->promises, 0),
                         .has_needs = true,
                         .n_cuts = 3,
                         .bounds_suffice = covey_i_promises_are_bounds(&problem->promises, 0),
                         .comes_close = covey_i_promise_closeness(&closeness, &problem->promises.promise[0]),
                         .min_size = covey_i_promises_min_size(&problem->promises),
                         .most_cells = most_cells,
                         .n_rows = problem->n_rows,
                         .weight = covey_arena_array(&m->arena, double, problem->n_axes)};
    assert_int_equal(covey_i_problem_sort_rows(sorted.rows, problem, NULL, NULL), COVEY_OK);
    for (size_t a = 0; a < problem->n_axes; a++) {
        column[a] = problem->axis[a].column;
        e->weight[a] = 1.0 / (double)problem->axis[a].loss_den;
    }
    column[problem->n_axes] = problem->promises.view[0].column;
    assert_int_equal(covey_i_row_runs_new(&runs, problem, &sorted, column + problem->n_axes, 1, &m->arena, NULL, NULL),
                     COVEY_OK);
    assert_int_equal(covey_i_records_new(&e->records, column, problem->n_axes + 1, problem, &sorted,
                                         by_runs ? &runs : NULL, NULL, NULL),
                     COVEY_OK);
    assert_int_equal(covey_i_records_reserve(&e->records, &e->records, problem->n_rows, NULL), COVEY_OK);
    e->rows = by_runs ? sorted.rows : NULL;
    for (size_t a = 0; a < problem->n_axes; a++)
        covey_i_records_range(&ranges[a], &ranges[problem->n_axes + a], &e->records.column[a], 0, 0, e->records.n);
}

/* Do left and right hold, for each sensitive value, rows that the cut along some axis separates, and do both keep the
 * bounds? */
static void check_children(const covey_elastic *e, const covey_elastic_part children[2], const uint32_t *child_ranges)
{
    const size_t n_axes = e->problem->n_axes;
    bool is_separated_by_some_axis = false;

    for (int c = 0; c < 2; c++)
        for (size_t a = 0; a < n_axes; a++) {
            uint32_t low, high;

            covey_i_records_range(&low, &high, &e->records.column[a], children[c].side, children[c].start,
                                  children[c].n);
            assert_int_equal(low, child_ranges[(size_t)c * 2 * n_axes + a]);
            assert_int_equal(high, child_ranges[((size_t)c * 2 + 1) * n_axes + a]);
        }
    for (size_t a = 0; a < n_axes; a++) {
        uint32_t last_left[256] = {0}, first_right[256];
        bool is_separated = true;

        memset(first_right, 0xff, sizeof first_right);
        for (int c = 0; c < 2; c++)
            for (uint32_t i = 0; i < children[c].n; i++) {
                uint32_t code, value;

                covey_i_records_unpack(&code, &e->records.column[a], children[c].side, children[c].start + i, 1);
                covey_i_records_unpack(&value, &e->records.column[n_axes], children[c].side, children[c].start + i, 1);
                if (c == 0)
                    last_left[value] = code > last_left[value] ? code : last_left[value];
                else
                    first_right[value] = code < first_right[value] ? code : first_right[value];
            }
        for (uint32_t v = 0; v < e->n_values; v++)
            is_separated = is_separated && last_left[v] <= first_right[v];
        is_separated_by_some_axis = is_separated_by_some_axis || is_separated;
    }
    assert_true(is_separated_by_some_axis);
}

/* The rows of a part in their order; returns how many. */
static uint32_t list_rows(uint32_t *rows, const covey_elastic *e, covey_elastic_part part)
{
    const uint32_t *first = covey_i_records_rows(&e->records, part.side) + part.start;
    uint32_t n = 0;

    for (uint32_t i = 0; i < part.n; i++)
        for (uint32_t r = 0; r < covey_i_records_size(&e->records, part.side, part.start + i); r++)
            rows[n++] = e->records.are_runs ? e->rows[first[i] + r] : first[i];
    return n;
}

static void check_class(const covey_elastic *e, covey_elastic_part part, problem_maker *m)
{
    uint32_t rows[MOST_ROWS];
    covey_tally tally;

    assert_int_equal(list_rows(rows, e, part), part.size);
    assert_int_equal(covey_i_tally_new(&tally, &e->problem->promises, &m->arena, NULL), COVEY_OK);
    for (uint32_t i = 0; i < part.size; i++)
        covey_i_tally_add(&tally, &e->problem->promises, rows[i]);
    assert_true(covey_i_promises_admit(&e->problem->promises, &tally));
}

static void cut(bool *is_cut, covey_elastic_part children[2], uint32_t *child_ranges, covey_elastic_worker *w,
                const covey_elastic_part *part, const uint32_t *ranges)
{
    uint32_t n_records[2], start[2];

    assert_int_equal(covey_i_elastic_find_cut(is_cut, n_records, child_ranges, w, part, ranges, NULL), COVEY_OK);
    if (!*is_cut)
        return;
    start[0] = part->start;
    start[1] = part->start + n_records[0];
    assert_int_equal(covey_i_elastic_make_cut(children, w, part, start, NULL), COVEY_OK);
    assert_int_equal(children[0].n, n_records[0]);
    assert_int_equal(children[1].n, n_records[1]);
}

enum { WAYS = 4 };

/* Cuts a table by matrices of counts and by sorted counts, row by row and by runs of equal rows, which must agree in
 * everything. */
static void check_cuts(uint64_t seed, const char *model, const char *params)
{
    const uint32_t n_rows = 10 + (uint32_t)(seed * 37 % 1500), n_values = 2 + (uint32_t)(seed % 11);
    problem_maker m;
    covey_elastic e[WAYS];
    covey_elastic_worker w[WAYS] = {0};
    uint32_t ranges[WAYS][6], child_ranges[WAYS][12], rows[2][MOST_ROWS];
    covey_elastic_part part[WAYS], children[WAYS][2];
    bool is_cut[WAYS];

    random_problem(&m, seed, n_rows, n_values, model, params);
    for (int i = 0; i < WAYS; i++) {
        set_up_cutting(&e[i], ranges[i], &m, i % 2 == 0 ? COVEY_ELASTIC_MOST_CELLS : 0, i / 2);
        assert_int_equal(covey_i_elastic_worker_new(&w[i], &e[i], NULL), COVEY_OK);
        part[i] = (covey_elastic_part){.n = e[i].records.n, .size = n_rows};
    }
    do { /* down the right side */
        for (int i = 0; i < WAYS; i++) {
            cut(&is_cut[i], children[i], child_ranges[i], &w[i], &part[i], ranges[i]);
            assert_int_equal(is_cut[i], is_cut[0]);
            if (!is_cut[i])
                continue;
            check_children(&e[i], children[i], child_ranges[i]);
            check_class(&e[i], children[i][0], &m);
            check_class(&e[i], children[i][1], &m);
            part[i] = children[i][1];
            memcpy(ranges[i], child_ranges[i] + 6, sizeof ranges[i]);
        }
        for (int i = 1; i < WAYS && is_cut[0]; i++) {
            assert_memory_equal(child_ranges[0], child_ranges[i], sizeof child_ranges[0]);
            for (int c = 0; c < 2; c++) {
                const uint32_t n = list_rows(rows[0], &e[0], children[0][c]);

                assert_int_equal(list_rows(rows[1], &e[i], children[i][c]), n);
                assert_memory_equal(rows[0], rows[1], n * sizeof rows[0][0]);
            }
        }
    } while (is_cut[0]);
    for (int i = 0; i < WAYS; i++) {
        covey_i_elastic_worker_clear(&w[i]);
        covey_i_records_clear(&e[i].records);
    }
    maker_clear(&m);
}

static void all_ways_of_counting_cut_alike_and_keep_the_bounds(void **state)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        check_cuts(seed, "probabilistic-l-diversity", "l=1.5");
        check_cuts(seed, "enhanced-beta-likeness", "beta=1");
        check_cuts(seed, "basic-beta-likeness", "beta=0.4");
        check_cuts(seed, "delta-disclosure", "delta=1.5");
        check_cuts(seed, "entropy-l-diversity", "l=1.5");
        check_cuts(seed, "t-closeness", "t=0.1");
        check_cuts(seed, "t-closeness", "t=0.03,distance=ordered");
    }
}

static void any_number_of_threads_makes_the_same_classes(void **state)
{
    problem_maker m;
    char *alone;

    random_problem(&m, 5, 210000, 40, "enhanced-beta-likeness", "beta=2");
    alone = NULL;
    for (int n_threads = 1; n_threads <= 7; n_threads += 2) {
        covey_release *release = run_elastic(&m, "", n_threads);
        char *published = maker_published(release, &m.problem);

        if (alone)
            assert_string_equal(published, alone);
        free(alone);
        alone = published;
        covey_release_free(release);
    }
    free(alone);
    maker_clear(&m);
}

struct progress {
    int n_calls, n_left; /* the call after n_left others cancels */
    int64_t done;
};

static bool go_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    struct progress *p = context; /* from the caller's thread alone: no lock */

    assert_string_equal(phase, "elastic");
    assert_int_equal(to_do, 100000);
    assert_true(done >= p->done && done <= to_do);
    p->done = done;
    p->n_calls++;
    return p->n_left-- > 0;
}

static void progress_is_reported_and_can_cancel(void **state)
{
    const covey_method *elastic = covey_method_find("elastic");
    problem_maker m;
    covey_error err;

    random_problem(&m, 8, 100000, 10, "k-anonymity", "k=10");
    for (int n_left = 0; n_left < 12; n_left += 5) {
        struct progress progress = {.n_left = n_left};
        const covey_run run = {.n_threads = n_left == 0 ? 3 : 1, .progress = go_on, .context = &progress};
        covey_release *release = NULL;

        assert_int_equal(elastic->run(&release, &m.problem, maker_method_params(&m, elastic, ""), &run, &err),
                         COVEY_ECANCELLED);
        assert_null(release);
        assert_int_equal(progress.n_calls, n_left + 1);
    }
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_moved_where_a_cut_would_break_a_bound),
        cmocka_unit_test(rows_are_moved_where_a_cut_would_go_too_far_from_the_table),
        cmocka_unit_test(promises_without_bounds_are_kept_by_cutting_where_they_hold),
        cmocka_unit_test(missing_cells_can_be_cut_off),
        cmocka_unit_test(all_ways_of_counting_cut_alike_and_keep_the_bounds),
        cmocka_unit_test(any_number_of_threads_makes_the_same_classes),
        cmocka_unit_test(progress_is_reported_and_can_cancel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
