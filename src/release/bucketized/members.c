/* From members of groups to the tables of a release. */
#include "release/bucketized/members.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/find.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum {
    BLOCK = 1024,
    TASK_ROWS = 1 << 15,
    LARGE_GROUP = 1 << 16, /* rows that all threads sort together */
    FEW_MEMBERS = 48,
    VALUES_PER_MEMBER = 4 /* with more, values are sorted instead of counted */
};

size_t covey_i_bucketized_contents_keys(covey_sort_key *key, const covey_problem *problem)
{
    size_t n = 0;

    for (size_t a = 0; a < problem->n_axes; a++)
        key[n++] = covey_i_column_key(problem->axis[a].column);
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_INSENSITIVE)
            key[n++] = covey_i_column_key(problem->field[f].column);
    return n;
}

bool covey_i_bucketized_contents_fit(uint64_t *n_contents, const covey_sort_key *key, size_t n_keys)
{
    *n_contents = 1;
    for (size_t k = 0; k < n_keys && *n_contents < UINT32_MAX; k++)
        *n_contents *= key[k].n_values;
    return *n_contents < UINT32_MAX;
}

covey_status covey_i_members_new(covey_members *members, uint32_t n_rows, uint32_t n_groups, int width,
                                 covey_error *err)
{
    *members = (covey_members){.n = n_rows,
                               .n_groups = n_groups,
                               .start = covey_i_array((size_t)n_groups + 1, sizeof *members->start),
                               .row = covey_i_array_full(n_rows, sizeof *members->row),
                               .code = width ? covey_i_array_full(n_rows, (size_t)width) : NULL};
    if (members->start && members->row && (members->code || !width))
        return COVEY_OK;
    covey_i_members_clear(members);
    return covey_i_no_memory(err);
}

void covey_i_members_clear(covey_members *members)
{
    covey_i_free(members->start);
    covey_i_free(members->row);
    covey_i_free(members->code);
    covey_i_free(members->n_lines);
    *members = (covey_members){0};
}

/* --- what is not known yet --- */

struct sorting {
    covey_members *m;
    const covey_problem *problem;
    const covey_column *sensitive;
    covey_sort_key *key; /* [n_keys] of contents */
    size_t n_keys, n_tasks;
    uint32_t *place; /* [rows of the problem] where contents are places; else NULL */
    bool has_codes;
};

static bool same_content(const struct sorting *s, uint32_t a, uint32_t b)
{
    const covey_sort_key *key = s->key;

    for (size_t k = 0; k < s->n_keys; k++)
        if (covey_i_codes_get(key[k].codes, key[k].width, a) != covey_i_codes_get(key[k].codes, key[k].width, b))
            return false;
    return true;
}

/* Places among all different contents, by a sort of the table. */
static covey_status find_places(struct sorting *s, const covey_run *run, covey_error *err)
{
    const uint32_t n = s->problem->n_rows;
    uint32_t *row = covey_i_array_full(n, sizeof *row), place = 0;
    covey_status status =
        row ? covey_i_keys_sort_rows(row, NULL, n, s->key, s->n_keys, run, err) : covey_i_no_memory(err);

    if (status == COVEY_OK && !(s->place = covey_i_array_full(n, sizeof *s->place)))
        status = covey_i_no_memory(err);
    for (uint32_t i = 0; i < n && status == COVEY_OK; i++) {
        place += i > 0 && !same_content(s, row[i - 1], row[i]);
        s->place[row[i]] = place;
    }
    s->m->n_contents = (uint64_t)place + 1;
    covey_i_free(row);
    return status;
}

static void add_contents(const struct sorting *s, uint32_t begin, uint32_t end)
{
    uint32_t row[BLOCK], content[BLOCK];

    for (uint32_t first = begin, n; first < end; first += n) {
        uint64_t *at = s->m->row + first;

        n = end - first < BLOCK ? end - first : BLOCK;
        for (uint32_t i = 0; i < n; i++)
            row[i] = (uint32_t)at[i];
        if (!s->place)
            covey_i_pack_keys(content, row, 0, n, s->key, s->n_keys);
        for (uint32_t i = 0; i < n; i++)
            at[i] |= (uint64_t)(s->place ? s->place[row[i]] : content[i]) << 32;
    }
}

static void look_up_codes(const struct sorting *s, uint32_t begin, uint32_t end)
{
    const covey_members *m = s->m;

    for (uint32_t i = begin; i < end; i++)
        covey_i_codes_put(m->code, s->sensitive->width, i, covey_i_code(s->sensitive, (uint32_t)m->row[i]));
}

/* --- order inside the groups --- */

static bool rows_ascend(const uint64_t *row, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (row[i - 1] >> 32 > row[i] >> 32)
            return false;
    return true;
}

static void insert_rows(uint64_t *row, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t own = row[i];
        uint32_t at = i;

        for (; at > 0 && row[at - 1] >> 32 > own >> 32; at--)
            row[at] = row[at - 1];
        row[at] = own;
    }
}

static int compare_codes(const void *a, const void *b, void *width)
{
    const uint32_t x = covey_i_codes_get(a, *(const int *)width, 0), y = covey_i_codes_get(b, *(const int *)width, 0);

    return (x > y) - (x < y);
}

