/* The table without the rows that are suppressed, in values, types, domains and hierarchies. */
#include "release/settled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "release/figures.h"
#include "table/table_impl.h"

struct settling {
    covey_settled *out;
    const covey_problem *old;
    covey_release *release; /* NULL: keep tells what its rows have */
    bool *const *keep;      /* [n_fields][values] */
    uint32_t **map; /* [n_axes][values] from old codes to new ones; UINT32_MAX: no published row has it; NULL: nothing
                       changes */
    bool *is_narrower; /* [n_axes] what losses are measured by has changed */
};

static covey_status no_memory_for_rows(const struct settling *s, covey_error *err)
{
    return covey_i_no_memory(err);
}

/* --- the problem --- */

/* What rows that are published hold; of quasi-identifiers and insensitive columns nothing else is left. */
static covey_status settle_values(struct settling *s, size_t f, bool *keep, covey_error *err)
{
    covey_field *field = &s->out->problem.field[f];
    covey_settled_field *settled = &s->out->field[f];

    COVEY_TRY(covey_i_release_settle_field(settled, field, field->axis >= 0 ? &s->old->axis[field->axis] : NULL, keep,
                                           &s->out->arena, err));
    if (!settled->column)
        return COVEY_OK;
    if (field->axis >= 0)
        s->map[field->axis] = settled->map;
    field->column = settled->column;
    if (settled->tree)
        field->tree = settled->tree;
    if (settled->tree && !covey_hierarchy_is_from_data(settled->tree))
        field->tree_spec = NULL; /* all of it is published */
    return COVEY_OK;
}

/* Where the prior is published it tells of all values anyway. */
static covey_status settle_sensitive(struct settling *s, size_t f, const bool *keep, covey_error *err)
{
    covey_problem *problem = &s->out->problem;
    covey_settled_field *settled = &s->out->field[f];
    covey_field *field = &problem->field[f];

    if (covey_i_promises_publish_prior(&s->old->promises, field->column))
        return COVEY_OK;
    COVEY_TRY(covey_i_release_settle_sensitive(&settled->column, field, keep, &s->out->arena, err));
    for (size_t v = 0; settled->column && v < problem->promises.n_views; v++)
        if (problem->promises.view[v].column == field->column)
            problem->promises.view[v].column = settled->column;
    if (settled->column)
        field->column = settled->column;
    return COVEY_OK;
}

static covey_status settle_field(struct settling *s, size_t f, covey_error *err)
{
    const covey_field *field = &s->old->field[f];
    bool *keep = covey_arena_array_zero(&s->out->arena, bool, field->column->n_values);

    if (!keep)
        return covey_i_no_memory(err);
    if (s->keep)
        memcpy(keep, s->keep[f], field->column->n_values * sizeof *keep);
    else
        covey_i_release_mark_codes(keep, s->release, s->old, field);
    return field->role == COVEY_ROLE_SENSITIVE ? settle_sensitive(s, f, keep, err) : settle_values(s, f, keep, err);
}

static covey_status settle_axis(struct settling *s, size_t a, covey_error *err)
{
    const covey_axis *old = &s->old->axis[a];
    covey_axis *axis = &s->out->problem.axis[a];
    const covey_field *field = covey_i_problem_field_of(&s->out->problem, a);
    int64_t unit = 1;

    if (!s->map[a])
        return COVEY_OK;
    for (int digit = field->column->scale; digit < old->column->scale; digit++)
        unit *= 10;
    axis->domain_low = old->is_declared ? old->domain_low / unit : 1; /* low > high: the data's */
    axis->domain_high = old->is_declared ? old->domain_high / unit : 0;
    COVEY_TRY(covey_i_axis_init(axis, old->kind, field->column, field->tree, err));
    s->is_narrower[a] = old->kind != COVEY_AXIS_FLAT && (__int128)axis->loss_den * unit != old->loss_den;
    return COVEY_OK;
}

