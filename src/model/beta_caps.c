/* Classes against one cap per sensitive value. */
#include "base/error.h"
#include "model/beta_caps.h"

#include <string.h>

#include <math.h>

struct state {
    const covey_histogram *prior;
    covey_cap *cap;            /* [prior->n_values] */
    covey_need *need;          /* [prior->n_values], NULL: none */
    covey_beta_groups *groups; /* NULL: none */
    int64_t min_size;
};

const covey_param covey_i_beta_params[COVEY_BETA_N_PARAMS] = {
    {.name = "beta",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct covey_beta_params, beta),
     .required = true,
     .minimum = "0",
     .minimum_open = true,
     .help = "largest relative gain of a sensitive value's share in a class over its share in the whole table"},
    {.name = "two-sided",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct covey_beta_params, two_sided),
     .help = "bounds losses, too: ratio (p/q - 1 as gains are) or {difference: B} ((p - q)/p at most B < 1)"},
    {.name = "groups",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct covey_beta_params, groups),
     .help = "sets of values that must not gain together, as in [[flu, cold], [cancer, tumor]]"},
    {.name = "group-beta",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct covey_beta_params, group_beta),
     .minimum = "0",
     .minimum_open = true,
     .help = "largest relative gain of a set of groups or proximity; default: beta"},
    {.name = "proximity",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct covey_beta_params, proximity),
     .help = "neighbouring values must not gain together: {window: K} values in a row, or {width: X} between the "
             "smallest and the largest"},
};

/* "ratio" or {difference: B}. */
static covey_status read_two_sided(covey_ratio *loss, bool *is_ratio, const char *text, covey_arena *arena,
                                   covey_error *err)
{
    const covey_yaml *root, *difference;

    if ((*is_ratio = strcmp(text, "ratio") == 0))
        return COVEY_OK;
    COVEY_TRY(covey_i_beta_yaml(&root, "two-sided", text, arena, err));
    difference = root && root->n == 1 ? covey_i_yaml_get(root, "difference") : NULL;
    if (!difference || difference->kind != COVEY_YAML_SCALAR)
        return covey_fail(err, COVEY_EINVAL, "two-sided must be ratio or {difference: 0.5}, not %.60s", text);
    if (covey_ratio_parse(loss, difference->text, NULL) != COVEY_OK || loss->num < 0)
        return covey_fail(err, COVEY_EINVAL,
                          "two-sided: difference must be a number from 0 to less than 1, not \"%.60s\"",
                          difference->text);
    if (loss->num >= loss->den)
        return covey_fail(err, COVEY_EINVAL,
                          "two-sided: difference must be less than 1, not %.60s: (p - q)/p is never larger than"
                          " 1, so it would bound nothing",
                          difference->text);
    return COVEY_OK;
}

static covey_status find_needs(struct state *s, const struct covey_beta_params *p, const covey_beta_kind *kind,
                               covey_arena *arena, covey_error *err)
{
    const covey_histogram *prior = s->prior;
    covey_ratio loss = {0, 1};
    bool is_ratio;

    if (!p->two_sided)
        return COVEY_OK;
    COVEY_TRY(covey_i_error_about(read_two_sided(&loss, &is_ratio, p->two_sided, arena, err), "two-sided", err));
    if (!(s->need = covey_arena_array(arena, covey_need, prior->n_values)))
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < prior->n_values; v++)
        s->need[v] = is_ratio ? kind->need(prior->count[v], prior->total, p->beta)
                              : covey_i_need_loss(prior->count[v], prior->total, loss);
    return COVEY_OK;
}

/* At least one row of some value; two-sided, of every value. */
static int64_t find_min_size(const struct state *s)
{
    int64_t smallest = INT64_MAX, largest = s->prior->n_distinct;

    for (uint32_t v = 0; v < s->prior->n_values; v++) {
        const int64_t least = covey_i_cap_least_size(&s->cap[v]);

        if (s->prior->count[v] == 0)
            continue;
        smallest = least < smallest ? least : smallest;
        largest = least > largest ? least : largest;
    }
    return s->need ? largest : smallest;
}

