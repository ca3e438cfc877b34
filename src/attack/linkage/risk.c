/* Risks by weights and by entities.  Entities: [Hundepool12] section 3.3, somebody is found as soon as one member is.
 */
#include "attack/linkage/risk.h"

#include <math.h>
#include <string.h>

#include "attack/linkage/links.h"
#include "attack/persons.h"
#include "attack/published.h"
#include "base/error.h"
#include "reader/sampled.h"
#include "reader/units.h"
#include "table/table_impl.h"

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
    for (uint32_t v = 0; v < column->n_values; v++)
        if (!covey_i_weight_read(&of_value[v], covey_column_label(column, v)))
            of_value[v] = NAN; /* perhaps no row has it */
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        weight[row] = of_value[covey_i_code_at(column, row)];
        if (isnan(weight[row]))
            return covey_fail_at(err, COVEY_EPARSE, r->options->original, covey_column_line(column, row), column->name,
                                 0, "column \"%s\" holds values that are no sampling weights: numbers greater than 0",
                                 column->name);
    }
    *out = weight;
    return COVEY_OK;
}

/* What the original's rows tell of the sets that they went to; weight NULL: nothing of a population. */
static covey_status sample_rows(covey_sampled *out, const covey_attacked *r, const uint32_t *set, uint32_t n_sets,
                                const double *weight, covey_arena *arena, covey_error *err)
{
    *out = (covey_sampled){.n = n_sets,
                           .f = covey_arena_array_zero(arena, int64_t, n_sets),
                           .people = covey_arena_array_zero(arena, double, n_sets)};
    if (!out->f || !out->people)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        if (set[row] != UINT32_MAX) {
            out->f[set[row]]++;
            out->people[set[row]] += weight ? weight[row] : 1;
        }
    return COVEY_OK;
}

/* The chance that a row of the set is somebody's. */
static double own_share(const covey_attacked *r, uint32_t set)
{
    const uint32_t *start = r->opened->class_start;

    return r->opened->counterfeits ? 1 - (double)r->opened->counterfeits[set] / (double)(start[set + 1] - start[set])
                                   : 1;
}

/* Each row's chance to be found: by its set's rows and, with weights, by the people whom they stand for. */
static covey_status find_risks(double **out, const covey_attacked *r, const uint32_t *set, const covey_sampled *s,
                               covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = r->original->n_rows;
    double *risk = covey_arena_array(arena, double, n_rows), *of_set = covey_arena_array(arena, double, s->n);

    if (!risk || !of_set)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n; i++) {
        const double f = (double)s->f[i];

        of_set[i] = s->f[i] > 0 ? covey_i_sampled_risk(s->f[i], s->people[i] > f ? f / s->people[i] : 1) : 0;
        of_set[i] *= own_share(r, i);
    }
    for (uint32_t row = 0; row < n_rows; row++)
        risk[row] = set[row] != UINT32_MAX ? of_set[set[row]] : 0;
    *out = risk;
    return COVEY_OK;
}

/* Where all rows of a person are in one class, a class is so many persons, each of the mean weight of its rows. */
static void count_persons(covey_sampled *s, const covey_attacked *r)
{
    if (!r->opened->units || r->form != COVEY_ATTACKED_GENERALIZED)
        return;
    for (uint32_t c = 0; c < s->n; c++)
        if (s->f[c] > 0) {
            s->people[c] *= (double)r->opened->units->n_persons[c] / (double)s->f[c];
            s->f[c] = r->opened->units->n_persons[c];
        }
}

/* Sets that no row went to, because they were suppressed or the release is not of this table, are none. */
static void drop_empty(covey_sampled *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->f[i] > 0) {
            s->f[n] = s->f[i];
            s->people[n++] = s->people[i];
        }
    s->n = n;
}

static void report_sample(covey_attack_maker *out, const covey_attacked *r, const covey_sampled *s)
{
    covey_sampled_risks of;

    if (s->n == 0)
        return;
    covey_i_sampled_risks_find(&of, s);
    covey_i_attack_number(out, "weighted_max", of.largest);
    covey_i_attack_number(out, "weighted_mean", of.mean);
    covey_i_attack_number(out, "weighted_expected_matches", of.matches);
    covey_i_attack_number(out, "population_estimated", of.people);
    covey_i_attack_number(out, "fewest_people_estimated", of.fewest);
    covey_i_attack_number(out, "population_uniques_estimated", of.uniques);
    covey_i_attack_words(out,
                         "%s By their sampling weights the rows stand for about %.0f people, and those that look alike "
                         "for about %.0f at least; %s %.3g%%, on average of %.3g%%. That is an estimate, and no "
                         "promise.",
                         out->result.words, of.people, of.fewest,
                         r->opened->units ? "who looks among these finds a person with a chance of up to"
                                          : "who looks among these finds a row's person with a chance of up to",
                         100 * of.largest, 100 * of.mean);
}

/* --- entities --- */

/* 1 minus the chance that none of its rows is found. */
static covey_status report_entities(covey_attack_maker *out, covey_attacked *r, const covey_column *column,
                                    const double *risk, covey_arena *arena, covey_error *err)
{
    covey_unit_set entity = {0};
    double *missed, sum = 0, most = 0;
    int64_t n = 0, above = 0;

    COVEY_TRY(covey_i_attack_persons_number(&entity, r, column, err));
    if (!(missed = covey_arena_array(arena, double, entity.n)))
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < entity.n; u++)
        missed[u] = -1;
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        double *of = &missed[entity.of_row[row]];

        *of = (*of < 0 ? 1 : *of) * (1 - risk[row]);
    }
    for (uint32_t u = 0; u < entity.n; u++)
        if (missed[u] >= 0) {
            n++;
            sum += 1 - missed[u];
            most = fmax(most, 1 - missed[u]);
            above += 1 - missed[u] > 0.09;
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
    const char *entity = r->options->entity, *weight = r->options->weight,
               *published = covey_i_sampled_weight(r->opened);
    const bool is_published = published && (!weight || strcmp(published, weight) == 0);
    const uint32_t *set = NULL;
    double *risk = NULL, *weights = NULL;
    covey_sampled sampled = {0};
    uint32_t n_sets = 0;

    if (is_published) { /* beside the class: the original's rows only may be in it */
        COVEY_TRY(covey_i_sampled_read(&sampled, r->opened, arena, err));
        report_sample(out, r, &sampled);
    }
    if (!r->original || (!entity && (!weight || is_published)) || r->original->n_rows == 0)
        return COVEY_OK;
    COVEY_TRY(find_sets(&set, &n_sets, r, arena, err));
    if (weight)
        COVEY_TRY(read_weights(&weights, r, r->original->more[entity ? 1 : 0], arena, err));
    COVEY_TRY(sample_rows(&sampled, r, set, n_sets, weights, arena, err));
    COVEY_TRY(find_risks(&risk, r, set, &sampled, arena, err));
    if (entity)
        COVEY_TRY(report_entities(out, r, r->original->more[0], risk, arena, err));
    if (!weight || is_published)
        return COVEY_OK;
    count_persons(&sampled, r);
    drop_empty(&sampled);
    report_sample(out, r, &sampled);
    return COVEY_OK;
}