/* Promises about ranges are bound to the columns. */
static covey_status settle_promises(struct settling *s, covey_error *err)
{
    covey_problem *problem = &s->out->problem;
    covey_promises *promises = &problem->promises;
    covey_promise *promise = covey_arena_array(&s->out->arena, covey_promise, promises->n);
    const covey_column **quasi = covey_arena_array(&s->out->arena, const covey_column *, problem->n_axes);
    int64_t *width = covey_arena_array(&s->out->arena, int64_t, problem->n_axes);

    if (!promise || !quasi || !width)
        return no_memory_for_rows(s, err);
    memcpy(promise, promises->promise, promises->n * sizeof *promise);
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];

        quasi[a] = axis->column;
        width[a] = axis->kind == COVEY_AXIS_RANGE ? axis->domain_high - axis->domain_low : -1;
    }
    promises->promise = promise;
    promises->quasi = quasi;
    promises->quasi_width = width;
    promises->shown_context = problem->axis;
    return covey_i_promises_prepare(promises, &s->out->arena, err);
}

static covey_status settle_problem(struct settling *s, covey_error *err)
{
    covey_problem *problem = &s->out->problem;
    covey_arena *arena = &s->out->arena;

    problem->field = covey_arena_array(arena, covey_field, problem->n_fields);
    problem->axis = covey_arena_array(arena, covey_axis, problem->n_axes);
    problem->promises.view = covey_arena_array(arena, covey_view, problem->promises.n_views);
    s->out->field = covey_arena_array_zero(arena, covey_settled_field, problem->n_fields);
    s->map = covey_arena_array_zero(arena, uint32_t *, problem->n_axes);
    s->is_narrower = covey_arena_array_zero(arena, bool, problem->n_axes);
    if (!problem->field || !problem->axis || !problem->promises.view || !s->out->field || !s->map || !s->is_narrower)
        return no_memory_for_rows(s, err);
    s->out->n = problem->n_fields;
    memcpy(problem->field, s->old->field, problem->n_fields * sizeof *problem->field);
    memcpy(problem->axis, s->old->axis, problem->n_axes * sizeof *problem->axis);
    if (problem->promises.n_views > 0)
        memcpy(problem->promises.view, s->old->promises.view, problem->promises.n_views * sizeof(covey_view));
    for (size_t f = 0; f < problem->n_fields; f++)
        COVEY_TRY(settle_field(s, f, err));
    for (size_t a = 0; a < problem->n_axes; a++)
        COVEY_TRY(settle_axis(s, a, err));
    return settle_promises(s, err);
}

/* --- the release --- */

/* The nearest codes inside that published rows have; there is one, because the class has rows. */
static void clip(uint32_t *low, uint32_t *high, const uint32_t *map)
{
    if (!map)
        return;
    while (map[*low] == UINT32_MAX)
        ++*low;
    while (map[*high] == UINT32_MAX)
        --*high;
    *low = map[*low];
    *high = map[*high];
}

/* Labels of levels stand as they are, whatever leaves are left under them: of steps that are built again these may be
 * more, or fewer, than the search has seen.  Where leaves stand under the root alone, its label holds more than the
 * first leaf's node of that level. */
static void span_label(uint32_t *low, uint32_t *high, const covey_axis *axis, int level)
{
    const covey_node *node;

    do
        node = &covey_hierarchy_nodes(axis->tree)[covey_hierarchy_ancestor(axis->tree, *low, level++)];
    while (*high >= node->first_leaf + node->n_leaves);
    *low = node->first_leaf;
    *high = node->first_leaf + node->n_leaves - 1;
}

