/* Full-domain generalization: every attribute is generalized to one level everywhere; rows whose class breaks a promise
 * are suppressed as far as the policy allows.  The best node of the lattice of levels, exactly.
 *
 * Classes publish what the levels say of them; with publish-boxes: tight the ranges and labels of their own rows, which
 * lie below. Source: [Samarati01], [Sweeney02], [LeFevre05]; docs/design/full-domain.md. */
#include "method/full_domain/full_domain.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "method/widen.h"

enum { SEARCH_AUTO, SEARCH_SAMARATI, SEARCH_DATAFLY, MOST_SHOWN = 8 };

struct full_domain_params {
    covey_class_params common; /* first */
    int metric;                /* covey_lattice_metric */
    int search;
};

/* --- the search --- */

static covey_status search(covey_lattice_found *found, const covey_lattice *lattice, const covey_lattice_groups *base,
                           const struct full_domain_params *params, covey_arena *arena, const covey_run *run,
                           covey_error *err)
{
    const covey_lattice_metric metric = (covey_lattice_metric)params->metric;
    const bool is_large = lattice->n_nodes > COVEY_LATTICE_MOST_NODES,
               is_swept = lattice->n_nodes <= COVEY_LATTICE_MOST_SWEPT && lattice->problem->loss_to_beat == 0;

    if (params->search == SEARCH_DATAFLY)
        return covey_i_full_domain_datafly(found, lattice, base, metric, arena, run, err);
    if (params->search == SEARCH_SAMARATI && is_large)
        return covey_i_refuse_param(err, "search",
                                    "search: samarati looks at whole heights of the lattice, which has more than %d "
                                    "nodes; use search: auto",
                                    COVEY_LATTICE_MOST_NODES);
    if (params->search == SEARCH_SAMARATI)
        return covey_i_full_domain_samarati(found, lattice, base, metric, arena, run, err);
    if (is_swept) {
        COVEY_TRY(covey_i_full_domain_search(found, lattice, base, metric, arena, run, err));
        if (found->found || !found->was_stopped)
            return COVEY_OK;
    }
    if (!is_large)
        return covey_i_full_domain_chains(found, lattice, base, metric, arena, run, err);
    if (lattice->problem->loss_to_beat > 0)
        return COVEY_OK; /* a path through so large a lattice takes long, and ends high up */
    COVEY_TRY(covey_i_full_domain_descend(found, lattice, base, metric, arena, run, err));
    return found->found ? COVEY_OK : covey_i_full_domain_datafly(found, lattice, base, metric, arena, run, err);
}

static covey_status infeasible(const covey_lattice *lattice, bool is_proven, covey_arena *arena, const covey_run *run,
                               covey_error *err)
{
    const covey_problem *problem = lattice->problem;
    uint32_t *rows, n;

    if (problem->loss_to_beat > 0)
        return covey_fail(err, COVEY_EINFEASIBLE,
                          "no combination of levels was found that keeps the policy and loses less than %g",
                          problem->loss_to_beat);
    COVEY_TRY(covey_i_start(&rows, &n, problem, arena, run,
                            err)); /* says why, if not even one class of everything keeps the policy */
    covey_fail(err, COVEY_EINFEASIBLE,
               "full-domain generalization %s keep the policy when %" PRId64
               " of %u row%s may be suppressed, on any combination of levels; "
               "allow more suppression or use a method that cuts (mondrian, elastic, peel)",
               is_proven ? "cannot" : "was not found to", problem->max_suppressed, problem->n_rows,
               covey_i_plural(problem->n_rows));
    return covey_i_method_name_nearest(problem, err);
}

/* --- the release --- */

static covey_status assign(uint32_t *class_of_row, uint32_t *n_classes, const covey_lattice *lattice,
                           const covey_lattice_groups *base, const uint32_t *group_of_row,
                           const covey_lattice_found *found, covey_lattice_metric metric, covey_error *err)
{
    const uint32_t n_rows = lattice->problem->n_rows;
    uint8_t *bottom = covey_i_array_zero(lattice->n_attributes + 1, 1);
    covey_lattice_worker worker = {0};
    covey_lattice_groups groups = {0};
    covey_lattice_verdict verdict;
    bool *is_kept = NULL;
    covey_status status;

    if (!bottom) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_full_domain_worker_new(&worker, lattice, err)) != COVEY_OK ||
        (status = covey_i_full_domain_groups_roll_up(&groups, NULL, &worker, base, bottom, found->level, err)) !=
            COVEY_OK)
        goto done;
    if (!(is_kept = covey_i_array(groups.n, sizeof *is_kept))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    covey_i_full_domain_judge(&verdict, is_kept, &worker, &groups, found->level, metric);
    for (uint32_t i = 0; i < n_rows; i++) {
        const uint32_t g = worker.group_of[group_of_row[i]];

        class_of_row[lattice->row[i]] = is_kept[g] ? g : COVEY_CLASS_SUPPRESSED;
    }
    *n_classes = groups.n;
done:
    covey_i_free(is_kept);
    covey_i_free(bottom);
    covey_i_full_domain_groups_clear(&groups);
    covey_i_full_domain_worker_clear(&worker);
    return status;
}

