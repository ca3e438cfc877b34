/* Drawing a workload, and asking releases. */
#include "compare/queries.h"

#include <covey/query.h>

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "utility/random_queries.h"

enum { ATTEMPTS = 40 };

/* --- drawing --- */

static const covey_field *first_sensitive(const covey_problem *problem)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE)
            return &problem->field[f];
    return NULL;
}

/* A column of missing values only has nothing that could be asked for. */
static bool can_be_asked(const covey_asked_column *column, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (column[i].column->n_values == 0)
            return false;
    return true;
}

static covey_asked_column as_asked(const covey_column *column)
{
    return (covey_asked_column){column->name, column->type, column};
}

/* Queries that some row fits, until there are enough. */
static covey_status draw(covey_compare_queries *out, covey_drawn_query *query, const covey_query_source *source,
                         size_t n, covey_arena *arena, const covey_run *run, covey_error *err)
{
    unsigned char key[32];

    COVEY_TRY(covey_i_query_key(key, run, err));
    for (size_t i = 0; i < n * ATTEMPTS && out->n < n; i++) {
        COVEY_TRY(covey_i_query_draw(query, source, key, (int64_t)i, err));
        if (!(query->truth > 0))
            continue;
        out->truth[out->n] = (int64_t)query->truth;
        if (!(out->sql[out->n++] = covey_arena_strdup(arena, query->sql.bytes)))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

covey_status covey_i_compare_queries_draw(covey_compare_queries *out, const covey_problem *problem, size_t n,
                                          covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_measure_options options = {.n_queries = (int64_t)n};
    const covey_field *sensitive = first_sensitive(problem);
    covey_asked_column *column = covey_arena_array(arena, covey_asked_column, problem->n_axes + 1);
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_drawn_query query = {.sql = COVEY_TEXT_INIT};
    covey_query_source source;
    covey_status status;

    *out = (covey_compare_queries){.sql = covey_arena_array(arena, const char *, n + 1),
                                   .truth = covey_arena_array(arena, int64_t, n + 1)};
    if (!column || !out->sql || !out->truth)
        return covey_i_no_memory(err);
    if (n == 0 || problem->n_rows == 0 || problem->n_axes == 0)
        return COVEY_OK;
    for (size_t a = 0; a < problem->n_axes; a++)
        column[a] = as_asked(problem->axis[a].column);
    if (sensitive)
        column[problem->n_axes] = as_asked(sensitive->column);
    if (!can_be_asked(column, problem->n_axes + (sensitive != NULL)))
        return COVEY_OK;
    status = covey_i_query_source_make(&source, column, problem->n_axes, sensitive != NULL, problem->n_rows, &options,
                                       &scratch, err);
    if (status == COVEY_OK && (status = covey_i_drawn_query_new(&query, &source, &scratch, err)) == COVEY_OK)
        status = draw(out, &query, &source, n, arena, run, err);
    covey_i_text_free(&query.sql);
    covey_arena_free(&scratch);
    return status;
}

/* --- asking --- */

static double median(double *value, size_t n)
{
    covey_i_query_sort_doubles(value, n);
    return covey_i_query_quantile(value, n, 0.5);
}

/* error and width: [workload->n] scratch. */
static covey_status ask(covey_compare_answers *out, const covey_compare_queries *workload,
                        const covey_query_release *release, double *error, double *width, const covey_run *run,
                        covey_error *err)
{
    size_t n_errors = 0, n_widths = 0;

    for (size_t i = 0; i < workload->n; i++) {
        const double truth = (double)workload->truth[i];
        const covey_query_answer *answer;
        covey_query_result *result;

        COVEY_TRY(covey_query_run(&result, release, workload->sql[i], run, err));
        answer = &result->group[0].answer[0];
        if (isfinite(answer->estimate))
            error[n_errors++] = fabs(answer->estimate - truth) / truth;
        if (answer->lower.exists && answer->upper.exists)
            width[n_widths++] = (answer->upper.value - answer->lower.value) / truth;
        covey_query_result_free(result);
    }
    out->n_estimated = n_errors;
    out->median_error = median(error, n_errors);
    out->median_width = median(width, n_widths);
    return COVEY_OK;
}

covey_status covey_i_compare_queries_ask(covey_compare_answers *out, const covey_compare_queries *workload,
                                         const char *folder, const covey_run *run, covey_error *err)
{
    double *scratch = covey_i_array(2 * workload->n + 1, sizeof *scratch);
    covey_query_release *release = NULL;
    covey_status status;

    *out = (covey_compare_answers){.median_error = NAN, .median_width = NAN};
    if (!scratch)
        return covey_i_no_memory(err);
    status = covey_query_open(&release, folder, run, err);
    if (status == COVEY_OK)
        status = ask(out, workload, release, scratch, scratch + workload->n, run, err);
    covey_query_close(release);
    covey_i_free(scratch);
    return status;
}
