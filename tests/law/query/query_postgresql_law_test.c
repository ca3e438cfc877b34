/* The SQL that `covey query --sql=postgresql` prints gives the engine's own bounds on a PostgreSQL server, which the
 * test starts for itself. */
#include "test.h"

#ifdef COVEY_HAS_POSTGRESQL

#include <libpq-fe.h>
#include <string.h>

#include "support/query/sql_law.h"

static char server[256];

static sql_rows run(void *handle, const char *sql)
{
    PGresult *result = PQexec(handle, sql);
    sql_rows rows = {0};

    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s\n%s", PQerrorMessage(handle), sql);
    rows.n_rows = PQntuples(result);
    rows.n_columns = PQnfields(result);
    assert_non_null(rows.cell = calloc((size_t)(rows.n_rows * rows.n_columns) + 1, sizeof *rows.cell));
    for (int i = 0; i < rows.n_rows * rows.n_columns; i++)
        if (!PQgetisnull(result, i / rows.n_columns, i % rows.n_columns))
            rows.cell[i] = strdup(PQgetvalue(result, i / rows.n_columns, i % rows.n_columns));
    PQclear(result);
    return rows;
}

static void check_releases(sql_law_form form, int n_releases, int least)
{
    sql_law_counts counts = {0};
    sql_database database = {.dialect = COVEY_DIALECT_POSTGRESQL, .run = run};
    uint64_t state = 4711;
    PGconn *connection;

    snprintf(database.target, sizeof database.target, "postgresql://covey:s3cret%%20pass@/covey?host=%s", server);
    connection = PQconnectdb(database.target);
    assert_int_equal(PQstatus(connection), CONNECTION_OK);
    database.handle = connection;
    for (int i = 0; i < n_releases; i++) {
        release_folder r;

        if (sql_law_release(&r, &state, form))
            sql_law_check(&counts, &r, &database, form, &state, 40);
        release_end(&r);
    }
    PQfinish(connection);
    print_message(
        "%d questions, %d of them rewritten, %d with groups, %d of hidden values, %d weighted, %d of persons\n",
        counts.asked, counts.rewritten, counts.grouped, counts.hidden, counts.weighted, counts.of_persons);
    assert_true(counts.rewritten > least);
    assert_true(form != SQL_LAW_SLICED || counts.of_persons > least / 20);
    assert_true(form == SQL_LAW_GENERALIZED || (counts.hidden > least / 20 && counts.weighted > least / 20));
    assert_true(form != SQL_LAW_PERTURBED || counts.rewritten == counts.asked); /* whatever covey query answers */
}

static void generalized_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_GENERALIZED, 12, 150);
}

static void bucketized_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_BUCKETIZED, 12, 150);
}

/* 0, or what the program should exit with. */
static int start_server(void)
{
    const char *root = getenv("COVEY_TEST_ROOT");
    char command[4096];
    FILE *pipe;
    int status;

    snprintf(command, sizeof command, "'%s/tools/postgresql' start %d", root ? root : ".", (int)getpid());
    if (!(pipe = popen(command, "r")))
        return 1;
    if (!fgets(server, sizeof server, pipe))
        server[0] = '\0';
    server[strcspn(server, "\n")] = '\0';
    status = pclose(pipe);
    return status == 0 ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : 1; /* 77: it has said why */
}

static void stop_server(void)
{
    const char *root = getenv("COVEY_TEST_ROOT");
    char command[4096];

    snprintf(command, sizeof command, "'%s/tools/postgresql' stop '%s'", root ? root : ".", server);
    if (system(command) != 0)
        fprintf(stderr, "the server in %s did not stop\n", server);
}

static void perturbed_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_PERTURBED, 12, 150);
}

static void sliced_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_SLICED, 12, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generalized_releases_answer_alike),
        cmocka_unit_test(bucketized_releases_answer_alike),
        cmocka_unit_test(perturbed_releases_answer_alike),
        cmocka_unit_test(sliced_releases_answer_alike),
    };
    const int unusual = start_server();
    int failed;

    if (unusual)
        return unusual;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    stop_server();
    return failed;
}

#else

int main(void)
{
    fputs("skipped: covey was built without PostgreSQL\n", stderr);
    return TEST_SKIPPED;
}

#endif
