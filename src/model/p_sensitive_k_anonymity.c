/* p-sensitive k-anonymity: at least k rows and at least p different sensitive values in every class.
 * Source: [TrutaVinay06], definition of p-sensitive k-anonymity. */
#include "base/error.h"
#include "base/plural.h"
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/nearest.h"

struct pk_params {
    int64_t p, k;
};

static const covey_param pk_param_list[] = {
    {.name = "p",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct pk_params, p),
     .required = true,
     .minimum = "1",
     .help = "fewest different sensitive values of a class, at most k"},
    {.name = "k",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct pk_params, k),
     .required = true,
     .minimum = "1",
     .help = "fewest rows of a class"},
};

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    const struct pk_params *p = params;
    struct pk_params *s = covey_arena_array(arena, struct pk_params, 1);

    if (!s)
        return covey_i_no_memory(err);
    if (p->p > p->k)
        return covey_i_refuse_param(err, "p",
                                    "p-sensitive-k-anonymity: p = %" PRId64 " is greater than k = %" PRId64 ": k "
                                    "rows hold at most k values; give p at most k",
                                    p->p, p->k);
    *s = *p;
    *state = s;
    return COVEY_OK;
}

static bool admits(const void *state, const covey_group *group)
{
    const struct pk_params *s = state;

    return group->size >= s->k && group->counts->n_distinct >= s->p;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_integer(group->counts->n_distinct);
}

static int64_t min_size(const void *state)
{
    const struct pk_params *s = state;

    return s->k;
}

static int64_t least_distinct(const void *state)
{
    const struct pk_params *s = state;

    return s->p;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct pk_params *s = state;
    const uint32_t d = whole->counts->n_distinct;

    if (whole->size >= s->k && d >= s->p)
        return false;
    if (whole->size < s->k) {
        snprintf(nearest->why, sizeof nearest->why, "there %s only %" PRId64 " row%s: k can be %" PRId64 " at most",
                 whole->size == 1 ? "is" : "are", whole->size, covey_i_plural(whole->size), whole->size);
        covey_i_nearest_change(nearest, "k", "%" PRId64, whole->size);
    }
    if (d < s->p) {
        const size_t used = strlen(nearest->why);

        snprintf(nearest->why + used, sizeof nearest->why - used,
                 "%sonly %" PRIu32 " different sensitive value%s: p can be %" PRIu32 " at most", used ? ", and " : "",
                 d, d == 1 ? " occurs" : "s occur", d);
        covey_i_nearest_change(nearest, "p", "%" PRIu32, d);
    }
    return true;
}

const covey_model covey_model_p_sensitive_k_anonymity = {
    .name = "p-sensitive-k-anonymity",
    .summary = "every class has at least k rows and at least p different sensitive values",
    .not_against = "One value may be far more frequent than the others, and all of them may mean nearly the same.",
    .source = "TrutaVinay06, definition of p-sensitive k-anonymity",
    .threshold = NULL,
    .params = pk_param_list,
    .n_params = sizeof pk_param_list / sizeof *pk_param_list,
    .params_size = sizeof(struct pk_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_HEREDITARY | COVEY_MODEL_SENSITIVE | COVEY_MODEL_ALIKE,
    .figure_high_is_safe = true,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .min_size = min_size,
    .least_rows = min_size,
    .least_distinct = least_distinct,
    .hopeless = hopeless,
};
