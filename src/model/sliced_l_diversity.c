/* Sliced l-diversity: from a sliced release, nobody's sensitive value follows with probability above 1/l from the other
 * values.
 *
 * What is judged is not a bucket but the rows of a bucket whose pieces in the sensitive column agree but for the
 * sensitive value: a signature's posterior is a weighted mean of the shares in such sets, so that no posterior exceeds
 * 1/l where no share does. Source: [LiLiZhangMolloy12] Definition 7. */
#include "model/share_bounds.h"

static const covey_param l_param_list[] = {
    {.name = "l",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(covey_shares, l),
     .required = true,
     .minimum = "1",
     .help = "no sensitive value follows with a probability above 1/l"},
};

static covey_ratio least_l(const void *state)
{
    return ((const covey_shares *)state)->l;
}

const covey_model covey_model_sliced_l_diversity = {
    .name = "sliced-l-diversity",
    .summary = "from the columns of a sliced release no sensitive value follows with a probability above 1/l",
    .not_against = "Whoever knows all other persons' values, or that some values cannot go together, can do better; "
                   "and a person whose"
                   " values are unusual is known to be in the table.",
    .source = "LiLiZhangMolloy12, Definition 7",
    .threshold = "l",
    .params = l_param_list,
    .n_params = sizeof l_param_list / sizeof *l_param_list,
    .params_size = sizeof(covey_shares),
    .traits = COVEY_MODEL_SENSITIVE | COVEY_MODEL_SLICED,
    .figure_high_is_safe = true,
    .prepare = covey_i_shares_prepare,
    .admits = covey_i_shares_admit,
    .figure = covey_i_shares_figure,
    .judge = covey_i_shares_judge,
    .hopeless = covey_i_shares_hopeless,
    .least_l = least_l,
};
