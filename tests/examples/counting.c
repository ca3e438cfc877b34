/* The form of docs/adding-a-query-form.md: bounds of COUNT where a release shows every row's quasi-identifiers as they
 * are, and of its sensitive values nothing is used. */
#include "examples/examples.h"

#include <math.h>

#include "base/error.h"
#include "query/rows.h"

struct counting {
    const covey_bound_query *query;
    covey_row_scan scan;
    int64_t n_suppressed; /* rows that may satisfy the condition */
    covey_arena *arena;
};

/* What release->opened has is enough. */
static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    return COVEY_OK;
}

/* Answers for some rows, of all or of a group of GROUP BY. */
static covey_status count_rows(covey_query_sink *sink, void *context, const covey_query_rows *rows,
                               const covey_query_value *key, covey_error *err)
{
    const struct counting *c = context;
    const uint64_t all = c->scan.sensitive < 0 ? 1 : covey_i_row_scan_all(&c->scan);
    covey_query_figures *figures = covey_arena_array_zero(c->arena, covey_query_figures, c->query->n_aggregates);
    int64_t sure = 0, maybe = c->n_suppressed;
    uint64_t accepts[COVEY_SCAN_BLOCK];

    if (!figures)
        return covey_i_no_memory(err);
    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        const uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, &c->scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            sure += accepts[i] == all;
            maybe += accepts[i] != all && accepts[i] != 0;
        }
    }
    for (size_t i = 0; i < c->query->n_aggregates; i++)
        figures[i] = (covey_query_figures){
            .lower = {true, sure, 1}, .upper = {true, sure + maybe, 1}, .estimate = NAN, .standard_error = NAN};
    return covey_i_query_emit(sink, key, sure, sure + maybe, figures, err);
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err)
{
    const covey_query_rows all = {NULL, release->opened->n_rows};
    struct counting c = {.query = query, .arena = arena};

    for (size_t i = 0; i < query->n_aggregates; i++)
        if (query->aggregate[i].function != COVEY_SQL_COUNT)
            return covey_fail(err, COVEY_EINVAL, "query: the form counts rows only: there is no %s",
                              query->aggregate[i].text);
    COVEY_TRY(covey_i_row_scan_make(&c.scan, query, arena, err));
    COVEY_TRY(covey_i_query_suppressed(&c.n_suppressed, release, query, arena, err));
    if (query->n_keys > 0)
        return covey_i_query_by_keys(sink, release, query, &c.scan, all.n, count_rows, &c, run, arena, err);
    return count_rows(sink, &c, &all, NULL, err);
}

const covey_query_form covey_query_form_counting = {
    .name = "counting",     /* as in manifest.json */
    .quasi_is_exact = true, /* quasi-identifiers are published as they are: they may be aggregated */
    .load = load,
    .answer = answer,
};
