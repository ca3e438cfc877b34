/* Entropy l-diversity: the entropy of the sensitive values of every class is at least log l.
 * Source: [Machanavajjhala06], definition of entropy l-diversity. */
#include "model/model_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/exact/entropy.h"
#include "model/counts.h"
#include "model/nearest.h"

enum { TABLE_SIZE = 4096 };

struct l_params {
    covey_ratio l;
};

struct state {
    covey_ratio l;
    int64_t n_values; /* no class has more different ones */
    double log_l;
    const double *n_log_n; /* [TABLE_SIZE] classes are small, and logarithms are slow */
};

static const covey_param l_param_list[] = {
    {.name = "l",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct l_params, l),
     .required = true,
     .minimum = "1",
     .help = "the entropy of a class is at least that of l equally frequent values"},
};

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    const struct l_params *p = params;
    struct state *s = covey_arena_array(arena, struct state, 1);
    double *n_log_n = covey_arena_array(arena, double, TABLE_SIZE);

    if (!s || !n_log_n)
        return covey_i_no_memory(err);
    if (p->l.num >= (int64_t)1 << 62)
        return covey_i_refuse_param(err, "l", "entropy-l-diversity: l has too many digits: give it with at most 18");
    n_log_n[0] = 0;
    for (int n = 1; n < TABLE_SIZE; n++)
        n_log_n[n] = n * log(n);
    *s = (struct state){
        .l = p->l, .log_l = log(covey_ratio_value(p->l)), .n_log_n = n_log_n, .n_values = input->prior->n_values};
    *state = s;
    return COVEY_OK;
}

static double n_log_n(const struct state *s, int64_t n)
{
    return n < TABLE_SIZE ? s->n_log_n[n] : (double)n * log((double)n);
}

/* sum of n ln n; compensated, because a class may hold a million values ([Neumaier74]). */
static double add(double *lost, double sum, double term)
{
    const double total = sum + term;

    *lost += sum >= term ? sum - total + term : term - total + sum;
    return total;
}

static bool admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    const covey_histogram *h = group->counts;
    const double m = (double)h->total;
    double sum = 0, lost = 0, difference;

    for (uint32_t i = 0; i < h->n_present; i++)
        sum = add(&lost, sum, n_log_n(s, h->count[h->present[i]]));
    difference = log(m) - (sum + lost) / m - s->log_l;
    /* Doubles decide where they are sure; l equally frequent values must pass, and they would fail by a rounding error.
     */
    if (fabs(difference) > 1e-9)
        return difference > 0;
    return covey_i_entropy_reaches(h->count, h->present, h->n_present, h->total, s->l);
}

/* Long doubles decide where they are sure; nearer to the bound nothing is said. */
static bool judge_shares(bool *admitted, covey_figure *out, const void *state, covey_share *share, size_t n)
{
    const struct state *s = state;
    long double entropy = 0, difference;

    for (size_t i = 0; i < n; i++) {
        const long double p = (long double)share[i].num / (long double)share[i].den;

        entropy -= p * logl(p);
    }
    difference = entropy - s->log_l;
    *admitted = difference > 0;
    *out = covey_i_figure_real((double)expl(entropy));
    return fabsl(difference) > 1e-9L;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    const struct state *s = state;
    const double m = (double)group->counts->total;
    covey_ascending values;
    double sum = 0, lost = 0;

    covey_i_ascending_init(&values, group->counts);
    for (uint32_t v; covey_i_ascending_next(&values, &v);)
        sum = add(&lost, sum, n_log_n(s, group->counts->count[v]));
    *out = covey_i_figure_real(exp(log(m) - (sum + lost) / m));
}

/* [derived] The entropy of d values is at most log d. */
static int64_t min_size(const void *state)
{
    const struct state *s = state;

    return s->l.num / s->l.den + (s->l.num % s->l.den != 0);
}

/* Can the entropy be reached with so many rows of one value?  The others are as different as can be; near the bound the
 * answer is yes. */
static bool may_reach(const struct state *s, int64_t count, int64_t size)
{
    const double p = (double)count / (double)size,
                 n_others = (double)(size - count < s->n_values - 1 ? size - count : s->n_values - 1);

    if (n_others < 1)
        return s->log_l < 1e-9;
    return -p * log(p) - (1 - p) * log((1 - p) / n_others) > s->log_l - 1e-9;
}

/* [derived] From equal shares on, the more rows have one value the less is the entropy that can be reached; with more
 * rows beside as many, the more. */
static int64_t implied_most(const void *state, int64_t size)
{
    const struct state *s = state;
    int64_t low = size / s->n_values + (size % s->n_values != 0), high = size + 1;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (may_reach(s, middle, size))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* To four decimals: exp of the entropy is no fraction, unless it comes out even. */
static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const covey_histogram *h = whole->counts;
    covey_ratio l = {0, 10000};
    covey_figure most;
    char text[32];

    if (admits(state, whole))
        return false;
    figure(&most, state, whole);
    for (l.num = llround(most.real * 1e4); l.num > l.den; l.num--)
        if (covey_i_entropy_reaches(h->count, h->present, h->n_present, h->total, l))
            break;
    if (l.num < l.den)
        l.num = l.den;
    if (l.num % l.den == 0)
        snprintf(text, sizeof text, "%" PRId64, l.num / l.den);
    else
        snprintf(text, sizeof text, "%" PRId64 ".%04" PRId64, l.num / l.den, l.num % l.den);
    snprintf(nearest->why, sizeof nearest->why,
             "the whole table reaches an entropy of log %s only: l can be %s at most unless rows are suppressed", text,
             text);
    covey_i_nearest_change(nearest, "l", "%s", text);
    return true;
}

const covey_model covey_model_entropy_l_diversity = {
    .name = "entropy-l-diversity",
    .summary = "the entropy of the sensitive values of every class is at least log l",
    .not_against = "A single value may still have a large share of a class if the others are spread out.",
    .source = "Machanavajjhala06, definition of entropy l-diversity",
    .threshold = "l",
    .params = l_param_list,
    .n_params = sizeof l_param_list / sizeof *l_param_list,
    .params_size = sizeof(struct l_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE, /* entropy is concave */
    .figure_high_is_safe = true,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .judge_shares = judge_shares,
    .min_size = min_size,
    .implied_distinct = min_size,
    .implied_most = implied_most,
    .hopeless = hopeless,
};
