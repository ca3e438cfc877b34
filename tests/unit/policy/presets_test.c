/* Presets: promises and treatments by name. */
#include "test.h"

#include <string.h>

#include "model/preset_claims.h"
#include "policy/policy_impl.h"
#include "policy/preset/preset_impl.h"
#include "table/column_words.h"

static covey_policy *parse(const char *text)
{
    covey_policy *policy = NULL;
    covey_error err;

    if (covey_policy_parse(&policy, text, strlen(text), "cfg/p.yaml", &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return policy;
}

static covey_policy *accept(const char *text)
{
    covey_policy *policy = parse(text);
    covey_error err;

    if (covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return policy;
}

static void refuse(const char *text, const char *message)
{
    covey_policy *policy = NULL;
    covey_error err = {0};
    covey_status status = covey_policy_parse(&policy, text, strlen(text), "cfg/p.yaml", &err);

    if (status == COVEY_OK)
        status = covey_policy_check(policy, &err);
    assert_string_equal(err.message, message);
    assert_int_not_equal(status, COVEY_OK);
    covey_policy_free(policy);
}

#define HEAD "version: 1\ninput: {path: t.csv}\n"
#define PEOPLE "attributes:\n  - {name: AGEP, role: quasi-identifier}\n  - {name: zip_code, role: quasi-identifier}\n"

/* The risk that a preset is about, the k that it promises. */
static void presets_promise_the_k_that_their_risk_asks_for(void **state)
{
    static const struct {
        const char *name, *k;
        covey_ratio risk;
    } cases[] = {{"cms11", "11", {1, 11}},
                 {"ema9", "12", {9, 100}},
                 {"ipc-low", "12", {9, 100}},
                 {"ipc-medium", "14", {75, 1000}},
                 {"ipc-high", "20", {5, 100}}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const covey_preset_claim *claim = covey_i_preset_claim(cases[i].name);

        assert_non_null(covey_preset_find(cases[i].name));
        assert_non_null(claim);
        assert_string_equal(claim->k, cases[i].k);
        assert_int_equal(atoll(claim->k), (cases[i].risk.den + cases[i].risk.num - 1) / cases[i].risk.num);
    }
}

static void every_preset_describes_itself(void **state)
{
    assert_true(covey_preset_count() >= 6);
    for (size_t i = 0; i < covey_preset_count(); i++) {
        const covey_preset *preset = covey_preset_at(i);
        const covey_preset_claim *claim = covey_i_preset_claim(covey_preset_name(preset));
        size_t n;

        assert_ptr_equal(covey_preset_find(covey_preset_name(preset)), preset);
        assert_true(strlen(covey_preset_summary(preset)) > 20);
        assert_true(strlen(covey_preset_source(preset)) > 5);
        covey_preset_params(preset, &n);
        assert_non_null(claim); /* so that releases can be held to it */
        assert_true(claim->k || preset->treat);
        assert_true((claim->oldest != NULL) == (preset->treat != NULL));
    }
    assert_null(covey_preset_at(covey_preset_count()));
    assert_null(covey_preset_find("cms10"));
}

static void the_presets_k_and_the_policys_own_both_stand(void **state)
{
    covey_policy *p = accept(HEAD PEOPLE "privacy: [{model: k-anonymity, k: 5}]\npresets: [cms11, {name: ema9}]\n");

    assert_int_equal(p->n_promises, 3);
    assert_string_equal(p->promise[0].param_texts[0], "5");
    assert_null(p->promise[0].preset);
    assert_string_equal(p->promise[1].param_texts[0], "11");
    assert_string_equal(p->promise[1].preset, "cms11");
    assert_string_equal(p->promise[2].param_texts[0], "12");
    assert_int_equal(p->n_presets, 2);
    assert_string_equal(p->preset[1], "ema9");
    assert_int_equal(p->promise[2].line, 7);
    covey_policy_free(p);
}

static void a_preset_alone_is_a_promise_and_checking_twice_adds_nothing(void **state)
{
    covey_policy *p = accept(HEAD PEOPLE "presets: [ipc-high]\n");

    assert_int_equal(covey_policy_check(p, NULL), COVEY_OK);
    assert_int_equal(p->n_promises, 1);
    assert_int_equal(covey_policy_set(p, "preset", "cms11", NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(p, "model", "k-anonymity:k=3", NULL), COVEY_OK);
    assert_int_equal(covey_policy_check(p, NULL), COVEY_OK);
    assert_int_equal(p->n_promises, 3);
    assert_string_equal(p->promise[0].param_texts[0], "3");
    assert_string_equal(p->promise[2].preset, "cms11");
    covey_policy_free(p);
}

static void slips_in_presets_are_found(void **state)
{
    refuse(HEAD "presets: [cms12]\n", "cfg/p.yaml:3:11: unknown preset \"cms12\"; did you mean \"cms11\"?");
    refuse(
        HEAD "presets: [gdpr]\n",
        "cfg/p.yaml:3:11: unknown preset \"gdpr\"; known are cms11, ema9, ipc-low, ipc-medium, ipc-high, hipaa-zip3");
    refuse(HEAD "presets: [cms11, cms11]\n", "cfg/p.yaml:3:18: the preset cms11 is named twice");
    refuse(HEAD "presets: [{name: cms11, k: 3}]\n",
           "cfg/p.yaml:3:25: unknown parameter of preset cms11: \"k\"; known are name");
    refuse(HEAD "presets: cms11\n", "cfg/p.yaml:3:10: presets must be a list such as [cms11], not \"cms11\"");
    refuse(HEAD "presets: [{small-areas: x}]\n", "cfg/p.yaml:3:11: a preset has no name: write cms11 or {name: cms11}");
}

static void hipaa_finds_age_and_zip_by_name_and_gives_them_their_hierarchies(void **state)
{
    covey_policy *p =
        accept(HEAD PEOPLE
               "privacy: [{model: k-anonymity, k: 5}]\npresets: [{name: hipaa-zip3, small-areas: lists/small.txt}]\n");

    assert_int_equal(p->attribute[0].hierarchy.kind, COVEY_HIERARCHY_TOP);
    assert_int_equal(p->attribute[0].hierarchy.n, 90);
    assert_string_equal(p->attribute[0].hierarchy_preset, "hipaa-zip3");
    assert_int_equal(p->attribute[1].hierarchy.kind, COVEY_HIERARCHY_ZIP3);
    assert_string_equal(p->attribute[1].hierarchy.path, "cfg/lists/small.txt");
    assert_int_equal(p->n_warnings, 1);
    assert_non_null(strstr(p->warning[0], "two of the rules of Safe Harbor, not all"));
    assert_non_null(strstr(p->warning[0], "(45 CFR 164.514(b)(2))"));
    covey_policy_free(p);
}

#define PRESET(params) HEAD PEOPLE "privacy: [{model: k-anonymity, k: 5}]\npresets: [{name: hipaa-zip3" params "}]\n"

static void hipaa_says_what_it_lacks(void **state)
{
    refuse(PRESET(""), "cfg/p.yaml:7:11: preset hipaa-zip3: small-areas is missing: name a file with one three-digit "
                       "ZIP area per line, those where "
                       "20,000 people or fewer live by the current census (they are published as 000)");
    refuse(PRESET(", small-area: x"),
           "cfg/p.yaml:7:30: unknown parameter of preset hipaa-zip3: \"small-area\"; did you mean \"small-areas\"?");
    refuse(PRESET(", small-areas: x, age: AGE"),
           "cfg/p.yaml:7:11: preset hipaa-zip3: the policy has no attribute \"AGE\"");
    refuse(HEAD "attributes: [{name: a, role: quasi-identifier}]\npresets: [hipaa-zip3, cms11]\n",
           "cfg/p.yaml:4:11: preset hipaa-zip3: no attribute looks like age: name it with `age: NAME`, or say `age: "
           "none`");
    refuse(
        HEAD "attributes: [{name: age, role: quasi-identifier}, {name: ageYears, role: quasi-identifier}]\npresets: "
             "[hipaa-zip3]\n",
        "cfg/p.yaml:4:11: preset hipaa-zip3: both \"age\" and \"ageYears\" look like age: say which with `age: NAME`");
    refuse(HEAD "attributes: [{name: age, role: insensitive}, {name: q, role: quasi-identifier}]\npresets: [{name: "
                "hipaa-zip3, zip: none}]\n",
           "cfg/p.yaml:4:11: preset hipaa-zip3: attribute \"age\" must be a quasi-identifier (or an identifier, which "
           "is dropped), not insensitive");
    refuse(
        HEAD "attributes: [{name: age, role: quasi-identifier, hierarchy: {balanced: 2}}]\npresets: [{name: "
             "hipaa-zip3, zip: none}]\n",
        "cfg/p.yaml:4:11: preset hipaa-zip3: attribute \"age\" gets its hierarchy from the preset: take out its own");
}

static void hipaa_may_be_told_where_age_and_zip_are_by_a_flag(void **state)
{
    covey_policy *p = parse(HEAD "attributes: [{name: years, role: quasi-identifier}, {name: area, role: identifier}]\n"
                                 "privacy: [{model: k-anonymity, k: 5}]\n");

    assert_int_equal(covey_policy_set(p, "preset", "hipaa-zip3:age=years,zip=area", NULL), COVEY_OK);
    assert_int_equal(covey_policy_check(p, NULL), COVEY_OK);
    assert_int_equal(p->attribute[0].hierarchy.kind, COVEY_HIERARCHY_TOP);
    assert_int_equal(p->attribute[1].hierarchy.kind, COVEY_HIERARCHY_NONE);
    covey_policy_free(p);
}

static void names_are_taken_apart_into_words(void **state)
{
    assert_true(covey_i_column_is_age_name("age"));
    assert_true(covey_i_column_is_age_name("AGE"));
    assert_true(covey_i_column_is_age_name("AGEP"));
    assert_true(covey_i_column_is_age_name("patient_age"));
    assert_true(covey_i_column_is_age_name("patientAge"));
    assert_true(covey_i_column_is_age_name("age2019"));
    assert_false(covey_i_column_is_age_name("language"));
    assert_false(covey_i_column_is_age_name("average"));
    assert_false(covey_i_column_is_age_name("agent"));
    assert_true(covey_i_column_is_zip_name("ZIP5"));
    assert_true(covey_i_column_is_zip_name("ZipCode"));
    assert_true(covey_i_column_is_zip_name("zip code"));
    assert_true(covey_i_column_is_zip_name("postal.code"));
    assert_false(covey_i_column_is_zip_name("zipper"));
    assert_false(covey_i_column_is_zip_name(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_promise_the_k_that_their_risk_asks_for),
        cmocka_unit_test(every_preset_describes_itself),
        cmocka_unit_test(the_presets_k_and_the_policys_own_both_stand),
        cmocka_unit_test(a_preset_alone_is_a_promise_and_checking_twice_adds_nothing),
        cmocka_unit_test(slips_in_presets_are_found),
        cmocka_unit_test(hipaa_finds_age_and_zip_by_name_and_gives_them_their_hierarchies),
        cmocka_unit_test(hipaa_says_what_it_lacks),
        cmocka_unit_test(hipaa_may_be_told_where_age_and_zip_are_by_a_flag),
        cmocka_unit_test(names_are_taken_apart_into_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
