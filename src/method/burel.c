/* BUREL: buckets of sensitive values that may stand for each other, classes by proportional halving of the buckets, rows along the
 * Hilbert curve.
 * Source: [CaoKarras12] section 4; docs/design/burel.md. */
#include "method/burel_impl.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "table/table_impl.h"

struct burel_params {
    covey_class_params common; /* first */
    int retrieve;              /* 0 sweep, 1 paper */
    covey_ratio slack;
    bool post_split, strict_combine;
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* The buckets stand on per-value caps that grow with the value's count: a class may then get a bucket's rows whatever their values. */
static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    static const char *const likeness[] = {"basic-beta-likeness", "enhanced-beta-likeness", NULL};
    static const char *const size_only[] = {"k-anonymity", NULL};
    int view = -1;

    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];

        if (is_one_of(promise->model->name, size_only))
            continue;
        if (!is_one_of(promise->model->name, likeness))
            return covey_fail(err, COVEY_EINVAL, "burel keeps basic and enhanced beta-likeness with k-anonymity, not %s", promise->model->name);
        if (view >= 0 && promise->view != view)
            return covey_fail(err, COVEY_EINVAL, "burel keeps beta-likeness of one sensitive attribute, not of several");
        view = promise->view;
    }
    if (view < 0)
        return covey_fail(err, COVEY_EINVAL, "burel needs a promise of beta-likeness: its classes follow from the bounds on sensitive values");
    return covey_i_accepts_every_model(promises, params, err);
}

/* What the caps of a class are found with. */
struct caps_context {
    const covey_promises *promises;
    int view;
    const covey_burel_buckets *buckets;
    int64_t *cap, *need; /* [values] */
};

static void caps_of_size(int64_t *cap, void *context, int64_t size)
{
    struct caps_context *c = context;
    const uint32_t n_values = c->promises->view[c->view].column->n_values;

    for (uint32_t v = 0; v < n_values; v++) {
        c->cap[v] = size;
        c->need[v] = 0;
    }
    covey_i_promises_bounds(c->promises, c->view, size, c->cap, c->need);
    for (size_t j = 0; j < c->buckets->n; j++)
        cap[j] = c->cap[c->buckets->value[c->buckets->first[j]]];
}

static int view_of(const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].view >= 0)
            return promises->promise[i].view;
    return -1;
}

/* Rows per value among those that take part. */
static void count_values(int64_t *count, const covey_column *column, const uint32_t *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        count[covey_i_code(column, rows[i])]++;
}

/* From rows to buckets to numbers of rows per class. */
static covey_status plan(covey_burel_buckets *buckets, covey_burel_tree *tree, const covey_problem *problem, const struct burel_params *params,
                         int64_t min_size, const uint32_t *rows, uint32_t n, covey_arena *arena, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    const int view = view_of(promises);
    const covey_column *sensitive = promises->view[view].column;
    int64_t *count = covey_arena_array_zero(arena, int64_t, sensitive->n_values);
    struct caps_context context = {promises, view, buckets, covey_arena_array(arena, int64_t, sensitive->n_values),
                                   covey_arena_array(arena, int64_t, sensitive->n_values)};

    if (!count || !context.cap || !context.need)
        return covey_fail(err, COVEY_ENOMEM, "bounds on %u sensitive values", sensitive->n_values);
    count_values(count, sensitive, rows, n);
    COVEY_TRY(covey_i_burel_buckets_new(buckets, promises, view, count, n, params->slack, params->strict_combine, arena, err));
    return covey_i_burel_tree_new(tree, buckets->size, buckets->n, min_size, caps_of_size, &context, err);
}

