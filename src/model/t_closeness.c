/* t-closeness: in every class the distribution of the sensitive values is at most t away from that of the whole table.
 * Source: [Li07] Definition of t-closeness; the distances are in files of their own. */
#include "base/error.h"
#include "model/distance/distance.h"

#include <float.h>
#include <math.h>

struct t_params {
    covey_ratio t;
    int distance;
    covey_ratio smooth; /* 0: not given */
    int log;
};

struct state {
    const covey_histogram *prior;
    const covey_distance *distance;
    void *distance_state;
    covey_ratio t;
    int64_t n_table;
    covey_u128 den;
    bool is_small; /* products of scaled distances and t fit 127 bits */
};

static const covey_distance *const distances[] = {
    &covey_distance_equal, &covey_distance_ordered, &covey_distance_numeric,     &covey_distance_hierarchical,
    &covey_distance_kl,    &covey_distance_js,      &covey_distance_js_smoothed,
};

static const char *const distance_names[] = {"equal", "ordered", "numeric",     "hierarchical",
                                             "kl",    "js",      "js-smoothed", NULL};
static const char *const log_names[] = {"bit", "nat", NULL};

static const covey_param t_param_list[] = {
    {.name = "t",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct t_params, t),
     .required = true,
     .minimum = "0",
     .help = "largest distance of a class from the whole table"},
    {.name = "distance",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct t_params, distance),
     .fallback = "equal",
     .choices = distance_names,
     .help = "earth mover's distance over this ground distance, or a divergence (kl, js, js-smoothed)"},
    {.name = "smooth",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct t_params, smooth),
     .minimum = "0",
     .minimum_open = true,
     .help = "js-smoothed: bandwidth as a share of the attribute's width, default 1/5"},
    {.name = "log",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct t_params, log),
     .choices = log_names,
     .help = "kl, js, js-smoothed: unit of the divergence, default bit"},
};

/* An option that would be ignored is refused. */
static covey_status check_options(const struct t_params *p, const covey_distance *distance, covey_error *err)
{
    if (p->smooth.num > 0 && distance != &covey_distance_js_smoothed)
        return covey_i_refuse_param(err, "smooth",
                                    "t-closeness: smooth goes with distance js-smoothed only, not with %s: leave it "
                                    "out",
                                    distance->name);
    if (p->log > 0 && distance->scaled)
        return covey_i_refuse_param(err, "log",
                                    "t-closeness: log goes with distance kl, js and js-smoothed only, not with %s: "
                                    "leave it out",
                                    distance->name);
    return COVEY_OK;
}

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    const struct t_params *p = params;
    const covey_distance *distance = distances[p->distance];
    const covey_distance_options options = {.smooth = p->smooth.num > 0 ? p->smooth : (covey_ratio){1, 5},
                                            .natural = p->log == 1};
    const covey_u128 total = (covey_u128)input->prior->total;
    struct state *s = covey_arena_array(arena, struct state, 1);
    covey_u128 product, rows = (covey_u128)1 << 32; /* no class has more */

    if (!s)
        return covey_i_no_memory(err);
    COVEY_TRY(check_options(p, distance, err));
    *s = (struct state){.prior = input->prior, .distance = distance, .t = p->t, .n_table = input->prior->total};
    COVEY_TRY(covey_i_error_about(distance->prepare(&s->distance_state, &s->den, input, &options, arena, err),
                                  "distance", err));
    if (__builtin_mul_overflow(total * total, s->den, &product) || product > (covey_u128)1 << 120 ||
        __builtin_mul_overflow(total * rows, s->den, &product) || product > (covey_u128)1 << 126)
        return covey_i_refuse_param(err, "distance",
                                    "t-closeness: column \"%s\" is too wide to compute distance %s exactly: round "
                                    "its values or choose distance ordered",
                                    input->sensitive->name, distance->name);
    s->is_small = !__builtin_mul_overflow(product, (covey_u128)(p->t.num > p->t.den ? p->t.num : p->t.den), &product) &&
                  product < (covey_u128)1 << 126;
    *state = s;
    return COVEY_OK;
}

