/* Rows as numbers and contents, in order, and back.  Where a number and a content are one number together, rows sorted
 * by it are lists that groups take runs of; else groups are a map from rows. */
#include "method/ke/rows.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "table/column_key.h"
#include "table/histogram.h"
#include "table/table_impl.h"

/* --- order --- */

/* Does a code that comes behind another one stand for a larger number?  Those of a hierarchy need not. */
static bool numbers_ascend(const covey_ke_rows *r)
{
    const int64_t *last = NULL;

    for (uint32_t code = 0; code < r->sensitive->n_values; code++) {
        if (r->counts.count[code] == 0)
            continue;
        if (last && *last >= r->sensitive->number[code])
            return false;
        last = &r->sensitive->number[code];
    }
    return true;
}

/* Rows by number and content, if both are one number together. */
static covey_status find_lists(covey_ke_rows *r, covey_arena *arena, covey_error *err)
{
    const covey_problem *problem = r->problem;
    covey_sort_key *key = covey_arena_array(arena, covey_sort_key, 1 + problem->n_axes + problem->n_fields);
    size_t n;

    if (!key)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_histogram_of(&r->counts, r->sensitive, arena, err));
    key[0] = covey_i_column_key(r->sensitive);
    n = covey_i_bucketized_contents_keys(key + 1, problem);
    if (problem->n_rows == 0 || !covey_i_bucketized_contents_fit(&r->stride, key + 1, n) ||
        !covey_i_keys_fit(key, n + 1) || !numbers_ascend(r))
        return COVEY_OK;
    if (!(r->lists = covey_i_array_full(problem->n_rows, sizeof *r->lists)))
        return covey_i_no_memory(err);
    return covey_i_keys_sort_pairs(r->lists, problem->n_rows, key, n + 1, r->run, err);
}

/* Rows by part, number and content. */
static covey_status sort_rows(covey_ke_rows *r, covey_arena *arena, covey_error *err)
{
    const covey_problem *problem = r->problem;
    const covey_sort_key key[2] = {{.codes = problem->group_of_row, .width = 4, .n_values = problem->n_groups},
                                   covey_i_column_key(r->sensitive)};
    const bool has_parts = problem->group_of_row != NULL;

    r->row = covey_arena_array(arena, uint32_t, problem->n_rows);
    r->group_of_row = covey_arena_array(arena, uint32_t, problem->n_rows);
    if (!r->row || !r->group_of_row)
        return covey_i_no_memory(err);
    memset(r->group_of_row, 0xff, problem->n_rows * sizeof *r->group_of_row);
    COVEY_TRY(covey_i_problem_sort_rows(r->row, problem, r->run, err));
    return covey_i_sort_rows_by_keys(r->row, problem->n_rows, has_parts ? key : key + 1, has_parts ? 2 : 1, r->run,
                                     err);
}

covey_status covey_i_ke_rows_sort(covey_ke_rows *rows, covey_arena *arena, covey_error *err)
{
    if (!rows->problem->group_of_row)
        COVEY_TRY(find_lists(rows, arena, err));
    return rows->lists ? COVEY_OK : sort_rows(rows, arena, err);
}

void covey_i_ke_rows_clear(covey_ke_rows *rows)
{
    covey_i_members_clear(&rows->members);
    covey_i_free(rows->lists);
    rows->lists = NULL;
}

uint32_t covey_i_ke_rows_at(const covey_ke_rows *rows, uint32_t place)
{
    return rows->lists ? (uint32_t)rows->lists[place] : rows->row[place];
}

/* --- from rows to numbers --- */

