/* Elastic cuts: top-down partitioning in which a cut that would give a class too many or too few rows of some sensitive
 * value is saved by moving the rows nearest to it, instead of being given up.
 *
 * Source: docs/design/elastic.md, after [CaoKarras12]. */
#include "method/elastic/elastic.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { MOST_RUNS = 8 }; /* of ten rows; with more, runs do not pay for their sizes */

struct elastic_params {
    covey_class_params common; /* first */
    int dims;                  /* 0 extent, 1 score */
    int64_t cuts;
};

/* The attribute whose counts steer the cuts: the first that is bounded, else the first. */
static void choose_view(covey_elastic *e)
{
    const covey_promises *promises = &e->problem->promises;

    e->view = promises->n_views > 0 ? 0 : -1;
    for (size_t v = 0; v < promises->n_views && !e->bounded; v++)
        if (covey_i_promises_have_bounds(promises, (int)v)) {
            e->view = (int)v;
            e->bounded = true;
        }
    e->n_values = e->view >= 0 ? promises->view[e->view].column->n_values : 1;
}

/* Is there a distance to repair?  Only the steering attribute is looked at while a cut is planned. */
static bool has_closeness(const covey_promises *promises, int view)
{
    covey_closeness closeness;

    if (promises->n_views != 1 || (covey_i_promises_any_traits(promises) & COVEY_MODEL_RANGES))
        return false;
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].view == view && covey_i_promise_closeness(&closeness, &promises->promise[i]))
            return true;
    return false;
}

/* Does a class of all n rows need rows of some value?  If not, no smaller one does. */
static covey_status find_needs(covey_elastic *e, uint32_t n, covey_arena *arena, covey_error *err)
{
    int64_t *cap = covey_arena_array(arena, int64_t, e->n_values),
            *need = covey_arena_array_zero(arena, int64_t, e->n_values);

    if (!cap || !need)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < e->n_values; v++)
        cap[v] = n;
    if (e->bounded)
        covey_i_promises_bounds(&e->problem->promises, e->view, n, cap, need);
    for (uint32_t v = 0; v < e->n_values; v++)
        e->has_needs = e->has_needs || need[v] > 0;
    return COVEY_OK;
}

/* Copies the rows to records: to runs where these are few. */
static covey_status make_records(covey_elastic *e, const covey_column *const *column, size_t n_columns,
                                 const covey_sorted_rows *sorted, const covey_run *run, covey_error *err)
{
    const size_t first =
        e->problem->n_axes + (column[e->problem->n_axes] == NULL); /* of the columns beside the quasi-identifiers */
    covey_arena arena = COVEY_ARENA_INIT;
    covey_row_runs runs;
    covey_status status;

    if ((status = covey_i_row_runs_new(&runs, e->problem, sorted, column + first, n_columns - first, &arena, run,
                                       err)) == COVEY_OK) {
        const bool are_few = runs.n <= sorted->n / 10 * MOST_RUNS;

        e->rows = are_few ? sorted->rows : NULL;
        status =
            covey_i_records_new(&e->records, column, n_columns, e->problem, sorted, are_few ? &runs : NULL, run, err);
    }
    covey_arena_free(&arena);
    return status;
}

/* Everything that all workers share; arena: may go once all is cut. */
static covey_status elastic_init(covey_elastic *e, uint32_t *ranges, const covey_problem *problem,
                                 const struct elastic_params *params, const covey_sorted_rows *sorted,
                                 covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    const size_t n_columns = problem->n_axes + 1 + promises->n_views;
    const covey_column **column = covey_arena_array(arena, const covey_column *, n_columns);
    const int64_t promised = covey_i_promises_min_size(promises);

    *e = (covey_elastic){.problem = problem,
                         .all_axes = params->dims == 1,
                         .stays_natural = params->common.publish_boxes == 1,
                         .n_cuts = (uint32_t)params->cuts,
                         .n_rows = sorted->n,
                         .min_size = params->common.min_size > promised ? params->common.min_size : promised,
                         .most_cells = COVEY_ELASTIC_MOST_CELLS,
                         .weight = covey_arena_array(arena, double, problem->n_axes)};
    if (!column || !e->weight)
        return covey_i_no_memory(err);
    choose_view(e);
    e->comes_close = has_closeness(promises, e->view);
    e->bounds_suffice = covey_i_promises_are_bounds(promises, e->view);
    COVEY_TRY(find_needs(e, sorted->n, arena, err));
    for (size_t a = 0; a < problem->n_axes; a++) {
        column[a] = problem->axis[a].column;
        e->weight[a] = covey_ratio_value(problem->axis[a].weight) / (double)problem->axis[a].loss_den;
    }
    column[problem->n_axes] = e->view >= 0 ? promises->view[e->view].column : NULL;
    for (size_t v = 0; v < promises->n_views; v++)
        column[problem->n_axes + 1 + v] = promises->n_views > 1 ? promises->view[v].column : NULL;
    COVEY_TRY(make_records(e, column, promises->n_views > 1 ? n_columns : problem->n_axes + 1, sorted, run, err));
    for (size_t a = 0; a < problem->n_axes; a++) {
        ranges[2 * problem->n_axes + a] = 0;
        ranges[3 * problem->n_axes + a] = problem->axis[a].n_values - 1;
    }
    for (size_t a = 0; e->records.n > 0 && a < problem->n_axes; a++)
        covey_i_records_range(&ranges[a], &ranges[problem->n_axes + a], &e->records.column[a], 0, 0, e->records.n);
    return COVEY_OK;
}

