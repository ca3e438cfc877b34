/* Every allocation of a report fails once: it says so, and leaks nothing (the sanitizers watch). */
#include "test.h"

#include <covey/report.h>

#include <jansson.h>

#include "support/release/small_release.h"
#include "base/alloc.h"

static void *json_malloc(size_t size)
{
    return covey_i_malloc(size);
}

static void fail_each(covey_report_format format)
{
    const covey_run run = {.n_threads = 1}; /* so that the n-th allocation is the same in every run */
    release_folder r;
    int64_t n;

    small_release(&r);
    release_write(&r);
    for (n = 1;; n += 1 + n / 30) { /* every early request, then ever fewer */
        const covey_report_options options = {.format = format, .original = r.original};
        covey_error err = {COVEY_OK};
        covey_report report = {0};
        covey_status status;

        covey_i_alloc_fail_at(n);
        status = covey_report_make(&report, r.path, &options, &run, &err);
        covey_i_alloc_fail_at(0);
        covey_report_clear(&report);
        if (status == COVEY_OK)
            break;
        if (status != COVEY_ENOMEM)
            fail_msg("allocation %lld: status %s, \"%s\"", (long long)n, covey_status_name(status), err.message);
    }
    assert_true(n > 100); /* or the hook does not work */
    release_end(&r);
}

static void test_report__html_survives_every_failing_allocation(void **state)
{
    (void)state;
    fail_each(COVEY_REPORT_HTML);
}

static void test_report__json_survives_every_failing_allocation(void **state)
{
    (void)state;
    fail_each(COVEY_REPORT_JSON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__html_survives_every_failing_allocation),
        cmocka_unit_test(test_report__json_survives_every_failing_allocation),
    };

    /* jansson asks us for memory too, so its failures are tested as well. */
    json_set_alloc_funcs(json_malloc, covey_i_free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