static covey_status prepare(void **state, const covey_model_input *input, const struct covey_beta_params *p,
                            const covey_beta_kind *kind, covey_arena *arena, covey_error *err)
{
    const covey_histogram *prior = input->prior;
    struct state *s = covey_arena_array(arena, struct state, 1);
    covey_cap *cap = covey_arena_array(arena, covey_cap, prior->n_values);

    if (!s || !cap)
        return covey_i_no_memory(err);
    *s = (struct state){.prior = prior, .cap = cap};
    for (uint32_t v = 0; v < prior->n_values; v++)
        cap[v] = kind->cap(prior->count[v], prior->total, p->beta);
    COVEY_TRY(find_needs(s, p, kind, arena, err));
    s->min_size = find_min_size(s);
    COVEY_TRY(covey_i_beta_groups_new(&s->groups, input, p, kind, arena, err));
    *state = s;
    return COVEY_OK;
}

covey_status covey_i_beta_prepare(void **state, const covey_model_input *input, const void *params,
                                  const covey_beta_kind *kind, covey_arena *arena, covey_error *err)
{
    const covey_status status = prepare(state, input, params, kind, arena, err);

    if (status != COVEY_OK)
        covey_i_error_put_in_front(err, "%s: ", kind->name);
    return status;
}

bool covey_i_beta_admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    const covey_histogram *h = group->counts;

    if (s->need && h->n_distinct < s->prior->n_distinct)
        return false;
    for (uint32_t i = 0; i < h->n_present; i++) {
        const uint32_t v = h->present[i];

        if (!covey_i_cap_holds(&s->cap[v], h->count[v], group->size) ||
            (s->need && !covey_i_need_holds(&s->need[v], h->count[v], group->size)))
            return false;
    }
    return !s->groups || covey_i_beta_groups_admit(s->groups, group);
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
    for (size_t i = 0; s->need && i < n; i++) {
        const int64_t least = covey_i_need_rows(&s->need[value ? value[i] : i], size);

        if (need[i] < least)
            need[i] = least;
    }
}

int64_t covey_i_beta_min_size(const void *state)
{
    return ((const struct state *)state)->min_size;
}

unsigned covey_i_beta_traits(const void *state)
{
    return COVEY_BETA_TRAITS & ~(((const struct state *)state)->groups ? (unsigned)COVEY_MODEL_CAPS : 0u);
}

bool covey_i_beta_admits_share(const void *state, uint32_t value, covey_u128 num, covey_u128 den)
{
    return covey_i_beta_cap_admits(&((const struct state *)state)->cap[value], num, den);
}

static bool reaches_need(const covey_need *need, const covey_share *share)
{
    return covey_i_fraction_compare_products(share->num, need->den, share->den, need->num) >= 0 &&
           covey_i_fraction_compare_products(share->num, (covey_u128)1 << 62, share->den, need->log_share) >= 0;
}

bool covey_i_beta_judge_shares(bool *admits, covey_figure *figure, const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;
    long double most = 0;

    *admits = !s->need || n >= s->prior->n_distinct;
    for (size_t i = 0; i < n; i++) {
        const long double p = (long double)s->prior->count[share[i].value] / (long double)s->prior->total;
        const long double gain = ((long double)share[i].num / (long double)share[i].den - p) / p;

        *admits = *admits && covey_i_beta_admits_share(state, share[i].value, share[i].num, share[i].den) &&
                  (!s->need || reaches_need(&s->need[share[i].value], &share[i]));
        most = gain > most ? gain : most;
    }
    *figure = isinf(most) ? covey_i_figure_infinite(COVEY_FIGURE_REAL) : covey_i_figure_real((double)most);
    return !s->groups || !*admits || covey_i_beta_groups_judge(admits, s->groups, share, n);
}

double covey_i_beta_largest_share(const void *state, uint32_t value)
{
    const struct state *s = state;
    const covey_cap *cap = &s->cap[value];
    const double linear = (double)((long double)cap->num / (long double)cap->den);
    const double logarithmic =
        cap->log_share == UINT64_MAX ? 1 : (double)((long double)cap->log_share / (long double)((uint64_t)1 << 62));

    if (s->need || s->groups)
        return NAN;
    return linear < logarithmic ? linear < 1 ? linear : 1 : logarithmic < 1 ? logarithmic : 1;
}
