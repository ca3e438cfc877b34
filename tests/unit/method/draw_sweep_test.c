#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "base/alloc.h"
#include "method/draw/draw.h"
#include "table/table_impl.h"

enum { ROWS = 30000, AXES = 5 };

static bool always_fits(void *context, const uint32_t *rows, int64_t size)
{
    return true;
}

/* A random table, and all that a sweep starts from. */
struct fixture {
    problem_maker m;
    covey_arena arena, of_runs;
    covey_sorted_rows sorted;
    covey_draw_rows rows;
    covey_draw_curve curve;
    covey_draw_buckets buckets;
    covey_draw_tree tree;
    uint32_t *leaf;
};

static void start(struct fixture *f, uint32_t n_rows, size_t n_axes, uint32_t n_places, uint32_t n_values,
                  uint32_t n_buckets, int64_t min_size, uint64_t *random, const covey_run *run)
{
    static uint32_t codes[ROWS];
    const covey_column *sensitive;

    *f = (struct fixture){.arena = COVEY_ARENA_INIT, .of_runs = COVEY_ARENA_INIT};
    maker_init(&f->m, n_rows);
    for (size_t c = 0; c <= n_axes; c++) {
        for (uint32_t i = 0; i < n_rows; i++)
            codes[i] = maker_below(random, 1 + maker_below(random, c < n_axes ? n_places : n_values));
        if (c < n_axes)
            maker_add_flat(&f->m, "q", codes, n_places, false);
        else
            maker_add_insensitive(&f->m, "s", codes, n_values);
    }
    maker_promise(&f->m, "k-anonymity", "k=1", -1);
    assert_int_equal(maker_finish(&f->m, NULL), COVEY_OK);
    sensitive = f->m.column[n_axes];
    assert_int_equal(covey_i_problem_order(&f->sorted, &f->m.problem, run, NULL), COVEY_OK);
    assert_int_equal(covey_i_draw_rows_new(&f->rows, &f->m.problem, sensitive, &f->sorted, &f->of_runs, run, NULL),
                     COVEY_OK);

    f->buckets = (covey_draw_buckets){.n = n_buckets,
                                      .bucket_of = covey_arena_array(&f->arena, uint32_t, n_values),
                                      .size = covey_arena_array_zero(&f->arena, uint32_t, n_buckets)};
    for (uint32_t v = 0; v < n_values; v++)
        f->buckets.bucket_of[v] = v < n_buckets ? v : maker_below(random, n_buckets);
    for (uint32_t i = 0; i < n_rows; i++)
        f->buckets.size[f->buckets.bucket_of[covey_i_code(sensitive, i)]]++;
    assert_int_equal(covey_i_draw_tree_new(&f->tree, f->buckets.size, n_buckets, min_size, always_fits, NULL, NULL),
                     COVEY_OK);
    f->leaf = covey_arena_array(&f->arena, uint32_t, f->tree.node[0].n_leaves);
    covey_i_draw_leaves(f->leaf, &f->tree);
}

static void finish(struct fixture *f)
{
    covey_i_draw_curve_clear(&f->curve);
    covey_i_draw_tree_clear(&f->tree);
    covey_i_sorted_rows_clear(&f->sorted);
    covey_arena_free(&f->of_runs);
    covey_arena_free(&f->arena);
    maker_clear(&f->m);
}

/* The curve is the same whether or not codes of cells are known, which are those of the table. */
static void check_codes(struct fixture *f, const covey_run *run)
{
    const size_t n_axes = f->m.problem.n_axes;
    covey_draw_curve plain;

    assert_int_equal(covey_i_draw_curve_new(&plain, &f->m.problem, &f->rows, true, run, NULL), COVEY_OK);
    assert_int_equal(covey_i_draw_rows_find_codes(&f->rows, &f->m.problem, &f->sorted, &f->arena, run, NULL), COVEY_OK);
    assert_int_equal(covey_i_draw_curve_new(&f->curve, &f->m.problem, &f->rows, false, run, NULL), COVEY_OK);
    assert_true(plain.key != NULL && f->curve.key == NULL);
    assert_memory_equal(plain.cell, f->curve.cell, plain.n_cells * sizeof *plain.cell);
    for (uint32_t c = 1; c < plain.n_cells; c++)
        assert_true(plain.key[c - 1] <= plain.key[c]);
    for (uint32_t g = 0; g < plain.n_cells; g++)
        for (size_t a = 0; a < f->rows.stride; a++)
            assert_int_equal(f->rows.code[g * f->rows.stride + a],
                             a < n_axes ? covey_i_code(f->m.problem.axis[a].column,
                                                       f->rows.row[f->rows.runs.start[f->rows.runs.group[g]]])
                                        : 0);
    covey_i_draw_curve_clear(&plain);
}

