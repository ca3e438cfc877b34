/* Specifications of hierarchies as JSON. */
#include "test.h"

#include <jansson.h>
#include <string.h>

#include "support/trees.h"
#include "release/manifest/hierarchy_json.h"

static void assert_prints(const covey_hierarchy_spec *spec, const char *expected)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_error err;

    assert_int_equal(covey_i_hierarchy_spec_print(&text, spec, &err), COVEY_OK);
    assert_string_equal(text.bytes, expected);
    covey_i_text_free(&text);
}

static covey_status read_spec(covey_hierarchy_spec *out, const char *json, covey_arena *arena, covey_error *err)
{
    json_t *value = json_loads(json, 0, NULL);
    covey_status status;

    assert_non_null(value);
    status = covey_i_hierarchy_spec_read(out, value, arena, err);
    json_decref(value); /* the specification must not point into it */
    return status;
}

/* Reads, prints, compares. */
static void assert_survives(const char *json, covey_hierarchy_kind kind)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_hierarchy_spec spec;

    assert_int_equal(read_spec(&spec, json, &arena, NULL), COVEY_OK);
    assert_int_equal(spec.kind, kind);
    assert_prints(&spec, json);
    covey_arena_free(&arena);
}

static void test_hierarchy_json__every_kind_survives(void **state)
{
    assert_survives("{\"mask\": 5}", COVEY_HIERARCHY_MASK);
    assert_survives("{\"balanced\": 2}", COVEY_HIERARCHY_BALANCED);
    assert_survives("{\"interval\": {\"from\": \"0\", \"to\": \"100.5\", \"widths\": [\"5\", \"10\"]}}",
                    COVEY_HIERARCHY_INTERVAL);
    assert_survives("{\"interval\": {\"from\": \"-1\", \"to\": \"1\", \"widths\": [\"1\"], \"clamp\": true}}",
                    COVEY_HIERARCHY_INTERVAL);
    assert_survives("{\"cuts\": [[\"1\", \"2\", \"3\"], [\"2\"]]}", COVEY_HIERARCHY_CUTS);
    assert_survives("{\"date\": [\"month\", \"year\"]}", COVEY_HIERARCHY_DATE);
    assert_survives("{\"suppression\": true}", COVEY_HIERARCHY_SUPPRESSION);
    assert_survives("{\"top\": {\"n\": 90}}", COVEY_HIERARCHY_TOP);
    assert_survives("{\"top\": {\"n\": 90, \"from\": \"0\", \"widths\": [\"5\", \"10\"]}}", COVEY_HIERARCHY_TOP);
    assert_survives("{\"zip3\": [\"036\", \"059\"]}", COVEY_HIERARCHY_ZIP3);
    assert_survives("{\"lines\": {\"text\": \"a;x;*\\u000ab;\\\"y\\\";*\"}}", COVEY_HIERARCHY_FILE);
    assert_survives("{\"lines\": {\"text\": \"a,*\", \"delimiter\": \",\"}}", COVEY_HIERARCHY_FILE);
    assert_survives("{\"date\": [\"a \\\"b\\\" \\\\ \\u0001\"]}", COVEY_HIERARCHY_DATE);
}

static void test_hierarchy_json__a_file_needs_no_specification(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = "/home/someone/zip.csv"};
    covey_text text = COVEY_TEXT_INIT;

    assert_int_equal(covey_i_hierarchy_spec_print(&text, &spec, NULL), COVEY_EINVAL);
    assert_int_equal(text.size, 0);
    covey_i_text_free(&text);
}

static void test_hierarchy_json__files_of_the_publisher_are_not_named(void **state)
{
    const covey_hierarchy_spec lines = {
        .kind = COVEY_HIERARCHY_FILE, .path = trees_file("a;x;*\nb;y;*\n"), .missing_leaf_root = true};
    const covey_hierarchy_spec zip3 = {.kind = COVEY_HIERARCHY_ZIP3, .path = trees_file("059\n036\n")};

    assert_prints(&lines, "{\"lines\": {\"text\": \"a;x;*\\u000ab;y;*\\u000a\"}}");
    assert_prints(&zip3, "{\"zip3\": [\"036\", \"059\"]}");
    trees_remove();
}

static void test_hierarchy_json__wrong_specifications_are_refused(void **state)
{
    static const char *const wrong[] = {
        "{}",
        "[]",
        "{\"mask\": 5, \"balanced\": 2}",
        "{\"mask\": 0}",
        "{\"mask\": \"5\"}",
        "{\"mask\": 5.0}",
        "{\"balanced\": null}",
        "{\"interval\": {}}",
        "{\"interval\": []}",
        "{\"interval\": {\"from\": \"0\", \"to\": \"1\"}}",
        "{\"interval\": {\"from\": \"0\", \"to\": \"1\", \"widths\": []}}",
        "{\"interval\": {\"from\": 0, \"to\": \"1\", \"widths\": [\"1\"]}}",
        "{\"interval\": {\"from\": \"0\", \"to\": \"1\", \"widths\": [\"1\"], \"clamp\": 1}}",
        "{\"cuts\": []}",
        "{\"cuts\": [[]]}",
        "{\"cuts\": [[1]]}",
        "{\"cuts\": 1}",
        "{\"date\": \"month\"}",
        "{\"suppression\": false}",
        "{\"file\": \"a.csv\"}",
        "{\"top\": 90}",
        "{\"top\": {\"n\": \"90\"}}",
        "{\"top\": {\"n\": 90, \"from\": 1}}",
        "{\"zip3\": []}",
        "{\"zip3\": \"036\"}",
        "{\"lines\": {}}",
        "{\"lines\": {\"text\": \"a\", \"delimiter\": \";;\"}}"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE};
        covey_error err = {0};

        assert_int_equal(read_spec(&spec, wrong[i], &arena, &err), COVEY_EINVAL);
        assert_true(err.message[0] != '\0');
        assert_int_equal(spec.kind, COVEY_HIERARCHY_FILE); /* untouched */
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hierarchy_json__every_kind_survives),
        cmocka_unit_test(test_hierarchy_json__a_file_needs_no_specification),
        cmocka_unit_test(test_hierarchy_json__files_of_the_publisher_are_not_named),
        cmocka_unit_test(test_hierarchy_json__wrong_specifications_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
