/* Asks a release random queries and compares with the truth. */
#include "utility/random_queries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sort/compare.h"
#include "base/threads.h"
#include "query/run.h"
#include <covey/query.h>

enum { QUERIES_PER_TASK = 4 };
static const int64_t MOST_QUERIES = 100000000;

/* What one query came to. */
struct answered {
    double truth, error, width, baseline; /* relative; NaN */
    bool has_bounds, is_within, has_interval, is_in_interval;
};

struct asking {
    const covey_query_source *source;
    const covey_query_release *release;
    covey_query_options query;
    const covey_run *run;
    unsigned char key[32];
    int64_t n;
    struct answered *answered; /* [n] */
    covey_run_poll poll;       /* queries */
};

/* --- one query --- */

static void compare(struct answered *out, const covey_drawn_query *query, const covey_query_answer *answer)
{
    const double truth = query->truth, slack = 1e-9 * fmax(1, fabs(truth)), size = fabs(truth);

    *out = (struct answered){.truth = truth, .error = NAN, .width = NAN, .baseline = NAN};
    out->has_bounds = answer->lower.exists && answer->upper.exists && !isnan(truth);
    out->is_within = out->has_bounds && answer->lower.value <= truth + slack && answer->upper.value >= truth - slack;
    out->has_interval = answer->interval.exists && !isnan(truth);
    out->is_in_interval = out->has_interval && answer->interval.low <= truth && truth <= answer->interval.high;
    if (!(size > 0))
        return;
    out->error = fabs(answer->estimate - truth) / size;
    out->baseline = fabs(query->baseline - truth) / size;
    if (out->has_bounds)
        out->width = (answer->upper.value - answer->lower.value) / size;
}

static covey_status ask_one(struct asking *a, covey_drawn_query *q, int64_t index, covey_arena *arena, covey_error *err)
{
    const covey_run run = {.n_threads = 1};
    covey_query_result *result = NULL;

    COVEY_TRY(covey_i_query_draw(q, a->source, a->key, index, err));
    COVEY_TRY(covey_i_query_run_in(&result, a->release, q->sql.bytes, &a->query, &run, arena, err));
    compare(&a->answered[index], q, &result->group[0].answer[0]);
    covey_query_result_free(result);
    return COVEY_OK;
}

static covey_status ask_some(void *context, size_t task, covey_error *err)
{
    struct asking *a = context;
    const int64_t begin = (int64_t)task * QUERIES_PER_TASK,
                  end = a->n - begin < QUERIES_PER_TASK ? a->n : begin + QUERIES_PER_TASK;
    covey_arena arena = COVEY_ARENA_INIT, scratch = {.keeps = true};
    covey_drawn_query q = {.sql = COVEY_TEXT_INIT};
    covey_status status = covey_i_drawn_query_new(&q, a->source, &arena, err);

    for (int64_t i = begin; i < end && status == COVEY_OK; i++)
        if ((status = covey_i_run_poll_add(&a->poll, 0, err)) == COVEY_OK)
            status = ask_one(a, &q, i, &scratch, err);
    covey_i_text_free(&q.sql);
    covey_arena_free(&scratch);
    covey_arena_free(&arena);
    return status;
}

/* --- all of them --- */

void covey_i_query_sort_doubles(double *value, size_t n)
{
    if (n > 0)
        qsort(value, n, sizeof *value, covey_i_compare_double);
}

double covey_i_query_quantile(const double *sorted, size_t n, double share)
{
    const double place = share * (double)(n - 1);
    const size_t below = n > 0 ? (size_t)place : 0;

    if (n == 0)
        return NAN;
    return below + 1 < n ? sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below])
                         : sorted[below];
}

/* Median and mean of the n values; NaN without any. */
static void summarize(double *median, double *mean, double *value, size_t n)
{
    double sum = 0;

    *median = *mean = NAN;
    if (n == 0)
        return;
    covey_i_query_sort_doubles(value, n);
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    *median = value[(n - 1) / 2] / 2 + value[n / 2] / 2;
    *mean = sum / (double)n;
}

static size_t collect(double *out, const struct asking *a, size_t offset)
{
    size_t n = 0;

    for (int64_t i = 0; i < a->n; i++) {
        double value = *(const double *)((const char *)&a->answered[i] + offset);

        if (!isnan(value))
            out[n++] = value;
    }
    return n;
}

static double share(int64_t n, int64_t of)
{
    return of > 0 ? (double)n / (double)of : NAN;
}

static void fill(covey_measured_workload *out, const struct asking *a, double *value)
{
    int64_t n_bounds = 0, n_within = 0, n_intervals = 0, n_covered = 0;
    double unused;

    for (int64_t i = 0; i < a->n; i++) {
        const struct answered *one = &a->answered[i];

        out->n_counted += fabs(one->truth) > 0;
        n_bounds += one->has_bounds;
        n_within += one->is_within;
        n_intervals += one->has_interval;
        n_covered += one->is_in_interval;
    }
    out->within_bounds = share(n_within, n_bounds);
    out->within_interval = share(n_covered, n_intervals);
    summarize(&out->median_relative_error, &out->mean_relative_error, value,
              collect(value, a, offsetof(struct answered, error)));
    summarize(&out->median_relative_width, &out->mean_relative_width, value,
              collect(value, a, offsetof(struct answered, width)));
    summarize(&out->baseline_median_error, &unused, value, collect(value, a, offsetof(struct answered, baseline)));
}

