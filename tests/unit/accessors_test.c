/* The one rule for accessors (covey/base.h): behind the last there is nothing, and asking for it is no mistake. */
#include "test.h"

#include <covey/covey.h>

#include <glob.h>
#include <limits.h>
#include <string.h>

#include "support/csvs.h"
#include "support/trees.h"

/* --- registries --- */

typedef struct registry {
    const char *name; /* as in covey_NAME_at */
    size_t (*count)(void);
    const void *(*at)(size_t index);
    const void *(*find)(const char *name);     /* NULL: entries have no name */
    const char *(*text[8])(const void *entry); /* the name is the first */
    const covey_param *(*params)(const void *entry, size_t *n);
} registry;

#define AT(what)                                                                                                       \
    static const void *what##_at(size_t index)                                                                         \
    {                                                                                                                  \
        return covey_##what##_at(index);                                                                               \
    }
#define FIND(what)                                                                                                     \
    static const void *what##_find(const char *name)                                                                   \
    {                                                                                                                  \
        return covey_##what##_find(name);                                                                              \
    }
#define TEXT(what, of)                                                                                                 \
    static const char *what##_##of(const void *entry)                                                                  \
    {                                                                                                                  \
        return covey_##what##_##of(entry);                                                                             \
    }
#define PARAMS(what)                                                                                                   \
    static const covey_param *what##_params(const void *entry, size_t *n)                                              \
    {                                                                                                                  \
        return covey_##what##_params(entry, n);                                                                        \
    }

AT(attack)
FIND(attack)
TEXT(attack, name)
TEXT(attack, summary)
TEXT(attack, figure)
TEXT(attack, forms)
TEXT(attack, source)
AT(experiment)
FIND(experiment)
TEXT(experiment, name)
TEXT(experiment, title)
TEXT(experiment, source)
TEXT(experiment, statement)
AT(format)
AT(generator)
FIND(generator)
TEXT(generator, name)
TEXT(generator, summary)
TEXT(generator, source)
PARAMS(generator)
AT(method)
FIND(method)
TEXT(method, name)
TEXT(method, summary)
TEXT(method, keeps)
TEXT(method, source)
TEXT(method, form)
PARAMS(method)
AT(metric)
FIND(metric)
TEXT(metric, name)
TEXT(metric, summary)
TEXT(metric, source)
AT(model)
FIND(model)
TEXT(model, name)
TEXT(model, summary)
TEXT(model, not_against)
TEXT(model, source)
PARAMS(model)
AT(paper_figure)
AT(policy_flag)
AT(preset)
FIND(preset)
TEXT(preset, name)
TEXT(preset, summary)
TEXT(preset, source)
PARAMS(preset)

static const registry registries[] = {
    {"attack",
     covey_attack_count,
     attack_at,
     attack_find,
     {attack_name, attack_summary, attack_figure, attack_forms, attack_source},
     NULL},
    {"experiment",
     covey_experiment_count,
     experiment_at,
     experiment_find,
     {experiment_name, experiment_title, experiment_source, experiment_statement},
     NULL},
    {"format", covey_format_count, format_at, NULL, {NULL}, NULL},
    {"generator",
     covey_generator_count,
     generator_at,
     generator_find,
     {generator_name, generator_summary, generator_source},
     generator_params},
    {"method",
     covey_method_count,
     method_at,
     method_find,
     {method_name, method_summary, method_keeps, method_source, method_form},
     method_params},
    {"metric", covey_metric_count, metric_at, metric_find, {metric_name, metric_summary, metric_source}, NULL},
    {"model",
     covey_model_count,
     model_at,
     model_find,
     {model_name, model_summary, model_not_against, model_source},
     model_params},
    {"paper_figure", covey_paper_figure_count, paper_figure_at, NULL, {NULL}, NULL},
    {"policy_flag", covey_policy_flag_count, policy_flag_at, NULL, {NULL}, NULL},
    {"preset", covey_preset_count, preset_at, preset_find, {preset_name, preset_summary, preset_source}, preset_params},
};
enum { N_REGISTRIES = sizeof registries / sizeof *registries };

