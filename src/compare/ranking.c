/* Which method is best: by one figure, and by none alone (Pareto). */
#include "compare/compare_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const objective_names[] = {"ail", "query-error", "width", "attack", "seconds", "discernibility"};

const char *covey_compare_objective_name(size_t index)
{
    return index < sizeof objective_names / sizeof *objective_names ? objective_names[index] : NULL;
}

double covey_compared_figure(const covey_compared_method *m, covey_compare_objective objective)
{
    double value = NAN;

    switch (objective) {
    case COVEY_COMPARE_AIL:
        value = m->figures.ail;
        break;
    case COVEY_COMPARE_QUERY_ERROR:
        value = m->query_error;
        break;
    case COVEY_COMPARE_WIDTH:
        value = m->width;
        break;
    case COVEY_COMPARE_ATTACK:
        value = m->attack;
        break;
    case COVEY_COMPARE_SECONDS:
        value = m->seconds;
        break;
    case COVEY_COMPARE_DISCERNIBILITY:
        value = m->figures.discernibility;
        break;
    }
    return value;
}

/* What is not known is no better than anything. */
static double figure_of(const covey_compared_method *m, covey_compare_objective objective)
{
    const double value = covey_compared_figure(m, objective);

    return isnan(value) ? INFINITY : value;
}

/* Time is left out: it says nothing about the release, and is another one each time. */
static const covey_compare_objective criteria[] = {COVEY_COMPARE_AIL, COVEY_COMPARE_QUERY_ERROR, COVEY_COMPARE_WIDTH,
                                                   COVEY_COMPARE_ATTACK};

static bool beats(const covey_compared_method *a, const covey_compared_method *b)
{
    bool better = false;

    for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++) {
        const double x = figure_of(a, criteria[i]), y = figure_of(b, criteria[i]);

        if (x > y)
            return false;
        better |= x < y;
    }
    return better;
}

/* <0 if a comes before b; 0 if neither is better in anything. */
static int compare_methods(const covey_compared_method *a, const covey_compared_method *b,
                           covey_compare_objective objective)
{
    const covey_compare_objective order[] = {objective, COVEY_COMPARE_AIL, COVEY_COMPARE_QUERY_ERROR};

    if (a->feasible != b->feasible)
        return a->feasible ? -1 : 1;
    for (size_t i = 0; a->feasible && i < sizeof order / sizeof *order; i++) {
        const double x = figure_of(a, order[i]), y = figure_of(b, order[i]);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Insertion keeps the registry's order where nothing decides; there are a dozen methods. */
void covey_i_compare_rank(covey_compared_method *method, size_t n, covey_compare_objective objective)
{
    for (size_t i = 1; i < n; i++) {
        const covey_compared_method one = method[i];
        size_t at = i;

        for (; at > 0 && compare_methods(&one, &method[at - 1], objective) < 0; at--)
            method[at] = method[at - 1];
        method[at] = one;
    }
    for (size_t i = 0; i < n; i++) {
        method[i].pareto = method[i].feasible;
        for (size_t j = 0; j < n && method[i].pareto; j++)
            method[i].pareto = !(method[j].feasible && beats(&method[j], &method[i]));
    }
}