/* Row by row along the curve, every bucket by itself. */
static void sweep_slowly(uint32_t *class_of_row, const struct fixture *f)
{
    static uint32_t row[ROWS];
    const covey_column *sensitive = f->m.column[f->m.problem.n_axes];

    covey_i_draw_curve_rows(row, &f->curve);
    for (size_t j = 0; j < f->buckets.n; j++) {
        uint32_t class = 0, n = 0;

        for (uint32_t i = 0; i < f->rows.n; i++) {
            if (f->buckets.bucket_of[covey_i_code(sensitive, row[i])] != j)
                continue;
            for (; n == f->tree.node[f->leaf[class]].rows[j]; n = 0)
                class ++;
            class_of_row[row[i]] = class;
            n++;
        }
    }
}

static void check_classes(const struct fixture *f, const covey_draw_classes *classes, const uint32_t *class_of_row)
{
    const size_t n_axes = f->m.problem.n_axes;
    uint32_t n_rows = 0;

    assert_int_equal(classes->n, f->tree.node[0].n_leaves);
    for (uint32_t c = 0; c < classes->n; c++) {
        uint32_t low[AXES], high[AXES] = {0};

        memset(low, 0xff, sizeof low);
        for (uint32_t k = classes->class[c].start; k < classes->class[c].start + classes->class[c].n; k++)
            for (uint32_t i = classes->span[k].start; i < classes->span[k].start + classes->span[k].n; i++, n_rows++) {
                const uint32_t row = f->rows.row[i];

                assert_int_equal(class_of_row[row], c);
                assert_int_equal(covey_i_code(f->m.column[n_axes], row), classes->value[k]);
                for (size_t a = 0; a < n_axes; a++) {
                    const uint32_t code = covey_i_code(f->m.problem.axis[a].column, row);

                    low[a] = code < low[a] ? code : low[a];
                    high[a] = code > high[a] ? code : high[a];
                }
            }
        assert_memory_equal(low, classes->low + c * n_axes, n_axes * sizeof *low);
        assert_memory_equal(high, classes->high + c * n_axes, n_axes * sizeof *high);
    }
    assert_int_equal(n_rows, f->rows.n);
}

static void check(uint32_t n_rows, size_t n_axes, uint32_t n_places, uint32_t n_values, uint32_t n_buckets,
                  int64_t min_size)
{
    static uint32_t slow[ROWS], quick[ROWS];

    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        const covey_run run = {.n_threads = n_threads};
        covey_draw_classes classes;
        struct fixture f;
        uint64_t random = n_rows;

        start(&f, n_rows, n_axes, n_places, n_values, n_buckets, min_size, &random, &run);
        check_codes(&f, &run);
        sweep_slowly(slow, &f);
        assert_int_equal(covey_i_draw_sweep(quick, &f.curve, &f.buckets, &f.tree, f.leaf, &run, NULL), COVEY_OK);
        assert_memory_equal(slow, quick, n_rows * sizeof *slow);
        assert_int_equal(covey_i_draw_sweep_runs(&classes, &f.curve, &f.buckets, &f.tree, f.leaf, &f.m.problem,
                                                 &f.of_runs, &run, NULL),
                         COVEY_OK);
        check_classes(&f, &classes, slow);
        covey_i_draw_classes_clear(&classes);
        finish(&f);
    }
}

static void classes_take_their_rows_along_the_curve(void **state)
{
    check(1, 1, 1, 1, 1, 1);
    check(10, 2, 3, 4, 4, 1);
    check(3000, 1, 2000, 12, 5, 7);
    check(ROWS, 2, 9, 6, 3, 2000);   /* long runs, few classes */
    check(ROWS, 2, 100, 20, 13, 40); /* many cells and classes */
    check(ROWS, 5, 12, 30, 1,
          3); /* most rows differ; one bucket; most buckets of a class of three are empty where there are more */
    check(ROWS, 4, 7, 30, 9, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_take_their_rows_along_the_curve),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
