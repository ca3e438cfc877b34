/* The SQLite extension answers what the library answers. */
#include "test.h"

#ifdef COVEY_HAS_SQLITE

#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include <covey/query.h>

#include "support/release/random_release.h"

static sqlite3 *db;
static release_folder release;

static void begin_release(void)
{
    release_begin(&release);
    release_put(&release, "table.csv",
                "class,age,pay\n1,\"[20, 29]\",10\n1,\"[20, 29]\",20\n1,\"[20, 29]\",-5\n2,30,7\n2,30,12\n");
    release_state(
        &release,
        "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'generalized',"
        " 'method': {'name': 'mondrian', 'parameters': {'publish-boxes': 'tight'}},"
        " 'rows': 5, 'published_rows': 5, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': 2, 'missing': [''],"
        " 'promises': [], 'columns': ["
        "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'range', 'weight': '1', 'domain': "
        "[20, 30]},"
        "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': false}],"
        " 'objective': null,"
        " 'utility': {'ail': 0.5, 'ncp': 0.5, 'discernibility': 13, 'average_class_size': 2.5, 'largest_risk': 0.5, "
        "'mean_risk': 0.4}}");
    release_write(&release);
}

static int begin(void **state)
{
    const char *build = getenv("COVEY_TEST_BUILD");
    char path[4096], *message = NULL;

    begin_release();
    snprintf(path, sizeof path, "%s/covey0", build ? build : "build");
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    if (sqlite3_load_extension(db, path, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    return 0;
}

static int end(void **state)
{
    sqlite3_close(db);
    release_end(&release);
    return 0;
}

/* The rows of a statement, cells with | between, rows with a line end; ? is the release's folder. */
static void expect(const char *sql, const char *rows)
{
    char got[4096] = "";
    size_t n = 0;
    sqlite3_stmt *statement = NULL;
    int code;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++)
        sqlite3_bind_text(statement, i, release.path, -1, SQLITE_STATIC);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        for (int c = 0; c < sqlite3_column_count(statement); c++) {
            const char *cell = (const char *)sqlite3_column_text(statement, c);

            n += (size_t)snprintf(got + n, sizeof got - n, "%s%s", cell ? cell : "NULL",
                                  c + 1 < sqlite3_column_count(statement) ? "|" : "\n");
        }
    if (code != SQLITE_DONE)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    assert_string_equal(got, rows);
}

static void refuse(const char *sql, const char *message)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

    if (code == SQLITE_OK) {
        for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++)
            sqlite3_bind_text(statement, i, release.path, -1, SQLITE_STATIC);
        code = sqlite3_step(statement);
    }
    assert_int_equal(code, SQLITE_ERROR);
    if (!strstr(sqlite3_errmsg(db), message))
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(statement);
}

static void bounds_come_as_columns(void **state)
{
    expect("SELECT * FROM covey(?, 'SUM(pay)', 'age >= 30')", "19|19|19.0|0.0|NULL|2|2|SUM(pay)|NULL\n");
    expect("SELECT lower, upper, estimate, hits_lower, hits_upper FROM covey(?, 'AVG(pay)')", "8.8|8.8|8.8|5|5\n");
    expect("SELECT lower, upper, typeof(lower) FROM covey(?, 'SUM(pay)', 'age BETWEEN 25 AND 35')", "14|49|integer\n");
    expect("SELECT lower, upper FROM covey(?, 'AVG(pay)', 'age = 25 AND age > 26')", "NULL|NULL\n");
    expect("SELECT lower FROM covey(?, 'COUNT(*)', '')", "5\n");
    expect("SELECT lower FROM covey(?, 'COUNT(*)', NULL)", "5\n");
}

static void several_aggregates_are_rows_and_so_are_groups(void **state)
{
    expect("SELECT aggregate, lower, upper FROM covey(?, 'COUNT(*), MIN(pay)', 'age > 20')",
           "COUNT(*)|2|5\nMIN(pay)|-5|7\n");
    expect("SELECT key, aggregate, lower, upper FROM covey(?, 'COUNT(*)', 'age > 27', 'age')",
           "{\"age\":28}|COUNT(*)|0|3\n{\"age\":29}|COUNT(*)|0|3\n{\"age\":30}|COUNT(*)|2|2\n");
}

static void it_joins_other_tables(void **state)
{
    expect("WITH limits(n) AS (VALUES (15), (25), (30)) SELECT n, lower, upper FROM limits, covey(?, 'COUNT(*)', 'age "
           "<= ' || n) ORDER BY n",
           "15|0|0\n25|0|3\n30|5|5\n");
    expect("WITH r(folder) AS (VALUES (?), (NULL)) SELECT lower FROM r, covey(folder, 'COUNT(*)')", "5\n");
    expect("SELECT a.lower - b.lower FROM covey(?, 'SUM(pay)') a, covey(?, 'SUM(pay)', 'age = 30') b", "25\n");
}

static void what_is_wrong_is_said(void **state)
{
    refuse("SELECT * FROM covey", "covey: the function takes a release");
    refuse("SELECT * FROM covey('release')", "covey: the function takes a release");
    refuse("SELECT * FROM covey('/nowhere', 'COUNT(*)')", "covey: /nowhere: there is no such folder");
    refuse("SELECT * FROM covey(?, 'SUM(pey)')", "did you mean \"pay\"");
    refuse("SELECT * FROM covey(?, 'COUNT(*)', 'age BETWEEN 3')", "covey: query");
    refuse("SELECT * FROM covey(?, 'AVG(pay)', 'pay > 3')", "COUNT only");
    expect("SELECT lower FROM covey(?, 'COUNT(*)')", "5\n"); /* and the next query works */
}

static void a_view_cannot_read_files(void **state)
{
    char sql[512];

    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    snprintf(sql, sizeof sql, "CREATE VIEW v AS SELECT lower FROM covey('%s', 'COUNT(*)')", release.path);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    refuse("SELECT * FROM v", "unsafe use of virtual table");
}

static void a_release_that_changed_is_read_again(void **state)
{
    expect("SELECT upper FROM covey(?, 'MAX(pay)')", "20\n");
    release_end(&release);
    begin_release();
    expect("SELECT upper FROM covey(?, 'MAX(pay)')", "20\n");
    release_put(&release, "table.csv",
                "class,age,pay\n1,\"[20, 29]\",10\n1,\"[20, 29]\",21\n1,\"[20, 29]\",-5\n2,30,7\n2,30,12\n");
    release_write(&release);
    expect("SELECT upper FROM covey(?, 'MAX(pay)')", "21\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_come_as_columns),   cmocka_unit_test(several_aggregates_are_rows_and_so_are_groups),
        cmocka_unit_test(it_joins_other_tables),    cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_view_cannot_read_files), cmocka_unit_test(a_release_that_changed_is_read_again),
    };

    return cmocka_run_group_tests(tests, begin, end);
}

#else

int main(void)
{
    fputs("skipped: covey was built without SQLite\n", stderr);
    return TEST_SKIPPED;
}

#endif
