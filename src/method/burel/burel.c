/* BUREL: buckets of sensitive values that may stand for each other, classes by proportional halving of the buckets,
 * rows along the Hilbert curve, or nearest in space. Source: [CaoKarras12] section 4; docs/design/burel.md. */
#include "method/burel/burel.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

struct burel_params {
    covey_class_params common; /* first */
    int retrieve;              /* a covey_draw_way */
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

/* The buckets stand on per-value caps that grow with the value's count: a class may then get a bucket's rows whatever
 * their values. */
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
            return covey_fail(err, COVEY_EINVAL,
                              "burel keeps basic and enhanced beta-likeness with k-anonymity, not %s",
                              promise->model->name);
        if (!(covey_i_promise_traits(promise) & COVEY_MODEL_CAPS))
            return covey_fail(err, COVEY_EINVAL,
                              "burel keeps beta-likeness of single values, not of groups or proximity");
        if (view >= 0 && promise->view != view)
            return covey_fail(err, COVEY_EINVAL,
                              "burel keeps beta-likeness of one sensitive attribute, not of several");
        view = promise->view;
    }
    if (view < 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "burel needs a promise of beta-likeness: its classes follow from the bounds on sensitive values");
    if (covey_i_promises_have_needs(promises, view))
        return covey_fail(
            err, COVEY_EINVAL,
            "burel bounds what sensitive values gain, not what they lose: it keeps no two-sided beta-likeness");
    return covey_i_method_accepts_every_model(promises, params, err);
}

/* What the caps of a class are found with. */
struct caps_context {
    const covey_promises *promises;
    int view;
    const covey_draw_buckets *buckets;
    int64_t *cap, *need; /* [values] */
};

/* Could all rows of each bucket bear its rarest value? */
static bool fits(void *context, const uint32_t *rows, int64_t size)
{
    struct caps_context *c = context;
    const uint32_t n_values = c->promises->view[c->view].column->n_values;

    for (uint32_t v = 0; v < n_values; v++) {
        c->cap[v] = size;
        c->need[v] = 0;
    }
    covey_i_promises_bounds(c->promises, c->view, size, c->cap, c->need);
    for (size_t j = 0; j < c->buckets->n; j++)
        if (rows[j] > c->cap[c->buckets->value[c->buckets->first[j]]])
            return false;
    return true;
}

static int view_of(const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].view >= 0)
            return promises->promise[i].view;
    return -1;
}

static covey_status plan(covey_draw_buckets *buckets, covey_draw_fits *out_fits, void **out_context,
                         const covey_problem *problem, const void *params, const int64_t *count, uint32_t n,
                         covey_arena *arena, covey_error *err)
{
    const struct burel_params *p = params;
    const covey_promises *promises = &problem->promises;
    const int view = view_of(promises);
    const covey_column *sensitive = promises->view[view].column;
    struct caps_context *context = covey_arena_array(arena, struct caps_context, 1);

    if (!context)
        return covey_i_no_memory(err);
    *context = (struct caps_context){promises, view, buckets, covey_arena_array(arena, int64_t, sensitive->n_values),
                                     covey_arena_array(arena, int64_t, sensitive->n_values)};
    if (!context->cap || !context->need)
        return covey_i_no_memory(err);
    *out_fits = fits;
    *out_context = context;
    return covey_i_burel_buckets_new(buckets, promises, view, count, n, p->slack, p->strict_combine, arena, err);
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct burel_params *p = params;
    const int64_t promised = covey_i_promises_min_size(&problem->promises);
    const covey_draw_scheme scheme = {
        .view = view_of(&problem->promises),
        .way = (covey_draw_way)p->retrieve,
        .post_split = p->post_split,
        .publishes_regions = p->common.publish_boxes == 1,
        .min_size = p->common.min_size > promised ? p->common.min_size : promised,
        .plan = plan,
    };

    return covey_i_draw_into_release(out, problem, &scheme, params, run, err);
}

static const char *const retrieve_choices[] = {"sweep", "paper", "nearest", NULL};

static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    COVEY_DRAW_PARAMS(struct burel_params, retrieve_choices,
                      "sweep: classes take their rows one after another along the curve; paper: each around a random "
                      "row along it, as published; nearest: each those nearest to a random row in space, exactly, as "
                      "the paper has it before it turns to the curve"),
    {.name = "strict-combine",
     .type = COVEY_PARAM_BOOL,
     .offset = offsetof(struct burel_params, strict_combine),
     .fallback = "false",
     .help = "buckets stay below their bound, as in the published listing, instead of reaching it"},
};

const covey_method covey_method_burel = {
    .name = "burel",
    .summary = "puts sensitive values into buckets and draws every class from all of them, along the Hilbert curve",
    .keeps = "basic and enhanced beta-likeness of one attribute, with k-anonymity",
    .source = "CaoKarras12, section 4",
    .form = "generalized",
    .in_parts = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct burel_params),
    .accepts = accepts,
    .run = run,
};
