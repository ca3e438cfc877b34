/* Transformed releases on several threads, for the thread sanitizer: what is published does not depend on their number,
 * nor on the order of rows. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "support/csvs.h"

enum { N_ROWS = 30000 };

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("--%s %s: %s", key, value, err.message);
}

static void publish(const char *input, const char *scheme, int n_threads, const char *target)
{
    const covey_anonymize_options options = {.force = true};
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = 3};
    covey_anonymize_report report;
    covey_policy *policy;
    covey_error err;

    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    set(policy, "input", input);
    set(policy, "quasi", "age");
    set(policy, "sensitive", "capital-loss");
    set(policy, "method", "distribution");
    set(policy, "model", "p-private");
    set(policy, "scheme", scheme);
    set(policy, "fakes", "2");
    set(policy, "groups", "{by: [{attribute: age, quantiles: 4}]}");
    set(policy, "targets", "[{group: {age: 20}, target: uniform, hierarchy: {balanced: 3}}, {target: source}]");
    if (covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, csv_path(target), &options, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}

static char *content(const char *folder, const char *file)
{
    char path[64];
    size_t size;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    return csv_get_file(&size, csv_path(path));
}

/* The same rows, last first. */
static void turn(const char *from, const char *to)
{
    size_t size;
    char *text = csv_get_file(&size, from), *turned = malloc(size + 1), *at = turned, *header;

    assert_non_null(turned);
    header = strchr(text, '\n') + 1;
    at = mempcpy(at, text, (size_t)(header - text));
    for (char *end = text + size; end > header;) {
        char *line = end - 1;

        while (line > header && line[-1] != '\n')
            line--;
        at = mempcpy(at, line, (size_t)(end - line));
        end = line;
    }
    csv_put_file(to, turned, size);
    free(text);
    free(turned);
}

static void threads_and_order_of_rows_do_not_matter(void **state)
{
    static const char *const schemes[] = {"sa-only", "qi-sa"}, *const files[] = {"quasi.csv", "sensitive.csv",
                                                                                 "target.csv", "groups.csv"};
    covey_error err;

    csv_folder();
    assert_int_equal(covey_generate("capital-loss", N_ROWS, 1, csv_path("t.csv"), false, NULL, &err), COVEY_OK);
    turn(csv_path("t.csv"), csv_path("turned.csv"));
    for (size_t s = 0; s < 2; s++) {
        publish(csv_path("t.csv"), schemes[s], 1, "one");
        publish(csv_path("turned.csv"), schemes[s], 6, "many");
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            char *one = content("one", files[f]), *many = content("many", files[f]);

            assert_non_null(one);
            assert_non_null(many);
            assert_true(strcmp(one, many) == 0);
            free(one);
            free(many);
        }
    }
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_order_of_rows_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
