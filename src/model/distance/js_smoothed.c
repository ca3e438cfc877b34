/* Jensen-Shannon divergence after both distributions are smoothed over the values' order by the Epanechnikov kernel
 * K(d) = max(0, 1 - (d/B)^2): a value that becomes more likely at the cost of its neighbours counts little.
 * Source: [Li10], kernel smoothing; d is the distance of two values over that of the extreme ones, and each value's
 * kernel is scaled to sum 1: p^_i = sum_j p_j K(d_ij) / sum_l K(d_lj).
 *
 * K times a constant is reach^2 - far^2 in whole numbers.  All points within reach on one side of a point are summed at
 * once: if they lie u from the furthest of them, their base, and that is A away, reach^2 - (A - u)^2 is
 * (reach - A)(reach + A) + 2Au - u^2, so the sums of their weights, of u and of u^2 suffice.  All that is added is
 * positive, and what is subtracted is half of the minuend at most: so the smoothed shares are off by a few roundings,
 * relatively.  Where that is too much to tell, only distributions that are alike are known to be within t; kernels that
 * reach no neighbour change nothing, which leaves the plain divergence. */
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

static uint64_t apart(uint64_t x, uint64_t y)
{
    return x > y ? x - y : y - x;
}

static bool is_reached(const struct state *s, uint64_t x, uint64_t y)
{
    return (covey_u128)apart(x, y) * s->den < s->reach;
}

static bool reaches_neighbours(const struct state *s)
{
    for (uint32_t i = 1; i < s->line->n; i++)
        if (is_reached(s, s->line->position[i - 1], s->line->position[i]))
            return true;
    return false;
}

/* What is smoothed, n sources in the order of their points: the rows of a histogram, shares, or 1 at each point. */
struct sources {
    const struct state *s;
    uint32_t n;
    const int64_t *count;     /* of each value; else NULL */
    const covey_share *share; /* [n]; else NULL */
};

static uint32_t point_of(const struct sources *from, uint32_t k)
{
    return from->share ? from->s->line->point[from->share[k].value] : k;
}

static uint64_t place_of(const struct sources *from, uint32_t k)
{
    return from->s->line->position[point_of(from, k)];
}

static long double weight_of(const struct sources *from, uint32_t k)
{
    if (from->share)
        return (long double)from->share[k].num / (long double)from->share[k].den * from->s->inverse[point_of(from, k)];
    return from->count ? (long double)from->count[from->s->line->value[k]] * from->s->inverse[k] : 1;
}

/* Sums over sources of w, w u and w u^2, where u is how far a source lies from the base, the last of them on a side. */
struct moments {
    uint64_t base; /* sum > 0 */
    long double sum, first, second;
};

static void add_source(struct moments *m, const struct sources *from, uint32_t k, bool base_is_least)
{
    const long double w = weight_of(from, k);
    const uint64_t x = place_of(from, k);
    long double u;

    if (w <= 0)
        return;
    if (m->sum <= 0)
        m->base = x;
    u = (long double)apart(x, m->base);
    if (base_is_least ? x < m->base : x > m->base) {
        m->second += u * (2 * m->first + u * m->sum);
        m->first += u * m->sum;
        m->base = x;
        u = 0;
    }
    m->sum += w;
    m->first += w * u;
    m->second += w * u * u;
}

/* Conversions of 128 bits are calls. */
static long double real_of(covey_u128 x)
{
    return x <= INT64_MAX ? (long double)(int64_t)x : (long double)x;
}

/* Sum of w (reach^2 - distance^2) at x, which the base reaches and where no source lies beyond. */
static long double sum_at(const struct state *s, const struct moments *m, uint64_t x)
{
    const long double away = (long double)apart(x, m->base), den = (long double)s->den;
    const covey_u128 far = (covey_u128)apart(x, m->base) * s->den;

    if (m->sum <= 0)
        return 0;
    return m->sum * real_of(s->reach - far) * real_of(s->reach + far) + den * den * (2 * away * m->first - m->second);
}

/* Neighbouring sources, of which the first go and more follow.  Sums are never diminished, which would leave no digits:
 * of the older half are kept those that begin at `first` and, for later, half as far from the end, half of that ... */
struct window {
    bool base_is_least;
    uint32_t first, end;  /* sources first .. end-1 */
    struct moments newer; /* of middle .. end-1 */
    uint32_t n_older;
    struct older {
        uint32_t first;         /* descending; older[0]: the middle */
        struct moments moments; /* of first .. middle-1 */
    } older[34];
};

static void keep_older(struct window *w, const struct sources *from)
{
    while (w->n_older > 1 && w->older[w->n_older - 1].first < w->first)
        w->n_older--;
    while (w->older[w->n_older - 1].first > w->first) {
        struct older more = w->older[w->n_older - 1];
        const uint32_t half = w->first + (more.first - w->first) / 2;

        while (more.first > half)
            add_source(&more.moments, from, --more.first, w->base_is_least);
        w->older[w->n_older++] = more;
    }
}

