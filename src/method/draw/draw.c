/* From buckets to a release.
 * Source: [CaoKarras12] section 4. */
#include "method/draw/draw.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/run.h"
#include "method/widen.h"
#include "table/table_impl.h"

enum {
    ROWS_PER_RUN = 2,  /* fewer on average, and a map from rows to classes takes less */
    BYTES_PER_ROW = 10 /* of the sweep, and with the rows' numbers it takes no more than sorting them did */
};

/* How many rows have each value. */
static int64_t *count_values(const covey_draw_rows *rows, uint32_t n_values, covey_arena *arena)
{
    int64_t *count = covey_arena_array_zero(arena, int64_t, n_values);

    for (uint32_t i = 0; count && i < rows->runs.n; i++)
        count[rows->value[i]] += rows->runs.start[i + 1] - rows->runs.start[i];
    return count;
}

/* Classes that are drawn: a map from rows to them, or what runs they have. */
struct drawn {
    size_t n_buckets;
    uint32_t n_classes;
    uint32_t *class_of_row; /* NULL: runs */
    covey_draw_classes classes;
};

static void drawn_clear(struct drawn *drawn)
{
    covey_i_free(drawn->class_of_row);
    covey_i_draw_classes_clear(&drawn->classes);
}

static covey_status draw_around(uint32_t *class_of_row, const covey_draw_curve *curve,
                                const covey_draw_buckets *buckets, const covey_draw_tree *tree, const uint32_t *leaf,
                                const covey_problem *problem, covey_draw_way way, const covey_run *run,
                                covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_draw_finder finder;
    covey_draw_piles piles;
    covey_status status = covey_i_draw_piles_new(&piles, curve, buckets, &arena, err);

    if (status == COVEY_OK)
        status = way == COVEY_DRAW_NEAREST
                     ? covey_i_draw_nearest_new(&finder, problem, &piles, curve, buckets->n, &arena, err)
                     : covey_i_draw_along_new(&finder, &piles, curve, buckets->n, &arena, err);
    if (status == COVEY_OK)
        status = covey_i_draw_retrieve(class_of_row, &piles, &finder, tree, leaf, run, err);
    covey_arena_free(&arena);
    return status;
}

/* From numbers of rows per class to rows. */
static covey_status draw_rows(struct drawn *out, const covey_draw_curve *curve, const covey_draw_buckets *buckets,
                              const covey_draw_tree *tree, const uint32_t *leaf, const covey_problem *problem,
                              const covey_draw_scheme *scheme, const covey_run *run, covey_error *err)
{
    covey_status status;

    if (!(out->class_of_row = covey_i_array(problem->n_rows, sizeof *out->class_of_row)))
        return covey_i_no_memory(err);
    memset(out->class_of_row, 0xff, problem->n_rows * sizeof *out->class_of_row);
    if (scheme->way == COVEY_DRAW_SWEEP)
        status = covey_i_draw_sweep(out->class_of_row, curve, buckets, tree, leaf, run, err);
    else
        status = draw_around(out->class_of_row, curve, buckets, tree, leaf, problem, scheme->way, run, err);
    if (status == COVEY_OK && scheme->post_split)
        status = covey_i_draw_split(out->class_of_row, &out->n_classes, problem, curve,
                                    problem->promises.view[scheme->view].column, scheme->min_size, run, err);
    return status;
}

