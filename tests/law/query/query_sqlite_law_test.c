/* The SQL that `covey query --sql` prints gives the engine's own bounds on an exported SQLite database. */
#include "test.h"

#ifdef COVEY_HAS_SQLITE

#include <sqlite3.h>
#include <string.h>

#include "support/csvs.h"
#include "support/query/sql_law.h"

static sql_rows run(void *handle, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    sql_rows rows = {0};
    int code;

    if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s\n%s", sqlite3_errmsg(handle), sql);
    rows.n_columns = sqlite3_column_count(statement);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        assert_non_null(rows.cell =
                            realloc(rows.cell, (size_t)((rows.n_rows + 1) * rows.n_columns) * sizeof *rows.cell));
        for (int c = 0; c < rows.n_columns; c++) {
            const char *text = (const char *)sqlite3_column_text(statement, c);
            char buffer[64];

            if (text && sqlite3_column_type(statement, c) == SQLITE_FLOAT) {
                snprintf(buffer, sizeof buffer, "%.17g", sqlite3_column_double(statement, c));
                text = buffer;
            }
            rows.cell[rows.n_rows * rows.n_columns + c] = text ? strdup(text) : NULL;
        }
        rows.n_rows++;
    }
    if (code != SQLITE_DONE)
        fail_msg("%s\n%s", sqlite3_errmsg(handle), sql);
    sqlite3_finalize(statement);
    return rows;
}

static void reopen(sql_database *database)
{
    sqlite3 *db = NULL;

    sqlite3_close(database->handle);
    assert_int_equal(sqlite3_open_v2(csv_path("r.db"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    database->handle = db;
}

static void check_releases(sql_law_form form, int n_releases, int least)
{
    sql_law_counts counts = {0};
    sql_database database = {.dialect = COVEY_DIALECT_SQLITE, .reopen = reopen, .run = run};
    uint64_t state = 20261121;

    csv_folder();
    snprintf(database.target, sizeof database.target, "sqlite:%s", csv_path("r.db"));
    for (int i = 0; i < n_releases; i++) {
        release_folder r;

        if (sql_law_release(&r, &state, form))
            sql_law_check(&counts, &r, &database, form, &state, 40);
        release_end(&r);
    }
    sqlite3_close(database.handle);
    csv_folder_remove();
    print_message("%d questions, %d of them rewritten, %d with groups, %d of hidden values, %d weighted, %d of "
                  "persons, %d too large\n",
                  counts.asked, counts.rewritten, counts.grouped, counts.hidden, counts.weighted, counts.of_persons,
                  counts.beyond);
    assert_true(counts.rewritten > least);
    assert_true(form != SQL_LAW_SLICED || counts.of_persons > least / 20);
    assert_true(form == SQL_LAW_GENERALIZED || (counts.hidden > least / 20 && counts.weighted > least / 20));
    assert_true(form != SQL_LAW_PERTURBED ||
                counts.rewritten + counts.beyond == counts.asked); /* whatever is answered */
    assert_true(counts.beyond <= counts.asked / 20);
}

static void generalized_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_GENERALIZED, 25, 500);
}

static void bucketized_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_BUCKETIZED, 25, 500);
}

static void perturbed_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_PERTURBED, 25, 500);
}

/* What links columns otherwise than by AND or OR of parts is not rewritten. */
static void sliced_releases_answer_alike(void **state)
{
    check_releases(SQL_LAW_SLICED, 40, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generalized_releases_answer_alike),
        cmocka_unit_test(bucketized_releases_answer_alike),
        cmocka_unit_test(perturbed_releases_answer_alike),
        cmocka_unit_test(sliced_releases_answer_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    fputs("skipped: covey was built without SQLite\n", stderr);
    return TEST_SKIPPED;
}

#endif
