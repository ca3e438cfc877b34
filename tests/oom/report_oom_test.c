/* Allocations of a report fail one by one: it says so, and leaks nothing (the sanitizers watch). */
#include "test.h"

#include <covey/report.h>

#include <jansson.h>

#include "support/csvs.h"
#include "support/failing.h"
#include "support/release/small_release.h"
#include "support/release/waves.h"
#include "base/alloc.h"

static void fail_each(const char *release, const covey_report_options *options)
{
    const covey_run run = {.n_threads = 1};
    failing f = {.least = 100, .all_of = 30, .thin = 30};

    while (failing_next(&f)) {
        covey_report report = {0};

        failing_ends(&f, covey_report_make(&report, release, options, &run, &f.err));
        covey_report_clear(&report);
    }
}

static void fail_each_of_small_release(covey_report_format format)
{
    release_folder r;
    covey_report_options options = {.format = format, .original = r.original};

    small_release(&r);
    release_write(&r);
    fail_each(r.path, &options);
    release_end(&r);
}

static void test_report__html_survives_every_failing_allocation(void **state)
{
    fail_each_of_small_release(COVEY_REPORT_HTML);
}

static void test_report__json_survives_every_failing_allocation(void **state)
{
    fail_each_of_small_release(COVEY_REPORT_JSON);
}

static void test_report__on_made_up_rows_survives_every_failing_allocation(void **state)
{
    char release[1024], original[1024], ledger[1024];
    const covey_report_options options = {.format = COVEY_REPORT_JSON, .original = original, .releases_ledger = ledger};

    csv_folder();
    waves_publish();
    snprintf(release, sizeof release, "%s", csv_path("second"));
    snprintf(original, sizeof original, "%s", csv_path("wave-2.csv"));
    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    fail_each(release, &options);
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__html_survives_every_failing_allocation),
        cmocka_unit_test(test_report__json_survives_every_failing_allocation),
        cmocka_unit_test(test_report__on_made_up_rows_survives_every_failing_allocation),
    };

    /* jansson asks us for memory too, so its failures are tested as well. */
    json_set_alloc_funcs(failing_json, covey_i_free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
