/* Mondrian: greedy multidimensional partitioning.  The widest quasi-identifier is cut at its median as long as both
 * halves keep every promise. Source: [LeFevre06]; order, ties and cuts as in docs/references.md under Mondrian; `cuts:
 * 3` is ours. */
#include "method/mondrian/cut.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "method/mondrian/local.h"

/* Classes of cells. */
struct cut {
    covey_mondrian_classes classes; /* spans of cell */
    uint32_t *cell;                 /* [cells] class by class */
};

/* Makes cells of the rows and cuts them into classes; clear cut->classes afterwards. */
static covey_status cut_cells(struct cut *cut, covey_mondrian *m, const covey_sorted_rows *sorted, bool with_regions,
                              covey_arena *arena, const covey_run *run, covey_error *err)
{
    with_regions = with_regions || m->min_length;
    COVEY_TRY(covey_i_row_cells_new(&m->cells, m->problem, sorted, m->params->cut == 1, arena, run, err));
    if (!(cut->cell = covey_arena_array(arena, uint32_t, m->cells.n)))
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < m->cells.n; c++)
        cut->cell[c] = c;
    return covey_i_mondrian_cut_all(&cut->classes, with_regions, m, cut->cell, run, err);
}

/* Gives rows the numbers of their classes. */
static void number_rows(uint32_t *class_of_row, const struct cut *cut, const covey_row_cells *cells)
{
    for (uint32_t c = 0; c < cut->classes.n; c++) {
        const covey_span class = cut->classes.cells[c];

        for (uint32_t k = class.start; k < class.start + class.n; k++)
            for (uint32_t i = cells->start[cut->cell[k]]; i < cells->start[cut->cell[k] + 1]; i++)
                class_of_row[cells->rows[i]] = c;
    }
}

/* The ranges that classes of cells attain. */
struct ranging {
    const struct cut *cut;
    const covey_row_cells *cells;
    size_t n_axes;
    uint32_t *low, *high; /* [classes][n_axes] */
};

enum { RANGE_TASKS = 8 };

static covey_status find_ranges(void *context, size_t task, covey_error *err)
{
    const struct ranging *r = context;
    const covey_mondrian_classes *classes = &r->cut->classes;
    const uint32_t begin = (uint32_t)((uint64_t)classes->n * task / RANGE_TASKS),
                   end = (uint32_t)((uint64_t)classes->n * (task + 1) / RANGE_TASKS);

    for (size_t c = begin; c < end; c++)
        covey_i_row_cells_range(r->low + c * r->n_axes, r->high + c * r->n_axes, r->cells, r->n_axes,
                                r->cut->cell + classes->cells[c].start, classes->cells[c].n);
    return COVEY_OK;
}

static covey_status cut_into_release(covey_release **out, covey_mondrian *m, covey_sorted_rows *sorted,
                                     covey_arena *arena, const covey_run *run, covey_error *err)
{
    const bool publishes_regions = m->params->common.publish_boxes == 1;
    const size_t d = m->problem->n_axes;
    struct cut cut = {0};
    struct ranging tight = {&cut, &m->cells, d, NULL, NULL};
    covey_class_cells classes;
    covey_status status;

    COVEY_TRY(cut_cells(&cut, m, sorted, publishes_regions, arena, run, err));
    covey_i_free(sorted->packed); /* the cells know what was asked of it */
    sorted->packed = NULL;
    classes = (covey_class_cells){
        .rows = m->cells.rows,
        .start = m->cells.start,
        .cell = cut.cell,
        .n_classes = cut.classes.n,
        .class = cut.classes.cells,
        .low = cut.classes.regions.low,
        .high = cut.classes.regions.high,
        .has_regions = publishes_regions,
    };
    if (!publishes_regions) {
        classes.low = tight.low = covey_arena_array(arena, uint32_t, cut.classes.n * d);
        classes.high = tight.high = covey_arena_array(arena, uint32_t, cut.classes.n * d);
        status = !tight.low || !tight.high
                     ? covey_i_no_memory(err)
                     : covey_i_parallel(covey_run_threads(run), RANGE_TASKS, find_ranges, &tight, err);
        if (status != COVEY_OK)
            goto done;
    }
    status = covey_i_release_of_cells(out, m->problem, &classes, run, err);
done:
    covey_i_mondrian_classes_clear(&cut.classes);
    return status;
}