/* Sorts values, few by insertion, many by counting; returns how many are different.  count: [values] zero between
 * calls. */
static uint32_t sort_codes(const struct sorting *s, uint32_t start, uint32_t n, uint32_t *count)
{
    const uint32_t n_values = s->sensitive->n_values;
    int width = s->sensitive->width;
    uint32_t n_different = 1, n_sorted = 1;

    COVEY_CODES_TYPED(width, {
        covey_code *code = (covey_code *)s->m->code + start;

        while (n_sorted < n && code[n_sorted - 1] <= code[n_sorted])
            n_sorted++;
        if (n_sorted == n) {
        } else if (n > FEW_MEMBERS && n_values / VALUES_PER_MEMBER > n) {
            qsort_r(code, n, sizeof *code, compare_codes, &width);
        } else if (n > FEW_MEMBERS) {
            for (uint32_t i = 0; i < n; i++)
                count[code[i]]++;
            for (uint32_t v = 0, at = 0; v < n_values; v++)
                for (; count[v] > 0; count[v]--)
                    code[at++] = (covey_code)v;
        } else {
            for (uint32_t i = n_sorted; i < n; i++) {
                const covey_code own = code[i];
                uint32_t at = i;

                for (; at > 0 && code[at - 1] > own; at--)
                    code[at] = code[at - 1];
                code[at] = own;
            }
        }
        for (uint32_t i = 1; i < n; i++)
            n_different += code[i - 1] != code[i];
    });
    return n_different;
}

static uint32_t task_start(const struct sorting *s, size_t task)
{
    return (uint32_t)((uint64_t)s->m->n * task / s->n_tasks);
}

static covey_status complete(void *context, size_t task, covey_error *err)
{
    const struct sorting *s = context;
    const uint32_t begin = task_start(s, task), end = task_start(s, task + 1);

    if (!s->m->has_contents)
        add_contents(s, begin, end);
    if (!s->has_codes)
        look_up_codes(s, begin, end);
    return COVEY_OK;
}

static covey_status sort_groups(void *context, size_t task, covey_error *err)
{
    static const covey_run alone = {.n_threads = 1};
    const struct sorting *s = context;
    const covey_members *m = s->m;
    const uint32_t end = covey_i_find_from(m->start, 0, m->n_groups, task_start(s, task + 1));
    uint32_t *count = covey_i_array_zero(s->sensitive->n_values, sizeof *count);
    covey_status status = count ? COVEY_OK : covey_i_no_memory(err);

    for (uint32_t g = covey_i_find_from(m->start, 0, m->n_groups, task_start(s, task)); g < end && status == COVEY_OK;
         g++) {
        const uint32_t start = m->start[g], n = m->start[g + 1] - start;

        if (n <= FEW_MEMBERS)
            insert_rows(m->row + start, n);
        else if (n <= LARGE_GROUP && !rows_ascend(m->row + start, n))
            status = covey_i_sort_pairs(m->row + start, n, m->n_contents, &alone, err);
        m->n_lines[g] = sort_codes(s, start, n, count);
    }
    covey_i_free(count);
    return status;
}

static covey_status sort_large_groups(const struct sorting *s, const covey_run *run, covey_error *err)
{
    const covey_members *m = s->m;

    for (uint32_t g = 0; g < m->n_groups; g++) {
        const uint32_t start = m->start[g], n = m->start[g + 1] - start;

        if (n > LARGE_GROUP && !rows_ascend(m->row + start, n))
            COVEY_TRY(covey_i_sort_pairs(m->row + start, n, m->n_contents, run, err));
    }
    return COVEY_OK;
}

static covey_status sort(struct sorting *s, const covey_run *run, covey_error *err)
{
    covey_members *m = s->m;
    const int n_threads = covey_run_threads(run);

    s->has_codes = m->code != NULL;
    s->n_keys = covey_i_bucketized_contents_keys(s->key, s->problem);
    m->is_packed = covey_i_bucketized_contents_fit(&m->n_contents, s->key, s->n_keys);
    s->n_tasks = m->n / TASK_ROWS + 1;
    if (!m->is_packed) /* then no method knows them either */
        COVEY_TRY(find_places(s, run, err));
    if (!s->has_codes && !(m->code = covey_i_array_full(m->n, (size_t)s->sensitive->width)))
        return covey_i_no_memory(err);
    if (!m->has_contents || !s->has_codes)
        COVEY_TRY(covey_i_parallel(n_threads, s->n_tasks, complete, s, err));
    covey_i_free(s->place);
    s->place = NULL;
    COVEY_TRY(covey_i_parallel(n_threads, s->n_tasks, sort_groups, s, err));
    return sort_large_groups(s, run, err);
}

covey_status covey_i_members_sort(covey_members *members, const covey_problem *problem, const covey_column *sensitive,
                                  const covey_run *run, covey_error *err)
{
    struct sorting s = {.m = members,
                        .problem = problem,
                        .sensitive = sensitive,
                        .key = covey_i_array(problem->n_axes + problem->n_fields, sizeof *s.key)};
    covey_status status;

    if (!s.key || !(members->n_lines = covey_i_array(members->n_groups, sizeof *members->n_lines)))
        status = covey_i_no_memory(err);
    else
        status = sort(&s, run, err);
    covey_i_free(s.key);
    covey_i_free(s.place);
    return status;
}
