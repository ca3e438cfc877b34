/* See losses.h.  Sums of losses are made in 128-bit integers, so that they do not depend on the order of the classes;
 * the division comes last. */
#include "audit/losses.h"

#include <math.h>
#include <string.h>

#include "reader/form_impl.h"
#include "base/error.h"
#include "base/exact/fraction.h"

static const double TOLERANCE = 1e-9;

/* What a column can lose: losses are multiples of 1/den. */
struct units {
    int64_t ail, ncp; /* > 0 */
};

const covey_hierarchy *covey_i_losses_opened_tree(const covey_opened_column *column)
{
    if (column->stated->publish != COVEY_PUBLISH_LABEL)
        return NULL;
    return column->rebuilt ? column->rebuilt : column->stated->hierarchy_complete ? column->tree : NULL;
}

/* [CaoKarras12] section 2: a range loses its width relative to the domain; a label 0 if it is a leaf, else its share of
 * all leaves; a category without hierarchy is a tree of height 1.  Missing beside numbers loses everything.  ncp counts
 * (leaves - 1)/(all - 1). */
static void loss_of(int64_t *ail, int64_t *ncp, const covey_opened_column *column, const covey_cell *cell)
{
    int64_t n_leaves = cell->high - cell->low + 1;

    *ail = *ncp = 0;
    if (column->stated->publish == COVEY_PUBLISH_LABEL) {
        *ail = n_leaves > 1 ? n_leaves : 0;
        *ncp = n_leaves - 1;
    } else if (column->stated->publish == COVEY_PUBLISH_SET) {
        *ail = *ncp = cell->kind == COVEY_CELL_ANY || cell->n_elements > 1;
    } else if (cell->kind == COVEY_CELL_ANY) {
        *ail = *ncp = column->domain_high > column->domain_low ? column->domain_high - column->domain_low : 1;
    } else if (cell->kind == COVEY_CELL_VALUES) {
        *ail = *ncp = cell->high - cell->low;
    }
}

static struct units units_of(const covey_opened_column *column)
{
    const covey_hierarchy *tree = covey_i_losses_opened_tree(column);
    const int64_t n_leaves = tree ? covey_hierarchy_n_leaves(tree) : 0,
                  width = column->domain_high - column->domain_low;

    if (tree)
        return (struct units){n_leaves, n_leaves > 1 ? n_leaves - 1 : 1};
    if (column->stated->publish == COVEY_PUBLISH_RANGE && width > 0)
        return (struct units){width, width};
    return (struct units){1, 1};
}

/* Where a hierarchy was built from the data, its leaves are not known. */
static bool is_measured(const covey_opened_column *column)
{
    return column->stated->publish != COVEY_PUBLISH_LABEL || covey_i_losses_opened_tree(column);
}

static void add_up(covey_loss_sums *sums, const covey_opened_column *column, const covey_opened *opened)
{
    if (column->stated->publish == COVEY_PUBLISH_VALUE)
        return; /* nothing is lost */
    for (uint32_t line = 0; !column->class_cell && line < column->table->n_rows; line++) {
        int64_t ail, ncp;

        loss_of(&ail, &ncp, column, &column->cell[covey_i_code_at(column->text, line)]);
        sums->ail += ail;
        sums->ncp += ncp;
    }
    if (!column->class_cell)
        return;
    for (uint32_t c = opened->n_seen; c < opened->n_classes; c++) {
        int64_t size = (int64_t)opened->class_start[c + 1] - opened->class_start[c], ail, ncp;

        loss_of(&ail, &ncp, column, &column->cell[column->class_cell[c]]);
        sums->ail += (covey_i128)size * ail;
        sums->ncp += (covey_i128)size * ncp;
    }
}

void covey_i_losses_add(covey_losses_so_far *sums, const covey_opened *opened)
{
    for (size_t q = 0; q < opened->n_quasi; q++)
        if (is_measured(&opened->column[opened->quasi[q]]))
            add_up(&sums->column[q], &opened->column[opened->quasi[q]], opened);
    for (uint32_t c = opened->n_seen; c < opened->n_classes; c++) {
        int64_t size = (int64_t)opened->class_start[c + 1] - opened->class_start[c];

        sums->squares += (covey_u128)size * (covey_u128)size;
        if (sums->smallest == 0 || size < sums->smallest)
            sums->smallest = size;
    }
}