/* --- refine: local --- */

struct refined {
    uint32_t *class_of_row, n_classes;
    double loss;
};

static covey_status cut_and_refine(struct refined *out, covey_mondrian *m, const covey_sorted_rows *sorted,
                                   covey_arena *arena, const covey_run *run, covey_error *err)
{
    struct cut cut = {0};

    *out = (struct refined){.class_of_row = covey_arena_array(arena, uint32_t, m->problem->n_rows)};
    if (!out->class_of_row)
        return covey_i_no_memory(err);
    memset(out->class_of_row, 0xff, m->problem->n_rows * sizeof *out->class_of_row);
    COVEY_TRY(cut_cells(&cut, m, sorted, false, arena, run, err));
    number_rows(out->class_of_row, &cut, &m->cells);
    out->n_classes = cut.classes.n;
    covey_i_mondrian_classes_clear(&cut.classes);
    return covey_i_local(out->class_of_row, &out->n_classes, &out->loss, sorted->rows, sorted->n, m->problem, run, err);
}

/* Local recoding of the classes that were asked for, and of relaxed ones, which it is defined on: whichever loses less.
 */
static covey_status refine_into_release(covey_release **out, covey_mondrian *m, const covey_sorted_rows *sorted,
                                        covey_arena *arena, const covey_run *run, covey_error *err)
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
    return covey_i_release_of_classes(out, m->problem, own.class_of_row, own.n_classes, run, err);
}

/* What is judged where regions are published: promises about ranges are about those of the regions. */
static covey_status prepare_regions(covey_mondrian *m, covey_problem *own, const covey_sorted_rows *sorted,
                                    covey_error *err)
{
    *own = *m->problem;
    own->promises.has_regions = true;
    m->problem = own;
    m->judges_regions = covey_i_promises_any_traits(&own->promises) & COVEY_MODEL_RANGES;
    return m->judges_regions && sorted->n < own->n_rows
               ? covey_i_shown_codes_new(&m->shown, own, sorted->rows, sorted->n, err)
               : COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    static const char owner[] = "method mondrian";
    covey_mondrian m = {.problem = problem, .params = params};
    covey_problem own;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_axis_splits *splits = NULL;
    covey_sorted_rows sorted = {0};
    covey_status status = COVEY_OK;

    if (m.params->splits)
        status = covey_i_error_about(
            covey_i_splits_read(&splits, problem, m.params->splits, 0, owner, &arena, run, err), "splits", err);
    m.splits = splits;
    if (status == COVEY_OK &&
        (status = covey_i_splits_lengths(&m.min_length, problem, m.params->min_length, owner, &arena, err)) == COVEY_OK)
        status = covey_i_splits_check_lengths(m.min_length, problem, owner, err);
    covey_i_error_about(status, "min-length", err);
    if (status == COVEY_OK)
        status = covey_i_start_sorted(&sorted, problem, run, err);
    if (status == COVEY_OK && m.params->common.publish_boxes == 1)
        status = prepare_regions(&m, &own, &sorted, err);
    if (status == COVEY_OK)
        status = m.params->refine == 1 ? refine_into_release(out, &m, &sorted, &arena, run, err)
                                       : cut_into_release(out, &m, &sorted, &arena, run, err);
    covey_i_shown_codes_clear(&m.shown);
    covey_i_sorted_rows_clear(&sorted);
    covey_arena_free(&arena);
    return status;
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const covey_mondrian_params *own = params;

    if (own->splits && (own->cut != 0 || own->cuts != 0))
        return covey_i_refuse_param(err, "splits", "splits go with cut: strict and cuts: 1 only");
    if (own->refine == 1 && own->common.publish_boxes == 1)
        return covey_i_refuse_param(err, "refine",
                                    "refine: local makes classes that are not regions that were cut: it publishes "
                                    "boxes tight, not cut");
    if (own->refine == 1 && own->min_length)
        return covey_i_refuse_param(
            err, "min-length",
            "refine: local makes classes that are not boxes that were cut: min-length goes with refine: none");
    return covey_i_method_accepts_every_model(promises, params, err);
}

