/* Sliced l-diversity: from a sliced release, nobody's sensitive value follows with probability above 1/l from the other values.
 *
 * What is judged is not a bucket but the rows of a bucket whose pieces in the sensitive column agree but for the sensitive value: a
 * signature's posterior is a weighted mean of the shares in such sets, so that no posterior exceeds 1/l where no share does (slicing.md,
 * section 6, fact 2).
 * Source: [LiLiZhangMolloy12] Definition 7. */
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
     .help = "no sensitive value follows with a probability above 1/l"},
};

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena, covey_error *err)
{
    struct state *s = covey_arena_array(arena, struct state, 1);

    if (!s)
        return covey_fail(err, COVEY_ENOMEM, "sliced-l-diversity: no memory");
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

/* Shares of the whole table are the least that buckets can have. */
static bool hopeless(const void *state, const covey_group *whole, char *why, size_t why_size)
{
    char most[96];
    covey_figure whole_figure;

    if (admits(state, whole))
        return false;
    figure(&whole_figure, state, whole);
    covey_i_figure_text(most, sizeof most, &whole_figure);
    snprintf(why, why_size, "in the whole table the most frequent value is one of %s rows: l can be %s at most unless rows are suppressed",
             most, most);
    return true;
}

static covey_ratio least_l(const void *state)
{
    return ((const struct state *)state)->l;
}

const covey_model covey_model_sliced_l_diversity = {
    .name = "sliced-l-diversity",
    .summary = "from the columns of a sliced release no sensitive value follows with a probability above 1/l",
    .not_against = "Whoever knows all other persons' values, or that some values cannot go together, can do better; and a person whose"
                   " values are unusual is known to be in the table.",
    .source = "LiLiZhangMolloy12, Definition 7",
    .threshold = "l",
    .params = l_param_list, .n_params = sizeof l_param_list / sizeof *l_param_list, .params_size = sizeof(struct l_params),
    .traits = COVEY_MODEL_SENSITIVE | COVEY_MODEL_SLICED,
    .figure_high_is_safe = true,
    .prepare = prepare, .admits = admits, .figure = figure, .hopeless = hopeless, .least_l = least_l,
};
