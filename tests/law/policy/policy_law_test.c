/* What is written is what is read: random policies, written and read again, are the same. */
#include "test.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file/folder.h"
#include "base/rng.h"
#include "base/text.h"
#include "policy/policy_impl.h"

static covey_rng rng;
static covey_text text;
static char folder[64];

static int below(int n)
{
    return (int)covey_i_rng_below(&rng, (uint64_t)n);
}

static void add(const char *s)
{
    covey_i_text_add_string(&text, s);
}

static const char *pick(const char *const *list)
{
    int n = 0;

    while (list[n])
        n++;
    return list[below(n)];
}

/* A text with whatever may stand in one. */
static void add_odd_text(void)
{
    static const char *const pieces[] = {"a",        "Z",       "0",    " ",    ",", ": ",    "#",
                                         "\\\"",     "\\\\",    "'",    "[",    "}", "\\n",   "\\t",
                                         "\xc3\xa4", "\\u2028", "-",    "?",    "*", "&",     "!",
                                         "%",        "@",       "null", "true", "~", "\\x85", "\xf0\x9f\x90\xa6",
                                         "|",        ">",       NULL};
    int n = 1 + below(5);

    add("\"");
    while (n--)
        add(pick(pieces));
    covey_i_text_add_format(&text, "%d\"", (int)text.size); /* no two are alike */
}

static void add_hierarchy(bool *is_text)
{
    *is_text = false;
    switch (below(7)) {
    case 0:
        add("{file: ");
        add_odd_text();
        add(below(2) ? ", missing-leaf: root}" : ", delimiter: \";\"}");
        return;
    case 1:
        covey_i_text_add_format(&text, "{balanced: %d}", 2 + below(5));
        return;
    case 2:
        covey_i_text_add_format(&text, "{interval: {from: -%d.5, to: %d, widths: [%d, %d]%s}}", below(50),
                                1 + below(100), 5, 5 * (2 + below(3)), below(2) ? ", clamp: true" : "");
        return;
    case 3:
        add(below(2) ? "{cuts: [[10, 20.0, 30], [20]]}" : "{cuts: [[2020-01-01, 2021-05-31]]}");
        return;
    case 4:
        covey_i_text_add_format(&text, "{mask: %d}", 1 + below(9));
        *is_text = true;
        return;
    case 5:
        add("{lines: [[");
        for (int i = 0, n = 1 + below(3); i < n; i++) {
            add(i ? ", [" : "");
            add_odd_text();
            add(", ");
            add_odd_text();
            add(", the root]");
        }
        add(below(2) ? "], missing-leaf: root}" : "]}");
        return;
    default:
        add(below(2) ? "{date: [month, year]}" : "{date: [day, quarter, decade]}");
    }
}

static void add_attribute(const char *role)
{
    static const char *const weights[] = {"2", "0.125", "5/3", "1/7", "100", "0.000001", NULL};
    bool is_text = false;

    add("  - {name: ");
    add_odd_text();
    covey_i_text_add_format(&text, ", role: %s", role);
    if (below(2)) {
        add(", hierarchy: ");
        add_hierarchy(&is_text);
    } else if (below(3) == 0) {
        add(below(2) ? ", domain: [0, 120.5]" : ", type: date, domain: [2000-01-01, 2000-01-01]");
    } else if (below(2)) {
        add(", type: text, order: [");
        add_odd_text();
        add(", ");
        add_odd_text();
        add("]");
        is_text = true;
    }
    if (below(2))
        covey_i_text_add_format(&text, ", weight: %s", pick(weights));
    if (!is_text && below(4) == 0)
        add(", publish: range");
    add("}\n");
}

static void add_method(void)
{
    static const char *const methods[] = {"method: auto\n", "method: mondrian\n",
                                          "method: {name: mondrian, cut: relaxed, min-size: 3}\n", "", NULL};
    static const char *const groups[] = {"groups: {method: {name: mondrian, min-size: 4}, k: 7}\n",
                                         "groups: {method: elastic, k: 1}\n", NULL};
    const char *method = pick(methods);

    add(method);
    if (strstr(method, "mondrian") || below(2))
        return;
    if (below(2) || !strstr(text.bytes, "others: insensitive")) {
        add(pick(groups));
        return;
    }
    add("groups: {by: ["); /* columns that the policy does not name */
    add_odd_text();
    add(", {attribute: ");
    add_odd_text();
    add("}]}\n");
}

