/* Peel: crowds first.  Most rows of a table stand in crowded places and need hardly any generalization; they are taken
 * as classes first, at the finest levels, and only those who are left are generalized further.  Local search then
 * improves the partition row by row.
 *
 * This file is the method: its parameters, the trials that run side by side, the release of the best one.  How trials
 * go is planned in plan.c.
 * Source: docs/design/peel.md. */
#include "method/peel/cover.h"
#include "method/peel/search/search.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "method/widen.h"

#define ASIDE_SHARE 0.2 /* of the rows that are set aside: for their values */

enum {
    MOST_NODES = 1 << 14,
    ROWS_FOR_ALL_NODES = 1 << 18, /* with more rows fewer nodes are visited */
    AXES_FOR_CUTS = 12,           /* with more, cuts alone are tried as a start, too; ... */
    ROWS_FOR_CUTS = 1 << 17,      /* ... so they are with as many rows, and where promises ask for more than rows */
    MOST_ROWS_GUIDED = 1 << 20,   /* with more, what guides units is not searched for (docs/design/units.md) */
    LEAST_ROWS_CHOICE = 1 << 10,  /* with fewer, setting rows aside, or taking elastic's classes where those lose less,
                                     tells more of values than it wins; docs/design/minimality.md */
    MOST_ROWS_ASIDE = 1 << 20     /* with more, setting rows aside is not tried */
};

struct peel_params {
    covey_class_params common; /* first */
    const char *ladders;
    const char *until;
    int refine; /* 0 none, 1 local */
};

struct trials {
    covey_peel_table *t;
    int64_t most_suppressed;
    size_t n;
    covey_peel_plan plan[COVEY_PEEL_MOST_TRIALS];
    covey_peel p[COVEY_PEEL_MOST_TRIALS];
    bool has_begun[COVEY_PEEL_MOST_TRIALS];
    covey_peel_watch watch;
    bool refines;
    covey_arena arena, table_arena;
    covey_peel_saved start; /* of the first trial */
    double start_loss;
    covey_i128 *numerator; /* [n_axes] scratch */
};

/* What the partition loses, exactly. */
static double exact_loss(struct trials *trials)
{
    const covey_problem *problem = trials->t->problem;
    const covey_peel *p = &trials->p[0];
    covey_i128 *numerator = trials->numerator;
    const size_t d = problem->n_axes;
    int64_t n = 0;

    memset(numerator, 0, d * sizeof *numerator);
    for (uint32_t c = 0; c < p->n_classes; c++) {
        const uint32_t *low = covey_i_peel_box(p, c), *high = low + trials->t->width;

        for (size_t a = 0; a < d && p->class[c].n > 0; a++)
            numerator[a] += (covey_i128)covey_i_axis_loss(&problem->axis[a], low[a], high[a]) * p->class[c].n;
        n += p->class[c].n;
    }
    return covey_i_problem_ail(problem, numerator, problem->n_rows - n - trials->t->n_apart);
}

static covey_status suppress(struct trials *trials, covey_error *err)
{
    if (trials->most_suppressed <= 0 || trials->t->has_prior)
        return COVEY_OK;
    return covey_i_peel_suppress(&trials->p[0], trials->most_suppressed, err);
}

/* What search must not fall behind. */
static covey_status remember_start(struct trials *trials, covey_error *err)
{
    COVEY_TRY(covey_i_peel_save(&trials->start, &trials->p[0], &trials->arena, err));
    if (!(trials->numerator = covey_arena_array(&trials->arena, covey_i128, trials->t->n_axes)))
        return covey_i_no_memory(err);
    COVEY_TRY(suppress(trials, err));
    trials->start_loss = exact_loss(trials);
    return covey_i_peel_restore(&trials->p[0], &trials->start, err);
}

/* --- how to start --- */

enum { USUAL, SETS_ASIDE, CUTS, N_STARTS };

struct starts {
    struct trials *trials;
    bool is_tried[N_STARTS];
    covey_peel p[N_STARTS];
    int64_t total[N_STARTS];
};

