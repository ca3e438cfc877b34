/* Cells of rows: what they hold, however it is found out; and that classes made of them are published as classes of
 * rows are. */
#include "test.h"

#include <string.h>

#include "support/problem/random_problem.h"
#include "base/alloc.h"
#include "method/rows/row_cells.h"
#include "table/table_impl.h"

enum { N_PROBLEMS = 300 };

/* The rows are all of the table's, in order; each cell's have equal quasi-identifiers, and the next cell's others. */
static void check_rows(const covey_row_cells *cells, const covey_problem *problem)
{
    uint8_t *seen = calloc(problem->n_rows, 1);

    assert_int_equal(cells->start[0], 0);
    assert_int_equal(cells->start[cells->n], problem->n_rows);
    for (uint32_t c = 0; c < cells->n; c++) {
        bool differs = c == 0;

        assert_true(covey_i_row_cells_size(cells, c) > 0);
        for (size_t a = 0; a < problem->n_axes; a++) {
            const covey_column *column = problem->axis[a].column;

            differs =
                differs || covey_i_row_cells_code(&cells->axis[a], c) != covey_i_row_cells_code(&cells->axis[a], c - 1);
            for (uint32_t i = cells->start[c]; i < cells->start[c + 1]; i++)
                assert_int_equal(covey_i_code(column, cells->rows[i]), covey_i_row_cells_code(&cells->axis[a], c));
        }
        assert_true(differs);
        for (uint32_t i = cells->start[c]; i < cells->start[c + 1]; i++) {
            assert_int_equal(seen[cells->rows[i]]++, 0);
            for (size_t v = 0; v < problem->promises.n_views; v++)
                assert_int_equal(covey_i_row_cells_code(&cells->view[v], i),
                                 covey_i_code(problem->promises.view[v].column, cells->rows[i]));
        }
    }
    free(seen);
}

/* By what rows were sorted by, if it fits, and by the table, which knows the same. */
static void check_cells(problem_maker *m, bool is_packed)
{
    covey_sorted_rows sorted;
    covey_row_cells cells;

    assert_int_equal(covey_i_problem_order(&sorted, &m->problem, NULL, NULL), COVEY_OK);
    assert_int_equal(sorted.packed != NULL, is_packed);
    assert_int_equal(covey_i_row_cells_new(&cells, &m->problem, &sorted, false, &m->arena, NULL, NULL), COVEY_OK);
    check_rows(&cells, &m->problem);
    covey_i_free(sorted.packed);
    sorted.packed = NULL;
    assert_int_equal(covey_i_row_cells_new(&cells, &m->problem, &sorted, false, &m->arena, NULL, NULL), COVEY_OK);
    check_rows(&cells, &m->problem);
    covey_i_sorted_rows_clear(&sorted);
}

static bool fits(const covey_problem *problem)
{
    double n = 1;

    for (size_t f = 0; f < problem->n_fields; f++)
        n *= problem->field[f].column->n_values;
    return n <= 4294967296.0;
}

static void cells_hold_rows_with_equal_quasi_identifiers(void **state)
{
    for (uint64_t number = 0; number < N_PROBLEMS; number++) {
        problem_maker m;

        random_problem(&m, number, NULL);
        check_cells(&m, fits(&m.problem));
        maker_clear(&m);
    }
}

static void codes_that_do_not_fit_one_number_make_cells_too(void **state)
{
    enum { N = 900, N_AXES = 5 };
    static const char *const name[N_AXES] = {"a", "b", "c", "d", "e"};
    uint64_t random = 4;
    uint32_t codes[N];
    problem_maker m;

    maker_init(&m, N);
    for (size_t a = 0; a < N_AXES; a++) {
        for (uint32_t i = 0; i < N; i++)
            codes[i] = maker_below(&random, 2) * 299;
        maker_add_range(&m, name[a], codes, 300, false, NULL);
    }
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    check_cells(&m, false);
    maker_clear(&m);
}

/* The cells shuffled and cut into classes, a few of them left out. */
struct classes {
    uint32_t n, *cell, *class_of_row;
    covey_span *items;
    uint32_t *low, *high;
};

static void make_classes(struct classes *c, const covey_row_cells *cells, problem_maker *m, uint64_t number)
{
    uint64_t random = number * 31 + 7;
    const uint32_t n_rows = m->problem.n_rows, most = 1 + maker_below(&random, 6);
    const size_t d = m->problem.n_axes;

    *c = (struct classes){0,
                          covey_arena_array(&m->arena, uint32_t, cells->n),
                          covey_arena_array(&m->arena, uint32_t, n_rows),
                          covey_arena_array(&m->arena, covey_span, cells->n),
                          covey_arena_array(&m->arena, uint32_t, cells->n * d),
                          covey_arena_array(&m->arena, uint32_t, cells->n * d)};
    memset(c->class_of_row, 0xff, n_rows * sizeof *c->class_of_row);
    for (uint32_t i = 0; i < cells->n; i++) {
        const uint32_t at = maker_below(&random, i + 1);

        c->cell[i] = c->cell[at];
        c->cell[at] = i;
    }
    for (uint32_t i = 0; i < cells->n;) {
        const uint32_t left = cells->n - i, n = 1 + maker_below(&random, most < left ? most : left);

        if (maker_below(&random, 10)) {
            c->items[c->n] = (covey_span){i, n};
            covey_i_row_cells_range(c->low + c->n * d, c->high + c->n * d, cells, d, c->cell + i, n);
            for (uint32_t k = i; k < i + n; k++)
                for (uint32_t r = cells->start[c->cell[k]]; r < cells->start[c->cell[k] + 1]; r++)
                    c->class_of_row[cells->rows[r]] = c->n;
            c->n++;
        }
        i += n;
    }
}

