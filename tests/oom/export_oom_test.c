/* Allocations of exporting a release to files and to memory, of reading it from there, and of rewriting queries
 * over it, fail one by one. */
#include "test.h"

#include <covey/export.h>
#include <covey/io.h>
#include <covey/query.h>

#include <string.h>

#include "support/failing.h"
#include "support/release/attacked_release.h"
#include "support/release/small_release.h"
#include "base/file/folder.h"

static release_folder release, transformed, perturbed;
static char target[300];

static covey_status export_folder(const release_folder *r, covey_error *err)
{
    const covey_export_options options = {.force = true};
    const covey_run run = {.n_threads = 1};
    covey_export_report report = {0};
    const covey_status status = covey_export(&report, r->path, target, &options, &run, err);

    covey_export_report_clear(&report);
    return status;
}

static covey_status export_files(covey_error *err)
{
    return export_folder(&release, err);
}

static covey_status export_one_table(covey_error *err)
{
    return export_folder(&transformed, err);
}

/* Out as an Arrow stream, and in again. */
static covey_status pass_through_memory(covey_error *err)
{
    const covey_run run = {.n_threads = 1};
    struct ArrowArrayStream stream;
    covey_arrow_data *data = NULL;
    covey_table *table = NULL;
    covey_status status = covey_export_stream(&stream, release.path, "table", &run, err);

    if (status == COVEY_OK)
        status = covey_arrow_data_new(&data, &stream, &run, err);
    if (status == COVEY_OK)
        status = covey_table_read(&table, covey_arrow_data_source(data), NULL, &run, err);
    covey_table_free(table);
    covey_arrow_data_free(data);
    return status;
}

static covey_status rewrite(covey_error *err)
{
    static const char *const queries[] = {"SELECT COUNT(*) WHERE age < 40 OR city = 'x' AND age > 20",
                                          "SELECT COUNT(*) GROUP BY age"};
    const covey_run run = {.n_threads = 1};
    covey_query_release *opened = NULL;
    covey_status status = covey_query_open(&opened, release.path, &run, err);

    for (size_t i = 0; status == COVEY_OK && i < sizeof queries / sizeof *queries; i++) {
        char *sql = NULL;

        status = covey_query_sql(&sql, opened, queries[i], COVEY_DIALECT_SQLITE, err);
        covey_query_sql_free(sql);
        if (status == COVEY_EINVAL) /* a column that the release does not have */
            status = COVEY_OK;
    }
    covey_query_close(opened);
    return status;
}

static covey_status export_matrix(covey_error *err)
{
    return export_folder(&perturbed, err);
}

static void fail_each(covey_status (*go)(covey_error *err))
{
    failing f = {.least = 20};

    while (failing_next(&f))
        failing_ends(&f, go(&f.err));
}

static void an_export_without_memory_fails_and_leaves_nothing(void **state)
{
    fail_each(export_files);
}

/* Its rows are dealt to one table beside the two. */
static void an_export_of_a_transformed_release_without_memory_fails(void **state)
{
    fail_each(export_one_table);
}

/* Its chances become a table of pairs. */
static void an_export_of_a_perturbed_release_without_memory_fails(void **state)
{
    fail_each(export_matrix);
}

static void a_table_in_memory_without_memory_fails(void **state)
{
    fail_each(pass_through_memory);
}

static void a_rewriting_without_memory_fails(void **state)
{
    fail_each(rewrite);
}

static int begin(void **state)
{
    small_release(&release);
    release_write(&release);
    attacked_transformed(&transformed);
    attacked_perturbed(&perturbed, 2, 4, (const int[]){1, 1, 2, 2}, (const int[]){1, 2, 2, 1});
    snprintf(target, sizeof target, "jsonl:%s-export", release.path);
    return 0;
}

static int end(void **state)
{
    covey_i_folder_remove(target + strlen("jsonl:"), NULL);
    release_end(&release);
    release_end(&transformed);
    release_end(&perturbed);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_export_without_memory_fails_and_leaves_nothing),
        cmocka_unit_test(an_export_of_a_transformed_release_without_memory_fails),
        cmocka_unit_test(an_export_of_a_perturbed_release_without_memory_fails),
        cmocka_unit_test(a_table_in_memory_without_memory_fails),
        cmocka_unit_test(a_rewriting_without_memory_fails),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
