/* Figures: how far a class, or the worst class of a release, is from harm. */
#include "model/model_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* <0, 0, >0 as a is smaller than, equal to, greater than b; figures of one model have one kind, unless one had to be
 * rounded. */
static int compare(const covey_figure *a, const covey_figure *b)
{
    if (a->infinite || b->infinite)
        return (int)a->infinite - (int)b->infinite;
    if (a->kind != b->kind)
        return (a->real > b->real) - (a->real < b->real);
    switch (a->kind) {
    case COVEY_FIGURE_INTEGER:
    case COVEY_FIGURE_KE:
        return (a->integer > b->integer) - (a->integer < b->integer);
    case COVEY_FIGURE_FRACTION:
        return covey_i_fraction_compare(a->fraction, b->fraction);
    case COVEY_FIGURE_REAL:
        break;
    }
    return (a->real > b->real) - (a->real < b->real);
}

void covey_i_figure_combine(const covey_model *model, covey_figure *into, const covey_figure *other)
{
    if (model->combine) {
        model->combine(into, other);
        return;
    }
    int order = compare(other, into);

    if (model->figure_high_is_safe ? order < 0 : order > 0)
        *into = *other;
}

void covey_i_figure_text(char *out, size_t size, const covey_figure *figure)
{
    if (figure->infinite) {
        snprintf(out, size, "inf");
        return;
    }
    switch (figure->kind) {
    case COVEY_FIGURE_INTEGER:
    case COVEY_FIGURE_KE:
        snprintf(out, size, "%" PRId64, figure->integer);
        return;
    case COVEY_FIGURE_FRACTION:
        if (!covey_i_fraction_text(out, size, figure->fraction) && size)
            out[0] = '\0';
        return;
    case COVEY_FIGURE_REAL:
        snprintf(out, size, "%.6g", figure->real);
        return;
    }
}

void covey_i_figure_words(char *out, size_t size, const covey_figure *figure)
{
    size_t used;

    covey_i_figure_text(out, size, figure);
    used = strlen(out);
    if (figure->kind == COVEY_FIGURE_FRACTION && !figure->infinite && strchr(out, '/') && used < size)
        snprintf(out + used, size - used, " (about %.5g)", figure->real);
}

covey_figure covey_i_figure_integer(int64_t value)
{
    return (covey_figure){
        .kind = COVEY_FIGURE_INTEGER, .integer = value, .fraction = {value, 1}, .real = (double)value};
}

covey_figure covey_i_figure_fraction(covey_i128 num, covey_i128 den)
{
    const covey_fraction fraction = covey_i_fraction(num, den);

    return (covey_figure){
        .kind = COVEY_FIGURE_FRACTION, .fraction = fraction, .real = covey_i_fraction_value(fraction)};
}

bool covey_i_model_judge(covey_figure *out, const covey_model *model, const void *state, const covey_group *group)
{
    if (model->judge)
        return model->judge(out, state, group);
    model->figure(out, state, group);
    return model->admits(state, group);
}

void covey_i_figure_reduce(covey_figure *figure)
{
    if (figure->kind == COVEY_FIGURE_FRACTION && !figure->infinite)
        *figure = covey_i_figure_fraction(figure->fraction.num, figure->fraction.den);
}

covey_figure covey_i_figure_real(double value)
{
    return (covey_figure){.kind = COVEY_FIGURE_REAL, .fraction = {0, 1}, .real = value};
}

covey_figure covey_i_figure_infinite(covey_figure_kind kind)
{
    return (covey_figure){.kind = kind, .infinite = true, .fraction = {0, 1}, .real = __builtin_inf()};
}