static covey_i128 whole(const struct state *s, const covey_group *group)
{
    return (covey_i128)s->n_table * group->size * (covey_i128)s->den;
}

/* What the error of a real distance leaves open is decided exactly; group NULL: of shares, for which nothing does. */
static bool is_real_close(const struct state *s, covey_estimate real, const covey_histogram *group)
{
    const long double t = (long double)s->t.num / (long double)s->t.den, error = 2 * (real.error + t * LDBL_EPSILON);

    if (real.value + error < t)
        return true;
    if (!(real.value - error <= t))
        return false;
    return group && s->distance->is_within(s->distance_state, group, s->t);
}

/* A scaled distance; negative: the class holds a value that the table does not. */
static bool is_close(const struct state *s, covey_i128 scaled, covey_i128 whole_group)
{
    if (scaled < 0)
        return false;
    if (s->is_small)
        return scaled * s->t.den <= whole_group * s->t.num;
    return covey_i_fraction_compare((covey_fraction){scaled, whole_group}, (covey_fraction){s->t.num, s->t.den}) <= 0;
}

static covey_figure real_figure(covey_estimate real)
{
    return isfinite(real.value) ? covey_i_figure_real((double)real.value) : covey_i_figure_infinite(COVEY_FIGURE_REAL);
}

static bool admits(const void *state, const covey_group *group)
{
    const struct state *s = state;

    if (!s->distance->scaled)
        return is_real_close(s, s->distance->real(s->distance_state, group->counts), group->counts);
    return is_close(s, s->distance->scaled(s->distance_state, group->counts), whole(s, group));
}

static bool judge(covey_figure *out, const void *state, const covey_group *group)
{
    const struct state *s = state;
    covey_i128 scaled, den;

    if (!s->distance->scaled) {
        const covey_estimate real = s->distance->real(s->distance_state, group->counts);

        *out = real_figure(real);
        return is_real_close(s, real, group->counts);
    }
    scaled = s->distance->scaled(s->distance_state, group->counts);
    den = whole(s, group);
    *out = scaled < 0 ? covey_i_figure_infinite(COVEY_FIGURE_FRACTION)
                      : (covey_figure){.kind = COVEY_FIGURE_FRACTION, .fraction = {scaled, den}};
    return is_close(s, scaled, den);
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    judge(out, state, group);
    covey_i_figure_reduce(out);
}

/* Are they the table's own?  Those of values that it lacks are not. */
static bool are_of_table(const struct state *s, const covey_share *share, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (covey_i_fraction_compare_products(share[i].num, (covey_u128)s->n_table, share[i].den,
                                              (covey_u128)s->prior->count[share[i].value]) != 0)
            return false;
    return n == s->prior->n_distinct;
}

/* Distances that are real numbers anyway; for the others see `closeness`. */
static bool judge_shares(bool *admitted, covey_figure *out, const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;
    covey_estimate real;

    if (!s->distance->real_of_shares)
        return false;
    real = s->distance->real_of_shares(s->distance_state, share, n);
    *admitted = is_real_close(s, real, NULL) || are_of_table(s, share, n);
    *out = real_figure(real);
    return true;
}

static bool closeness(covey_closeness *out, const void *state)
{
    const struct state *s = state;

    if (!s->distance->ground)
        return false;
    *out = (covey_closeness){.t = s->t, .den = s->den, .prior = s->prior};
    s->distance->ground(out, s->distance_state);
    return true;
}

const covey_model covey_model_t_closeness = {
    .name = "t-closeness",
    .summary = "in every class the sensitive values are distributed nearly as in the whole table",
    .not_against =
        "The distance is a sum over all values: a rare value may become many times more likely at little cost.",
    .source = "Li07, definition of t-closeness",
    .threshold = "t",
    .params = t_param_list,
    .n_params = sizeof t_param_list / sizeof *t_param_list,
    .params_size = sizeof(struct t_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE |
              COVEY_MODEL_PRIOR, /* every distance is convex in the class's shares */
    .figure_high_is_safe = false,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .judge = judge,
    .judge_shares = judge_shares,
    .closeness = closeness,
};