static void find_attribute(covey_attribute_losses *out, const covey_opened_column *column, covey_loss_sums sums,
                           const covey_opened *opened)
{
    const int64_t n_suppressed = opened->stated->n_suppressed, n_rows = (int64_t)opened->n_rows + n_suppressed;
    const struct units units = units_of(column);

    out->ail = out->ncp = NAN;
    if (!is_measured(column))
        return;
    out->ail = out->ncp = 0;
    if (n_rows == 0)
        return;
    sums.ail += (covey_i128)n_suppressed * units.ail;
    sums.ncp += (covey_i128)n_suppressed * units.ncp;
    out->ail = (double)((long double)sums.ail / (long double)units.ail / (long double)n_rows);
    out->ncp = (double)((long double)sums.ncp / (long double)units.ncp / (long double)n_rows);
}

static void find_sizes(covey_release_figures *out, const covey_losses_so_far *sums, const covey_opened *opened)
{
    const covey_u128 squares =
        sums->squares + (covey_u128)opened->stated->n_rows * (covey_u128)opened->stated->n_suppressed;

    out->smallest_class = sums->smallest;
    out->largest_risk = out->mean_risk = NAN;
    out->discernibility = (double)squares;
    out->average_class_size = opened->n_classes ? (double)opened->n_rows / opened->n_classes : 0;
    if (opened->n_classes == 0 && opened->n_rows > 0) /* a form without classes */
        out->discernibility = out->average_class_size = NAN;
    if (opened->stated->published_as->is_exact)
        return; /* who knows the quasi-identifiers finds the row, whatever the groups are: no figure of theirs */
    out->largest_risk = opened->n_classes ? 1.0 / (double)out->smallest_class : 0;
    out->mean_risk = opened->n_rows ? (double)opened->n_classes / opened->n_rows : 0;
}

void covey_i_losses_finish(covey_release_figures *out, covey_attribute_losses *per_attribute,
                           const covey_losses_so_far *sums, const covey_opened *opened)
{
    find_sizes(out, sums, opened);
    out->ail = out->ncp = 0;
    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];

        find_attribute(&per_attribute[q], column, sums->column[q], opened);
        out->ail += covey_ratio_value(column->stated->weight) * per_attribute[q].ail;
        out->ncp += per_attribute[q].ncp / (double)opened->n_quasi;
    }
}

covey_status covey_i_losses(covey_release_figures *out, covey_attribute_losses *per_attribute,
                            const covey_opened *opened, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_losses_so_far sums = {.column = covey_arena_array_zero(&arena, covey_loss_sums, opened->n_quasi)};

    if (!sums.column)
        return covey_i_no_memory(err);
    covey_i_losses_add(&sums, opened);
    covey_i_losses_finish(out, per_attribute, &sums, opened);
    covey_arena_free(&arena);
    return COVEY_OK;
}

/* --- comparison --- */

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

void covey_i_losses_compare(covey_problems *problems, const covey_release_figures *figures,
                            const covey_attribute_losses *per_attribute, const covey_opened *opened)
{
    const covey_stated *stated = opened->stated;
    double ail = figures->ail, ncp = figures->ncp;

    for (size_t q = 0; q < opened->n_quasi; q++)
        if (is_known_in_part(&opened->column[opened->quasi[q]], opened))
            ail = ncp = NAN;
    compare_weights(problems, opened);
    compare_columns(problems, per_attribute, opened);
    compare(problems, "ail", &stated->ail, ail);
    compare(problems, "ncp", &stated->ncp, ncp);
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
                isnan(ail) && stated->ail.present ? stated->ail.value : ail);
    if (strcmp(stated->objective, "discernibility") == 0)
        compare(problems, "the objective discernibility", &stated->objective_value, figures->discernibility);
    if (strcmp(stated->objective, "ncp") == 0 && stated->is_tight) /* regions lose more than the rows that it counts */
        compare_ncp(problems, &stated->objective_value, ail, (double)stated->n_rows * (double)opened->n_quasi);
    if (strcmp(stated->objective, "classes") == 0)
        compare(problems, "the objective classes", &stated->objective_value, (double)opened->n_classes);
    if (stated->objective_lower_bound.present && stated->objective_value.present &&
        stated->objective_lower_bound.value >
            stated->objective_value.value + TOLERANCE * fabs(stated->objective_value.value))
        covey_i_problem(problems, "manifest.json: the objective's lower bound lies above its value");
}
