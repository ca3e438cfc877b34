/* A column as published rows alone would have it: what of a suppressed row must not be left. */
#include "test.h"

#include "support/csvs.h"
#include "release/settled.h"
#include "table/table_impl.h"

/* The typed column of a table with one column. */
static covey_column *typed(const char *text, covey_type type)
{
    covey_table *table = csv_table(text);
    covey_column *column = NULL;

    assert_int_equal(covey_i_typing_column_type(&column, covey_table_column(table, 0), type, NULL, 0, "t.csv", NULL),
                     COVEY_OK);
    covey_table_free(table);
    return column;
}

static void mark(bool *keep, const covey_column *column, int64_t n_kept)
{
    for (int64_t row = 0; row < n_kept; row++)
        keep[covey_i_code(column, row)] = true;
}

static void assert_column(const covey_column *column, covey_type type, int scale, bool has_null)
{
    assert_non_null(column);
    assert_int_equal(column->type, type);
    assert_int_equal(column->scale, scale);
    assert_int_equal(column->has_null, has_null);
}

static void test_settled_field__sensitive_column_is_what_published_values_need(void **state)
{
    covey_column *column = typed("s\n1\n2\n7.125\n\"\"\n", COVEY_TYPE_GUESS), *settled = NULL;
    const covey_field field = {COVEY_ROLE_SENSITIVE, -1, column, .type_is_guessed = true};
    covey_arena arena = COVEY_ARENA_INIT;
    bool keep[4] = {false};

    mark(keep, column, 2);
    assert_int_equal(covey_i_release_settle_sensitive(&settled, &field, keep, &arena, NULL), COVEY_OK);
    assert_column(settled, COVEY_TYPE_INTEGER, 0, false);
    assert_int_equal(covey_i_code(settled, 1), covey_i_code(column, 1)); /* models count by codes */
    assert_int_equal(settled->number[covey_i_code(settled, 1)], 2);
    covey_i_column_free(settled);
    covey_i_column_free(column);
    covey_arena_free(&arena);
}

static void test_settled_field__nothing_changes_where_published_values_need_all(void **state)
{
    covey_column *column = typed("s\n1\n2.5\n\"\"\n1\n", COVEY_TYPE_GUESS), *settled = NULL;
    const covey_field field = {COVEY_ROLE_SENSITIVE, -1, column, .type_is_guessed = true};
    covey_arena arena = COVEY_ARENA_INIT;
    bool keep[3] = {false};

    mark(keep, column, 3);
    assert_int_equal(covey_i_release_settle_sensitive(&settled, &field, keep, &arena, NULL), COVEY_OK);
    assert_null(settled);
    covey_i_column_free(column);
    covey_arena_free(&arena);
}

static void assert_spelled(const char *text, int64_t n_kept, const char *expected)
{
    covey_column *column = typed(text, COVEY_TYPE_DECIMAL);
    const covey_field field = {COVEY_ROLE_INSENSITIVE, -1, column, .type_is_guessed = false};
    covey_settled_field settled;
    covey_arena arena = COVEY_ARENA_INIT;
    bool keep[4] = {false};

    mark(keep, column, n_kept);
    assert_int_equal(covey_i_release_settle_field(&settled, &field, NULL, keep, &arena, NULL), COVEY_OK);
    if (settled.column)
        assert_string_equal(covey_column_label(settled.column, covey_i_code(settled.column, 0)), expected);
    else
        assert_string_equal(covey_column_label(column, covey_i_code(column, 0)), expected);
    covey_i_settled_field_clear(&settled);
    covey_i_column_free(column);
    covey_arena_free(&arena);
}

static void test_settled_field__spelling_is_no_suppressed_row_s(void **state)
{
    assert_spelled("x\n1\n1\n1.0\n", 2, "1");
    assert_spelled("x\n1\n1\n1\n", 2, "1");
    assert_spelled("x\n1.0\n1.0\n1\n", 2, "1");
    assert_spelled("x\n-2.50\n-2.50\n3.125\n", 2, "-2.5");
    assert_spelled("x\n-2.50\n-2.50\n-2.500\n", 2, "-2.5");
}

static void test_settled_field__value_that_nobody_else_has_is_gone(void **state)
{
    covey_column *column = typed("x\n30\n98765\n40\n", COVEY_TYPE_GUESS);
    const covey_field field = {COVEY_ROLE_INSENSITIVE, -1, column, .type_is_guessed = true};
    covey_settled_field settled;
    covey_arena arena = COVEY_ARENA_INIT;
    bool keep[3] = {true, true, false};

    assert_int_equal(covey_i_release_settle_field(&settled, &field, NULL, keep, &arena, NULL), COVEY_OK);
    assert_column(settled.column, COVEY_TYPE_INTEGER, 0, false);
    assert_int_equal(settled.column->n_values, 2);
    assert_int_equal(settled.map[1], 1);
    assert_int_equal(settled.map[2], UINT32_MAX);
    covey_i_settled_field_clear(&settled);
    covey_i_column_free(column);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settled_field__sensitive_column_is_what_published_values_need),
        cmocka_unit_test(test_settled_field__nothing_changes_where_published_values_need_all),
        cmocka_unit_test(test_settled_field__spelling_is_no_suppressed_row_s),
        cmocka_unit_test(test_settled_field__value_that_nobody_else_has_is_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
