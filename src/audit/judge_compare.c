/* What the manifest states about its promises, against what was found. */
#include "audit/judge.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reader/form_impl.h"

/* Figures that are not exact are computed in the same way everywhere, but written with 15 digits. */
static const double TOLERANCE = 1e-9;

static bool near(double a, double b)
{
    return fabs(a - b) <= TOLERANCE * fmax(fabs(a), fabs(b));
}

static bool is_fraction(const json_t *value, covey_fraction expected)
{
    covey_fraction stated;

    if (json_is_integer(value))
        stated = (covey_fraction){json_integer_value(value), 1};
    else if (!json_is_string(value) || !covey_i_fraction_parse(&stated, json_string_value(value)))
        return false;
    return covey_i_fraction_compare(stated, expected) == 0;
}

static bool is_infinite(const json_t *value)
{
    return json_is_null(value) || (json_is_string(value) && strcmp(json_string_value(value), "inf") == 0);
}

static bool is_figure(const json_t *value, const covey_figure *figure)
{
    if (figure->infinite)
        return is_infinite(value);
    switch (figure->kind) {
    case COVEY_FIGURE_INTEGER:
        return json_is_integer(value) && json_integer_value(value) == figure->integer;
    case COVEY_FIGURE_FRACTION:
        return is_fraction(value, figure->fraction);
    case COVEY_FIGURE_KE:
        return json_is_integer(json_object_get(value, "k")) &&
               json_integer_value(json_object_get(value, "k")) == figure->integer &&
               is_fraction(json_object_get(value, "e"), figure->fraction);
    case COVEY_FIGURE_REAL:
        break;
    }
    return json_is_number(value) && near(json_number_value(value), figure->real);
}

static bool is_real(const json_t *value, const covey_figure *figure)
{
    if (figure->infinite || !isfinite(figure->real))
        return json_is_null(value) || is_infinite(value);
    return json_is_number(value) && near(json_number_value(value), figure->real);
}

static const char *param_text(const covey_judged *judged, const char *name)
{
    for (size_t i = 0; i < judged->promise.stated->n_params; i++)
        if (strcmp(judged->promise.stated->param_name[i], name) == 0)
            return judged->promise.stated->param_text[i];
    for (size_t i = 0; judged->promise.model && i < judged->promise.model->n_params; i++)
        if (strcmp(judged->promise.model->params[i].name, name) == 0)
            return judged->promise.model->params[i].fallback;
    return NULL;
}

/* A threshold is its parameter: a whole number, a real for a decimal, else the text itself. */
static bool is_parameter(const json_t *value, const char *text)
{
    covey_ratio ratio, stated;

    if (!text)
        return false;
    if (json_is_string(value) && strcmp(json_string_value(value), text) == 0)
        return true;
    if (covey_ratio_parse(&ratio, text, NULL) != COVEY_OK)
        return false;
    if (json_is_integer(value))
        return ratio.den == 1 && json_integer_value(value) == ratio.num;
    if (json_is_real(value))
        return near(json_real_value(value), covey_ratio_value(ratio));
    return json_is_string(value) && covey_ratio_parse(&stated, json_string_value(value), NULL) == COVEY_OK &&
           covey_ratio_compare(stated, ratio) == 0;
}

static bool is_threshold(const covey_judged *judged)
{
    json_t *threshold = (json_t *)judged->promise.stated->threshold, *value;
    const char *key;

    if (judged->promise.model->threshold && param_text(judged, judged->promise.model->threshold))
        return is_parameter(threshold, param_text(judged, judged->promise.model->threshold));
    if (!json_is_object(threshold) || (json_object_size(threshold) == 0 && judged->promise.stated->n_params > 0))
        return false;
    json_object_foreach(threshold, key, value)
    {
        if (!is_parameter(value, param_text(judged, key)))
            return false;
    }
    return true;
}

void covey_i_judge_compare(covey_problems *problems, const covey_judged *judged, const covey_stated *release)
{
    const covey_stated_promise *stated = judged->promise.stated;
    const char *of = judged->promise.view ? " of " : "", *name = judged->promise.view ? judged->promise.view->name : "";
    char found[96], at[48] = "";

    if (!judged->promise.model || !judged->promise.checkable)
        return;
    if (!is_threshold(judged))
        covey_i_problem(problems, "manifest.json: the threshold of %s%s%s is not its parameter", stated->model, of,
                        name);
    if (stated->holds == judged->broken)
        covey_i_problem(problems, "manifest.json says that %s%s%s %s, but it %s", stated->model, of, name,
                        stated->holds ? "holds" : "does not hold", judged->broken ? "does not" : "does");
    if (!judged->any || release->is_piece)
        return;
    covey_i_figure_text(found, sizeof found, &judged->figure);
    if (judged->worst_class > 0) /* perturbed releases have none: their promises are about values */
        snprintf(at, sizeof at, " (%s %" PRIu32 ")", release->published_as->word, judged->worst_class);
    if (!is_figure(stated->achieved, &judged->figure))
        covey_i_problem(problems, "manifest.json: what %s%s%s has achieved is not what it says, but %s%s",
                        stated->model, of, name, found, at);
    else if (!is_real(stated->achieved_value, &judged->figure))
        covey_i_problem(problems, "manifest.json: achieved_value of %s%s%s does not fit achieved", stated->model, of,
                        name);
}

/* --- for the caller --- */

static covey_achieved_kind kind_of(const covey_figure *figure)
{
    switch (figure->kind) {
    case COVEY_FIGURE_INTEGER:
        return COVEY_ACHIEVED_INTEGER;
    case COVEY_FIGURE_FRACTION:
        return COVEY_ACHIEVED_FRACTION;
    case COVEY_FIGURE_KE:
        return COVEY_ACHIEVED_KE;
    case COVEY_FIGURE_REAL:
        break;
    }
    return COVEY_ACHIEVED_REAL;
}

void covey_i_judge_describe(covey_promise_verdict *out, const covey_judged *judged)
{
    const covey_stated_promise *stated = judged->promise.stated;

    memset(out, 0, sizeof *out);
    snprintf(out->model, sizeof out->model, "%s", stated->model);
    snprintf(out->attribute, sizeof out->attribute, "%s",
             judged->attribute   ? judged->attribute
             : stated->attribute ? stated->attribute
                                 : "");
    out->joint = stated->joint;
    if (judged->promise.model && judged->promise.model->threshold &&
        param_text(judged, judged->promise.model->threshold))
        snprintf(out->threshold, sizeof out->threshold, "%s", param_text(judged, judged->promise.model->threshold));
    for (size_t i = 0; i < stated->n_params && out->n_params < sizeof out->param_name / sizeof *out->param_name; i++) {
        snprintf(out->param_name[out->n_params], sizeof *out->param_name, "%s", stated->param_name[i]);
        snprintf(out->param_text[out->n_params++], sizeof *out->param_text, "%s", stated->param_text[i]);
    }
    out->holds = judged->promise.checkable && !judged->broken;
    if (!judged->any)
        return;
    out->kind = kind_of(&judged->figure);
    covey_i_figure_text(out->achieved, sizeof out->achieved, &judged->figure);
    if (out->kind == COVEY_ACHIEVED_KE)
        covey_i_fraction_text(out->achieved_e, sizeof out->achieved_e, judged->figure.fraction);
    out->achieved_value = judged->figure.infinite ? (double)INFINITY : judged->figure.real;
    out->worst_class = judged->worst_class;
}
