/* Jensen-Shannon divergence after both distributions are smoothed over the values' order by the Epanechnikov kernel
 * K(d) = max(0, 1 - (d/B)^2): a value that becomes more likely at the cost of its neighbours counts little.
 * Source: [Li10], kernel smoothing; d is the distance of two values over that of the extreme ones, and each value's
 * kernel is scaled to sum 1: p^_i = sum_j p_j K(d_ij) / sum_l K(d_lj).
 *
 * K times a constant is (reach - far)(reach + far) of whole numbers, all that is added is positive: so the smoothed
 * shares are off by a few roundings, relatively.  Where that is too much to tell, only distributions that are alike are
 * known to be within t; kernels that reach no neighbour change nothing, which leaves the plain divergence. */
#include "model/distance/distance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/line.h"

struct state {
    const covey_line *line;
    const long double *inverse; /* [n] 1 / sum of a point's kernel */
    const long double *p;       /* [n] smoothed shares of the table */
    covey_u128 reach;           /* how far kernels reach: the bandwidth times its denominator, in units of positions */
    uint64_t den;               /* the bandwidth's denominator */
    long double unit;           /* of the result in natural logarithms */
    void *plain;                /* of covey_distance_js; NULL: kernels reach neighbours */
};

static covey_u128 far(const struct state *s, uint32_t i, uint32_t j)
{
    const uint64_t *x = s->line->position;

    return (covey_u128)(x[i] > x[j] ? x[i] - x[j] : x[j] - x[i]) * s->den;
}

static bool is_reached(const struct state *s, uint32_t i, uint32_t j)
{
    return far(s, i, j) < s->reach;
}

/* Conversions of 128 bits are calls. */
static long double real_of(covey_u128 x)
{
    return x <= INT64_MAX ? (long double)(int64_t)x : (long double)x;
}

static long double kernel(const struct state *s, uint32_t i, uint32_t j)
{
    const covey_u128 distance = far(s, i, j);

    return real_of(s->reach - distance) * real_of(s->reach + distance);
}

/* The smoothed share of point i; count[value of a point] / total are the shares.  *from only grows with i: the first
 * point whose kernel can reach i. */
static long double smoothed(const struct state *s, uint32_t i, uint32_t *from, const int64_t *count, int64_t total)
{
    long double sum = 0;

    while (!is_reached(s, i, *from))
        ++*from;
    for (uint32_t j = *from; j < s->line->n && is_reached(s, i, j); j++)
        if (count[s->line->value[j]] > 0)
            sum += (long double)count[s->line->value[j]] * kernel(s, i, j) * s->inverse[j];
    return sum / (long double)total;
}

static bool reaches_neighbours(const struct state *s)
{
    for (uint32_t i = 1; i < s->line->n; i++)
        if (is_reached(s, i - 1, i))
            return true;
    return false;
}

static void fill(struct state *s, long double *inverse, long double *p)
{
    const covey_line *line = s->line;
    uint32_t from = 0;

    for (uint32_t i = 0; i < line->n; i++) {
        long double sum = 0;

        while (!is_reached(s, i, from))
            from++;
        for (uint32_t j = from; j < line->n && is_reached(s, i, j); j++)
            sum += kernel(s, i, j);
        inverse[i] = 1 / sum;
    }
    from = 0;
    for (uint32_t i = 0; i < line->n; i++)
        p[i] = smoothed(s, i, &from, line->prior->count, line->prior->total);
}

static covey_status prepare(void **state, covey_u128 *den, const covey_model_input *input,
                            const covey_distance_options *options, covey_arena *arena, covey_error *err)
{
    const covey_line_wish wish = {"t-closeness", "distance js-smoothed", "choose distance equal or js",
                                  covey_column_is_number(input->sensitive)};
    struct state *s = covey_arena_array_zero(arena, struct state, 1);
    uint64_t width;
    covey_line *line;
    long double *inverse, *p;

    COVEY_TRY(covey_i_line_new(&line, input, &wish, arena, err));
    inverse = covey_arena_array(arena, long double, line->n);
    p = covey_arena_array(arena, long double, line->n);
    if (!s || !inverse || !p)
        return covey_i_no_memory(err);
    width = line->position[line->n - 1] > 0 ? line->position[line->n - 1] : 1;
    *s = (struct state){.line = line,
                        .inverse = inverse,
                        .p = p,
                        .reach = (covey_u128)width * (uint64_t)options->smooth.num,
                        .den = (uint64_t)options->smooth.den,
                        .unit = options->natural ? 1 : logl(2)};
    *state = s;
    *den = 1;
    if (!reaches_neighbours(s))
        return covey_distance_js.prepare(&s->plain, den, input, options, arena, err);
    fill(s, inverse, p);
    return COVEY_OK;
}

static void add_point(covey_long_terms *terms, long double p, long double q)
{
    covey_i_long_terms_add(terms, p * logl(2 * p / (p + q)));
    if (q > 0)
        covey_i_long_terms_add(terms, q * logl(2 * q / (p + q)));
}

/* [derived] A kernel is off by 3/2 epsilon, a sum of n of them by n/2 more, and each share has two such sums and four
 * more roundings. */
static covey_estimate estimate(const struct state *s, const covey_long_terms *terms)
{
    return covey_i_divergence_long(terms, 2 * s->unit, LDBL_EPSILON * (long double)(s->line->n + 10));
}

static covey_estimate real(const void *state, const covey_histogram *group)
{
    const struct state *s = state;
    covey_long_terms terms = {0};
    uint32_t from = 0;

    for (uint32_t i = 0; i < group->n_present; i++)
        if (group->count[group->present[i]] > 0 && s->line->point[group->present[i]] == UINT32_MAX)
            return covey_i_divergence_infinite();
    if (s->plain)
        return covey_distance_js.real(s->plain, group);
    for (uint32_t i = 0; i < s->line->n; i++)
        add_point(&terms, s->p[i], smoothed(s, i, &from, group->count, group->total));
    return estimate(s, &terms);
}

static bool is_within(const void *state, const covey_histogram *group, covey_ratio t)
{
    const struct state *s = state;

    return s->plain ? covey_distance_js.is_within(s->plain, group, t)
                    : covey_i_divergence_is_proportional(s->line->prior, group);
}

/* --- shares that no rows need have --- */

static covey_estimate real_of_shares(const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;
    const uint32_t *point = s->line->point;
    covey_long_terms terms = {0};
    size_t from = 0;

    covey_i_line_sort_shares(share, n, s->line);
    if (n > 0 && point[share[n - 1].value] == UINT32_MAX)
        return covey_i_divergence_infinite();
    if (s->plain)
        return covey_distance_js.real_of_shares(s->plain, share, n);
    for (uint32_t i = 0; i < s->line->n; i++) {
        long double q = 0;

        while (from < n && point[share[from].value] < i && !is_reached(s, i, point[share[from].value]))
            from++;
        for (size_t k = from; k < n; k++) {
            const uint32_t j = point[share[k].value];

            if (!is_reached(s, i, j))
                break;
            q += (long double)share[k].num / (long double)share[k].den * kernel(s, i, j) * s->inverse[j];
        }
        add_point(&terms, s->p[i], q);
    }
    return estimate(s, &terms);
}

const covey_distance covey_distance_js_smoothed = {
    .name = "js-smoothed",
    .prepare = prepare,
    .real = real,
    .is_within = is_within,
    .real_of_shares = real_of_shares,
};
