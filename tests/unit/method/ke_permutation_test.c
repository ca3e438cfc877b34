/* (k,e)-permutation from a table to its release: what is published, what is refused, and that chance decides where a
 * rule would tell. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <string.h>

#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "base/file/folder.h"
#include "release/bucketized/bucketized.h"

static covey_policy *policy_for(const char *table, const char *const *keys)
{
    const char *path = csv_path("t.csv");
    covey_policy *policy;
    covey_error err = {0};

    csv_put_file(path, table, strlen(table));
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", path, &err), COVEY_OK);
    for (size_t i = 0; keys[i]; i += 2)
        if (covey_policy_set(policy, keys[i], keys[i + 1], &err) != COVEY_OK)
            fail_msg("%s", err.message);
    return policy;
}

static covey_status anonymize(covey_anonymize_report *report, const char *table, const char *const *keys,
                              covey_error *err)
{
    const covey_anonymize_options options = {.force = true};
    const covey_run run = {.has_seed = true, .seed = 1};
    covey_policy *policy = policy_for(table, keys);
    covey_status status;

    if ((status = covey_policy_check(policy, err)) == COVEY_OK)
        status = covey_anonymize(report, policy, csv_path("release"), &options, &run, err);
    covey_policy_free(policy);
    return status;
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define COMMON "method", "ke-permutation", "quasi", "q,region", "sensitive", "pay", "others", "drop"

/* The release holds, and publishes these values with this objective. */
static void publish(const char *table, const char *const *keys, const char *sensitive, const char *objective,
                    double value, double bound)
{
    covey_anonymize_report report;
    covey_error err = {0};
    size_t size;
    char *text;

    if (anonymize(&report, table, keys, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_true(report.verdict->holds);
    assert_string_equal(report.objective_name, objective);
    assert_true(report.objective_value == value);
    assert_true(report.has_bound && report.objective_bound == bound);
    assert_int_equal(report.optimal, value == bound);
    text = csv_get_file(&size, csv_path("release/sensitive.csv"));
    assert_string_equal(text, sensitive);
    free(text);
    covey_anonymize_report_clear(&report);
}

static void refuse(covey_status expected, const char *table, const char *const *keys, const char *message)
{
    covey_anonymize_report report;
    covey_error err = {0};

    assert_int_equal(anonymize(&report, table, keys, &err), expected);
    if (!strstr(err.message, message))
        fail_msg("\"%s\" does not say \"%s\"", err.message, message);
}

static const char four[] = "q,region,pay\na,n,0\nb,n,5\nc,n,6\nd,n,11\n";

static void every_criterion_publishes_what_it_promises(void **state)
{
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=6"), "group,pay,count\n1,0,1\n1,5,1\n1,6,1\n1,11,1\n",
            "sum-error", 11, 11);
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=6", "criterion", "min-max"),
            "group,pay,count\n1,0,1\n1,6,1\n2,5,1\n2,11,1\n", "max-error", 6, 6);
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=6", "criterion", "min-max-touch"),
            "group,pay,count\n1,0,1\n1,5,1\n1,6,1\n1,11,1\n", "max-error", 11, 6);
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "criterion", "min-max-touch"),
            "group,pay,count\n1,0,1\n1,5,1\n2,6,1\n2,11,1\n", "max-error", 5, 5);
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=6", "criterion", "min-max-strict"),
            "group,pay,count\n1,0,1\n1,5,1\n1,6,1\n1,11,1\n", "max-error", 11, 6);
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=4,e=0", "criterion", "scan"),
            "group,pay,count\n1,0,1\n1,5,1\n1,6,1\n1,11,1\n", "sum-error", 11, 11);
}

static void groups_can_be_refined_and_keep_the_optimum_as_their_bound(void **state)
{
    publish(four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=6", "refine", "true"),
            "group,pay,count\n1,0,1\n1,6,1\n2,5,1\n2,11,1\n", "sum-error", 12, 11);
}

static void decimals_and_fractions_are_exact(void **state)
{
    const char *table = "q,region,pay\na,n,-0.5\nb,n,0.75\nc,n,1\nd,n,2.25\n";

    publish(table, KEYS(COMMON, "model", "ke-anonymity:k=2,e=5/4"),
            "group,pay,count\n1,-0.5,1\n1,0.75,1\n2,1,1\n2,2.25,1\n", "sum-error", 2.5, 2.5);
    publish(table, KEYS(COMMON, "model", "ke-anonymity:k=2,e=1.2500001", "criterion", "min-max"),
            "group,pay,count\n1,-0.5,1\n1,1,1\n2,0.75,1\n2,2.25,1\n", "max-error", 1.5, 1.5);
    refuse(COVEY_EINFEASIBLE, table, KEYS(COMMON, "model", "ke-anonymity:k=2,e=11/3"), "e can be 11/4 at most");
}

