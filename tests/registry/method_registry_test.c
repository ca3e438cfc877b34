/* Every method obeys the contract of the registry. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"

static void methods_are_found_by_their_names_and_names_are_unique(void **state)
{
    assert_true(covey_method_count() > 0);
    for (size_t i = 0; i < covey_method_count(); i++)
        assert_ptr_equal(covey_method_find(covey_method_name(covey_method_at(i))), covey_method_at(i));
    assert_null(covey_method_at(covey_method_count()));
    assert_null(covey_method_find("mondriaan"));
}

static void every_method_says_what_it_does_and_what_it_keeps(void **state)
{
    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);

        assert_true(strlen(covey_method_summary(method)) > 20);
        assert_null(strchr(covey_method_summary(method), '\n'));
        assert_true(strlen(covey_method_keeps(method)) > 5);
        assert_non_null(covey_method_form(method));
        assert_non_null(method->accepts);
        assert_non_null(method->run);
        if (method->in_parts != !method->looks_at_all)
            fail_msg("%s has to say either that it does tables in parts or why it does not", covey_method_name(method));
    }
}

/* Is there a page of that name, or a row for that key in the list of references? */
static bool is_source(const char *references, const char *key)
{
    const char *root = getenv("COVEY_TEST_ROOT");
    char path[4096], row[128];

    snprintf(path, sizeof path, "%s/%s", root ? root : ".", key);
    snprintf(row, sizeof row, "\n| %s |", key);
    return strstr(references, row) || (strncmp(key, "docs/", 5) == 0 && access(path, R_OK) == 0);
}

static void every_source_is_a_page_of_ours_or_in_the_list_of_references(void **state)
{
    static char references[65536];
    const char *root = getenv("COVEY_TEST_ROOT");
    char path[4096];
    size_t size;
    FILE *file;

    snprintf(path, sizeof path, "%s/docs/references.md", root ? root : ".");
    assert_non_null(file = fopen(path, "r"));
    size = fread(references, 1, sizeof references - 1, file);
    fclose(file);
    references[size] = '\0';
    for (size_t i = 0; i < covey_method_count(); i++) {
        char key[64];

        snprintf(key, sizeof key, "%.*s", (int)strcspn(covey_method_source(covey_method_at(i)), ","),
                 covey_method_source(covey_method_at(i)));
        if (!is_source(references, key))
            fail_msg("docs/references.md does not list \"%s\", the source of %s, and it is no page of ours", key,
                     covey_method_name(covey_method_at(i)));
    }
}

static void parameters_are_named_once_and_described(void **state)
{
    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);
        size_t n;
        const covey_param *params = covey_method_params(method, &n);

        for (size_t p = 0; p < n; p++) {
            assert_true(params[p].offset < method->params_size);
            assert_true(strlen(params[p].help) > 10);
            if (params[p].type == COVEY_PARAM_CHOICE)
                assert_non_null(params[p].choices);
            for (size_t q = 0; q < p; q++)
                assert_string_not_equal(params[p].name, params[q].name);
        }
    }
}

/* Defaults alone are a good set of parameters; one promise that every method may take or refuse, with a reason. */
static void defaults_are_enough(void **state)
{
    static const uint32_t codes[] = {0, 1, 2, 0};

    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);
        covey_error err = {0};
        problem_maker m;
        covey_status status;

        maker_init(&m, 4);
        maker_add_flat(&m, "q", codes, 3, false);
        maker_add_sensitive(&m, "s", codes, 3);
        maker_promise(&m, "k-anonymity", "k=2", -1);
        assert_int_equal(maker_finish(&m, &err), COVEY_OK);
        status = method->accepts(&m.problem.promises, maker_method_params(&m, method, ""), &err);
        assert_true(status == COVEY_OK || status == COVEY_EINVAL);
        if (status != COVEY_OK)
            assert_non_null(strstr(err.message, method->name));
        maker_clear(&m);
    }
}

static void unknown_and_impossible_parameters_are_refused(void **state)
{
    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);
        covey_arena arena = COVEY_ARENA_INIT;
        void *params = covey_arena_alloc_zero(&arena, 1, method->params_size);
        covey_error err;

        assert_int_equal(
            covey_param_set(params, method->params, method->n_params, method->name, "no-such-thing", "1", &err),
            COVEY_EINVAL);
        for (size_t p = 0; p < method->n_params; p++)
            if (method->params[p].type == COVEY_PARAM_CHOICE || method->params[p].type == COVEY_PARAM_INTEGER ||
                method->params[p].type == COVEY_PARAM_BOOL || method->params[p].type == COVEY_PARAM_RATIO)
                assert_int_equal(covey_param_set(params, method->params, method->n_params, method->name,
                                                 method->params[p].name, "maybe?", &err),
                                 COVEY_EINVAL);
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_found_by_their_names_and_names_are_unique),
        cmocka_unit_test(every_method_says_what_it_does_and_what_it_keeps),
        cmocka_unit_test(every_source_is_a_page_of_ours_or_in_the_list_of_references),
        cmocka_unit_test(parameters_are_named_once_and_described),
        cmocka_unit_test(defaults_are_enough),
        cmocka_unit_test(unknown_and_impossible_parameters_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