covey_status covey_i_mondrian_parts(uint32_t *part_of_row, uint32_t *n_parts, uint32_t *rows, uint32_t n,
                                    const covey_problem *problem, const covey_run *run, covey_error *err)
{
    static const covey_mondrian_params params = {.cut = 0, .cuts = 0};
    covey_mondrian m = {.problem = problem, .params = &params};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sorted_rows copy = {.n = n, .rows = covey_arena_array(&arena, uint32_t, n)};
    struct cut cut = {0};
    covey_status status;

    *n_parts = 0;
    if (!copy.rows) {
        status = covey_i_no_memory(err);
        goto done;
    }
    memcpy(copy.rows, rows, n * sizeof *rows);
    if ((status = cut_cells(&cut, &m, &copy, false, &arena, run, err)) != COVEY_OK)
        goto done;
    number_rows(part_of_row, &cut, &m.cells);
    *n_parts = cut.classes.n;
    for (uint32_t c = 0, to = 0; c < m.cells.n; c++) {
        const uint32_t size = covey_i_row_cells_size(&m.cells, cut.cell[c]);

        memcpy(rows + to, copy.rows + m.cells.start[cut.cell[c]], size * sizeof *rows);
        to += size;
    }
done:
    covey_i_mondrian_classes_clear(&cut.classes);
    covey_arena_free(&arena);
    return status;
}

static bool cuts_units(const void *params)
{
    const covey_mondrian_params *own = params;

    return own->cut == 0 && own->cuts == 0 && own->refine == 0 && !own->splits && !own->min_length;
}

static const char *const cut_choices[] = {"strict", "relaxed", NULL}, *const cuts_choices[] = {"1", "3", NULL},
                         *const refine_choices[] = {"none", "local", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "cut",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(covey_mondrian_params, cut),
     .fallback = "strict",
     .choices = cut_choices,
     .help = "strict: equal values stay together; relaxed: rows are halved"},
    {.name = "cuts",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(covey_mondrian_params, cuts),
     .fallback = "1",
     .choices = cuts_choices,
     .help = "1: cut at the median; 3: also at the quartiles, on both sides of their values, whichever costs least"},
    {.name = "refine",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(covey_mondrian_params, refine),
     .fallback = "none",
     .choices = refine_choices,
     .help = "local: part classes into groups of near rows, which may overlap, also those of relaxed cuts, and publish "
             "what loses less"},
    {.name = "splits",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(covey_mondrian_params, splits),
     .help = "where attributes may be cut, as in {age: [20, 25], income: \"quantile:9\"}; also width:M, step:S, "
             "distinct, siblings, anywhere, none"},
    {.name = "min-length",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(covey_mondrian_params, min_length),
     .help = "least widths of the boxes that are cut, as in {age: 10}"},
};

const covey_method covey_method_mondrian = {
    .name = "mondrian",
    .summary = "cuts the widest attribute at its median, again and again; the classical baseline",
    .keeps = "every model on classes",
    .source = "LeFevre06, section 4",
    .form = "generalized",
    .keeps_units = COVEY_UNITS_AS_CLASSES,
    .sees_spread = true,
    .in_parts = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(covey_mondrian_params),
    .cuts_units = cuts_units,
    .accepts = accepts,
    .run = run,
};