static size_t add_levels(char *out, size_t size, size_t used, const covey_lattice *lattice, const uint8_t *level)
{
    for (size_t a = 0; a < lattice->n_attributes && used < size; a++)
        used += (size_t)snprintf(out + used, size - used, "%s%d", a ? " " : "", level[a]);
    return used;
}

/* Which levels are minimal, in words.  How many nodes keep the policy, and which of them are minimal, tells whoever
 * knows most of the rows what breaks it: that is for who publishes alone. */
static void describe(covey_release *release, const covey_lattice *lattice, const covey_lattice_found *found, int search)
{
    char *out = release->remark;
    const size_t size = sizeof release->remark;
    size_t used;
    int height = 0;

    for (size_t a = 0; a < lattice->n_attributes; a++)
        height += found->level[a];
    if (search == SEARCH_SAMARATI) {
        snprintf(out, size, "least height %d: %" PRIu64 " of its nodes keep the policy", height, found->n_good);
        return;
    }
    if (found->n_judged > 0 && !found->is_optimal)
        snprintf(release->note, sizeof release->note, "the search was ended before its time: not proven to be optimal");
    if (found->n_judged > 0) {
        snprintf(out, size, "%" PRIu64 " nodes in the lattice, %" PRIu32 " looked at", lattice->n_nodes,
                 found->n_judged);
        return;
    }
    if (found->n_minimal == 0) {
        snprintf(release->note, sizeof release->note, "%s",
                 search == SEARCH_DATAFLY ? "found by the Datafly heuristic: not optimal in general"
                                          : "the lattice is too large to search all of it: not proven to be optimal");
        return;
    }
    used = (size_t)snprintf(
        out, size, "%" PRIu64 " nodes in the lattice, %" PRIu64 " keep the policy, %u minimal (levels by attribute): ",
        lattice->n_nodes, found->n_good, found->n_minimal);
    for (uint32_t i = 0; i < found->n_minimal && i < MOST_SHOWN && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s", i ? "; " : "");
        used = used < size ? add_levels(out, size, used, lattice, found->minimal + (size_t)i * lattice->n_attributes)
                           : used;
    }
    if (found->n_minimal > MOST_SHOWN && used < size)
        snprintf(out + used, size - used, "; ...");
}

/* All of them, for who publishes: none is published, since each tells that all below it break the policy. */
static covey_status list_minimal(covey_release *release, const covey_lattice *lattice, const covey_lattice_found *found,
                                 covey_error *err)
{
    const size_t n = (size_t)found->n_minimal * lattice->n_attributes;

    if (n == 0)
        return COVEY_OK;
    if (!(release->objective.minimal = covey_i_array(n, sizeof *release->objective.minimal)))
        return covey_i_no_memory(err);
    memcpy(release->objective.minimal, found->minimal, n);
    release->objective.n_minimal = found->n_minimal;
    return COVEY_OK;
}

static const char *const metric_choices[] = {"loss", "height", "prec", "discernibility", "entropy", "cavg", NULL};

/* Can the search have found classes too narrow that are not?  Of a group of rows with missing cells and numbers only
 * the highest number is known, so that it may show more than is counted once other groups are taken out (judge.c).
 * Where rows are suppressed the answer does not depend on missing cells: those may be theirs. */
static bool may_be_too_strict(const covey_lattice *lattice, bool suppresses)
{
    const covey_promises *promises = &lattice->problem->promises;

    if (!lattice->shows_levels || lattice->problem->max_suppressed == 0)
        return false;
    for (size_t i = 0; i < promises->n; i++) {
        const int quasi = promises->promise[i].quasi;

        if (quasi >= 0 && lattice->problem->axis[quasi].kind == COVEY_AXIS_RANGE &&
            (suppresses || lattice->problem->axis[quasi].column->has_null))
            return true;
    }
    return false;
}