static const char regions[] = "q,region,pay\na,n,1\nb,n,3\nc,s,2\nd,s,9\ne,s,4\nf,n,7\ng,s,5\nh,n,8\ni,w,6\nj,w,6\n";

static void fixed_groups_are_never_mixed(void **state)
{
    const char *const more[] = {COMMON, "model", "ke-anonymity:k=2,e=0", "groups", "{by: [region]}", "suppression",
                                "0.2",  NULL};
    const char *const max[] = {
        COMMON,    "model", "ke-anonymity:k=2,e=0", "groups", "{by: [region]}", "suppression", "0.2", "criterion",
        "min-max", NULL};
    covey_anonymize_report report;
    covey_error err = {0};
    size_t size;
    char *text;

    /* w has one value only and is left out; sums of ranges add, of maxima the largest counts */
    publish(regions, more, "group,pay,count\n1,1,1\n1,3,1\n2,2,1\n2,4,1\n3,5,1\n3,9,1\n4,7,1\n4,8,1\n", "sum-error",
            2 + 2 + 4 + 1, 9);
    text = csv_get_file(&size, csv_path("release/quasi.csv"));
    assert_string_equal(text, "group,q,region\n1,a,n\n1,b,n\n2,c,s\n2,e,s\n3,d,s\n3,g,s\n4,f,n\n4,h,n\n");
    free(text);
    publish(regions, max, "group,pay,count\n1,1,1\n1,3,1\n2,2,1\n2,4,1\n3,5,1\n3,9,1\n4,7,1\n4,8,1\n", "max-error", 4,
            4);
    assert_int_equal(anonymize(&report, regions, more, &err), COVEY_OK);
    assert_int_equal(report.n_suppressed, 2);
    covey_anonymize_report_clear(&report);
}

static void classes_of_a_method_can_be_the_fixed_groups(void **state)
{
    publish(regions, KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "groups", "{method: {name: mondrian}, k: 10}"),
            "group,pay,count\n1,1,1\n1,2,1\n2,3,1\n2,4,1\n3,5,1\n3,6,1\n4,6,1\n4,7,1\n5,8,1\n5,9,1\n", "sum-error", 5,
            5);
}

static void what_cannot_be_kept_is_named_with_what_can(void **state)
{
    refuse(COVEY_EINFEASIBLE, four, KEYS(COMMON, "model", "ke-anonymity:k=5,e=100"),
           "no release can keep ke-anonymity (infeasible-k): the table has only 4 different values of \"pay\": k can "
           "be 4 at most");
    refuse(COVEY_EINFEASIBLE, four, KEYS(COMMON, "model", "ke-anonymity:k=4,e=11.5"),
           "(infeasible-e): the values of \"pay\" in the table span only 11: e can be 11 at most");
    refuse(COVEY_EINFEASIBLE, regions, KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "groups", "{by: [region]}"),
           "(infeasible-k): the group region = \"w\" has only 1 different value of \"pay\": k can be 1 at most; or "
           "make larger groups, or let 2 rows be "
           "suppressed (now at most 0)");
    refuse(COVEY_EINFEASIBLE, regions,
           KEYS(COMMON, "model", "ke-anonymity:k=1,e=7.5", "groups", "{by: [region]}", "suppression", "0.5"),
           "(infeasible-e): the values of \"pay\" in the group region = \"w\" span only 0: e can be 0 at most");
}

static void what_has_no_numbers_or_another_promise_is_refused(void **state)
{
    refuse(COVEY_EINVAL, "q,region,pay\na,n,x\nb,n,y\n", KEYS(COMMON, "model", "ke-anonymity:k=2,e=0"),
           "needs a number, but column \"pay\" is text: choose another attribute");
    refuse(COVEY_EINVAL, "q,region,pay\na,n,2020-01-01\nb,n,2021-01-01\n",
           KEYS(COMMON, "model", "ke-anonymity:k=2,e=0"),
           "ke-permutation needs a sensitive number, but column \"pay\" is date");
    refuse(COVEY_EPARSE, "q,region,pay\na,n,1\nb,n,\nc,n,2\n", KEYS(COMMON, "model", "ke-anonymity:k=2,e=0"),
           "t.csv:3: column \"pay\"");
    refuse(COVEY_EINVAL, "q,region,pay\na,n,1\nb,n,\nc,n,2\n",
           KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "missing-sensitive", "value"),
           "a missing \"pay\" is no number, and a group could not hide it; say missing-sensitive: drop");
    publish("q,region,pay\na,n,1\nb,n,\nc,n,2\n",
            KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "missing-sensitive", "drop"),
            "group,pay,count\n1,1,1\n1,2,1\n", "sum-error", 1, 1);
    refuse(COVEY_EINVAL, four, KEYS(COMMON, "model", "distinct-l-diversity:l=2"),
           "method ke-permutation cannot keep this policy: ke-permutation keeps ke-anonymity alone, not "
           "distinct-l-diversity");
    refuse(COVEY_EINVAL, four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "model", "k-anonymity:k=2"),
           "ke-permutation keeps ke-anonymity alone, not k-anonymity");
    refuse(COVEY_EINVAL, four, KEYS(COMMON, "model", "ke-anonymity:k=2,e=0", "model", "ke-anonymity:k=1,e=3"),
           "ke-permutation keeps a single promise of ke-anonymity, not 2");
    refuse(COVEY_EINVAL, "q,region,pay,more\na,n,1,1\nb,n,2,2\n",
           KEYS(COMMON, "sensitive", "pay,more", "model", "ke-anonymity:k=2,e=0,attribute=pay"),
           "one sensitive attribute");
}

