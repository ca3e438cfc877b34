/* delta-disclosure privacy: |ln(q/p)| < delta for every value of the table, with its shares p in the table and q in the
 * class; so every value occurs in every class.  Natural logarithm, strict. Source: [BrickellShmatikov08], definition of
 * delta-disclosure privacy.
 *
 * e^delta is irrational, so equality never happens and rational bounds rounded against us decide everything but counts
 * within 2^-50 rows of the bound, and those for safety. */
#include "model/model_impl.h"

#include <math.h>

#include "base/error.h"
#include "base/exact/log.h"

struct delta_params {
    covey_ratio delta;
};

/* Rows n of a class of g rows: least g < n 2^90 and n 2^90 < most g. */
struct shares {
    covey_u128 least, most; /* p e^-delta rounded up, p e^delta rounded down, times 2^90; most at most 2^91: no bound */
};

struct state {
    const covey_histogram *prior;
    struct shares *share; /* [prior->n_values] */
    int64_t min_size;
};

enum { SCALE = 90, LARGEST_DELTA = 23 }; /* e^23 > 2^32 rows: beyond, only a missing value breaks the promise */

static const covey_param delta_param_list[] = {
    {.name = "delta",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct delta_params, delta),
     .required = true,
     .minimum = "0",
     .minimum_open = true,
     .help = "bound on |ln(share in the class / share in the table)| of every value"},
};

/* floor(2^180 / x), 2^90 <= x < 2^124. */
static covey_u128 inverse(covey_u128 x)
{
    covey_u128 quotient = 0, rest = 0;

    for (int bit = 2 * SCALE; bit >= 0; bit--) {
        rest = rest << 1 | (bit == 2 * SCALE);
        quotient <<= 1;
        if (rest >= x) {
            rest -= x;
            quotient |= 1;
        }
    }
    return quotient;
}

/* floor(x * count / total), count <= total < 2^32. */
static covey_u128 share_of(covey_u128 x, int64_t count, int64_t total)
{
    const covey_u128 n = (covey_u128)count, t = (covey_u128)total;

    return x / t * n + x % t * n / t;
}

static int64_t most_rows(const struct shares *share, int64_t size)
{
    const covey_u128 most = ((share->most * (covey_u128)size + ((covey_u128)1 << SCALE) - 1) >> SCALE);

    return most == 0 ? 0 : most - 1 < (covey_u128)size ? (int64_t)(most - 1) : size;
}

static int64_t least_rows(const struct shares *share, int64_t size)
{
    return (int64_t)(share->least * (covey_u128)size >> SCALE) + 1;
}

/* One row of each value, and the rarest may have one. */
static int64_t least_size(const struct state *s)
{
    int64_t size = 0;

    for (uint32_t v = 0; v < s->prior->n_values; v++) {
        /* 2^90 < most g  iff  g > 2^90/most */
        const covey_u128 one = s->share[v].most > 0 ? ((covey_u128)1 << SCALE) / s->share[v].most + 1 : 0;

        if ((covey_u128)size < one)
            size = (int64_t)one;
    }
    return size > s->prior->n_distinct ? size : s->prior->n_distinct;
}

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    const struct delta_params *p = params;
    const covey_histogram *prior = input->prior;
    struct state *s = covey_arena_array(arena, struct state, 1);
    struct shares *share = covey_arena_array(arena, struct shares, prior->n_values);
    covey_ratio delta = p->delta;
    covey_u128 up, down;

    if (!s || !share)
        return covey_i_no_memory(err);
    if (covey_ratio_compare(delta, (covey_ratio){LARGEST_DELTA, 1}) > 0)
        delta = (covey_ratio){LARGEST_DELTA, 1};
    up = covey_i_log_exp_floor(delta);
    down = inverse(up) + 1;
    for (uint32_t v = 0; v < prior->n_values; v++) {
        const covey_u128 most = share_of(up, prior->count[v], prior->total), none = (covey_u128)1 << (SCALE + 1);

        share[v].most = most < none ? most : none;
        share[v].least = share_of(down, prior->count[v], prior->total) + 1;
    }
    *s = (struct state){.prior = prior, .share = share};
    s->min_size = least_size(s);
    *state = s;
    return COVEY_OK;
}