/* The same classes once more: their cells, and so their order, may look different. */
static covey_status make_again(covey_release **out, const struct settling *s, const covey_run *run, covey_error *err)
{
    const covey_release *old = s->release;
    const size_t d = s->old->n_axes, n = (size_t)old->n_classes * d;
    uint32_t *class_of_row = covey_i_array(old->n_rows, sizeof *class_of_row);
    covey_regions regions = {.low = covey_i_array(n, sizeof *regions.low),
                             .high = covey_i_array(n, sizeof *regions.high),
                             .label_level = old->label_level};
    covey_status status = COVEY_ENOMEM;

    if (!class_of_row || !regions.low || !regions.high) {
        status = no_memory_for_rows(s, err);
        goto done;
    }
    for (uint32_t row = 0; row < old->n_rows; row++)
        class_of_row[row] = COVEY_CLASS_SUPPRESSED;
    for (uint32_t c = 0; c < old->n_classes; c++) {
        for (uint32_t i = old->class_start[c]; i < old->class_start[c + 1]; i++)
            class_of_row[old->row_order[i]] = c;
        for (size_t a = 0; a < d; a++) {
            regions.low[c * d + a] = old->low[c * d + a];
            regions.high[c * d + a] = old->high[c * d + a];
            clip(&regions.low[c * d + a], &regions.high[c * d + a], s->map[a]);
            if (old->label_level && s->map[a] && s->out->problem.axis[a].kind == COVEY_AXIS_TREE)
                span_label(&regions.low[c * d + a], &regions.high[c * d + a], &s->out->problem.axis[a],
                           old->label_level[a]);
        }
    }
    status = old->has_regions
                 ? covey_i_release_of_regions(out, &s->out->problem, class_of_row, old->n_classes, &regions, run, err)
                 : covey_i_release_of_classes(out, &s->out->problem, class_of_row, old->n_classes, run, err);
done:
    covey_i_free(class_of_row);
    covey_i_free(regions.low);
    covey_i_free(regions.high);
    return status;
}

/* Groups keep their labels, by which pieces and buckets are in order.  Those of a balanced hierarchy may be called
 * after values that only suppressed rows have: then there is no release. */
static covey_status check_labels(const covey_recoded *recoded, const covey_axis *axis, covey_arena *arena,
                                 covey_error *err)
{
    uint32_t *present = covey_arena_array(arena, uint32_t, axis->n_values);
    covey_text text = COVEY_TEXT_INIT;
    bool same = true, broken = !present;

    for (uint32_t g = 0; g < recoded->column->n_values && same && !broken; g++) {
        size_t n = 0;

        text.size = 0;
        for (uint32_t v = recoded->low[g]; v <= recoded->high[g]; v++)
            if (recoded->group_of_code[v] == g)
                present[n++] = v;
        if (n > 0)
            covey_i_axis_print(&text, axis, recoded->low[g], recoded->high[g], present, n);
        broken = text.broken;
        same = n == 0 || (text.size == covey_column_label_size(recoded->column, g) &&
                          memcmp(text.bytes, covey_column_label(recoded->column, g), text.size) == 0);
    }
    covey_i_text_free(&text);
    if (broken)
        return covey_i_no_memory(err);
    return same ? COVEY_OK
                : covey_fail(err, COVEY_EINFEASIBLE,
                             "column \"%s\": groups of its values would be called after values that only suppressed "
                             "rows have; give it a hierarchy "
                             "file, or say suppression: 0",
                             axis->column->name);
}

/* Groups of values of a form that publishes the others exactly. */
static covey_status settle_recoded(const struct settling *s, covey_release *release, covey_error *err)
{
    release->ail = 0;
    for (size_t a = 0; a < s->old->n_axes; a++) {
        covey_recoded *recoded = &release->recoded[a];
        const uint32_t *map = s->map[a];
        uint32_t *group;

        if (!recoded->column || !map)
            continue;
        for (uint32_t g = 0; g < recoded->column->n_values; g++)
            if (recoded->low[g] <= recoded->high[g])
                clip(&recoded->low[g], &recoded->high[g], map);
        if (!(group = covey_i_array_full(s->out->problem.axis[a].n_values, sizeof *group)))
            return no_memory_for_rows(s, err);
        for (uint32_t v = 0; v < s->old->axis[a].n_values; v++)
            if (map[v] != UINT32_MAX)
                group[map[v]] = recoded->group_of_code[v];
        covey_i_free(recoded->group_of_code);
        recoded->group_of_code = group;
        COVEY_TRY(check_labels(recoded, &s->out->problem.axis[a], &s->out->arena, err));
    }
    return COVEY_OK;
}

