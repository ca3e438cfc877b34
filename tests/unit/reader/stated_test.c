/* Manifests: every key is read, and one that is missing or of the wrong type is named. */
#include "test.h"

#include <string.h>

#include "support/release/small_release.h"
#include "reader/stated/stated.h"

static void test_stated__everything_is_read(void **state)
{
    release_folder r;
    covey_stated *s = NULL;

    small_release(&r);
    release_set(&r, "columns.3.order", "['gout', 'flu', 'cold']");
    release_set(&r, "trim", "true");
    release_set(&r, "missing", "['', '?']");
    release_set(&r, "joint_prior",
                "{'attributes': ['disease', 'note'], 'cells': [{'values': ['cold', 'x'], 'count': 8}]}");
    release_set(&r, "method.parameters.publish-boxes", "'cut'");
    release_write(&r);
    assert_int_equal(covey_i_stated_read(&s, r.path, NULL), COVEY_OK);
    assert_string_equal(s->form, "generalized");
    assert_false(s->is_tight);
    assert_int_equal(s->n_rows, 8);
    assert_int_equal(s->n_published, 8);
    assert_int_equal(s->n_classes, 3);
    assert_true(s->trim);
    assert_int_equal(s->n_missing, 2);
    assert_string_equal(s->missing[1], "?");
    assert_int_equal(s->n_promises, 2);
    assert_string_equal(s->promise[1].model, "basic-beta-likeness");
    assert_string_equal(s->promise[1].param_text[0], "3/2");
    assert_null(s->promise[0].attribute);
    assert_int_equal(s->n_columns, 5);
    assert_int_equal(s->column[0].publish, COVEY_PUBLISH_RANGE);
    assert_int_equal(s->column[0].weight.den, 3);
    assert_string_equal(s->column[0].domain_high, "60");
    assert_false(s->column[0].has_missing);
    assert_string_equal(s->column[1].hierarchy, "hierarchies/edu.csv");
    assert_true(s->column[1].hierarchy_complete);
    assert_int_equal(s->column[2].publish, COVEY_PUBLISH_SET);
    assert_int_equal(s->column[3].role, COVEY_ROLE_SENSITIVE);
    assert_int_equal(s->column[3].n_order, 3);
    assert_int_equal(s->column[4].role, COVEY_ROLE_INSENSITIVE);
    assert_int_equal(s->n_priors, 1);
    assert_int_equal(s->prior[0].n, 3);
    assert_int_equal(s->prior[0].count[2], 2);
    assert_int_equal(s->joint.n_attributes, 2);
    assert_int_equal(s->joint.count[0], 8);
    assert_string_equal(s->objective, "ail");
    assert_false(s->objective_lower_bound.present);
    assert_int_equal(s->n_files, 2);
    assert_int_equal(covey_i_stated_column(s, "city"), 2);
    assert_int_equal(covey_i_stated_column(s, "country"), -1);
    assert_int_equal(covey_i_stated_prior(s, "disease"), 0);
    covey_i_stated_free(s);
    release_end(&r);
}

/* Writes the manifest as it is, without looking at files. */
static void put_manifest(const release_folder *r)
{
    char *text = json_dumps(r->manifest, 0);

    assert_non_null(text);
    release_put(r, "manifest.json", text);
    free(text);
}

static void assert_malformed(const char *path, const char *json, const char *message)
{
    release_folder r;
    covey_stated *s = NULL;
    covey_error err = {COVEY_OK};

    small_release(&r);
    release_set(&r, path, json);
    put_manifest(&r);
    assert_int_equal(covey_i_stated_read(&s, r.path, &err), COVEY_EPARSE);
    assert_null(s);
    if (!strstr(err.message, message))
        fail_msg("%s = %s: \"%s\" does not say \"%s\"", path, json ? json : "nothing", err.message, message);
    release_end(&r);
}

