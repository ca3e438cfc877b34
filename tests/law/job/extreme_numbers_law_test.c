/* Numbers at the ends of what is allowed: 18 digits on both sides of 0, whatever the scale.  Every method either makes
 * a release that verifies, with its original, or says in exact words why there is none; queries and figures of the
 * release overflow nowhere (the sanitizers look on). */
#include "test.h"

#include <covey/covey.h>

#include <inttypes.h>

#include "base/file/folder.h"
#include "base/text.h"

#include "support/release/release_folder.h"
#include "support/problem/problem_maker.h"

enum { N_TABLES = 40 };

static const char *const runs[][8][2] = {
    {{"method", "mondrian"}, {"model", "k-anonymity:k=3"}, {"model", "t-closeness:t=0.9,distance=numeric"}},
    {{"method", "{name: mondrian, splits: {near: [0, 1], far: distinct}}"}, {"model", "k-anonymity:k=2"}},
    {{"method", "full-domain"}, {"model", "k-anonymity:k=2"}, {"suppression", "0.2"}},
    {{"method", "peel"}, {"model", "k-anonymity:k=3"}, {"suppression", "0.1"}},
    {{"method", "elastic"}, {"model", "k-anonymity:k=2"}},
    {{"method", "{name: optimal-partition, cost: ncp-box, splits: {near: 'quantile:3', far: [0]}}"},
     {"model", "k-anonymity:k=2"},
     {"model", "min-length:attribute=near,length=1"}},
    {{"method", "{name: optimal-partition, cost: kl, splits: {near: 'quantile:3', far: 'quantile:3'}}"},
     {"model", "k-anonymity:k=2"}},
    {{"method", "burel"}, {"model", "basic-beta-likeness:beta=9"}},
    {{"method", "sabre"}, {"model", "t-closeness:t=0.9,distance=ordered"}},
    {{"method", "sabre"}, {"model", "t-closeness:t=0.9,distance=numeric"}},
    {{"method", "anatomy"}, {"model", "probabilistic-l-diversity:l=2"}},
    {{"method", "{name: ke-permutation, criterion: min-sum, refine: true}"}, {"model", "ke-anonymity:k=2,e=1"}},
    {{"method", "{name: ke-permutation, criterion: min-max}"}, {"model", "ke-anonymity:k=2,e=0.5"}},
    {{"method", "{name: ke-permutation, criterion: scan}"}, {"model", "ke-anonymity:k=3,e=0"}},
    {{"method", "distribution"}, {"model", "p-private:target=uniform"}},
    {{"method", "{name: distribution, target: {normal: {mean: 0, sd: 100000}}, fakes: 3}"}, {"model", "p-private"}},
    {{"method", "{name: distribution, target: source, scheme: qi-sa}"},
     {"model", "p-private"},
     {"groups", "{by: [{attribute: near, quantiles: 2}]}"}},
    {{"method", "perturbation"}, {"model", "basic-beta-likeness:beta=9"}},
    {{"method", "slicing"}, {"model", "sliced-l-diversity:l=2"}},
    {{"method", "{name: slicing, columns: [[near, far], [pay]], column-k: 2}"}, {"model", "sliced-l-diversity:l=2"}},
};
enum { N_RUNS = sizeof runs / sizeof *runs };

static const char *const queries[] = {
    "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay)",
    "SELECT COUNT(*), SUM(pay), MIN(pay), MAX(pay) WHERE far >= 0",
    "SELECT COUNT(*), AVG(pay) WHERE near BETWEEN -999999999999999999 AND 0 OR far = 999999999999999999",
    "SELECT COUNT(*) WHERE pay > 0 AND far < 0.000000000000000001",
};

