/* Reads published sampling weights, and what they let expect. */
#include "reader/sampled.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "reader/form_impl.h"
#include "reader/points/points.h"
#include "reader/units.h"
#include "table/table_impl.h"

/* --- what is published --- */

static const covey_column *find_weights(const covey_opened *opened)
{
    if (strcmp(opened->stated->form, "sliced") == 0)
        return NULL;
    for (size_t i = 0; i < opened->n_columns; i++)
        if (opened->column[i].stated->is_weight)
            return opened->column[i].text;
    return NULL;
}

const char *covey_i_sampled_weight(const covey_opened *opened)
{
    const covey_column *weights = find_weights(opened);

    return weights ? weights->name : NULL;
}

static covey_status add_rows(covey_sampled *out, const covey_column *weight, const uint32_t *set, uint32_t n_rows,
                             covey_arena *arena, covey_error *err)
{
    double *of_value = covey_arena_array(arena, double, weight->n_values);

    if (!of_value)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < weight->n_values; v++)
        if (!covey_i_weight_read(&of_value[v], covey_column_label(weight, v)))
            of_value[v] = NAN; /* perhaps no row has it */
    for (uint32_t row = 0; row < n_rows; row++) {
        const double w = of_value[covey_i_code_at(weight, row)];

        if (isnan(w))
            return covey_fail(err, COVEY_EPARSE,
                              "column \"%s\" holds values that are no sampling weights: numbers greater than 0 (covey "
                              "verify says more)",
                              weight->name);
        out->f[set[row]]++;
        out->people[set[row]] += w;
    }
    return COVEY_OK;
}

static covey_status find_classes(uint32_t **set, uint32_t *n, const covey_opened *opened, covey_arena *arena,
                                 covey_error *err)
{
    if (!(*set = covey_arena_array(arena, uint32_t, opened->n_rows)))
        return covey_i_no_memory(err);
    *n = opened->n_classes;
    for (uint32_t c = 0; c < opened->n_classes; c++)
        for (uint32_t row = opened->class_start[c]; row < opened->class_start[c + 1]; row++)
            (*set)[row] = c;
    return COVEY_OK;
}

static covey_status find_points(uint32_t **set, uint32_t *n, const covey_opened *opened, covey_arena *arena,
                                covey_error *err)
{
    const covey_column **column = covey_arena_array(arena, const covey_column *, opened->n_quasi);
    covey_points points;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < opened->n_quasi; q++)
        column[q] = opened->column[opened->quasi[q]].text;
    COVEY_TRY(covey_i_points_make(&points, column, opened->n_quasi, opened->n_rows, arena, err));
    *set = points.point_of_row;
    *n = points.n;
    return COVEY_OK;
}

covey_status covey_i_sampled_read(covey_sampled *out, const covey_opened *opened, covey_arena *arena, covey_error *err)
{
    const covey_column *weight = find_weights(opened);
    const bool is_exact = opened->stated->published_as->is_exact;
    uint32_t *set;

    *out = (covey_sampled){0};
    if (!weight || opened->n_rows == 0)
        return COVEY_OK;
    COVEY_TRY((is_exact ? find_points : find_classes)(&set, &out->n, opened, arena, err));
    out->f = covey_arena_array_zero(arena, int64_t, out->n);
    out->people = covey_arena_array_zero(arena, double, out->n);
    if (!out->f || !out->people)
        return covey_i_no_memory(err);
    COVEY_TRY(add_rows(out, weight, set, opened->n_rows, arena, err));
    for (uint32_t c = 0; opened->units && !is_exact && c < out->n; c++) { /* a person's rows are of one weight */
        out->people[c] *= (double)opened->units->n_persons[c] / (double)out->f[c];
        out->f[c] = opened->units->n_persons[c];
    }
    return COVEY_OK;
}

/* --- what it lets expect --- */

/* With z = 1 - share: share^f times the integral of u^(f-1) (1 - z u)^-f from 0 to 1, of which integration by parts
 * gives the next from one f to f + 1.  An error grows by share/z in each step, so that the steps are good where the
 * series is slow. */
double covey_i_sampled_risk(int64_t f, double share)
{
    const double z = 1 - share;
    double term = 1, sum = 1;

    if (z <= 0)
        return 1 / (double)f;
    if (z > 0.5) {
        double risk = share / z * -log(share);

        for (int64_t k = 1; k < f; k++)
            risk = share / z * (1 / (double)k - risk);
        return risk;
    }
    for (int64_t j = 1; term > 1e-17 * sum; j++) {
        term *= (double)j / (double)(f + j) * z;
        sum += term;
    }
    return share / (double)f * sum;
}

void covey_i_sampled_risks_find(covey_sampled_risks *out, const covey_sampled *s)
{
    double n = 0;

    *out = (covey_sampled_risks){.fewest = INFINITY};
    for (uint32_t i = 0; i < s->n; i++) {
        const double f = (double)s->f[i], share = s->people[i] > f ? f / s->people[i] : 1,
                     risk = covey_i_sampled_risk(s->f[i], share);

        n += f;
        out->largest = fmax(out->largest, risk);
        out->matches += f * risk;
        out->people += s->people[i];
        out->fewest = fmin(out->fewest, s->people[i]);
        out->uniques += s->f[i] == 1 ? share : 0;
    }
    out->mean = out->matches / n;
}

covey_status covey_i_sampled_risks_read(covey_sampled_risks *out, const covey_opened *opened, covey_arena *arena,
                                        covey_error *err)
{
    covey_sampled sampled;

    COVEY_TRY(covey_i_sampled_read(&sampled, opened, arena, err));
    *out = (covey_sampled_risks){NAN, NAN, NAN, NAN, NAN, NAN};
    if (sampled.n > 0)
        covey_i_sampled_risks_find(out, &sampled);
    return COVEY_OK;
}
