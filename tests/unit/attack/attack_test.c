/* Attacks on releases that are small enough to follow on paper. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/release/attacked_release.h"
#include "attack/bayes/bayes.h"
#include "reader/sampled.h"

static const char nothing[] = "[{'model': 'k-anonymity', 'parameters': {'k': '1'}, 'threshold': 1, 'achieved': 1, "
                              "'achieved_value': 1.0, 'holds': true}]";

#define BETA(model, beta)                                                                                              \
    "[{'model': '" model "', 'attribute': 's', 'parameters': {'beta': '" beta "'}, 'threshold': " beta                 \
    ", 'achieved': 0, 'achieved_value': 0.0,"                                                                          \
    " 'holds': true}]"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* The example of [CaoKarras12]: 19 rows with six values, of which one class holds 1, 1, 0, 1, 1, 0. */
static void test_attack__skewness_and_homogeneity_of_the_example(void **state)
{
    const attacked_table table = {nothing, 2, 6, {{1, 1, 0, 1, 1, 0}, {1, 2, 3, 2, 3, 4}}};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    report = attacked_run(&r, "skewness", NULL);
    assert_string_equal(report->result->figure_text, "19/8");
    assert_near(report->result->figure, 2.375);
    assert_near(report->result->prior, 4.0 / 19);
    assert_true(isnan(report->result->bound));
    assert_int_equal(report->result->verdict, COVEY_ATTACK_INFORMATION);
    assert_int_equal(attacked_cell(report, "worst", 0, "class")->integer, 1);
    assert_string_equal(attacked_cell(report, "worst", 0, "value")->text, "v1");
    assert_near(attacked_cell(report, "worst", 0, "ratio")->number, 2.375);
    assert_near(attacked_detail(report, "doubled_share")->number, 4.0 / 19);
    covey_attack_report_free(report);
    release_end(&r);

    attacked_generalized(&r, &(attacked_table){nothing, 1, 6, {{1, 1, 0, 1, 1, 0}}});
    report = attacked_run(&r, "homogeneity", NULL);
    assert_string_equal(report->result->figure_text, "1/4");
    assert_int_equal(attacked_detail(report, "certain_rows")->integer, 0);
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack__verdicts_are_those_of_the_models(void **state)
{
    /* Shares double exactly: allowed by beta 1, and by nothing less. */
    const int count[ATTACKED_MOST_CLASSES][ATTACKED_MOST_VALUES] = {{2, 0}, {0, 2}};
    attacked_table table = {BETA("basic-beta-likeness", "1"), 2, 2, {{0}}};
    release_folder r;
    covey_attack_report *report;

    memcpy(table.count, count, sizeof count);
    attacked_generalized(&r, &table);
    report = attacked_run(&r, "skewness", NULL);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE);
    assert_near(report->result->bound, 2);
    covey_attack_report_free(report);
    report = attacked_run(&r, "homogeneity", NULL); /* which basic likeness does not promise */
    assert_int_equal(report->result->verdict, COVEY_ATTACK_INFORMATION);
    assert_near(report->result->figure, 1);
    assert_int_equal(attacked_detail(report, "certain_rows")->integer, 4);
    covey_attack_report_free(report);
    release_end(&r);

    table.promises = BETA("basic-beta-likeness", "0.9999999999");
    attacked_generalized(&r, &table);
    report = attacked_run(&r, "skewness", NULL);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    covey_attack_report_free(report);
    release_end(&r);

    table.promises = BETA("enhanced-beta-likeness", "1"); /* f(1/2) = .8466 */
    attacked_generalized(&r, &table);
    report = attacked_run(&r, "skewness", NULL);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    assert_true(fabs(report->result->bound / 2 - 0.8466) < 1e-4);
    covey_attack_report_free(report);
    report = attacked_run(&r, "homogeneity", NULL);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack__who_knows_a_row_subtracts_it(void **state)
{
    const attacked_table table = {nothing, 1, 3, {{1, 2, 1}}};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    report = attacked_run(&r, "corruption", NULL);
    assert_string_equal(report->result->figure_text, "2/3");
    /* A row of value 1 keeps 1/3 whoever is known; one of value 2 has 1/3 if the known row is the other, else 2/3. */
    assert_near(attacked_cell(report, "known_rows", 0, "mean")->number,
                (2.0 / 3 + 2 * (1.0 / 3 / 3 + 2.0 / 3 * 2 / 3)) / 4);
    assert_near(attacked_cell(report, "known_rows", 0, "max")->number, 2.0 / 3);
    assert_near(attacked_cell(report, "known_rows", 1, "max")->number, 1); /* both rows of other values */
    assert_near(attacked_cell(report, "known_rows", 1, "certain_share")->number, (2 * 0.0 + 2 * (1.0 / 3)) / 4);
    assert_near(attacked_cell(report, "known_rows", 5, "certain_share")->number, 1);
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack__it_is_told_how_many_known_rows_do_no_harm(void **state)
{
    /* Shares 1/4 with beta 1 may reach 1/2: 2 of 8 exceed that once five of the other six are known, 2 of 3. */
    const attacked_table table = {BETA("basic-beta-likeness", "1"), 2, 4, {{2, 2, 2, 2}, {2, 2, 2, 2}}};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    report = attacked_run(&r, "corruption", NULL);
    assert_int_equal(attacked_detail(report, "harmless_known_rows")->integer, 4);
    assert_near(attacked_cell(report, "known_rows", 0, "above_share")->number, 0);
    /* Five known ones exceed it if none of them is the other row of the own value: 2 of the 7 are left. */
    assert_near(attacked_cell(report, "known_rows", 2, "above_share")->number, 2.0 / 7);
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack__values_that_are_ruled_out_leave_the_others(void **state)
{
    const attacked_table table = {nothing, 1, 3, {{5, 3, 2}}};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    report = attacked_run(&r, "background-knowledge", NULL);
    assert_string_equal(report->result->figure_text, "5/7");
    assert_int_equal(attacked_detail(report, "tolerant")->integer, 0);
    assert_near(attacked_cell(report, "exclusion", 1, "max")->number, 1);
    assert_near(attacked_cell(report, "exclusion", 1, "certain_share")->number, 1);
    covey_attack_report_free(report);
    release_end(&r);
}

/* Two rows of each of three values; one release puts neighbours by age together, the other by the order b c d e f a. */
static void test_attack__two_releases_leave_one_value_in_common(void **state)
{
    const attacked_table table = {nothing, 3, 3, {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}};
    covey_attack_options options = {0};
    release_folder first, second;
    covey_attack_report *report;
    char original[300];

    attacked_generalized(&first, &table);
    attacked_generalized(&second, &table);
    /* ages: v1 v2 | v2 v3 | v1 v3; zips so that each pair of the other release shares its second value: 2 3 | 4 5 | 6 1
     */
    snprintf(original, sizeof original, "%s", "age,zip,s\n1,6,v1\n2,1,v2\n3,2,v2\n4,3,v3\n5,4,v1\n6,5,v3\n");
    release_original(&first, original);
    release_put(&second, "table.csv",
                "class,zip,s\n1,\"[1, 2]\",v2\n1,\"[1, 2]\",v2\n2,\"[3, 4]\",v1\n2,\"[3, 4]\",v3\n3,\"[5, "
                "6]\",v1\n3,\"[5, 6]\",v3\n");
    release_set(&second, "columns.0.name", "'zip'");
    release_write(&second);
    options.with = second.path;
    report = attacked_run(&first, "composition", &options);
    assert_near(report->result->figure, 1);
    assert_int_equal(attacked_detail(report, "compared_rows")->integer, 6);
    /* ages 1-4 have one value in common; 5 is in {v1, v3} twice, and so is 6 */
    assert_near(attacked_detail(report, "single_share")->number, 4.0 / 6);
    assert_near(attacked_detail(report, "first_alone")->number, 0.5);
    covey_attack_report_free(report);
    release_end(&first);
    release_end(&second);
}

static void test_attack__perturbing_twice_exceeds_what_was_promised(void **state)
{
    static const int value[] = {1, 2, 3, 4}, shown[] = {1, 2, 4, 4};
    covey_attack_options options = {0};
    release_folder r;
    covey_attack_report *report;

    attacked_perturbed(&r, 4, 4, value, shown);
    report = attacked_run(&r, "corruption", NULL); /* one draw; other rows change nothing */
    assert_near(report->result->figure, 0.5);
    assert_near(report->result->bound, 0.5);
    covey_attack_report_free(report);
    options.with = r.path;
    report = attacked_run(&r, "composition", &options);
    assert_near(report->result->figure, 0.25 / (0.25 + 3.0 / 36));
    assert_near(report->result->figure, 0.75);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    /* three rows show their value, one another: 3/4, and 1/36 of 1/3 */
    assert_near(attacked_detail(report, "mean")->number, (3 * 0.75 + 1.0 / 12) / 4);
    covey_attack_report_free(report);
    release_end(&r);
}

#define HALF(model, parameters)                                                                                        \
    "[{'model': '" model "', 'attribute': 's', 'parameters': {" parameters                                             \
    "}, 'threshold': 2, 'achieved': '2', 'achieved_value': 2.0, 'holds': true}]"

/* Bounds are fractions, and a figure that reaches one is no larger, however both are rounded; nor does a second release
 * that says no more than the prior take anybody above it. */
static void test_attack__a_figure_that_reaches_its_bound_does_not_exceed_it(void **state)
{
    static const char *const promise[] = {HALF("probabilistic-l-diversity", "'l': '2'"),
                                          HALF("alpha-k-anonymity", "'alpha': '1/2', 'k': '2'")};

    for (size_t i = 0; i < sizeof promise / sizeof *promise; i++) {
        const attacked_table halves = {promise[i], 2, 4, {{1, 1, 0, 0}, {0, 1, 1, 2}}},
                             whole = {promise[i], 1, 4, {{1, 2, 1, 2}}};
        covey_attack_options options = {0};
        release_folder first, second;
        covey_attack_report *report;

        attacked_generalized(&first, &halves);
        attacked_generalized(&second, &whole);
        report = attacked_run(&first, "homogeneity", NULL);
        assert_true(report->result->bound == 0.5 && report->result->figure == 0.5);
        assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE);
        covey_attack_report_free(report);
        report = attacked_run(&first, "skewness", NULL);
        assert_true(report->result->bound == 3 && report->result->figure == 3);
        assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE);
        covey_attack_report_free(report);
        options.with = second.path;
        report = attacked_run(&first, "composition", &options);
        assert_true(report->result->bound == 0.5);
        assert_near(report->result->figure, 0.5);
        assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE);
        covey_attack_report_free(report);
        release_end(&first);
        release_end(&second);
    }
}

