/* Recursive (c,l)-diversity: in every class r_1 < c (r_l + r_(l+1) + ... + r_d), where r_1 >= r_2 >= ... are the counts
 * of the sensitive values: the most frequent value is not too frequent, even for a reader who can exclude l-2 others.
 * Source: [Machanavajjhala06], definition of recursive (c,l)-diversity. */
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/counts.h"
#include "model/nearest.h"

struct cl_params {
    covey_ratio c;
    int64_t l;
};

static const covey_param cl_param_list[] = {
    {.name = "c",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct cl_params, c),
     .required = true,
     .minimum = "0",
     .minimum_open = true,
     .help = "the most frequent value has less than c times the rows of the values from rank l on"},
    {.name = "l",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct cl_params, l),
     .required = true,
     .minimum = "1",
     .help = "rank from which on values count; a class holds at least l of them"},
};

/* Strict, as the definition has it: with fewer than l values the tail is 0 and nothing is below it. */
static bool admits(const void *state, const covey_group *group)
{
    const struct cl_params *s = state;
    const int64_t tail = covey_i_counts_tail(group->counts, s->l);

    return tail > 0 && (covey_i128)covey_i_counts_largest(group->counts, NULL) * s->c.den < (covey_i128)tail * s->c.num;
}

/* The least c is not attained: the class holds for every c above the figure. */
static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    const struct cl_params *s = state;
    const int64_t tail = covey_i_counts_tail(group->counts, s->l);

    *out = tail > 0 ? covey_i_figure_fraction(covey_i_counts_largest(group->counts, NULL), tail)
                    : covey_i_figure_infinite(COVEY_FIGURE_FRACTION);
}

enum { SCALE = 96 };

/* Descending. */
static int compare_shares(const void *a, const void *b)
{
    const covey_share *x = a, *y = b;
    const int order = covey_i_fraction_compare_products(y->num, x->den, x->num, y->den);

    return order ? order : (x->value > y->value) - (x->value < y->value);
}

/* floor(num 2^96 / den), num <= den < 2^127 */
static covey_u128 scaled(const covey_share *share)
{
    covey_u128 quotient = share->num / share->den, rest = share->num % share->den;

    for (int bit = 0; bit < SCALE; bit++) {
        rest <<= 1;
        quotient <<= 1;
        if (rest >= share->den) {
            rest -= share->den;
            quotient |= 1;
        }
    }
    return quotient;
}

/* The largest share rounded up, the tail down: what is nearer to the bound than that fails. */
static bool judge_shares(bool *admitted, covey_figure *out, const void *state, covey_share *share, size_t n)
{
    const struct cl_params *s = state;
    covey_u128 tail = 0, largest;

    qsort(share, n, sizeof *share, compare_shares);
    for (size_t i = (size_t)s->l - 1; i < n; i++)
        tail += scaled(&share[i]);
    largest = scaled(&share[0]) + 1;
    *admitted =
        tail > 0 && covey_i_fraction_compare_products(largest, (covey_u128)s->c.den, tail, (covey_u128)s->c.num) <= 0;
    *out = tail > 0 ? covey_i_figure_real((double)((long double)largest / (long double)tail))
                    : covey_i_figure_infinite(COVEY_FIGURE_REAL);
    return true;
}

/* [derived] Least with all counts 1: then the tail has more than 1/c rows, and l-1 values stand before it. */
static int64_t min_size(const void *state)
{
    const struct cl_params *s = state;
    int64_t size;

    return __builtin_add_overflow(s->l, s->c.den / s->c.num, &size) ? INT64_MAX : size;
}

static int64_t implied_distinct(const void *state)
{
    const struct cl_params *s = state;

    return s->l;
}

/* [derived] Each of the l - 2 values between the most frequent one and the tail has a row: r_1 < c (size - r_1 - l +
 * 2).
 */
static int64_t implied_most(const void *state, int64_t size)
{
    const struct cl_params *s = state;
    const covey_i128 rest = size - (s->l > 2 ? s->l - 2 : 0),
                     most = (rest * s->c.num - 1) / ((covey_i128)s->c.num + s->c.den);

    return s->l < 2 ? size : rest <= 0 ? 0 : (int64_t)most;
}

/* c has to be greater than the figure: the next number with four decimals is. */
static void name_c(covey_nearest *nearest, const covey_fraction least)
{
    const int64_t c = (int64_t)(least.num * 10000 / least.den) + 1;

    covey_i_nearest_change(nearest, "c", "%" PRId64 ".%04" PRId64, c / 10000, c % 10000);
}

/* The largest l that this c allows; 0: none. */
static int64_t largest_l(const struct cl_params *s, const covey_group *whole)
{
    int64_t low = 0, high = s->l < whole->counts->n_distinct ? s->l : whole->counts->n_distinct;

    while (low < high) {
        const struct cl_params trial = {s->c, low + (high - low + 1) / 2};

        if (admits(&trial, whole))
            low = trial.l;
        else
            high = trial.l - 1;
    }
    return low;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct cl_params *s = state, most = {s->c, whole->counts->n_distinct};
    const uint32_t d = whole->counts->n_distinct;
    const int64_t l = largest_l(s, whole);
    char text[128];
    covey_figure least;

    if (admits(state, whole))
        return false;
    figure(&least, d < s->l ? &most : s, whole);
    covey_i_figure_words(text, sizeof text, &least);
    if (d >= s->l) {
        snprintf(nearest->why, sizeof nearest->why,
                 "in the whole table the most frequent value has %s times the rows of the values from rank %" PRId64
                 " on: c must be greater than %s unless rows are suppressed",
                 text, s->l, text);
        name_c(nearest, least.fraction);
        return true;
    }
    covey_i_nearest_change(nearest, "l", "%" PRId64, l > 0 ? l : (int64_t)d);
    if (l > 0) {
        snprintf(nearest->why, sizeof nearest->why,
                 "only %" PRIu32 " different sensitive value%s: l can be %" PRId64 " at most%s", d,
                 d == 1 ? " occurs" : "s occur", l, l < d ? " with this c" : "");
        return true;
    }
    snprintf(nearest->why, sizeof nearest->why,
             "only %" PRIu32 " different sensitive value%s: l can be %" PRIu32
             " at most, and then c must be greater than %s",
             d, d == 1 ? " occurs" : "s occur", d, text);
    name_c(nearest, least.fraction);
    return true;
}

const covey_model covey_model_recursive_cl_diversity = {
    .name = "recursive-cl-diversity",
    .summary = "in every class the most frequent value has less than c times the rows of the values from rank l on",
    .not_against = "Values that mean nearly the same count as different, and rare values may become much more likely "
                   "than in the whole table.",
    .source = "Machanavajjhala06, definition of recursive (c,l)-diversity",
    .threshold = NULL,
    .params = cl_param_list,
    .n_params = sizeof cl_param_list / sizeof *cl_param_list,
    .params_size = sizeof(struct cl_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE,
    .figure_high_is_safe = false,
    .admits = admits,
    .figure = figure,
    .judge_shares = judge_shares,
    .min_size = min_size,
    .implied_distinct = implied_distinct,
    .implied_most = implied_most,
    .hopeless = hopeless,
};
