/* From buckets to a release.  See draw.h.
 * Source: [CaoKarras12] section 4. */
#include "method/draw.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "table/table_impl.h"

const char *const covey_i_draw_retrieve_choices[] = {"sweep", "paper", NULL};

void covey_i_draw_count_values(int64_t *count, const covey_column *column, const uint32_t *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        count[covey_i_code(column, rows[i])]++;
}

/* From numbers of rows per class to rows. */
static covey_status fill_classes(uint32_t *class_of_row, uint32_t *n_classes, const covey_draw_buckets *buckets, const covey_draw_tree *tree,
                                 const covey_problem *problem, const covey_draw_scheme *scheme, const uint32_t *rows, uint32_t n,
                                 const covey_run *run, covey_error *err)
{
    const covey_column *sensitive = problem->promises.view[scheme->view].column;
    uint32_t *leaf = covey_i_array(tree->node[0].n_leaves, sizeof *leaf);
    covey_draw_curve curve = {0};
    covey_draw_piles piles = {0};
    covey_status status;

    if (!leaf) {
        status = covey_fail(err, COVEY_ENOMEM, "%u classes", tree->node[0].n_leaves);
        goto done;
    }
    covey_i_draw_leaves(leaf, tree);
    if ((status = covey_i_draw_curve_new(&curve, problem, rows, n, run, err)) != COVEY_OK ||
        (status = covey_i_draw_piles_new(&piles, &curve, buckets, sensitive, run, err)) != COVEY_OK)
        goto done;
    if (scheme->around)
        status = covey_i_draw_retrieve(class_of_row, &piles, &curve, tree, leaf, run, err);
    else
        status = covey_i_draw_sweep(class_of_row, &piles, tree, leaf, run, err);
    *n_classes = tree->node[0].n_leaves;
    if (status == COVEY_OK && scheme->post_split)
        status = covey_i_draw_split(class_of_row, n_classes, problem, &curve, sensitive, scheme->min_size, run, err);
done:
    covey_i_draw_piles_clear(&piles);
    covey_i_draw_curve_clear(&curve);
    covey_i_free(leaf);
    return status;
}

covey_status covey_i_draw_into_release(covey_release **out, const covey_problem *problem, const covey_draw_scheme *scheme, const void *params,
                                       const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_draw_buckets buckets;
    covey_draw_tree tree = {0};
    covey_draw_fits fits;
    uint32_t *rows, *class_of_row = covey_i_array(problem->n_rows, sizeof *class_of_row), n, n_classes = 0;
    void *context;
    covey_status status;

    if (!class_of_row) {
        status = covey_fail(err, COVEY_ENOMEM, "classes of %u rows", problem->n_rows);
        goto done;
    }
    memset(class_of_row, 0xff, problem->n_rows * sizeof *class_of_row);
    if ((status = covey_i_start(&rows, &n, problem, &arena, run, err)) != COVEY_OK)
        goto done;
    if (n > 0 && ((status = scheme->plan(&buckets, &fits, &context, problem, params, rows, n, &arena, err)) != COVEY_OK ||
                  (status = covey_i_draw_tree_new(&tree, buckets.size, buckets.n, scheme->min_size, fits, context, err)) != COVEY_OK ||
                  (status = fill_classes(class_of_row, &n_classes, &buckets, &tree, problem, scheme, rows, n, run, err)) != COVEY_OK))
        goto done;
    if ((status = covey_i_release_of_classes(out, problem, class_of_row, n_classes, run, err)) == COVEY_OK && n > 0)
        snprintf((*out)->note, sizeof (*out)->note, "%s%zu bucket%s of sensitive values",
                 n_classes == 1 ? "single class: no halves keep the promises; " : "", buckets.n, buckets.n == 1 ? "" : "s");
done:
    covey_i_draw_tree_clear(&tree);
    covey_i_free(class_of_row);
    covey_arena_free(&arena);
    return status;
}