static covey_status make_release(covey_release **out, const covey_elastic *e, const covey_elastic_classes *classes,
                                 const covey_run *run, covey_error *err)
{
    const covey_column *steering = e->view >= 0 ? e->problem->promises.view[e->view].column : NULL;
    const covey_class_cells cells = {
        .rows = e->rows,
        .n_classes = classes->n,
        .class = classes->class,
        .low = classes->ranges.low,
        .high = classes->ranges.high,
        .has_regions = e->stays_natural,
        .span = classes->span,
        .content = covey_i_problem_is_content(e->problem, steering) ? classes->content : NULL,
        .n_contents = e->n_values,
    };

    if (classes->class_of_row)
        COVEY_TRY(covey_i_release_of_regions(out, e->problem, classes->class_of_row, classes->n,
                                             e->stays_natural ? &classes->ranges : NULL, run, err));
    else
        COVEY_TRY(covey_i_release_of_cells(out, e->problem, &cells, run, err));
    if (classes->n == 1)
        snprintf((*out)->note, sizeof(*out)->note, "single class: no cut keeps the promises");
    return COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sorted_rows sorted = {0};
    covey_elastic elastic = {0};
    covey_elastic_classes classes = {0};
    uint32_t *ranges = covey_arena_array(&arena, uint32_t, 4 * problem->n_axes);
    covey_status status;

    if (!ranges) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_start_sorted(&sorted, problem, run, err)) != COVEY_OK ||
        (status = elastic_init(&elastic, ranges, problem, params, &sorted, &arena, run, err)) != COVEY_OK)
        goto done;
    if (!elastic.records.are_runs)
        covey_i_sorted_rows_clear(&sorted);
    covey_i_free(sorted.packed);
    sorted.packed = NULL;
    if ((status = covey_i_elastic_cut_all(&classes, &elastic, ranges, run, err)) != COVEY_OK)
        goto done;
    covey_i_records_clear(&elastic.records); /* most of the memory that is in use now, and sorting needs much */
    status = make_release(out, &elastic, &classes, run, err);
done:
    covey_i_elastic_classes_clear(&classes);
    covey_i_records_clear(&elastic.records);
    covey_i_sorted_rows_clear(&sorted);
    covey_arena_free(&arena);
    return status;
}

static const char *const dims_choices[] = {"extent", "score", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "dims",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct elastic_params, dims),
     .fallback = "extent",
     .choices = dims_choices,
     .help = "extent: cut the widest attribute that can be cut; score: the one that leaves the least loss"},
    {.name = "cuts",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct elastic_params, cuts),
     .fallback = "3",
     .minimum = "1",
     .maximum = "15",
     .help = "thresholds tried along an attribute, at equal shares of the rows; 1: the median only"},
};

/* Of attributes that cannot be cut further without moving many rows others may lose much less, and it takes no time. */
static const char *const auto_names[] = {"dims"}, *const auto_texts[] = {"score"};
static const covey_auto_terms by_score = {
    .for_bounds = true, .n_params = 1, .param_names = auto_names, .param_texts = auto_texts};

const covey_method covey_method_elastic = {
    .name = "elastic",
    .summary =
        "cuts like mondrian, but moves rows across a cut where a class would get too many of one sensitive value",
    .keeps = "every model on classes; made for bounds on single values (beta, delta, probabilistic l, alpha-k) and "
             "t-closeness",
    .source = "CaoKarras12, for the bounds; the cuts as in docs/design/elastic.md",
    .form = "generalized",
    .keeps_units = COVEY_UNITS_AS_CLASSES,
    .sees_spread = true,
    .under_auto = {.also = &by_score},
    .in_parts = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct elastic_params),
    .accepts = covey_i_method_accepts_every_model,
    .run = run,
};
