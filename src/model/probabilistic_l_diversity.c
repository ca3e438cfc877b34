/* Probabilistic l-diversity: no sensitive value has a share above 1/l in any class.
 * Source: [XiaoTao06] Definition 2; [Wong06] with the same alpha for all values. */
#include "model/share_bounds.h"

static const covey_param l_param_list[] = {
    {.name = "l",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(covey_shares, l),
     .required = true,
     .minimum = "1",
     .help = "no value has a larger share of a class than 1/l"},
};

static bool judge_shares(bool *admitted, covey_figure *out, const void *state, covey_share *share, size_t n)
{
    const covey_shares *s = state;
    const covey_share *largest = share;

    for (size_t i = 1; i < n; i++)
        if (covey_i_fraction_compare_products(share[i].num, largest->den, largest->num, share[i].den) > 0)
            largest = &share[i];
    *admitted =
        covey_i_fraction_compare_products(largest->num, (covey_u128)s->l.num, largest->den, (covey_u128)s->l.den) <= 0;
    *out = covey_i_figure_fraction((covey_i128)largest->den, (covey_i128)largest->num);
    return true;
}

static void bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const covey_shares *s = state;
    const int64_t most = (int64_t)((covey_i128)size * s->l.den / s->l.num);

    for (size_t i = 0; i < n; i++)
        if (cap[i] > most)
            cap[i] = most;
}

static double largest_share(const void *state, uint32_t value)
{
    const covey_shares *s = state;

    (void)value;
    return (double)s->l.den / (double)s->l.num;
}

/* At least one row of some value: 1 <= size/l. */
static int64_t min_size(const void *state)
{
    const covey_shares *s = state;

    return s->l.num / s->l.den + (s->l.num % s->l.den != 0);
}

const covey_model covey_model_probabilistic_l_diversity = {
    .name = "probabilistic-l-diversity",
    .summary = "no sensitive value has a larger share of a class than 1/l",
    .not_against = "A value that is rare in the table may still reach a share of 1/l in a class: shares are not "
                   "compared with those of the"
                   " whole table.",
    .source = "XiaoTao06, Definition 2",
    .threshold = "l",
    .params = l_param_list,
    .n_params = sizeof l_param_list / sizeof *l_param_list,
    .params_size = sizeof(covey_shares),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_CAPS,
    .figure_high_is_safe = true,
    .prepare = covey_i_shares_prepare,
    .admits = covey_i_shares_admit,
    .figure = covey_i_shares_figure,
    .judge = covey_i_shares_judge,
    .bounds = bounds,
    .min_size = min_size,
    .different_rows = min_size,
    .hopeless = covey_i_shares_hopeless,
    .judge_shares = judge_shares,
    .largest_share = largest_share,
};
