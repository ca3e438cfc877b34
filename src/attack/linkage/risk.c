/* Risks by weights and by entities.  Entities: [Hundepool12] section 3.3, somebody is found as soon as one member is.
 */
#include "attack/linkage/risk.h"

#include <math.h>
#include <stdlib.h>

#include "attack/published.h"
#include "base/error.h"

double covey_i_attack_individual_risk(int64_t f, double share)
{
    const double z = 1 - share;
    double term = 1, sum = 1;

    if (z <= 0)
        return 1 / (double)f;
    if (f == 1)
        return share / z * -log1p(-z);
    if (f == 2)
        return share / z * (1 - share / z * -log1p(-z));
    for (int64_t j = 1; j < 1000000 && term > 1e-15 * sum; j++) {
        term *= (double)j / (double)(f + j) * z;
        sum += term;
    }
    return share / (double)f * sum;
}

/* The set of alike rows that each row of the original went to. */
static covey_status find_sets(const uint32_t **set_out, uint32_t *n_out, covey_attacked *r, covey_arena *arena,
                              covey_error *err)
{
    if (r->form == COVEY_ATTACKED_GENERALIZED || r->form == COVEY_ATTACKED_SLICED) {
        covey_attack_target plain, *target = r->n_targets > 0 ? &r->target[0] : &plain;

        if (r->n_targets == 0)
            COVEY_TRY(covey_i_attack_plain_target(&plain, r, arena, err));
        COVEY_TRY(covey_i_attack_link(r, target, err));
        *set_out = target->class_of_row;
        *n_out = r->form == COVEY_ATTACKED_SLICED ? target->n_classes : r->opened->n_classes;
    } else {
        const covey_points *points;

        COVEY_TRY(covey_i_attack_points_of(&points, r, err));
        *set_out = points->point_of_row;
        *n_out = points->n;
    }
    return COVEY_OK;
}

/* --- weights --- */

static covey_status read_weights(double **out, const covey_attacked *r, const covey_column *column, covey_arena *arena,
                                 covey_error *err)
{
    double *of_value = covey_arena_array(arena, double, column->n_values),
           *weight = covey_arena_array(arena, double, r->original->n_rows);

    if (!of_value || !weight)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        char *end;
        const char *text = covey_column_label(column, v);

        of_value[v] = strtod(text, &end);
        if (*text == '\0' || *end != '\0' || !isfinite(of_value[v]) || of_value[v] <= 0)
            return covey_fail(err, COVEY_EINVAL,
                              "column \"%s\" holds values that are no sampling weights: numbers greater than 0",
                              column->name);
    }
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        weight[row] = of_value[covey_i_code_at(column, row)];
    *out = weight;
    return COVEY_OK;
}

/* Each row's chance to be found: by its set's rows and, with weights, by the people whom they stand for. */
static covey_status find_risks(double **out, covey_attacked *r, const uint32_t *set, uint32_t n_sets,
                               const double *weight, covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = r->original->n_rows;
    double *risk = covey_arena_array(arena, double, n_rows), *people = covey_arena_array_zero(arena, double, n_sets);
    int64_t *size = covey_arena_array_zero(arena, int64_t, n_sets);

    if (!risk || !people || !size)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        if (set[row] != UINT32_MAX) {
            size[set[row]]++;
            people[set[row]] += weight ? weight[row] : 1;
        }
    for (uint32_t s = 0; s < n_sets; s++) {
        const double share = size[s] > 0 && people[s] > (double)size[s] ? (double)size[s] / people[s] : 1;

        people[s] = size[s] > 0 ? covey_i_attack_individual_risk(size[s], share) : 0;
    }
    for (uint32_t row = 0; row < n_rows; row++)
        risk[row] = set[row] != UINT32_MAX ? people[set[row]] : 0;
    *out = risk;
    return COVEY_OK;
}

static void report_rows(covey_attack_maker *out, const double *risk, uint32_t n_rows)
{
    double sum = 0, most = 0;

    for (uint32_t row = 0; row < n_rows; row++) {
        sum += risk[row];
        most = fmax(most, risk[row]);
    }
    covey_i_attack_number(out, "weighted_max", most);
    covey_i_attack_number(out, "weighted_mean", sum / n_rows);
    covey_i_attack_number(out, "weighted_expected_matches", sum);
}

/* --- entities --- */

/* 1 minus the chance that none of its rows is found. */
static covey_status report_entities(covey_attack_maker *out, const covey_attacked *r, const covey_column *column,
                                    const double *risk, covey_arena *arena, covey_error *err)
{
    double *missed = covey_arena_array(arena, double, column->n_values), sum = 0, most = 0;
    int64_t n = 0, above = 0;

    if (!missed)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++)
        missed[v] = -1;
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t entity = covey_i_code_at(column, row);

        missed[entity] = (missed[entity] < 0 ? 1 : missed[entity]) * (1 - risk[row]);
    }
    for (uint32_t v = 0; v < column->n_values; v++)
        if (missed[v] >= 0) {
            n++;
            sum += 1 - missed[v];
            most = fmax(most, 1 - missed[v]);
            above += 1 - missed[v] > 0.09;
        }
    covey_i_attack_integer(out, "entities", n);
    covey_i_attack_number(out, "entity_max", most);
    covey_i_attack_number(out, "entity_mean", sum / (double)n);
    covey_i_attack_number(out, "entity_expected_matches", sum);
    covey_i_attack_number(out, "entity_share_above_0.09", (double)above / (double)n);
    return COVEY_OK;
}

covey_status covey_i_attack_sampling_risks(covey_attack_maker *out, covey_attacked *r, covey_arena *arena,
                                           covey_error *err)
{
    const char *entity = r->options->entity, *weight = r->options->weight;
    const uint32_t *set = NULL;
    double *risk = NULL, *weights = NULL;
    uint32_t n_sets = 0;

    if (!r->original || (!entity && !weight) || r->original->n_rows == 0)
        return COVEY_OK;
    COVEY_TRY(find_sets(&set, &n_sets, r, arena, err));
    if (weight)
        COVEY_TRY(read_weights(&weights, r, r->original->more[entity ? 1 : 0], arena, err));
    COVEY_TRY(find_risks(&risk, r, set, n_sets, weights, arena, err));
    if (weight)
        report_rows(out, risk, r->original->n_rows);
    return entity ? report_entities(out, r, r->original->more[0], risk, arena, err) : COVEY_OK;
}
