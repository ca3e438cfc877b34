/* Counts the rows of each group that satisfy a condition. */
#include "query/bucketized/groups.h"

#include "base/error.h"
#include "base/sort/find.h"
#include "base/threads.h"

enum { ROWS_PER_TASK = 1 << 17, MOST_TASKS = 64 };

/* --- groups --- */

struct counting {
    const covey_query_groups *groups;
    const covey_row_scan *scan;
    uint32_t n_rows;
    int64_t *hits;                  /* [n_groups] */
    uint32_t begin[MOST_TASKS + 1]; /* first rows of the tasks; no group is in two */
};

static covey_status count_task(void *context, size_t task, covey_error *err)
{
    struct counting *k = context;
    uint64_t accepts[COVEY_SCAN_BLOCK];
    uint32_t begin = k->begin[task], end = k->begin[task + 1];
    uint32_t group = covey_i_find_span(k->groups->row_start, k->groups->n_groups, begin);

    for (uint32_t at = begin; at < end; at += COVEY_SCAN_BLOCK) {
        uint32_t n = end - at < COVEY_SCAN_BLOCK ? end - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, k->scan, NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            while (at + i >= k->groups->row_start[group + 1])
                group++;
            k->hits[group] += (int64_t)accepts[i];
        }
    }
    return COVEY_OK;
}

/* Cuts the rows into tasks at groups' ends. */
static size_t cut_into_tasks(struct counting *k)
{
    uint32_t step = k->n_rows / MOST_TASKS + 1 > ROWS_PER_TASK ? k->n_rows / MOST_TASKS + 1 : ROWS_PER_TASK, next = 0;
    size_t n = 0;

    while (next < k->n_rows) {
        next =
            k->n_rows - next <= step || n + 1 == MOST_TASKS
                ? k->n_rows
                : k->groups->row_start[covey_i_find_span(k->groups->row_start, k->groups->n_groups, next + step) + 1];
        k->begin[++n] = next;
    }
    return n;
}

/* Few rows, in ascending order: groups come one after another. */
static covey_status list_hits(covey_query_hits *out, const covey_query_groups *groups, const covey_row_scan *scan,
                              const covey_query_rows *rows, covey_arena *arena, covey_error *err)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];

    *out = (covey_query_hits){.hit = covey_arena_array(arena, covey_query_hit, rows->n)};
    if (!out->hit)
        return covey_i_no_memory(err);
    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, scan, rows->row + at, 0, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = rows->row[at + i];

            if (!accepts[i])
                continue;
            if (out->n == 0 || row >= groups->row_start[out->hit[out->n - 1].group + 1])
                out->hit[out->n++] = (covey_query_hit){covey_i_find_span(groups->row_start, groups->n_groups, row), 0};
            out->hit[out->n - 1].n++;
            out->total++;
        }
    }
    return COVEY_OK;
}

covey_status covey_i_query_hits(covey_query_hits *out, const covey_query_groups *groups, const covey_row_scan *scan,
                                const covey_query_rows *rows, const covey_run *run, covey_arena *arena,
                                covey_error *err)
{
    struct counting k = {.groups = groups, .scan = scan, .n_rows = rows->n};
    uint32_t n = 0;

    if (rows->row)
        return list_hits(out, groups, scan, rows, arena, err);
    if (!(k.hits = covey_arena_array_zero(arena, int64_t, groups->n_groups)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), cut_into_tasks(&k), count_task, &k, err));
    for (uint32_t g = 0; g < groups->n_groups; g++)
        n += k.hits[g] > 0;
    *out = (covey_query_hits){.hit = covey_arena_array(arena, covey_query_hit, n)};
    if (!out->hit)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < groups->n_groups; g++)
        if (k.hits[g] > 0) {
            out->hit[out->n++] = (covey_query_hit){g, k.hits[g]};
            out->total += k.hits[g];
        }
    return COVEY_OK;
}
