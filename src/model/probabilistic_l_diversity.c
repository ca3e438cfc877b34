/* Probabilistic l-diversity: no sensitive value has a share above 1/l in any class.
 * Source: [XiaoTao06] Definition 2; [Wong06] with the same alpha for all values. */
#include "model/model_impl.h"

#include <stdio.h>

#include "model/counts.h"

struct l_params {
    covey_ratio l;
};

struct state {
    covey_ratio l;
};

static const covey_param l_param_list[] = {
    {.name = "l", .type = COVEY_PARAM_RATIO, .offset = offsetof(struct l_params, l), .required = true, .minimum = "1",
     .help = "no value has a larger share of a class than 1/l"},
};

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena, covey_error *err)
{
    struct state *s = covey_arena_array(arena, struct state, 1);

    if (!s)
        return covey_fail(err, COVEY_ENOMEM, "probabilistic-l-diversity: no memory");
    s->l = ((const struct l_params *)params)->l;
    *state = s;
    return COVEY_OK;
}

static bool admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    const int64_t largest = covey_i_counts_largest(group->counts, NULL);

    return (covey_i128)largest * s->l.num <= (covey_i128)group->size * s->l.den;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_fraction(group->size, covey_i_counts_largest(group->counts, NULL));
}

static void bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const struct state *s = state;
    const int64_t most = (int64_t)((covey_i128)size * s->l.den / s->l.num);

    for (size_t i = 0; i < n; i++)
        if (cap[i] > most)
            cap[i] = most;
}

/* At least one row of some value: 1 <= size/l. */
static int64_t min_size(const void *state)
{
    const struct state *s = state;

    return s->l.num / s->l.den + (s->l.num % s->l.den != 0);
}

static bool hopeless(const void *state, const covey_group *whole, char *why, size_t why_size)
{
    char most[128];
    covey_figure whole_figure;

    if (admits(state, whole))
        return false;
    figure(&whole_figure, state, whole);
    covey_i_figure_words(most, sizeof most, &whole_figure);
    snprintf(why, why_size, "in the whole table the most frequent value is one of %s rows: l can be %s at most unless rows are suppressed",
             most, most);
    return true;
}

const covey_model covey_model_probabilistic_l_diversity = {
    .name = "probabilistic-l-diversity",
    .summary = "no sensitive value has a larger share of a class than 1/l",
    .not_against = "A value that is rare in the table may still reach a share of 1/l in a class: shares are not compared with those of the"
                   " whole table.",
    .source = "XiaoTao06, Definition 2",
    .threshold = "l",
    .params = l_param_list, .n_params = sizeof l_param_list / sizeof *l_param_list, .params_size = sizeof(struct l_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_CAPS,
    .figure_high_is_safe = true,
    .prepare = prepare, .admits = admits, .figure = figure, .bounds = bounds, .min_size = min_size, .different_rows = min_size, .hopeless = hopeless,
};