static void move(struct window *w, const struct sources *from, uint32_t first, uint32_t end)
{
    for (; w->end < end; w->end++)
        add_source(&w->newer, from, w->end, w->base_is_least);
    w->first = first;
    if (w->n_older == 0 || first >= w->older[0].first) {
        w->newer = (struct moments){0};
        w->older[0] = (struct older){.first = end};
        w->n_older = 1;
    }
    keep_older(w, from);
}

static long double window_at(const struct state *s, const struct window *w, uint64_t x)
{
    return sum_at(s, &w->older[w->n_older - 1].moments, x) + sum_at(s, &w->newer, x);
}

/* Sources within reach of a point: up to it, and beyond. */
struct smoothing {
    struct sources from;
    struct window left, right;
};

static void smoothing_init(struct smoothing *sm, const struct sources *from)
{
    *sm = (struct smoothing){.from = *from, .left.base_is_least = true};
}

/* Sum of the sources' kernels at point i, by their weights; i ascends from call to call. */
static long double smoothed(struct smoothing *sm, uint32_t i)
{
    const struct sources *from = &sm->from;
    const struct state *s = from->s;
    const uint64_t x = s->line->position[i];
    uint32_t first = sm->left.first, middle = sm->left.end, end = sm->right.end;

    while (middle < from->n && place_of(from, middle) <= x)
        middle++;
    while (first < middle && !is_reached(s, x, place_of(from, first)))
        first++;
    end = end > middle ? end : middle;
    while (end < from->n && is_reached(s, x, place_of(from, end)))
        end++;
    move(&sm->left, from, first, middle);
    move(&sm->right, from, middle, end);
    return window_at(s, &sm->left, x) + window_at(s, &sm->right, x);
}

static void fill(struct state *s, long double *inverse, long double *p)
{
    const covey_histogram *prior = s->line->prior;
    struct smoothing sm;

    smoothing_init(&sm, &(struct sources){.s = s, .n = s->line->n});
    for (uint32_t i = 0; i < s->line->n; i++)
        inverse[i] = 1 / smoothed(&sm, i);
    smoothing_init(&sm, &(struct sources){.s = s, .n = s->line->n, .count = prior->count});
    for (uint32_t i = 0; i < s->line->n; i++)
        p[i] = smoothed(&sm, i) / (long double)prior->total;
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

/* [derived] Of n sources the sum is off by n/2 epsilon, the first moment by n + 1, the second by 2n + 3; what is
 * subtracted is half of the minuend at most, so that a sum of kernels is off by three times as much as either at most,
 * 6n + 16.  Each share has two such sums, and four more roundings. */
static covey_estimate estimate(const struct state *s, const covey_long_terms *terms)
{
    return covey_i_divergence_long(terms, 2 * s->unit, LDBL_EPSILON * (12 * (long double)s->line->n + 36));
}

static covey_estimate distance_of(const struct state *s, const struct sources *from, long double total)
{
    covey_long_terms terms = {0};
    struct smoothing sm;

    smoothing_init(&sm, from);
    for (uint32_t i = 0; i < s->line->n; i++)
        add_point(&terms, s->p[i], smoothed(&sm, i) / total);
    return estimate(s, &terms);
}

static covey_estimate real(const void *state, const covey_histogram *group)
{
    const struct state *s = state;

    for (uint32_t i = 0; i < group->n_present; i++)
        if (group->count[group->present[i]] > 0 && s->line->point[group->present[i]] == UINT32_MAX)
            return covey_i_divergence_infinite();
    if (s->plain)
        return covey_distance_js.real(s->plain, group);
    return distance_of(s, &(struct sources){.s = s, .n = s->line->n, .count = group->count}, (long double)group->total);
}

static bool is_within(const void *state, const covey_histogram *group, covey_ratio t)
{
    const struct state *s = state;

    return s->plain ? covey_distance_js.is_within(s->plain, group, t)
                    : covey_i_divergence_is_proportional(s->line->prior, group);
}

/* Shares that no rows need have. */
static covey_estimate real_of_shares(const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;

    covey_i_line_sort_shares(share, n, s->line);
    if (n > 0 && s->line->point[share[n - 1].value] == UINT32_MAX)
        return covey_i_divergence_infinite();
    if (s->plain)
        return covey_distance_js.real_of_shares(s->plain, share, n);
    return distance_of(s, &(struct sources){.s = s, .n = (uint32_t)n, .share = share}, 1);
}

const covey_distance covey_distance_js_smoothed = {
    .name = "js-smoothed",
    .prepare = prepare,
    .real = real,
    .is_within = is_within,
    .real_of_shares = real_of_shares,
};
