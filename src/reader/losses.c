/* Adding up the losses of published cells.  Sums of losses are made in 128-bit integers, so that they do not depend on
 * the order of the classes; the division comes last. */
#include "reader/losses.h"

#include <math.h>

#include "base/error.h"
#include "base/exact/fraction.h"
#include "reader/form_impl.h"

/* What a column can lose: losses are multiples of 1/den. */
struct units {
    int64_t ail, ncp; /* > 0 */
};

/* The hierarchy that a column's labels are counted in; NULL: it has none, or one that is not complete and was not
 * rebuilt. */
static const covey_hierarchy *opened_tree(const covey_opened_column *column)
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
    const covey_hierarchy *tree = opened_tree(column);
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
    return column->stated->publish != COVEY_PUBLISH_LABEL || opened_tree(column);
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
    const covey_u128 squares = sums->squares + (covey_u128)(opened->stated->n_rows + opened->stated->n_counterfeits) *
                                                   (covey_u128)opened->stated->n_suppressed;

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