/* The same, or to runs where they are few and the sweep alone decides. */
static covey_status fill_classes(struct drawn *out, const covey_draw_buckets *buckets, const covey_draw_tree *tree,
                                 const covey_problem *problem, const covey_draw_scheme *scheme,
                                 const covey_draw_rows *rows, covey_arena *of_runs, const covey_run *run,
                                 covey_error *err)
{
    uint32_t *leaf = covey_i_array(tree->node[0].n_leaves, sizeof *leaf);
    covey_draw_curve curve = {0};
    covey_status status;

    out->n_classes = tree->node[0].n_leaves;
    if (!leaf) {
        status = covey_i_no_memory(err);
        goto done;
    }
    covey_i_draw_leaves(leaf, tree);
    if ((status = covey_i_run_goes_on(run, "curve", 0, 0, err)) != COVEY_OK ||
        (status = covey_i_draw_curve_new(&curve, problem, rows, scheme->way == COVEY_DRAW_ALONG, run, err)) !=
            COVEY_OK ||
        (status = covey_i_run_goes_on(run, "draw", 0, 0, err)) != COVEY_OK)
        goto done;
    if (rows->code)
        status = covey_i_draw_sweep_runs(&out->classes, &curve, buckets, tree, leaf, problem, of_runs, run, err);
    else
        status = draw_rows(out, &curve, buckets, tree, leaf, problem, scheme, run, err);
done:
    covey_i_draw_curve_clear(&curve);
    covey_i_free(leaf);
    return status;
}

/* The numbers that rows were sorted by have said all; but their memory can hold the release's rows, and getting other
 * takes longer than it seems. */
static void forget_numbers(covey_sorted_rows *sorted)
{
    covey_i_free(sorted->packed);
    sorted->packed = NULL;
}

/* Buckets, sizes of classes, rows of classes; there are rows.  May leave sorted->packed as room. */
static covey_status draw(struct drawn *out, const covey_problem *problem, const covey_draw_scheme *scheme,
                         const void *params, covey_sorted_rows *sorted, const covey_run *run, covey_error *err)
{
    const covey_column *sensitive = problem->promises.view[scheme->view].column;
    covey_arena arena = COVEY_ARENA_INIT, of_runs = COVEY_ARENA_INIT;
    covey_draw_tree tree = {0};
    covey_draw_buckets buckets;
    covey_draw_rows rows;
    covey_draw_fits fits;
    covey_status status;
    int64_t *count;
    void *context;

    if ((status = covey_i_draw_rows_new(&rows, problem, sensitive, sorted, &of_runs, run, err)) != COVEY_OK)
        goto done;
    if (scheme->way == COVEY_DRAW_SWEEP && !scheme->post_split && !scheme->publishes_regions &&
        rows.runs.n <= rows.n / ROWS_PER_RUN &&
        (status = covey_i_draw_rows_find_codes(&rows, problem, sorted, &arena, run, err)) != COVEY_OK)
        goto done;
    if (!rows.code)
        forget_numbers(sorted);
    if (!(count = count_values(&rows, sensitive->n_values, &arena))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = scheme->plan(&buckets, &fits, &context, problem, params, count, sorted->n, &arena, err)) != COVEY_OK)
        goto done;
    out->n_buckets = buckets.n;
    if ((status = covey_i_run_goes_on(run, "tree", 0, 0, err)) != COVEY_OK ||
        (status = covey_i_draw_tree_new(&tree, buckets.size, buckets.n, scheme->min_size, fits, context, err)) !=
            COVEY_OK)
        goto done;
    if (rows.code && covey_i_draw_sweep_bytes(&rows, &buckets, &tree) / BYTES_PER_ROW > rows.n)
        forget_numbers(sorted);
    status = fill_classes(out, &buckets, &tree, problem, scheme, &rows, &of_runs, run, err);
done:
    covey_i_draw_tree_clear(&tree);
    covey_arena_free(&of_runs);
    covey_arena_free(&arena);
    return status;
}

/* --- publish-boxes: cut --- */

/* The grid that the curve runs through: [n_axes][codes] places. */
struct grid {
    const covey_problem *problem;
    uint32_t **place;
};

/* To whole squares of the grid that are at most as wide as the class. */
static void widen_to_squares(uint32_t *low, uint32_t *high, const void *grid, size_t axis)
{
    const struct grid *g = grid;
    const uint32_t width = g->place[axis][*high] - g->place[axis][*low];

    covey_i_widen_to_labels(low, high, g->place[axis], g->problem->axis[axis].n_values,
                            width ? 31 - __builtin_clz(width) : 0);
}

