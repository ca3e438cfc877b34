/* Groups of units.  Who knows the rows of a person but for the sensitive value, which is one, sees in a group how many
 * rows have each value: had one unit there three rows and the others one each, the value of three rows would be its
 * own.  So a group has units of as many rows each, and they have different values; then whatever exchanges the values
 * of two of them could have been published as well, and with the same chance: lists of values are as long, and which of
 * a list comes to a group is drawn.  Sizes of which no groups can be made are suppressed as a whole: that a unit is
 * missing must not say that it has the most frequent value.  Source: docs/design/units.md; [XiaoTao06]. */
#include "method/anatomy/units.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "model/counts.h"
#include "model/nearest.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { UNITS_STREAM = 0x756e6974 }; /* "unit"; each part has a stream of its own */

/* Of the sizes s: units, and rows of each. */
static uint32_t units_of(const covey_anatomy_units *u, uint32_t s)
{
    return covey_i_unit_rows_units(&u->rows, s);
}

static uint32_t size_of(const covey_anatomy_units *u, uint32_t s)
{
    return covey_i_unit_rows_size(&u->rows, s);
}

/* --- of which sizes can groups be made? --- */

static covey_status check_values(const covey_anatomy_units *u, covey_error *err)
{
    const uint32_t n_several = covey_i_unit_rows_several(&u->rows, u->task->sensitive);

    if (u->task->problem->units->within)
        return covey_fail(err, COVEY_EINVAL,
                          "anatomy makes groups of persons whose values differ, and keeps no households together: "
                          "slicing does, or name persons or households alone as the entity");
    if (n_several == 0)
        return COVEY_OK;
    return covey_fail(err, COVEY_EINVAL,
                      "anatomy over units is for units of one sensitive value each, but %" PRIu32 " of the %" PRIu32
                      " have several values of \"%s\": a method on classes (covey methods) keeps promises over them",
                      n_several, u->rows.n, u->task->sensitive->name);
}