/* p a b and p b a are equal, their logarithms' sums are not always. */
static void test_attack__equal_chances_go_to_the_first_value(void **state)
{
    for (int a = 1; a < 40; a++)
        for (int b = a + 1; b < 40; b++) {
            double prior[] = {log(0.3), log(0.3)}, first[] = {log(a / 41.0), log(b / 41.0)},
                   second[] = {log(b / 41.0), log(a / 41.0)}, score[2];
            double *weight[] = {first, second};
            const covey_bayes bayes = {.n_dims = 2, .n_values = 2, .log_prior = prior, .log_weight = weight};

            assert_int_equal(covey_i_bayes_guess(&bayes, (const uint32_t[]){0, 0}, score), 0);
        }
}

static void test_attack__a_release_that_separates_values_teaches_them(void **state)
{
    const attacked_table table = {BETA("basic-beta-likeness", "1"), 2, 2, {{2, 0}, {0, 2}}};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    report = attacked_run(&r, "naive-bayes", NULL);
    assert_near(report->result->figure, 1);
    assert_near(report->result->prior, 0.5);
    assert_near(report->result->ceiling, 1);
    assert_near(attacked_detail(report, "uniform_share")->number, 1);
    assert_true(attacked_detail(report, "factors_bounded")->integer);
    covey_attack_report_free(report);
    report = attacked_run(&r, "definetti", NULL);
    assert_near(report->result->figure, 1);
    assert_near(attacked_detail(report, "base")->number, 1);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE); /* all of it was known without learning */
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack__rows_that_look_alike_are_as_many_chances(void **state)
{
    attacked_table table = {"[{'model': 'k-anonymity', 'parameters': {'k': '2'}, 'threshold': 2, 'achieved': 2, "
                            "'achieved_value': 2.0, 'holds': true}]",
                            2,
                            2,
                            {{1, 1}, {2, 2}}};
    covey_attack_options options = {.entity = "house", .weight = "people"};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    release_original(&r, "age,s,house,people\n1,v1,a,2\n2,v2,b,2\n3,v1,a,10\n4,v1,b,10\n5,v2,c,10\n6,v2,c,10\n");
    report = attacked_run(&r, "re-identification", &options);
    assert_near(report->result->figure, 0.5);
    assert_near(report->result->bound, 0.5);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE);
    assert_near(attacked_detail(report, "prosecutor_mean")->number, 2.0 / 6);
    assert_near(attacked_detail(report, "marketer")->number, 2.0 / 6);
    {
        const double small = covey_i_sampled_risk(2, 0.5), large = covey_i_sampled_risk(4, 0.1);

        assert_near(attacked_detail(report, "weighted_max")->number, small);
        assert_near(attacked_detail(report, "weighted_expected_matches")->number, 2 * small + 4 * large);
        assert_near(attacked_detail(report, "weighted_mean")->number, (2 * small + 4 * large) / 6);
        assert_near(attacked_detail(report, "population_estimated")->number, 44);
        assert_near(attacked_detail(report, "fewest_people_estimated")->number, 4);
        assert_near(attacked_detail(report, "population_uniques_estimated")->number, 0);
        assert_int_equal(attacked_detail(report, "entities")->integer, 3);
        assert_near(attacked_detail(report, "entity_max")->number, 1 - (1 - small) * (1 - large));
    }
    covey_attack_report_free(report);
    options = (covey_attack_options){.k = 3};
    report = attacked_run(&r, "re-identification", &options);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    assert_near(attacked_detail(report, "below_k_share")->number, 2.0 / 6);
    covey_attack_report_free(report);
    release_end(&r);
}

