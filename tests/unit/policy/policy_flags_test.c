/* Policies from flags: each key, any order, over a file. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "policy/policy_impl.h"

static const char file[] =
    "version: 1\ninput: {path: t.csv}\n"
    "attributes:\n  - {name: age, role: quasi-identifier, type: integer}\n  - {name: s, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 5}, {model: distinct-l-diversity, l: 2}]\n"
    "method: {name: mondrian, cuts: 3}\nsuppression: 0.01\n";

static covey_policy *from_file(void)
{
    covey_policy *policy = NULL;
    covey_error err;

    if (covey_policy_parse(&policy, file, strlen(file), "cfg/p.yaml", &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return policy;
}

static covey_policy *from_nothing(void)
{
    covey_policy *policy = NULL;

    assert_int_equal(covey_policy_new(&policy, NULL), COVEY_OK);
    return policy;
}

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("%s", err.message);
}

static void check(covey_policy *policy)
{
    covey_error err;

    if (covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s", err.message);
}

/* A flag over the file that is refused. */
static void refuse_as(covey_status expected, const char *key, const char *value, const char *message)
{
    covey_policy *policy = from_file();
    covey_error err = {0};
    covey_status status = covey_policy_set(policy, key, value, &err);

    if (status == COVEY_OK)
        status = covey_policy_check(policy, &err);
    assert_string_equal(err.message, message);
    assert_int_equal(status, expected);
    covey_policy_free(policy);
}

static void refuse(const char *key, const char *value, const char *message)
{
    refuse_as(COVEY_EINVAL, key, value, message);
}

static const covey_wish_attribute *attribute(const covey_policy *policy, const char *name)
{
    int found = covey_i_policy_find_attribute(policy, name);

    assert_true(found >= 0);
    return &policy->attribute[found];
}

static void flags_alone_make_a_policy(void **state)
{
    covey_policy *p = from_nothing();

    set(p, "quasi", "a, b,c");
    set(p, "sensitive", "s");
    set(p, "identifier", "[\"id, really\"]");
    set(p, "insensitive", "x");
    set(p, "model", "k-anonymity:k=5");
    set(p, "model", "recursive-cl-diversity:c=5/3,l=2,attribute=s");
    set(p, "method", "mondrian:cut=relaxed,min-size=7");
    set(p, "input", "data/t.csv");
    set(p, "others", "drop");
    set(p, "suppression", "0.05");
    set(p, "null", ",?,NA");
    set(p, "delimiter", "\\t");
    set(p, "missing-quasi", "drop");
    set(p, "missing-sensitive", "value");
    set(p, "trim", "true");
    set(p, "type", "a=integer");
    set(p, "weight", "a=5/3");
    set(p, "domain", "a=[0, 120]");
    set(p, "hierarchy", "b=h/b.csv");
    set(p, "hierarchy", "c={mask: 3}");
    set(p, "publish", "c=label");
    set(p, "order", "x=[low, mid]");
    check(p);
    assert_null(p->path);
    assert_string_equal(p->input_path, "data/t.csv");
    assert_int_equal(p->n_attributes, 6);
    assert_int_equal(attribute(p, "b")->role, COVEY_ROLE_QUASI);
    assert_int_equal(attribute(p, "id, really")->role, COVEY_ROLE_IDENTIFIER);
    assert_int_equal(p->n_promises, 2);
    assert_string_equal(p->promise[1].attribute, "s");
    assert_string_equal(p->promise[1].param_texts[0], "5/3");
    assert_int_equal(p->others, COVEY_ROLE_IDENTIFIER);
    assert_int_equal(p->suppression_limit.den, 20);
    assert_int_equal(p->n_null, 3);
    assert_string_equal(p->null[0], "");
    assert_string_equal(p->null[2], "NA");
    assert_int_equal(p->delimiter, '\t');
    assert_int_equal(p->missing_quasi, COVEY_MISSING_DROP);
    assert_int_equal(p->missing_sensitive, COVEY_MISSING_VALUE);
    assert_true(p->trim);
    assert_int_equal(attribute(p, "a")->weight.den, 3);
    assert_string_equal(attribute(p, "a")->domain_high, "120");
    assert_string_equal(attribute(p, "b")->hierarchy.path, "h/b.csv");
    assert_int_equal(attribute(p, "c")->hierarchy.n, 3);
    assert_int_equal(attribute(p, "x")->n_order, 2);
    covey_policy_free(p);
}

