/* Compares what the published cells lose with what the manifest states. */
#include "audit/losses_compare.h"

#include <math.h>
#include <string.h>

#include "reader/form_impl.h"

static const double TOLERANCE = 1e-9;

static void compare(covey_problems *problems, const char *name, const covey_stated_figure *stated, double found)
{
    if (isnan(found))
        return;
    if (!stated->present)
        covey_i_problem(problems, "manifest.json: %s is not given, but it is %.9g", name, found);
    else if (!(fabs(stated->value - found) <= TOLERANCE * fmax(fabs(stated->value), fabs(found))))
        covey_i_problem(problems, "manifest.json: %s is %.9g, but the published table has %.9g", name, stated->value,
                        found);
}

/* The cost of the rows together, which is summed up in small units: it is as near as a share of all cells can be. */
static void compare_ncp(covey_problems *problems, const covey_stated_figure *stated, double ail, double n_cells)
{
    if (isnan(ail))
        return;
    if (!stated->present || !(fabs(stated->value - ail * n_cells) <= TOLERANCE * n_cells))
        covey_i_problem(problems, "manifest.json: the objective ncp is not %.9g, as the published table has it",
                        ail * n_cells);
}

/* What is optimal is as good as its bound. */
static void compare_bound(covey_problems *problems, const covey_stated *stated)
{
    const covey_stated_figure *value = &stated->objective_value, *bound = stated->objective_upper_bound.present
                                                                              ? &stated->objective_upper_bound
                                                                              : &stated->objective_lower_bound;
    const double error = TOLERANCE * fmax(1, fabs(value->value)); /* sums of small units */

    if (stated->objective_lower_bound.present && value->present &&
        stated->objective_lower_bound.value > value->value + error)
        covey_i_problem(problems, "manifest.json: the objective's lower bound lies above its value");
    else if (stated->objective_is_optimal &&
             (!value->present || !bound->present || !(fabs(value->value - bound->value) <= error)))
        covey_i_problem(problems, "manifest.json: the objective is called optimal, but its value is not its bound");
}

static void compare_weights(covey_problems *problems, const covey_opened *opened)
{
    double sum = 0;

    for (size_t q = 0; q < opened->n_quasi; q++)
        sum += covey_ratio_value(opened->column[opened->quasi[q]].stated->weight);
    if (opened->n_quasi > 0 && fabs(sum - 1) > TOLERANCE)
        covey_i_problem(problems, "manifest.json: the weights of the quasi-identifiers make %.9g, not 1", sum);
}

/* Of a hierarchy that is built from the data the manifest counts the leaves that published rows have, which the
 * original does not tell. */
static bool is_known_in_part(const covey_opened_column *column, const covey_opened *opened)
{
    return opened->stated->n_suppressed > 0 && column->stated->publish == COVEY_PUBLISH_LABEL && column->rebuilt;
}

static void compare_columns(covey_problems *problems, const covey_attribute_losses *per_attribute,
                            const covey_opened *opened)
{
    const covey_stated_figure *whole = &opened->stated->ail;
    size_t n_given = 0;
    double sum = 0;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_stated_column *column = opened->column[opened->quasi[q]].stated;

        if (!column->ail.present)
            continue;
        n_given++;
        sum += covey_ratio_value(column->weight) * column->ail.value;
        if (!(column->ail.value >= 0 && column->ail.value <= 1 + TOLERANCE) ||
            (!is_known_in_part(&opened->column[opened->quasi[q]], opened) &&
             fabs(column->ail.value - per_attribute[q].ail) >
                 TOLERANCE * fmax(column->ail.value, per_attribute[q].ail)))
            covey_i_problem(problems, "column \"%s\": the manifest's ail is not what the published cells lose",
                            column->name);
    }
    if (n_given > 0 && n_given < opened->n_quasi)
        covey_i_problem(problems, "manifest.json: ail is given for some quasi-identifiers, but not for all");
    if (n_given > 0 && n_given == opened->n_quasi && whole->present &&
        !(fabs(sum - whole->value) <= TOLERANCE * fmax(sum, whole->value)))
        covey_i_problem(problems, "manifest.json: ail is %.9g, but the quasi-identifiers' together make %.9g",
                        whole->value, sum);
}

void covey_i_losses_compare(covey_problems *problems, covey_release_figures *figures,
                            const covey_attribute_losses *per_attribute, const covey_opened *opened)
{
    const covey_stated *stated = opened->stated;

    if (opened->stated->is_piece)
        return;
    for (size_t q = 0; q < opened->n_quasi; q++)
        if (is_known_in_part(&opened->column[opened->quasi[q]], opened))
            figures->ail = figures->ncp = NAN;
    compare_weights(problems, opened);
    compare_columns(problems, per_attribute, opened);
    compare(problems, "ail", &stated->ail, figures->ail);
    compare(problems, "ncp", &stated->ncp, figures->ncp);
    compare(problems, "discernibility", &stated->discernibility, figures->discernibility);
    compare(problems, "average_class_size", &stated->average_class_size, figures->average_class_size);
    compare(problems, "largest_risk", &stated->largest_risk, figures->largest_risk);
    compare(problems, "mean_risk", &stated->mean_risk, figures->mean_risk);
    if (stated->published_as->is_exact && (stated->largest_risk.present || stated->mean_risk.present))
        covey_i_problem(problems, "manifest.json: largest_risk and mean_risk are not null, but the form has no classes "
                                  "of rows that look alike");
    if (isnan(figures->discernibility) && (stated->discernibility.present || stated->average_class_size.present))
        covey_i_problem(
            problems, "manifest.json: discernibility and average_class_size are not null, but the form has no classes");
    if (!stated->objective)
        return;
    if (strcmp(stated->objective, "ail") == 0)
        compare(problems, "the objective ail", &stated->objective_value,
                isnan(figures->ail) && stated->ail.present ? stated->ail.value : figures->ail);
    if (strcmp(stated->objective, "discernibility") == 0)
        compare(problems, "the objective discernibility", &stated->objective_value, figures->discernibility);
    if (strcmp(stated->objective, "ncp") == 0 && stated->is_tight) /* regions lose more than the rows that it counts */
        compare_ncp(problems, &stated->objective_value, figures->ail, (double)stated->n_rows * (double)opened->n_quasi);
    if (strcmp(stated->objective, "classes") == 0)
        compare(problems, "the objective classes", &stated->objective_value, (double)opened->n_classes);
    compare_bound(problems, stated);
}
