/* Slicing with the sensitive attribute in two columns: figures worked out by hand, from the specification's example and
 * beyond. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "method/method_impl.h"

enum { MOST_VALUES = 6 };

/* Runs slicing on three columns of codes; params may name columns. */
static covey_status slice(uint32_t n, const uint32_t *age, const uint32_t *zip, const uint32_t *disease, const char *l,
                          const char *columns, const char *params, covey_error *err)
{
    const covey_method *method = covey_method_find("slicing");
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 1};
    covey_release *release = NULL;
    char promise[32];
    problem_maker m;
    covey_status status;
    void *made;
    size_t n_params;
    const covey_param *list = covey_method_params(method, &n_params);

    maker_init(&m, n);
    maker_add_range(&m, "Age", age, MOST_VALUES, false, NULL);
    maker_add_flat(&m, "Zip", zip, MOST_VALUES, false);
    snprintf(promise, sizeof promise, "l=%s", l);
    maker_promise(&m, "sliced-l-diversity", promise, maker_add_sensitive(&m, "Disease", disease, MOST_VALUES));
    assert_int_equal(maker_finish(&m, err), COVEY_OK);
    made = maker_method_params(&m, method, params);
    assert_int_equal(covey_param_set(made, list, n_params, "slicing", "columns", columns, err), COVEY_OK);
    status = method->run(&release, &m.problem, made, &run, err);
    covey_release_free(release);
    maker_clear(&m);
    return status;
}

/* With the disease in both columns p = 1 for all eight people.  Age and sex stand together: six
 * ages, two of them twice. */
static void the_example_tells_everybody(void **state)
{
    static const uint32_t age_and_sex[] = {0, 1, 2, 3, 4, 5, 5, 1}, zip[] = {0, 0, 1, 1, 2, 2, 3, 3},
                          disease[] = {0, 1, 1, 2, 1, 0, 0, 3};
    covey_error err;

    (void)state;
    assert_int_equal(slice(8, age_and_sex, zip, disease, "2", "[[Age, Disease], [Zip, Disease]]", "", &err),
                     COVEY_EINFEASIBLE);
    assert_non_null(strstr(err.message, "\"Disease\" stands in 2 columns"));
    assert_int_equal(slice(8, age_and_sex, zip, disease, "1.01", "[[Age, Disease], [Zip, Disease]]", "", &err),
                     COVEY_EINFEASIBLE);
    assert_int_equal(slice(8, age_and_sex, zip, disease, "1", "[[Age, Disease], [Zip, Disease]]", "", &err), COVEY_OK);
    assert_int_equal(slice(8, age_and_sex, zip, disease, "2", "[[Age], [Zip, Disease]]", "", &err), COVEY_OK);
}

/* Each disease three times; for (age 0, zip 0) 2 * 2 / 3 rows with disease 0 are expected and 1 * 2 / 3 with disease 1:
 * p = 2/3, as for all others. */
static void shares_are_exact(void **state)
{
    static const uint32_t age[] = {0, 1, 0, 0, 1, 1}, zip[] = {0, 0, 1, 0, 1, 0}, disease[] = {0, 0, 0, 1, 1, 1};
    static const char columns[] = "[[Age, Disease], [Zip, Disease]]";
    covey_error err;

    (void)state;
    assert_int_equal(slice(6, age, zip, disease, "3/2", columns, "", &err), COVEY_OK);
    assert_int_equal(slice(6, age, zip, disease, "1.500000000000001", columns, "", &err), COVEY_EINFEASIBLE);
    assert_int_equal(slice(6, age, zip, disease, "3/2", columns, "cut=relaxed", &err), COVEY_OK);
}

static void what_would_be_ignored_is_refused(void **state)
{
    static const uint32_t age[] = {0, 0}, zip[] = {0, 0}, disease[] = {0, 1};
    static const char columns[] = "[[Age, Disease], [Zip, Disease]]";
    covey_error err;

    (void)state;
    assert_int_equal(slice(2, age, zip, disease, "2", columns, "", &err), COVEY_OK);
    assert_int_equal(slice(2, age, zip, disease, "2", columns, "anatomize=false", &err), COVEY_OK);
    assert_int_equal(slice(2, age, zip, disease, "2", columns, "anatomize=true", &err), COVEY_EINVAL);
    assert_int_equal(slice(2, age, zip, disease, "2", columns, "weight=paper", &err), COVEY_EINVAL);
    assert_int_equal(slice(2, age, zip, disease, "2", columns, "column-k=2", &err), COVEY_EINVAL);
    assert_int_equal(slice(2, age, zip, disease, "2", "[[Age, Zip], [Zip, Disease], [Age, Disease]]", "", &err),
                     COVEY_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_tells_everybody),
        cmocka_unit_test(shares_are_exact),
        cmocka_unit_test(what_would_be_ignored_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
