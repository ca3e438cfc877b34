/* (alpha, k)-anonymity: at least k rows in every class, and no sensitive value (or not the one that is named) with a
 * share above alpha. Source: [Wong06], definitions of alpha-deassociation and (alpha, k)-anonymity. */
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "model/counts.h"
#include "model/nearest.h"
#include "table/table_impl.h"

/* A value that is named, but that no row of the release has: all that had it were suppressed. */
#define NO_VALUE UINT32_MAX

struct alpha_params {
    covey_ratio alpha;
    int64_t k;
    const char *value;
};

struct state {
    covey_ratio alpha;
    int64_t k;
    bool one_value;
    uint32_t value; /* if one_value; NO_VALUE: no row of the release has it */
    const covey_column *column;
};

static const covey_param alpha_param_list[] = {
    {.name = "alpha",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct alpha_params, alpha),
     .required = true,
     .minimum = "0",
     .minimum_open = true,
     .maximum = "1",
     .help = "largest share of a sensitive value in a class"},
    {.name = "k",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct alpha_params, k),
     .required = true,
     .minimum = "1",
     .help = "fewest rows of a class"},
    {.name = "value",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct alpha_params, value),
     .help = "bound the share of this sensitive value only; default: of every one"},
};

static bool is_value(const covey_column *column, uint32_t v, const char *label)
{
    int64_t number, own = column->number ? column->number[v] : 0;
    int scale, own_scale = column->scale;

    if (strcmp(covey_column_label(column, v), label) == 0)
        return true;
    /* A number may be spelled in other ways than in the policy. */
    return (column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL) &&
           !(column->has_null && v == 0) && covey_i_typing_parse_decimal(&number, &scale, label, strlen(label)) &&
           (scale > own_scale ? covey_i_typing_rescale_number(&own, own_scale, scale)
                              : covey_i_typing_rescale_number(&number, scale, own_scale)) &&
           number == own;
}

static bool find_value(uint32_t *out, const covey_column *column, const char *label)
{
    for (uint32_t v = 0; v < column->n_values; v++)
        if (is_value(column, v, label)) {
            *out = v;
            return true;
        }
    return false;
}

static covey_status refuse_value(const covey_model_input *input, const char *label, covey_error *err)
{
    uint32_t frequent;

    covey_i_counts_largest(input->prior, &frequent);
    return covey_i_refuse_param(err, "value",
                                "alpha-k-anonymity: column \"%s\" has no value \"%s\": name one that occurs, "
                                "such as \"%s\"",
                                input->sensitive->name, label, covey_column_label(input->sensitive, frequent));
}

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    const struct alpha_params *p = params;
    struct state *s = covey_arena_array(arena, struct state, 1);

    if (!s)
        return covey_i_no_memory(err);
    *s = (struct state){
        .alpha = p->alpha, .k = p->k, .one_value = p->value, .value = NO_VALUE, .column = input->sensitive};
    if (p->value && !find_value(&s->value, input->sensitive, p->value) && !input->lacks_values)
        return refuse_value(input, p->value, err);
    *state = s;
    return COVEY_OK;
}

/* The count that is bounded. */
static int64_t largest(const struct state *s, const covey_group *group, uint32_t *value)
{
    if (!s->one_value)
        return covey_i_counts_largest(group->counts, value);
    *value = s->value;
    return s->value == NO_VALUE ? 0 : group->counts->count[s->value];
}

static bool admits(const void *state, const covey_group *group)
{
    const struct state *s = state;
    uint32_t value;

    return group->size >= s->k &&
           (covey_i128)largest(s, group, &value) * s->alpha.den <= (covey_i128)group->size * s->alpha.num;
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    uint32_t value;

    *out = covey_i_figure_fraction(largest(state, group, &value), group->size);
}

static void bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const struct state *s = state;
    const int64_t most = (int64_t)((covey_i128)size * s->alpha.num / s->alpha.den);

    for (size_t i = 0; i < n; i++)
        if (cap[i] > most && (!s->one_value || s->value == (value ? value[i] : i)))
            cap[i] = most;
}

static double largest_share(const void *state, uint32_t value)
{
    const struct state *s = state;

    return s->one_value && s->value != value ? 1 : covey_ratio_value(s->alpha);
}

static int64_t least_rows(const void *state)
{
    const struct state *s = state;

    return s->k;
}

/* If every value is bounded: at least one row of some value, 1 <= alpha size. */
static int64_t min_size(const void *state)
{
    const struct state *s = state;
    const int64_t least = s->one_value ? 1 : s->alpha.den / s->alpha.num + (s->alpha.den % s->alpha.num != 0);

    return s->k > least ? s->k : least;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct state *s = state;
    char text[128];
    covey_figure share;
    uint32_t value;
    size_t used = 0;

    if (admits(state, whole))
        return false;
    figure(&share, state, whole);
    if (whole->size < s->k) {
        used = (size_t)snprintf(nearest->why, sizeof nearest->why,
                                "there %s only %" PRId64 " row%s: k can be %" PRId64 " at most",
                                whole->size == 1 ? "is" : "are", whole->size, covey_i_plural(whole->size), whole->size);
        covey_i_nearest_change(nearest, "k", "%" PRId64, whole->size);
    }
    if (covey_i_fraction_compare(share.fraction, (covey_fraction){s->alpha.num, s->alpha.den}) <= 0)
        return true;
    largest(s, whole, &value);
    covey_i_figure_words(text, sizeof text, &share);
    snprintf(nearest->why + used, sizeof nearest->why - used,
             "%s\"%.60s\" has a share of %s in the whole table: alpha must be at least %s unless rows are suppressed",
             used ? ", and " : "", covey_column_label(s->column, value), text, text);
    covey_i_figure_text(text, sizeof text, &share);
    covey_i_nearest_change(nearest, "alpha", "%s", text);
    return true;
}

const covey_model covey_model_alpha_k_anonymity = {
    .name = "alpha-k-anonymity",
    .summary = "every class has at least k rows, and no sensitive value a share above alpha",
    .not_against = "A value that is rare in the table may become as likely as alpha, and values that mean nearly the "
                   "same count as different.",
    .source = "Wong06, definition of (alpha, k)-anonymity",
    .threshold = NULL,
    .params = alpha_param_list,
    .n_params = sizeof alpha_param_list / sizeof *alpha_param_list,
    .params_size = sizeof(struct alpha_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_CAPS | COVEY_MODEL_ALIKE,
    .figure_high_is_safe = false,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .bounds = bounds,
    .min_size = min_size,
    .least_rows = least_rows,
    .hopeless = hopeless,
    .largest_share = largest_share,
};
