/* Distinct l-diversity: every class holds at least l different sensitive values.
 * Source: [Machanavajjhala06], the weakest reading of "well represented". */
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/nearest.h"

struct l_params {
    int64_t l;
};

static const covey_param l_param_list[] = {
    {.name = "l",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct l_params, l),
     .required = true,
     .minimum = "1",
     .help = "fewest different sensitive values of a class"},
};

static bool admits(const void *state, const covey_group *group)
{
    const struct l_params *s = state;

    return group->counts->n_distinct >= s->l;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_integer(group->counts->n_distinct);
}

static bool judge_shares(bool *admitted, covey_figure *out, const void *state, covey_share *share, size_t n)
{
    const struct l_params *s = state;

    *admitted = n >= (size_t)s->l;
    *out = covey_i_figure_integer((int64_t)n);
    return true;
}

static int64_t min_size(const void *state)
{
    const struct l_params *s = state;

    return s->l;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct l_params *s = state;
    const uint32_t d = whole->counts->n_distinct;

    if (d >= s->l)
        return false;
    snprintf(nearest->why, sizeof nearest->why,
             "only %" PRIu32 " different sensitive value%s: l can be %" PRIu32 " at most", d,
             d == 1 ? " occurs" : "s occur", d);
    covey_i_nearest_change(nearest, "l", "%" PRIu32, d);
    return true;
}

const covey_model covey_model_distinct_l_diversity = {
    .name = "distinct-l-diversity",
    .summary = "every class holds at least l different sensitive values",
    .not_against = "One value may be far more frequent than the others, and all of them may mean nearly the same.",
    .source = "Machanavajjhala06, l well-represented values, weakest reading",
    .threshold = "l",
    .params = l_param_list,
    .n_params = sizeof l_param_list / sizeof *l_param_list,
    .params_size = sizeof(struct l_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_HEREDITARY | COVEY_MODEL_SENSITIVE,
    .figure_high_is_safe = true,
    .admits = admits,
    .figure = figure,
    .min_size = min_size,
    .least_distinct = min_size,
    .different_rows = min_size,
    .judge_shares = judge_shares,
    .hopeless = hopeless,
};
