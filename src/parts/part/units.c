/* Units of a part, from its release. */
#include "parts/part/units.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/sort/compare.h"
#include "release/bucketized/bucketized.h"
#include "release/generalized/class_order.h"
#include "release/perturbed.h"
#include "table/table_impl.h"

enum { TIE_STREAM = 0x70617274 }; /* "part" */

/* --- classes --- */

static covey_status list_classes(covey_part_units *out, covey_part_facts *facts, const covey_problem *problem,
                                 const covey_release *release, covey_arena *arena, covey_error *err)
{
    const covey_class_list list = {.problem = problem,
                                   .has_regions = release->has_regions,
                                   .n = release->n_classes,
                                   .low = release->low,
                                   .high = release->high,
                                   .shown = &release->shown,
                                   .start = release->class_start,
                                   .rows = release->row_order};
    uint32_t *key;

    COVEY_TRY(covey_i_class_keys(&key, &list, arena, err));
    *out = (covey_part_units){
        .n = release->n_classes, .start = release->class_start, .row = release->row_order, .key = key};
    facts->kind = COVEY_PART_CLASSES;
    if (release->has_regions) {
        facts->kind = COVEY_PART_REGIONS;
        out->low = release->low;
        out->high = release->high;
    }
    return COVEY_OK;
}

/* --- groups --- */

/* Groups that tie come in random order already.  Ascending random words keep it, and say how they come among those of
 * other parts. */
static covey_status draw_ties(uint64_t *tie, const uint32_t *key, size_t n_key, uint32_t n, const covey_run *run,
                              covey_error *err)
{
    const size_t compared = (n_key - 2) * sizeof *key;
    unsigned char secret[32];
    covey_rng rng;

    COVEY_TRY(covey_i_rng_key(secret, run, err));
    covey_i_rng_init(&rng, secret, TIE_STREAM);
    covey_i_rng_words(&rng, tie, n);
    covey_i_rng_wipe(&rng);
    explicit_bzero(secret, sizeof secret);
    for (uint32_t begin = 0, end = 0; begin < n; begin = end) {
        for (end = begin + 1; end < n && memcmp(key + end * n_key, key + begin * n_key, compared) == 0;)
            end++;
        qsort(tie + begin, end - begin, sizeof *tie, covey_i_compare_u64);
    }
    return COVEY_OK;
}

static covey_status find_value_keys(uint32_t **out, const covey_problem *problem, const covey_release *release,
                                    covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    const size_t n_key = covey_i_part_key(COVEY_PART_VALUES, problem->n_axes);
    uint32_t *key = covey_arena_array_zero(arena, uint32_t, release->n_classes * n_key);
    uint64_t *tie = covey_arena_array(arena, uint64_t, release->n_classes);

    if (!key || !tie)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < release->n_classes; g++) {
        key[g * n_key] = covey_i_bucketized_code(data, data->line_start[g]);
        key[g * n_key + 1] = covey_i_bucketized_code(data, data->line_start[g + 1] - 1);
        key[g * n_key + 2] = release->class_start[g + 1] - release->class_start[g];
    }
    COVEY_TRY(draw_ties(tie, key, n_key, release->n_classes, run, err));
    for (uint32_t g = 0; g < release->n_classes; g++) {
        key[g * n_key + 3] = (uint32_t)(tie[g] >> 32);
        key[g * n_key + 4] = (uint32_t)tie[g];
    }
    *out = key;
    return COVEY_OK;
}

static covey_status list_groups(covey_part_units *out, covey_part_facts *facts, const covey_problem *problem,
                                const covey_release *release, covey_arena *arena, const covey_run *run,
                                covey_error *err)
{
    const covey_bucketized *data = release->form_data;
    uint32_t *key = NULL;

    facts->kind = COVEY_PART_GROUPS;
    if (data->is_by_values) {
        facts->kind = COVEY_PART_VALUES;
        COVEY_TRY(find_value_keys(&key, problem, release, arena, run, err));
    }
    *out = (covey_part_units){
        .n = release->n_classes, .start = release->class_start, .row = release->row_order, .key = key};
    return COVEY_OK;
}

/* --- rows --- */

static bool same_quasi(const covey_problem *problem, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < problem->n_axes; i++)
        if (covey_i_code(problem->axis[i].column, a) != covey_i_code(problem->axis[i].column, b))
            return false;
    return true;
}

/* The sensitive column shows what was drawn. */
static covey_status show_drawn(covey_problem *problem, const covey_perturbed *data, covey_arena *arena,
                               covey_error *err)
{
    covey_field *field = covey_arena_array(arena, covey_field, problem->n_fields);
    covey_column *column = covey_arena_array(arena, covey_column, 1);

    if (!field || !column)
        return covey_i_no_memory(err);
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    *column = *field[data->field].column;
    column->codes = data->codes;
    field[data->field].column = column;
    problem->field = field;
    return COVEY_OK;
}

static covey_status list_rows(covey_part_units *out, covey_part_facts *facts, covey_problem *problem,
                              const covey_release *release, covey_arena *arena, const covey_run *run, covey_error *err)
{
    uint32_t *start = covey_arena_array(arena, uint32_t, (size_t)release->n_published + 1), n = 0;
    const uint32_t *rows;

    if (!start)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_perturbed_order(&rows, release, problem, arena, run, err));
    for (uint32_t i = 0; i < release->n_published; i++)
        if (i == 0 || !same_quasi(problem, rows[i - 1], rows[i]))
            start[n++] = i;
    start[n] = release->n_published;
    *out = (covey_part_units){.n = n, .start = start, .row = rows};
    facts->kind = COVEY_PART_ROWS;
    return show_drawn(problem, release->form_data, arena, err);
}

/* --- all --- */

static covey_status find_goal(covey_part_goal *out, const char *name, covey_error *err)
{
    for (int goal = 0; goal < COVEY_PART_GOALS; goal++)
        if (strcmp(covey_i_part_goal_name[goal], name) == 0) {
            *out = (covey_part_goal)goal;
            return COVEY_OK;
        }
    return covey_fail(err, COVEY_EINTERNAL, "the objective %s cannot be added up over parts", name);
}

covey_status covey_i_part_units(covey_part_units *out, covey_part_facts *facts, covey_problem *problem,
                                const covey_release *release, covey_arena *arena, const covey_run *run,
                                covey_error *err)
{
    const char *form = release->form->name;
    covey_status status;

    COVEY_TRY(find_goal(&facts->goal, release->objective.name, err));
    if (strcmp(form, "generalized") == 0)
        status = list_classes(out, facts, problem, release, arena, err);
    else if (strcmp(form, "bucketized") == 0)
        status = list_groups(out, facts, problem, release, arena, run, err);
    else if (strcmp(form, "perturbed") == 0)
        status = list_rows(out, facts, problem, release, arena, run, err);
    else
        status = covey_fail(err, COVEY_EINTERNAL, "parts of the form %s are not joined", form);
    facts->n_published = release->n_published;
    facts->n_units = out->n;
    return status;
}