/* Rows of rare values are set aside where values are capped.  Of many attributes only few combinations of levels are
 * visited, which serves crowds badly: there cuts alone may be better.  So they may where promises ask for more than
 * rows, and so they are where there are many rows a class, most of all where crowds stand apart and need not be served;
 * where these are most of the rows, nothing else is tried. */
static covey_peel_plan plan_of(const struct trials *trials, size_t start)
{
    covey_peel_plan plan = trials->plan[0];

    plan.aside = start == SETS_ASIDE ? ASIDE_SHARE : 0;
    if (start == CUTS)
        plan.until = 0;
    return plan;
}

static covey_status begin(covey_peel *p, struct trials *trials, const covey_peel_plan *plan, covey_error *err)
{
    COVEY_TRY(covey_i_peel_new(p, trials->t, err));
    p->watch = &trials->watch;
    p->price = trials->p[0].price;
    return covey_i_peel_begin(p, plan, err);
}

static covey_status try_start(void *context, size_t i, covey_error *err)
{
    struct starts *starts = context;
    const covey_peel_plan plan = plan_of(starts->trials, i);

    if (!starts->is_tried[i])
        return COVEY_OK;
    COVEY_TRY(begin(&starts->p[i], starts->trials, &plan, err));
    starts->total[i] = covey_i_peel_total(&starts->p[i]);
    return COVEY_OK;
}

/* What is dear is worth a closer look where such a class turns out to be good (docs/design/peel.md). */
static covey_status set_aside_well(struct starts *starts, covey_error *err)
{
    covey_peel_plan plan = plan_of(starts->trials, SETS_ASIDE);

    if (!starts->is_tried[SETS_ASIDE] || starts->total[SETS_ASIDE] >= starts->total[USUAL])
        return COVEY_OK;
    plan.roughness = COVEY_PEEL_THOROUGH;
    covey_i_peel_clear(&starts->p[SETS_ASIDE]);
    COVEY_TRY(begin(&starts->p[SETS_ASIDE], starts->trials, &plan, err));
    starts->total[SETS_ASIDE] = covey_i_peel_total(&starts->p[SETS_ASIDE]);
    return COVEY_OK;
}

/* A trial goes on from a start. */
static void hand_over(struct starts *starts, size_t start, size_t trial)
{
    struct trials *trials = starts->trials;

    trials->plan[trial].aside = plan_of(trials, start).aside;
    trials->plan[trial].until = plan_of(trials, start).until;
    trials->p[trial] = starts->p[start];
    trials->has_begun[trial] = true;
    starts->p[start] = (covey_peel){0};
}

/* Search would not come to a class that is set aside from another start, nor from such a class to a better one.  Where
 * it is hardly better than the usual start, each gets a trial: search may gain more from the usual one. */
static void choose_start(struct starts *starts)
{
    struct trials *trials = starts->trials;
    size_t best = USUAL;

    for (size_t i = 0; i < N_STARTS; i++)
        if (starts->total[i] < starts->total[best])
            best = i;
    if (best != SETS_ASIDE) {
        hand_over(starts, best, 0);
        return;
    }
    if (starts->total[best] < starts->total[USUAL] / 4 * 3) {
        trials->n = 1;
        hand_over(starts, best, 0);
        return;
    }
    hand_over(starts, USUAL, 0);
    if (trials->n == 2) {
        trials->plan[1] = trials->plan[0];
        hand_over(starts, SETS_ASIDE, 1);
    }
}

/* What trials differ in makes no difference to the start where no rare value was served. */
static covey_status copy_start(struct trials *trials, covey_error *err)
{
    covey_peel_saved start;

    if (trials->n < 2 || trials->has_begun[1] || trials->p[0].price)
        return COVEY_OK;
    COVEY_TRY(covey_i_peel_save(&start, &trials->p[0], &trials->arena, err));
    COVEY_TRY(covey_i_peel_new(&trials->p[1], trials->t, err));
    trials->p[1].watch = &trials->watch;
    trials->has_begun[1] = true;
    return covey_i_peel_restore(&trials->p[1], &start, err);
}