/* --- what was found --- */

static bool is_measured_in_losses(const char *objective)
{
    static const char *const names[] = {"ncp", "ncp-box"}; /* full-domain sees to its own */

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(objective, names[i]) == 0)
            return true;
    return false;
}

double covey_i_release_tight_loss(const covey_release *release, const covey_problem *problem)
{
    long double sum = (long double)(release->n_rows - release->n_published);

    for (uint32_t c = 0; c < release->n_classes; c++)
        for (size_t a = 0; a < problem->n_axes; a++) {
            const covey_axis *axis = &problem->axis[a];
            const uint32_t size = release->class_start[c + 1] - release->class_start[c];
            uint32_t low = UINT32_MAX, high = 0;

            for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
                const uint32_t code = covey_i_code(axis->column, release->row_order[i]);

                low = code < low ? code : low;
                high = code > high ? code : high;
            }
            sum += (long double)covey_ratio_value(axis->weight) * size * covey_i_axis_loss(axis, low, high) /
                   axis->loss_den;
        }
    return (double)(sum * problem->n_axes);
}

/* The search measured losses by what suppressed rows hold, too: its bound is one of other figures. */
static void settle_objective(covey_release *release, const struct settling *s)
{
    covey_objective *objective = &release->objective;
    const size_t used = strlen(release->note);
    bool is_narrower = false;

    for (size_t a = 0; a < s->old->n_axes; a++)
        is_narrower |= s->is_narrower[a];
    if (strcmp(objective->name, "ail") == 0)
        objective->value = release->ail;
    if (!is_measured_in_losses(objective->name))
        return;
    if (strcmp(objective->name, "ncp") ==
        0) /* also where it should be the same: the last digits tell in what order it was added up */
        objective->value = covey_i_release_tight_loss(release, &s->out->problem);
    if (objective->optimal && objective->has_bound)
        objective->bound = objective->value;
    if (!is_narrower)
        return;
    if (strcmp(objective->name, "ncp-box") == 0)
        objective->value = NAN; /* edges of boxes that reach to the ends of a domain which is not published */
    if (!objective->has_bound && !objective->optimal)
        return;
    objective->has_bound = objective->optimal = false;
    objective->stopped = NULL; /* "proven optimal" is said of the search's own figures, in the note */
    snprintf(release->note + used, sizeof release->note - used, "%s%s", used ? "; " : "", COVEY_RELEASE_NO_BOUND);
}

/* Everything but rows and classes, which the new release has. */
static void take_over(covey_release *release, covey_release *old)
{
    const char *name = old->objective.name;
    const double ail = release->ail;

    release->objective = old->objective;
    release->objective.name = name;
    release->facts = old->facts;
    memcpy(release->note, old->note, sizeof release->note);
    memcpy(release->remark, old->remark, sizeof release->remark);
    release->ail = ail;
    release->made_up = old->made_up;
    old->objective.level = NULL;
    old->objective.minimal = NULL;
    old->facts = NULL;
    old->made_up = NULL;
}