/* Answers all queries of a->source. */
static covey_status ask_all(struct asking *a, covey_arena *arena, covey_error *err)
{
    if (!(a->answered = covey_arena_array_zero(arena, struct answered, (size_t)a->n)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_query_key(a->key, a->run, err));
    covey_i_run_poll_begin(&a->poll, a->run, "ask queries", 0);
    return covey_i_parallel(covey_run_threads(a->run), ((size_t)a->n + QUERIES_PER_TASK - 1) / QUERIES_PER_TASK,
                            ask_some, a, err);
}

static covey_status run_workload(covey_measured_workload *out, struct asking *a, const char *folder, covey_arena *arena,
                                 covey_error *err)
{
    covey_query_release *release = NULL;
    double *value = covey_arena_array(arena, double, (size_t)a->n);
    covey_status status;

    if (!value)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_query_open(&release, folder, a->run, err));
    a->release = release;
    status = ask_all(a, arena, err);
    covey_query_close(release);
    if (status == COVEY_OK)
        fill(out, a, value);
    return status;
}

static covey_status make_source(covey_query_source *out, const covey_opened *opened, const covey_original *original,
                                const covey_measure_options *options, covey_arena *arena, covey_error *err)
{
    const covey_asked_column *column;
    size_t n_quasi;

    COVEY_TRY(covey_i_query_columns(&column, &n_quasi, opened, original, arena, err));
    return covey_i_query_source_make(out, column, n_quasi, true, original->n_rows, options, arena, err);
}

covey_status covey_i_query_workload_run(covey_measured_workload *out, const char *folder, const covey_opened *opened,
                                        const covey_original *original, const covey_measure_options *options,
                                        const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_query_source source;
    struct asking a = {.source = &source, .query = {.shrink = options->shrink}, .run = run, .n = options->n_queries};
    covey_status status;

    if (a.n < 0 || a.n > MOST_QUERIES)
        return covey_fail(err, COVEY_EINVAL, "a workload has between 1 and 100000000 queries");
    *out = (covey_measured_workload){.n_queries = a.n, .kind = options->kind};
    if ((status = make_source(&source, opened, original, options, &arena, err)) == COVEY_OK) {
        out->n_attributes = source.n_attributes;
        out->selectivity = source.selectivity;
        status = run_workload(out, &a, folder, &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}

/* --- by selectivity --- */

static void find_quantiles(double out[COVEY_SPREAD_QUANTILES], const struct asking *a, size_t offset, double *value)
{
    static const double share[COVEY_SPREAD_QUANTILES] = {0.1, 0.25, 0.5, 0.75, 0.9};
    const size_t n = collect(value, a, offset);

    covey_i_query_sort_doubles(value, n);
    for (size_t i = 0; i < COVEY_SPREAD_QUANTILES; i++)
        out[i] = covey_i_query_quantile(value, n, share[i]);
}

static covey_status spread_out(covey_workload_spread *out, struct asking *a, covey_query_source *source,
                               double selectivity, double *value, covey_arena *arena, covey_error *err)
{
    *out = (covey_workload_spread){.selectivity = selectivity};
    source->selectivity = selectivity;
    COVEY_TRY(ask_all(a, arena, err));
    for (int64_t i = 0; i < a->n; i++)
        out->n_counted += a->answered[i].truth > 0;
    find_quantiles(out->error, a, offsetof(struct answered, error), value);
    find_quantiles(out->width, a, offsetof(struct answered, width), value);
    return COVEY_OK;
}

covey_status covey_i_query_workload_spread(covey_workload_spread *out, const double *selectivity, size_t n,
                                           const char *folder, const covey_opened *opened,
                                           const covey_original *original, int64_t n_queries, const covey_run *run,
                                           covey_error *err)
{
    const covey_measure_options options = {.n_queries = n_queries};
    covey_query_source source;
    struct asking a = {.source = &source, .run = run, .n = n_queries};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_query_release *release = NULL;
    double *value = covey_arena_array(&arena, double, (size_t)n_queries);
    covey_status status =
        value ? make_source(&source, opened, original, &options, &arena, err) : covey_i_no_memory(err);

    if (status == COVEY_OK && (status = covey_query_open(&release, folder, run, err)) == COVEY_OK) {
        a.release = release;
        for (size_t i = 0; i < n && status == COVEY_OK; i++)
            status = spread_out(&out[i], &a, &source, selectivity[i], value, &arena, err);
        covey_query_close(release);
    }
    covey_arena_free(&arena);
    return status;
}
