#include "test.h"

#include "support/csvs.h"
#include "table/repeats.h"

static covey_repeats of(int64_t n_values, int64_t n_rows, int64_t n_repeated)
{
    return (covey_repeats){n_values, n_rows, n_repeated};
}

static void it_counts_values_and_the_rows_that_share_one(void **state)
{
    covey_table *table = csv_table("id\na\nb\na\n\nc\na\n");
    covey_repeats r;

    assert_int_equal(covey_i_repeats_of_column(&r, covey_table_column(table, 0), NULL), COVEY_OK);
    assert_int_equal(r.n_values, 3);
    assert_int_equal(r.n_rows, 5); /* the empty cell left aside */
    assert_int_equal(r.n_repeated, 3);
    covey_table_free(table);
}

static void a_key_of_persons_with_several_rows_is_told(void **state)
{
    const covey_repeats patients = of(71518, 101766, 46902), eight = of(8, 40, 40);

    assert_true(covey_i_repeats_are_keys(&patients, "patient_nbr", false));
    assert_true(covey_i_repeats_are_keys(&patients, "DUPERSID", false));
    assert_true(covey_i_repeats_are_keys(&eight, "patient", true));
    assert_true(covey_i_repeats_are_keys(&patients, "secret", true)); /* who says identifier need not say more */
    assert_false(covey_i_repeats_are_keys(&patients, "income", false));
}

static void values_that_name_no_single_person_are_not(void **state)
{
    const covey_repeats kinds = of(9, 101766, 101766), unique = of(500, 500, 0), mistakes = of(9998, 10000, 4),
                        one = of(1, 50, 50), weights = of(28523, 48842, 30000);

    assert_false(covey_i_repeats_are_keys(&kinds, "admission_type_id", false));
    assert_false(covey_i_repeats_are_keys(&kinds, "admission_type_id", true));
    assert_false(covey_i_repeats_are_keys(&unique, "id", true));
    assert_false(covey_i_repeats_are_keys(&mistakes, "id", true));
    assert_false(covey_i_repeats_are_keys(&one, "id", true));
    assert_false(covey_i_repeats_are_keys(&weights, "fnlwgt", true));
    assert_false(covey_i_repeats_are_keys(&weights, "last_name", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_counts_values_and_the_rows_that_share_one),
        cmocka_unit_test(a_key_of_persons_with_several_rows_is_told),
        cmocka_unit_test(values_that_name_no_single_person_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