static void a_flag_changes_its_key_and_nothing_else(void **state)
{
    covey_policy *p = from_file();

    set(p, "weight", "age=3");
    set(p, "attribute", "{name: zip, role: quasi-identifier}");
    check(p);
    assert_int_equal(attribute(p, "age")->type, COVEY_TYPE_INTEGER);
    assert_int_equal(attribute(p, "age")->role, COVEY_ROLE_QUASI);
    assert_int_equal(attribute(p, "age")->weight.num, 3);
    assert_int_equal(attribute(p, "zip")->role, COVEY_ROLE_QUASI);
    assert_int_equal(p->n_promises, 2);
    covey_policy_free(p);
}

static void an_attribute_can_be_given_as_yaml(void **state)
{
    covey_policy *p = from_file();

    set(p, "attribute", "{name: \"a=b, c\", role: quasi-identifier, hierarchy: {balanced: 2}}");
    set(p, "attribute", "{name: age, weight: 2}");
    check(p);
    assert_int_equal(attribute(p, "a=b, c")->hierarchy.n, 2);
    assert_int_equal(attribute(p, "age")->role, COVEY_ROLE_QUASI);
    assert_int_equal(attribute(p, "age")->weight.num, 2);
    covey_policy_free(p);
}

static void the_first_model_flag_replaces_those_of_the_file(void **state)
{
    covey_policy *p = from_file();

    set(p, "model", "k-anonymity:k=9");
    set(p, "model", "{model: t-closeness, t: 0.2}");
    check(p);
    assert_int_equal(p->n_promises, 2);
    assert_string_equal(p->promise[0].param_texts[0], "9");
    assert_string_equal(covey_model_name(p->promise[1].model), "t-closeness");
    covey_policy_free(p);
}

static const char *method_param(const covey_policy *p, const char *name)
{
    for (size_t i = 0; i < p->method.n_params; i++)
        if (strcmp(p->method.param_names[i], name) == 0)
            return p->method.param_texts[i];
    return "(none)";
}

static void parameters_of_the_method_may_come_before_it(void **state)
{
    covey_policy *p = from_nothing();

    set(p, "cuts", "3");
    set(p, "quasi", "a");
    set(p, "input", "t.csv");
    set(p, "model", "k-anonymity:k=2");
    set(p, "method", "mondrian");
    set(p, "min-size", "4");
    check(p);
    assert_string_equal(method_param(p, "cuts"), "3");
    assert_string_equal(method_param(p, "cut"), "strict");
    assert_string_equal(method_param(p, "min-size"), "4");
    covey_policy_free(p);
}

static void a_parameter_flag_wins_over_the_files_parameter_and_the_last_flag_over_the_first(void **state)
{
    covey_policy *p = from_file();

    check(p);
    assert_string_equal(method_param(p, "cuts"), "3");
    set(p, "cuts", "3");
    set(p, "cuts", "1");
    assert_false(p->is_checked);
    check(p);
    check(p);
    assert_string_equal(method_param(p, "cuts"), "1");
    covey_policy_free(p);
    p = from_file();
    set(p, "method", "mondrian");
    check(p);
    assert_string_equal(method_param(p, "cuts"), "1");
    covey_policy_free(p);
}

