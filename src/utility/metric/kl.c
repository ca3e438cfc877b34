/* Kullback-Leibler divergence of what a reader of the release believes from the truth, in nats per row:
 *
 *     sum over the combinations x of quasi-identifiers in the original of p(x) ln(p(x) / q(x)),
 *
 * p(x) the share of rows that have x, q(x) = sum over the classes whose cells cover x of (rows of the class / all rows)
 * / V.  V is the number of combinations that the class's cells cover: rows are spread evenly over their box.  A number
 * can take the values of the original, a label its leaves, a set its values.  Suppressed rows are spread over
 * everything.
 *
 * It is not defined where a row's quasi-identifiers stand in different tables: nothing says which lines belong
 * together.
 *
 * Where boxes do not overlap this is the cost `kl` of optimal partitioning per row, sum of w_c ln(w_c V / n):
 * [KiferGehrke06] section 3.  With overlapping boxes (local recoding) a reader adds them up. */
#include "utility/metric/metric_impl.h"

#include <math.h>

#include "base/error.h"
#include "reader/form_impl.h"
#include "reader/points/points.h"
#include "reader/points/tree.h"

static const covey_column *quasi(const covey_measured_release *release, size_t q)
{
    return release->original->column[release->opened->quasi[q]].column;
}

/* Different combinations of the original, and how many rows have each. */
static covey_status find_points(covey_points *out, const covey_measured_release *release, covey_arena *arena,
                                covey_error *err)
{
    const size_t n_dims = release->opened->n_quasi;
    const covey_column **column = covey_arena_array(arena, const covey_column *, n_dims);

    if (!column)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < n_dims; q++)
        column[q] = quasi(release, q);
    return covey_i_points_make(out, column, n_dims, release->original->n_rows, arena, err);
}

static double size_of(const covey_cover *cover)
{
    if (cover->low > cover->high)
        return 0;
    return cover->code ? (double)cover->n_codes : (double)cover->high - cover->low + 1;
}

/* Rows that are published as they are: each is believed where it stands. */
static void believe_rows(double *belief, const covey_points *points, const covey_measured_release *release,
                         uint32_t *wanted)
{
    const covey_opened *opened = release->opened;

    for (uint32_t row = 0; row < opened->n_rows; row++) {
        uint32_t point;

        for (size_t q = 0; q < opened->n_quasi; q++) {
            const uint32_t i = opened->quasi[q];

            wanted[q] = release->original->column[i].value_of_cell[covey_i_code_at(opened->column[i].text, row)];
        }
        if ((point = covey_i_points_find(points, wanted)) != UINT32_MAX)
            belief[point]++;
    }
}

/* Is some attribute published in groups of values, although the form publishes most as they are? */
static bool has_cells(const covey_measured_release *release)
{
    for (size_t q = 0; q < release->opened->n_quasi; q++)
        if (release->original->column[release->opened->quasi[q]].cover)
            return true;
    return false;
}

/* Spreads each such row over the box of its cells. */
static void believe_cells(double *belief, double *pending, const covey_point_tree *tree,
                          const covey_measured_release *release, covey_cover *cover, const covey_cover **box)
{
    const covey_opened *opened = release->opened;

    for (uint32_t row = 0; row < opened->n_rows; row++) {
        double volume = 1;

        for (size_t q = 0; q < opened->n_quasi; q++) {
            const covey_original_column *column = &release->original->column[opened->quasi[q]];
            const uint32_t cell = covey_i_code_at(opened->column[opened->quasi[q]].text, row),
                           value = column->cover ? 0 : column->value_of_cell[cell];

            cover[q] = column->cover         ? column->cover[cell]
                       : value == UINT32_MAX ? (covey_cover){1, 0, 0, NULL}
                                             : (covey_cover){value, value, 0, NULL};
            box[q] = &cover[q];
            volume *= size_of(&cover[q]);
        }
        if (volume > 0)
            covey_i_point_tree_add(belief, pending, tree, box, 1 / volume);
    }
}

/* Spreads the rows of each class over its box. */
static covey_status believe(double *belief, const covey_points *points, const covey_measured_release *release,
                            covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = release->opened;
    const covey_cover **box = covey_arena_array(arena, const covey_cover *, opened->n_quasi);
    uint32_t *wanted = covey_arena_array(arena, uint32_t, opened->n_quasi);
    covey_point_tree tree;
    double *pending;
    covey_cover *cover = covey_arena_array(arena, covey_cover, opened->n_quasi);

    if (!box || !wanted || !cover)
        return covey_i_no_memory(err);
    if (opened->stated->published_as->is_exact && !has_cells(release)) {
        believe_rows(belief, points, release, wanted);
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_point_tree_build(&tree, points->coordinate, points->n, opened->n_quasi, arena, err));
    if (!(pending = covey_arena_array_zero(arena, double, tree.n_nodes)))
        return covey_i_no_memory(err);
    if (opened->stated->published_as->is_exact)
        believe_cells(belief, pending, &tree, release, cover, box);
    for (uint32_t c = 0; c < opened->n_classes && !opened->stated->published_as->is_exact; c++) {
        double volume = 1;

        for (size_t q = 0; q < opened->n_quasi; q++) {
            box[q] = &release->original->column[opened->quasi[q]].cover[opened->column[opened->quasi[q]].class_cell[c]];
            volume *= size_of(box[q]);
        }
        if (volume > 0)
            covey_i_point_tree_add(belief, pending, &tree, box,
                                   (double)(opened->class_start[c + 1] - opened->class_start[c]) / volume);
    }
    covey_i_point_tree_settle(belief, pending, &tree);
    return COVEY_OK;
}

/* What a suppressed row adds everywhere. */
static double spread_of_suppressed(const covey_measured_release *release)
{
    double volume = 1;

    for (size_t q = 0; q < release->opened->n_quasi; q++)
        volume *= quasi(release, q)->n_values;
    return volume > 0 ? (double)release->opened->stated->n_suppressed / volume : 0;
}

/* Beliefs count made-up rows, too. */
static double published_by_own(const covey_stated *stated)
{
    return (double)(stated->n_rows + stated->n_counterfeits) / (double)stated->n_rows;
}

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    covey_points points;
    double *belief, sum = 0, suppressed = spread_of_suppressed(release);

    if (release->original->n_rows == 0) {
        *out = NAN;
        return COVEY_OK;
    }
    COVEY_TRY(find_points(&points, release, arena, err));
    if (!(belief = covey_arena_array_zero(arena, double, points.n)))
        return covey_i_no_memory(err);
    COVEY_TRY(believe(belief, &points, release, arena, err));
    for (uint32_t p = 0; p < points.n; p++)
        sum += points.n_rows[p] * log(points.n_rows[p] / (belief[p] + suppressed));
    *out = sum / release->original->n_rows + log(published_by_own(release->opened->stated));
    return COVEY_OK;
}

const covey_metric covey_metric_kl = {
    .name = "kl",
    .summary = "divergence from the original in nats per row",
    .source = "KiferGehrke06, section 3",
    .needs_original = true,
    .needs_rows = true,
    .compute = compute,
};