/* F is f and as many failures before the f-th success as a negative binomial has. */
static void test_attack__individual_risk_is_the_mean_of_its_definition(void **state)
{
    static const double share[] = {0.004, 0.05, 0.3, 0.499, 0.5, 0.501, 0.7, 0.95, 0.9999};

    for (int f = 1; f <= 40; f++)
        for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
            double mean = 0, p = pow(share[i], f);

            for (int h = f; h < 60000; h++) {
                mean += p / h;
                p *= (1 - share[i]) * h / (h - f + 1);
            }
            if (!(fabs(mean / covey_i_sampled_risk(f, share[i]) - 1) < 1e-9))
                fail_msg("f %d, share %g: %.12g is not %.12g", f, share[i], covey_i_sampled_risk(f, share[i]), mean);
        }
    assert_near(covey_i_sampled_risk(7, 1), 1.0 / 7);
}

static void test_attack__a_population_hides_who_is_in_the_release(void **state)
{
    const attacked_table table = {nothing, 2, 2, {{1, 1}, {2, 2}}};
    char population[] = "/tmp/covey-population-XXXXXX";
    covey_attack_options options = {.population = population, .delta_max = {1, 2}};
    release_folder r;
    covey_attack_report *report;
    FILE *file = fdopen(mkstemp(population), "w");

    /* 2 of 4 people aged 1-2, 4 of 5 aged 3-6, and nobody of those aged 9 */
    assert_non_null(file);
    fputs("age\n1\n1\n2\n2\n3\n4\n5\n6\n6\n9\n9\n9\n", file);
    fclose(file);
    attacked_generalized(&r, &table);
    report = attacked_run(&r, "membership", &options);
    assert_near(report->result->figure, 0.8);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    assert_near(attacked_detail(report, "mean")->number, (2 * 0.5 + 4 * 0.8) / 6);
    /* members .5 .5 .8 .8 .8 .8 against others .5 .5 .8 0 0 0 */
    assert_near(attacked_detail(report, "auc")->number, (2 * (3 + 2 * 0.5) + 4 * (5 + 0.5)) / 36);
    covey_attack_report_free(report);
    release_end(&r);
    remove(population);
}