static void a_role_flag_wins_over_the_file_but_two_flags_must_agree(void **state)
{
    covey_policy *p = from_file();
    covey_error err;

    set(p, "sensitive", "age");
    set(p, "quasi", "s");
    set(p, "quasi", "s");
    assert_int_equal(covey_policy_set(p, "insensitive", "s", &err), COVEY_EINVAL);
    assert_string_equal(err.message,
                        "--insensitive: attribute \"s\" has another role by --quasi: one attribute has one role");
    check(p);
    assert_int_equal(attribute(p, "age")->role, COVEY_ROLE_SENSITIVE);
    covey_policy_free(p);
}

static void a_role_flag_names_all_attributes_of_its_role(void **state)
{
    static const char lost[] = "--quasi names all attributes of that role, and not \"age\", which has it in "
                               "cfg/p.yaml: name it there too, in another role,"
                               " or say with --others drop or --others insensitive what becomes of it";
    covey_policy *p = from_file();
    covey_error err;

    set(p, "quasi", "zip");
    set(p, "quasi", "city");
    assert_int_equal(covey_policy_check(p, &err), COVEY_EINVAL);
    assert_string_equal(err.message, lost);
    set(p, "others", "insensitive");
    check(p);
    assert_int_equal(attribute(p, "age")->role, COVEY_ROLE_INSENSITIVE);
    set(p, "others", "drop");
    check(p);
    assert_int_equal(attribute(p, "age")->role, COVEY_ROLE_IDENTIFIER);
    assert_int_equal(attribute(p, "zip")->role, COVEY_ROLE_QUASI);
    assert_int_equal(attribute(p, "city")->role, COVEY_ROLE_QUASI);
    set(p, "identifier", "age");
    check(p);
    covey_policy_free(p);
}

static void what_has_lost_its_role_is_not_published_because_the_file_publishes_others(void **state)
{
    static const char start[] =
        "version: 1\ninput: {path: t.csv}\nprivacy: [{model: k-anonymity, k: 5}]\n"
        "attributes: [{name: age, role: quasi-identifier}, {name: zip, role: quasi-identifier}]\n";
    static const char *const others[] = {"insensitive", "drop"};

    for (int i = 0; i < 2; i++) {
        covey_policy *p = NULL;
        char text[512];
        covey_error err;

        snprintf(text, sizeof text, "%sothers: %s\n", start, others[i]);
        assert_int_equal(covey_policy_parse(&p, text, strlen(text), "p.yaml", &err), COVEY_OK);
        set(p, "quasi", "zip");
        assert_int_equal(covey_policy_check(p, &err), i == 0 ? COVEY_EINVAL : COVEY_OK);
        assert_int_equal(attribute(p, "age")->role, i == 0 ? COVEY_ROLE_UNSET : COVEY_ROLE_IDENTIFIER);
        covey_policy_free(p);
    }
}

static void presets_come_singly_or_in_lists(void **state)
{
    static const char *const lists[] = {"cms11,ema9", "[cms11, {name: ema9}]",
                                        "cms11,ema9,hipaa-zip3:small-areas=\"a,b.csv\"",
                                        "hipaa-zip3:small-areas=a.csv,cms11,{name: ema9}"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        covey_policy *p = from_file();

        set(p, "preset", lists[i]);
        assert_int_equal(p->own->n_presets, i < 2 ? 2 : 3);
        covey_policy_free(p);
    }
    refuse_as(COVEY_ENOTFOUND, "preset", "cms11,ema10",
              "--preset: unknown preset \"ema10\"; known are cms11, ema9, ipc-low, ipc-medium, ipc-high, hipaa-zip3");
    refuse("preset", "cms11,", "--preset: a preset must be cms11 or {name: cms11}, not nothing");
}

