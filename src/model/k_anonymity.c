/* k-anonymity: every class has at least k rows, so that nobody's row is one of fewer than k.
 * Source: [Sweeney02], [Samarati01], definition of k-anonymity. */
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/plural.h"
#include "model/nearest.h"

struct k_params {
    int64_t k;
};

static const covey_param k_param_list[] = {
    {.name = "k",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct k_params, k),
     .required = true,
     .minimum = "1",
     .help = "fewest rows of a class"},
};

static bool admits(const void *state, const covey_group *group)
{
    const struct k_params *s = state;

    return group->size >= s->k;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_integer(group->size);
}

static int64_t min_size(const void *state)
{
    const struct k_params *s = state;

    return s->k;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct k_params *s = state;

    if (whole->size >= s->k)
        return false;
    snprintf(nearest->why, sizeof nearest->why, "there %s only %" PRId64 " row%s: k can be %" PRId64 " at most",
             whole->size == 1 ? "is" : "are", whole->size, covey_i_plural(whole->size), whole->size);
    covey_i_nearest_change(nearest, "k", "%" PRId64, whole->size);
    return true;
}

const covey_model covey_model_k_anonymity = {
    .name = "k-anonymity",
    .summary = "every class has at least k rows",
    .not_against = "A class whose rows all have the same sensitive value tells that value about each of them.",
    .source = "Sweeney02, definition of k-anonymity",
    .threshold = "k",
    .params = k_param_list,
    .n_params = sizeof k_param_list / sizeof *k_param_list,
    .params_size = sizeof(struct k_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_HEREDITARY | COVEY_MODEL_CAPS |
              COVEY_MODEL_ALIKE, /* no value is bounded, only the size */
    .figure_high_is_safe = true,
    .admits = admits,
    .figure = figure,
    .min_size = min_size,
    .least_rows = min_size,
    .hopeless = hopeless,
};