static void registries_end_behind_their_last_entry(void **unused)
{
    for (size_t r = 0; r < N_REGISTRIES; r++) {
        const registry *one = &registries[r];
        const size_t n = one->count();

        assert_true(n > 0);
        for (size_t i = 0; i < n; i++)
            assert_non_null(one->at(i));
        assert_null(one->at(n));
        assert_null(one->at(n + 1));
        assert_null(one->at(SIZE_MAX / 2));
        assert_null(one->at(SIZE_MAX));
    }
}

static void entries_are_found_by_their_names_and_nothing_by_others(void **unused)
{
    for (size_t r = 0; r < N_REGISTRIES; r++) {
        const registry *one = &registries[r];

        for (size_t i = 0; one->find && i < one->count(); i++)
            assert_ptr_equal(one->find(one->text[0](one->at(i))), one->at(i));
        for (size_t i = 0; one->find && i < 2; i++)
            assert_null(one->find(i == 0 ? "" : "no such name"));
    }
}

static void entries_have_every_text_and_list_their_parameters(void **unused)
{
    for (size_t r = 0; r < N_REGISTRIES; r++)
        for (size_t i = 0; i < registries[r].count(); i++) {
            const void *entry = registries[r].at(i);
            size_t n = SIZE_MAX;

            for (size_t t = 0; t < 8 && registries[r].text[t]; t++)
                assert_true(strlen(registries[r].text[t](entry)) > 0);
            if (!registries[r].params)
                continue;
            assert_true(registries[r].params(entry, &n) != NULL || n == 0);
            for (size_t p = 0; p < n; p++)
                assert_non_null(registries[r].params(entry, &n)[p].name);
        }
}

/* --- names of enums --- */

static const char *type_name(int value)
{
    return covey_type_name((covey_type)value);
}

static const char *difference_name(int value)
{
    return covey_difference_name((covey_difference)value);
}

static const char *over_units_name(int value)
{
    return covey_over_units_name((covey_over_units)value);
}

static const char *role_name(int value)
{
    return covey_role_name((covey_role)value);
}

static const char *status_name(int value)
{
    return covey_status_name((covey_status)value);
}

static const char *verdict_name(int value)
{
    return covey_attack_verdict_name((covey_attack_verdict)value);
}

static const char *units_fit_name(int value)
{
    return covey_units_fit_name((covey_units_fit)value);
}

static const struct {
    const char *name; /* as in covey_NAME_name */
    const char *(*of)(int value);
    int n;
} enums[] = {
    {"attack_verdict", verdict_name, COVEY_ATTACK_INFORMATION + 1},
    {"difference", difference_name, COVEY_DIFFERENCE_CHOICE + 1},
    {"over_units", over_units_name, COVEY_UNITS_ROWS + 1},
    {"role", role_name, COVEY_ROLE_WEIGHT + 1},
    {"status", status_name, COVEY_N_STATUS},
    {"type", type_name, COVEY_TYPE_DATE + 1},
    {"units_fit", units_fit_name, COVEY_FIT_ONLY + 1},
};
enum { N_ENUMS = sizeof enums / sizeof *enums };

static void values_that_an_enum_does_not_have_are_called_unknown(void **unused)
{
    for (size_t e = 0; e < N_ENUMS; e++) {
        const int none[] = {enums[e].n, enums[e].n + 1, INT_MAX, -1, INT_MIN};

        for (int value = 0; value < enums[e].n; value++) {
            assert_true(strlen(enums[e].of(value)) > 0);
            assert_string_not_equal(enums[e].of(value), "unknown");
        }
        for (size_t i = 0; i < sizeof none / sizeof *none; i++)
            assert_string_equal(enums[e].of(none[i]), "unknown");
    }
}

static void objectives_end_behind_the_last(void **unused)
{
    for (size_t i = 0; i <= COVEY_COMPARE_DISCERNIBILITY; i++)
        assert_non_null(covey_compare_objective_name(i));
    assert_null(covey_compare_objective_name(COVEY_COMPARE_DISCERNIBILITY + 1));
    assert_null(covey_compare_objective_name(SIZE_MAX));
}

static void forms_that_there_are_not_have_a_unit_and_no_sentence(void **unused)
{
    assert_string_equal(covey_form_unit("no such form"), "class");
    assert_string_equal(covey_form_faithful("no such form"), "");
}

