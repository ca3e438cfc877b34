/* What bounds cost: AVG over a range of ages as covey_query_sql rewrites it over an exported release, against AVG over
 * the rows themselves, both in SQLite. Source: [Zhang07] section 6. */
#include "reproduce/ke/groups.h"

#include <covey/export.h>
#include <covey/query.h>

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"

enum { QUERIES = 50, SPAN = 20, RUNS = 3 };

static covey_status fail(sqlite3 *database, covey_error *err)
{
    return covey_fail(err, COVEY_EIO, "SQLite: %s", database ? sqlite3_errmsg(database) : "no memory");
}

/* Runs a statement to its end. */
static covey_status ask(sqlite3 *database, const char *sql, covey_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);

    while (code == SQLITE_OK || code == SQLITE_ROW)
        code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? COVEY_OK : fail(database, err);
}

/* Seconds of a statement: the least of some runs, since all else that a machine does only adds to it. */
static covey_status time_of(double *seconds, sqlite3 *database, const char *sql, covey_error *err)
{
    *seconds = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        const double begin = covey_i_seconds();

        COVEY_TRY(ask(database, sql, err));
        *seconds = fmin(*seconds, covey_i_seconds() - begin);
    }
    return COVEY_OK;
}

/* Seconds of a query of either kind. */
static covey_status measure(double *rewritten, double *plain, sqlite3 *database, const covey_query_release *release,
                            covey_error *err)
{
    *rewritten = *plain = 0;
    for (int i = 0; i < QUERIES; i++) {
        const int from = 17 + i % 40;
        char question[128], *sql;
        covey_status status;
        double seconds;

        snprintf(question, sizeof question, "SELECT AVG(\"capital-loss\") FROM original WHERE age BETWEEN %d AND %d",
                 from, from + SPAN);
        COVEY_TRY(time_of(&seconds, database, question, err));
        *plain += seconds / QUERIES;
        snprintf(question, sizeof question, "SELECT AVG(\"capital-loss\") WHERE age BETWEEN %d AND %d", from,
                 from + SPAN);
        COVEY_TRY(covey_query_sql(&sql, release, question, COVEY_DIALECT_SQLITE, err));
        status = time_of(&seconds, database, sql, err);
        *rewritten += seconds / QUERIES;
        covey_query_sql_free(sql);
        if (status != COVEY_OK)
            return status;
    }
    return COVEY_OK;
}

/* The rows themselves beside the exported release: who has which number does not matter to the time. */
static covey_status add_original(sqlite3 *database, covey_error *err)
{
    COVEY_TRY(ask(database,
                  "CREATE TABLE original AS WITH RECURSIVE each(\"group\", number, copy, n) AS (SELECT \"group\", "
                  "\"capital-loss\", 1, count FROM sensitive UNION ALL SELECT \"group\", number, copy + 1, n FROM each "
                  "WHERE copy < n), numbered AS (SELECT number, row_number() OVER (ORDER BY \"group\") AS place FROM "
                  "each), people AS (SELECT age, row_number() OVER (ORDER BY \"group\") AS place FROM quasi) "
                  "SELECT age, number AS \"capital-loss\" FROM people JOIN numbered USING (place)",
                  err));
    return ask(database, "ANALYZE", err);
}

static covey_status measure_release(double *rewritten, double *plain, const covey_experiment_context *context,
                                    covey_error *err)
{
    static const covey_export_options options = {.force = true};
    const char *folder = covey_i_experiment_release(context), *path = covey_i_experiment_scratch(context, "time.db");
    covey_query_release *release = NULL;
    sqlite3 *database = NULL;
    covey_text target = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&target, "sqlite:%s", path ? path : "");
    status = !folder || !path || target.broken ? covey_i_no_memory(err)
                                               : covey_export(NULL, folder, target.bytes, &options, NULL, err);
    covey_i_text_free(&target);
    if (status != COVEY_OK)
        return status;
    if ((status = covey_query_open(&release, folder, NULL, err)) == COVEY_OK &&
        (status = sqlite3_open(path, &database) == SQLITE_OK ? COVEY_OK : fail(database, err)) == COVEY_OK &&
        (status = add_original(database, err)) == COVEY_OK)
        status = measure(rewritten, plain, database, release, err);
    sqlite3_close(database);
    covey_query_close(release);
    remove(path);
    return status;
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const char *const name[] = {"with bounds", "over the rows themselves"};
    static const covey_setting settings[] = {
        {"model", "ke-anonymity:k=5,e=20"}, {"method", "ke-permutation"}, {NULL, NULL}};
    static const double rows[] = {1000, 3000, 10000, 30000, 100000};
    enum { POINTS = sizeof rows / sizeof *rows };
    double most = 0;

    COVEY_TRY(covey_i_curves_new(context->curves, name, 2, rows, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        double *y[2] = {&context->curves->y[0][p], &context->curves->y[1][p]};
        covey_anonymize_report report;
        char *policy;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(covey_i_ke_generated_policy(&policy, context, "0", "300", (int64_t)rows[p], err));
        COVEY_TRY(covey_i_experiment_anonymize(&report, context, policy, settings, err));
        covey_anonymize_report_clear(&report);
        COVEY_TRY(measure_release(y[0], y[1], context, err));
        most = *y[0] / *y[1] > most ? *y[0] / *y[1] : most;
        *y[0] *= 1e6;
        *y[1] *= 1e6;
    }
    context->holds = most < 10;
    snprintf(context->finding, 768, "in SQLite, bounds cost at most %.1f times the time of the plain query", most);
    return COVEY_OK;
}

const covey_experiment covey_experiment_ke_time = {
    .name = "ke-time",
    .figures = "Zhang07 query overhead",
    .title = "Time of a query with bounds",
    .source = "Zhang07, section 6",
    .statement = "The rewritten query takes a modest factor of the original one's time.",
    .x_title = "rows",
    .y_title = "microseconds a query",
    .x_log = true,
    .y_log = true,
    .run = run,
};
