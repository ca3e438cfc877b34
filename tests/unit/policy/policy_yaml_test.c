/* Policy files: what is read, and what every complaint says and where. */
#include "test.h"

#include <string.h>

#include "policy/policy_impl.h"

#define HEAD "version: 1\ninput: {path: t.csv}\n"
#define ATTRIBUTES "attributes:\n  - {name: age, role: quasi-identifier}\n  - {name: s, role: sensitive}\n"
#define K5 "privacy: [{model: k-anonymity, k: 5}]\n"

static covey_status parse(covey_policy **out, const char *text, covey_error *err)
{
    return covey_policy_parse(out, text, strlen(text), "cfg/p.yaml", err);
}

static covey_policy *accept(const char *text)
{
    covey_policy *policy = NULL;
    covey_error err = {0};

    if (parse(&policy, text, &err) != COVEY_OK || covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return policy;
}

/* Neither read nor checked without this complaint. */
static void refuse_as(covey_status expected, const char *text, const char *message)
{
    covey_policy *policy = NULL;
    covey_error err = {0};
    covey_status status = parse(&policy, text, &err);

    if (status == COVEY_OK)
        status = covey_policy_check(policy, &err);
    assert_string_equal(err.message, message);
    assert_int_equal(status, expected);
    assert_int_equal(err.status, expected);
    covey_policy_free(policy);
}

static void refuse(const char *text, const char *message)
{
    refuse_as(COVEY_EINVAL, text, message);
}

/* A complaint about the attribute list's first entry, which stands in line 4. */
static void refuse_attribute(const char *attribute, const char *message)
{
    char text[1000];

    snprintf(text, sizeof text, HEAD "attributes:\n  - %s\n  - {name: q, role: quasi-identifier}\n" K5, attribute);
    refuse(text, message);
}

static void the_example_of_the_documents_is_read(void **state)
{
    covey_policy *p = accept(
        "version: 1\n"
        "input:\n"
        "  path: adult.csv            # relative to the policy\n"
        "  delimiter: \";\"\n"
        "  null: [\"\", \"?\"]\n"
        "  missing-sensitive: drop\n"
        "  trim: true\n"
        "attributes:\n"
        "  - {name: id,         role: identifier}\n"
        "  - {name: age,        role: quasi-identifier, type: integer, domain: [0, 120]}\n"
        "  - {name: education,  role: quasi-identifier, hierarchy: {file: hierarchies/education.csv}, weight: 2}\n"
        "  - {name: zip,        role: quasi-identifier, hierarchy: {mask: 5}}\n"
        "  - {name: occupation, role: sensitive, order: [low, mid, high]}\n"
        "  - {name: income,     role: insensitive}\n"
        "others: drop\n"
        "privacy:\n"
        "  - {model: k-anonymity, k: 5}\n"
        "  - {model: enhanced-beta-likeness, beta: 5/3}\n"
        "method: {name: mondrian, min-size: 3}\n"
        "suppression: {limit: 0.01}\n");

    assert_string_equal(p->path, "cfg/p.yaml");
    assert_string_equal(p->input_path, "cfg/adult.csv");
    assert_int_equal(p->delimiter, ';');
    assert_int_equal(p->n_null, 2);
    assert_string_equal(p->null[1], "?");
    assert_int_equal(p->missing_sensitive, COVEY_MISSING_DROP);
    assert_int_equal(p->missing_quasi, COVEY_MISSING_DEFAULT);
    assert_true(p->trim);
    assert_int_equal(p->n_attributes, 6);
    assert_int_equal(p->attribute[1].role, COVEY_ROLE_QUASI);
    assert_int_equal(p->attribute[1].type, COVEY_TYPE_INTEGER);
    assert_string_equal(p->attribute[1].domain_high, "120");
    assert_string_equal(p->attribute[2].hierarchy.path, "cfg/hierarchies/education.csv");
    assert_int_equal(p->attribute[2].weight.num, 2);
    assert_int_equal(p->attribute[3].hierarchy.kind, COVEY_HIERARCHY_MASK);
    assert_int_equal(p->attribute[3].hierarchy.n, 5);
    assert_int_equal(p->attribute[4].n_order, 3);
    assert_int_equal(p->attribute[5].line, 14);
    assert_int_equal(p->others, COVEY_ROLE_IDENTIFIER);
    assert_int_equal(p->n_promises, 2);
    assert_string_equal(p->promise[1].param_texts[0], "5/3");
    assert_string_equal(covey_method_name(p->method.method), "mondrian");
    assert_int_equal(p->suppression_limit.num, 1);
    assert_int_equal(p->suppression_limit.den, 100);
    assert_int_equal(p->n_warnings, 0);
    covey_policy_free(p);
}

static void what_is_left_out_has_its_default(void **state)
{
    covey_policy *p = accept(HEAD ATTRIBUTES "privacy: [{model: distinct-l-diversity, l: 2}]\n");

    assert_int_equal(p->delimiter, 0);
    assert_int_equal(p->n_null, 1);
    assert_string_equal(p->null[0], "");
    assert_int_equal(p->attribute[0].type, COVEY_TYPE_GUESS);
    assert_int_equal(p->attribute[0].weight.num, 1);
    assert_int_equal(p->others, 0);
    assert_null(p->method.method);
    assert_int_equal(p->suppression_limit.num, 0);
    assert_true(p->is_checked);
    covey_policy_free(p);
}

static void paths_without_a_folder_and_absolute_ones_stay(void **state)
{
    covey_policy *p = accept("version: 1\ninput: {path: /data/t.csv}\n" ATTRIBUTES K5);

    assert_string_equal(p->input_path, "/data/t.csv");
    covey_policy_free(p);
}

static void unknown_keys_are_errors_at_every_level(void **state)
{
    refuse("version: 1\ninptu: {path: t.csv}\n",
           "cfg/p.yaml:2:1: unknown key in a policy: \"inptu\"; did you mean \"input\"?");
    refuse("version: 1\nInput: {path: t.csv}\n",
           "cfg/p.yaml:2:1: unknown key in a policy: \"Input\"; did you mean \"input\"?");
    refuse("version: 1\nwhatever: 1\n", "cfg/p.yaml:2:1: unknown key in a policy: \"whatever\"; known are version, "
                                        "input, attributes, others, privacy, presets, method, "
                                        "suppression, groups");
    refuse("version: 1\ninput: {paht: t.csv}\n",
           "cfg/p.yaml:2:9: unknown key in input: \"paht\"; did you mean \"path\"?");
    refuse_attribute("{name: a, rol: sensitive}",
                     "cfg/p.yaml:4:15: unknown key in an attribute: \"rol\"; did you mean \"role\"?");
    refuse_attribute("{name: a, role: sensitive, hierarchy: {masks: 3}}",
                     "cfg/p.yaml:4:44: unknown key in a hierarchy: \"masks\"; did you mean \"mask\"?");
    refuse(
        HEAD ATTRIBUTES "privacy: [{model: k-anonymity, k: 5, kk: 3}]\n",
        "cfg/p.yaml:6:38: unknown parameter of model k-anonymity: \"kk\"; known are k, model, attribute, joint, units");
    refuse(HEAD ATTRIBUTES K5 "method: {name: mondrian, cutz: 3}\n",
           "cfg/p.yaml:7:26: unknown parameter of method mondrian: \"cutz\"; did you mean \"cut\"?");
    refuse(HEAD "suppression: {limt: 0.1}\n",
           "cfg/p.yaml:3:15: unknown key in suppression: \"limt\"; did you mean \"limit\"?");
}

static void a_file_says_its_version(void **state)
{
    refuse("input: {path: t.csv}\n", "cfg/p.yaml:1:1: the policy has no version: add the line `version: 1`");
    refuse("version: 2\n", "cfg/p.yaml:1:10: version must be 1, the only one that this covey reads, not \"2\"");
    refuse("", "cfg/p.yaml: is empty: a policy begins with `version: 1`");
    refuse("- a\n", "cfg/p.yaml:1:1: a policy must be a mapping such as {version: ...}, not a list");
    refuse_as(COVEY_EPARSE, "version: 1\nversion: 1\n",
              "cfg/p.yaml:2:1: the key \"version\" stands here twice, first in line 1");
    refuse_as(COVEY_EPARSE, "version: 1\n---\nversion: 1\n",
              "cfg/p.yaml:2:1: a second YAML document begins here: one is expected");
}

static void roles_and_types_have_their_words(void **state)
{
    refuse_attribute("{name: a, role: quasi}",
                     "cfg/p.yaml:4:21: unknown role \"quasi\"; did you mean \"quasi-identifier\"?");
    refuse_attribute("{name: a, role: Quasi_Identifier}",
                     "cfg/p.yaml:4:21: unknown role \"Quasi_Identifier\"; did you mean \"quasi-identifier\"?");
    refuse_attribute("{name: a, role: secret}",
                     "cfg/p.yaml:4:21: unknown role \"secret\"; known are identifier, quasi-identifier, sensitive, "
                     "insensitive, entity, weight");
    refuse_attribute("{name: a, role: }", "cfg/p.yaml:4:21: role must be a text, not nothing");
    refuse_attribute("{name: a, role: sensitive, type: int}",
                     "cfg/p.yaml:4:38: unknown type \"int\"; did you mean \"integer\"?");
    refuse_attribute("{name: a, role: sensitive, publish: labels}",
                     "cfg/p.yaml:4:41: unknown publish \"labels\"; did you mean \"label\"?");
    refuse_attribute(
        "{name: a}",
        "cfg/p.yaml:4:5: attribute \"a\" has no role: identifier, quasi-identifier, sensitive or insensitive");
    refuse_attribute("{role: sensitive}", "cfg/p.yaml:4:5: an attribute has no name: add `name: COLUMN`");
    refuse_attribute(
        "age",
        "cfg/p.yaml:4:5: an attribute must be a mapping such as {name: age, role: quasi-identifier}, not \"age\"");
    refuse_attribute("{name: q, role: sensitive}",
                     "cfg/p.yaml:5:12: attribute \"q\" stands here twice, first in line 4");
}

static void weights_domains_and_orders_are_checked_where_they_stand(void **state)
{
    refuse_attribute("{name: a, role: quasi-identifier, weight: 0}",
                     "cfg/p.yaml:4:47: weight must be greater than 0, not \"0\"");
    refuse_attribute("{name: a, role: quasi-identifier, weight: -1/2}",
                     "cfg/p.yaml:4:47: weight must be greater than 0, not \"-1/2\"");
    refuse_attribute("{name: a, role: quasi-identifier, weight: x}",
                     "cfg/p.yaml:4:47: weight must be a number such as 2, 0.25 or 5/3, not \"x\"");
    refuse_attribute(
        "{name: a, role: quasi-identifier, domain: [1]}",
        "cfg/p.yaml:4:47: domain must be [low, high], two numbers or two dates such as 2020-01-31, not a list");
    refuse_attribute(
        "{name: a, role: quasi-identifier, domain: [1, 2020-01-01]}",
        "cfg/p.yaml:4:51: domain must be [low, high], two numbers or two dates such as 2020-01-31, not \"2020-01-01\"");
    refuse_attribute("{name: a, role: quasi-identifier, domain: [2, 1]}",
                     "cfg/p.yaml:4:47: domain [2, 1] ends before it begins");
    refuse_attribute("{name: a, role: quasi-identifier, type: text, domain: [1, 2]}",
                     "cfg/p.yaml:4:5: attribute \"a\" is text: `domain` is for numbers and dates");
    refuse_attribute("{name: a, role: quasi-identifier, type: integer, domain: [2020-01-01, 2020-12-31]}",
                     "cfg/p.yaml:4:5: attribute \"a\" is integer, but its domain is [2020-01-01, 2020-12-31]");
    refuse_attribute("{name: a, role: quasi-identifier, type: date, domain: [1, 2]}",
                     "cfg/p.yaml:4:5: attribute \"a\" is date, but its domain is [1, 2]");
    refuse_attribute("{name: a, role: quasi-identifier, order: low}",
                     "cfg/p.yaml:4:46: order must be a list of all values such as [low, mid, high], not \"low\"");
    refuse_attribute("{name: a, role: quasi-identifier, order: [low, mid, low]}",
                     "cfg/p.yaml:4:46: order lists \"low\" twice");
    refuse_attribute(
        "{name: a, role: quasi-identifier, type: decimal, order: [low, mid]}",
        "cfg/p.yaml:4:5: attribute \"a\" is decimal: `order` is for text, numbers and dates have their own");
    refuse_attribute("{name: a, role: quasi-identifier, type: text, publish: range}",
                     "cfg/p.yaml:4:5: attribute \"a\" is text: it has no ranges to publish");
    refuse_attribute("{name: a, role: quasi-identifier, publish: label}",
                     "cfg/p.yaml:4:5: attribute \"a\" is to be published by labels, but has no hierarchy");
}

static void hierarchies_of_every_kind_are_read(void **state)
{
    covey_policy *p = accept(
        HEAD "attributes:\n"
             "  - {name: a, role: quasi-identifier, hierarchy: {file: a.csv, missing-leaf: root, delimiter: \";\"}}\n"
             "  - {name: b, role: quasi-identifier, hierarchy: {balanced: 3}}\n"
             "  - {name: c, role: quasi-identifier, hierarchy: {interval: {from: -1.5, to: 100, widths: [5, 10, 20], "
             "clamp: yes}}}\n"
             "  - {name: d, role: quasi-identifier, hierarchy: {cuts: [[20, 40.0, 60], [40]]}, publish: range}\n"
             "  - {name: e, role: quasi-identifier, hierarchy: {date: [month, year]}}\n"
             "  - {name: f, role: quasi-identifier, hierarchy: {cuts: [[2020-01-01, 2021-01-01], [2021-01-01]]}}\n" K5);

    assert_true(p->attribute[0].hierarchy.missing_leaf_root);
    assert_int_equal(p->attribute[0].hierarchy.delimiter, ';');
    assert_int_equal(p->attribute[1].hierarchy.n, 3);
    assert_string_equal(p->attribute[2].hierarchy.from, "-1.5");
    assert_int_equal(p->attribute[2].hierarchy.n_widths, 3);
    assert_true(p->attribute[2].hierarchy.clamp);
    assert_int_equal(p->attribute[3].hierarchy.n_levels, 2);
    assert_int_equal(p->attribute[3].hierarchy.n_cuts[0], 3);
    assert_string_equal(p->attribute[3].hierarchy.cuts[0][1], "40.0");
    assert_true(p->attribute[3].publish_range);
    assert_string_equal(p->attribute[4].hierarchy.units[1], "year");
    assert_string_equal(p->attribute[5].hierarchy.cuts[1][0], "2021-01-01");
    covey_policy_free(p);
}

static void the_lines_of_a_hierarchy_may_stand_in_the_policy(void **state)
{
    covey_policy *p =
        accept(HEAD "attributes:\n  - {name: a, role: quasi-identifier, hierarchy: {lines: [[\"\", r, r], "
                    "[\"x;y\", \"say \\\"z\\\"\", r], [no, 1.10, r]], missing-leaf: root}}\n" K5);

    assert_int_equal(p->attribute[0].hierarchy.kind, COVEY_HIERARCHY_FILE);
    assert_null(p->attribute[0].hierarchy.path);
    assert_string_equal(p->attribute[0].hierarchy.text, ";r;r\n\"x;y\";\"say \"\"z\"\"\";r\nno;1.10;r\n");
    assert_true(p->attribute[0].hierarchy.missing_leaf_root);
    covey_policy_free(p);
}

#define REFUSE_HIERARCHY(hierarchy, message)                                                                           \
    refuse_attribute("{name: a, role: quasi-identifier, hierarchy: " hierarchy "}", message)

static void hierarchies_that_cannot_be_are_refused(void **state)
{
    REFUSE_HIERARCHY("F.csv", "cfg/p.yaml:4:50: hierarchy must be a mapping such as {file: F.csv}, {balanced: 2} or "
                              "{mask: 5}, not \"F.csv\"");
    REFUSE_HIERARCHY("{}", "cfg/p.yaml:4:50: a hierarchy is exactly one of file, balanced, interval, cuts, mask, date, "
                           "lines; here stand 0");
    REFUSE_HIERARCHY("{mask: 2, balanced: 2}", "cfg/p.yaml:4:50: a hierarchy is exactly one of file, balanced, "
                                               "interval, cuts, mask, date, lines; here stand 2");
    REFUSE_HIERARCHY("{mask: 2, missing-leaf: root}",
                     "cfg/p.yaml:4:50: missing-leaf belongs to a hierarchy of file or lines");
    REFUSE_HIERARCHY("{lines: [[a, \"*\"]], delimiter: \";\"}",
                     "cfg/p.yaml:4:50: delimiter belongs to a hierarchy from a file");
    REFUSE_HIERARCHY("{file: x, missing-leaf: rot}",
                     "cfg/p.yaml:4:74: unknown missing-leaf \"rot\"; did you mean \"root\"?");
    REFUSE_HIERARCHY("{balanced: 1}", "cfg/p.yaml:4:61: balanced must be a whole number of at least 2, not \"1\"");
    REFUSE_HIERARCHY("{mask: 0}", "cfg/p.yaml:4:57: mask must be a whole number of at least 1, not \"0\"");
    REFUSE_HIERARCHY("{mask: 1.5}", "cfg/p.yaml:4:57: mask must be a whole number of at least 1, not \"1.5\"");
    REFUSE_HIERARCHY(
        "{interval: {from: 0, to: 9}}",
        "cfg/p.yaml:4:61: interval needs from, to and widths, such as {from: 0, to: 100, widths: [5, 10, 20]}");
    REFUSE_HIERARCHY("{interval: {from: 9, to: 9, widths: 1}}",
                     "cfg/p.yaml:4:61: interval ends at 9, before or where it begins (9)");
    REFUSE_HIERARCHY("{interval: {from: 0, to: 100, widths: [5, 10, 25]}}",
                     "cfg/p.yaml:4:96: the width 25 must be a multiple of the one before, 10, so that classes nest");
    REFUSE_HIERARCHY("{interval: {from: 0, to: 100, widths: [-5]}}",
                     "cfg/p.yaml:4:89: a width must be greater than 0, not \"-5\"");
    REFUSE_HIERARCHY("{interval: {from: 1/2, to: 100, widths: [5]}}",
                     "cfg/p.yaml:4:68: from must be a decimal number, not \"1/2\"");
    REFUSE_HIERARCHY("{cuts: [20, 40]}",
                     "cfg/p.yaml:4:58: a level of cuts must be a list of numbers such as [20, 40, 60], not \"20\"");
    REFUSE_HIERARCHY("{cuts: [[20, 40], [30]]}",
                     "cfg/p.yaml:4:69: the cut 30 is none of the level before: coarser levels leave cuts out");
    REFUSE_HIERARCHY("{cuts: [[40, 20]]}", "cfg/p.yaml:4:63: cuts must ascend: 20 stands behind 40");
    REFUSE_HIERARCHY(
        "{cuts: [[40, 2020-01-01]]}",
        "cfg/p.yaml:4:63: a cut must be a decimal number, or a date where all cuts are dates, not \"2020-01-01\"");
    REFUSE_HIERARCHY("{date: [year, month]}",
                     "cfg/p.yaml:4:64: units go from fine to coarse: month cannot stand behind year");
    REFUSE_HIERARCHY("{lines: a}", "cfg/p.yaml:4:58: lines must be a list with one line per value, such as "
                                   "[[a, ab, \"*\"], [b, ab, \"*\"]], not \"a\"");
    REFUSE_HIERARCHY("{lines: [[a]]}",
                     "cfg/p.yaml:4:59: a line must be a list of a value, its ancestors level by level "
                     "and the root, such as [Private, Employee, \"*\"], not a list");
    REFUSE_HIERARCHY("{lines: [[a, [x], r]]}", "cfg/p.yaml:4:63: a line must be a list of texts, not a list");
    REFUSE_HIERARCHY("{lines: [[\"a\\nb\", x, r], [b, x, r], [b, y, r]]}",
                     "cfg/p.yaml:4:86: the value \"b\" is listed already in line 3; each value needs exactly one line");
    REFUSE_HIERARCHY("{lines: [[a, x, r], [b, r]]}",
                     "cfg/p.yaml:4:70: 2 fields, but line 1 has 3; every line needs the value, its ancestors level by "
                     "level and the root");
    REFUSE_HIERARCHY(
        "{lines: [[a, x, r], [b, x, s]]}",
        "cfg/p.yaml:4:70: the root is \"s\" here but \"r\" in line 1; every line must end with the same root");
    REFUSE_HIERARCHY("{date: [moth]}", "cfg/p.yaml:4:58: unknown unit \"moth\"; did you mean \"month\"?");
    refuse_attribute(
        "{name: a, role: quasi-identifier, type: text, hierarchy: {interval: {from: 0, to: 9, widths: [3]}}}",
        "cfg/p.yaml:4:5: attribute \"a\" is text: intervals are for numbers");
    refuse_attribute("{name: a, role: quasi-identifier, type: integer, hierarchy: {date: year}}",
                     "cfg/p.yaml:4:5: attribute \"a\" is integer: date hierarchies are for dates");
}

#define REFUSE_MODEL(model, message) refuse(HEAD ATTRIBUTES "privacy:\n  - " model "\n", message)

static void models_and_their_parameters_are_checked_where_they_stand(void **state)
{
    refuse_as(COVEY_ENOTFOUND, HEAD ATTRIBUTES "privacy:\n  - {model: k-anonimity, k: 5}\n",
              "cfg/p.yaml:7:13: unknown model \"k-anonimity\"; did you mean \"k-anonymity\"?");
    refuse_as(COVEY_ENOTFOUND, HEAD ATTRIBUTES "privacy:\n  - {model: secrecy}\n",
              "cfg/p.yaml:7:13: unknown model \"secrecy\"; `covey models` lists them");
    REFUSE_MODEL("{k: 5}", "cfg/p.yaml:7:5: a promise has no model: write {model: k-anonymity, k: 5}");
    REFUSE_MODEL("[a]", "cfg/p.yaml:7:5: a promise must be {model: k-anonymity, k: 5}, not a list");
    REFUSE_MODEL("{model: k-anonymity}", "cfg/p.yaml:7:5: model k-anonymity needs k: fewest rows of a class");
    REFUSE_MODEL("{model: k-anonymity, k: 0}", "cfg/p.yaml:7:29: model k-anonymity: k must be at least 1, not 0");
    REFUSE_MODEL("{model: k-anonymity, k: two}",
                 "cfg/p.yaml:7:29: model k-anonymity: k must be a whole number, not \"two\"");
    REFUSE_MODEL("{model: k-anonymity, k: }",
                 "cfg/p.yaml:7:29: model k-anonymity: k must be given a value, not nothing");
    REFUSE_MODEL("{model: k-anonymity, k: [2]}",
                 "cfg/p.yaml:7:29: model k-anonymity: k must be a single value, not a list");
    REFUSE_MODEL("{model: basic-beta-likeness, beta: 0}",
                 "cfg/p.yaml:7:40: model basic-beta-likeness: beta must be greater than 0, not 0");
    REFUSE_MODEL("{model: basic-beta-likeness, beta: -1}",
                 "cfg/p.yaml:7:40: model basic-beta-likeness: beta must be greater than 0, not -1");
    REFUSE_MODEL("{model: basic-beta-likeness, beta: inf}",
                 "cfg/p.yaml:7:40: model basic-beta-likeness: beta must be a decimal number or a fraction such as 0.2 "
                 "or 5/3 of at most 18 digits, not \"inf\"");
    REFUSE_MODEL("{model: k-anonymity, k: 5, joint: true}",
                 "cfg/p.yaml:7:5: model k-anonymity is not about sensitive attributes: take out `joint`");
    REFUSE_MODEL("{model: k-anonymity, k: 5, attribute: s}",
                 "cfg/p.yaml:7:5: model k-anonymity is not about a single attribute: take out `attribute`");
    REFUSE_MODEL("{model: distinct-l-diversity, l: 2, attribute: s, joint: true}",
                 "cfg/p.yaml:7:62: a promise is about one attribute or about all jointly, not both");
    REFUSE_MODEL("{model: distinct-l-diversity, l: 2, joint: true}",
                 "cfg/p.yaml:7:5: model distinct-l-diversity: `joint` is for two or more sensitive attributes, the "
                 "policy has one (s)");
    REFUSE_MODEL(
        "{model: distinct-l-diversity, l: 2, attribute: age}",
        "cfg/p.yaml:7:5: model distinct-l-diversity is about a sensitive attribute, but \"age\" is quasi-identifier");
    REFUSE_MODEL("{model: distinct-l-diversity, l: 2, attribute: nobody}",
                 "cfg/p.yaml:7:5: model distinct-l-diversity: there is no attribute \"nobody\" in the policy");
    REFUSE_MODEL("{model: min-length, length: 2}",
                 "cfg/p.yaml:7:5: model min-length needs `attribute`: the quasi-identifier that it is about");
    REFUSE_MODEL("{model: min-length, length: 2, attribute: agee}",
                 "cfg/p.yaml:7:5: model min-length: there is no attribute \"agee\"; did you mean \"age\"?");
    refuse(HEAD ATTRIBUTES, "cfg/p.yaml: the policy promises nothing: add a model under privacy, such as {model: "
                            "k-anonymity, k: 5}, or a preset");
    refuse(HEAD ATTRIBUTES "privacy: {model: k-anonymity, k: 5}\n",
           "cfg/p.yaml:6:10: privacy must be a list such as [{model: k-anonymity, k: 5}], not a mapping");
}

#define GROUPED                                                                                                        \
    HEAD "attributes:\n  - {name: age, role: quasi-identifier, type: integer}\n"                                       \
         "  - {name: zip, role: quasi-identifier, hierarchy: {mask: 5}}\n  - {name: s, role: sensitive}\n"             \
         "  - {name: note, role: insensitive}\n" K5

static void groups_are_by_attributes_or_by_a_method(void **state)
{
    covey_policy *p =
        accept(GROUPED "groups: {by: [note, {attribute: zip, level: 2}, {attribute: age, quantiles: 10}]}\n");

    assert_true(p->groups.is_given);
    assert_int_equal(p->groups.n, 3);
    assert_string_equal(p->groups.by[0].attribute, "note");
    assert_int_equal(p->groups.by[0].level, -1);
    assert_int_equal(p->groups.by[0].quantiles, 0);
    assert_int_equal(p->groups.by[1].level, 2);
    assert_int_equal(p->groups.by[2].quantiles, 10);
    assert_int_equal(p->groups.by[2].line, 9);
    covey_policy_free(p);
    p = accept(GROUPED "groups: {by: age}\n");
    assert_int_equal(p->groups.n, 1);
    covey_policy_free(p);
    p = accept(GROUPED "groups: {method: {name: mondrian, cut: relaxed}, k: 5}\n");
    assert_int_equal(p->groups.n, 0);
    assert_string_equal(covey_method_name(p->groups.method.method), "mondrian");
    assert_string_equal(p->groups.method.param_texts[1], "relaxed");
    assert_int_equal(p->groups.k, 5);
    covey_policy_free(p);
    p = accept(GROUPED);
    assert_false(p->groups.is_given);
    covey_policy_free(p);
}

#define REFUSE_GROUPS(groups, message) refuse(GROUPED "groups: " groups "\n", message)

static void groups_that_cannot_be_are_refused(void **state)
{
    REFUSE_GROUPS("region", "cfg/p.yaml:9:9: groups must be a mapping such as {by: ...}, not \"region\"");
    REFUSE_GROUPS("{bye: [age]}", "cfg/p.yaml:9:10: unknown key in groups: \"bye\"; did you mean \"by\"?");
    REFUSE_GROUPS("{}", "cfg/p.yaml:9:9: groups need one of `by` and `method`: write {by: [region]} or {method: {name: "
                        "mondrian}, k: 5}");
    REFUSE_GROUPS("{by: []}", "cfg/p.yaml:9:14: by must be a list of 1 to 64 attributes such as [region, {attribute: "
                              "age, quantiles: 10}], not a list");
    REFUSE_GROUPS("{by: [[age]]}",
                  "cfg/p.yaml:9:15: what groups are made by must be a mapping such as {attribute: ...}, not a list");
    REFUSE_GROUPS("{by: [{level: 2}]}",
                  "cfg/p.yaml:9:15: what groups are made by has no attribute: write {attribute: zip, level: 2}");
    REFUSE_GROUPS("{by: [{attribute: zip, levl: 2}]}",
                  "cfg/p.yaml:9:32: unknown key in what groups are made by: \"levl\"; did you mean \"level\"?");
    REFUSE_GROUPS("{by: [{attribute: zip, level: -1}]}",
                  "cfg/p.yaml:9:39: level must be a whole number of at least 0, not \"-1\"");
    REFUSE_GROUPS("{by: [{attribute: age, quantiles: 0}]}",
                  "cfg/p.yaml:9:43: quantiles must be a whole number of at least 1, not \"0\"");
    REFUSE_GROUPS("{by: [{attribute: age, quantiles: 3, level: 1}]}",
                  "cfg/p.yaml:9:15: groups are made by a level of a hierarchy or by quantiles, not by both");
    REFUSE_GROUPS("{by: [agee]}", "cfg/p.yaml:9:15: unknown attribute in groups: \"agee\"; did you mean \"age\"?");
    REFUSE_GROUPS("{by: [s]}", "cfg/p.yaml:9:15: groups by \"s\": it is sensitive, and groups show; group by "
                               "quasi-identifiers and insensitive attributes");
    REFUSE_GROUPS("{by: [{attribute: age, level: 1}]}",
                  "cfg/p.yaml:9:15: groups by a level of \"age\" need a quasi-identifier that is published by the "
                  "labels of a hierarchy");
    REFUSE_GROUPS("{by: [{attribute: note, quantiles: 2}]}",
                  "cfg/p.yaml:9:15: groups by quantiles of \"note\": an insensitive attribute is text unless its type "
                  "is given; add type: integer, "
                  "decimal or date");
    REFUSE_GROUPS("{method: mondrian}", "cfg/p.yaml:9:9: groups by a method need k, the fewest rows of a group: write "
                                        "{method: {name: mondrian}, k: 5}");
    REFUSE_GROUPS("{method: mondrian, k: 0}", "cfg/p.yaml:9:31: k must be a whole number of at least 1, not \"0\"");
    REFUSE_GROUPS("{method: auto, k: 2}", "cfg/p.yaml:9:18: a method by name is needed here, not auto");
    REFUSE_GROUPS("{method: {name: mondrian, cuts: 4}, k: 2}",
                  "cfg/p.yaml:9:41: method mondrian: cuts must be one of 1, 3, not \"4\"");
    REFUSE_GROUPS(
        "{by: [age], k: 3}",
        "cfg/p.yaml:9:9: groups: k is for groups by a method; groups by attributes have the rows that they have");
    REFUSE_GROUPS("{by: [age], method: mondrian, k: 3}", "cfg/p.yaml:9:9: groups need one of `by` and `method`: write "
                                                         "{by: [region]} or {method: {name: mondrian}, k: 5}");
}

static void a_method_without_groups_is_refused_where_they_stand(void **state)
{
    covey_policy *policy = NULL;
    covey_error err = {0};

    assert_int_equal(parse(&policy, GROUPED "method: mondrian\ngroups: {by: [age]}\n", &err), COVEY_OK);
    assert_int_equal(covey_policy_check(policy, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "cfg/p.yaml:10:9: the method mondrian does not use groups; methods that do: "));
    covey_policy_free(policy);
}

static void with_several_sensitive_attributes_every_promise_says_which(void **state)
{
    static const char two[] =
        HEAD "attributes:\n  - {name: q, role: quasi-identifier}\n  - {name: s, role: sensitive}\n"
             "  - {name: t, role: sensitive}\nprivacy:\n  - {model: k-anonymity, k: 2}\n  - ";
    char text[800];
    covey_policy *p;

    snprintf(text, sizeof text, "%s{model: distinct-l-diversity, l: 2}\n", two);
    refuse(text, "cfg/p.yaml:9:5: model distinct-l-diversity must say which sensitive attribute it is about (s, t): "
                 "add `attribute: NAME`, or "
                 "`joint: true` for their combination");
    snprintf(text, sizeof text, "%s{model: distinct-l-diversity, l: 2, joint: true}\n", two);
    p = accept(text);
    assert_true(p->promise[1].joint);
    assert_int_equal(p->n_warnings, 0);
    covey_policy_free(p);
    snprintf(text, sizeof text, "%s{model: distinct-l-diversity, l: 2, attribute: t}\n", two);
    p = accept(text);
    assert_string_equal(p->promise[1].attribute, "t");
    assert_int_equal(p->n_warnings, 1);
    assert_string_equal(
        p->warning[0],
        "no promise is about the sensitive attribute \"s\": all rows of a class may share one value of it, which "
        "tells it of everybody there");
    covey_policy_free(p);
}

static void a_policy_needs_roles_an_input_and_a_quasi_identifier(void **state)
{
    refuse("version: 1\n" ATTRIBUTES K5,
           "cfg/p.yaml: the policy names no table: add `input: {path: FILE}`, or --input FILE");
    refuse(HEAD "attributes: [{name: s, role: sensitive}]\n" K5,
           "cfg/p.yaml: the policy has no quasi-identifier: give the attributes that others may know the role "
           "quasi-identifier, or name them "
           "with --quasi");
    refuse(HEAD "attributes: [{name: q, role: quasi-identifier}]\nprivacy: [{model: t-closeness, t: 0.2}]\n",
           "cfg/p.yaml:4:11: model t-closeness needs a sensitive attribute, and the policy has none: give one the role "
           "sensitive, or name it "
           "with --sensitive");
}

static void keys_without_effect_are_warned_of(void **state)
{
    covey_policy *p = accept(
        HEAD
        "attributes:\n  - {name: q, role: quasi-identifier}\n  - {name: i, role: identifier, hierarchy: {mask: 2}}\n"
        "  - {name: n, role: insensitive, weight: 2, domain: [1, 2]}\n" K5);

    assert_int_equal(p->n_warnings, 3);
    assert_string_equal(p->warning[0], "attribute \"i\": `hierarchy` has no effect on a column that is dropped");
    assert_string_equal(p->warning[1],
                        "attribute \"n\": `weight` has no effect on a column that is published as it is");
    covey_policy_free(p);
}

static void a_table_has_one_sampling_weight(void **state)
{
    covey_policy *p;

    p = accept(HEAD "attributes:\n  - {name: q, role: quasi-identifier}\n"
                    "  - {name: w, role: weight, publish: value, unique: allowed}\n  - {name: v, role: sensitive, "
                    "publish: value}\n" K5);
    assert_true(p->attribute[1].publish_value);
    assert_int_equal(p->n_warnings, 2); /* no promise is about v, either */
    assert_string_equal(p->warning[0], "attribute \"v\": `publish` has no effect on a column that is sensitive");
    covey_policy_free(p);
    p = accept(HEAD "attributes:\n  - {name: q, role: quasi-identifier}\n"
                    "  - {name: w, role: weight, unique: allowed, domain: [1, 2]}\n" K5);
    assert_int_equal(p->n_warnings, 2);
    assert_string_equal(p->warning[1], "attribute \"w\": `unique` has no effect on a column that is dropped");
    covey_policy_free(p);
    refuse(
        HEAD "attributes:\n  - {name: q, role: quasi-identifier, publish: value}\n" K5,
        "cfg/p.yaml:4:5: attribute \"q\" is a quasi-identifier and cannot be published as it is: `publish: value` is "
        "for sampling weights (role weight)");
    refuse(HEAD "attributes:\n  - {name: q, role: quasi-identifier}\n  - {name: w, role: weight, type: date}\n" K5,
           "cfg/p.yaml:5:5: attribute \"w\" is a sampling weight, which is a number, and not a date");
    refuse(
        HEAD "attributes:\n  - {name: q, role: quasi-identifier}\n  - {name: w, role: weight}\n"
             "  - {name: w1, role: weight}\n" K5,
        "cfg/p.yaml:6:5: attributes \"w\" and \"w1\" are both the sampling weight: a row has one; give the other (such "
        "as a replicate weight) the role identifier, which drops it");
}

static void numbers_are_exact(void **state)
{
    covey_policy *p = accept(HEAD "attributes:\n  - {name: q, role: quasi-identifier, weight: 0.1}\n" K5
                                  "suppression: {limit: 29/100}\n");

    assert_int_equal(p->attribute[0].weight.num, 1);
    assert_int_equal(p->attribute[0].weight.den, 10);
    assert_int_equal(covey_ratio_floor_of(p->suppression_limit, 100), 29);
    covey_policy_free(p);
    refuse(HEAD "suppression: {limit: 1.01}\n",
           "cfg/p.yaml:3:22: the suppression limit must be a share of the rows, from 0 to 1, not \"1.01\"");
    refuse(HEAD "suppression: {limit: -0.1}\n",
           "cfg/p.yaml:3:22: the suppression limit must be a share of the rows, from 0 to 1, not \"-0.1\"");
    refuse(HEAD "suppression: 5%%\n",
           "cfg/p.yaml:3:14: the suppression limit must be a share of the rows such as 0.01 or 1%, not \"5%%\"");
}

static void input_keys_have_their_bounds(void **state)
{
    refuse("version: 1\ninput: {delimiter: ab}\n",
           "cfg/p.yaml:2:20: delimiter must be one ASCII character other than a quote (or tab, comma, "
           "semicolon, pipe), not \"ab\"");
    refuse("version: 1\ninput: {missing-quasi: vlaue}\n",
           "cfg/p.yaml:2:24: unknown missing-quasi \"vlaue\"; did you mean \"value\"?");
    refuse("version: 1\ninput: {trim: maybe}\n", "cfg/p.yaml:2:15: trim must be true or false, not \"maybe\"");
    refuse("version: 1\ninput: {null: [{a: 1}]}\n", "cfg/p.yaml:2:16: null must be a list of texts, not a mapping");
    refuse("version: 1\ninput: t.csv\n", "cfg/p.yaml:2:8: input must be a mapping such as {path: ...}, not \"t.csv\"");
}

static void anchors_and_merge_keys_save_writing(void **state)
{
    covey_policy *p = accept(HEAD "attributes:\n  - &q {name: a, role: quasi-identifier, hierarchy: &h {mask: 2}}\n"
                                  "  - {<<: *q, name: b}\n  - {name: c, role: quasi-identifier, hierarchy: *h}\n" K5);

    assert_int_equal(p->n_attributes, 3);
    assert_int_equal(p->attribute[1].hierarchy.n, 2);
    assert_int_equal(p->attribute[1].role, COVEY_ROLE_QUASI);
    covey_policy_free(p);
}

static void a_missing_file_is_named(void **state)
{
    covey_policy *policy = NULL;
    covey_error err;

    assert_int_equal(covey_policy_read(&policy, "/nowhere/p.yaml", &err), COVEY_ENOTFOUND);
    assert_string_equal(err.message, "/nowhere/p.yaml: there is no such file, nor its folder");
    assert_string_equal(err.file, "/nowhere/p.yaml");
    assert_null(policy);
}

static void errors_carry_file_line_and_column_apart_from_the_text(void **state)
{
    covey_policy *policy = NULL;
    covey_error err;

    assert_int_equal(parse(&policy, "version: 1\nx: 1\n", &err), COVEY_EINVAL);
    assert_string_equal(err.file, "cfg/p.yaml");
    assert_int_equal(err.row, 2);
    assert_int_equal(err.column_number, 1);
}

/* Between lines of ``` the manual page shows policies as they are. */
static void the_policies_of_the_manual_page_are_read(void **state)
{
    const char *root = getenv("COVEY_TEST_ROOT");
    static char page[1 << 16];
    char path[4096], *from = page, *to;
    int n = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/docs/man/covey-policy.5.scd", root ? root : ".");
    assert_non_null(file = fopen(path, "r"));
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    while ((from = strstr(from, "```\n"))) {
        from += 4;
        assert_non_null(to = strstr(from, "```\n"));
        *to = '\0';
        if (strncmp(from, "version:", 8) == 0) {
            covey_policy_free(accept(from));
            n++;
        }
        from = to + 4;
    }
    assert_int_equal(n, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_documents_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(paths_without_a_folder_and_absolute_ones_stay),
        cmocka_unit_test(unknown_keys_are_errors_at_every_level),
        cmocka_unit_test(a_file_says_its_version),
        cmocka_unit_test(roles_and_types_have_their_words),
        cmocka_unit_test(weights_domains_and_orders_are_checked_where_they_stand),
        cmocka_unit_test(hierarchies_of_every_kind_are_read),
        cmocka_unit_test(the_lines_of_a_hierarchy_may_stand_in_the_policy),
        cmocka_unit_test(hierarchies_that_cannot_be_are_refused),
        cmocka_unit_test(models_and_their_parameters_are_checked_where_they_stand),
        cmocka_unit_test(groups_are_by_attributes_or_by_a_method),
        cmocka_unit_test(groups_that_cannot_be_are_refused),
        cmocka_unit_test(a_method_without_groups_is_refused_where_they_stand),
        cmocka_unit_test(with_several_sensitive_attributes_every_promise_says_which),
        cmocka_unit_test(a_policy_needs_roles_an_input_and_a_quasi_identifier),
        cmocka_unit_test(keys_without_effect_are_warned_of),
        cmocka_unit_test(a_table_has_one_sampling_weight),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(input_keys_have_their_bounds),
        cmocka_unit_test(anchors_and_merge_keys_save_writing),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(errors_carry_file_line_and_column_apart_from_the_text),
        cmocka_unit_test(the_policies_of_the_manual_page_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
