/* Jensen-Shannon divergence after both distributions are smoothed over the values' order by the Epanechnikov kernel
 * K(d) = max(0, 1 - (d/B)^2): a value that becomes more likely at the cost of its neighbours counts little.
 * Source: [Li10], kernel smoothing; d is the distance of two values over that of the extreme ones, and each value's kernel is scaled
 * to sum 1: p^_i = sum_j p_j K(d_ij) / sum_l K(d_lj). */
#include "model/distance.h"

#include <math.h>
#include <stdlib.h>

#include "model/line.h"

struct state {
    const covey_line *line;
    const double *x;       /* [n] positions in [0, 1] */
    const double *inverse; /* [n] 1 / sum of a point's kernel */
    const double *p;       /* [n] smoothed shares of the table */
    double bandwidth;
    double unit;           /* of the result in natural logarithms */
};

static double kernel(const struct state *s, uint32_t i, uint32_t j)
{
    const double d = (s->x[i] - s->x[j]) / s->bandwidth;

    return d > -1 && d < 1 ? 1 - d * d : 0;
}

/* The smoothed share of point i; count[value of a point] / total are the shares.  *from only grows with i: the first point whose
 * kernel can reach i. */
static double smoothed(const struct state *s, uint32_t i, uint32_t *from, const int64_t *count, double total)
{
    double sum = 0;

    while (s->x[i] - s->x[*from] >= s->bandwidth)
        ++*from;
    for (uint32_t j = *from; j < s->line->n && s->x[j] - s->x[i] < s->bandwidth; j++)
        if (count[s->line->value[j]] > 0)
            sum += (double)count[s->line->value[j]] * kernel(s, i, j) * s->inverse[j];
    return sum / total;
}

static void fill(struct state *s, double *x, double *inverse, double *p)
{
    const covey_line *line = s->line;
    const double width = (double)line->position[line->n - 1];
    uint32_t from = 0;

    for (uint32_t i = 0; i < line->n; i++)
        x[i] = width > 0 ? (double)line->position[i] / width : 0;
    for (uint32_t i = 0; i < line->n; i++) {
        double sum = 0;

        while (x[i] - x[from] >= s->bandwidth)
            from++;
        for (uint32_t j = from; j < line->n && x[j] - x[i] < s->bandwidth; j++)
            sum += kernel(s, i, j);
        inverse[i] = 1 / sum;
    }
    from = 0;
    for (uint32_t i = 0; i < line->n; i++)
        p[i] = smoothed(s, i, &from, line->prior->count, (double)line->prior->total);
}

static covey_status prepare(void **state, covey_u128 *den, const covey_model_input *input, const covey_distance_options *options,
                            covey_arena *arena, covey_error *err)
{
    const covey_line_wish wish = {"t-closeness", "distance js-smoothed", "choose distance equal or js", covey_column_is_number(input->sensitive)};
    struct state *s = covey_arena_array(arena, struct state, 1);
    covey_line *line;
    double *x, *inverse, *p;

    COVEY_TRY(covey_i_line_new(&line, input, &wish, arena, err));
    x = covey_arena_array(arena, double, line->n);
    inverse = covey_arena_array(arena, double, line->n);
    p = covey_arena_array(arena, double, line->n);
    if (!s || !x || !inverse || !p)
        return covey_fail(err, COVEY_ENOMEM, "t-closeness: no memory for %u sensitive values", line->n);
    *s = (struct state){.line = line, .x = x, .inverse = inverse, .p = p, .bandwidth = covey_ratio_value(options->smooth),
                        .unit = options->natural ? 1 : log(2)};
    fill(s, x, inverse, p);
    *state = s;
    *den = 1;
    return COVEY_OK;
}

static double real(const void *state, const covey_histogram *group)
{
    const struct state *s = state;
    uint32_t from = 0;
    double sum = 0;

    for (uint32_t i = 0; i < group->n_present; i++)
        if (group->count[group->present[i]] > 0 && s->line->point[group->present[i]] == UINT32_MAX)
            return INFINITY;
    for (uint32_t i = 0; i < s->line->n; i++) {
        const double p = s->p[i], q = smoothed(s, i, &from, group->count, (double)group->total);

        sum += p * log(2 * p / (p + q));
        if (q > 0)
            sum += q * log(2 * q / (p + q));
    }
    return sum > 0 ? sum / 2 / s->unit : 0;
}

/* --- shares that no rows need have --- */

static int compare_points(const void *a, const void *b, void *context)
{
    const covey_line *line = context;
    const uint32_t x = line->point[((const covey_share *)a)->value], y = line->point[((const covey_share *)b)->value];

    return (x > y) - (x < y);
}

static double real_of_shares(const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;
    const uint32_t *point = s->line->point;
    long double sum = 0;
    size_t from = 0;

    qsort_r(share, n, sizeof *share, compare_points, (void *)s->line);
    if (n > 0 && point[share[n - 1].value] == UINT32_MAX)
        return INFINITY;
    for (uint32_t i = 0; i < s->line->n; i++) {
        const long double p = s->p[i];
        long double q = 0;

        while (from < n && s->x[i] - s->x[point[share[from].value]] >= s->bandwidth)
            from++;
        for (size_t k = from; k < n; k++) {
            const uint32_t j = point[share[k].value];

            if (s->x[j] - s->x[i] >= s->bandwidth)
                break;
            q += (long double)share[k].num / (long double)share[k].den * kernel(s, i, j) * s->inverse[j];
        }
        sum += p * logl(2 * p / (p + q)) + (q > 0 ? q * logl(2 * q / (p + q)) : 0);
    }
    return sum > 0 ? (double)(sum / 2 / s->unit) : 0;
}

const covey_distance covey_distance_js_smoothed = {.name = "js-smoothed", .prepare = prepare, .real = real, .real_of_shares = real_of_shares};
