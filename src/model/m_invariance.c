/* m-invariance: every class has at least m rows with different sensitive values, and whoever is in several releases of
 * a table that changes stands in classes with the same values each time.
 *
 * A class is judged by the first half of that, "m-unique": what others have been released, and who was in them, no
 * class tells.  The second half is the method's to keep, which knows the publisher's ledger, and the audit's to prove
 * from it. Source: [XiaoTao07] Definitions 5 and 6. */
#include "model/model_impl.h"

struct m_params {
    int64_t m;
};

static const covey_param m_param_list[] = {
    {.name = "m",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct m_params, m),
     .required = true,
     .minimum = "1",
     .help = "fewest rows of a class, all of them with different sensitive values"},
};

static bool admits(const void *state, const covey_group *group)
{
    const struct m_params *s = state;

    return group->size >= s->m && group->counts->n_distinct == group->size;
}

/* The largest m that the class would do for: none, where a value is there twice. */
static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_integer(group->counts->n_distinct == group->size ? group->size : 0);
}

static int64_t min_size(const void *state)
{
    const struct m_params *s = state;

    return s->m;
}

const covey_model covey_model_m_invariance = {
    .name = "m-invariance",
    .summary = "every class has m rows of different sensitive values, and a person the same values in each release",
    .not_against = "Whoever knows which rows are made up, or that a person left because of a value, can do better; and "
                   "the ledger tells everything.",
    .source = "XiaoTao07, Definitions 5 and 6",
    .threshold = "m",
    .params = m_param_list,
    .n_params = sizeof m_param_list / sizeof *m_param_list,
    .params_size = sizeof(struct m_params),
    .traits = COVEY_MODEL_SENSITIVE | COVEY_MODEL_ALIKE | COVEY_MODEL_INVARIANT,
    .figure_high_is_safe = true,
    .admits = admits,
    .figure = figure,
    .min_size = min_size,
};