static void test_stated__what_is_wrong_is_named(void **state)
{
    assert_malformed("format_version", "2", "\"format_version\" must be 1");
    assert_malformed("form", "'scrambled'", "\"form\" must be one of \"bucketized\", \"generalized\"");
    assert_malformed("rows", "-1", "\"rows\" must be a count");
    assert_malformed("rows", "8.0", "\"rows\" must be a count");
    assert_malformed("rows", "9223372036854775807", "\"rows\" must be a count");
    assert_malformed("missing", "['', 1]", "\"missing\" must be a list of texts");
    assert_malformed("promises", "{}", "\"promises\" must be a list");
    assert_malformed("promises.0", "3", "\"promises\"[0]: \"model\" must be a text");
    assert_malformed("promises.1.parameters", "{'beta': 1.5}",
                     "\"promises\"[1]: \"parameters\" must be an object of texts");
    assert_malformed("promises.0.achieved", NULL, "\"promises\"[0]: \"achieved\" must be given");
    assert_malformed("promises.0.holds", "'yes'", "\"promises\"[0]: \"holds\" must be true or false");
    assert_malformed("columns.2.name", "'age'",
                     "\"columns\"[2]: \"name\" must be different from the names of all other columns");
    assert_malformed("columns.0.role", "'identifier'",
                     "\"columns\"[0]: \"role\" must be one of quasi-identifier, sensitive, insensitive");
    assert_malformed("columns.0.type", "'number'",
                     "\"columns\"[0]: \"type\" must be one of text, integer, decimal, date");
    assert_malformed("columns.0.type", "'text'", "\"columns\"[0]: \"publish\" must be \"label\" or \"set\" for texts");
    assert_malformed("columns.0.publish", "'value'", "\"columns\"[0]: \"publish\" must be \"value\" for sensitive");
    assert_malformed("columns.0.domain", "[20]", "\"columns\"[0]: \"domain\" must be a list of two numbers");
    assert_malformed("columns.0.domain", "[20, 60.5]", "\"columns\"[0]: \"domain\" must be a list of two numbers");
    assert_malformed("columns.0.weight", "'-1/3'", "\"columns\"[0]: \"weight\" must be a fraction such as \"1/7\"");
    assert_malformed("columns.0.weight", "0.3", "\"columns\"[0]: \"weight\" must be a text");
    assert_malformed("columns.1.hierarchy", NULL, "\"columns\"[1]: \"hierarchy\" must be the name of a file");
    assert_malformed("columns.1.hierarchy_complete", "1",
                     "\"columns\"[1]: \"hierarchy_complete\" must be true or false");
    assert_malformed("prior", "[]", "\"prior\" must be an object");
    assert_malformed("prior.disease.cold", "-3", "\"prior\": \"disease\" must be an object of counts");
    assert_malformed("prior.disease", "3", "\"prior\": \"disease\" must be an object of counts");
    assert_malformed("joint_prior", "{'attributes': ['disease'], 'cells': []}",
                     "\"attributes\" must be a list of at least two attributes");
    assert_malformed("joint_prior", "{'attributes': ['a', 'b'], 'cells': [{'values': ['x'], 'count': 1}]}",
                     "\"cells\"[0]: \"values\" must be");
    assert_malformed("utility", NULL, "\"utility\" must be an object of figures");
    assert_malformed("utility.ail", "'0.5'", "\"utility\": \"ail\" must be a number or null");
    assert_malformed("objective.value", "'0.5'", "\"objective\": \"value\" must be a number or null");
    assert_malformed("files.0.sha256", "'abc'", "\"files\"[0]: \"sha256\" must be 64 hexadecimal digits");
    assert_malformed("files.1.name", "'table.csv'", "\"files\"[1]: \"name\" must be different");
    assert_malformed("method", "'mondrian'", "\"method\": \"name\" must be a text");
    assert_malformed("notes", "'none'", "\"notes\" must be a list of texts");
}

static void test_stated__malformed_json_names_line_and_column(void **state)
{
    static const char *const texts[] = {
        "", "[", "{\"rows\": 1, \"rows\": 2}", "{\"a\": 1e999999}", "{\"a\": \"\\u0000\"}", "[]", "\xff", "{} {}"};
    release_folder r;

    small_release(&r);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        covey_stated *s = NULL;
        covey_error err = {COVEY_OK};

        release_put(&r, "manifest.json", texts[i]);
        assert_int_equal(covey_i_stated_read(&s, r.path, &err), COVEY_EPARSE);
        assert_true(err.message[0] != '\0');
        assert_non_null(strstr(err.file, "manifest.json"));
    }
    release_end(&r);
}

/* --- whatever stands anywhere --- */

static const char *const values[] = {NULL,    "null",       "true", "-1",       "0",      "1",
                                     "1e300", "0.5",        "''",   "'*'",      "'text'", "[]",
                                     "[1]",   "['a', 'b']", "{}",   "{'k': 2}", "'1/0'",  "'9999999999999999999'"};

/* Replaces every value below a path by everything else, one at a time, and verifies. */
static void try_everything(release_folder *r, const char *path, json_t *value, int *n_tried)
{
    char below[256];

    if (json_is_object(value)) {
        const char *key;
        json_t *item;
        void *next;

        json_object_foreach_safe(value, next, key, item)
        {
            snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key);
            try_everything(r, below, item, n_tried);
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        snprintf(below, sizeof below, "%s.%zu", path, i);
        try_everything(r, below, json_array_get(value, i), n_tried);
    }
    for (size_t i = 0; *path && i < sizeof values / sizeof *values; i++) {
        json_t *kept = json_deep_copy(r->manifest);
        covey_verify_options options = {.original = r->original, .skip_hashes = true};
        covey_run run = {.n_threads = 1};
        covey_verdict *verdict = NULL;
        covey_error err = {COVEY_OK};
        covey_status status;

        release_set(r, path, values[i]);
        put_manifest(r);
        status = covey_verify(&verdict, r->path, &options, &run, &err);
        assert_true(status == COVEY_OK || ((status == COVEY_EPARSE || status == COVEY_EINVAL) && err.message[0]));
        covey_verdict_free(verdict);
        json_object_update(r->manifest, kept);
        json_decref(kept);
        ++*n_tried;
    }
}

static void test_stated__no_value_anywhere_brings_verification_down(void **state)
{
    release_folder r;
    json_t *copy;
    int n_tried = 0;

    small_release(&r);
    release_set(&r, "columns.1.hierarchy_spec", "{'mask': 2}");
    release_set(&r, "columns.3.order", "['gout', 'flu', 'cold']");
    release_set(&r, "joint_prior",
                "{'attributes': ['disease', 'note'], 'cells': [{'values': ['cold', 'x'], 'count': 8}]}");
    release_write(&r);
    copy = json_deep_copy(r.manifest);
    try_everything(&r, "", copy, &n_tried);
    json_decref(copy);
    assert_true(n_tried > 1000);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated__everything_is_read),
        cmocka_unit_test(test_stated__what_is_wrong_is_named),
        cmocka_unit_test(test_stated__malformed_json_names_line_and_column),
        cmocka_unit_test(test_stated__no_value_anywhere_brings_verification_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