/* Classes that publish the same labels are one. */
static void count_classes(double *cost, bool *is_same, const covey_release *release, const covey_lattice *lattice,
                          covey_lattice_metric metric)
{
    const double n = release->n_rows, gone = n - release->n_published;
    double squares = 0;

    for (uint32_t c = 0; c < release->n_classes; c++)
        squares += pow(release->class_start[c + 1] - release->class_start[c], 2);
    if (metric == COVEY_METRIC_DISCERNIBILITY)
        *cost = squares + n * gone;
    if (metric == COVEY_METRIC_CAVG)
        *cost = (n - gone) / release->n_classes / (double)lattice->least_k;
    *is_same = false;
}

static covey_status set_objective(covey_release *release, const covey_lattice *lattice,
                                  const covey_lattice_found *found, const covey_lattice_shown *shown,
                                  const uint32_t *class_of_row, const struct full_domain_params *params,
                                  covey_error *err)
{
    covey_objective *objective = &release->objective;
    const int metric = params->metric;
    double cost = found->verdict.cost;
    bool is_same = true;

    if (!(objective->level = covey_i_array(lattice->n_attributes, sizeof *objective->level)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < lattice->n_attributes; a++)
        objective->level[a] = found->level[a];
    if (release->n_published < release->n_rows)
        COVEY_TRY(covey_i_full_domain_published(&cost, objective->level, &is_same, lattice, found->level, shown,
                                                class_of_row, (covey_lattice_metric)metric,
                                                params->common.publish_boxes == 1, err));
    if (release->n_classes != found->verdict.n_classes)
        count_classes(&cost, &is_same, release, lattice, (covey_lattice_metric)metric);
    objective->name = metric_choices[metric];
    objective->is_maximised = metric == COVEY_METRIC_PREC;
    objective->value = metric == COVEY_METRIC_PREC ? 1 - cost : cost;
    objective->optimal =
        found->is_optimal && is_same && !may_be_too_strict(lattice, release->n_published < release->n_rows);
    objective->has_bound = objective->optimal;
    objective->bound = objective->value;
    if (found->is_optimal && is_same && !objective->optimal)
        snprintf(release->note, sizeof release->note,
                 "promises on ranges were judged with care: not proven to be optimal");
    if (found->is_optimal && !is_same)
        snprintf(release->note, sizeof release->note, "%s", COVEY_RELEASE_NO_BOUND);
    return COVEY_OK;
}

/* publish-boxes: cut: what the levels say of a class, whatever of it its rows attain. */
struct reach {
    const covey_lattice_shown *shown;
    uint32_t **first, **last; /* [n_attributes][labels] codes */
};

/* Labels of a tree reach as far as their node: values under the root alone lie behind and between others. */
static void reach_nodes(uint32_t *first, uint32_t *last, const covey_axis *axis, const uint32_t *label, int level)
{
    for (uint32_t c = 0; c < axis->n_values; c++) {
        const covey_node *node = &covey_hierarchy_nodes(axis->tree)[covey_hierarchy_ancestor(axis->tree, c, level)];

        first[label[c]] = node->first_leaf;
        last[label[c]] = node->first_leaf + node->n_leaves - 1;
    }
}

static void reach_codes(uint32_t *first, uint32_t *last, uint32_t n_codes, const uint32_t *label)
{
    for (uint32_t c = 0; c < n_codes; c++)
        last[label[c]] = c;
    for (uint32_t c = n_codes; c-- > 0;)
        first[label[c]] = c;
}

static covey_status find_reach(struct reach *out, const covey_lattice *lattice, const covey_lattice_found *found,
                               const covey_lattice_shown *shown, covey_arena *arena, covey_error *err)
{
    *out = (struct reach){shown, covey_arena_array(arena, uint32_t *, lattice->n_attributes),
                          covey_arena_array(arena, uint32_t *, lattice->n_attributes)};
    if (!out->first || !out->last)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_axis *axis = lattice->attribute[a].axis;

        out->first[a] = covey_arena_array(arena, uint32_t, shown->n_labels[a]);
        out->last[a] = covey_arena_array(arena, uint32_t, shown->n_labels[a]);
        if (!out->first[a] || !out->last[a])
            return covey_i_no_memory(err);
        if (axis->kind == COVEY_AXIS_TREE)
            reach_nodes(out->first[a], out->last[a], axis, shown->label[a], found->level[a]);
        else
            reach_codes(out->first[a], out->last[a], axis->n_values, shown->label[a]);
    }
    return COVEY_OK;
}

static void widen_to_level(uint32_t *low, uint32_t *high, const void *grid, size_t axis)
{
    const struct reach *r = grid;
    const uint32_t *label = r->shown->label[axis], own_low = label[*low], own_high = label[*high];

    *low = r->first[axis][own_low];
    *high = r->last[axis][own_high];
}