static void complaints_begin_with_the_flag(void **state)
{
    refuse("type", "age=int", "--type: unknown type \"int\"; did you mean \"integer\"?");
    refuse("type", "integer", "--type: NAME=VALUE is expected, such as age=..., not \"integer\"");
    refuse("quasi", "a,,b", "--quasi: names are expected, separated by commas, not \"a,,b\"");
    refuse("quasi", "", "--quasi: names are expected, separated by commas, not \"\"");
    refuse("hierarchy", "age={mask: x}", "--hierarchy: mask must be a whole number of at least 1, not \"x\"");
    refuse_as(COVEY_EPARSE, "hierarchy", "age={mask",
              "--hierarchy: not YAML: did not find expected ',' or '}', while parsing a flow mapping: is the mapping "
              "closed with }? Texts with , : ? [ ] { } stand in quotes "
              "(line 2, column 1)");
    refuse("model", "k-anonymity:5", "--model: \"5\" is not of the form parameter=value");
    refuse("model", "k-anonymity:k=5,k=6", "--model: \"k\" is given twice");
    refuse("model", "k-anonymity", "--model: model k-anonymity needs k: fewest rows of a class");
    refuse("model", "", "--model: a promise must be {model: k-anonymity, k: 5}, not nothing");
    refuse_as(COVEY_ENOTFOUND, "model", "k-anonimity:k=2",
              "--model: unknown model \"k-anonimity\"; did you mean \"k-anonymity\"?");
    refuse_as(COVEY_ENOTFOUND, "method", "mondrain",
              "--method: unknown method \"mondrain\"; did you mean \"mondrian\"?");
    refuse("method", "auto:cut=strict",
           "--method: unknown parameter of method auto: \"cut\"; known are time-limit, name");
    refuse("suppression", "2",
           "--suppression: the suppression limit must be a share of the rows, from 0 to 1, not \"2\"");
    refuse("suppression", "{limit: x}",
           "--suppression: the suppression limit must be a number such as 2, 0.25 or 5/3, not \"x\"");
    refuse("trim", "", "--trim: trim must be true or false, not nothing");
    refuse("others", "keep", "--others: unknown others \"keep\"; known are drop, insensitive");
    refuse("groups", "{bye: [region]}", "--groups: unknown key in groups: \"bye\"; did you mean \"by\"?");
    refuse("groups", "region", "--groups: groups must be a mapping such as {by: ...}, not \"region\"");
    refuse("order", "age=[a, a]", "--order: order lists \"a\" twice");
    refuse("order", "age=[a, b]",
           "cfg/p.yaml:4:5: attribute \"age\" is integer: `order` is for text, numbers and dates have their own");
    refuse("attribute", "age",
           "--attribute: an attribute must be a mapping such as {name: age, role: quasi-identifier}, not \"age\"");
    refuse("quasi", "a\xff", "--quasi: the value is not UTF-8 text (byte 2)");
    refuse("cuts", "9", "--cuts: method mondrian: cuts must be one of 1, 3, not \"9\"");
    refuse_as(COVEY_EPARSE, "cuts", "[1",
              "--cuts: not YAML: did not find expected ',' or ']', while parsing a flow sequence: is the list closed "
              "with ]? Texts with , : ? [ ] { } stand in quotes (line 2, column 1)");
}

static void unknown_flags_are_told(void **state)
{
    refuse("sensitve", "x", "unknown flag \"sensitve\"; did you mean \"sensitive\"?");
    refuse("cutss", "1", "unknown flag \"cutss\"; did you mean \"cuts\"?");
    refuse("colour", "1", "unknown flag \"colour\"; it is no key of a policy and no parameter of a method");
}

static void parameters_need_a_method_by_name(void **state)
{
    covey_policy *p = from_nothing();
    covey_error err;

    set(p, "quasi", "a");
    set(p, "input", "t.csv");
    set(p, "model", "k-anonymity:k=2");
    set(p, "cut", "strict");
    assert_int_equal(covey_policy_check(p, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "--cut needs a method by name: add --method with one of "));
    assert_non_null(strstr(err.message, "mondrian"));
    covey_policy_free(p);
}

