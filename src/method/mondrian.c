/* Mondrian: greedy multidimensional partitioning.  The widest quasi-identifier is cut at its median as long as both halves
 * keep every promise.
 * Source: [LeFevre06]; order, ties and cuts as in docs/references.md under Mondrian; `cuts: 3` is ours. */
#include "method/mondrian_impl.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "method/local.h"

/* Cuts rows[0 .. n-1] into classes, numbered from 0; *order receives the cells in an order in which classes stand together. */
static covey_status cut_rows(uint32_t *class_of_row, uint32_t *n_classes, uint32_t **order_out, covey_regions *regions, covey_mondrian *m,
                             const covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run, covey_error *err)
{
    uint32_t *order, *class_of_cell;

    COVEY_TRY(covey_i_cells_new(&m->cells, m->problem, sorted, m->params->cut == 1, arena, run, err));
    order = covey_arena_array(arena, uint32_t, m->cells.n);
    class_of_cell = covey_arena_array(arena, uint32_t, m->cells.n);
    if (!order || !class_of_cell)
        return covey_fail(err, COVEY_ENOMEM, "classes of %u rows", sorted->n);
    for (uint32_t c = 0; c < m->cells.n; c++)
        order[c] = c;
    COVEY_TRY(covey_i_cut_all(class_of_cell, n_classes, regions, m->problem, order, m->cells.n, &covey_i_mondrian_cutter, m, run, err));
    for (uint32_t c = 0; c < m->cells.n; c++)
        for (uint32_t i = m->cells.start[c]; i < m->cells.start[c + 1]; i++)
            class_of_row[sorted->rows[i]] = class_of_cell[c];
    *order_out = order;
    return COVEY_OK;
}

/* --- refine: local --- */

struct refined {
    uint32_t *class_of_row, n_classes;
    double loss;
};

static covey_status cut_and_refine(struct refined *out, covey_mondrian *m, const covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run,
                                   covey_error *err)
{
    uint32_t *order;

    *out = (struct refined){.class_of_row = covey_arena_array(arena, uint32_t, m->problem->n_rows)};
    if (!out->class_of_row)
        return covey_fail(err, COVEY_ENOMEM, "classes of %u rows", m->problem->n_rows);
    memset(out->class_of_row, 0xff, m->problem->n_rows * sizeof *out->class_of_row);
    COVEY_TRY(cut_rows(out->class_of_row, &out->n_classes, &order, NULL, m, sorted, arena, run, err));
    return covey_i_local(out->class_of_row, &out->n_classes, &out->loss, sorted->rows, sorted->n, m->problem, run, err);
}

/* Local recoding of the classes that were asked for, and of relaxed ones, which it is defined on: whichever loses less. */
static covey_status refine(uint32_t *class_of_row, uint32_t *n_classes, covey_mondrian *m, const covey_sorted_rows *sorted, covey_arena *arena,
                           const covey_run *run, covey_error *err)
{
    static const covey_mondrian_params relaxed = {.cut = 1, .refine = 1};
    covey_mondrian other = {.problem = m->problem, .params = &relaxed};
    struct refined own, of_relaxed;

    COVEY_TRY(cut_and_refine(&own, m, sorted, arena, run, err));
    if (!m->splits && m->params->cut != 1) {
        COVEY_TRY(cut_and_refine(&of_relaxed, &other, sorted, arena, run, err));
        if (of_relaxed.loss < own.loss)
            own = of_relaxed;
    }
    memcpy(class_of_row, own.class_of_row, m->problem->n_rows * sizeof *class_of_row);
    *n_classes = own.n_classes;
    return COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run, covey_error *err)
{
    covey_mondrian m = {.problem = problem, .params = params};
    const bool publishes_regions = m.params->common.publish_boxes == 1;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_axis_splits *splits = NULL;
    covey_sorted_rows sorted = {0};
    uint32_t *order, *class_of_row = NULL, n_classes = 0;
    covey_regions regions = {0};
    covey_status status = COVEY_OK;

    if (m.params->splits)
        status = covey_i_splits_read(&splits, problem, m.params->splits, 0, "method mondrian", &arena, run, err);
    m.splits = splits;
    if (status != COVEY_OK || (status = covey_i_start_sorted(&sorted, problem, run, err)) != COVEY_OK)
        goto done;
    if (!(class_of_row = covey_i_array(problem->n_rows, sizeof *class_of_row))) {
        status = covey_fail(err, COVEY_ENOMEM, "classes of %u rows", problem->n_rows);
        goto done;
    }
    memset(class_of_row, 0xff, problem->n_rows * sizeof *class_of_row);
    if (m.params->refine == 1)
        status = refine(class_of_row, &n_classes, &m, &sorted, &arena, run, err);
    else
        status = cut_rows(class_of_row, &n_classes, &order, publishes_regions ? &regions : NULL, &m, &sorted, &arena, run, err);
    if (status != COVEY_OK)
        goto done;
    covey_arena_free(&arena);
    covey_i_sorted_rows_clear(&sorted);
    status = covey_i_release_of_regions(out, problem, class_of_row, n_classes, publishes_regions ? &regions : NULL, run, err);
done:
    covey_i_free(regions.low);
    covey_i_free(regions.high);
    covey_i_free(class_of_row);
    covey_i_sorted_rows_clear(&sorted);
    covey_arena_free(&arena);
    return status;
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const covey_mondrian_params *own = params;

    if (own->splits && (own->cut != 0 || own->cuts != 0))
        return covey_fail(err, COVEY_EINVAL, "splits go with cut: strict and cuts: 1 only");
    return own->refine == 1 ? covey_i_accepts_every_model(promises, params, err) : covey_i_accepts_with_regions(promises, params, err);
}