static covey_status try_starts(struct trials *trials, bool is_wide, int n_threads, covey_error *err)
{
    const covey_peel_table *t = trials->t;
    struct starts starts = {.trials = trials, .total = {INT64_MAX, INT64_MAX, INT64_MAX}};
    covey_status status;

    if (t->has_prior && t->bounded_view >= 0 && trials->refines && t->n_rows >= LEAST_ROWS_CHOICE &&
        t->n_rows <= MOST_ROWS_ASIDE)
        COVEY_TRY(covey_i_peel_asks_aside(&starts.is_tried[SETS_ASIDE], t, err));
    starts.is_tried[CUTS] =
        (is_wide ||
         (trials->refines && (!t->size_only || t->has_ranges || (int64_t)t->n_rows + t->n_apart >= ROWS_FOR_CUTS))) &&
        !t->has_prior && trials->plan[0].until < 0;
    starts.is_tried[USUAL] = !starts.is_tried[CUTS] || !covey_i_peel_is_crowded(t);
    if (!starts.is_tried[SETS_ASIDE] && !starts.is_tried[CUTS] && trials->n < 2)
        return COVEY_OK;
    if ((status = covey_i_parallel(n_threads, N_STARTS, try_start, &starts, err)) == COVEY_OK &&
        (status = set_aside_well(&starts, err)) == COVEY_OK) {
        choose_start(&starts);
        status = copy_start(trials, err);
    }
    for (size_t i = 0; i < N_STARTS; i++)
        covey_i_peel_clear(&starts.p[i]);
    return status;
}

static covey_status run_trial(void *context, size_t trial, covey_error *err)
{
    struct trials *trials = context;
    covey_peel_plan *plan = &trials->plan[trial];
    covey_peel *p = &trials->p[trial];

    if (!trials->has_begun[trial])
        COVEY_TRY(begin(p, trials, plan, err));
    if (!trials->refines)
        return COVEY_OK;
    covey_i_peel_plan_threshold(plan, p, trial);
    if (trial == 0)
        COVEY_TRY(remember_start(trials, err));
    return plan->is_whole ? covey_i_peel_passes(p, plan, plan->work_limit, err) : COVEY_OK;
}

/* Two different classes may have shared a remembered verdict: then everything is done again, without search and without
 * memory. */
static covey_status check(struct trials *trials, covey_error *err)
{
    covey_peel *p = &trials->p[0];

    if (covey_i_peel_all_admitted(p))
        return COVEY_OK;
    covey_i_peel_clear(p);
    COVEY_TRY(covey_i_peel_new(p, trials->t, err));
    p->watch = &trials->watch;
    p->forgets = true;
    return covey_i_peel_begin(p, &trials->plan[0], err);
}

static covey_status finish(struct trials *trials, covey_error *err)
{
    COVEY_TRY(check(trials, err));
    return suppress(trials, err);
}

/* Goes on from the better trial.  Search counts in rounded losses; what is published is never worse than what it
 * started from. */
static covey_status search(struct trials *trials, int n_threads, covey_error *err)
{
    covey_peel *p = trials->p;
    covey_peel_saved other;

    if (trials->n == 1) {
        COVEY_TRY(covey_i_peel_new(&p[1], trials->t, err));
        p[1].watch = &trials->watch;
    } else if (covey_i_peel_total(&p[1]) < covey_i_peel_total(&p[0])) {
        COVEY_TRY(covey_i_peel_save(&other, &p[1], &trials->arena, err));
        COVEY_TRY(covey_i_peel_restore(&p[0], &other, err));
    }
    COVEY_TRY(covey_i_peel_search(p, &trials->plan[0], n_threads, err));
    COVEY_TRY(finish(trials, err));
    if (exact_loss(trials) <= trials->start_loss)
        return COVEY_OK;
    COVEY_TRY(covey_i_peel_restore(&p[0], &trials->start, err));
    return finish(trials, err); /* remembered verdicts made the start, too */
}

