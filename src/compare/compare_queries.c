/* See compare_queries.h. */
#include "compare/compare_queries.h"

#include <covey/query.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "base/text.h"
#include "table/table_impl.h"

enum { MOST_ATTRIBUTES = 3, MOST_LISTED = 256, ATTEMPTS = 40, USUAL_SEED = 1 };

static const double SELECTIVITY = 0.1;

/* Neighbouring values of a column. */
struct condition {
    const covey_column *column;
    uint32_t low, high; /* codes */
};

struct query {
    size_t n;
    struct condition condition[MOST_ATTRIBUTES + 1];
};

static void draw_condition(struct condition *out, const covey_column *column, double share, covey_rng *rng)
{
    const uint32_t first = column->has_null && column->n_values > 1, n = column->n_values - first;
    uint32_t length = (uint32_t)(share * n + 0.5);

    length = length < 1 ? 1 : length;
    if (!covey_column_is_number(column) && length > MOST_LISTED)
        length = MOST_LISTED;
    out->column = column;
    out->low = first + (uint32_t)covey_i_rng_below(rng, n - length + 1);
    out->high = out->low + length - 1;
}

static const covey_column *first_sensitive(const covey_problem *problem)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE)
            return problem->field[f].column;
    return NULL;
}

static void draw_query(struct query *query, const covey_problem *problem, size_t *order, covey_rng *rng)
{
    const covey_column *sensitive = first_sensitive(problem);
    const size_t n_quasi = problem->n_axes < MOST_ATTRIBUTES ? problem->n_axes : MOST_ATTRIBUTES;
    double share;

    query->n = 0;
    share = pow(SELECTIVITY, 1.0 / (double)(n_quasi + (sensitive != NULL)));
    for (size_t i = 0; i < n_quasi; i++) { /* the first steps of a shuffle */
        const size_t j = i + (size_t)covey_i_rng_below(rng, problem->n_axes - i), a = order[j];

        order[j] = order[i];
        order[i] = a;
        draw_condition(&query->condition[query->n++], problem->axis[a].column, share, rng);
    }
    if (sensitive)
        draw_condition(&query->condition[query->n++], sensitive, share, rng);
}

static int64_t count_rows(const struct query *query, uint32_t n_rows)
{
    int64_t n = 0;

    for (uint32_t row = 0; row < n_rows; row++) {
        bool fits = true;

        for (size_t c = 0; c < query->n && fits; c++) {
            const uint32_t code = covey_i_code(query->condition[c].column, row);

            fits = code >= query->condition[c].low && code <= query->condition[c].high;
        }
        n += fits;
    }
    return n;
}

static void add_quoted(covey_text *out, const char *text, char quote)
{
    covey_i_text_add_char(out, quote);
    for (; *text; text++) {
        if (*text == quote)
            covey_i_text_add_char(out, quote);
        covey_i_text_add_char(out, *text);
    }
    covey_i_text_add_char(out, quote);
}

static void add_value(covey_text *out, const covey_column *column, uint32_t code)
{
    char number[64];

    if (!covey_column_is_number(column)) {
        add_quoted(out, covey_column_label(column, code), '\'');
        return;
    }
    covey_i_format_number(number, sizeof number, column->type, column->number[code], column->scale);
    if (column->type == COVEY_TYPE_DATE)
        add_quoted(out, number, '\'');
    else
        covey_i_text_add_string(out, number);
}

static void add_condition(covey_text *out, const struct condition *c)
{
    add_quoted(out, c->column->name, '"');
    if (covey_column_is_number(c->column)) {
        covey_i_text_add_string(out, " BETWEEN ");
        add_value(out, c->column, c->low);
        covey_i_text_add_string(out, " AND ");
        add_value(out, c->column, c->high);
        return;
    }
    covey_i_text_add_string(out, " IN (");
    for (uint32_t code = c->low; code <= c->high; code++) {
        if (code > c->low)
            covey_i_text_add_string(out, ", ");
        add_value(out, c->column, code);
    }
    covey_i_text_add_char(out, ')');
}

static const char *query_text(const struct query *query, covey_arena *arena)
{
    covey_text text = COVEY_TEXT_INIT;
    const char *copy;

    covey_i_text_add_string(&text, "SELECT COUNT(*) WHERE ");
    for (size_t c = 0; c < query->n; c++) {
        if (c > 0)
            covey_i_text_add_string(&text, " AND ");
        add_condition(&text, &query->condition[c]);
    }
    copy = text.broken ? NULL : covey_arena_strdup(arena, text.bytes);
    covey_i_text_free(&text);
    return copy;
}

/* A column of missing values only has nothing that could be asked for. */
static bool can_be_asked(const covey_problem *problem)
{
    bool any = problem->n_rows > 0;

    for (size_t f = 0; f < problem->n_fields; f++)
        any &= problem->field[f].column->n_values > 0;
    return any;
}

covey_status covey_i_compare_queries_draw(covey_compare_queries *out, const covey_problem *problem, size_t n, covey_arena *arena, const covey_run *run,
                                   covey_error *err)
{
    const covey_run seeded = {.has_seed = true, .seed = run && run->has_seed ? run->seed : USUAL_SEED};
    size_t *order = covey_arena_array(arena, size_t, problem->n_axes + 1);
    unsigned char key[32];
    covey_rng rng;

    *out = (covey_compare_queries){.sql = covey_arena_array(arena, const char *, n + 1), .truth = covey_arena_array(arena, int64_t, n + 1)};
    if (!order || !out->sql || !out->truth)
        return covey_fail(err, COVEY_ENOMEM, "queries");
    for (size_t a = 0; a < problem->n_axes; a++)
        order[a] = a;
    COVEY_TRY(covey_i_rng_key(key, &seeded, err));
    covey_i_rng_init(&rng, key, 0);
    for (size_t i = 0; can_be_asked(problem) && i < n * ATTEMPTS && out->n < n; i++) {
        struct query query;
        int64_t truth;

        draw_query(&query, problem, order, &rng);
        if ((truth = count_rows(&query, problem->n_rows)) == 0)
            continue;
        out->truth[out->n] = truth;
        if (!(out->sql[out->n++] = query_text(&query, arena)))
            return covey_fail(err, COVEY_ENOMEM, "queries");
    }
    return COVEY_OK;
}

/* --- asking --- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *value, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(value, n, sizeof *value, compare_doubles);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* error and width: [workload->n] scratch. */
static covey_status ask(covey_compare_answers *out, const covey_compare_queries *workload, const covey_query_release *release, double *error,
                        double *width, const covey_run *run, covey_error *err)
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

covey_status covey_i_compare_queries_ask(covey_compare_answers *out, const covey_compare_queries *workload, const char *folder, const covey_run *run,
                                  covey_error *err)
{
    double *scratch = covey_i_array(2 * workload->n + 1, sizeof *scratch);
    covey_query_release *release = NULL;
    covey_status status;

    *out = (covey_compare_answers){.median_error = NAN, .median_width = NAN};
    if (!scratch)
        return covey_fail(err, COVEY_ENOMEM, "queries");
    status = covey_query_open(&release, folder, run, err);
    if (status == COVEY_OK)
        status = ask(out, workload, release, scratch, scratch + workload->n, run, err);
    covey_query_close(release);
    covey_i_free(scratch);
    return status;
}