/* --- tables and hierarchies --- */

static void tables_have_nothing_behind_their_last_column_row_and_value(void **unused)
{
    static const int64_t rows[] = {3, 4, INT64_MAX, -1, INT64_MIN};
    static const uint32_t more[] = {0, 1, 1u << 31};
    covey_table *table = csv_table("name,n\na,1\n\"b\nc\",2\na,\n");
    const covey_column *column;

    assert_int_equal(covey_table_n_rows(table), 3);
    assert_int_equal(covey_table_n_columns(table), 2);
    assert_null(covey_table_column(table, 2));
    assert_null(covey_table_column(table, SIZE_MAX));
    assert_int_equal(covey_table_find(table, "no such column"), -1);
    assert_int_equal(covey_table_find(table, ""), -1);
    for (size_t c = 0; c < 2; c++) {
        column = covey_table_column(table, c);
        assert_int_equal(covey_table_find(table, column->name), (int)c);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            assert_int_equal(covey_column_code(column, rows[i]), UINT32_MAX);
            assert_int_equal(covey_column_line(column, rows[i]), 0);
        }
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
            assert_null(covey_column_label(column, column->n_values + more[i]));
            assert_int_equal(covey_column_label_size(column, column->n_values + more[i]), 0);
        }
        assert_null(covey_column_label(column, covey_column_code(column, -1)));
    }
    assert_int_equal(covey_column_line(column, 2), 5);
    covey_table_free(table);
}

static void hierarchies_have_nothing_behind_their_last_node_leaf_and_level(void **unused)
{
    static const uint32_t more[] = {0, 1, 1u << 31};
    covey_hierarchy *h = trees_read("a;x;*\nb;x;*\nc;y;*\nd;y;*\n", NULL);
    const uint32_t n = covey_hierarchy_n_leaves(h), nodes = covey_hierarchy_n_nodes(h);
    const int levels = covey_hierarchy_n_levels(h);

    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const uint32_t leaf = n + more[i];

        assert_null(covey_hierarchy_label(h, nodes + more[i]));
        assert_int_equal(covey_hierarchy_leaf_node(h, leaf), UINT32_MAX);
        assert_int_equal(covey_hierarchy_ancestor(h, leaf, 0), UINT32_MAX);
        assert_int_equal(covey_hierarchy_lca(h, 0, leaf), UINT32_MAX);
        assert_int_equal(covey_hierarchy_lca(h, leaf, leaf), UINT32_MAX);
    }
    assert_null(covey_hierarchy_label(h, UINT32_MAX));
    assert_int_equal(covey_hierarchy_leaf_node(h, UINT32_MAX), UINT32_MAX);
    assert_int_equal(covey_hierarchy_lca(h, 0, UINT32_MAX), UINT32_MAX);
    assert_int_equal(covey_hierarchy_lca(h, 1, 0), UINT32_MAX);
    assert_int_equal(covey_hierarchy_find(h, "no such label"), UINT32_MAX);
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        assert_int_equal(covey_hierarchy_ancestor(h, leaf, levels - 1), 0);
        assert_int_equal(covey_hierarchy_ancestor(h, leaf, levels), UINT32_MAX);
        assert_int_equal(covey_hierarchy_ancestor(h, leaf, INT_MAX), UINT32_MAX);
        assert_int_equal(covey_hierarchy_ancestor(h, leaf, -1), UINT32_MAX);
        assert_int_equal(covey_hierarchy_ancestor(h, leaf, INT_MIN), UINT32_MAX);
    }
    covey_hierarchy_free(h);
}

/* --- NULL, and objects that hold nothing --- */

static void nothing_can_be_given_back(void **unused)
{
    covey_anonymize_report done = {0};
    covey_export_report exported = {0};
    covey_report report = {0};

    covey_table_free(NULL);
    covey_hierarchy_free(NULL);
    covey_policy_free(NULL);
    covey_program_free(NULL);
    covey_release_free(NULL);
    covey_verdict_free(NULL);
    covey_attack_report_free(NULL);
    covey_comparison_free(NULL);
    covey_inspection_free(NULL);
    covey_measurement_free(NULL);
    covey_query_close(NULL);
    covey_query_result_free(NULL);
    covey_query_sql_free(NULL);
    covey_trace_discard(NULL);
    for (int twice = 0; twice < 2; twice++) {
        covey_anonymize_report_clear(&done);
        covey_export_report_clear(&exported);
        covey_report_clear(&report);
    }
}