static covey_status read_until(double *until, const char *text, covey_error *err)
{
    covey_ratio value;

    *until = -1;
    if (!text || strcmp(text, "none") == 0)
        return COVEY_OK;
    if (covey_ratio_parse(&value, text, NULL) != COVEY_OK || value.num < 0)
        return covey_fail(err, COVEY_EINVAL,
                          "until must be \"none\" or a number of at least 0, such as 0.5, not \"%s\"", text);
    *until = covey_ratio_value(value);
    return COVEY_OK;
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const struct peel_params *own = params;
    double until;

    COVEY_TRY(covey_i_error_about(read_until(&until, own->until, err), "until", err));
    return covey_i_method_accepts_every_model(promises, params, err);
}

static void clear_trials(struct trials *trials)
{
    for (size_t i = 0; i < COVEY_PEEL_MOST_TRIALS; i++)
        covey_i_peel_clear(&trials->p[i]);
    covey_i_peel_table_clear(trials->t);
    covey_arena_free(&trials->arena);
    covey_arena_free(&trials->table_arena);
}

/* publish-boxes: cut: the finest rung of the ladder that holds all of a class. */
static void widen_to_rung(uint32_t *low, uint32_t *high, const void *grid, size_t axis)
{
    const covey_peel_ladder *ladder = &((const covey_peel_table *)grid)->ladder[axis];
    const covey_peel_level *level = ladder->level;

    while (level->label[*low] != level->label[*high])
        level++; /* the last one has a single label */
    *high = level->range[2 * level->label[*low] + 1];
    *low = level->range[2 * level->label[*low]];
}

/* What a promise about ranges gets to see then. */
static void show_rung(uint32_t *low, uint32_t *high, const void *table, size_t axis)
{
    const covey_problem *problem = ((const covey_peel_table *)table)->problem;

    covey_i_widen_range(low, high, problem->axis[axis].column, widen_to_rung, table, axis);
    covey_i_axis_show_all(low, high, problem->axis, axis);
}