/* A policy that reads and passes its check. */
static void make_policy(void)
{
    static const char *const inputs[] = {"",
                                         "  delimiter: tab\n",
                                         "  delimiter: \";\"\n",
                                         "  null: [\"\", \"?\", \"n: a\"]\n",
                                         "  missing-quasi: drop\n  trim: true\n",
                                         "  missing-sensitive: value\n",
                                         NULL};
    static const char *const models[] = {"  - {model: k-anonymity, k: 7}\n",
                                         "  - {model: distinct-l-diversity, l: 2, joint: true}\n",
                                         "  - {model: t-closeness, t: 0.2, joint: true}\n",
                                         "  - {model: alpha-k-anonymity, alpha: 1/3, k: 2, joint: yes}\n",
                                         "  - {model: recursive-cl-diversity, c: 2.50, l: 3, joint: true}\n",
                                         NULL};
    static const char *const limits[] = {"0", "1", "0.01", "1/3", "29/100", NULL};
    static const char *const presets[] = {"", "presets: [cms11]\n", "presets: [ema9, {name: ipc-high}]\n", NULL};

    covey_i_text_clear(&text);
    add("version: 1\ninput:\n  path: ");
    add_odd_text();
    add("\n");
    add(pick(inputs));
    add("attributes:\n");
    add_attribute("sensitive");
    add_attribute("sensitive");
    for (int n = 1 + below(4); n > 0; n--)
        add_attribute("quasi-identifier");
    for (int n = below(3); n > 0; n--)
        add_attribute(below(2) ? "identifier" : "insensitive");
    add(below(2) ? "others: drop\n" : below(2) ? "others: insensitive\n" : "");
    add("privacy:\n");
    for (int n = 1 + below(3); n > 0; n--)
        add(pick(models));
    add(pick(presets));
    add_method();
    covey_i_text_add_format(&text, "suppression: {limit: %s}\n", pick(limits));
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

static void same_texts(const char *const *a, size_t n, const char *const *b, size_t m)
{
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(a[i], b[i]);
}

static void same_hierarchy(const covey_hierarchy_spec *a, const covey_hierarchy_spec *b)
{
    assert_int_equal(a->kind, b->kind);
    same_text(a->path, b->path);
    same_text(a->text, b->text);
    assert_int_equal(a->delimiter, b->delimiter);
    assert_int_equal(a->missing_leaf_root, b->missing_leaf_root);
    assert_int_equal(a->n, b->n);
    same_text(a->from, b->from);
    same_text(a->to, b->to);
    same_texts(a->widths, a->n_widths, b->widths, b->n_widths);
    assert_int_equal(a->clamp, b->clamp);
    assert_int_equal(a->n_levels, b->n_levels);
    for (size_t i = 0; i < a->n_levels; i++)
        same_texts(a->cuts[i], a->n_cuts[i], b->cuts[i], b->n_cuts[i]);
    same_texts(a->units, a->n_units, b->units, b->n_units);
}

static void same_attribute(const covey_wish_attribute *a, const covey_wish_attribute *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->role, b->role);
    assert_int_equal(a->type, b->type);
    same_hierarchy(&a->hierarchy, &b->hierarchy);
    same_text(a->hierarchy_preset, b->hierarchy_preset);
    assert_int_equal(a->publish_range, b->publish_range);
    assert_int_equal(a->publish_value, b->publish_value);
    assert_int_equal(a->has_weight, b->has_weight);
    assert_int_equal(covey_ratio_compare(a->weight, b->weight), 0);
    assert_int_equal(a->has_domain, b->has_domain);
    same_text(a->domain_low, b->domain_low);
    same_text(a->domain_high, b->domain_high);
    same_texts(a->order, a->n_order, b->order, b->n_order);
}

static void same_promise(const covey_wish_promise *a, const covey_wish_promise *b)
{
    assert_ptr_equal(a->model, b->model);
    same_texts(a->param_names, a->n_params, b->param_names, b->n_params);
    same_texts(a->param_texts, a->n_params, b->param_texts, b->n_params);
    same_text(a->attribute, b->attribute);
    assert_int_equal(a->joint, b->joint);
    same_text(a->preset, b->preset);
}

static void same_groups(const covey_wish_groups *a, const covey_wish_groups *b)
{
    assert_int_equal(a->is_given, b->is_given);
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_string_equal(a->by[i].attribute, b->by[i].attribute);
        assert_int_equal(a->by[i].level, b->by[i].level);
        assert_int_equal(a->by[i].quantiles, b->by[i].quantiles);
    }
    assert_ptr_equal(a->method.method, b->method.method);
    same_texts(a->method.param_names, a->method.n_params, b->method.param_names, b->method.n_params);
    same_texts(a->method.param_texts, a->method.n_params, b->method.param_texts, b->method.n_params);
    assert_int_equal(a->k, b->k);
}