covey_status covey_i_mondrian_parts(uint32_t *part_of_row, uint32_t *n_parts, uint32_t *rows, uint32_t n, const covey_problem *problem,
                                    const covey_run *run, covey_error *err)
{
    static const covey_mondrian_params params = {.cut = 0, .cuts = 0};
    covey_mondrian m = {.problem = problem, .params = &params};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sorted_rows copy = {.n = n, .rows = covey_arena_array(&arena, uint32_t, n)};
    uint32_t *order;
    covey_status status;

    *n_parts = 0;
    if (copy.rows)
        memcpy(copy.rows, rows, n * sizeof *rows);
    if (!copy.rows)
        status = covey_fail(err, COVEY_ENOMEM, "parts of %u rows", n);
    else if ((status = cut_rows(part_of_row, n_parts, &order, NULL, &m, &copy, &arena, run, err)) == COVEY_OK)
        for (uint32_t c = 0, to = 0; c < m.cells.n; c++) {
            const uint32_t size = covey_i_cell_size(&m.cells, order[c]);

            memcpy(rows + to, copy.rows + m.cells.start[order[c]], size * sizeof *rows);
            to += size;
        }
    covey_arena_free(&arena);
    return status;
}

static const char *const cut_choices[] = {"strict", "relaxed", NULL}, *const cuts_choices[] = {"1", "3", NULL}, *const refine_choices[] = {"none", "local", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "cut", .type = COVEY_PARAM_CHOICE, .offset = offsetof(covey_mondrian_params, cut), .fallback = "strict", .choices = cut_choices,
     .help = "strict: equal values stay together; relaxed: rows are halved"},
    {.name = "cuts", .type = COVEY_PARAM_CHOICE, .offset = offsetof(covey_mondrian_params, cuts), .fallback = "1", .choices = cuts_choices,
     .help = "1: cut at the median; 3: also at the quartiles, on both sides of their values, whichever costs least"},
    {.name = "refine", .type = COVEY_PARAM_CHOICE, .offset = offsetof(covey_mondrian_params, refine), .fallback = "none", .choices = refine_choices,
     .help = "local: part classes into groups of near rows, which may overlap, also those of relaxed cuts, and publish what loses less"},
    {.name = "splits", .type = COVEY_PARAM_TREE, .offset = offsetof(covey_mondrian_params, splits),
     .help = "where attributes may be cut, as in {age: [20, 25], income: \"quantile:9\"}; also width:M, step:S, distinct, siblings, anywhere, none"},
};

const covey_method covey_method_mondrian = {
    .name = "mondrian",
    .summary = "cuts the widest attribute at its median, again and again; the classical baseline",
    .keeps = "every model on classes",
    .source = "LeFevre06, section 4",
    .form = "generalized",
    .in_parts = true,
    .params = param_list, .n_params = sizeof param_list / sizeof *param_list, .params_size = sizeof(covey_mondrian_params),
    .accepts = accepts,
    .run = run,
};