/* The release of the best trial, which is given back first where that can be. */
static covey_status make_release(covey_release **out, struct trials *trials, const covey_problem *problem,
                                 bool publishes_regions, const char *note, const covey_run *run, covey_error *err)
{
    const uint32_t n_skipped = trials->p[0].n_skipped;
    uint32_t *class_of_row, n_classes = trials->p[0].n_classes;
    covey_status status;

    COVEY_TRY(covey_i_peel_class_of_rows(&class_of_row, &n_classes, trials->t, trials->p[0].class_of, run, err));
    if (publishes_regions)
        status = covey_i_widen_release(out, problem, class_of_row, n_classes, widen_to_rung, trials->t, NULL, run, err);
    else {
        clear_trials(trials);
        status = covey_i_release_of_classes(out, problem, class_of_row, n_classes, run, err);
    }
    covey_i_free(class_of_row);
    if (status == COVEY_OK && n_skipped > 0)
        snprintf((*out)->remark, sizeof(*out)->remark, "%s%scombinations of levels that were left out to save time: %u",
                 note, *note ? "; " : "", n_skipped);
    else if (status == COVEY_OK)
        snprintf((*out)->remark, sizeof(*out)->remark, "%s", note);
    if (status == COVEY_OK && trials->watch.has_enough)
        snprintf((*out)->note, sizeof(*out)->note, "search was stopped on request");
    return status;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct peel_params *own = params;
    covey_peel_table table = {0};
    struct trials trials = {.t = &table,
                            .arena = COVEY_ARENA_INIT,
                            .table_arena = COVEY_ARENA_INIT,
                            .refines = own->refine == 1 && !(problem->is_guide && problem->n_rows > MOST_ROWS_GUIDED),
                            .watch = {.run = run, .caller = pthread_self()}};
    /* With suppression it is known only in the end which values show, and of ladders that do not nest a wider range may
     * show less; ranges of rows are no wider than what shows, whichever that is. */
    const bool judges_regions = own->common.publish_boxes == 1 && problem->max_suppressed == 0;
    covey_problem judged = *problem;
    char note[200];
    double until;
    covey_status status;
    uint32_t most_nodes;
    bool tries_elastic = false;

    judged.promises.has_regions = judges_regions;
    if ((status = covey_i_error_about(read_until(&until, own->until, err), "until", err)) != COVEY_OK ||
        (status = covey_i_peel_table_new(&table, &judged, own->common.min_size, trials.refines, &trials.table_arena,
                                         run, err)) != COVEY_OK ||
        (status = covey_i_peel_find_least_kinds(&table, &trials.table_arena, err)) != COVEY_OK)
        goto done;
    table.shows_rungs = own->common.publish_boxes == 1;
    most_nodes = table.n_rows > ROWS_FOR_ALL_NODES
                     ? (uint32_t)((uint64_t)MOST_NODES * ROWS_FOR_ALL_NODES / table.n_rows)
                     : MOST_NODES;
    if ((status = covey_i_peel_ladders_new(&table, own->ladders, most_nodes, note, sizeof note, &trials.table_arena,
                                           err)) != COVEY_OK)
        goto done;
    if (judges_regions && covey_i_peel_ladders_nest(&table)) {
        judged.promises.shown = show_rung;
        judged.promises.shown_context = &table;
        if ((status = covey_i_peel_find_reach(&table, &trials.table_arena, err)) != COVEY_OK)
            goto done;
    }
    /* Crowds are served better, auto tries both, and who gives ladders or a limit wants what they make. */
    tries_elastic = trials.refines && (table.size_only || table.n_rows >= LEAST_ROWS_CHOICE) && !problem->is_guide &&
                    own->common.publish_boxes == 0 && !own->ladders && until < 0 && problem->loss_to_beat == 0 &&
                    !covey_i_peel_is_crowded(&table);
    trials.most_suppressed = problem->max_suppressed - (problem->n_rows - table.n_rows - table.n_apart);
    trials.n = covey_i_peel_plan_trials(trials.plan, &table, until, trials.refines);
    if ((status = try_starts(&trials, table.n_axes > AXES_FOR_CUTS, covey_run_threads(run), err)) != COVEY_OK ||
        (status = covey_i_parallel(covey_run_threads(run), trials.n, run_trial, &trials, err)) != COVEY_OK ||
        (status = trials.refines ? search(&trials, covey_run_threads(run), err) : finish(&trials, err)) != COVEY_OK ||
        (status = make_release(out, &trials, problem, own->common.publish_boxes == 1, note, run, err)) != COVEY_OK)
        goto done;
done:
    clear_trials(&trials);
    if (status == COVEY_OK && tries_elastic)
        status = covey_i_peel_or_elastic(out, problem, own->common.min_size, run, err);
    return status;
}

static const char *const refine_choices[] = {"none", "local", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "ladders",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct peel_params, ladders),
     .help = "levels of generality per attribute: widths of a number, levels of a hierarchy, as in {age: [1, 5, 10, "
             "20]}; default: doubling"
             " widths, all levels"},
    {.name = "until",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct peel_params, until),
     .fallback = "none",
     .help =
         "generalize no further than this loss, summed over the attributes; who is left becomes classes by cuts alone"},
    {.name = "refine",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct peel_params, refine),
     .fallback = "local",
     .choices = refine_choices,
     .help = "local: improve the classes row by row, for a second or so; of persons with several rows (role: entity) "
             "less, and of more than some 2^20 not at all"},
};

const covey_method covey_method_peel = {
    .name = "peel",
    .summary = "takes crowds as classes first, then generalizes the others further; local search makes its releases "
               "the least lossy",
    .keeps = "every model on classes",
    .source = "docs/design/peel.md",
    .form = "generalized",
    .keeps_units = COVEY_UNITS_AS_CLASSES,
    .sees_spread = true,
    .suppresses = COVEY_SUPPRESSES_WITHOUT_PRIOR,
    .in_parts = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct peel_params),
    .accepts = accepts,
    .run = run,
};