static void values_with_commas_are_kept_together_by_brackets_and_quotes(void **state)
{
    covey_policy *p = from_file();

    set(p, "model", "alpha-k-anonymity:alpha=1/2,k=3,value=\"a, b\"");
    check(p);
    assert_string_equal(p->promise[0].param_texts[2], "a, b");
    covey_policy_free(p);
}

static void vary(covey_policy *p, const char *key, const char *value)
{
    covey_error err = {0};

    assert_string_equal(covey_policy_vary(p, key, value, &err) == COVEY_OK ? "" : err.message, "");
    check(p);
}

static void what_is_varied_can_be_varied_again(void **state)
{
    covey_policy *p = NULL;
    covey_error err;

    assert_int_equal(covey_policy_new(&p, &err), COVEY_OK);
    set(p, "input", "t.csv");
    set(p, "quasi", "a,b,c");
    set(p, "sensitive", "s");
    set(p, "model", "recursive-cl-diversity:c=3,l=2");
    set(p, "model", "alpha-k-anonymity:alpha=1/2,k=3");
    set(p, "model", "k-anonymity:k=4");
    vary(p, "k", "7");
    assert_string_equal(covey_model_name(p->promise[0].model), "recursive-cl-diversity");
    assert_string_equal(p->promise[0].param_texts[1], "2");
    assert_string_equal(p->promise[1].param_texts[0], "1/2");
    assert_string_equal(p->promise[1].param_texts[1], "7");
    assert_string_equal(p->promise[2].param_texts[0], "7");
    vary(p, "k-anonymity.k", "9");
    assert_string_equal(p->promise[1].param_texts[1], "7");
    assert_string_equal(p->promise[2].param_texts[0], "9");
    assert_int_equal(p->n_promises, 3);
    vary(p, "quasi", "a+c");
    assert_int_equal(p->attribute[1].role, COVEY_ROLE_IDENTIFIER);
    vary(p, "quasi", "[b]");
    assert_int_equal(p->attribute[0].role, COVEY_ROLE_IDENTIFIER);
    assert_int_equal(p->attribute[1].role, COVEY_ROLE_QUASI);
    assert_false(p->attribute[1].is_left_out);
    vary(p, "suppression", "5%");
    assert_int_equal(p->suppression_limit.den, 20);
    covey_policy_free(p);
}

static void every_flag_is_described(void **state)
{
    for (size_t i = 0; i < covey_policy_flag_count(); i++) {
        const covey_policy_flag *flag = covey_policy_flag_at(i);

        assert_true(flag->name[0] && flag->value[0] && flag->help[0]);
        assert_true(strlen(flag->help) < 100);
    }
    assert_null(covey_policy_flag_at(covey_policy_flag_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_alone_make_a_policy),
        cmocka_unit_test(a_flag_changes_its_key_and_nothing_else),
        cmocka_unit_test(an_attribute_can_be_given_as_yaml),
        cmocka_unit_test(the_first_model_flag_replaces_those_of_the_file),
        cmocka_unit_test(parameters_of_the_method_may_come_before_it),
        cmocka_unit_test(a_parameter_flag_wins_over_the_files_parameter_and_the_last_flag_over_the_first),
        cmocka_unit_test(a_role_flag_wins_over_the_file_but_two_flags_must_agree),
        cmocka_unit_test(a_role_flag_names_all_attributes_of_its_role),
        cmocka_unit_test(what_has_lost_its_role_is_not_published_because_the_file_publishes_others),
        cmocka_unit_test(presets_come_singly_or_in_lists),
        cmocka_unit_test(complaints_begin_with_the_flag),
        cmocka_unit_test(unknown_flags_are_told),
        cmocka_unit_test(parameters_need_a_method_by_name),
        cmocka_unit_test(values_with_commas_are_kept_together_by_brackets_and_quotes),
        cmocka_unit_test(what_is_varied_can_be_varied_again),
        cmocka_unit_test(every_flag_is_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