static covey_status find_places(struct grid *g, covey_arena *arena, covey_error *err)
{
    const int n_bits = covey_i_draw_bits(g->problem);

    if (!(g->place = covey_arena_array(arena, uint32_t *, g->problem->n_axes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < g->problem->n_axes; a++) {
        const covey_axis *axis = &g->problem->axis[a];
        uint16_t *coordinate;

        g->place[a] = covey_arena_array(arena, uint32_t, axis->n_values);
        const covey_arena_mark mark = covey_arena_save(arena);

        if (!g->place[a] || !(coordinate = covey_arena_array(arena, uint16_t, axis->n_values)))
            return covey_i_no_memory(err);
        covey_i_draw_coordinates(coordinate, axis, n_bits);
        for (uint32_t code = 0; code < axis->n_values; code++)
            g->place[a][code] = coordinate[code];
        covey_arena_rewind(arena, mark);
    }
    return COVEY_OK;
}

static covey_status release_squares(covey_release **out, const struct drawn *drawn, const covey_problem *problem,
                                    const covey_run *run, covey_error *err)
{
    struct grid grid = {.problem = problem};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = find_places(&grid, &arena, err);

    if (status == COVEY_OK)
        status = covey_i_widen_release(out, problem, drawn->class_of_row, drawn->n_classes, widen_to_squares, &grid,
                                       NULL, run, err);
    covey_arena_free(&arena);
    return status;
}

static covey_status make_release(covey_release **out, const struct drawn *drawn, const covey_problem *problem,
                                 const covey_column *sensitive, bool publishes_regions, covey_sorted_rows *sorted,
                                 const covey_run *run, covey_error *err)
{
    const covey_draw_classes *classes = &drawn->classes;
    const covey_class_cells cells = {
        .rows = sorted->rows,
        .n_classes = drawn->n_classes,
        .class = classes->class,
        .low = classes->low,
        .high = classes->high,
        .span = classes->span,
        .content = covey_i_problem_is_content(problem, sensitive) ? classes->value : NULL,
        .n_contents = sensitive->n_values,
        .room = drawn->class_of_row ? NULL : sorted->packed,
    };

    if (!drawn->class_of_row) {
        sorted->packed = NULL;
        return covey_i_release_of_cells(out, problem, &cells, run, err);
    }
    covey_i_sorted_rows_clear(sorted); /* sorting needs much memory, too */
    if (publishes_regions)
        return release_squares(out, drawn, problem, run, err);
    return covey_i_release_of_classes(out, problem, drawn->class_of_row, drawn->n_classes, run, err);
}

covey_status covey_i_draw_into_release(covey_release **out, const covey_problem *problem,
                                       const covey_draw_scheme *scheme, const void *params, const covey_run *run,
                                       covey_error *err)
{
    covey_sorted_rows sorted = {0};
    struct drawn drawn = {0};
    covey_status status;

    if ((status = covey_i_start_sorted(&sorted, problem, run, err)) == COVEY_OK && sorted.n > 0)
        status = draw(&drawn, problem, scheme, params, &sorted, run, err);
    if (status == COVEY_OK)
        status = make_release(out, &drawn, problem, problem->promises.view[scheme->view].column,
                              scheme->publishes_regions, &sorted, run, err);
    if (status == COVEY_OK && drawn.n_classes == 1)
        snprintf((*out)->note, sizeof(*out)->note, "single class: no halves keep the promises");
    if (status == COVEY_OK && drawn.n_classes > 0)
        snprintf((*out)->remark, sizeof(*out)->remark, "%zu bucket%s of sensitive values", drawn.n_buckets,
                 covey_i_plural(drawn.n_buckets));
    drawn_clear(&drawn);
    covey_i_sorted_rows_clear(&sorted);
    return status;
}
