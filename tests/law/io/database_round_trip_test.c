/* A table reads the same from a CSV file and from an SQLite database that holds its cells. */
#include "test.h"

#ifdef COVEY_HAS_SQLITE

#include <sqlite3.h>
#include <string.h>

#include "support/csvs.h"
#include "support/failing.h"
#include "base/rng.h"
#include "base/text.h"

static void sql(sqlite3 *db, const char *statement)
{
    char *message = NULL;

    if (sqlite3_exec(db, statement, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", statement, message);
}

static const char *cell_of(char buffer[64], covey_rng *rng)
{
    static const char *const texts[] = {"",         "a",      "Ulm",  "a longer text than a word",
                                        "x,y",      "\"",     "null", "two\nlines",
                                        "\xc3\xa9", " pad\t", "0",    "-5"};
    const uint64_t choice = covey_i_rng_below(rng, 20);

    if (choice < sizeof texts / sizeof *texts)
        return texts[choice];
    snprintf(buffer, 64, "%llu", (unsigned long long)covey_i_rng_below(rng, 300));
    return buffer;
}

/* As the CSV writer would write it; a missing cell is ?. */
static void add_cell(covey_text *csv, const char *cell)
{
    covey_i_text_add_char(csv, '"');
    for (; cell && *cell; cell++) {
        covey_i_text_add_string(csv, *cell == '"' ? "\"" : "");
        covey_i_text_add_char(csv, *cell);
    }
    covey_i_text_add_string(csv, cell ? "\"" : "?\"");
}

static void fill(covey_text *csv, sqlite3 *db, int n_rows, covey_rng *rng)
{
    sqlite3_stmt *insert = NULL;

    sql(db, "BEGIN; DROP TABLE IF EXISTS t; CREATE TABLE t(a TEXT, \"b \"\"b\" TEXT, c)");
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?, ?, ?)", -1, &insert, NULL), SQLITE_OK);
    covey_i_text_add_string(csv, "a,\"b \"\"b\",c\n");
    for (int row = 0; row < n_rows; row++) {
        for (int c = 0; c < 3; c++) {
            char buffer[64];
            const char *cell = covey_i_rng_below(rng, 6) == 0 ? NULL : cell_of(buffer, rng);

            sqlite3_bind_text(insert, c + 1, cell, -1, SQLITE_TRANSIENT);
            covey_i_text_add_string(csv, c ? "," : "");
            add_cell(csv, cell);
        }
        covey_i_text_add_string(csv, "\n");
        assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    sql(db, "COMMIT");
}

static void a_table_of_sqlite_is_that_of_its_csv_file(void **state)
{
    static const char *const with_null[] = {"?", "null"};
    const covey_csv_options options = {.null = with_null, .n_null = 2};
    char source[200];
    sqlite3 *db;

    csv_folder();
    assert_int_equal(sqlite3_open(csv_path("t.db"), &db), SQLITE_OK);
    sql(db, "PRAGMA synchronous = OFF; CREATE VIEW v AS SELECT * FROM t");
    snprintf(source, sizeof source, "sqlite:%s?table=", csv_path("t.db"));
    for (uint64_t seed = 1; seed <= 30; seed++) {
        covey_table *expected = NULL, *got = NULL, *of_view = NULL;
        covey_text csv = COVEY_TEXT_INIT;
        char table[260];
        covey_rng rng;
        covey_error err;

        unsigned char key[32];

        assert_int_equal(covey_i_rng_key(key, &(covey_run){.has_seed = true, .seed = seed}, &err), COVEY_OK);
        covey_i_rng_init(&rng, key, 0);
        fill(&csv, db, (int)covey_i_rng_below(&rng, seed == 30 ? 70000 : 60), &rng);
        if (csv_read_text(&expected, csv.bytes, &options, 0, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        snprintf(table, sizeof table, "%st", source);
        if (covey_table_read(&got, table, &options, NULL, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        assert_true(csv_tables_agree(expected, got));
        snprintf(table, sizeof table, "%sV", source);
        assert_int_equal(covey_table_read(&of_view, table, &options, NULL, &err), COVEY_OK);
        assert_true(csv_tables_agree(got, of_view));
        covey_table_free(expected);
        covey_table_free(got);
        covey_table_free(of_view);
        covey_i_text_free(&csv);
    }
    sqlite3_close(db);
    csv_folder_remove();
}

static void numbers_are_read_in_full(void **state)
{
    char source[200];
    covey_table *table = NULL;
    covey_error err;
    sqlite3 *db;

    csv_folder();
    assert_int_equal(sqlite3_open(csv_path("t.db"), &db), SQLITE_OK);
    sql(db, "CREATE TABLE t(r REAL, i); INSERT INTO t VALUES (0.1, -9223372036854775808), (0.1 + 0.2, "
            "9223372036854775807), (2, 5), (1e300, 7)");
    snprintf(source, sizeof source, "sqlite:%s?table=t", csv_path("t.db"));
    assert_int_equal(covey_table_read(&table, source, NULL, NULL, &err), COVEY_OK);
    assert_string_equal(csv_cell(table, 0, 0), "0.1");
    assert_string_equal(csv_cell(table, 0, 1), "0.30000000000000004");
    assert_string_equal(csv_cell(table, 0, 2), "2.0");
    assert_string_equal(csv_cell(table, 0, 3), "1.0e+300");
    assert_string_equal(csv_cell(table, 1, 0), "-9223372036854775808");
    assert_string_equal(csv_cell(table, 1, 1), "9223372036854775807");
    assert_int_equal(covey_column_line(covey_table_column(table, 0), 1), 2);
    covey_table_free(table);
    sqlite3_close(db);
    csv_folder_remove();
}

static bool only_b(void *context, const char *name)
{
    ++*(int *)context;
    return strcmp(name, "b") == 0;
}

static bool none(void *context, const char *name)
{
    return false;
}

static void columns_that_are_not_kept_are_not_read(void **state)
{
    int asked = 0;
    covey_csv_options options = {.keep = only_b, .context = &asked};
    char source[200];
    covey_table *table = NULL;
    covey_error err;
    sqlite3 *db;

    csv_folder();
    assert_int_equal(sqlite3_open(csv_path("t.db"), &db), SQLITE_OK);
    sql(db, "CREATE TABLE t(a, b); INSERT INTO t VALUES (x'00', 1), (x'01', 2)");
    snprintf(source, sizeof source, "sqlite:%s?table=t", csv_path("t.db"));
    assert_int_equal(covey_table_read(&table, source, &options, NULL, &err), COVEY_OK);
    assert_int_equal(asked, 2);
    assert_int_equal(covey_table_n_columns(table), 1);
    assert_string_equal(csv_cell(table, 0, 1), "2");
    covey_table_free(table);
    table = NULL;
    options.keep = none;
    assert_int_equal(covey_table_read(&table, source, &options, NULL, &err), COVEY_OK);
    assert_int_equal(covey_table_n_columns(table), 0);
    assert_int_equal(covey_table_n_rows(table), 2);
    covey_table_free(table);
    options = (covey_csv_options){.delimiter = ';'};
    assert_int_equal(covey_table_read(&table, source, &options, NULL, &err), COVEY_EINVAL);
    sqlite3_close(db);
    csv_folder_remove();
}

static void every_failing_allocation_is_reported(void **state)
{
    const covey_run run = {.n_threads = 1};
    failing f = {.least = 20};
    char source[200];
    sqlite3 *db;

    csv_folder();
    assert_int_equal(sqlite3_open(csv_path("t.db"), &db), SQLITE_OK);
    sql(db, "CREATE TABLE t(a, b); INSERT INTO t VALUES ('a longer text than a word', 1), (NULL, 2)");
    snprintf(source, sizeof source, "sqlite:%s?table=t", csv_path("t.db"));
    while (failing_next(&f)) {
        covey_table *table = NULL;

        failing_ends(&f, covey_table_read(&table, source, NULL, &run, &f.err));
        covey_table_free(table);
    }
    sqlite3_close(db);
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_of_sqlite_is_that_of_its_csv_file),
        cmocka_unit_test(numbers_are_read_in_full),
        cmocka_unit_test(columns_that_are_not_kept_are_not_read),
        cmocka_unit_test(every_failing_allocation_is_reported),
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