static bool admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    const covey_histogram *h = group->counts;

    if (h->n_distinct != s->prior->n_distinct)
        return false;
    for (uint32_t i = 0; i < h->n_present; i++) {
        const struct shares *share = &s->share[h->present[i]];
        const covey_u128 n = (covey_u128)h->count[h->present[i]] << SCALE, g = (covey_u128)group->size;

        if (n > 0 && (n >= share->most * g || n <= share->least * g))
            return false;
    }
    return true;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    const covey_histogram *prior = ((const struct state *)state)->prior, *h = group->counts;
    uint32_t n_values = 0;
    double largest = 0;

    for (uint32_t i = 0; i < h->n_present; i++) {
        const uint32_t v = h->present[i];
        double gain;

        if (h->count[v] == 0 || prior->count[v] == 0)
            continue;
        n_values++;
        gain = fabs(log((double)h->count[v] * (double)prior->total / ((double)prior->count[v] * (double)group->size)));
        if (gain > largest)
            largest = gain;
    }
    if (n_values < prior->n_distinct || n_values < h->n_distinct)
        *out = covey_i_figure_infinite(COVEY_FIGURE_REAL);
    else
        *out = covey_i_figure_real(largest);
}

static bool judge_shares(bool *admitted, covey_figure *out, const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;
    long double largest = 0;

    *admitted = n == s->prior->n_distinct;
    for (size_t i = 0; i < n; i++) {
        const struct shares *bound = &s->share[share[i].value];
        const long double p = (long double)s->prior->count[share[i].value] / (long double)s->prior->total;

        *admitted =
            *admitted &&
            covey_i_fraction_compare_products(share[i].num, (covey_u128)1 << SCALE, bound->most, share[i].den) < 0 &&
            covey_i_fraction_compare_products(share[i].num, (covey_u128)1 << SCALE, bound->least, share[i].den) > 0;
        largest =
            fmaxl(largest, p > 0 ? fabsl(logl((long double)share[i].num / (long double)share[i].den / p)) : INFINITY);
    }
    *out = n < s->prior->n_distinct || isinf(largest) ? covey_i_figure_infinite(COVEY_FIGURE_REAL)
                                                      : covey_i_figure_real((double)largest);
    return true;
}

static void bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const struct state *s = state;

    for (size_t i = 0; i < n; i++) {
        const size_t v = value ? value[i] : i;
        const bool occurs = s->prior->count[v] > 0;
        const int64_t most = occurs ? most_rows(&s->share[v], size) : 0,
                      least = occurs ? least_rows(&s->share[v], size) : 0;

        if (cap[i] > most)
            cap[i] = most;
        if (need[i] < least)
            need[i] = least;
    }
}

static double largest_share(const void *state, uint32_t value)
{
    const struct state *s = state;

    return fmin(1, s->prior->count[value] > 0 ? ldexp((double)s->share[value].most, -SCALE) : 0);
}

static int64_t min_size(const void *state)
{
    return ((const struct state *)state)->min_size;
}

const covey_model covey_model_delta_disclosure = {
    .name = "delta-disclosure",
    .summary = "in every class every sensitive value has nearly its share of the whole table: |ln(q/p)| < delta",
    .not_against = "Values that mean nearly the same may all become more likely together.",
    .source = "BrickellShmatikov08, definition of delta-disclosure privacy",
    .threshold = "delta",
    .params = delta_param_list,
    .n_params = sizeof delta_param_list / sizeof *delta_param_list,
    .params_size = sizeof(struct delta_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_PRIOR | COVEY_MODEL_CAPS,
    .figure_high_is_safe = false,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .bounds = bounds,
    .judge_shares = judge_shares,
    .min_size = min_size,
    .largest_share = largest_share,
};