static void add_number(covey_text *text, uint64_t *random, int scale, bool is_extreme)
{
    const uint64_t digits =
        is_extreme ? 999999999999999999u - maker_below(random, 3) : maker_below(random, 1 + maker_below(random, 6));
    uint64_t unit = 1;

    for (int i = 0; i < scale; i++)
        unit *= 10;
    covey_i_text_add_format(text, "%s%" PRIu64, maker_below(random, 2) ? "-" : "", digits / unit);
    if (scale > 0)
        covey_i_text_add_format(text, ".%0*" PRIu64, scale, digits % unit);
}

static void put_table(release_folder *r, uint64_t *random)
{
    const uint32_t n = 6 + maker_below(random, 30);
    covey_text text = COVEY_TEXT_INIT;
    int scale[3];

    for (int c = 0; c < 3; c++)
        scale[c] = maker_below(random, 2) ? 0 : (int)maker_below(random, 19);
    covey_i_text_add_string(&text, "near,far,pay\n");
    for (uint32_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            add_number(&text, random, scale[c], c == 1 || (c == 2 && maker_below(random, 2)));
            covey_i_text_add_string(&text, c < 2 ? "," : "\n");
        }
    release_original(r, text.bytes);
    covey_i_text_free(&text);
}

static covey_status make(release_folder *r, const char *const (*wish)[2], covey_error *err)
{
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_run run = {.n_threads = 2};
    covey_status status;
    const covey_anonymize_options options = {.force = true};

    covey_i_folder_remove(r->path, NULL);
    assert_int_equal(covey_policy_new(&policy, err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", r->original, err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "quasi", "near,far", err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "sensitive", "pay", err), COVEY_OK);
    for (size_t i = 0; i < 8 && wish[i][0]; i++)
        if (covey_policy_set(policy, wish[i][0], wish[i][1], err) != COVEY_OK)
            fail_msg("--%s %s: %s", wish[i][0], wish[i][1], err->message);
    if ((status = covey_policy_check(policy, err)) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, r->path, &options, &run, err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return status;
}

/* Answers of doubles are not looked at, but bounds must be on the right sides of each other. */
static void ask(const release_folder *r)
{
    const covey_measure_options measuring = {.original = r->original};
    covey_measurement *measurement = NULL;
    covey_query_release *release = NULL;
    covey_error err;

    if (covey_query_open(&release, r->path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        covey_query_result *result = NULL;

        if (covey_query_run(&result, release, queries[q], NULL, &err) == COVEY_OK) {
            for (size_t g = 0; g < result->n_groups; g++)
                for (size_t a = 0; a < result->n_answers; a++) {
                    const covey_query_answer *answer = &result->group[g].answer[a];

                    assert_true(!answer->lower.exists || !answer->upper.exists ||
                                answer->lower.value <= answer->upper.value);
                }
            covey_query_result_free(result);
        } else {
            assert_true(err.status == COVEY_EINVAL || err.status == COVEY_EPARSE);
        }
    }
    covey_query_close(release);
    if (covey_measure(&measurement, r->path, &measuring, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_measurement_free(measurement);
}

static void everything_holds_at_the_ends_of_what_numbers_may_be(void **state)
{
    uint64_t random = test_seed(5);
    uint32_t n_made[N_RUNS] = {0};

    for (int table = 0; table < test_share(N_TABLES); table++) {
        release_folder r;

        release_begin(&r);
        put_table(&r, &random);
        for (size_t i = 0; i < N_RUNS; i++) {
            covey_error err;
            const covey_status status = make(&r, runs[i], &err);

            if (status == COVEY_EINFEASIBLE)
                continue;
            if (status != COVEY_OK)
                fail_msg("run %zu of table %d: %s", i, table, err.message);
            n_made[i]++;
            release_read(&r);
            release_assert_holds(&r, true);
            ask(&r);
        }
        release_end(&r);
    }
    for (size_t i = 0; i < N_RUNS; i++)
        if (!test_is_enough(n_made[i] > 0))
            fail_msg("run %zu is never feasible", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_holds_at_the_ends_of_what_numbers_may_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