/* The largest l for which groups can be made of the units of each size. */
static covey_status find_largest(covey_anatomy_units *u, covey_error *err)
{
    covey_histogram counts;

    if (!(u->largest_l = covey_arena_array(u->task->arena, int64_t, u->rows.n_kinds)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_histogram_new(&counts, u->task->sensitive->n_values, u->task->arena, err));
    for (uint32_t s = 0; s < u->rows.n_kinds; s++) {
        covey_i_histogram_clear(&counts);
        for (uint32_t i = u->rows.first[s]; i < u->rows.first[s + 1]; i++)
            covey_i_histogram_add(&counts,
                                  covey_i_code(u->task->sensitive, u->rows.row[u->rows.start[u->rows.order[i]]]), 1);
        u->largest_l[s] = counts.total / covey_i_counts_largest(&counts, NULL);
    }
    return COVEY_OK;
}

/* Rows of the sizes of which there are no groups for l. */
static int64_t rows_without(const covey_anatomy_units *u, int64_t l)
{
    int64_t n = 0;

    for (uint32_t s = 0; s < u->rows.n_kinds; s++)
        n += u->largest_l[s] < l ? (int64_t)units_of(u, s) * size_of(u, s) : 0;
    return n;
}

static bool can_be_had(const covey_anatomy_units *u, int64_t l)
{
    const int64_t n = rows_without(u, l);

    return n <= u->task->problem->max_suppressed && n < u->task->problem->n_rows;
}

static covey_status infeasible(const covey_anatomy_units *u, covey_error *err)
{
    const covey_promises *promises = &u->task->problem->promises;
    const int64_t n_without = rows_without(u, u->task->l), limit = u->task->problem->max_suppressed;
    covey_changes changes = {.is_lost = false};
    char gone[160] = "every row is of such a unit, and would have to be suppressed";
    int64_t l = 1;
    uint32_t worst = 0, n, size;

    for (uint32_t s = 0; s < u->rows.n_kinds; s++) {
        worst = u->largest_l[s] < u->largest_l[worst] ? s : worst;
        l = u->largest_l[s] > l ? u->largest_l[s] : l;
    }
    n = units_of(u, worst);
    size = size_of(u, worst);
    l = l > u->task->l ? u->task->l : l;
    while (l > 1 && !can_be_had(u, l))
        l--;
    if (n_without < u->task->problem->n_rows)
        snprintf(gone, sizeof gone,
                 "%" PRId64 " row%s of such units would have to be suppressed (suppression limit, now at most %" PRId64
                 " row%s)",
                 n_without, covey_i_plural(n_without), limit, covey_i_plural(limit));
    covey_fail(err, COVEY_EINFEASIBLE,
               "anatomy cannot make groups with l = %" PRId64
               " over units: a group's units have as many rows each and different values of \"%s\", and %" PRIu32
               " unit%s with %" PRIu32 " row%s allow%s l = %" PRId64 " at most; %s; without, l can be %" PRId64
               " at most",
               u->task->l, u->task->sensitive->name, n, covey_i_plural(n), size, covey_i_plural(size),
               n == 1 ? "s" : "", u->largest_l[worst], gone, l);
    for (size_t i = 0; i < promises->n && l > 1; i++) {
        covey_nearest nearest = {.n = 0};

        if (promises->promise[i].model->different_rows(promises->promise[i].state) <= l)
            continue;
        covey_i_nearest_change(&nearest, "l", "%" PRId64, l);
        covey_i_changes_promise(&changes, &promises->promise[i], &nearest);
    }
    if (l > 1)
        covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

covey_status covey_i_anatomy_units_new(covey_anatomy_units *u, const covey_anatomy_task *task, covey_error *err)
{
    *u = (covey_anatomy_units){.task = task};
    u->group_of_row = covey_arena_array(u->task->arena, uint32_t, u->task->problem->n_rows);
    if (!u->group_of_row)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_unit_rows_new(&u->rows, task->problem, NULL, task->arena, task->run, err));
    COVEY_TRY(check_values(u, err));
    COVEY_TRY(find_largest(u, err));
    u->n_suppressed = rows_without(u, u->task->l);
    if (!can_be_had(u, u->task->l))
        return infeasible(u, err);
    memset(u->group_of_row, 0xff, u->task->problem->n_rows * sizeof *u->group_of_row); /* COVEY_CLASS_SUPPRESSED */
    return COVEY_OK;
}

/* --- groups --- */

/* Puts the units of one size into groups, by one row of each: rows [n]. */
static covey_status group_size(covey_anatomy *groups, covey_anatomy_units *u, uint32_t *part_of_row, uint32_t *stream,
                               uint32_t *rows, uint32_t n, const unsigned char key[32], covey_error *err)
{
    uint32_t n_parts;

    if (part_of_row)
        COVEY_TRY(covey_i_anatomy_cut(part_of_row, &n_parts, rows, n, u->task, err));
    for (uint32_t begin = 0, end = 0; begin < n; begin = end) {
        covey_rng rng;

        for (end = begin + 1; end < n && (!part_of_row || part_of_row[rows[end]] == part_of_row[rows[begin]]);)
            end++;
        covey_i_rng_init(&rng, key, UNITS_STREAM + (uint64_t)(*stream)++);
        covey_i_anatomy_group(groups, rows + begin, end - begin, &rng);
        covey_i_rng_wipe(&rng);
    }
    return COVEY_OK;
}

covey_status covey_i_anatomy_units_group(covey_anatomy_units *u, const unsigned char key[32], bool qi_aware,
                                         covey_error *err)
{
    uint32_t *rows = covey_arena_array(u->task->arena, uint32_t, u->rows.n), stream = 0,
             *part_of_row = qi_aware ? covey_arena_array(u->task->arena, uint32_t, u->task->problem->n_rows) : NULL;
    covey_anatomy groups;

    if (!rows || (qi_aware && !part_of_row))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_anatomy_start(&groups, u->task->sensitive, (uint32_t)u->task->l, u->group_of_row, u->rows.n,
                                    u->task->arena, err));
    for (uint32_t s = 0; s < u->rows.n_kinds; s++) {
        const uint32_t *order = u->rows.order + u->rows.first[s], n = units_of(u, s);

        if (u->largest_l[s] < u->task->l)
            continue;
        for (uint32_t i = 0; i < n; i++)
            rows[i] = u->rows.row[u->rows.start[order[i]]];
        COVEY_TRY(group_size(&groups, u, part_of_row, &stream, rows, n, key, err));
    }
    for (uint32_t unit = 0; unit < u->rows.n; unit++)
        for (uint32_t i = u->rows.start[unit] + 1; i < u->rows.start[unit + 1]; i++)
            u->group_of_row[u->rows.row[i]] = u->group_of_row[u->rows.row[u->rows.start[unit]]];
    u->n_groups = groups.n_groups;
    u->n_residues = groups.n_residues;
    return COVEY_OK;
}
