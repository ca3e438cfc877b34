/* (k, e)-anonymity of a numeric attribute: at least k different values in every class, and at least e between its
 * smallest and its largest.  A missing value is no number: it counts as nothing. Source: [Zhang07], definition of (k,
 * e)-anonymity. */
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "model/nearest.h"

struct ke_params {
    int64_t k;
    covey_ratio e;
};

struct state {
    int64_t k;
    covey_ratio e;
    const covey_column *column;
    covey_i128 unit; /* 10^scale: numbers are multiples of 1/unit */
};

static const covey_param ke_param_list[] = {
    {.name = "k",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct ke_params, k),
     .required = true,
     .minimum = "1",
     .help = "fewest different values of a class"},
    {.name = "e",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct ke_params, e),
     .required = true,
     .minimum = "0",
     .help = "least difference between the largest and the smallest value of a class, in the attribute's unit (dates: "
             "days)"},
};

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    const struct ke_params *p = params;
    struct state *s = covey_arena_array(arena, struct state, 1);

    if (!s)
        return covey_i_no_memory(err);
    if (!covey_column_is_number(input->sensitive))
        return covey_fail(err, COVEY_EINVAL, "ke-anonymity: column \"%s\" is %s: it must be a number",
                          input->sensitive->name, covey_type_name(input->sensitive->type));
    *s = (struct state){.k = p->k, .e = p->e, .column = input->sensitive, .unit = 1};
    for (int i = 0; i < input->sensitive->scale; i++)
        s->unit *= 10;
    *state = s;
    return COVEY_OK;
}

/* Different values and the difference of the extreme ones, times unit. */
static int64_t measure(covey_i128 *range, const struct state *s, const covey_histogram *h)
{
    const covey_column *column = s->column;
    int64_t low = INT64_MAX, high = INT64_MIN, n = 0;

    for (uint32_t i = 0; i < h->n_present; i++) {
        const uint32_t v = h->present[i];

        if (h->count[v] == 0 || (column->has_null && v == 0))
            continue;
        n++;
        if (column->number[v] < low)
            low = column->number[v];
        if (column->number[v] > high)
            high = column->number[v];
    }
    *range = n > 0 ? (covey_i128)high - low : 0;
    return n;
}

static bool is_wide(const struct state *s, covey_i128 range)
{
    return covey_i_fraction_compare((covey_fraction){range, s->unit}, (covey_fraction){s->e.num, s->e.den}) >= 0;
}

static bool admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    covey_i128 range;

    return measure(&range, s, group->counts) >= s->k && is_wide(s, range);
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    const struct state *s = state;
    covey_i128 range;
    const int64_t n = measure(&range, s, group->counts);

    *out = covey_i_figure_fraction(range, s->unit);
    out->kind = COVEY_FIGURE_KE;
    out->integer = n;
    out->real = (double)n;
}

static void combine(covey_figure *into, const covey_figure *other)
{
    if (other->integer < into->integer) {
        into->integer = other->integer;
        into->real = other->real;
    }
    if (covey_i_fraction_compare(other->fraction, into->fraction) < 0)
        into->fraction = other->fraction;
}

static void spread(covey_spread *out, const void *state)
{
    const struct state *s = state;

    *out = (covey_spread){s->k, {s->e.num, s->e.den}};
}

static int64_t min_size(const void *state)
{
    const struct state *s = state;

    return s->k > 1 || s->e.num == 0 ? s->k : 2;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct state *s = state;
    char text[96];
    covey_figure most;
    size_t used = 0;

    if (admits(state, whole))
        return false;
    figure(&most, state, whole);
    if (most.integer < s->k)
        used = (size_t)snprintf(nearest->why, sizeof nearest->why,
                                "only %" PRId64 " different number%s: k can be %" PRId64 " at most", most.integer,
                                most.integer == 1 ? " occurs" : "s occur", most.integer);
    if (most.integer == 0) /* and k cannot be 0 */
        return true;
    if (most.integer < s->k)
        covey_i_nearest_change(nearest, "k", "%" PRId64, most.integer);
    if (covey_i_fraction_compare(most.fraction, (covey_fraction){s->e.num, s->e.den}) >= 0)
        return true;
    covey_i_fraction_text(text, sizeof text, most.fraction);
    snprintf(nearest->why + used, sizeof nearest->why - used,
             "%sthe numbers of the whole table span %s: e can be %s at most", used ? ", and " : "", text, text);
    covey_i_nearest_change(nearest, "e", "%s", text);
    return true;
}

const covey_model covey_model_ke_anonymity = {
    .name = "ke-anonymity",
    .summary = "every class holds at least k different numbers with at least e between the smallest and the largest",
    .not_against = "Most numbers of a class may lie close together, and one may be far more frequent than the others.",
    .source = "Zhang07, definition of (k, e)-anonymity",
    .threshold = NULL,
    .params = ke_param_list,
    .n_params = sizeof ke_param_list / sizeof *ke_param_list,
    .params_size = sizeof(struct ke_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_HEREDITARY | COVEY_MODEL_SENSITIVE | COVEY_MODEL_NUMBER,
    .figure_high_is_safe = true,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .combine = combine,
    .spread = spread,
    .min_size = min_size,
    .hopeless = hopeless,
};