static void errors_need_no_place_to_go_to(void **unused)
{
    assert_int_equal(covey_fail(NULL, COVEY_EIO, "%s", "lost"), COVEY_EIO);
    assert_int_equal(covey_fail_at(NULL, COVEY_EPARSE, "f", 1, NULL, 0, "lost"), COVEY_EPARSE);
    assert_true(covey_run_threads(NULL) >= 1);
    assert_null(covey_nearest_name("word", NULL, 0));
}

/* --- none is forgotten --- */

static char *read_text(const char *path)
{
    enum { MOST = 1 << 18 };
    char *text = malloc(MOST);
    FILE *file = fopen(path, "r");
    size_t n;

    assert_non_null(text);
    assert_non_null(file);
    n = fread(text, 1, MOST - 1, file);
    assert_true(feof(file));
    fclose(file);
    text[n] = '\0';
    return text;
}

static bool is_walked_over(const char *name, bool is_enum)
{
    for (size_t r = 0; !is_enum && r < N_REGISTRIES; r++)
        if (strcmp(registries[r].name, name) == 0)
            return true;
    for (size_t e = 0; is_enum && e < N_ENUMS; e++)
        if (strcmp(enums[e].name, name) == 0)
            return true;
    return false;
}

/* Is a declaration that of covey_NAME_at or _count of a registry, or of covey_NAME_name of an enum?  Then the test must
 * know NAME. */
static bool check_declaration(const char *declaration, const char *path)
{
    static const char *const suffix[] = {"_at", "_count", "_name"};
    const char *bracket = strchr(declaration, '('), *start = bracket;
    char name[64], argument[96];
    int n;

    while (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z'))
        start--;
    n = (int)(bracket - start);
    assert_int_equal(sscanf(bracket, "(%95[^)]", argument), 1);
    for (size_t s = 0; s < 3; s++) {
        const int tail = (int)strlen(suffix[s]);

        if (n <= tail + 6 || strncmp(bracket - tail, suffix[s], (size_t)tail) != 0)
            continue;
        if (strchr(argument, '*') || (s == 2 && strstr(argument, "index")))
            continue;
        snprintf(name, sizeof name, "%.*s", n - tail - 6, start + 6); /* between covey_ and the suffix */
        if (!is_walked_over(name, s == 2))
            fail_msg("%s: covey_%s%s is missing in this test", path, name, suffix[s]);
        return true;
    }
    return false;
}

static void every_accessor_of_the_headers_is_walked_over(void **unused)
{
    const char *root = getenv("COVEY_TEST_ROOT");
    char pattern[4096];
    size_t n_found = 0;
    glob_t headers;

    snprintf(pattern, sizeof pattern, "%s/include/covey/*.h", root ? root : ".");
    assert_int_equal(glob(pattern, 0, NULL, &headers), 0);
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        char *text = read_text(headers.gl_pathv[i]);

        for (const char *at = text; (at = strstr(at, "\nCOVEY_API ")); at++)
            n_found += check_declaration(at, headers.gl_pathv[i]);
        free(text);
    }
    globfree(&headers);
    assert_int_equal(n_found, 2 * N_REGISTRIES + N_ENUMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registries_end_behind_their_last_entry),
        cmocka_unit_test(entries_are_found_by_their_names_and_nothing_by_others),
        cmocka_unit_test(entries_have_every_text_and_list_their_parameters),
        cmocka_unit_test(values_that_an_enum_does_not_have_are_called_unknown),
        cmocka_unit_test(objectives_end_behind_the_last),
        cmocka_unit_test(forms_that_there_are_not_have_a_unit_and_no_sentence),
        cmocka_unit_test(tables_have_nothing_behind_their_last_column_row_and_value),
        cmocka_unit_test(hierarchies_have_nothing_behind_their_last_node_leaf_and_level),
        cmocka_unit_test(nothing_can_be_given_back),
        cmocka_unit_test(errors_need_no_place_to_go_to),
        cmocka_unit_test(every_accessor_of_the_headers_is_walked_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
