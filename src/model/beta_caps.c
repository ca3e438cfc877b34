/* See beta_caps.h. */
#include "model/beta_caps.h"

struct state {
    const covey_histogram *prior;
    covey_cap *cap;    /* [prior->n_values] */
    int64_t min_size;
};

const covey_param covey_i_beta_params[1] = {
    {.name = "beta", .type = COVEY_PARAM_RATIO, .offset = offsetof(struct covey_beta_params, beta), .required = true, .minimum = "0",
     .minimum_open = true, .help = "largest relative gain of a sensitive value's share in a class over its share in the whole table"},
};

covey_status covey_i_beta_prepare(void **state, const covey_model_input *input, const void *params, covey_beta_cap cap_of,
                                  covey_arena *arena, covey_error *err)
{
    const struct covey_beta_params *p = params;
    const covey_histogram *prior = input->prior;
    struct state *s = covey_arena_array(arena, struct state, 1);
    covey_cap *cap = covey_arena_array(arena, covey_cap, prior->n_values);

    if (!s || !cap)
        return covey_fail(err, COVEY_ENOMEM, "beta-likeness: no memory for %u sensitive values", prior->n_values);
    *s = (struct state){.prior = prior, .cap = cap, .min_size = INT64_MAX};
    for (uint32_t v = 0; v < prior->n_values; v++) {
        int64_t least;

        cap[v] = cap_of(prior->count[v], prior->total, p->beta);
        least = covey_i_cap_least_size(&cap[v]);
        if (least < s->min_size)
            s->min_size = least;
    }
    *state = s;
    return COVEY_OK;
}

bool covey_i_beta_admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    const covey_histogram *h = group->counts;

    for (uint32_t i = 0; i < h->n_present; i++) {
        const uint32_t v = h->present[i];

        if (!covey_i_cap_holds(&s->cap[v], h->count[v], group->size))
            return false;
    }
    return true;
}

void covey_i_beta_figure(covey_figure *out, const void *state, const covey_group *group)
{
    const covey_histogram *prior = ((const struct state *)state)->prior, *h = group->counts;
    int64_t n = 0, p = 1; /* the largest count/prior count so far */
    covey_i128 gain;

    for (uint32_t i = 0; i < h->n_present; i++) {
        const int64_t count = h->count[h->present[i]], in_table = prior->count[h->present[i]];

        if (count > 0 && in_table == 0) {
            *out = covey_i_figure_infinite(COVEY_FIGURE_FRACTION);
            return;
        }
        if ((covey_i128)count * p > (covey_i128)n * in_table) {
            n = count;
            p = in_table;
        }
    }
    gain = (covey_i128)n * prior->total - (covey_i128)p * group->size;
    *out = covey_i_figure_fraction(gain > 0 ? gain : 0, (covey_i128)p * group->size);
}

void covey_i_beta_bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const struct state *s = state;

    for (size_t i = 0; i < n; i++) {
        const int64_t most = covey_i_cap_rows(&s->cap[value ? value[i] : i], size);

        if (cap[i] > most)
            cap[i] = most;
    }
}

/* At least one row of some value. */
int64_t covey_i_beta_min_size(const void *state)
{
    return ((const struct state *)state)->min_size;
}