covey_status covey_i_ke_rows_values(covey_ke_values *out, uint32_t **first_out, const covey_ke_rows *rows,
                                    uint32_t begin, uint32_t end, uint32_t n_distinct, covey_arena *arena,
                                    covey_error *err)
{
    const covey_column *column = rows->sensitive;
    int64_t *value = covey_arena_array(arena, int64_t, n_distinct);
    uint32_t *copies = covey_arena_array(arena, uint32_t, n_distinct);
    uint32_t *first = covey_arena_array(arena, uint32_t, (size_t)n_distinct + 1), n = 0;

    if (!value || !copies || !first)
        return covey_i_no_memory(err);
    for (uint32_t code = 0, i = 0; rows->lists && code < column->n_values; code++) {
        if (rows->counts.count[code] == 0)
            continue;
        first[n] = i;
        i += copies[n] = (uint32_t)rows->counts.count[code];
        value[n++] = column->number[code];
    }
    for (uint32_t i = begin; !rows->lists && i < end; i++) {
        const int64_t number = column->number[covey_i_code(column, rows->row[i])];

        if (n == 0 || value[n - 1] != number) {
            first[n] = i;
            copies[n] = 0;
            value[n++] = number;
        }
        copies[n - 1]++;
    }
    first[n] = end;
    *out = (covey_ke_values){n, value, copies};
    *first_out = first;
    return COVEY_OK;
}

/* --- from numbers to rows --- */

void covey_i_ke_shuffle(uint32_t *item, uint32_t n, covey_rng *rng)
{
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = (uint32_t)covey_i_rng_below(rng, i), swapped = item[j];

        item[j] = item[i - 1];
        item[i - 1] = swapped;
    }
}

/* n copies of a code from a place among the members on. */
static void put_codes(covey_ke_rows *r, uint32_t at, uint32_t code, uint32_t n)
{
    for (uint32_t i = at; i < at + n; i++)
        covey_i_codes_put(r->members.code, r->sensitive->width, i, code);
}

/* The groups of lists, one behind another. */
static covey_status take_lists(covey_ke_rows *r, const covey_ke_partition *groups, uint32_t *first, covey_error *err)
{
    uint32_t at = 0;

    COVEY_TRY(covey_i_members_new(&r->members, r->problem->n_rows, groups->n_groups, r->sensitive->width, err));
    r->members.has_contents = true;
    for (uint32_t g = 0; g < groups->n_groups; g++) {
        r->members.start[g] = at;
        for (size_t i = groups->start[g]; i < groups->start[g + 1]; i++) {
            const uint32_t v = groups->share[i].value, n = groups->share[i].copies,
                           code = (uint32_t)((r->lists[first[v]] >> 32) / r->stride);

            for (uint32_t k = 0; k < n; k++)
                r->members.row[at + k] = r->lists[first[v] + k] - (code * r->stride << 32);
            put_codes(r, at, code, n);
            first[v] += n;
            at += n;
        }
    }
    r->members.start[groups->n_groups] = at;
    covey_i_free(r->lists);
    r->lists = NULL;
    return COVEY_OK;
}

covey_status covey_i_ke_rows_deal(covey_ke_rows *r, const covey_ke_partition *groups, const covey_ke_values *values,
                                  uint32_t *first, covey_rng *rng, covey_arena *arena, covey_error *err)
{
    uint32_t *n_holders = covey_arena_array_zero(arena, uint32_t, values->n);

    if (!n_holders)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < groups->start[groups->n_groups]; i++)
        n_holders[groups->share[i].value]++;
    for (uint32_t v = 0; v < values->n; v++)
        if (n_holders[v] > 1 && r->lists)
            covey_i_rng_shuffle(rng, r->lists + first[v], values->copies[v]);
        else if (n_holders[v] > 1)
            covey_i_ke_shuffle(r->row + first[v], values->copies[v], rng);
    if (r->lists)
        return take_lists(r, groups, first, err);
    for (uint32_t g = 0; g < groups->n_groups; g++)
        for (size_t i = groups->start[g]; i < groups->start[g + 1]; i++) {
            uint32_t *next = &first[groups->share[i].value];

            for (uint32_t copies = groups->share[i].copies; copies > 0; copies--)
                r->group_of_row[r->row[(*next)++]] = r->n_groups + g;
        }
    r->n_groups += groups->n_groups;
    return COVEY_OK;
}

covey_status covey_i_ke_rows_release(covey_release **out, covey_ke_rows *rows, covey_error *err)
{
    if (rows->group_of_row)
        return covey_i_release_of_groups(out, rows->problem, rows->group_of_row, rows->n_groups, COVEY_GROUPS_BY_VALUES,
                                         rows->run, err);
    return covey_i_release_of_members(out, rows->problem, &rows->members, COVEY_GROUPS_BY_VALUES, rows->run, err);
}
