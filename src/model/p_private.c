/* P-privacy: whoever sees a group may believe of each of its rows that its sensitive value was drawn from a stated
 * distribution, the target.
 *
 * That is a property of the intervals that a transformed release publishes for a group, not of rows: the form proves it
 * (src/audit/transformed/transformed.c), and other forms cannot promise it. Source: [Koudas09] Definition 3.2. */
#include "model/model_impl.h"

struct target_params {
    const char *target;
};

static const covey_param target_param_list[] = {
    {.name = "target",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct target_params, target),
     .help = "source, uniform, {normal: {mean: 50, sd: 10}}, {zipf: {s: 1.5}} or {file: shares.csv}; may stand with "
             "the method instead"},
};

/* A class of rows says nothing of what is published for it. */
static bool admits(const void *state, const covey_group *group)
{
    return true;
}

/* The difference between a group's mixture and its target: none, or the release does not hold. */
static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_fraction(0, 1);
}

static const char *target(const void *state)
{
    return ((const struct target_params *)state)->target;
}

const covey_model covey_model_p_private = {
    .name = "p-private",
    .summary = "each row of a group may be believed to have its sensitive value from a stated distribution",
    .not_against = "It is as good as its target: one with a single value hides nothing; and who knows how the "
                   "intervals were chosen can learn a little"
                   " more where weights are unequal.",
    .source = "Koudas09, Definition 3.2",
    .threshold = "target",
    .params = target_param_list,
    .n_params = sizeof target_param_list / sizeof *target_param_list,
    .params_size = sizeof(struct target_params),
    .traits = COVEY_MODEL_SENSITIVE | COVEY_MODEL_TARGET,
    .admits = admits,
    .figure = figure,
    .target = target,
};