/* Values 0, 3, 3, 6 with k = 2 are the groups {0, 3} and {3, 6}: in half of the releases the first of the two rows with
 * 3 is in the first. */
static void chance_decides_which_rows_of_a_value_go_where(void **state)
{
    enum { N_RUNS = 4000 };
    static const uint32_t q[] = {0, 1, 2, 3}, pay[] = {0, 1, 1, 2};
    const covey_method *method = covey_method_find("ke-permutation");
    int n_first = 0;

    for (uint64_t seed = 0; seed < N_RUNS; seed++) {
        const covey_run run = {.has_seed = true, .seed = seed};
        covey_release *release;
        problem_maker m;

        maker_init(&m, 4);
        maker_add_range(&m, "q", q, 4, false, NULL);
        maker_promise(&m, "ke-anonymity", "k=2,e=0", maker_add_sensitive(&m, "pay", pay, 3));
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        assert_int_equal(method->run(&release, &m.problem, maker_method_params(&m, method, ""), &run, NULL), COVEY_OK);
        assert_int_equal(release->n_classes, 2);
        n_first += release->row_order[1] == 1; /* the second row of the first group */
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(fabs(n_first - N_RUNS / 2.0) < 4.5 * sqrt(N_RUNS / 4.0)); /* one in 100,000 if the seeds were drawn */
}

/* Six different values, k = 2: scan makes three pairs, each of the 15 ways equally likely. */
static void scan_takes_rows_in_random_order(void **state)
{
    enum { N_RUNS = 6000, N_WAYS = 15 };
    static const uint32_t q[] = {0, 0, 0, 0, 0, 0}, pay[] = {0, 1, 2, 3, 4, 5};
    const covey_method *method = covey_method_find("ke-permutation");
    int count[6 * 6 * 6] = {0}, n_ways = 0;
    double chi = 0;

    for (uint64_t seed = 0; seed < N_RUNS; seed++) {
        const covey_run run = {.has_seed = true, .seed = seed};
        uint32_t partner[6];
        covey_release *release;
        problem_maker m;

        maker_init(&m, 6);
        maker_add_range(&m, "q", q, 1, false, NULL);
        maker_promise(&m, "ke-anonymity", "k=2,e=0", maker_add_sensitive(&m, "pay", pay, 6));
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        assert_int_equal(
            method->run(&release, &m.problem, maker_method_params(&m, method, "criterion=scan"), &run, NULL), COVEY_OK);
        assert_int_equal(release->n_classes, 3);
        for (uint32_t i = 0; i < 6; i += 2) {
            partner[release->row_order[i]] = release->row_order[i + 1];
            partner[release->row_order[i + 1]] = release->row_order[i];
        }
        count[(partner[0] * 6 + partner[1]) * 6 + partner[2]]++;
        covey_release_free(release);
        maker_clear(&m);
    }
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        n_ways += count[i] > 0;
        chi += count[i] > 0 ? pow(count[i] - (double)N_RUNS / N_WAYS, 2) / ((double)N_RUNS / N_WAYS) : 0;
    }
    assert_int_equal(n_ways, N_WAYS);
    assert_true(chi < 42.6); /* chi square with 14 degrees of freedom exceeds it once in 10,000 */
}

static int start(void **state)
{
    csv_folder();
    return 0;
}

static int end(void **state)
{
    csv_folder_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_criterion_publishes_what_it_promises),
        cmocka_unit_test(groups_can_be_refined_and_keep_the_optimum_as_their_bound),
        cmocka_unit_test(decimals_and_fractions_are_exact),
        cmocka_unit_test(fixed_groups_are_never_mixed),
        cmocka_unit_test(classes_of_a_method_can_be_the_fixed_groups),
        cmocka_unit_test(what_cannot_be_kept_is_named_with_what_can),
        cmocka_unit_test(what_has_no_numbers_or_another_promise_is_refused),
        cmocka_unit_test(chance_decides_which_rows_of_a_value_go_where),
        cmocka_unit_test(scan_takes_rows_in_random_order),
    };

    return cmocka_run_group_tests_name("ke_permutation", tests, start, end);
}
