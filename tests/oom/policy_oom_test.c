/* Allocations of reading, changing, checking and writing a policy fail one by one. */
#include "test.h"

#include <string.h>

#include "support/failing.h"
#include "base/file/folder.h"
#include "policy/policy_impl.h"

static const char text[] =
    "version: 1\n"
    "input: {path: t.csv, null: [\"\", \"?\"]}\n"
    "attributes:\n"
    "  - &q {name: a, role: quasi-identifier, hierarchy: {file: h.csv}, weight: 2}\n"
    "  - {<<: *q, name: b, hierarchy: {interval: {from: 0, to: 9, widths: [1, 3]}}}\n"
    "  - {name: c, role: quasi-identifier, hierarchy: {cuts: [[1, 2, 3], [2]]}}\n"
    "  - {name: zip, role: quasi-identifier}\n"
    "  - {name: s, role: sensitive, order: [x, y, z]}\n"
    "  - {name: i, role: identifier, weight: 3}\n"
    "privacy: [{model: k-anonymity, k: 5}, {model: alpha-k-anonymity, alpha: 1/2, k: 2, value: x}]\n"
    "presets: [cms11, {name: hipaa-zip3, age: none, small-areas: f.txt}]\n"
    "method: {name: mondrian, cut: relaxed}\n"
    "suppression: 0.1\n";

static const char *const flags[][2] = {
    {"model", "recursive-cl-diversity:c=2,l=2"},
    {"quasi", "a,b,c,zip,d,e,f"},
    {"hierarchy", "d={date: [month, year]}"},
    {"cuts", "3"},
    {NULL, NULL},
};

static const char grouped[] = "version: 1\n"
                              "input: {path: t.csv}\n"
                              "attributes:\n"
                              "  - {name: a, role: quasi-identifier, hierarchy: {mask: 3}}\n"
                              "  - {name: s, role: sensitive}\n"
                              "privacy: [{model: ke-anonymity, k: 5, e: 5/2}]\n"
                              "method: {name: ke-permutation, criterion: min-max}\n"
                              "groups: {by: [a, {attribute: a, level: 2}]}\n";

static const char *const method_flags[][2] = {{"groups", "{method: {name: mondrian, cut: relaxed}, k: 5}"},
                                              {NULL, NULL}};
static const char *const no_flags[][2] = {{NULL, NULL}};

static char folder[64], path[128];

static covey_status go(const char *yaml, const char *const (*flag)[2], covey_error *err)
{
    covey_policy *policy = NULL;
    covey_status status = covey_policy_parse(&policy, yaml, strlen(yaml), "p.yaml", err);

    for (; status == COVEY_OK && (*flag)[0]; flag++)
        status = covey_policy_set(policy, (*flag)[0], (*flag)[1], err);
    if (status == COVEY_OK)
        status = covey_policy_check(policy, err);
    if (status == COVEY_OK)
        status = covey_policy_write(policy, path, err);
    covey_policy_free(policy);
    return status;
}

static void fail_each(const char *yaml, const char *const (*flag)[2])
{
    failing f = {.least = 5};

    while (failing_next(&f))
        failing_ends(&f, go(yaml, flag, &f.err));
}

static void every_failing_allocation_is_reported(void **state)
{
    fail_each(text, flags);
    fail_each(grouped, no_flags);
    fail_each(grouped, method_flags);
}

static int make_folder(void **state)
{
    if (!test_folder(folder, sizeof folder, "policy-oom"))
        return -1;
    snprintf(path, sizeof path, "%s/out.yaml", folder);
    return 0;
}

static int remove_folder(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