static void test_attack__what_does_not_apply_says_why(void **state)
{
    static const int value[] = {1, 2}, shown[] = {2, 2};
    covey_attack_report *report = NULL;
    release_folder r;

    attacked_perturbed(&r, 2, 2, value, shown);
    assert_int_equal(covey_attack_release(&report, r.path, NULL, NULL, NULL), COVEY_OK);
    for (size_t i = 0; i < report->n_results; i++) {
        const covey_attack_result *result = &report->result[i];

        assert_int_equal(result->applies, !result->why_not[0]);
        if (!result->applies) {
            assert_true(strlen(result->why_not) > 20 && isnan(result->figure) && result->n_details == 0);
            assert_int_equal(result->verdict, COVEY_ATTACK_INFORMATION);
        }
    }
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack__another_table_is_refused(void **state)
{
    const attacked_table table = {nothing, 2, 2, {{1, 1}, {2, 2}}};
    covey_attack_options options = {0};
    covey_attack_report *report = NULL;
    covey_error err;
    release_folder r;

    attacked_generalized(&r, &table);
    release_original(&r, "age,s\n1,v1\n2,v1\n3,v2\n4,v1\n5,v2\n6,v2\n"); /* the same values, but not in these classes */
    options.original = r.original;
    assert_int_equal(covey_attack_release(&report, r.path, &options, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "is not the table"));
    options.name = (const char *const[]){"composition"};
    options.n_names = 1;
    assert_int_equal(covey_attack_release(&report, r.path, &options, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "--with"));
    assert_null(report);
    release_end(&r);
}

static void test_attack__suppressed_rows_are_a_class_where_the_prior_tells_of_them(void **state)
{
    const attacked_table table = {nothing, 2, 2, {{3, 3}, {0, 2}}};
    release_folder r;
    covey_attack_report *report;

    attacked_generalized(&r, &table);
    release_put(&r, "table.csv",
                "class,age,s\n1,\"[1, 6]\",v1\n1,\"[1, 6]\",v1\n1,\"[1, 6]\",v1\n"
                "1,\"[1, 6]\",v2\n1,\"[1, 6]\",v2\n1,\"[1, 6]\",v2\n");
    release_set(&r, "published_rows", "6");
    release_set(&r, "suppressed_rows", "2");
    release_set(&r, "classes", "1");
    release_write(&r);
    report = attacked_run(&r, "homogeneity", NULL);
    assert_near(report->result->figure, 1);
    assert_int_equal(attacked_detail(report, "certain_rows")->integer, 2);
    covey_attack_report_free(report);
    report = attacked_run(&r, "skewness", NULL);
    assert_string_equal(attacked_cell(report, "worst", 0, "class")->text, "suppressed");
    assert_string_equal(report->result->figure_text, "8/5");
    covey_attack_report_free(report);
    release_end(&r);
}

/* A release that protects nothing but who is who: rows are dealt out to classes by their cells alone. */
static void test_attack__households_are_found_without_a_sensitive_attribute(void **state)
{
    covey_attack_options options = {.entity = "h"};
    covey_attack_report *report;
    release_folder r;

    release_begin(&r);
    release_original(&r, "age,h\n1,a\n2,a\n3,b\n4,c\n5,c\n");
    release_put(&r, "table.csv", "class,age\n1,\"[1, 2]\"\n1,\"[1, 2]\"\n2,\"[3, 5]\"\n2,\"[3, 5]\"\n2,\"[3, 5]\"\n");
    release_state(&r, "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'generalized',"
                      " 'method': {'name': 'mondrian', 'parameters': {}}, 'rows': 5, 'published_rows': 5, "
                      "'suppressed_rows': 0, 'dropped_rows': 0,"
                      " 'classes': 2, 'missing': [''], 'promises': [{'model': 'k-anonymity', 'parameters': {'k': '2'}, "
                      "'threshold': 2, 'achieved': 2,"
                      " 'achieved_value': 2.0, 'holds': true}], 'columns': [{'name': 'age', 'role': "
                      "'quasi-identifier', 'type': 'integer',"
                      " 'publish': 'range', 'weight': '1', 'domain': [1, 9], 'has_missing': false}], 'objective': null,"
                      " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': 13, 'average_class_size': 2.5, "
                      "'largest_risk': null, 'mean_risk': null}}");
    release_write(&r);
    report = attacked_run(&r, "re-identification", &options);
    assert_int_equal(attacked_detail(report, "entities")->integer, 3);
    assert_near(attacked_detail(report, "entity_max")->number, 0.75); /* 1 - (1/2)^2 */
    assert_near(attacked_detail(report, "entity_expected_matches")->number, 0.75 + 1.0 / 3 + 5.0 / 9);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_SAFE);
    covey_attack_report_free(report);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attack__skewness_and_homogeneity_of_the_example),
        cmocka_unit_test(test_attack__verdicts_are_those_of_the_models),
        cmocka_unit_test(test_attack__who_knows_a_row_subtracts_it),
        cmocka_unit_test(test_attack__it_is_told_how_many_known_rows_do_no_harm),
        cmocka_unit_test(test_attack__values_that_are_ruled_out_leave_the_others),
        cmocka_unit_test(test_attack__two_releases_leave_one_value_in_common),
        cmocka_unit_test(test_attack__perturbing_twice_exceeds_what_was_promised),
        cmocka_unit_test(test_attack__a_figure_that_reaches_its_bound_does_not_exceed_it),
        cmocka_unit_test(test_attack__equal_chances_go_to_the_first_value),
        cmocka_unit_test(test_attack__a_release_that_separates_values_teaches_them),
        cmocka_unit_test(test_attack__rows_that_look_alike_are_as_many_chances),
        cmocka_unit_test(test_attack__households_are_found_without_a_sensitive_attribute),
        cmocka_unit_test(test_attack__individual_risk_is_the_mean_of_its_definition),
        cmocka_unit_test(test_attack__a_population_hides_who_is_in_the_release),
        cmocka_unit_test(test_attack__what_does_not_apply_says_why),
        cmocka_unit_test(test_attack__another_table_is_refused),
        cmocka_unit_test(test_attack__suppressed_rows_are_a_class_where_the_prior_tells_of_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