/* A class that was long enough only as long as it reached to a suppressed row. */
static covey_status check_ranges(const covey_release *release, const covey_problem *problem, covey_arena *arena,
                                 covey_error *err)
{
    covey_tally tally;

    if (!(covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_RANGES) || !release->low)
        return COVEY_OK;
    COVEY_TRY(covey_i_tally_new(&tally, &problem->promises, arena, err));
    for (uint32_t c = 0; c < release->n_classes; c++) {
        int broken;

        covey_i_release_tally(&tally, release, problem, c);
        if ((broken = covey_i_promises_broken(&problem->promises, &tally)) < 0)
            continue;
        return covey_fail(err, COVEY_EINFEASIBLE,
                          "a class keeps %s only in a region that reaches to the values of suppressed rows, which must "
                          "not be published: say publish-boxes: "
                          "tight, or allow fewer rows to be suppressed",
                          (size_t)broken < problem->promises.n ? problem->promises.promise[broken].model->name
                                                               : "min-size");
    }
    return COVEY_OK;
}

static covey_status settle_classes(covey_release **out, const struct settling *s, const covey_run *run,
                                   covey_error *err)
{
    covey_release *again = NULL;
    covey_status status = make_again(&again, s, run, err);

    if (status == COVEY_OK)
        status = check_ranges(again, &s->out->problem, &s->out->arena, err);
    if (status == COVEY_OK)
        *out = again;
    else
        covey_release_free(again);
    return status;
}

static void map_codes(covey_release *release, const covey_settled *settled, const covey_problem *old)
{
    for (size_t f = 0; f < settled->n && release->form->map_codes; f++)
        if (settled->field[f].map && !covey_i_release_recoded(release, &old->field[f]))
            release->form->map_codes(release, f, settled->field[f].map, settled->field[f].column->n_values);
}

covey_status covey_i_release_settle(covey_settled *settled, covey_release **release, const covey_problem *problem,
                                    const covey_run *run, covey_error *err)
{
    struct settling s = {.out = settled, .old = problem, .release = *release};
    covey_release *again = NULL;
    covey_status status;

    *settled = (covey_settled){.problem = *problem};
    if ((*release)->n_published == (*release)->n_rows || (*release)->n_published == 0)
        return COVEY_OK;
    COVEY_TRY(settle_problem(&s, err));
    if (!(*release)->low) {
        map_codes(*release, settled, problem);
        if ((*release)->recoded)
            COVEY_TRY(settle_recoded(&s, *release, err));
        for (size_t a = 0; (*release)->recoded && a < problem->n_axes; a++)
            (*release)->ail += covey_ratio_value(settled->problem.axis[a].weight) *
                               covey_i_release_axis_ail(*release, &settled->problem, a);
        settle_objective(*release, &s);
        return COVEY_OK;
    }
    if ((status = settle_classes(&again, &s, run, err)) != COVEY_OK)
        return status;
    take_over(again, *release);
    settle_objective(again, &s);
    covey_release_free(*release);
    *release = again;
    return COVEY_OK;
}

covey_status covey_i_release_settled_loss(double *loss, covey_release *release, const covey_problem *problem,
                                          const covey_run *run, covey_error *err)
{
    covey_settled settled = {.problem = *problem};
    struct settling s = {.out = &settled, .old = problem, .release = release};
    covey_release *again = NULL;
    covey_status status;

    *loss = release->ail;
    if (release->n_published == release->n_rows || release->n_published == 0 || !release->low)
        return COVEY_OK;
    if ((status = settle_problem(&s, err)) == COVEY_OK)
        status = settle_classes(&again, &s, run, err);
    *loss = again ? again->ail : NAN;
    covey_release_free(again);
    covey_i_settled_clear(&settled);
    return status;
}

covey_status covey_i_settle_problem(covey_settled *settled, const covey_problem *problem, bool *const *keep,
                                    covey_error *err)
{
    struct settling s = {.out = settled, .old = problem, .keep = keep};

    *settled = (covey_settled){.problem = *problem};
    return settle_problem(&s, err);
}

void covey_i_settled_clear(covey_settled *settled)
{
    for (size_t f = 0; f < settled->n; f++)
        covey_i_settled_field_clear(&settled->field[f]);
    covey_arena_free(&settled->arena);
    *settled = (covey_settled){0};
}