static void same_policy(const covey_policy *a, const covey_policy *b)
{
    same_text(a->input_path, b->input_path);
    assert_int_equal(a->delimiter, b->delimiter);
    same_texts(a->null, a->n_null, b->null, b->n_null);
    assert_int_equal(a->missing_sensitive, b->missing_sensitive);
    assert_int_equal(a->missing_quasi, b->missing_quasi);
    assert_int_equal(a->trim, b->trim);
    assert_int_equal(a->n_attributes, b->n_attributes);
    for (size_t i = 0; i < a->n_attributes; i++)
        same_attribute(&a->attribute[i], &b->attribute[i]);
    assert_int_equal(a->others, b->others);
    assert_int_equal(a->n_promises, b->n_promises);
    for (size_t i = 0; i < a->n_promises; i++)
        same_promise(&a->promise[i], &b->promise[i]);
    assert_ptr_equal(a->method.method, b->method.method);
    same_texts(a->method.param_names, a->method.n_params, b->method.param_names, b->method.n_params);
    same_texts(a->method.param_texts, a->method.n_params, b->method.param_texts, b->method.n_params);
    assert_int_equal(covey_ratio_compare(a->suppression_limit, b->suppression_limit), 0);
    same_groups(&a->groups, &b->groups);
    same_texts(a->preset, a->n_presets, b->preset, b->n_presets);
    same_texts(a->warning, a->n_warnings, b->warning, b->n_warnings);
}

static void what_is_written_reads_as_the_same_policy(void **state)
{
    char source[128], copy[128];

    snprintf(source, sizeof source, "%s/source.yaml", folder);
    snprintf(copy, sizeof copy, "%s/copy.yaml", folder);
    for (int round = 0; round < 300; round++) {
        covey_policy *first = NULL, *second = NULL;
        covey_error err;

        make_policy();
        if (covey_policy_parse(&first, text.bytes, text.size, source, &err) != COVEY_OK ||
            covey_policy_check(first, &err) != COVEY_OK)
            fail_msg("%s\n%s", err.message, text.bytes);
        assert_int_equal(covey_policy_write(first, copy, &err), COVEY_OK);
        if (covey_policy_read(&second, copy, &err) != COVEY_OK || covey_policy_check(second, &err) != COVEY_OK)
            fail_msg("%s\n%s", err.message, text.bytes);
        same_policy(first, second);
        covey_policy_free(first);
        covey_policy_free(second);
    }
}

/* Where a file lies does not matter for what its paths mean. */
static void paths_follow_the_policy_to_another_folder(void **state)
{
    char there[128], copy[160], expected[256], real[4096], real_expected[4096];
    covey_policy *first = NULL, *second = NULL;
    covey_error err;
    FILE *table;

    snprintf(expected, sizeof expected, "%s/data", folder);
    assert_int_equal(mkdir(expected, 0700), 0);
    snprintf(expected, sizeof expected, "%s/data/t.csv", folder);
    assert_non_null(table = fopen(expected, "w"));
    fclose(table);
    snprintf(there, sizeof there, "%s/policies", folder);
    assert_int_equal(mkdir(there, 0700), 0);
    snprintf(copy, sizeof copy, "%s/copy.yaml", there);
    assert_int_equal(covey_policy_new(&first, &err), COVEY_OK);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(covey_policy_set(first, "input", "data/t.csv", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(first, "quasi", "a", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(first, "model", "k-anonymity:k=2", &err), COVEY_OK);
    assert_int_equal(covey_policy_check(first, &err), COVEY_OK);
    assert_int_equal(covey_policy_write(first, copy, &err), COVEY_OK);
    assert_int_equal(covey_policy_read(&second, copy, &err), COVEY_OK);
    assert_non_null(strstr(second->input_path, "policies/../data/t.csv"));
    assert_non_null(realpath(second->input_path, real));
    assert_non_null(realpath(expected, real_expected));
    assert_string_equal(real, real_expected);
    covey_policy_free(first);
    covey_policy_free(second);
}

static int make_folder(void **state)
{
    const unsigned char key[32] = {7};

    covey_i_rng_init(&rng, key, 0);
    return test_folder(folder, sizeof folder, "policy-law") ? 0 : -1;
}

static int remove_folder(void **state)
{
    covey_i_text_free(&text);
    return covey_i_folder_remove(folder, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_as_the_same_policy),
        cmocka_unit_test(paths_follow_the_policy_to_another_folder),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
