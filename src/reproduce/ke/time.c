/* What bounds cost: AVG over a range of ages as covey_query_sql rewrites it over an exported release, against AVG over
 * the rows themselves, in SQLite and, where a server is named, in PostgreSQL. Source: [Zhang07] section 6. */
#include "reproduce/ke/groups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "reproduce/database.h"

enum { QUERIES = 50, SPAN = 20, RUNS = 3 };
enum { WITH_BOUNDS, PLAIN, KINDS }; /* of queries; and the same for each dialect, one behind the other */
enum { REASONABLE = 10 };           /* times the plain query: the paper says "quite reasonable", with no number */

/* Seconds of a statement: the least of some runs, since all else that a machine does only adds to it. */
static covey_status time_of(double *seconds, covey_experiment_database *database, const char *sql, covey_error *err)
{
    *seconds = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        const double begin = covey_i_seconds();

        COVEY_TRY(covey_i_experiment_database_ask(database, sql, err));
        *seconds = fmin(*seconds, covey_i_seconds() - begin);
    }
    return COVEY_OK;
}

/* Seconds of a query of either kind. */
static covey_status measure(double *seconds, covey_experiment_database *database, const covey_query_release *release,
                            covey_sql_dialect dialect, covey_error *err)
{
    memset(seconds, 0, KINDS * sizeof *seconds);
    for (int i = 0; i < QUERIES; i++) {
        const int from = 17 + i % 40;
        char question[128], *sql;
        covey_status status;
        double now;

        snprintf(question, sizeof question, "SELECT AVG(\"capital-loss\") FROM original WHERE age BETWEEN %d AND %d",
                 from, from + SPAN);
        COVEY_TRY(time_of(&now, database, question, err));
        seconds[PLAIN] += now / QUERIES;
        snprintf(question, sizeof question, "SELECT AVG(\"capital-loss\") WHERE age BETWEEN %d AND %d", from,
                 from + SPAN);
        COVEY_TRY(covey_query_sql(&sql, release, question, dialect, err));
        status = time_of(&now, database, sql, err);
        seconds[WITH_BOUNDS] += now / QUERIES;
        covey_query_sql_free(sql);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}

/* The rows themselves beside the exported release: who has which number does not matter to the time. */
static covey_status add_original(covey_experiment_database *database, covey_error *err)
{
    COVEY_TRY(covey_i_experiment_database_ask(
        database,
        "CREATE TABLE original AS WITH RECURSIVE each(\"group\", number, copy, n) AS (SELECT \"group\", "
        "\"capital-loss\", 1, count FROM sensitive UNION ALL SELECT \"group\", number, copy + 1, n FROM each "
        "WHERE copy < n), numbered AS (SELECT number, row_number() OVER (ORDER BY \"group\") AS place FROM "
        "each), people AS (SELECT age, row_number() OVER (ORDER BY \"group\") AS place FROM quasi) "
        "SELECT age, number AS \"capital-loss\" FROM people JOIN numbered USING (place)",
        err));
    return covey_i_experiment_database_ask(database, "ANALYZE", err);
}

static covey_status measure_in(double *seconds, const covey_experiment_context *context, covey_sql_dialect dialect,
                               covey_error *err)
{
    const char *folder = covey_i_experiment_release(context);
    covey_experiment_database *database = NULL;
    covey_query_release *release = NULL;
    covey_status status = folder ? covey_query_open(&release, folder, NULL, err) : covey_i_no_memory(err);

    if (status == COVEY_OK &&
        (status = covey_i_experiment_database_open(&database, context, dialect, err)) == COVEY_OK &&
        (status = add_original(database, err)) == COVEY_OK)
        status = measure(seconds, database, release, dialect, err);
    covey_i_experiment_database_close(database);
    covey_query_close(release);
    return status;
}

/* The least and the greatest quotient over the numbers of rows. */
static void find_range(double *range, const covey_curves *c, size_t database)
{
    range[0] = INFINITY;
    range[1] = 0;
    for (size_t p = 0; p < c->n_points; p++) {
        const double times = c->y[database * KINDS + WITH_BOUNDS][p] / c->y[database * KINDS + PLAIN][p];

        range[0] = fmin(range[0], times);
        range[1] = fmax(range[1], times);
    }
}

static void judge(covey_experiment_context *context)
{
    const covey_curves *c = context->curves;
    double here[2], there[2];
    int at;

    find_range(here, c, 0);
    context->holds = here[1] < REASONABLE;
    at = snprintf(context->finding, 768, "bounds cost %.1f to %.1f times the time of the plain query in SQLite",
                  here[0], here[1]);
    if (!context->options->server) {
        snprintf(context->finding + at, 768 - (size_t)at, "; not measured in PostgreSQL: --server names no server");
        return;
    }
    find_range(there, c, 1);
    context->holds = context->holds && there[1] < REASONABLE;
    snprintf(context->finding + at, 768 - (size_t)at, ", %.1f to %.1f times in PostgreSQL", there[0], there[1]);
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const char *const name[] = {"SQLite, with bounds", "SQLite, over the rows themselves",
                                       "PostgreSQL, with bounds", "PostgreSQL, over the rows themselves"};
    static const covey_setting settings[] = {
        {"model", "ke-anonymity:k=5,e=20"}, {"method", "ke-permutation"}, {NULL, NULL}};
    static const double share[] = {0.01, 0.03, 0.1, 0.3, 1};
    enum { POINTS = sizeof share / sizeof *share };
    const double most = context->options->rows ? (double)context->options->rows : 100000;
    const size_t n_databases = context->options->server ? 2 : 1;
    covey_curves *c = context->curves;
    double rows[POINTS];

    for (size_t p = 0; p < POINTS; p++)
        rows[p] = fmax(round(most * share[p]), 1);
    COVEY_TRY(covey_i_curves_new(c, name, n_databases * KINDS, rows, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        covey_anonymize_report report;
        char *policy;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(covey_i_ke_generated_policy(&policy, context, "0", "300", (int64_t)rows[p], err));
        COVEY_TRY(covey_i_experiment_anonymize(&report, context, policy, settings, err));
        covey_anonymize_report_clear(&report);
        for (size_t d = 0; d < n_databases; d++) {
            double seconds[KINDS];

            COVEY_TRY(measure_in(seconds, context, d ? COVEY_DIALECT_POSTGRESQL : COVEY_DIALECT_SQLITE, err));
            for (size_t k = 0; k < KINDS; k++)
                c->y[d * KINDS + k][p] = seconds[k] * 1e6;
        }
    }
    judge(context);
    return COVEY_OK;
}

const covey_experiment covey_experiment_ke_time = {
    .name = "ke-time",
    .figures = "Zhang07 query overhead",
    .title = "Time of a query with bounds",
    .source = "Zhang07, section 6",
    .statement =
        "The time of a rewritten query is quite reasonable beside that of the original one (here: less than ten "
        "times as long).",
    .x_title = "rows",
    .y_title = "microseconds a query",
    .x_log = true,
    .y_log = true,
    .asks_server = true,
    .run = run,
};
