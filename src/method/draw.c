/* From buckets to a release.  See draw.h.
 * Source: [CaoKarras12] section 4. */
#include "method/draw.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "table/table_impl.h"

const char *const covey_i_draw_retrieve_choices[] = {"sweep", "paper", NULL};

/* How many rows have each value. */
static int64_t *count_values(const covey_draw_rows *rows, uint32_t n_values, covey_arena *arena)
{
    int64_t *count = covey_arena_array_zero(arena, int64_t, n_values);

    for (uint32_t i = 0; count && i < rows->runs.n; i++)
        count[rows->value[i]] += rows->runs.start[i + 1] - rows->runs.start[i];
    return count;
}

/* From numbers of rows per class to rows. */
static covey_status fill_classes(uint32_t *class_of_row, uint32_t *n_classes, const covey_draw_buckets *buckets, const covey_draw_tree *tree,
                                 const covey_problem *problem, const covey_draw_scheme *scheme, const covey_draw_rows *rows,
                                 const covey_run *run, covey_error *err)
{
    uint32_t *leaf = covey_i_array(tree->node[0].n_leaves, sizeof *leaf);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_draw_curve curve = {0};
    covey_draw_piles piles;
    covey_status status;

    if (!leaf) {
        status = covey_fail(err, COVEY_ENOMEM, "%u classes", tree->node[0].n_leaves);
        goto done;
    }
    covey_i_draw_leaves(leaf, tree);
    if ((status = covey_i_draw_curve_new(&curve, problem, rows, run, err)) != COVEY_OK)
        goto done;
    if (!scheme->around)
        status = covey_i_draw_sweep(class_of_row, &curve, buckets, tree, leaf, run, err);
    else if ((status = covey_i_draw_piles_new(&piles, &curve, buckets, &arena, err)) == COVEY_OK)
        status = covey_i_draw_retrieve(class_of_row, &piles, &curve, tree, leaf, run, err);
    covey_arena_free(&arena);
    *n_classes = tree->node[0].n_leaves;
    if (status == COVEY_OK && scheme->post_split)
        status = covey_i_draw_split(class_of_row, n_classes, problem, &curve, problem->promises.view[scheme->view].column, scheme->min_size, run, err);
done:
    covey_i_draw_curve_clear(&curve);
    covey_i_free(leaf);
    return status;
}

/* Buckets, sizes of classes, rows of classes; there are rows. */
static covey_status draw(uint32_t *class_of_row, uint32_t *n_classes, size_t *n_buckets, const covey_problem *problem, const covey_draw_scheme *scheme,
                         const void *params, covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_column *sensitive = problem->promises.view[scheme->view].column;
    covey_draw_tree tree = {0};
    covey_draw_buckets buckets;
    covey_draw_rows drawn;
    covey_draw_fits fits;
    covey_status status;
    int64_t *count;
    void *context;

    COVEY_TRY(covey_i_draw_rows_new(&drawn, problem, sensitive, sorted, arena, run, err));
    covey_i_free(sorted->packed);
    sorted->packed = NULL;
    if (!(count = count_values(&drawn, sensitive->n_values, arena)))
        return covey_fail(err, COVEY_ENOMEM, "rows of %u sensitive values", sensitive->n_values);
    COVEY_TRY(scheme->plan(&buckets, &fits, &context, problem, params, count, sorted->n, arena, err));
    *n_buckets = buckets.n;
    if ((status = covey_i_draw_tree_new(&tree, buckets.size, buckets.n, scheme->min_size, fits, context, err)) == COVEY_OK)
        status = fill_classes(class_of_row, n_classes, &buckets, &tree, problem, scheme, &drawn, run, err);
    covey_i_draw_tree_clear(&tree);
    return status;
}

covey_status covey_i_draw_into_release(covey_release **out, const covey_problem *problem, const covey_draw_scheme *scheme, const void *params,
                                       const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sorted_rows sorted = {0};
    uint32_t *class_of_row = NULL, n_classes = 0;
    size_t n_buckets = 0;
    covey_status status;

    if ((status = covey_i_start_sorted(&sorted, problem, run, err)) != COVEY_OK)
        goto done;
    if (!(class_of_row = covey_i_array(problem->n_rows, sizeof *class_of_row))) {
        status = covey_fail(err, COVEY_ENOMEM, "classes of %u rows", problem->n_rows);
        goto done;
    }
    memset(class_of_row, 0xff, problem->n_rows * sizeof *class_of_row);
    if (sorted.n > 0 && (status = draw(class_of_row, &n_classes, &n_buckets, problem, scheme, params, &sorted, &arena, run, err)) != COVEY_OK)
        goto done;
    covey_i_sorted_rows_clear(&sorted); /* sorting needs much memory, too */
    covey_arena_free(&arena);
    if ((status = covey_i_release_of_classes(out, problem, class_of_row, n_classes, run, err)) == COVEY_OK && n_buckets > 0)
        snprintf((*out)->note, sizeof (*out)->note, "%s%zu bucket%s of sensitive values",
                 n_classes == 1 ? "single class: no halves keep the promises; " : "", n_buckets, n_buckets == 1 ? "" : "s");
done:
    covey_i_sorted_rows_clear(&sorted);
    covey_i_free(class_of_row);
    covey_arena_free(&arena);
    return status;
}
