/* What a manifest says of promises: parameters, threshold, and what was achieved. */
#include <math.h>
#include <string.h>

#include "release/manifest/json.h"

/* A parameter as JSON: whole numbers as integers, decimals as reals, fractions as text. */
static json_t *number_or_text(const char *text)
{
    covey_ratio ratio;

    if (covey_ratio_parse(&ratio, text, NULL) != COVEY_OK || strchr(text, '/'))
        return covey_i_json_public_text(text);
    return ratio.den == 1 ? json_integer(ratio.num) : json_real(covey_ratio_value(ratio));
}

static json_t *threshold(covey_json *j, const covey_model *model, const covey_pairs *params)
{
    json_t *object;

    for (size_t i = 0; model->threshold && i < params->n; i++)
        if (strcmp(params->name[i], model->threshold) == 0)
            return number_or_text(params->text[i]);
    object = json_object();
    for (size_t i = 0; i < params->n; i++)
        covey_i_json_put(j, object, params->name[i], number_or_text(params->text[i]));
    return object;
}

static void put_achieved(covey_json *j, json_t *promise, const covey_figure *figure)
{
    char text[96];

    switch (figure->infinite ? COVEY_FIGURE_FRACTION : figure->kind) {
    case COVEY_FIGURE_INTEGER:
        covey_i_json_put(j, promise, "achieved", json_integer(figure->integer));
        break;
    case COVEY_FIGURE_REAL:
        covey_i_json_put(j, promise, "achieved",
                         isnan(figure->real) ? json_null() : json_real(figure->real)); /* NaN: must not be said */
        break;
    case COVEY_FIGURE_KE: {
        json_t *both = json_object();

        covey_i_fraction_text(text, sizeof text, figure->fraction);
        covey_i_json_put(j, both, "k", json_integer(figure->integer));
        covey_i_json_put(j, both, "e", json_string(text));
        covey_i_json_put(j, promise, "achieved", both);
        break;
    }
    case COVEY_FIGURE_FRACTION:
        covey_i_figure_text(text, sizeof text, figure);
        covey_i_json_put(j, promise, "achieved", json_string(text));
        break;
    }
    covey_i_json_put(j, promise, "achieved_value",
                     isfinite(figure->real) && !figure->infinite ? json_real(figure->real) : json_null());
}

json_t *covey_i_manifest_promises(covey_json *j, const covey_manifest *m)
{
    const covey_promises *all = &m->problem->promises;
    json_t *array = json_array();

    for (size_t p = 0; p < all->n; p++) {
        const covey_promise *promise = &all->promise[p];
        json_t *object = json_object();

        covey_i_json_put(j, object, "model", json_string(promise->model->name));
        if (promise->joint)
            covey_i_json_put(j, object, "joint", json_true());
        else if (promise->view >= 0)
            covey_i_json_put(j, object, "attribute", json_string(all->view[promise->view].name));
        else if (promise->attribute)
            covey_i_json_put(j, object, "attribute", json_string(promise->attribute));
        covey_i_json_put(j, object, "parameters", covey_i_json_pairs(j, &m->promise_params[p]));
        if (m->problem->units)
            covey_i_json_put(j, object, "units", json_string(covey_over_units_name(promise->units)));
        covey_i_json_put(j, object, "threshold", threshold(j, promise->model, &m->promise_params[p]));
        put_achieved(j, object, &m->achieved[p]);
        covey_i_json_put(j, object, "holds", json_true()); /* covey_i_release_achieved has checked it */
        covey_i_json_append(j, array, object);
    }
    return array;
}

json_t *covey_i_manifest_entity(covey_json *j, const covey_manifest *m)
{
    const covey_units *units = m->problem->units;
    json_t *object = json_object();

    if (units->within)
        covey_i_json_put(j, object, "households", json_true());
    covey_i_json_put(j, object, "units", json_integer(m->n_units));
    return object;
}
