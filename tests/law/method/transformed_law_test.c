/* Transformed releases, of random tables, verify with and without their original and are what they promise by a count
 * of our own; forged ones do not verify. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "base/file/folder.h"
#include "base/text.h"

#include "support/release/forged_sheet.h"
#include "support/problem/problem_maker.h"

enum { N_RELEASES = 60, N_FORGED = 12 };

/* Flags of a run beside the columns: values for --target and so on. */
static const char *const wishes[][6][2] = {
    {{"model", "p-private:target=uniform"}},
    {{"model", "p-private"}, {"target", "{zipf: {s: 0.5}}"}, {"fakes", "10%"}},
    {{"model", "p-private:target=source"}, {"scheme", "qi-sa"}, {"groups", "{by: [sex]}"}},
    {{"model", "p-private"}, {"resolution", "exact"}},
    {{"model", "p-private"},
     {"target", "{normal: {mean: 1500, sd: 400}}"},
     {"resolution", "8"},
     {"fakes", "3"},
     {"groups", "{by: [sex]}"}},
    {{"model", "p-private"},
     {"targets", "[{group: {sex: F}, target: source}, {target: uniform, hierarchy: {balanced: 3}}]"},
     {"groups", "{by: [sex]}"}},
    {{"model", "p-private:target=uniform"},
     {"model", "probabilistic-l-diversity:l=2"},
     {"model", "t-closeness:t=0.9"},
     {"resolution", "2"}},
    {{"model", "p-private:target=uniform"}, {"groups", "{method: {name: mondrian}, k: 5}"}, {"fakes", "2"}},
    {{"model", "p-private:target=uniform"}, {"hierarchy", "pay={balanced: 4}"}, {"scheme", "qi-sa"}, {"fakes", "1"}},
    {{"model", "p-private:target=uniform"},
     {"hierarchy", "pay={balanced: 2}"},
     {"model", "t-closeness:t=0.9,distance=numeric"}},
};
enum { N_WISHES = sizeof wishes / sizeof *wishes };

static void put_table(release_folder *r, uint64_t *random)
{
    const uint32_t n = 20 + maker_below(random, 60);
    char text[8192] = "age,sex,pay,note\n";

    for (uint32_t i = 0; i < n; i++) {
        static const char *const places[] = {".50", ".5", "", ".125"}; /* one per value */
        const uint32_t pay = maker_below(random, 1 + maker_below(random, 20));

        snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%c,%u%s,%c\n", 20 + maker_below(random, 6),
                 maker_below(random, 3) ? 'F' : 'M', 1000 + 50 * pay, places[pay % 4],
                 'a' + (int)maker_below(random, 2));
    }
    release_original(r, text);
}