/* From numbers of rows per class to rows. */
static covey_status fill_classes(uint32_t *class_of_row, uint32_t *n_classes, const covey_burel_buckets *buckets, const covey_burel_tree *tree,
                                 const covey_problem *problem, const struct burel_params *params, int64_t min_size, const uint32_t *rows,
                                 uint32_t n, const covey_run *run, covey_error *err)
{
    const covey_column *sensitive = problem->promises.view[view_of(&problem->promises)].column;
    uint32_t *leaf = covey_i_array(tree->node[0].n_leaves, sizeof *leaf);
    covey_burel_curve curve = {0};
    covey_burel_piles piles = {0};
    covey_status status;

    if (!leaf) {
        status = covey_fail(err, COVEY_ENOMEM, "%u classes", tree->node[0].n_leaves);
        goto done;
    }
    covey_i_burel_leaves(leaf, tree);
    if ((status = covey_i_burel_curve_new(&curve, problem, rows, n, run, err)) != COVEY_OK ||
        (status = covey_i_burel_piles_new(&piles, &curve, buckets, sensitive, run, err)) != COVEY_OK)
        goto done;
    if (params->retrieve == 0)
        status = covey_i_burel_sweep(class_of_row, &piles, tree, leaf, run, err);
    else
        status = covey_i_burel_retrieve(class_of_row, &piles, &curve, tree, leaf, run, err);
    *n_classes = tree->node[0].n_leaves;
    if (status == COVEY_OK && params->post_split)
        status = covey_i_burel_split(class_of_row, n_classes, problem, &curve, sensitive, min_size, run, err);
done:
    covey_i_burel_piles_clear(&piles);
    covey_i_burel_curve_clear(&curve);
    covey_i_free(leaf);
    return status;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run, covey_error *err)
{
    const struct burel_params *p = params;
    const int64_t promised = covey_i_promises_min_size(&problem->promises);
    const int64_t min_size = p->common.min_size > promised ? p->common.min_size : promised;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_burel_buckets buckets;
    covey_burel_tree tree = {0};
    uint32_t *rows, *class_of_row = covey_i_array(problem->n_rows, sizeof *class_of_row), n, n_classes = 0;
    covey_status status;

    if (!class_of_row) {
        status = covey_fail(err, COVEY_ENOMEM, "classes of %u rows", problem->n_rows);
        goto done;
    }
    memset(class_of_row, 0xff, problem->n_rows * sizeof *class_of_row);
    if ((status = covey_i_start(&rows, &n, problem, &arena, run, err)) != COVEY_OK)
        goto done;
    if (n > 0 && ((status = plan(&buckets, &tree, problem, p, min_size, rows, n, &arena, err)) != COVEY_OK ||
                  (status = fill_classes(class_of_row, &n_classes, &buckets, &tree, problem, p, min_size, rows, n, run, err)) != COVEY_OK))
        goto done;
    if ((status = covey_i_release_of_classes(out, problem, class_of_row, n_classes, run, err)) == COVEY_OK && n > 0)
        snprintf((*out)->note, sizeof (*out)->note, "%s%zu bucket%s of sensitive values",
                 n_classes == 1 ? "single class: no halves keep the promises; " : "", buckets.n, buckets.n == 1 ? "" : "s");
done:
    covey_i_burel_tree_clear(&tree);
    covey_i_free(class_of_row);
    covey_arena_free(&arena);
    return status;
}

static const char *const retrieve_choices[] = {"sweep", "paper", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "retrieve", .type = COVEY_PARAM_CHOICE, .offset = offsetof(struct burel_params, retrieve), .fallback = "sweep",
     .choices = retrieve_choices,
     .help = "sweep: classes take their rows one after another along the curve; paper: each around a random row, as published"},
    {.name = "slack", .type = COVEY_PARAM_RATIO, .offset = offsetof(struct burel_params, slack), .fallback = "0", .minimum = "0",
     .maximum = "0.99", .help = "share of each bound that buckets leave free: more buckets, but smaller classes"},
    {.name = "post-split", .type = COVEY_PARAM_BOOL, .offset = offsetof(struct burel_params, post_split), .fallback = "false",
     .help = "halve finished classes as long as the rows they really got allow"},
    {.name = "strict-combine", .type = COVEY_PARAM_BOOL, .offset = offsetof(struct burel_params, strict_combine), .fallback = "false",
     .help = "buckets stay below their bound, as in the published listing, instead of reaching it"},
};

const covey_method covey_method_burel = {
    .name = "burel",
    .summary = "puts sensitive values into buckets and draws every class from all of them, along the Hilbert curve",
    .keeps = "basic and enhanced beta-likeness of one attribute, with k-anonymity",
    .source = "CaoKarras12, section 4",
    .form = "generalized",
    .params = param_list, .n_params = sizeof param_list / sizeof *param_list, .params_size = sizeof(struct burel_params),
    .accepts = accepts,
    .run = run,
};
