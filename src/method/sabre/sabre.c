/* SABRE: buckets of similar sensitive values, classes that draw from every bucket nearly its share, rows along the
 * Hilbert curve; for t-closeness by an earth mover's distance. Source: [Cao11]; the bounds are ours and exact,
 * docs/design/sabre.md. */
#include "method/sabre/sabre.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

enum { SLACK_STEPS = 8 };

struct sabre_params {
    covey_class_params common; /* first */
    int buckets;               /* 0 greedy, 1 fewest */
    int retrieve;              /* a covey_draw_way */
    covey_ratio slack;
    bool post_split;
};

/* The promise that the buckets are made for. */
static const covey_promise *closeness_of(covey_closeness *out, const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++)
        if (covey_i_promise_closeness(out, &promises->promise[i]))
            return &promises->promise[i];
    return NULL;
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    covey_closeness closeness;
    const covey_promise *kept = closeness_of(&closeness, promises);

    for (size_t i = 0; i < promises->n; i++) {
        const covey_model *model = promises->promise[i].model;

        if (&promises->promise[i] == kept || strcmp(model->name, "k-anonymity") == 0)
            continue;
        if (strcmp(model->name, "t-closeness") != 0)
            return covey_fail(err, COVEY_EINVAL, "sabre keeps t-closeness with k-anonymity, not %s", model->name);
        if (!kept)
            return covey_fail(
                err, COVEY_EINVAL,
                "sabre keeps t-closeness with distance equal, ordered, numeric or hierarchical: a divergence does"
                " not say which values are similar");
        return covey_fail(err, COVEY_EINVAL, "sabre keeps one promise of t-closeness, not two");
    }
    if (!kept)
        return covey_fail(
            err, COVEY_EINVAL,
            "sabre needs a promise of t-closeness: its classes follow from the distances of sensitive values");
    return covey_i_method_accepts_every_model(promises, params, err);
}

/* What the numbers of rows of a class are judged with. */
struct sabre_context {
    covey_sabre_ground ground;
    covey_sabre_worst worst;
};

static bool fits(void *context, const uint32_t *rows, int64_t size)
{
    struct sabre_context *c = context;
    const covey_ratio t = c->ground.closeness.t;

    return covey_i_fraction_compare(covey_i_sabre_worst_distance(&c->worst, rows, size),
                                    (covey_fraction){t.num, t.den}) <= 0;
}

/* From runs of points to runs of values, with the rows that take part. */
static covey_status fill_buckets(covey_draw_buckets *buckets, const covey_sabre_ground *ground, uint32_t n_values,
                                 const int64_t *count, covey_arena *arena, covey_error *err)
{
    buckets->value = ground->value;
    buckets->bucket_of = covey_arena_array_zero(arena, uint32_t, n_values);
    buckets->size = covey_arena_array_zero(arena, uint32_t, buckets->n);
    if (!buckets->bucket_of || !buckets->size)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < buckets->n; j++)
        for (uint32_t i = buckets->first[j]; i < buckets->first[j + 1]; i++) {
            buckets->bucket_of[buckets->value[i]] = (uint32_t)j;
            buckets->size[j] += (uint32_t)count[buckets->value[i]];
        }
    return COVEY_OK;
}

/* Buckets that cost at most (1 - slack) t. */
static covey_status make_buckets(covey_draw_buckets *buckets, struct sabre_context *c, const covey_closeness *closeness,
                                 covey_ratio slack, bool fewest, uint32_t n_values, const int64_t *count,
                                 covey_arena *arena, covey_error *err)
{
    uint32_t *node = NULL;

    COVEY_TRY(covey_i_sabre_ground_new(&c->ground, closeness, slack, arena, err));
    *buckets = (covey_draw_buckets){.first = covey_arena_array(arena, uint32_t, (size_t)c->ground.n + 1)};
    if (closeness->ground == COVEY_GROUND_TREE)
        node = covey_arena_array(arena, uint32_t, c->ground.n);
    if (!buckets->first || (closeness->ground == COVEY_GROUND_TREE && !node))
        return covey_i_no_memory(err);
    if (node)
        COVEY_TRY(covey_i_sabre_trees(buckets->first, node, &buckets->n, &c->ground, fewest, arena, err));
    else
        COVEY_TRY(covey_i_sabre_runs(buckets->first, &buckets->n, &c->ground, fewest, arena, err));
    COVEY_TRY(covey_i_sabre_worst_new(&c->worst, &c->ground, buckets->first, node, buckets->n, arena, err));
    return fill_buckets(buckets, &c->ground, n_values, count, arena, err);
}

/* The rows of a whole table are as the prior says, and fit whatever the buckets that t allows.  Those of a part are
 * some way from it already: there only what is left of t is the buckets' (docs/design/sabre.md). */
static covey_status plan(covey_draw_buckets *buckets, covey_draw_fits *out_fits, void **out_context,
                         const covey_problem *problem, const void *params, const int64_t *count, uint32_t n,
                         covey_arena *arena, covey_error *err)
{
    const struct sabre_params *p = params;
    struct sabre_context *c = covey_arena_array(arena, struct sabre_context, 1);
    covey_closeness closeness;
    const covey_promise *kept = closeness_of(&closeness, &problem->promises);
    const uint32_t n_values = problem->promises.view[kept->view].column->n_values;

    if (!c)
        return covey_i_no_memory(err);
    for (int step = 0; step < SLACK_STEPS; step++) {
        const covey_ratio slack = {p->slack.num * (SLACK_STEPS - step) + p->slack.den * step,
                                   p->slack.den * SLACK_STEPS};
        const covey_arena_mark mark = covey_arena_save(arena);

        COVEY_TRY(make_buckets(buckets, c, &closeness, step ? slack : p->slack, p->buckets == 1, n_values, count, arena,
                               err));
        if (step == SLACK_STEPS - 1 || p->slack.den > INT64_MAX / SLACK_STEPS || fits(c, buckets->size, n))
            break;
        covey_arena_rewind(arena, mark);
    }
    *out_fits = fits;
    *out_context = c;
    return COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct sabre_params *p = params;
    const int64_t promised = covey_i_promises_min_size(&problem->promises);
    covey_closeness closeness;
    const covey_draw_scheme scheme = {
        .view = closeness_of(&closeness, &problem->promises)->view,
        .way = (covey_draw_way)p->retrieve,
        .post_split = p->post_split,
        .publishes_regions = p->common.publish_boxes == 1,
        .min_size = p->common.min_size > promised ? p->common.min_size : promised,
        .plan = plan,
    };

    return covey_i_draw_into_release(out, problem, &scheme, params, run, err);
}

static const char *const bucket_choices[] = {"greedy", "fewest", NULL};
static const char *const retrieve_choices[] = {"sweep", "paper", NULL};

static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "buckets",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct sabre_params, buckets),
     .fallback = "greedy",
     .choices = bucket_choices,
     .help = "greedy: cut where it saves most, as published; fewest: as few buckets as the bound allows"},
    COVEY_DRAW_PARAMS(struct sabre_params, retrieve_choices,
                      "sweep: classes take their rows one after another along the curve; paper: each around a random "
                      "row, as published"),
};

const covey_method covey_method_sabre = {
    .name = "sabre",
    .summary =
        "puts similar sensitive values into buckets and draws every class from all of them, along the Hilbert curve",
    .keeps = "t-closeness (equal, ordered, numeric, hierarchical) of one attribute, with k-anonymity",
    .source = "Cao11, with bounds of our own",
    .form = "generalized",
    .in_parts = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct sabre_params),
    .accepts = accepts,
    .run = run,
};