static covey_status try_make(release_folder *r, const char *const (*wish)[2], covey_error *err)
{
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_run run = {.n_threads = 2};
    covey_status status;
    const covey_anonymize_options options = {.force = true};

    covey_i_folder_remove(r->path, NULL);
    assert_int_equal(covey_policy_new(&policy, err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", r->original, err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "quasi", "age,sex", err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "sensitive", "pay", err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "insensitive", "note", err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "method", "distribution", err), COVEY_OK);
    for (size_t i = 0; i < 6 && wish[i][0]; i++)
        if (covey_policy_set(policy, wish[i][0], wish[i][1], err) != COVEY_OK)
            fail_msg("--%s %s: %s", wish[i][0], wish[i][1], err->message);
    if ((status = covey_policy_check(policy, err)) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, r->path, &options, &run, err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return status;
}

static void make(release_folder *r, const char *const (*wish)[2])
{
    covey_error err;

    if (try_make(r, wish, &err) != COVEY_OK)
        fail_msg("%s: %s", wish[1][0] ? wish[1][1] : wish[0][1], err.message);
    release_read(r);
}

static double number_at(const sheet *s, size_t row, size_t column)
{
    return strtod(*sheet_at(s, row, column), NULL);
}

/* Does the average of a group's entries, each spread over the leaves of its node by their probabilities, equal the
 * target? */
static void check_mixture(const sheet *entries, const sheet *targets, size_t first, size_t end, double target)
{
    double mixture[256] = {0}, n = 0;

    assert_true(targets->n_rows <= 256);
    for (size_t e = first; e < end; e++) {
        const double low = number_at(entries, e, 1), high = number_at(entries, e, 2), count = number_at(entries, e, 4);
        double inside = 0;

        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < targets->n_rows; i++) {
                const double at = number_at(targets, i, 1), probability = number_at(targets, i, 5);
                const bool is_leaf = strcmp(*sheet_at(targets, i, 1), *sheet_at(targets, i, 2)) == 0;

                if (number_at(targets, i, 0) != target || !is_leaf || at < low || at > high)
                    continue;
                if (pass == 0)
                    inside += probability;
                else
                    mixture[i] += inside > 0 ? count * probability / inside : 0;
            }
        assert_true(inside > 0);
        n += count;
    }
    for (size_t i = 0; i < targets->n_rows; i++)
        if (number_at(targets, i, 0) == target && strcmp(*sheet_at(targets, i, 1), *sheet_at(targets, i, 2)) == 0) {
            const double off = mixture[i] / n - number_at(targets, i, 5);

            assert_true(off < 1e-9 && off > -1e-9);
        }
}

static void check_groups(const release_folder *r)
{
    sheet entries, targets, groups;
    const bool has_groups = release_at(r, "targets") && json_array_size(release_at(r, "targets")) > 1;

    sheet_read(&entries, r, "sensitive.csv");
    sheet_read(&targets, r, "target.csv");
    if (has_groups)
        sheet_read(&groups, r, "groups.csv");
    for (size_t first = 0, end; first < entries.n_rows; first = end) {
        const double group = number_at(&entries, first, 0);

        for (end = first; end < entries.n_rows && number_at(&entries, end, 0) == group; end++)
            ;
        check_mixture(&entries, &targets, first, end, has_groups ? number_at(&groups, (size_t)group - 1, 1) : 1);
    }
    if (has_groups)
        sheet_free(&groups);
    sheet_free(&entries);
    sheet_free(&targets);
}

static void test_transformed__groups_look_like_their_targets(void **state)
{
    uint64_t random = test_seed(2009);

    for (int i = 0; i < N_RELEASES; i++) {
        release_folder r;

        release_begin(&r);
        put_table(&r, &random);
        make(&r, wishes[i % N_WISHES]);
        release_assert_holds(&r, false);
        release_assert_holds(&r, true);
        check_groups(&r);
        assert_null(release_at(&r, "prior"));
        release_end(&r);
    }
}

/* Exactly the source's shares: nothing is hidden but who has what. */
static void test_transformed__exact_source_keeps_every_value(void **state)
{
    uint64_t random = test_seed(5);
    release_folder r;

    release_begin(&r);
    put_table(&r, &random);
    make(&r, wishes[3]);
    assert_true(json_number_value(release_at(&r, "objective.value")) == 0);
    release_end(&r);
}

typedef void (*forgery)(release_folder *r, sheet *entries, sheet *quasi, sheet *targets);

static void count_one_more(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    char text[32];

    snprintf(text, sizeof text, "%lu", strtoul(*sheet_at(entries, 0, 4), NULL, 10) + 1);
    sheet_set(entries, 0, 4, text);
}

static void drop_an_interval(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    sheet_drop(entries, entries->n_rows - 1);
}

static void change_an_interval(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    sheet_set(entries, 0, 2, "999999.50");
}

static void change_a_weight(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    sheet_set(targets, 1, 4, "7919");
}

static void change_a_probability(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    sheet_set(targets, 1, 5, "0.123456");
}

static void swap_nodes(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    for (size_t c = 0; c < targets->n_columns; c++) {
        char *kept = *sheet_at(targets, 1, c);

        *sheet_at(targets, 1, c) = *sheet_at(targets, 2, c);
        *sheet_at(targets, 2, c) = kept;
    }
}

static void drop_a_row(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    sheet_drop(quasi, quasi->n_rows - 1);
}

static void count_a_made_up_value(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    char text[32];

    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(release_at(r, "objective.fakes")) + 1);
    release_set(r, "objective.fakes", text);
}

static void claim_a_smaller_sum(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    release_set(r, "objective.value", "0.25");
}

static void state_a_prior(release_folder *r, sheet *entries, sheet *quasi, sheet *targets)
{
    release_set(r, "prior", "{'pay': {'1000.50': 1}}");
}

static const forgery forgeries[] = {count_one_more,        drop_an_interval, change_an_interval, change_a_weight,
                                    change_a_probability,  swap_nodes,       drop_a_row,         claim_a_smaller_sum,
                                    count_a_made_up_value, state_a_prior};

static void test_transformed__forged_releases_are_refused(void **state)
{
    uint64_t random = test_seed(77);

    for (int i = 0; i < N_FORGED; i++)
        for (size_t f = 0; f < sizeof forgeries / sizeof *forgeries; f++) {
            sheet entries, quasi, targets;
            covey_verdict *verdict;
            release_folder r;

            release_begin(&r);
            put_table(&r, &random);
            make(&r, wishes[i % N_WISHES]);
            sheet_read(&entries, &r, "sensitive.csv");
            sheet_read(&quasi, &r, "quasi.csv");
            sheet_read(&targets, &r, "target.csv");
            if (targets.n_rows > 3) {
                forgeries[f](&r, &entries, &quasi, &targets);
                sheet_write(&entries, &r, "sensitive.csv");
                sheet_write(&quasi, &r, "quasi.csv");
                sheet_write(&targets, &r, "target.csv");
                release_write(&r);
                verdict = release_verify(&r, false);
                if (verdict->holds)
                    fail_msg("wish %d: forgery %zu is not found", i, f);
                covey_verdict_free(verdict);
            }
            sheet_free(&entries);
            sheet_free(&quasi);
            sheet_free(&targets);
            release_end(&r);
        }
}

/* Private for the target, but of another table. */
static void test_transformed__the_original_is_looked_at(void **state)
{
    uint64_t random = test_seed(31);

    for (int i = 0; i < N_WISHES; i++) {
        release_folder r;
        covey_verdict *verdict;

        release_begin(&r);
        put_table(&r, &random);
        make(&r, wishes[i]);
        put_table(&r, &random);
        verdict = release_verify(&r, true);
        assert_false(verdict->holds);
        covey_verdict_free(verdict);
        release_end(&r);
    }
}

/* The same rows with one value moved to another place: only the intervals can tell. */
static void test_transformed__moved_values_are_found(void **state)
{
    release_folder r;

    release_begin(&r);
    release_original(&r, "age,sex,pay,note\n20,F,1.50,a\n20,F,2.50,a\n21,F,3.50,a\n21,F,4.50,a\n");
    make(&r, wishes[0]);
    release_assert_holds(&r, true);
    release_original(&r, "age,sex,pay,note\n20,F,1.50,a\n20,F,1.50,a\n21,F,3.50,a\n21,F,4.50,a\n");
    release_assert_refused(&r, true, "cannot hold the values of its rows");
    release_end(&r);
}

/* Many values: no common denominator below 2^32.  What single values must keep is judged all the same, exactly and on
 * both sides of the bound. */
static void test_transformed__models_judge_targets_with_large_denominators(void **state)
{
    static const struct {
        const char *model;
        bool holds;
    } cases[] = {
        {"distinct-l-diversity:l=300", true},     {"distinct-l-diversity:l=401", false},
        {"probabilistic-l-diversity:l=50", true}, {"probabilistic-l-diversity:l=400", false},
        {"basic-beta-likeness:beta=50", true},    {"basic-beta-likeness:beta=0.01", false},
        {"enhanced-beta-likeness:beta=9", true},  {"t-closeness:t=0.2", true},
        {"t-closeness:t=0.0001", false},          {"t-closeness:t=0.02,distance=equal", false},
    };
    covey_text text = COVEY_TEXT_INIT;
    uint64_t random = test_seed(11);
    release_folder r;

    release_begin(&r);
    covey_i_text_add_string(&text, "age,sex,pay,note\n");
    for (int i = 0; i < 1500; i++)
        covey_i_text_add_format(&text, "%u,F,%u,a\n", 20 + maker_below(&random, 6),
                                maker_below(&random, 2) ? maker_below(&random, 400) : (uint32_t)i % 400);
    release_original(&r, text.bytes);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const wish[6][2] = {{"model", "p-private"}, {"model", cases[i].model}, {"resolution", "11"}};
        covey_error err;

        if (try_make(&r, wish, &err) != (cases[i].holds ? COVEY_OK : COVEY_EINFEASIBLE))
            fail_msg("%s: %s", cases[i].model, err.message);
        if (!cases[i].holds) {
            assert_non_null(strstr(err.message, "the target that is used breaks"));
            continue;
        }
        release_read(&r);
        release_assert_holds(&r, true);
    }
    covey_i_text_free(&text);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transformed__groups_look_like_their_targets),
        cmocka_unit_test(test_transformed__exact_source_keeps_every_value),
        cmocka_unit_test(test_transformed__forged_releases_are_refused),
        cmocka_unit_test(test_transformed__the_original_is_looked_at),
        cmocka_unit_test(test_transformed__moved_values_are_found),
        cmocka_unit_test(test_transformed__models_judge_targets_with_large_denominators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
