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
#include "base/sort/sort.h"
#include "model/counts.h"
#include "model/nearest.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { UNITS_STREAM = 0x756e6974 }; /* "unit"; each part has a stream of its own */

static uint32_t rows_of(const covey_anatomy_units *u, uint32_t unit)
{
    return u->start[unit + 1] - u->start[unit];
}

/* Of the sizes s: units, and rows of each. */
static uint32_t units_of(const covey_anatomy_units *u, uint32_t s)
{
    return u->first[s + 1] - u->first[s];
}

static uint32_t size_of(const covey_anatomy_units *u, uint32_t s)
{
    return rows_of(u, u->order[u->first[s]]);
}

/* --- units, in an order that says nothing of the input's --- */

static bool are_alike(const covey_problem *problem, uint32_t a, uint32_t b)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (covey_i_code(problem->field[f].column, a) != covey_i_code(problem->field[f].column, b))
            return false;
    return true;
}

/* Rows of each unit by content, which are numbered: rows with equal ones have the same number. */
static covey_status list_rows(covey_anatomy_units *u, uint32_t *content, covey_error *err)
{
    const uint32_t *of_row = u->task->problem->units->person.of_row;
    const uint32_t n_rows = u->task->problem->n_rows;
    uint32_t *sorted = covey_arena_array(u->task->arena, uint32_t, n_rows), *next;

    u->n = u->task->problem->units->person.n;
    u->start = covey_arena_array_zero(u->task->arena, uint32_t, (size_t)u->n + 1);
    u->row = covey_arena_array(u->task->arena, uint32_t, n_rows);
    next = covey_arena_array(u->task->arena, uint32_t, u->n);
    if (!sorted || !u->start || !u->row || !next)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(sorted, u->task->problem, u->task->run, err));
    for (uint32_t row = 0; row < n_rows; row++)
        u->start[of_row[row] + 1]++;
    for (uint32_t unit = 0; unit < u->n; unit++) {
        next[unit] = u->start[unit];
        u->start[unit + 1] += u->start[unit];
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        const uint32_t row = sorted[i];

        content[row] = i > 0 && are_alike(u->task->problem, sorted[i - 1], row) ? content[sorted[i - 1]] : i;
        u->row[next[of_row[row]]++] = row;
    }
    return COVEY_OK;
}

/* By number of rows; those of as many by the contents of their rows, the least one first. */
static covey_status sort_units(covey_anatomy_units *u, const uint32_t *content, covey_error *err)
{
    covey_arena *arena = u->task->arena;
    uint32_t *key = covey_arena_array(arena, uint32_t, u->n), *scratch = covey_arena_array(arena, uint32_t, u->n);

    u->order = covey_arena_array(arena, uint32_t, u->n);
    u->first = covey_arena_array(arena, uint32_t, (size_t)u->n + 1);
    if (!key || !scratch || !u->order || !u->first)
        return covey_i_no_memory(err);
    for (uint32_t unit = 0; unit < u->n; unit++) {
        u->order[unit] = unit;
        key[unit] = rows_of(u, unit);
    }
    covey_i_sort_rows_u32(u->order, scratch, u->n, key);
    for (uint32_t i = 0; i < u->n; i++)
        if (i == 0 || rows_of(u, u->order[i]) != rows_of(u, u->order[i - 1]))
            u->first[u->n_sizes++] = i;
    u->first[u->n_sizes] = u->n;
    for (uint32_t s = 0; s < u->n_sizes; s++)
        for (uint32_t place = units_of(u, s) > 1 ? size_of(u, s) : 0; place-- > 0;) {
            uint32_t *order = u->order + u->first[s];

            for (uint32_t i = 0; i < units_of(u, s); i++)
                key[order[i]] = content[u->row[u->start[order[i]] + place]];
            covey_i_sort_rows_u32(order, scratch, units_of(u, s), key);
        }
    return COVEY_OK;
}

/* --- of which sizes can groups be made? --- */

static covey_status check_values(const covey_anatomy_units *u, covey_error *err)
{
    uint32_t n_several = 0;

    if (u->task->problem->units->within)
        return covey_fail(err, COVEY_EINVAL,
                          "anatomy makes groups of persons whose values differ, and keeps no households together: name "
                          "persons or households alone as the entity");
    for (uint32_t unit = 0; unit < u->n; unit++)
        for (uint32_t i = u->start[unit] + 1; i < u->start[unit + 1]; i++)
            if (covey_i_code(u->task->sensitive, u->row[i]) != covey_i_code(u->task->sensitive, u->row[i - 1])) {
                n_several++;
                break;
            }
    if (n_several == 0)
        return COVEY_OK;
    return covey_fail(err, COVEY_EINVAL,
                      "anatomy over units is for units of one sensitive value each, but %" PRIu32 " of the %" PRIu32
                      " have several values of \"%s\": a method on classes (covey methods) keeps promises over them",
                      n_several, u->n, u->task->sensitive->name);
}