/* The same classes by pieces of rows, which are equal where contents are known. */
static covey_class_cells by_spans(const covey_class_cells *classes, const covey_sorted_rows *sorted, bool with_contents,
                                  problem_maker *m)
{
    covey_span *span = covey_arena_array(&m->arena, covey_span, sorted->n),
               *class = covey_arena_array(&m->arena, covey_span, classes->n_classes);
    uint32_t *content = covey_arena_array(&m->arena, uint32_t, sorted->n), n = 0;
    covey_class_cells out = *classes;

    for (uint32_t c = 0; c < classes->n_classes; c++) {
        class[c].start = n;
        for (uint32_t k = classes->class[c].start; k < classes->class[c].start + classes->class[c].n; k++)
            for (uint32_t from = classes->start[classes->cell[k]], end = classes->start[classes->cell[k] + 1], r = from;
                 r < end; r++) {
                if (r == from || (with_contents && sorted->packed[r] != sorted->packed[r - 1]))
                    span[n++] = (covey_span){r, 0};
                span[n - 1].n++;
                content[n - 1] = with_contents ? (uint32_t)(sorted->packed[r] % sorted->n_contents) : 0;
            }
        class[c].n = n - class[c].start;
    }
    out.start = out.cell = NULL;
    out.class = class;
    out.span = span;
    out.content = with_contents ? content : NULL;
    out.n_contents = with_contents ? (uint32_t)sorted->n_contents : 0;
    return out;
}

static void check_spans(const covey_class_cells *classes, const covey_sorted_rows *sorted, problem_maker *m,
                        const char *expected)
{
    for (int with_contents = 0; with_contents <= (sorted->packed != NULL && sorted->n_contents < 100000);
         with_contents++) {
        const covey_class_cells spans = by_spans(classes, sorted, with_contents, m);
        covey_release *release;
        char *given;

        assert_int_equal(covey_i_release_of_cells(&release, &m->problem, &spans, NULL, NULL), COVEY_OK);
        given = maker_published(release, &m->problem);
        assert_string_equal(given, expected);
        covey_i_free(given);
        covey_release_free(release);
    }
}

static void classes_of_cells_are_published_as_those_of_rows(void **state)
{
    for (uint64_t number = 0; number < N_PROBLEMS; number++)
        for (int has_regions = 0; has_regions < 2; has_regions++) {
            problem_maker m;
            covey_sorted_rows sorted;
            covey_release *of_cells, *of_rows;
            covey_row_cells cells;
            struct classes c;
            char *given, *expected;

            random_problem(&m, number, NULL);
            assert_int_equal(covey_i_problem_order(&sorted, &m.problem, NULL, NULL), COVEY_OK);
            assert_int_equal(covey_i_row_cells_new(&cells, &m.problem, &sorted, false, &m.arena, NULL, NULL), COVEY_OK);
            make_classes(&c, &cells, &m, number);
            for (size_t i = 0; has_regions && i < c.n * m.problem.n_axes;
                 i++) { /* a little wider than what the rows attain */
                c.low[i] -= c.low[i] > 0;
                c.high[i] += c.high[i] + 1 < m.problem.axis[i % m.problem.n_axes].n_values;
            }
            const covey_class_cells classes = {
                .rows = cells.rows,
                .start = cells.start,
                .cell = c.cell,
                .n_classes = c.n,
                .class = c.items,
                .low = c.low,
                .high = c.high,
                .has_regions = has_regions,
            };
            const covey_regions regions = {.low = c.low, .high = c.high};

            assert_int_equal(covey_i_release_of_cells(&of_cells, &m.problem, &classes, NULL, NULL), COVEY_OK);
            assert_int_equal(covey_i_release_of_regions(&of_rows, &m.problem, c.class_of_row, c.n,
                                                        has_regions ? &regions : NULL, NULL, NULL),
                             COVEY_OK);
            given = maker_published(of_cells, &m.problem);
            expected = maker_published(of_rows, &m.problem);
            assert_int_equal(of_cells->n_classes, of_rows->n_classes);
            assert_int_equal(of_cells->n_published, of_rows->n_published);
            assert_true(of_cells->ail == of_rows->ail);
            assert_int_equal(of_cells->has_regions, of_rows->has_regions);
            if (of_rows->n_classes > 0) {
                assert_string_equal(given, expected);
                check_spans(&classes, &sorted, &m, expected);
            }
            covey_i_free(given);
            covey_i_free(expected);
            covey_release_free(of_cells);
            covey_release_free(of_rows);
            covey_i_sorted_rows_clear(&sorted);
            maker_clear(&m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_hold_rows_with_equal_quasi_identifiers),
        cmocka_unit_test(codes_that_do_not_fit_one_number_make_cells_too),
        cmocka_unit_test(classes_of_cells_are_published_as_those_of_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
