/* What a paper says of curves, looked at in those that came out. */
#include "reproduce/likeness/likeness.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

enum { FINDING = 768 };
/* A step by less than this share is none. */
static const double STEP = 0.01;

static bool has(const double *y, size_t p)
{
    return !isnan(y[p]);
}

/* How often a curve rises (sign 1) or falls (-1) from one point to the next. */
static size_t count_steps(const covey_curves *c, int curve, double sign)
{
    const double *y = c->y[curve];
    size_t n = 0;

    for (size_t p = 1; p < c->n_points; p++)
        n += has(y, p - 1) && has(y, p) && sign * (y[p] - y[p - 1]) > STEP * fmax(fabs(y[p]), fabs(y[p - 1]));
    return n;
}

/* Equal is good enough: two that publish a single class are the same. */
static size_t count_below(const covey_curves *c, const covey_claim *claim, size_t *of)
{
    const double factor = claim->factor > 0 ? claim->factor : 1, *y = c->y[claim->curve];
    size_t n = 0;

    *of = 0;
    for (size_t p = 0; p < c->n_points; p++)
        if (has(y, p) && has(c->y[claim->other], p)) {
            ++*of;
            n += y[p] <= factor * c->y[claim->other][p];
        }
    return n;
}

static void find_ends(double *least, double *most, const double *y, size_t n)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t p = 0; p < n; p++)
        if (has(y, p)) {
            *least = fmin(*least, y[p]);
            *most = fmax(*most, y[p]);
        }
}

/* Adds what is so about a claim; says whether it holds. */
static bool look_at(covey_text *out, const covey_curves *c, const covey_claim *claim)
{
    const size_t rises = count_steps(c, claim->curve, 1), falls = count_steps(c, claim->curve, -1),
                 last = c->n_points - 1;
    const double *y = c->y[claim->curve];
    const char *name = c->name[claim->curve];
    double least, most;
    size_t n, of;

    find_ends(&least, &most, y, c->n_points);
    switch (claim->kind) {
    case COVEY_CLAIM_RISES:
    case COVEY_CLAIM_FALLS:
        covey_i_text_add_format(out, "; %s %s", name,
                                rises > 0 && falls > 0 ? "rises and falls"
                                : rises > 0            ? "rises"
                                : falls > 0            ? "falls"
                                                       : "stays");
        return claim->kind == COVEY_CLAIM_RISES ? rises > 0 && falls == 0 && y[last] > y[0]
                                                : falls > 0 && rises == 0 && y[last] < y[0];
    case COVEY_CLAIM_UNEVEN:
        covey_i_text_add_format(out, "; %s %s", name,
                                rises > 0 && falls > 0 ? "rises and falls"
                                : rises > 0            ? "only rises"
                                                       : "only falls");
        return rises > 0 && falls > 0;
    case COVEY_CLAIM_BELOW:
        n = count_below(c, claim, &of);
        covey_i_text_add_format(out, "; %s is no higher than ", name);
        if (claim->factor > 0)
            covey_i_text_add_format(out, "%g times ", claim->factor);
        covey_i_text_add_format(out, "%s at %zu of %zu points", c->name[claim->other], n, of);
        return of > 0 && n == of;
    case COVEY_CLAIM_FLAT:
        covey_i_text_add_format(out, "; %s between %.4g and %.4g", name, least, most);
        return most <= claim->factor * least;
    case COVEY_CLAIM_AT_LEAST:
        covey_i_text_add_format(out, "; %s is at least %.4g", name, least);
        return least >= claim->factor;
    }
    return false;
}

void covey_i_likeness_judge(covey_experiment_context *context, size_t at, const char *x_name, const covey_claim *claims,
                            size_t n_claims)
{
    const covey_curves *c = context->curves;
    const size_t n = c->n_plotted > 0 ? c->n_plotted : c->n_curves;
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "at %s %g: ", x_name, c->x[at]);
    for (size_t i = 0; i < n; i++)
        if (has(c->y[i], at))
            covey_i_text_add_format(&text, "%s%s %.4g", i > 0 ? ", " : "", c->name[i], c->y[i][at]);
        else
            covey_i_text_add_format(&text, "%s%s -", i > 0 ? ", " : "", c->name[i]);
    context->holds = true;
    for (size_t i = 0; i < n_claims; i++)
        context->holds = look_at(&text, c, &claims[i]) && context->holds;
    snprintf(context->finding, FINDING, "%s", text.broken ? "" : text.bytes);
    covey_i_text_free(&text);
}
