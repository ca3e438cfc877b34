/* The same query inside the process, on the release exported to SQLite, and on PostgreSQL: census table, a generalized
 * and a bucketized release.
 *
 * usage: sql-bench FOLDER ROWS [SERVER]    FOLDER is for tables and releases and must exist; SERVER: postgresql://...,
 * left out: not measured */
#include <covey/covey.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef COVEY_HAS_SQLITE
#include <sqlite3.h>
#endif
#ifdef COVEY_HAS_POSTGRESQL
#include <libpq-fe.h>
#endif

#include "common.h"
#include "results.h"

enum { REPEATS = 7 };

static void publish(const char *input, const char *release, const char *model, const char *method)
{
    const covey_anonymize_options options = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_error err;

    if (covey_policy_new(&policy, &err) != COVEY_OK || covey_policy_set(policy, "input", input, &err) != COVEY_OK ||
        covey_policy_set(policy, "quasi", "age,gender,education", &err) != COVEY_OK ||
        covey_policy_set(policy, "sensitive", "salary", &err) != COVEY_OK ||
        covey_policy_set(policy, "others", "drop", &err) != COVEY_OK ||
        covey_policy_set(policy, "model", model, &err) != COVEY_OK ||
        covey_policy_set(policy, "method", method, &err) != COVEY_OK || covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, release, &options, NULL, &err) != COVEY_OK)
        bench_die(method, err.message);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}

/* The fastest of some runs, in seconds. */
static double inside(const covey_query_release *release, const char *query)
{
    double best = 1e9;

    for (int i = 0; i < REPEATS; i++) {
        covey_query_result *result = NULL;
        covey_error err;
        const double begin = bench_now();

        if (covey_query_run(&result, release, query, NULL, &err) != COVEY_OK)
            bench_die(query, err.message);
        best = bench_now() - begin < best ? bench_now() - begin : best;
        covey_query_result_free(result);
    }
    return best;
}

static void export(const char *release, const char *target)
{
    const covey_export_options options = {.force = true};
    const double begin = bench_now();
    covey_error err;

    if (covey_export(NULL, release, target, &options, NULL, &err) != COVEY_OK)
        bench_die(target, err.message);
    printf("  exported to %-10.*s %8.3f s\n", (int)strcspn(target, ":"), target, bench_now() - begin);
}

static double on_sqlite(const char *release, const char *folder, const char *sql)
{
#ifdef COVEY_HAS_SQLITE
    char target[4200], *path = target + strlen("sqlite:");
    double best = 1e9;
    sqlite3 *db;

    snprintf(target, sizeof target, "sqlite:%s/bench.db", folder);
    export(release, target);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        bench_die(path, sqlite3_errmsg(db));
    for (int i = 0; i < REPEATS; i++) {
        const double begin = bench_now();
        char *message = NULL;

        if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
            bench_die("SQLite", message);
        best = bench_now() - begin < best ? bench_now() - begin : best;
    }
    sqlite3_close(db);
    return best;
#else
    return -1;
#endif
}

static double on_postgresql(const char *release, const char *server, const char *sql)
{
#ifdef COVEY_HAS_POSTGRESQL
    double best = 1e9;
    PGconn *connection;

    if (!server)
        return -1;
    export(release, server);
    connection = PQconnectdb(server);
    for (int i = 0; i < REPEATS; i++) {
        const double begin = bench_now();
        PGresult *result = PQexec(connection, sql);

        if (PQresultStatus(result) != PGRES_TUPLES_OK)
            bench_die("PostgreSQL", PQerrorMessage(connection));
        best = bench_now() - begin < best ? bench_now() - begin : best;
        PQclear(result);
    }
    PQfinish(connection);
    return best;
#else
    return -1;
#endif
}

/* floor: the same question inside the process */
static void print_time(const char *release, const char *where, double seconds, double floor)
{
    if (seconds >= 0)
        bench_record("queries", release, where, seconds * 1000, "ms", floor * 1000);
    if (seconds < 0)
        printf("  %-22s    not measured\n", where);
    else
        printf("  %-22s %8.2f ms\n", where, seconds * 1000);
}

static void measure(const char *name, const char *release, const char *folder, const char *server)
{
    static const char query[] = "SELECT COUNT(*), SUM(salary), AVG(salary), MIN(salary), MAX(salary) WHERE age BETWEEN "
                                "20 AND 45 AND education <= 9";
    covey_query_release *opened = NULL;
    covey_error err;
    char *sqlite = NULL, *postgresql = NULL;

    if (covey_query_open(&opened, release, NULL, &err) != COVEY_OK ||
        covey_query_sql(&sqlite, opened, query, COVEY_DIALECT_SQLITE, &err) != COVEY_OK ||
        covey_query_sql(&postgresql, opened, query, COVEY_DIALECT_POSTGRESQL, &err) != COVEY_OK)
        bench_die(name, err.message);
    printf("%s\n", name);
    const double own = inside(opened, query), lite = on_sqlite(release, folder, sqlite),
                 served = on_postgresql(release, server, postgresql);

    print_time(name, "inside the process", own, own);
    print_time(name, "SQLite", lite, own);
    print_time(name, "PostgreSQL", served, own);
    covey_query_sql_free(sqlite);
    covey_query_sql_free(postgresql);
    covey_query_close(opened);
}

int main(int argc, char **argv)
{
    char input[4096], release[4096];
    covey_error err;

    if (argc < 3)
        bench_die("usage", "sql-bench FOLDER ROWS [SERVER]");
    snprintf(input, sizeof input, "%s/census.csv", argv[1]);
    snprintf(release, sizeof release, "%s/release", argv[1]);
    if (covey_generate("census", atoll(argv[2]), 1, input, true, NULL, &err) != COVEY_OK)
        bench_die(input, err.message);
    publish(input, release, "k-anonymity:k=10", "elastic");
    measure("generalized (elastic, k = 10)", release, argv[1], argc > 3 ? argv[3] : NULL);
    publish(input, release, "ke-anonymity:k=5,e=5", "ke-permutation:refine=true");
    measure("bucketized (ke-permutation, k = 5, e = 5, refined)", release, argv[1], argc > 3 ? argv[3] : NULL);
    return 0;
}