static covey_status make_release(covey_release **out, const covey_lattice *lattice, const covey_lattice_groups *base,
                                 const uint32_t *group_of_row, const covey_lattice_found *found,
                                 const struct full_domain_params *params, const covey_run *run, covey_error *err)
{
    const uint32_t n_rows = lattice->problem->n_rows;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_lattice_shown shown;
    struct reach reach;
    uint32_t *class_of_row = covey_i_array(n_rows, sizeof *class_of_row), n_classes = 0;
    int32_t *level = covey_i_array(lattice->n_attributes, sizeof *level);
    covey_release *release = NULL;
    covey_status status;

    for (size_t a = 0; level && a < lattice->n_attributes; a++)
        level[a] = found->level[a];
    if (!class_of_row || !level)
        status = covey_i_no_memory(err);
    else if ((status = assign(class_of_row, &n_classes, lattice, base, group_of_row, found,
                              (covey_lattice_metric)params->metric, err)) == COVEY_OK &&
             (status = covey_i_full_domain_shown(&shown, lattice, found->level, class_of_row, n_classes, &arena,
                                                 err)) == COVEY_OK &&
             (status = find_reach(&reach, lattice, found, &shown, &arena, err)) == COVEY_OK &&
             (status = params->common.publish_boxes == 1
                           ? covey_i_widen_release(&release, lattice->problem, class_of_row, n_classes, widen_to_level,
                                                   &reach, level, run, err)
                           : covey_i_release_of_classes(&release, lattice->problem, class_of_row, n_classes, run,
                                                        err)) == COVEY_OK &&
             (status = set_objective(release, lattice, found, &shown, class_of_row, params, err)) == COVEY_OK &&
             (status = list_minimal(release, lattice, found, err)) == COVEY_OK) {
        describe(release, lattice, found, params->search);
        *out = release;
        release = NULL;
    }
    covey_release_free(release);
    covey_i_free(class_of_row);
    covey_i_free(level);
    covey_arena_free(&arena);
    return status;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct full_domain_params *p = params;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_lattice_groups base = {0};
    covey_lattice_found found = {0};
    uint32_t *group_of_row = NULL;
    covey_problem own = *problem;
    covey_lattice lattice;
    covey_status status;

    own.promises.has_regions = p->common.publish_boxes == 1;
    if ((status = covey_i_full_domain_lattice_new(&lattice, &own, &arena, run, err)) != COVEY_OK)
        goto done;
    if (!(group_of_row = covey_i_array(problem->n_rows, sizeof *group_of_row))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_full_domain_groups_base(&base, group_of_row, &lattice, err)) != COVEY_OK ||
        (status = search(&found, &lattice, &base, p, &arena, run, err)) != COVEY_OK)
        goto done;
    status = found.found ? make_release(out, &lattice, &base, group_of_row, &found, p, run, err)
                         : infeasible(&lattice, p->search == SEARCH_AUTO && lattice.n_nodes <= COVEY_LATTICE_MOST_NODES,
                                      &arena, run, err);
done:
    covey_i_full_domain_groups_clear(&base);
    covey_i_sorted_rows_clear(&lattice.sorted);
    covey_i_free(group_of_row);
    covey_arena_free(&arena);
    return status;
}

static const char *const search_choices[] = {"auto", "samarati", "datafly", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS_WITH("cut"),
    {.name = "metric",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct full_domain_params, metric),
     .fallback = "loss",
     .choices = metric_choices,
     .help = "what the best levels minimise (prec: maximise)"},
    {.name = "search",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct full_domain_params, search),
     .fallback = "auto",
     .choices = search_choices,
     .help = "auto: the optimum of a lattice of up to 1,048,576 nodes, of a larger one a path down from the top, "
             "not proven to be optimal; samarati: the least height, by bisection; datafly: the classical greedy"},
};

const covey_method covey_method_full_domain = {
    .name = "full-domain",
    .summary =
        "generalizes every attribute to one level everywhere and suppresses what is left; the best levels, exactly",
    .keeps = "every model on classes",
    .source = "LeFevre05, sections 3 and 4",
    .form = "generalized",
    .goes_last = true,
    .suppresses = COVEY_SUPPRESSES_TO_GAIN,
    .keeps_units = COVEY_UNITS_AS_CLASSES,
    .looks_at_all = "generalizes all rows alike, so that one part cannot know its levels",
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct full_domain_params),
    .accepts = covey_i_method_accepts_every_model,
    .run = run,
};