/* The largest l for which groups can be made of the units of each size. */
static covey_status find_largest(covey_anatomy_units *u, covey_error *err)
{
    covey_histogram counts;

    if (!(u->largest_l = covey_arena_array(u->task->arena, int64_t, u->n_sizes)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_histogram_new(&counts, u->task->sensitive->n_values, u->task->arena, err));
    for (uint32_t s = 0; s < u->n_sizes; s++) {
        covey_i_histogram_clear(&counts);
        for (uint32_t i = u->first[s]; i < u->first[s + 1]; i++)
            covey_i_histogram_add(&counts, covey_i_code(u->task->sensitive, u->row[u->start[u->order[i]]]), 1);
        u->largest_l[s] = counts.total / covey_i_counts_largest(&counts, NULL);
    }
    return COVEY_OK;
}

/* Rows of the sizes of which there are no groups for l. */
static int64_t rows_without(const covey_anatomy_units *u, int64_t l)
{
    int64_t n = 0;

    for (uint32_t s = 0; s < u->n_sizes; s++)
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
    int64_t l = 1;
    uint32_t worst = 0, n, size;

    for (uint32_t s = 0; s < u->n_sizes; s++) {
        worst = u->largest_l[s] < u->largest_l[worst] ? s : worst;
        l = u->largest_l[s] > l ? u->largest_l[s] : l;
    }
    n = units_of(u, worst);
    size = size_of(u, worst);
    l = l > u->task->l ? u->task->l : l;
    while (l > 1 && !can_be_had(u, l))
        l--;
    covey_fail(err, COVEY_EINFEASIBLE,
               "anatomy cannot make groups with l = %" PRId64
               " over units: a group's units have as many rows each and different values of \"%s\", and %" PRIu32
               " unit%s with %" PRIu32 " row%s allow%s l = %" PRId64 " at most; %" PRId64
               " rows of such units would have to be suppressed (suppression limit, now at most %" PRId64
               " rows); without, l can be %" PRId64 " at most",
               u->task->l, u->task->sensitive->name, n, n == 1 ? "" : "s", size, size == 1 ? "" : "s",
               n == 1 ? "s" : "", u->largest_l[worst], n_without, limit, l);
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
    uint32_t *content = covey_arena_array(task->arena, uint32_t, task->problem->n_rows);

    *u = (covey_anatomy_units){.task = task};
    u->group_of_row = covey_arena_array(u->task->arena, uint32_t, u->task->problem->n_rows);
    if (!content || !u->group_of_row)
        return covey_i_no_memory(err);
    COVEY_TRY(list_rows(u, content, err));
    COVEY_TRY(check_values(u, err));
    COVEY_TRY(sort_units(u, content, err));
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
    uint32_t *rows = covey_arena_array(u->task->arena, uint32_t, u->n), stream = 0,
             *part_of_row = qi_aware ? covey_arena_array(u->task->arena, uint32_t, u->task->problem->n_rows) : NULL;
    covey_anatomy groups;

    if (!rows || (qi_aware && !part_of_row))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_anatomy_start(&groups, u->task->sensitive, (uint32_t)u->task->l, u->group_of_row, u->n,
                                    u->task->arena, err));
    for (uint32_t s = 0; s < u->n_sizes; s++) {
        const uint32_t *order = u->order + u->first[s], n = units_of(u, s);

        if (u->largest_l[s] < u->task->l)
            continue;
        for (uint32_t i = 0; i < n; i++)
            rows[i] = u->row[u->start[order[i]]];
        COVEY_TRY(group_size(&groups, u, part_of_row, &stream, rows, n, key, err));
    }
    for (uint32_t unit = 0; unit < u->n; unit++)
        for (uint32_t i = u->start[unit] + 1; i < u->start[unit + 1]; i++)
            u->group_of_row[u->row[i]] = u->group_of_row[u->row[u->start[unit]]];
    u->n_groups = groups.n_groups;
    u->n_residues = groups.n_residues;
    return COVEY_OK;
}
